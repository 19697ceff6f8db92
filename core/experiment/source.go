package experiment

import (
	"cmp"
	"path"
	"slices"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// SourceFile is a source text of the program with the figures of its lines: the PTX, or
// a file that the PTX names as its source (.loc).
type SourceFile struct {
	Name  string       `json:"name"`
	Text  []byte       `json:"-"` // nil if it is missing
	Lines []SourceLine `json:"lines"`
}

// SourceLine is a line with instructions. Lines without instructions are left out; a line
// whose instructions never ran is present with zeros.
type SourceLine struct {
	Line int `json:"line"` // from 1
	sm.Count
}

// source returns the figures of the program's lines up to now.
func (r *Run) source() []SourceFile {
	p := r.plan.Program
	kernels := r.machine.Counts()
	var files []SourceFile
	for i := range len(p.Modules) + 1 {
		m := p.ModuleOf(i)
		of := slices.DeleteFunc(slices.Clone(kernels),
			func(k machine.KernelCounts) bool { return k.Kernel.Module != i })
		files = append(files, SourceFile{Name: m.Title(), Text: m.PTX,
			Lines: linesOf(of, func(s *ptx.SourcePos) int { return int(s.Line) })})
	}
	var names []string
	for i := range kernels {
		for _, s := range kernels[i].Kernel.Source {
			if s.File != "" && s.FileLine > 0 && !slices.Contains(names, s.File) {
				names = append(names, s.File)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		f := SourceFile{Name: path.Base(name)}
		if f.Name == cudaName(p.File) {
			f.Text = p.CUDA
		}
		f.Lines = linesOf(kernels, func(s *ptx.SourcePos) int {
			if s.File != name {
				return 0
			}
			return int(s.FileLine)
		})
		files = append(files, f)
	}
	return files
}

// cudaName is the file name of a shipped program's source.
func cudaName(file string) string { return file[:len(file)-len(path.Ext(file))] + ".cu" }

// linesOf adds up the instructions of each line, in the order of the lines. line returns
// 0 for an instruction without a line.
func linesOf(kernels []machine.KernelCounts, line func(*ptx.SourcePos) int) []SourceLine {
	var list []SourceLine
	for i := range kernels {
		k := &kernels[i]
		for pc := range k.Counts {
			if n := line(&k.Kernel.Source[pc]); n > 0 {
				list = append(list, SourceLine{n, k.Counts[pc]})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b SourceLine) int { return cmp.Compare(a.Line, b.Line) })
	merged := list[:0]
	for _, l := range list {
		if n := len(merged); n > 0 && merged[n-1].Line == l.Line {
			merged[n-1].Add(&l.Count)
		} else {
			merged = append(merged, l)
		}
	}
	return merged
}
