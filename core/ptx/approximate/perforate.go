package approximate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
)

// Perforated is a program whose loops skip iterations (loop perforation: Sidiroglou-Douskos et al., FSE 2011; RFVP,
// section 6.1, compares itself with it).
type Perforated struct {
	Text  string
	Loops []PerforatedLoop
}

// PerforatedLoop is a loop around approximate loads.
type PerforatedLoop struct {
	Kernel string
	Line   int32 // of the PTX, of the first load
	// Refused says why the loop does not skip; empty if it does.
	Refused string
}

// skipUnit is what a loop's counter reaches before an iteration is skipped: shares are in thousandths.
const skipUnit = 1000

// edit is text that goes into a line of the PTX.
type edit struct {
	line, column int32 // from 1
	text         string
}

// Perforate makes the innermost loop around each of some loads skip a share of its iterations, in thousandths. A
// loop adds the share to a counter; at a thousand it takes the thousand off and skips the iteration. A share of 1/k therefore
// skips every k-th iteration. In a skipped iteration only those instructions run that move the loop on: its induction
// variables and the branches that end it. No line of the text moves.
//
// list has the loads of each launch.
func Perforate(text string, launches []*ptx.Launch, list [][]int32, share int) (*Perforated, error) {
	p := &Perforated{}
	var edits []edit
	var done []*ptx.Kernel
	for i, l := range launches {
		if slices.Contains(done, l.Kernel) {
			continue
		}
		done = append(done, l.Kernel)
		var loads []int32
		for k := i; k < len(launches); k++ {
			if launches[k].Kernel == l.Kernel {
				loads = append(loads, list[k]...)
			}
		}
		slices.Sort(loads)
		e, loops := perforate(text, l.Kernel, slices.Compact(loads), share)
		edits, p.Loops = append(edits, e...), append(p.Loops, loops...)
	}
	if len(edits) == 0 {
		reason := "none of them is in a loop"
		if len(p.Loops) > 0 {
			reason = fmt.Sprintf("kernel %s: the loop around line %d %s", p.Loops[0].Kernel, p.Loops[0].Line, p.Loops[0].Refused)
		}
		return nil, fmt.Errorf("no loop around an approximate load can skip iterations: %s", reason)
	}
	p.Text = edited(text, edits)
	return p, nil
}

// edited returns a text with edits; those of one place in their order.
func edited(text string, edits []edit) string {
	lines := strings.Split(text, "\n")
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.line != b.line {
			return int(b.line - a.line)
		}
		return int(b.column - a.column)
	})
	for i := 0; i < len(edits); {
		at, words := edits[i], ""
		for ; i < len(edits) && edits[i].line == at.line && edits[i].column == at.column; i++ {
			words += edits[i].text
		}
		line := lines[at.line-1]
		lines[at.line-1] = line[:at.column-1] + words + line[at.column-1:]
	}
	return strings.Join(lines, "\n")
}

// perforate returns the edits of a kernel.
func perforate(text string, k *ptx.Kernel, loads []int32, share int) (edits []edit, found []PerforatedLoop) {
	g := graphOf(k)
	loops := g.loops()
	lines := strings.Split(text, "\n")
	var done []*loop
	for _, pc := range loads {
		l := innermost(loops, pc)
		if l == nil || slices.Contains(done, l) {
			continue
		}
		done = append(done, l)
		e, err := g.perforate(lines, l, len(done), share)
		f := PerforatedLoop{Kernel: k.Name, Line: k.Code[pc].Line}
		if err != nil {
			f.Refused = err.Error()
		}
		edits, found = append(edits, e...), append(found, f)
	}
	if len(edits) > 0 {
		// A register is 0 until it is written here, but not everywhere.
		start := edit{k.Source[0].Line, k.Source[0].Column, ""}
		for i := range found {
			if found[i].Refused == "" {
				start.text += fmt.Sprintf(".reg .b32 %%skips_%d; .reg .pred %%stays_%d; mov.u32 %%skips_%d, 0; ", i+1, i+1, i+1)
			}
		}
		edits = append(edits, start)
	}
	return edits, found
}

// perforate returns the edits of one loop; number is its own in the kernel.
func (g *graph) perforate(lines []string, l *loop, number, share int) ([]edit, error) {
	k := g.flow.kernel
	for pc := range l.body {
		if !l.body[pc] {
			continue
		}
		if operation, _, _ := strings.Cut(g.flow.list[pc].opcode, "."); k.Code[pc].IsBarrier || operation == "call" {
			return nil, fmt.Errorf("has a %s at %s", operation, place(k, int32(pc)))
		}
	}
	label, at, ok := labelBefore(lines, k, l.head)
	if !ok || l.head == 0 {
		return nil, fmt.Errorf("has no label of its own")
	}
	steps, exits := g.stepsOf(l)
	if exits == 0 {
		return nil, fmt.Errorf("has no end that is computed without its loads in every iteration")
	}
	counter, stays, body := fmt.Sprintf("%%skips_%d", number), fmt.Sprintf("%%stays_%d", number), fmt.Sprintf("$iteration_%s_%d", k.Name, number)
	words := fmt.Sprintf(" add.u32 %s, %s, %d; setp.lt.u32 %s, %s, %d; @%s bra %s; sub.u32 %s, %s, %d;",
		counter, counter, share, stays, counter, skipUnit, stays, body, counter, counter, skipUnit)
	var edits []edit
	for _, pc := range steps {
		in, statement := &k.Code[pc], textOf(k, int(pc))
		if !in.IsBranch || !l.body[in.Targets[0]] {
			words += " " + statement + ";"
			continue
		}
		// The loop ends if the branch is not taken: the other way gets a name.
		out := fmt.Sprintf("$end_%s_%d_%d", k.Name, number, pc)
		guard, _, _ := strings.Cut(strings.TrimPrefix(statement, "@"), " ")
		if inverse, ok := strings.CutPrefix(guard, "!"); ok {
			guard = inverse
		} else {
			guard = "!" + guard
		}
		words += fmt.Sprintf(" @%s bra %s;", guard, out)
		line, column := k.Source[pc].Line, k.Source[pc].Column
		end := strings.IndexByte(lines[line-1][column-1:], ';')
		if end < 0 {
			return nil, fmt.Errorf("has a branch over several lines of the PTX at %s", place(k, pc))
		}
		edits = append(edits, edit{line, column + int32(end) + 1, " " + out + ":"})
	}
	at.text = words + fmt.Sprintf(" bra %s; %s:", label, body)
	return append(edits, at), nil
}

