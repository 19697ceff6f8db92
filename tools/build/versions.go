package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kept is the folder in dist that a build does not touch: other tools write it.
const kept = "screenshots"

// number is the form of a version, and so of a folder below v.
var number = regexp.MustCompile(`^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$`)

// clean removes the older build from dist. It keeps the folders of other versions, so
// that links to them still work.
func clean(dist, version string) error {
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	for _, folder := range []string{dist, filepath.Join(dist, "v")} {
		entries, err := os.ReadDir(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, e := range entries {
			keep := e.Name() == kept || e.Name() == "v"
			if folder != dist {
				keep = e.Name() != version && isVersion(folder, e.Name())
			}
			if keep {
				continue
			}
			if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// isVersion reports whether a folder below v is a complete version.
func isVersion(v, name string) bool {
	_, err := os.Stat(filepath.Join(v, name, "build.json"))
	return err == nil && number.MatchString(name)
}

// carry copies the versions of an earlier dist that this one does not have.
func carry(from, dist string) error {
	if from == "" {
		return nil
	}
	v := filepath.Join(from, "v")
	entries, err := os.ReadDir(v)
	if err != nil {
		return fmt.Errorf("-carry must name the folder of an earlier build: %w", err)
	}
	for _, e := range entries {
		to := filepath.Join(dist, "v", e.Name())
		if _, err := os.Stat(to); err == nil || !isVersion(v, e.Name()) {
			continue
		}
		if err := os.CopyFS(to, os.DirFS(filepath.Join(v, e.Name()))); err != nil {
			return err
		}
	}
	return nil
}

// versionList is versions.json, where the page looks for the version of a link.
type versionList struct {
	Newest   string   `json:"newest"`
	Versions []string `json:"versions"` // newest first
}

func writeVersions(dist, version string) error {
	v := filepath.Join(dist, "v")
	entries, err := os.ReadDir(v)
	if err != nil {
		return err
	}
	list := versionList{Newest: version}
	for _, e := range entries {
		if isVersion(v, e.Name()) {
			list.Versions = append(list.Versions, e.Name())
		}
	}
	slices.SortFunc(list.Versions, func(a, b string) int { return compareVersions(b, a) })
	return writeJSON(filepath.Join(dist, "versions.json"), list)
}

func compareVersions(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		m, _ := strconv.Atoi(x[i]) // isVersion has seen digits only
		n, _ := strconv.Atoi(y[i])
		if c := cmp.Compare(m, n); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}
