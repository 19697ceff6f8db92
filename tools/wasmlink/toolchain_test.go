package wasmlink

import (
	"os"
	"regexp"
	"testing"
)

// A minor release is known with its version, one whose number only begins alike is not.
func TestKnown(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"go1.26": true, "go1.26.8": true, "go1.26.11": true, "go1.27rc1": true, "go1.27.2": true, "go1.27.4 X:simd": true, "go1.26.8-vendor": true,
		"go1.25.9": false, "go1.2": false, "go1.260": false, "go1.28.0": false, "go1.99": false, "devel go1.27-4f1e8b2": false, "": false,
	} {
		if got := (Go{Version: version}).Known(); got != want {
			t.Errorf("%q: known %v", version, got)
		}
	}
}

// The versions that go.mod asks for are known: whoever raises them looks whether programs are still patched.
func TestVersionsOfTheModule(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^(?:go |toolchain go)(\S+)$`).FindAllStringSubmatch(string(mod), -1)
	if len(lines) != 2 {
		t.Fatalf("go.mod has not one go line and one toolchain line: %q", lines)
	}
	for _, line := range lines {
		if !(Go{Version: "go" + line[1]}).Known() {
			t.Errorf("go.mod asks for Go %s, and %s", line[1], Go{Version: "go" + line[1]}.Unknown())
		}
	}
}
