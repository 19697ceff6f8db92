package wasmlink

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Known are the Go versions of which the readers of compiled programs know the form: the table of functions
// (tools/wasmlink/table.go), the jumps of a function (tools/wasmlink/flow) and its instructions (tools/wasmlink/code).
var Known = []string{"1.26", "1.27"}

// Go is a toolchain.
type Go struct {
	Version string // such as go1.27.2
	Root    string // its folder
}

// Installed is the toolchain that the go command takes here: the installed one, or another as go.mod or the
// environment ask.
var Installed = sync.OnceValues(func() (Go, error) {
	said, err := exec.Command("go", "env", "GOVERSION", "GOROOT").Output()
	if err != nil {
		return Go{}, fmt.Errorf("go env GOVERSION GOROOT: %w", err)
	}
	version, root, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	return Go{version, strings.TrimSpace(root)}, nil
})

// Known reports whether the version is one of the list Known.
func (g Go) Known() bool {
	for _, version := range Known {
		rest, ok := strings.CutPrefix(g.Version, "go"+version)
		if ok && (rest == "" || rest[0] < '0' || rest[0] > '9') {
			return true
		}
	}
	return false
}

// Unknown says that a version is not known, for a person.
func (g Go) Unknown() string {
	return fmt.Sprintf("the form in which %s writes programs is not known here (that of Go %s is)", g.Version, strings.Join(Known, " and "))
}

// Wasm is the path of a file that belongs to programs of this toolchain: a WebAssembly program runs with no other.
func (g Go) Wasm(name string) string { return filepath.Join(g.Root, "lib", "wasm", name) }
