package experiment

import (
	"cmp"
	"path"
	"slices"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// SourceFile is a text of the program with what its lines came to: the PTX, or a
// file that the PTX says it was made of (.loc).
type SourceFile struct {
	Name  string       `json:"name"`
	Text  []byte       `json:"-"` // nil if it is not at hand
	Lines []SourceLine `json:"lines"`
}

// SourceLine is a line that instructions stem from. Lines without any are left
// out; a line whose instructions were never run is there, with zeros.
type SourceLine struct {
	Line int `json:"line"` // from 1
	sm.Count
}

// source returns what the lines of the program came to up to now.
func (r *Run) source() []SourceFile {
	p := r.plan.Program
	files := []SourceFile{{Name: p.File, Text: p.PTX}}
	kernels := r.machine.Counts()
	files[0].Lines = linesOf(kernels, func(s *ptx.SourcePos) int { return int(s.Line) })
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

// cudaName is what the source of a shipped program is called.
func cudaName(file string) string { return file[:len(file)-len(path.Ext(file))] + ".cu" }

// linesOf adds up the instructions of each line, in the order of the lines; line
// answers 0 for an instruction that stems from none.
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
