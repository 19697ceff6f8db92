package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module is a Go module whose code is in a program of the release.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// modulesOf lists the modules that the command, the page and its engine are built from, over all targets, in the
// order of their paths.
func modulesOf(root string) ([]module, error) {
	var list []module
	ask := func(goos, goarch string, words ...string) error {
		c := exec.Command("go", append([]string{"list", "-deps", "-json=Module"}, words...)...)
		c.Dir = root
		c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch, "GOFLAGS=")
		var said bytes.Buffer
		c.Stderr = &said
		out, err := c.Output()
		if err != nil {
			return fmt.Errorf("go list for %s/%s: %w\n%s", goos, goarch, err, &said)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var one struct{ Module *module }
			if err := d.Decode(&one); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			m := one.Module // none for the standard library
			if m != nil && !m.Main && !slices.ContainsFunc(list, func(o module) bool { return o.Path == m.Path }) {
				list = append(list, *m)
			}
		}
	}
	for _, t := range targets {
		if err := ask(t.os, t.arch, "-tags=nogpu", "./tools/burstscope"); err != nil {
			return nil, err
		}
	}
	if err := ask("js", "wasm", "./wasm/..."); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// licenceFile is how authors name the files that must go along.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)([.-].*)?$`)

// licencesIn returns the licence files of a folder, in the order of their names. A module without any is an error:
// its code could not be given on.
func licencesIn(name, folder string) ([]entry, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var list []entry
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		list = append(list, entry{e.Name(), plain, data})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no licence file: it may not be part of a release", name)
	}
	return list, nil
}

// licenceIDs are phrases that only one licence has, with its identifier of SPDX.
var licenceIDs = []struct{ phrase, id string }{
	{"Apache License Version 2.0", "Apache-2.0"},
	{"Mozilla Public License Version 2.0", "MPL-2.0"},
	{"Neither the name of", "BSD-3-Clause"},
	{"Redistributions of source code must retain", "BSD-2-Clause"},
	{"Permission is hereby granted, free of charge", "MIT"},
	{"Permission to use, copy, modify, and/or distribute this software for any purpose", "ISC"},
}

// licenceID recognises the text of a licence, or returns "".
func licenceID(text []byte) string {
	plain := strings.ReplaceAll(strings.Join(strings.Fields(string(text)), " "), ",", "")
	for _, l := range licenceIDs {
		if strings.Contains(strings.ToLower(plain), strings.ToLower(strings.ReplaceAll(l.phrase, ",", ""))) {
			return l.id
		}
	}
	return ""
}

// noticesOf is one document with the licences of all parts; the same texts are not repeated.
func noticesOf(parts []shipped) []byte {
	var b bytes.Buffer
	b.WriteString("Burstscope is licensed under the Apache License 2.0 (file LICENSE). Its programs and its page " +
		"contain the following parts.\n")
	said := map[string]string{}
	for _, m := range parts {
		fmt.Fprintf(&b, "\n%s\n%s %s\n", strings.Repeat("=", 80), m.Path, m.Version)
		for _, l := range m.texts {
			text := strings.TrimSpace(strings.ReplaceAll(string(l.data), "\r\n", "\n"))
			if first, ok := said[text]; ok {
				fmt.Fprintf(&b, "\n%s: the text stands above, at %s\n", l.name, first)
				continue
			}
			said[text] = m.Path
			fmt.Fprintf(&b, "\n%s:\n\n%s\n", l.name, text)
		}
	}
	return b.Bytes()
}

// goModule stands for Go's runtime and standard library, which are in every program, and for its glue of WebAssembly.
func goModule() (module, error) {
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	words := strings.Fields(string(out))
	if err != nil || len(words) != 2 {
		return module{}, fmt.Errorf("go env does not tell where Go lies: %w", err)
	}
	return module{Path: "std", Version: words[1], Dir: words[0]}, nil
}

// writeNotices collects the licences; they go along with every program and package.
func (m *maker) writeNotices() error {
	parts, err := shippedIn(m.root)
	if err != nil {
		return err
	}
	text := noticesOf(parts)
	licence, err := os.ReadFile(filepath.Join(m.root, "LICENSE"))
	if err != nil {
		return err
	}
	m.notices = []entry{{"LICENSE", plain, licence}, {"THIRD-PARTY-LICENCES.txt", plain, text}}
	return m.write(m.name("-licences.txt"), text)
}
