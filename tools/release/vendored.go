package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/burstscope/burstscope/tools/npm"
)

// shipped is a part of the release that others wrote, with its licences.
type shipped struct {
	module
	kind  string // type of its package URL
	texts []entry
}

// shippedIn lists Go itself, the Go modules of the programs and the npm packages of the page.
func shippedIn(root string) ([]shipped, error) {
	own, err := goModule()
	if err != nil {
		return nil, err
	}
	modules, err := modulesOf(root)
	if err != nil {
		return nil, err
	}
	var list []shipped
	for _, m := range append([]module{own}, modules...) {
		texts, err := licencesIn(m.Path, m.Dir)
		if err != nil {
			return nil, err
		}
		list = append(list, shipped{m, "golang", texts})
	}
	packed, err := filepath.Glob(filepath.Join(root, "site", "vendor", "*.tgz"))
	if err != nil {
		return nil, err
	}
	for _, file := range packed {
		one, err := vendored(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		list = append(list, one)
	}
	return list, nil
}

// vendored reads name, version and licences of an npm package, which stand at the top of its folder.
func vendored(file string) (shipped, error) {
	s := shipped{kind: "npm"}
	files, err := npm.Read(file, func(name string) bool {
		base := path.Base(name)
		return path.Dir(path.Dir(name)) == "." && (base == "package.json" || licenceFile.MatchString(base))
	})
	if err != nil {
		return s, err
	}
	for _, f := range files {
		name := path.Base(f.Name)
		if name != "package.json" {
			s.texts = append(s.texts, entry{name, plain, f.Data})
			continue
		}
		var about struct{ Name, Version string }
		if err := json.Unmarshal(f.Data, &about); err != nil {
			return s, fmt.Errorf("package.json: %w", err)
		}
		s.Path, s.Version = about.Name, about.Version
	}
	if s.Path == "" || s.Version == "" {
		return s, errors.New("no package.json with a name and a version")
	}
	if len(s.texts) == 0 {
		return s, fmt.Errorf("%s has no licence file: it may not be part of a release", s.Path)
	}
	return s, nil
}
