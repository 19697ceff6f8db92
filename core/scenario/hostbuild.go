package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/argument"
)

// Limits of a host part [ours]: launches and rounds of all loops, and the memory of all launches' arguments.
const (
	maxHostSteps    = maxRepeat
	maxHostArgBytes = 32 << 20
	maxModules      = 64
)

// hostBuilder writes the launches of a program out, round by round. Faults have the paths of their steps; a step with a
// fault is tried once.
type hostBuilder struct {
	ptx     *PTX
	errors  *fault.Errors
	program *workload.Program
	// buffers are those with a name, -1 if several have it.
	buffers map[string]int
	staged  map[*Copy]int  // buffers with the data of copies
	steps   int            // launches and rounds so far
	bytes   int            // of arguments
	exact   bool           // the number of launches so far is known
	started int64          // launches of the user's kernels so far
	homes   map[string]int // modules of kernels
	host    int            // number of the module that fills and copies, 0 = not yet
	order   hostOrder
}

func newHostBuilder(p *PTX, e *fault.Errors, program *workload.Program) *hostBuilder {
	return &hostBuilder{ptx: p, errors: e, program: program, buffers: map[string]int{}, staged: map[*Copy]int{},
		homes: map[string]int{}, exact: true}
}

func (b *hostBuilder) add(path, message, mend string) { b.errors.Add(path, message, mend) }

// faults returns the number of faults, to see whether something was refused.
func (b *hostBuilder) faults() int { return len(b.errors.List) }

// run writes out the steps of the program, Repeat times.
func (b *hostBuilder) run() {
	const path = "workload.ptx"
	steps := b.ptx.Launches
	if len(steps) == 0 {
		steps = []HostStep{{Entry: b.ptx.Entry}}
	}
	b.stage(steps, path+".launches")
	b.program.Streams = streamed(steps)
	b.ptx.bindTextures(b.program)
	for n := range max(b.ptx.Repeat, 1) {
		names := argument.Names{"i": int64(n)}
		if len(b.ptx.Launches) == 0 {
			b.launch(&steps[0], path, names)
		} else {
			b.list(steps, path+".launches", names)
		}
		if b.faults() > 0 {
			return
		}
	}
	if len(b.program.Launches) == 0 {
		b.add(path+".launches", "nothing is launched", "give a launch: {entry: NAME, grid: [1], block: [32]}")
	}
}

// stage makes the buffers that steps declare, and those with the data of copies.
func (b *hostBuilder) stage(steps []HostStep, path string) {
	for i := range steps {
		s, at := &steps[i], fmt.Sprintf("%s[%d]", path, i)
		for k := range s.Args {
			b.declare(&s.Args[k], fmt.Sprintf("%s.args[%d]", at, k))
		}
		if c := s.Copy; c != nil && len(c.Data) > 0 {
			b.staged[c] = len(b.program.Buffers)
			b.program.Buffers = append(b.program.Buffers,
				workload.Buffer{Name: "data of " + at, Bytes: uint64(len(c.Data)), Init: c.Data})
		}
		if s.Loop != nil {
			b.stage(s.Loop.Steps, at+".loop.steps")
		}
	}
}

// declare makes the buffer of a launch's argument, if it is not there yet.
func (b *hostBuilder) declare(a *Arg, path string) {
	spec, err := argument.Parse(a.Spec)
	if err != nil || !spec.IsBuffer() {
		return // launches report it
	}
	made := spec.Buffer(0, a.Data)
	i, known := b.buffers[made.Name]
	switch {
	case known && i < 0:
		b.ambiguous(path+".spec", made.Name)
	case known && len(a.Data) == 0 && (made.Bytes == 0 || made.Bytes == b.program.Buffers[i].Bytes):
		old := &b.program.Buffers[i]
		if made.Output {
			old.Output, old.File = true, made.File
		}
	case known:
		b.add(path+".spec", fmt.Sprintf("the buffer %s is declared twice, with %d and with %d bytes or contents",
			fault.Quote(made.Name), b.program.Buffers[i].Bytes, made.Bytes),
			"declare it once, and name it with ptr:NAME elsewhere")
	case made.Bytes == 0:
		b.unknown(path+".spec", made.Name)
	default:
		b.buffer(&spec, a, 0, false, path)
	}
}

