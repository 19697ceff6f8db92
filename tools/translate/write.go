// Package translate writes the description of the pictures (render/model) as
// TypeScript, so that the page and the moving picture draw the same. The Go files use
// only the part of Go that has the same meaning in TypeScript (README.md).
package translate

import (
	"bytes"
	"os"
	"path/filepath"
)

// The package, its files to translate, and the output file.
const (
	packageFolder = "render/model"
	outputFile    = "site/src/drawing/described.ts"
)

var described = []string{
	"scene.go", "format.go", "cividis.go", "svg.go", "legend.go", "sorted.go", "timescale.go", "channel.go",
	"bus.go", "banks.go", "packets.go", "strips.go", "blocks.go", "maplayout.go", "addressmap.go", "abovemag.go",
}

// Write puts the translation into the tree below root, where git ignores it. The file appears in one step: other
// programs may read it meanwhile.
func Write(root string) error {
	text, err := translate(filepath.Join(root, packageFolder), described)
	if err != nil {
		return err
	}
	file := filepath.Join(root, outputFile)
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text) {
		return nil
	}
	made, err := os.CreateTemp(filepath.Dir(file), ".described-")
	if err != nil {
		return err
	}
	_, err = made.Write(text)
	if closed := made.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(made.Name(), file)
	}
	if err != nil {
		_ = os.Remove(made.Name())
	}
	return err
}
