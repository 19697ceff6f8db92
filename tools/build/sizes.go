package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// fileSize is one row of the report.
type fileSize struct {
	Path   string `json:"path"`
	Raw    int    `json:"rawBytes"`
	Brotli int    `json:"brotliBytes"`
}

// formSize is a form with its files.
type formSize struct {
	Name   string     `json:"name"`
	Raw    int        `json:"rawBytes"`
	Brotli int        `json:"brotliBytes"`
	Budget int        `json:"budgetBytes"`
	Design int        `json:"designBytes,omitempty"`
	Within bool       `json:"within"`
	Files  []fileSize `json:"files"`
}

// sizeReport is dist/sizes.json.
type sizeReport struct {
	Go      string `json:"go"`      // the version that compiled the programs
	Patched bool   `json:"patched"` // all of them (patch.go)
	// Enforced: the budgets of programs hold, since they are patched and the Go that go.mod pins has compiled them.
	Enforced bool       `json:"enforced"`
	Forms    []formSize `json:"forms"`
}

// String is the report for people.
func (r *sizeReport) String() string {
	var b strings.Builder
	enforced := ""
	switch {
	case !r.Patched:
		enforced = ", programs not patched: their budgets are not enforced"
	case !r.Enforced:
		enforced = ", which go.mod does not pin: budgets of programs are not enforced"
	}
	fmt.Fprintf(&b, "  sizes with %s%s\n", r.Go, enforced)
	fmt.Fprintf(&b, "  %-12s %12s %12s %12s %12s\n", "form", "raw", "brotli", "budget", "design")
	for _, f := range r.Forms {
		design := ""
		if f.Design > 0 {
			design = fmt.Sprintf("%9.1f kB", kB(f.Design))
		}
		fmt.Fprintf(&b, "  %-12s %9.1f kB %9.1f kB %9.1f kB %12s\n", f.Name, kB(f.Raw), kB(f.Brotli), kB(f.Budget), design)
	}
	return b.String()
}

// pinnedGo is the Go that go.mod pins, such as go1.26.8.
func pinnedGo(root string) (string, error) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	line := regexp.MustCompile(`(?m)^toolchain (go\S+)$`).FindSubmatch(data)
	if line == nil {
		return "", errors.New("go.mod pins no Go: write a line such as toolchain go1.26.8")
	}
	return string(line[1]), nil
}

func kB(bytes int) float64 { return float64(bytes) / 1000 }

// holdsProgram reports whether the Go that compiles it, and the patch, decide the size of a form.
func (f *formSize) holdsProgram() bool {
	return slices.ContainsFunc(f.Files, func(file fileSize) bool {
		return path.Ext(file.Path) == ".wasm" || path.Base(file.Path) == singleFile
	})
}

// over names the forms above their budget, or is empty. Budgets of programs hold for enforced ones.
func (r *sizeReport) over() string {
	var faults []string
	for _, f := range r.Forms {
		if !f.Within && (r.Enforced || !f.holdsProgram()) {
			faults = append(faults, fmt.Sprintf("the %s takes %.1f kB compressed, its budget is %.1f kB", f.Name, kB(f.Brotli), kB(f.Budget)))
		}
	}
	return strings.Join(faults, "; ")
}

// weigh writes FILE.br and FILE.gz beside every file of the build that a server may send
// compressed, writes sizes.json, and adds up the sizes of the forms. Compression of the
// view takes half a minute, so results are cached under the hash of the input. Quick
// compression is for files with room in their budgets: a form within its budget is within it
// at full compression too.
func (r *sizeReport) weigh(dist, cache string, made *site, quick bool) error {
	r.Forms = nil
	sizes := map[string]*fileSize{}
	var all []*fileSize
	for _, path := range made.paths() {
		if compressible[filepath.Ext(path)] && !strings.HasSuffix(path, singleFile) {
			sizes[path] = &fileSize{Path: path}
			all = append(all, sizes[path])
		}
	}
	var fast []string
	if quick {
		for _, name := range roomy {
			fast = append(fast, made.pathOf(name))
		}
	}
	if err := compressAll(dist, cache, all, fast); err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Join(dist, singleFile)); err == nil {
		sizes[singleFile] = &fileSize{Path: singleFile, Raw: int(info.Size()), Brotli: int(info.Size())}
	}
	for _, form := range forms {
		f := formSize{Name: form.name, Budget: form.budgetBytes, Design: designed[form.name]}
		for _, name := range form.files {
			size, ok := sizes[made.pathOf(name)]
			if !ok {
				return fmt.Errorf("the form %q lists the file %s in forms.go, but the build does not make this file", form.name, name)
			}
			f.Files = append(f.Files, *size)
			f.Raw += size.Raw
			f.Brotli += size.Brotli
		}
		f.Within = f.Brotli <= f.Budget
		r.Forms = append(r.Forms, f)
	}
	return writeJSON(filepath.Join(dist, "sizes.json"), r)
}

