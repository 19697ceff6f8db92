package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"os"
	"path/filepath"

	"github.com/burstscope/burstscope/assets/kernels"
	"github.com/burstscope/burstscope/core/catalog"
	"github.com/burstscope/burstscope/core/codec/codecs"
)

//go:embed gallery.html
var galleryText string

var galleryPage = template.Must(template.New("gallery").Parse(galleryText))

// gallery is what the page of kernels and codecs shows.
type gallery struct {
	Kernels []galleryKernel
	Modules []galleryModule
	Codecs  []codecs.Description
}

// galleryKernel is the PTX of a shipped program, with the SHA-256 of its text.
type galleryKernel struct{ Name, Hash string }

// galleryModule is a codec as a module for the page: its source, a template for others, and the hashes of both.
type galleryModule struct{ Name, Language, Source, SourceHash, Module, ModuleHash string }

// modules are those of tools/plugin, each with its source.
var modules = []galleryModule{
	{Name: "BDI", Language: "C", Source: "c/bdi.c", Module: "bdi.wasm"},
	{Name: "half precision", Language: "C", Source: "c/half.c", Module: "half.wasm"},
	{Name: "Huffman", Language: "C", Source: "c/huffman.c", Module: "huffman.wasm"},
	{Name: "FPC", Language: "Go", Source: "go/fpc.go", Module: "fpc.wasm"},
	{Name: "ZVC", Language: "AssemblyScript", Source: "assemblyscript/zvc.ts", Module: "zvc.wasm"},
}

// writeGallery writes gallery/index.html and the modules beside it, files that any static host serves.
func writeGallery(root, dist string) error {
	lists, err := catalog.New()
	if err != nil {
		return err
	}
	folder := filepath.Join(dist, "gallery")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	g := gallery{Codecs: lists.Codecs}
	for _, name := range kernels.Names() {
		ptx, _, err := kernels.Text(name)
		if err != nil {
			return err
		}
		g.Kernels = append(g.Kernels, galleryKernel{name, hashOf([]byte(ptx))})
	}
	for _, m := range modules {
		source := filepath.Base(m.Source)
		from := filepath.Join(root, "tools", "plugin")
		m.SourceHash, err = copyOf(filepath.Join(from, filepath.FromSlash(m.Source)), filepath.Join(folder, source))
		if err != nil {
			return err
		}
		m.ModuleHash, err = copyOf(filepath.Join(from, "testdata", m.Module), filepath.Join(folder, m.Module))
		if err != nil {
			return err
		}
		m.Source = source
		g.Modules = append(g.Modules, m)
	}
	var page bytes.Buffer
	if err := galleryPage.Execute(&page, g); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "index.html"), page.Bytes(), 0o644)
}

// copyOf copies a file and returns the hash of its bytes.
func copyOf(from, to string) (string, error) {
	data, err := os.ReadFile(from)
	if err != nil {
		return "", err
	}
	return hashOf(data), os.WriteFile(to, data, 0o644)
}
