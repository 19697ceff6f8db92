package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// site is what a build published: build.json, in the root and in v/VERSION. Paths
// are relative to the folder that build.json lies in.
type site struct {
	Version string            `json:"version"`
	Build   string            `json:"build"`  // hash over the names and contents of all files
	Files   map[string]string `json:"files"`  // name in the tree -> path of the file with a hash in its name
	Pages   []string          `json:"pages"`  // HTML files, which keep their names
	Public  []string          `json:"public"` // other files that keep their names
}

// assetList is the list of a build's files in a document; site/src/lib/assets.ts reads
// it.
type assetList struct {
	Version string            `json:"version"`
	Build   string            `json:"build"`
	Home    string            `json:"home"`
	Files   map[string]string `json:"files"`
}

// publish lays the files of stage out below dist:
//
//	v/VERSION/assets/NAME-HASH.EXT   every file, under a name that says what it holds
//	v/VERSION/                       the documents and public files of this version
//	./                               the same of the newest version; its assets are those of v/VERSION
//
// tools/build/README.md says why.
func publish(stage, dist, version string) (*site, error) {
	files, err := readStage(stage)
	if err != nil {
		return nil, err
	}
	p := &publisher{dist: dist, folder: path.Join("v", version), files: files, published: map[string][]byte{}}
	p.Version, p.Build, p.Files = version, buildOf(files), map[string]string{}
	if err := p.assets(); err != nil {
		return nil, err
	}
	for _, name := range sorted(files) {
		if !keepsName(name) {
			continue
		}
		if isDocument(name) {
			p.Pages = append(p.Pages, name)
		} else {
			p.Public = append(p.Public, name)
		}
		if err := p.both(name); err != nil {
			return nil, err
		}
	}
	root := p.site
	root.Files = map[string]string{}
	for name, at := range p.Files {
		root.Files[name] = path.Join(p.folder, at)
	}
	return &root, errors.Join(writeBuilds(dist, p.folder, &root, &p.site), writeHeaders(dist, &root), writeNoJekyll(dist))
}

func writeBuilds(dist, folder string, root, own *site) error {
	if err := writeJSON(filepath.Join(dist, "build.json"), root); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dist, filepath.FromSlash(folder), "build.json"), own)
}

type publisher struct {
	site
	dist, folder string
	files        map[string][]byte
	published    map[string][]byte // assets as they are written
}

// assets writes the files with a hash in their names. Inner documents come last, because
// they name the others.
func (p *publisher) assets() error {
	for _, name := range sorted(p.files) {
		if !slices.Contains(inner, name) && (!keepsName(name) || slices.Contains(asWell, name)) {
			if err := p.asset(name, p.files[name]); err != nil {
				return err
			}
		}
	}
	list := p.list("assets", "../../../")
	for _, name := range inner {
		text, err := pageWith(string(p.files[name]), list)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := p.asset(name, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

func (p *publisher) asset(name string, data []byte) error {
	ext := path.Ext(name)
	at := path.Join("assets", strings.TrimSuffix(name, ext)+"-"+hashOf(data)[:hashDigits]+ext)
	p.Files[name], p.published[name] = at, data
	return writeFile(filepath.Join(p.dist, filepath.FromSlash(p.folder), filepath.FromSlash(at)), data)
}

// both writes a file that keeps its name into the root and into the folder of its
// version. Each copy of a document names the assets relative to its own folder.
func (p *publisher) both(name string) error {
	if path.Dir(name) != "." && isDocument(name) {
		return fmt.Errorf("%s: documents lie in site/ itself, so that relative links work in the root and in v/VERSION", name)
	}
	for _, at := range []struct{ folder, from, home string }{{".", "", "./"}, {p.folder, p.folder, "../../"}} {
		data := p.files[name]
		if isDocument(name) {
			text, err := pageWith(string(data), p.list(at.from, at.home))
			if err == nil {
				text, err = started(text)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			data = []byte(text)
		} else if name == serviceWorker {
			var err error
			if data, err = p.withList(data, at.from); err != nil {
				return err
			}
		}
		if err := writeFile(filepath.Join(p.dist, filepath.FromSlash(at.folder), filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	return nil
}

// list is the list of assets for a document: "" for one in the root, the folder of
// the version for one there, "assets" for one among the assets.
func (p *publisher) list(from, home string) *assetList {
	list := &assetList{p.Version, p.Build, home, map[string]string{}}
	for name, at := range p.Files {
		switch from {
		case "":
			list.Files[name] = path.Join(p.folder, at)
		case "assets":
			list.Files[name] = strings.TrimPrefix(at, "assets/")
		default:
			list.Files[name] = at
		}
	}
	return list
}

// reference is a file that a document names.
var reference = regexp.MustCompile(`\b(href|src)="([^"#?:]+)"`)

// pageWith makes a document name the files of its build: in its own references, and in a
// list for its scripts.
func pageWith(page string, list *assetList) (string, error) {
	page = reference.ReplaceAllStringFunc(page, func(found string) string {
		part := reference.FindStringSubmatch(found)
		if at, ok := list.Files[part[2]]; ok {
			return part[1] + `="` + at + `"`
		}
		return found
	})
	data, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	const end = "</head>"
	if strings.Count(page, end) != 1 {
		return "", fmt.Errorf("the document must have exactly one %s", end)
	}
	return strings.Replace(page, end, assetsElement(data)+end, 1), nil
}

// assetsElement holds the list in a document. The JSON package escapes <, so the
// data cannot end the element.
func assetsElement(data []byte) string {
	return `<script type="application/json" id="assets">` + string(data) + "</script>\n"
}

// keepsName reports whether a file is published under its own name.
func keepsName(name string) bool {
	if path.Ext(name) == ".html" {
		return !slices.Contains(inner, name)
	}
	return slices.ContainsFunc(public, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
}

// isDocument reports whether a file is HTML that names others.
func isDocument(name string) bool {
	return path.Ext(name) == ".html" && name != singleFile
}

// hashDigits of SHA-256 in a file's name: 40 bits tell the few versions of one file
// apart; the service worker checks the whole hash.
const hashDigits = 10

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// integrityOf is the same hash as browsers check it.
func integrityOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// buildOf returns the hash of all files of a build.
func buildOf(files map[string][]byte) string {
	all := sha256.New()
	for _, name := range sorted(files) {
		fmt.Fprintf(all, "%s %s\n", hashOf(files[name]), name)
	}
	return hex.EncodeToString(all.Sum(nil))[:12]
}

func readStage(stage string) (map[string][]byte, error) {
	files := map[string][]byte{}
	root := os.DirFS(stage)
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(root, name)
		return err
	})
	return files, err
}

func sorted[V any](files map[string]V) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func writeJSON(file string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return writeFile(file, append(data, '\n'))
}

func writeFile(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