// buffer appends a buffer of the program and returns its number.
func (b *hostBuilder) buffer(spec *argument.Argument, a *Arg, i int, safe bool, path string) int {
	made := spec.Buffer(i, a.Data)
	made.Safe = safe
	if a.Element != "" {
		var err error
		if made.Element, err = workload.ParseElement(a.Element); err != nil {
			b.add(path+".element", err.Error(), "")
		}
	}
	number := len(b.program.Buffers)
	if _, twice := b.buffers[made.Name]; twice {
		b.buffers[made.Name] = -1
	} else {
		b.buffers[made.Name] = number
	}
	b.program.Buffers = append(b.program.Buffers, made)
	return number
}

func (b *hostBuilder) unknown(path, name string) {
	var names []string
	for i := range b.program.Buffers {
		if n := b.program.Buffers[i].Name; b.buffers[n] == i {
			names = append(names, n)
		}
	}
	mend := "declare it in workload.ptx.buffers"
	if len(names) > 0 {
		mend = "name one of " + strings.Join(names[:min(len(names), 8)], ", ")
		if near := fault.Nearest(name, names); near != "" {
			mend = "did you mean " + near + "?"
		}
	}
	b.add(path, "there is no buffer "+fault.Quote(name), mend)
}

func (b *hostBuilder) ambiguous(path, name string) {
	b.add(path, "several buffers have the name "+fault.Quote(name), "give each a name of its own")
}

// find returns the buffer of a name.
func (b *hostBuilder) find(path, name string) (int, bool) {
	i, ok := b.buffers[name]
	switch {
	case !ok:
		b.unknown(path, name)
	case i < 0:
		b.ambiguous(path, name)
	default:
		return i, true
	}
	return 0, false
}

// list writes out steps for one round.
func (b *hostBuilder) list(steps []HostStep, path string, names argument.Names) {
	for i := range steps {
		s, at := &steps[i], fmt.Sprintf("%s[%d]", path, i)
		before := b.faults()
		kinds := 0
		for _, given := range []bool{
			s.Entry != "", s.Fill != nil, s.Copy != nil, s.Loop != nil, s.Record != "", s.Wait != "",
		} {
			if given {
				kinds++
			}
		}
		b.order.stream = s.Stream
		switch {
		case kinds != 1:
			b.add(at, fmt.Sprintf("a step with %d of entry, fill, copy, loop, record and wait", kinds), "give one of them")
		case s.Entry != "":
			b.launch(s, at, names)
		case s.beside():
			b.add(at, "only a launch has module, grid, block, cluster, shared and args", "remove them")
		case s.Fill != nil:
			b.fill(s.Fill, at+".fill", names)
		case s.Copy != nil:
			b.copy(s.Copy, at+".copy", names)
		case s.Record != "" || s.Wait != "":
			b.event(s, at)
		case s.Stream != "":
			b.add(at+".stream", "a loop has no stream", "give the stream to its steps")
		default:
			b.loop(s.Loop, at+".loop", names)
		}
		if b.steps > maxHostSteps {
			if b.faults() == before {
				b.add(at, fmt.Sprintf("the program has more than %d launches and rounds up to here", maxHostSteps),
					"use fewer rounds")
			}
			return
		}
	}
}

// beside reports whether a step has what only launches have.
func (s *HostStep) beside() bool {
	return s.Module != "" || s.Shared != "" || len(s.Grid)+len(s.Block)+len(s.Cluster)+len(s.Args) > 0
}

// whole computes a number from low to high.
func (b *hostBuilder) whole(path string, n Number, names argument.Names, low, high int64) (int64, bool) {
	v, err := names.Whole(string(n))
	if err != nil {
		b.add(path, err.Error(), "")
		return 0, false
	}
	if v < low || v > high {
		b.add(path, fmt.Sprintf("%d is out of range", v), fmt.Sprintf("use %d to %d", low, high))
		return 0, false
	}
	return v, true
}

// part returns the bytes of a buffer from an offset on: all after it if bytes is empty.
func (b *hostBuilder) part(
	path, offsetKey string, buffer int, offset, bytes Number, names argument.Names,
) (from, n uint64, ok bool) {
	size := int64(b.program.Buffers[buffer].Bytes)
	at := int64(0)
	if offset != "" {
		if at, ok = b.whole(path+"."+offsetKey, offset, names, 0, size-1); !ok {
			return 0, 0, false
		}
	}
	length := size - at
	if bytes != "" {
		if length, ok = b.whole(path+".bytes", bytes, names, 1, size-at); !ok {
			b.errors.List[b.faults()-1].Message += fmt.Sprintf(": the buffer %s has %d bytes, %d of them after "+
				"the offset", fault.Quote(b.program.Buffers[buffer].Name), size, size-at)
			return 0, 0, false
		}
	}
	return uint64(at), uint64(length), true
}

