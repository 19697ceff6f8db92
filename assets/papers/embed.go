// Package papers holds a folder for each paper, and the template of one. README.md describes the files.
package papers

import (
	"embed"
	"io/fs"
	"slices"
)

// A new folder needs no line here.
//
//go:embed */*
var files embed.FS

const template = "template"

// first are the folders whose order the committed reports have. Others follow by name.
var first = []string{"slc", "e2mc", "latte", "buddy", "rfvp"}

// Names returns the folders of all papers.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the folders are embedded
	}
	names := slices.Clone(first)
	for _, e := range entries {
		if e.Name() != template && !slices.Contains(first, e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// Folder returns the folder of a paper.
func Folder(name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // Sub of an embedded folder fails for names that are no paths
	}
	return sub
}

// Template returns the folder that burstscope paper new copies. Every NAME in it stands for the paper's name.
func Template() fs.FS { return Folder(template) }
