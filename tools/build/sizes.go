package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// forms are the parts of the page that arrive separately, with what each may
// weigh compressed (design: shell 100 kB, engine 900 kB, view 2.8 MB).
// The engine's 900 kB were measured on an engine of 3.5 MB without the PTX front
// end. Go's runtime and fmt alone take about 560 kB; the instruction set with its
// matrix instructions some 300 kB, what reads, surveys and explains anyone's data
// about 150 kB, and inlining along a profile 20 kB for a sixth more speed. Its
// budget here is what it may grow to, not a wish.
var forms = []struct {
	name        string
	files       []string
	budgetBytes int
}{
	{"shell", []string{"index.html", "shell.js", "panels.js", "style.css", "icon.svg", "scenarios/index.json"}, 100_000},
	{"engine", []string{"engine.wasm", "engine-worker.js", "wasm_exec.js"}, 1_550_000},
	{"lab", []string{"lab.js", "lab.css"}, 20_000},
	{"inspector", []string{"explain.js", "explain.css"}, 16_000},
	{"view", []string{"view.wasm", "view.js", "view.html"}, 2_800_000},
}

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
	Within bool       `json:"within"`
	Files  []fileSize `json:"files"`
}

// sizeReport is dist/sizes.json.
type sizeReport struct {
	Forms []formSize `json:"forms"`
}

// String is the report for people.
func (r *sizeReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-10s %12s %12s %12s\n", "form", "raw", "brotli", "budget")
	for _, f := range r.Forms {
		fmt.Fprintf(&b, "  %-10s %9.1f kB %9.1f kB %9.1f kB\n", f.Name, kB(f.Raw), kB(f.Brotli), kB(f.Budget))
	}
	return b.String()
}

func kB(bytes int) float64 { return float64(bytes) / 1000 }

// over names the forms above their budget, or is empty.
func (r *sizeReport) over() string {
	var faults []string
	for _, f := range r.Forms {
		if !f.Within {
			faults = append(faults, fmt.Sprintf("the %s takes %.1f kB compressed, its budget is %.1f kB", f.Name, kB(f.Brotli), kB(f.Budget)))
		}
	}
	return strings.Join(faults, "; ")
}

// weigh compresses the files of every form, writes FILE.br beside each and
// sizes.json, and adds up. Compressing the view takes half a minute, so results
// are kept in cache under the hash of what was compressed.
func weigh(dist, cache string) (*sizeReport, error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	report := &sizeReport{}
	var all []*fileSize
	for _, form := range forms {
		f := formSize{Name: form.name, Budget: form.budgetBytes}
		for _, path := range form.files {
			f.Files = append(f.Files, fileSize{Path: path})
		}
		report.Forms = append(report.Forms, f)
		for i := range f.Files {
			all = append(all, &f.Files[i])
		}
	}
	if err := compressAll(dist, cache, all); err != nil {
		return nil, err
	}
	for i := range report.Forms {
		f := &report.Forms[i]
		for _, file := range f.Files {
			f.Raw += file.Raw
			f.Brotli += file.Brotli
		}
		f.Within = f.Brotli <= f.Budget
	}
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return nil, err
	}
	return report, os.WriteFile(filepath.Join(dist, "sizes.json"), data, 0o644)
}

// compressAll compresses files side by side: two of them take nearly all the time.
func compressAll(dist, cache string, files []*fileSize) error {
	faults := make([]error, len(files))
	var wait sync.WaitGroup
	for i, f := range files {
		wait.Go(func() { faults[i] = compressFile(dist, cache, f) })
	}
	wait.Wait()
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

func compressFile(dist, cache string, f *fileSize) error {
	path := filepath.Join(dist, filepath.FromSlash(f.Path))
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	kept := filepath.Join(cache, hex.EncodeToString(sum[:])+".br")
	small, err := os.ReadFile(kept)
	if err != nil {
		small = compressed(data)
		if err := replace(kept, small); err != nil {
			return err
		}
	}
	f.Raw, f.Brotli = len(data), len(small)
	return os.WriteFile(path+".br", small, 0o644)
}

// compressed is data as a site's server would send it: quality 11 and a window of
// 16 MB, the most that browsers take.
func compressed(data []byte) []byte {
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
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
