package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// serviceWorker is the script that keeps a build on the reader's machine.
const serviceWorker = "sw.js"

// keptFile is a file that the service worker keeps: its path, and the hash that browsers
// check. Documents have no hash; site/src/page/serviceworker.ts says why.
type keptFile [2]string

// withList is the service worker with the list of its files, for its folder: "" for the
// root, otherwise the folder of the version.
func (p *publisher) withList(script []byte, folder string) ([]byte, error) {
	var list []keptFile
	for _, name := range p.documents() {
		list = append(list, keptFile{name, ""})
	}
	for _, name := range sorted(p.files) {
		if at, ok := p.Files[name]; ok && !slices.Contains(notKept, name) {
			if folder == "" {
				at = path.Join(p.folder, at)
			}
			list = append(list, keptFile{at, integrityOf(p.published[name])})
		}
	}
	for _, name := range sorted(p.files) {
		// Scripts ask for the posters by the name of a scenario.
		if keepsName(name) && (p.isNamed(name) || path.Dir(name) == postersFolder) && name != singleFile {
			list = append(list, keptFile{name, integrityOf(p.files[name])})
		}
	}
	data, err := json.Marshal(map[string]any{"version": p.Version, "build": p.Build, "files": list})
	if err != nil {
		return nil, err
	}
	return []byte(fmt.Sprintf("const BUILD = %s;\n%s", data, script)), nil
}

// documents are the HTML files that keep their names.
func (p *publisher) documents() []string {
	return slices.DeleteFunc(sorted(p.files), func(name string) bool { return !keepsName(name) || !isDocument(name) })
}

// isNamed reports whether documents name a file that is not a document.
func (p *publisher) isNamed(name string) bool {
	return !isDocument(name) && slices.ContainsFunc(p.documents(), func(document string) bool {
		return strings.Contains(string(p.files[document]), `="`+name+`"`)
	})
}

// manifest describes the page to a system that installs it.
type manifest struct {
	Name        string         `json:"name"`
	ShortName   string         `json:"short_name"`
	Description string         `json:"description"`
	StartURL    string         `json:"start_url"`
	Scope       string         `json:"scope"`
	Display     string         `json:"display"`
	Background  string         `json:"background_color"`
	Theme       string         `json:"theme_color"`
	Categories  []string       `json:"categories"`
	Icons       []manifestIcon `json:"icons"`
}

type manifestIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose"`
}

// writeInstallable writes the manifest and its icons.
func writeInstallable(root, stage string) error {
	m := manifest{
		Name: "Burstscope", ShortName: "Burstscope",
		Description: "Every burst of a GPU's memory: real kernels, real data, two compression schemes side by side.",
		StartURL:    "./", Scope: "./", Display: "standalone",
		Background: "#101418", Theme: "#101418", // the ground of icon.svg
		Categories: []string{"education", "science"},
	}
	var faults []error
	for _, icon := range []struct {
		name    string
		size    int
		purpose string
	}{{"icon-192.png", 192, "any"}, {"icon-512.png", 512, "any"}, {"icon-maskable-512.png", 512, "maskable"}} {
		faults = append(faults, writeIcon(root, stage, icon.name, icon.size, icon.purpose == "maskable"))
		m.Icons = append(m.Icons, manifestIcon{icon.name, fmt.Sprintf("%dx%d", icon.size, icon.size), "image/png", icon.purpose})
	}
	return errors.Join(append(faults, writeJSON(path.Join(stage, "manifest.webmanifest"), m))...)
}