// labelBefore returns the last label in front of an instruction, and the place after it.
func labelBefore(lines []string, k *ptx.Kernel, pc int32) (name string, at edit, ok bool) {
	last := k.Source[pc]
	for n := last.Line; n > 0 && last.Line-n < 100; n-- {
		line := lines[n-1]
		if n == last.Line {
			line = line[:last.Column-1]
		}
		if comment := strings.Index(line, "//"); comment >= 0 {
			line = line[:comment]
		}
		colon := strings.LastIndexByte(line, ':')
		if colon >= 0 {
			name = strings.TrimLeft(line[:colon], " \t{};")
			if i := strings.LastIndexAny(name, " \t;{}"); i >= 0 {
				name = name[i+1:]
			}
			return name, edit{n, int32(colon) + 2, ""}, name != ""
		}
		if n < last.Line && strings.Contains(line, ";") && !strings.HasPrefix(strings.TrimSpace(line), ".") {
			break // another instruction
		}
	}
	return "", at, false
}

// stepsOf returns the instructions that move a loop on, in their order, and how many of them can end it. They are in
// every iteration, and nothing that they read comes from what the loop loads.
func (g *graph) stepsOf(l *loop) (steps []int32, exits int) {
	k, list := g.flow.kernel, g.flow.list
	always := func(pc int32) bool {
		return !slices.ContainsFunc(l.latches, func(latch int32) bool { return !g.dominates(pc, latch) })
	}
	loaded := map[string]bool{} // names with what was loaded, or what only some iterations write
	for changed := true; changed; {
		changed = false
		for pc := range list {
			s := &list[pc]
			if !l.body[pc] {
				continue
			}
			in := &k.Code[pc]
			taints := in.IsMemory && in.Mem != nil && in.Mem.Space != ptx.SpaceParam || !always(int32(pc)) ||
				slices.ContainsFunc(readsOf(s), func(n string) bool { return loaded[n] })
			for _, n := range s.writes {
				if taints && !loaded[n] {
					loaded[n], changed = true, true
				}
			}
		}
	}
	var chain []int32
	for pc := range list {
		s, in := &list[pc], &k.Code[pc]
		switch {
		case !l.body[pc] || !always(int32(pc)) || slices.ContainsFunc(readsOf(s), func(n string) bool { return loaded[n] }):
		case in.IsMemory && in.Mem != nil && in.Mem.Space != ptx.SpaceParam:
		case in.IsBranch && (s.guard == "" || len(in.Targets) != 1 || !g.leaves(l, int32(pc))):
		case pc > 0 && k.Source[pc] == k.Source[pc-1]: // a part of the statement in front
		default:
			chain = append(chain, int32(pc))
		}
	}
	slices.SortFunc(chain, func(a, b int32) int { return g.depth[a] - g.depth[b] })
	needed := g.liveAt(l)
	for _, pc := range slices.Backward(chain) {
		s := &list[pc]
		if k.Code[pc].IsBranch {
			exits++
		} else if !slices.ContainsFunc(s.writes, func(n string) bool { return needed[n] }) {
			continue
		}
		if s.guard == "" {
			for _, n := range s.writes {
				delete(needed, n)
			}
		}
		for _, n := range readsOf(s) {
			needed[n] = true
		}
		steps = append(steps, pc)
	}
	slices.Reverse(steps)
	return steps, exits
}

// leaves reports whether a way from an instruction leads out of a loop.
func (g *graph) leaves(l *loop, pc int32) bool {
	return slices.ContainsFunc(g.next[pc], func(to int32) bool { return !l.body[to] })
}

// liveAt returns the names that an iteration reads before it writes them.
func (g *graph) liveAt(l *loop) map[string]bool {
	var names []string
	for pc := range g.next {
		if l.body[pc] {
			names = append(names, readsOf(&g.flow.list[pc])...)
		}
	}
	slices.Sort(names)
	live := map[string]bool{}
	for _, name := range slices.Compact(names) {
		if g.readFirst(l, name) {
			live[name] = true
		}
	}
	return live
}

// readFirst reports whether an iteration may read a name before it writes it.
func (g *graph) readFirst(l *loop, name string) bool {
	seen := make([]bool, len(g.next))
	for list := []int32{l.head}; len(list) > 0; {
		pc := list[len(list)-1]
		list = list[:len(list)-1]
		if seen[pc] || !l.body[pc] {
			continue
		}
		seen[pc] = true
		s := &g.flow.list[pc]
		if slices.Contains(readsOf(s), name) {
			return true
		}
		if s.guard == "" && slices.Contains(s.writes, name) {
			continue
		}
		for _, to := range g.next[pc] {
			if to != l.head {
				list = append(list, to)
			}
		}
	}
	return false
}

// readsOf returns all names that an instruction reads.
func readsOf(s *statement) []string {
	list := slices.Concat(s.reads, s.address)
	if s.guard != "" {
		list = append(list, s.guard)
	}
	return list
}
