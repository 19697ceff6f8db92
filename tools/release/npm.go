package main

import (
	"embed"
	"errors"
	"path"
	"slices"
)

// npmFiles are the files of the package that the build of the page does not make.
//
//go:embed npm
var npmFiles embed.FS

// elementFile is the script of the element in the site.
const elementFile = "burst-scope.js"

// npmPackage is the content of the npm package: below the folder package, as npm packs it.
func npmPackage(version string, site, notices []entry) ([]entry, error) {
	at := slices.IndexFunc(site, func(e entry) bool { return e.name == elementFile })
	if at < 0 {
		return nil, errors.New("the site has no " + elementFile)
	}
	manifest, err := marshal(struct {
		Name        string         `json:"name"`
		Version     string         `json:"version"`
		Description string         `json:"description"`
		License     string         `json:"license"`
		Type        string         `json:"type"`
		Main        string         `json:"main"`
		Types       string         `json:"types"`
		Exports     map[string]any `json:"exports"`
		SideEffects bool           `json:"sideEffects"`
	}{
		"burst-scope", version, "A GPU memory system as an element of a page", "Apache-2.0", "module", "./index.js",
		"./index.d.ts",
		map[string]any{
			".":              map[string]string{"types": "./index.d.ts", "default": "./index.js"},
			"./element":      "./" + elementFile,
			"./site/*":       "./site/*",
			"./package.json": "./package.json",
		}, true,
	})
	if err != nil {
		return nil, err
	}
	files := []entry{{"package.json", plain, manifest}, {elementFile, plain, site[at].data}}
	own, err := npmFiles.ReadDir("npm")
	if err != nil {
		return nil, err
	}
	for _, e := range own {
		data, err := npmFiles.ReadFile(path.Join("npm", e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, entry{e.Name(), plain, data})
	}
	files = append(files, notices...)
	return below("package", append(files, below("site", site)...)), nil
}
