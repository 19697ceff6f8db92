package execute

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// shelf returns a file of the reference shelf beside the repository, or skips.
func shelf(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if b, err := os.ReadFile(filepath.Join(dir, "..", "shared", name)); err == nil {
			return b
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skipf("the reference shelf with %s is not beside this repository", name)
		}
		dir = up
	}
}

func shelfJSON(t testing.TB, name string, into any) {
	t.Helper()
	if err := json.Unmarshal(shelf(t, name), into); err != nil {
		t.Fatal(err)
	}
}
