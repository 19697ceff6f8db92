// Package figures holds the figures of the papers: for each one file with what is
// drawn, as expressions over results, and what the paper states. The runs follow
// from the expressions; every program of a set that exists takes part.
package figures

import (
	"embed"
	"strings"
)

//go:embed *.yaml
var files embed.FS

// Names returns the names of all figures.
func Names() []string {
	return []string{
		"SLC-1", "SLC-2", "SLC-7", "SLC-8", "SLC-9", "SLC-header", "SLC-threshold", "SLC-bandwidth",
		"E2MC-1", "E2MC-3", "E2MC-4", "E2MC-5", "E2MC-9", "E2MC-10", "E2MC-11", "E2MC-12", "E2MC-13", "E2MC-bandwidth",
		"LATTE-1", "LATTE-2", "LATTE-3", "LATTE-4", "LATTE-5", "LATTE-6",
		"LATTE-11", "LATTE-12", "LATTE-13", "LATTE-14", "LATTE-15", "LATTE-16", "LATTE-17", "LATTE-18",
		"RFVP-1", "RFVP-3", "RFVP-7", "RFVP-8", "RFVP-9", "RFVP-10", "RFVP-11", "RFVP-12", "RFVP-combined",
		"BUDDY-3", "BUDDY-5", "BUDDY-6", "BUDDY-7", "BUDDY-8", "BUDDY-9", "BUDDY-10",
		"BUDDY-12", "BUDDY-13", "BUDDY-14", "BUDDY-15",
	}
}

// File returns the name of a figure's file.
func File(name string) string { return strings.ToLower(name) + ".yaml" }

// Source returns the YAML of a figure, whatever the case of its name; nil if there
// is none.
func Source(name string) []byte {
	if strings.ContainsAny(name, `/\`) {
		return nil
	}
	b, err := files.ReadFile(File(name))
	if err != nil {
		return nil
	}
	return b
}
