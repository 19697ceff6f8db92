package approximate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// Words that select loads without naming them.
const (
	Marked = "marked" // those that stand after .pragma "approximate"
	Safe   = "safe"   // those that read buffers which may be approximated
	All    = "all"    // every load that a row of the predictor can hold
)

// Selection says which loads are approximate.
type Selection struct{ items []item }

// item selects loads of a kernel, or of all kernels (*).
type item struct {
	kernel string
	what   []string // lines of the PTX, or names of buffers
	word   string   // Marked, Safe or All, in place of what
}

// Mend says how to write a selection.
const Mend = `write marked, safe, all, or KERNEL:LINE,LINE;KERNEL:BUFFER;KERNEL:marked with lines of the PTX; * is every kernel`

// Parse reads a selection. An empty text is the marked loads of a program that marks any,
// otherwise the loads of its safe buffers.
func Parse(text string) (s Selection, err error) {
	if text == "" {
		return s, nil
	}
	for _, part := range strings.Split(text, ";") {
		part = strings.TrimSpace(part)
		if part == Marked || part == Safe || part == All {
			s.items = append(s.items, item{kernel: "*", word: part})
			continue
		}
		kernel, list, ok := strings.Cut(part, ":")
		if !ok || kernel == "" || list == "" {
			return s, fmt.Errorf("%s selects no loads", fault.Quote(part))
		}
		if list == Marked {
			s.items = append(s.items, item{kernel: kernel, word: Marked})
			continue
		}
		s.items = append(s.items, item{kernel: kernel, what: strings.Split(list, ",")})
	}
	return s, nil
}

// Program is what a selection looks at.
type Program struct {
	Launches []*ptx.Launch
	Buffers  []mem.Allocation
}

// Loads returns the approximate loads of each launch, in the order of the text.
func (s Selection) Loads(p *Program) ([][]int32, error) {
	if len(s.items) == 0 {
		s.items = []item{{kernel: "*", word: Safe}}
		for _, l := range p.Launches {
			if len(l.Kernel.Marked) > 0 {
				s.items = []item{{kernel: "*", word: Marked}}
			}
		}
	}
	list := make([][]int32, len(p.Launches))
	for i := range s.items {
		if err := s.items[i].add(p, list); err != nil {
			return nil, err
		}
	}
	for i := range list {
		slices.Sort(list[i])
		list[i] = slices.Compact(list[i])
	}
	return list, nil
}

// add adds the loads of an item to the lists of the launches.
func (t *item) add(p *Program, list [][]int32) error {
	if t.word == Safe {
		var names []string
		for i := range p.Buffers {
			if p.Buffers[i].Safe {
				names = append(names, p.Buffers[i].Name)
			}
		}
		if len(names) == 0 {
			return fmt.Errorf("the program has no buffer that may be approximated, and marks no load")
		}
		return t.addBuffers(p, list, names)
	}
	if t.kernel != "*" {
		var kernels []string
		for _, l := range p.Launches {
			if !slices.Contains(kernels, l.Kernel.Name) {
				kernels = append(kernels, l.Kernel.Name)
			}
		}
		if !slices.Contains(kernels, t.kernel) {
			return fmt.Errorf("no launch runs a kernel %s: the program runs %s", fault.Quote(t.kernel), strings.Join(kernels, ", "))
		}
	}
	switch t.word {
	case Marked:
		return t.addMarked(p, list)
	case All:
		for i, l := range p.Launches {
			for pc := range l.Kernel.Code {
				if legal(l.Kernel, int32(pc)) == nil {
					list[i] = append(list[i], int32(pc))
				}
			}
		}
		return nil
	}
	var buffers []string
	for _, what := range t.what {
		line, err := strconv.Atoi(what)
		if err != nil {
			buffers = append(buffers, what)
			continue
		}
		if err := t.addLine(p, list, int32(line)); err != nil {
			return err
		}
	}
	if len(buffers) > 0 {
		return t.addBuffers(p, list, buffers)
	}
	return nil
}

func (t *item) has(l *ptx.Launch) bool { return t.kernel == "*" || t.kernel == l.Kernel.Name }

// addLine adds the load at a line of the PTX.
func (t *item) addLine(p *Program, list [][]int32, line int32) error {
	found := false
	var lines []int
	for i, l := range p.Launches {
		if !t.has(l) {
			continue
		}
		for pc := range l.Kernel.Code {
			in := &l.Kernel.Code[pc]
			if in.Line == line {
				if err := legal(l.Kernel, int32(pc)); err != nil {
					return err
				}
				list[i] = append(list[i], int32(pc))
				found = true
			}
			if isLoad(in) && !slices.Contains(lines, int(in.Line)) {
				lines = append(lines, int(in.Line))
			}
		}
	}
	if !found {
		return fmt.Errorf("line %d of the PTX has no instruction of kernel %s: its loads are at lines %s", line, t.kernel, fault.Join(lines))
	}
	return nil
}

