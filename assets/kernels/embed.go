//go:build !fetched

package kernels

import (
	"embed"
	"path"
	"strings"
)

//go:embed *.ptx *.cu
var files embed.FS

func embedded(name string) (ptx, cuda string, err error) {
	compiled, err := files.ReadFile(name + ".ptx")
	if err != nil {
		return "", "", err
	}
	source, err := files.ReadFile(name + ".cu")
	return string(compiled), string(source), err
}

// Names returns the names of all programs.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the folder is embedded
	}
	var names []string
	for _, e := range entries {
		if path.Ext(e.Name()) == ".ptx" {
			names = append(names, strings.TrimSuffix(e.Name(), ".ptx"))
		}
	}
	return names
}
