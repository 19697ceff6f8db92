// Command tidy checks rules of this repository that a compiler does not know: allowed
// imports, operations that the deterministic core must not use, lengths, and the layout of
// folders. `go run ./tools/tidy` prints every breach and fails if there is one;
// `go test ./tools/tidy` does the same and proves that each rule can fail.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Module is this project's import path.
const Module = "github.com/burstscope/burstscope"

// Finding is one breach of one rule.
type Finding struct {
	File string // slash-separated, relative to the root
	Line int    // 0 when the whole file or folder is meant
	Rule string
	Text string
}

func (f Finding) String() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %s (%s)", f.File, f.Text, f.Rule)
	}
	return fmt.Sprintf("%s:%d: %s (%s)", f.File, f.Line, f.Text, f.Rule)
}

func main() {
	root := flag.String("root", "", "root of the tree (default: where go.mod is)")
	flag.Parse()
	if *root == "" {
		dir, err := findRoot()
		if err != nil {
			fmt.Fprintln(os.Stderr, "tidy:", err)
			os.Exit(2)
		}
		*root = dir
	}
	findings, err := Check(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tidy:", err)
		os.Exit(2)
	}
	for _, f := range findings {
		fmt.Println(f)
	}
	if len(findings) > 0 {
		fmt.Fprintf(os.Stderr, "tidy: %d breaches\n", len(findings))
		os.Exit(1)
	}
}

// findRoot asks the go command, so that tidy works from any folder of the tree.
func findRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == os.DevNull {
		return "", fmt.Errorf("no go.mod above this folder; run tidy inside the tree or give -root")
	}
	return filepath.Dir(file), nil
}

// Check applies every rule to the tree at root.
func Check(root string) ([]Finding, error) {
	tree, err := ReadTree(os.DirFS(root))
	if err != nil {
		return nil, err
	}
	findings := checkFiles(tree)
	findings = append(findings, checkLength(tree)...)
	findings = append(findings, checkSystems(tree)...)
	findings = append(findings, checkTopLevel(tree)...)
	findings = append(findings, checkCitations(tree)...)
	findings = append(findings, checkImports(tree)...)
	findings = append(findings, checkRows(tree, namedPackages())...)
	findings = append(findings, checkFolders(tree)...)
	findings = append(findings, checkCycles(tree)...)
	exports, err := listExports(root, tree)
	if err != nil {
		return nil, err
	}
	findings = append(findings, checkPurity(tree, exports)...)
	sortFindings(findings)
	return findings, nil
}

func sortFindings(findings []Finding) {
	slices.SortFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text))
	})
}
