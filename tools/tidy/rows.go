package main

import (
	"maps"
	"slices"
	"strings"
)

// namedPackages returns every package that the tables of import edges name.
func namedPackages() []string {
	names := slices.Concat(layers...)
	for _, from := range slices.Sorted(maps.Keys(extraEdges)) {
		names = append(append(names, from), extraEdges[from]...)
	}
	for _, table := range []map[string][]string{outside, standard} {
		for _, module := range slices.Sorted(maps.Keys(table)) {
			names = append(names, table[module]...)
		}
	}
	return names
}

// checkRows refuses rows of packages that do not exist: they outlive the package, or
// were written before it.
func checkRows(tree *Tree, names []string) []Finding {
	packages := map[string]bool{}
	for i := range tree.Files {
		if tree.Files[i].Syntax != nil {
			packages[tree.Files[i].Package()] = true
		}
	}
	var findings []Finding
	seen := map[string]bool{}
	for _, name := range names {
		prefix, below := strings.CutSuffix(name, "...")
		exists := packages[name]
		if below {
			for pkg := range packages {
				exists = exists || strings.HasPrefix(pkg, prefix)
			}
		}
		if !exists && !seen[name] {
			findings = append(findings, Finding{"tools/tidy/edges.go", 0, "import edge", name + " has a row but is not a package: remove the row"})
		}
		seen[name] = true
	}
	return findings
}
