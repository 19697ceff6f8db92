package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// sbomOf is the bill of materials in CycloneDX's JSON: the modules in the programs, and the npm packages that tests
// use, which are in nothing that is shipped (scope excluded).
func sbomOf(root, version string, at time.Time) ([]byte, error) {
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{
		Timestamp: at.UTC().Format(time.RFC3339),
		Component: &cdx.Component{
			BOMRef: "pkg:github/burstscope/burstscope@" + version, Type: cdx.ComponentTypeApplication,
			Name: "burstscope", Version: version, Licenses: licences("Apache-2.0"),
		},
	}
	parts, err := shippedIn(root)
	if err != nil {
		return nil, err
	}
	var list []cdx.Component
	for i := range parts {
		list = append(list, partComponent(&parts[i]))
	}
	lock, err := os.ReadFile(filepath.Join(root, "site", "e2e", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	packages, err := lockComponents(lock)
	if err != nil {
		return nil, err
	}
	list = append(list, packages...)
	bom.Components = &list
	var b bytes.Buffer
	e := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON)
	e.SetPretty(true)
	err = e.EncodeVersion(bom, cdx.SpecVersion1_6)
	return b.Bytes(), err
}

func licences(id string) *cdx.Licenses {
	if id == "" {
		return nil
	}
	if strings.ContainsAny(id, " (") {
		return &cdx.Licenses{{Expression: id}}
	}
	return &cdx.Licenses{{License: &cdx.License{ID: id}}}
}

func partComponent(m *shipped) cdx.Component {
	url := "pkg:" + m.kind + "/" + strings.Replace(m.Path, "@", "%40", 1) + "@" + m.Version
	var id string
	for _, t := range m.texts {
		id = cmp.Or(id, licenceID(t.data))
	}
	return cdx.Component{
		BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url,
		Scope: cdx.ScopeRequired, Licenses: licences(id),
	}
}

// lockComponents reads a package-lock.json of version 2 or 3 (docs.npmjs.com, package-lock.json): its keys are folders.
func lockComponents(lock []byte) ([]cdx.Component, error) {
	var file struct {
		Packages map[string]struct {
			Version, License string
			Link             bool
		}
	}
	if err := json.Unmarshal(lock, &file); err != nil {
		return nil, err
	}
	byURL := map[string]cdx.Component{}
	for folder, p := range file.Packages {
		at := strings.LastIndex(folder, "node_modules/")
		if at < 0 || p.Link {
			continue // the project itself
		}
		name := folder[at+len("node_modules/"):]
		url := "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version
		byURL[url] = cdx.Component{
			BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: name, Version: p.Version, PackageURL: url,
			Scope: cdx.ScopeExcluded, Licenses: licences(p.License),
		}
	}
	var list []cdx.Component
	for _, c := range byURL {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b cdx.Component) int { return strings.Compare(a.BOMRef, b.BOMRef) })
	return list, nil
}