// addMarked adds the loads after a pragma.
func (t *item) addMarked(p *Program, list [][]int32) error {
	n := 0
	for i, l := range p.Launches {
		if !t.has(l) {
			continue
		}
		for pc := range l.Kernel.Code {
			if slices.Contains(l.Kernel.Marked, l.Kernel.Code[pc].Line) && isLoad(&l.Kernel.Code[pc]) {
				if err := legal(l.Kernel, int32(pc)); err != nil {
					return err
				}
				list[i] = append(list[i], int32(pc))
				n++
			}
		}
		for _, line := range l.Kernel.Marked {
			if !slices.ContainsFunc(l.Kernel.Code, func(in ptx.Instr) bool { return in.Line == line && isLoad(&in) }) {
				return fmt.Errorf("kernel %s: .pragma \"approximate\" stands in front of line %d, which loads nothing from global memory", l.Kernel.Name, line)
			}
		}
	}
	if n == 0 {
		if t.kernel != "*" {
			return fmt.Errorf("kernel %s marks no load with .pragma \"approximate\"", t.kernel)
		}
		return fmt.Errorf("no kernel of the program marks a load with .pragma \"approximate\"")
	}
	return nil
}

// addBuffers adds the loads whose address comes from a parameter with a buffer's address.
func (t *item) addBuffers(p *Program, list [][]int32, buffers []string) error {
	var chosen []mem.Allocation
	for _, name := range buffers {
		i := slices.IndexFunc(p.Buffers, func(a mem.Allocation) bool { return a.Name == name })
		if i < 0 {
			var names []string
			for k := range p.Buffers {
				names = append(names, p.Buffers[k].Name)
			}
			return fmt.Errorf("the program has no buffer %s: it has %s", fault.Quote(name), strings.Join(names, ", "))
		}
		chosen = append(chosen, p.Buffers[i])
	}
	n := 0
	var origins []origin // of each kernel, which has many launches
	for i, l := range p.Launches {
		if !t.has(l) {
			continue
		}
		k := slices.IndexFunc(origins, func(o origin) bool { return o.kernel == l.Kernel })
		if k < 0 {
			k = len(origins)
			origins = append(origins, originsOf(l.Kernel))
		}
		for pc := range l.Kernel.Code {
			if isLoad(&l.Kernel.Code[pc]) && legal(l.Kernel, int32(pc)) == nil && origins[k].reads(int32(pc), l, chosen) {
				list[i] = append(list[i], int32(pc))
				n++
			}
		}
	}
	if n == 0 {
		return fmt.Errorf("kernel %s loads nothing from %s", t.kernel, strings.Join(buffers, ", "))
	}
	return nil
}

// isLoad reports whether an instruction loads from global memory.
func isLoad(in *ptx.Instr) bool {
	return in.Mem != nil && in.IsLoad && in.Mem.Kind == ptx.AccessLoad && (in.Mem.Space == ptx.SpaceGlobal || in.Mem.Space == ptx.SpaceGeneric)
}

// legal says why a load cannot be approximate.
func legal(k *ptx.Kernel, pc int32) error {
	in := &k.Code[pc]
	switch {
	case !isLoad(in):
		return fmt.Errorf("kernel %s: %s does not load from global memory", k.Name, place(k, pc))
	case in.Mem.Operator != ptx.CacheAll && in.Mem.Operator != ptx.CacheReadOnly:
		return fmt.Errorf("kernel %s: the load at %s does not use L1, so nothing predicts it", k.Name, place(k, pc))
	case in.Mem.Bytes > 8:
		return fmt.Errorf("kernel %s: the load at %s has an element of %d bytes; a row of the predictor holds 8", k.Name, place(k, pc), in.Mem.Bytes)
	}
	return nil
}

// Candidates returns the loads from global memory of a kernel, legal or not.
func Candidates(k *ptx.Kernel) (list []int32) {
	for pc := range k.Code {
		if isLoad(&k.Code[pc]) {
			list = append(list, int32(pc))
		}
	}
	return list
}

// Refused says why a load may not get predicted values; empty if it may.
func Refused(k *ptx.Kernel, pc int32) string {
	if err := legal(k, pc); err != nil {
		return strings.TrimPrefix(err.Error(), "kernel "+k.Name+": ")
	}
	if u := Check(k, []int32{pc}); len(u) > 0 {
		return u[0].Describe(k)
	}
	return ""
}

// Text returns the text of a load, without what else its line has.
func Text(k *ptx.Kernel, pc int32) string { return textOf(k, int(pc)) }
