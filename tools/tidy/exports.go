package main

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
)

// listExports asks the go command for the export data of everything core is
// built from; it comes out of the build cache, so a second run costs a moment.
func listExports(root string, tree *Tree) (map[string]string, error) {
	for i := range tree.Files {
		if tree.Files[i].Syntax != nil && inCore(tree.Files[i].Package()) {
			return goListExports(root, "./core/...")
		}
	}
	return nil, nil
}

func goListExports(dir string, patterns ...string) (map[string]string, error) {
	args := append([]string{"list", "-e", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if name, file, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && file != "" {
			exports[name] = file
		}
	}
	return exports, nil
}

// exportImporter reads imports from export data.
func exportImporter(fset *token.FileSet, exports map[string]string) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		file, ok := exports[path]
		if !ok {
			return nil, fmt.Errorf("%s does not build; see go build ./core/...", path)
		}
		return os.Open(file)
	})
}