// scope answers what the arguments of a launch name.
func (b *hostBuilder) scope(names argument.Names, contents []byte) *argument.Scope {
	return &argument.Scope{
		Names: names, Contents: contents,
		Pointer: func(text string) (int, uint64, error) { return b.pointer(text, names) },
		Texture: func(name string) (uint64, error) {
			if i := b.ptx.textureIndex(name); i >= 0 {
				return ptx.TextureHandle(i), nil
			}
			return 0, fmt.Errorf("there is no texture %s: name one of workload.ptx.textures", fault.Quote(name))
		},
	}
}

// pointer reads NAME, NAME+OFFSET, or several of them with | between, of which each round takes the next.
func (b *hostBuilder) pointer(text string, names argument.Names) (buffer int, offset uint64, err error) {
	name := text
	if _, ok := b.buffers[name]; !ok && strings.Contains(text, "|") {
		round, ok := names["i"]
		if !ok {
			return 0, 0, fmt.Errorf("ptr:%s changes from round to round, but stands in no loop", fault.Quote(text))
		}
		list := strings.Split(text, "|")
		name = strings.TrimSpace(list[int(round)%len(list)])
	}
	i, ok := b.buffers[name]
	if cut := strings.LastIndexByte(name, '+'); !ok && cut > 0 {
		at, err := names.Whole(strings.TrimSpace(name[cut+1:]))
		if err != nil {
			return 0, 0, err
		}
		name = strings.TrimSpace(name[:cut])
		if i, ok = b.buffers[name]; ok && i >= 0 && (at < 0 || uint64(at) > b.program.Buffers[i].Bytes) {
			return 0, 0, fmt.Errorf("byte %d is not in the buffer %s, which has %d bytes", at, fault.Quote(name),
				b.program.Buffers[i].Bytes)
		}
		offset = uint64(at)
	}
	before := b.faults()
	if i, ok = b.find("", name); !ok {
		f := b.errors.List[before]
		b.errors.List = b.errors.List[:before]
		return 0, 0, fmt.Errorf("%s: %s", f.Message, f.Mend)
	}
	return i, offset, nil
}

// names returns the values that formulas of the next launch may use.
func (b *hostBuilder) names(outer argument.Names) argument.Names {
	names := maps.Clone(outer)
	if b.exact {
		names["launch"] = b.started
	}
	return names
}

// module returns the number of a launch's module.
func (b *hostBuilder) module(s *HostStep, path string) (int, bool) {
	if s.Module == "" {
		i, ok := b.homes[s.Entry]
		if !ok {
			i = b.moduleOf(s.Entry)
			b.homes[s.Entry] = i
		}
		return i, true
	}
	i := slices.IndexFunc(b.ptx.Modules, func(m Module) bool { return m.Name == s.Module })
	if i < 0 {
		b.add(path+".module", "there is no module "+fault.Quote(s.Module), "name one of workload.ptx.modules")
	}
	return i + 1, i >= 0
}

// moduleOf returns the first module whose text has the kernel, or the program's own. Only the names of kernels
// are looked for here: the text is read when the program is loaded.
func (b *hostBuilder) moduleOf(entry string) int {
	for i := range len(b.ptx.Modules) + 1 {
		text := b.ptx.Source
		if i > 0 {
			text = b.ptx.Modules[i-1].Source
		}
		if hasEntry(text, entry) {
			return i
		}
	}
	return 0
}

// hasEntry reports whether a text has .entry and a name.
func hasEntry(text, name string) bool {
	for {
		_, rest, ok := strings.Cut(text, ".entry")
		if !ok {
			return false
		}
		text = strings.TrimLeft(rest, " \t\r\n")
		end := strings.IndexFunc(text, func(r rune) bool {
			return !(r == '_' || r == '$' || r == '%' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' &&
				r <= 'Z')
		})
		if end >= 0 && text[:end] == name {
			return true
		}
	}
}
