// Command translate writes the description of the pictures (render/model) as
// TypeScript, so that the page and the moving picture draw the same. The Go files use
// only the part of Go that has the same meaning in TypeScript (README.md).
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// The package, its files to translate, and the output file.
const (
	packageFolder = "render/model"
	outputFile    = "site/src/drawing/described.ts"
)

var described = []string{
	"scene.go", "format.go", "cividis.go", "svg.go", "legend.go", "sorted.go", "timescale.go",
	"channel.go", "bus.go", "banks.go", "packets.go", "strips.go", "blocks.go", "maplayout.go", "addressmap.go", "abovemag.go",
}

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "translate:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	text, err := translate(filepath.Join(root, packageFolder), described)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, outputFile), text, 0o644)
}