// compressible are the endings of files that compression makes smaller. Pictures and the
// one-file form are compressed already.
var compressible = map[string]bool{
	".css": true, ".html": true, ".js": true, ".json": true, ".msgpack": true, ".svg": true, ".wasm": true, ".webmanifest": true,
}

// paths are those of all files of the build, below dist: the assets, and what keeps
// its name, in the root and in the folder of the version.
func (s *site) paths() []string {
	var paths []string
	for _, path := range s.Files {
		paths = append(paths, path)
	}
	for _, name := range append(slices.Clone(s.Pages), s.Public...) {
		paths = append(paths, name, "v/"+s.Version+"/"+name)
	}
	slices.Sort(paths)
	return paths
}

// pathOf is the published path of a file, "" if it is not published.
func (s *site) pathOf(name string) string {
	if path, ok := s.Files[name]; ok {
		return path
	}
	if slices.Contains(s.Pages, name) || slices.Contains(s.Public, name) {
		return name
	}
	return ""
}

// compressAll compresses files side by side: two of them take nearly all the time. It spends
// little time on the files whose paths are in fast.
func compressAll(dist, cache string, files []*fileSize, fast []string) error {
	faults := make([]error, len(files))
	var wait sync.WaitGroup
	for i, f := range files {
		wait.Go(func() { faults[i] = compressFile(dist, cache, f, slices.Contains(fast, f.Path)) })
	}
	wait.Wait()
	return errors.Join(faults...)
}

func compressFile(dist, cache string, f *fileSize, fast bool) error {
	file := filepath.Join(dist, filepath.FromSlash(f.Path))
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var small []byte
	if fast {
		small = brotliedFast(data)
	} else {
		small, err = cached(cache, "br", data, brotlied)
	}
	if err != nil {
		return err
	}
	zipped, err := cached(cache, "gz", data, gzipped)
	if err != nil {
		return err
	}
	f.Raw, f.Brotli = len(data), len(small)
	return errors.Join(os.WriteFile(file+".br", small, 0o644), os.WriteFile(file+".gz", zipped, 0o644))
}

// cached is make's output for data, from cache/KIND if possible.
func cached(cache, kind string, data []byte, make func([]byte) []byte) ([]byte, error) {
	folder := filepath.Join(cache, kind)
	file := filepath.Join(folder, hashOf(data)+"."+kind)
	if made, err := os.ReadFile(file); err == nil {
		return made, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	made := make(data)
	return made, replace(file, made)
}

// compressEarly puts the engine into the cache while other files are made: its compression
// takes longer than all else and one core. weigh reports a fault of it.
func compressEarly(stage, cache string) {
	if data, err := os.ReadFile(filepath.Join(stage, "engine.wasm")); err == nil {
		_, _ = cached(cache, "br", data, brotlied)
	}
}

// gzipped is data for servers and files that have nothing newer.
func gzipped(data []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level exists
	_, _ = w.Write(data)                                    // a bytes.Buffer does not fail
	_ = w.Close()
	return out.Bytes()
}

// brotlied is data as a site's server would send it: quality 11 and a window that holds
// all of it, up to 8 MB. With 16 MB, the most that browsers take, engine and view are
// 0.9 kB larger each. A window costs time by its size, whatever is in it.
func brotlied(data []byte) []byte { return brotliedAt(data, brotli.BestCompression) }

// brotliedFast takes a fiftieth of the time, and the view becomes a fifth larger.
func brotliedFast(data []byte) []byte { return brotliedAt(data, 5) }

func brotliedAt(data []byte, quality int) []byte {
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: quality, LGWin: min(23, max(16, bits.Len(uint(len(data)))))})
	_, _ = w.Write(data) // a bytes.Buffer does not fail
	_ = w.Close()
	return out.Bytes()
}

// replace writes a file in one step, so that an interrupted build leaves no half
// of one in the cache.
func replace(path string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "part-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
