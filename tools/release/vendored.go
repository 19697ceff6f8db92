package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
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

// mostLicence bounds a licence and a package.json.
const mostLicence = 1 << 20

// vendored reads name, version and licences of an npm package as the registry has it: its files lie in one folder
// (docs.npmjs.com, npm pack).
func vendored(file string) (shipped, error) {
	s := shipped{kind: "npm"}
	f, err := os.Open(file)
	if err != nil {
		return s, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return s, err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s, err
		}
		name := path.Base(h.Name)
		if path.Dir(path.Dir(h.Name)) != "." || name != "package.json" && !licenceFile.MatchString(name) {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(t, mostLicence))
		if err != nil {
			return s, err
		}
		if name != "package.json" {
			s.texts = append(s.texts, entry{name, plain, data})
			continue
		}
		var about struct{ Name, Version string }
		if err := json.Unmarshal(data, &about); err != nil {
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
