package scenario

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The page has the same tabs in the same order.
func TestTabsOfThePage(t *testing.T) {
	const file = "../../site/src/state/settings.ts"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(`export const TABS = ["%s"] as const;`, strings.Join(tabs, `", "`)); !strings.Contains(string(b), want) {
		t.Errorf("%s does not say %s: both lists are the tabs of the page", file, want)
	}
}
