package claim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Program says how a program runs for a paper, where that is not the reading's.
type Program struct {
	ID       string `key:"*"`
	Workload string `key:"workload"` // "": the ID
	Size     int    `key:"size"`     // 0: the reading's
	Data     string `key:"data"`     // "": the reading's
	// Study and Claim are sizes in readings with study and with smaller sizes; 0: the program's.
	Study int `key:"study"`
	Claim int `key:"claim"`
	// Paper is the size that the paper states, where that is another one; 0: it is not.
	Paper int `key:"paper"`
	// Natural and Calibrated are the inputs of these readings; "": the inputs with these names.
	Natural    string `key:"natural"`
	Calibrated string `key:"calibrated"`
}

func (p *Program) check(r *reader, v *scenario.Value) {
	id := either(p.Workload, p.ID)
	info, err := programs.Describe(id)
	if err != nil {
		r.fault(v, (*Paper)(nil).noProgram(id))
		return
	}
	if size := under(v, "size"); size != v && !slices.Contains(info.Sizes, p.Size) {
		sizes := strings.Trim(fmt.Sprint(info.Sizes), "[]")
		r.fault(size, fmt.Sprintf("%s has no size of %s: use one of %s", id, size.Describe(), sizes))
	}
	for i, key := range []string{"study", "claim", "paper"} { // sizes that need not be offered to a user
		n := []int{p.Study, p.Claim, p.Paper}[i]
		if size := under(v, key); size != v {
			if err := programs.Check(id, programs.Params{Size: n, Data: info.DataModes[0]}); err != nil {
				r.fault(size, err.Error())
			}
		}
	}
	for _, key := range []string{"data", "natural", "calibrated"} {
		if data := under(v, key); data != v && !slices.Contains(info.DataModes, data.Text) {
			modes := strings.Join(info.DataModes, ", ")
			r.fault(data, fmt.Sprintf("%s has no input %s: use one of %s", id, fault.Quote(data.Text), modes))
		}
	}
}

func programsOf(p *Paper) []Program { return p.Programs }

// program returns what a folder says of a program. The Paper may be nil.
func (p *Paper) program(id string) Program {
	if p != nil {
		if one := found([]*Paper{p}, programsOf, func(one *Program) bool { return one.ID == id }); one != nil {
			return *one
		}
	}
	return Program{ID: id}
}

// programOf returns what a paper says of a program, and where it says nothing of a study what the papers without a
// machine of their own say, which share the reading's.
func programOf(paper, id string) Program {
	one := shipped(paper).program(id)
	if shipped(paper) != nil && shipped(paper).suite {
		return one
	}
	for _, p := range heads() {
		if p.Machine == "" {
			other := p.program(id)
			one.Study = either(one.Study, other.Study)
			one.Natural, one.Calibrated = either(one.Natural, other.Natural), either(one.Calibrated, other.Calibrated)
		}
	}
	return one
}

func either[T comparable](a, b T) T {
	var none T
	if a == none {
		return b
	}
	return a
}

// Workload returns the workload of a program of a paper.
func (r Reading) Workload(paper, id string) (scenario.Workload, error) {
	one := programOf(paper, id)
	if one.Workload != "" {
		return scenario.Workload{Name: one.Workload, Size: one.Size, Data: one.Data}, nil
	}
	info, err := programs.Describe(id)
	if err != nil {
		return scenario.Workload{}, unknown{"program " + id + " does not exist here", "burstscope workloads lists them"}
	}
	w := scenario.Workload{Name: info.Name, Size: info.StudySize, Data: info.DataModes[0]}
	study, known := programs.StudyOf(info.Name, paper)
	data := Data(r.Word("data"))
	if p := shipped(paper); p != nil && p.suite {
		known = false
		if data != Natural {
			data = Suite
		}
	}
	switch {
	case data != Natural && known:
		w.Data = study.Data
	case slices.Contains(info.DataModes, string(data)):
		w.Data = string(data)
	}
	switch {
	case data == Calibrated && one.Calibrated != "":
		w.Data = one.Calibrated
	case data == Natural && one.Natural != "":
		w.Data = one.Natural
	}
	w.Data = either(one.Data, w.Data)
	if r.Word("sizes") == string(StudySizes) {
		if known {
			w.Size = study.Size
		}
		if known || shipped(paper) != nil && shipped(paper).suite {
			w.Size = either(one.Study, w.Size)
		}
	}
	return w, nil
}

// usualSizes are the sizes of a paper's own rows. The Paper may be nil.
func (p *Paper) usualSizes() Sizes {
	if p == nil {
		return ""
	}
	return p.reading.Sizes
}

// atPaperSize returns a workload of the paper at the size that the paper states.
func (p *Paper) atPaperSize(w scenario.Workload) scenario.Workload {
	for _, one := range p.Programs {
		info, err := programs.Describe(either(one.Workload, one.ID))
		if err == nil && info.Name == w.Name && (one.Data == "" || one.Data == w.Data) {
			w.Size = either(one.Paper, w.Size)
		}
	}
	return w
}

// workloadOf returns the workload of a paper's program in this ledger.
func (l *Ledger) workloadOf(paper, id string) (scenario.Workload, error) {
	r, folder := l.reading, l.folderOf(paper)
	if r.Sizes == PaperSizes {
		r.Sizes = folder.usualSizes()
	}
	one := folder.program(id)
	named := id
	if shipped(paper) == nil { // its programs may have other names
		named = either(one.Workload, id)
	}
	w, err := r.Workload(paper, named)
	if err != nil {
		return w, err
	}
	w.Size, w.Data = either(one.Size, w.Size), either(one.Data, w.Data)
	if r.Sizes != StudySizes {
		w.Size = either(one.Claim, w.Size)
	}
	if l.reading.Sizes == PaperSizes {
		w.Size = either(one.Paper, w.Size)
	}
	if l.sizes != nil {
		if w.Size = l.sizes[id]; w.Size == 0 {
			return w, missing{fmt.Sprintf("program %s is left out here", id)}
		}
	}
	return w, nil
}
