package fit

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The page offers the same GPUs.
func TestGPUsOfThePage(t *testing.T) {
	const file = "../../../../site/src/lab/fit.ts"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(`const GPUS = ["%s"];`, strings.Join(gpuNames, `", "`)); !strings.Contains(string(b), want) {
		t.Errorf("%s does not say %s: both lists are the GPUs of the answers", file, want)
	}
}
