package scenario

import (
	"fmt"
	"maps"
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/argument"
)

// launch writes out one launch.
func (b *hostBuilder) launch(s *HostStep, path string, outer argument.Names) {
	names := b.names(outer)
	before := b.faults()
	l := workload.Launch{Entry: s.Entry, Path: path, Cooperative: b.ptx.Launch == LaunchCooperative,
		Programmatic: b.ptx.Launch == LaunchProgrammatic, NonPortable: b.ptx.Launch == LaunchNonPortable}
	l.Module, _ = b.module(s, path)
	l.Grid = b.extent(path+".grid", s.Grid, b.ptx.Grid, names)
	l.Block = b.extent(path+".block", s.Block, b.ptx.Block, names)
	l.OpenBlock = len(s.Block)+len(b.ptx.Block) == 0
	if len(s.Cluster) > 0 || len(b.ptx.Cluster) > 0 {
		l.Cluster = b.extent(path+".cluster", s.Cluster, b.ptx.Cluster, names)
	}
	l.DynamicSharedBytes = b.ptx.Shared
	if s.Shared != "" {
		n, _ := b.whole(path+".shared", s.Shared, names, 0, workload.MaxDynamicSharedBytes)
		l.DynamicSharedBytes = int(n)
	}
	args := s.Args
	argPath := path + ".args"
	if len(args) == 0 {
		args, argPath = b.ptx.Args, "workload.ptx.args"
	}
	for i := range args {
		l.Args = append(l.Args, b.arg(&args[i], i, fmt.Sprintf("%s[%d].spec", argPath, i), names))
	}
	if b.faults() == before {
		l.Check(func(message string) { b.add(path, "the launch of "+s.Entry+": "+message, "correct it") })
	}
	b.append(l)
	b.started++
}

// extent computes a grid or a block; whole holds the program's own, for a step without one.
func (b *hostBuilder) extent(path string, given []Number, whole []int, names argument.Names) [3]uint32 {
	if len(given) == 0 {
		return extent(whole)
	}
	full := [3]uint32{1, 1, 1}
	if len(given) > len(full) {
		b.add(path, fmt.Sprintf("%d numbers", len(given)), "give x, x,y or x,y,z")
		return full
	}
	for i, n := range given {
		v, _ := b.whole(fmt.Sprintf("%s[%d]", path, i), n, names, 1, 1<<31-1)
		full[i] = uint32(v)
	}
	return full
}

// arg computes argument i of a launch.
func (b *hostBuilder) arg(a *Arg, i int, path string, names argument.Names) workload.Arg {
	spec, err := argument.Parse(a.Spec)
	arg := workload.Arg{Buffer: -1, Bytes: spec.Bytes}
	switch {
	case err != nil:
	case spec.Kind == argument.Texture:
		arg.Bits, err = b.scope(names, nil).Texture(spec.In)
	case spec.Kind == argument.Pointer:
		arg.Buffer, arg.Bits, err = b.pointer(spec.In, names)
	case spec.Kind == argument.Bytes || spec.Kind == argument.Value || spec.Kind == argument.TensorMap:
		if arg.Value, err = spec.ByValue(b.scope(names, a.Data)); err == nil {
			arg.Bytes = len(arg.Value.Data)
			b.bytes += arg.Bytes
		}
	case spec.IsBuffer():
		arg = workload.BufferArg(b.bufferOf(&spec, a, i, path))
	default:
		arg.Bits, err = spec.BitsOf(names)
	}
	const argBytes = 48 // of a workload.Arg
	if b.bytes += argBytes; err == nil && b.bytes > maxHostArgBytes && b.ptx.hasHost() {
		err = fmt.Errorf("the arguments of all launches take more than %d bytes: use fewer rounds", maxHostArgBytes)
	}
	if err != nil {
		b.add(path, err.Error(), "")
	}
	return arg
}

// bufferOf returns the buffer of an argument: one of the program's arguments, or the one that has its name.
func (b *hostBuilder) bufferOf(spec *argument.Argument, a *Arg, i int, path string) int {
	if i < len(b.ptx.Args) && a == &b.ptx.Args[i] {
		n := 0
		for k := range i {
			if b.ptx.Args[k].isBuffer() {
				n++
			}
		}
		return n
	}
	made := spec.Buffer(0, a.Data)
	number, _ := b.find(path, made.Name)
	return number
}

// hostModule returns the number of the module that fills and copies.
func (b *hostBuilder) hostModule() int {
	if b.host == 0 {
		b.program.Modules = append(b.program.Modules, workload.HostModule())
		b.host = len(b.program.Modules)
	}
	return b.host
}

// hostLaunch appends a launch that fills or copies.
func (b *hostBuilder) hostLaunch(l workload.Launch, path string) {
	l.Path = path
	b.append(l)
}

func (b *hostBuilder) fill(f *Fill, path string, outer argument.Names) {
	names := b.names(outer)
	buffer, ok := b.find(path+".buffer", f.Buffer)
	if !ok {
		return
	}
	value, ok := b.number(path+".value", f.Value, names)
	if !ok {
		return
	}
	offset, bytes, ok := b.part(path, "offset", buffer, f.Offset, f.Bytes, names)
	if !ok {
		return
	}
	if size := uint64(value.Bytes); offset%size != 0 || bytes%size != 0 {
		b.add(path, fmt.Sprintf("%d bytes at %d are not whole values of %d bytes", bytes, offset, size),
			"give another part, or a value of another type")
		return
	}
	b.hostLaunch(workload.FillLaunch(b.hostModule(), buffer, offset, bytes,
		workload.Arg{Buffer: -1, Bits: value.Bits, Bytes: value.Bytes}), path)
}

// number computes a number with its type, such as u32:0.
func (b *hostBuilder) number(path, text string, names argument.Names) (spec argument.Argument, ok bool) {
	spec, err := argument.Parse(text)
	if err == nil && spec.Kind != argument.Scalar && spec.Kind != argument.Formula && spec.Kind != argument.Launch {
		err = fmt.Errorf("want a number with its type, such as u32:0, not %q", text)
	}
	if err == nil {
		spec.Bits, err = spec.BitsOf(names)
	}
	if err != nil {
		b.add(path, err.Error(), "")
	}
	return spec, err == nil
}

func (b *hostBuilder) copy(c *Copy, path string, outer argument.Names) {
	names := b.names(outer)
	from, staged := b.staged[c]
	switch {
	case staged && c.From != "":
		b.add(path+".from", "the copy has a buffer and data to copy from", "keep one of them")
		return
	case !staged && c.From == "":
		b.add(path, "the copy has nothing to copy from", "give from, the name of a buffer, or data")
		return
	case !staged:
		var ok bool
		if from, ok = b.find(path+".from", c.From); !ok {
			return
		}
	}
	to, ok := b.find(path+".to", c.To)
	if !ok {
		return
	}
	fromOffset, bytes, ok := b.part(path, "fromOffset", from, c.FromOffset, c.Bytes, names)
	if !ok {
		return
	}
	toOffset, room, ok := b.part(path, "toOffset", to, c.ToOffset, "", names)
	if !ok {
		return
	}
	if bytes > room {
		b.add(path, fmt.Sprintf("%d bytes do not fit after byte %d of the buffer %s, which has %d", bytes, toOffset,
			c.To, toOffset+room), "copy fewer bytes, or use a larger buffer")
		return
	}
	if from == to && fromOffset < toOffset+bytes && toOffset < fromOffset+bytes {
		b.add(path, "source and target overlap", "copy through another buffer")
		return
	}
	l := workload.CopyLaunch(b.hostModule(), from, fromOffset, to, toOffset, bytes)
	if staged {
		l.LinkBytes = bytes
	}
	b.hostLaunch(l, path)
}

// loop writes out the rounds of a loop.
func (b *hostBuilder) loop(l *Loop, path string, outer argument.Names) {
	rounds, ok := b.rounds(l, path, b.names(outer))
	if !ok {
		return
	}
	ends := l.While != nil || l.Until != nil
	first := len(b.program.Checks)
	for round := range rounds {
		names := maps.Clone(outer)
		names["i"] = round
		value := round
		if len(l.Values) > 0 {
			value, _ = b.whole(fmt.Sprintf("%s.values[%d]", path, round), l.Values[round], names, -1<<53, 1<<53)
		}
		if l.Name != "" {
			names[l.Name] = value
		}
		b.check(l.While, path+".while", names, true)
		b.list(l.Steps, path+".steps", names)
		b.check(l.Until, path+".until", names, false)
		if b.steps++; b.faults() > 0 || b.steps > maxHostSteps {
			return
		}
	}
	if !ends {
		return
	}
	names := maps.Clone(outer)
	names["i"] = rounds
	b.check(l.While, path+".while", names, true)
	b.program.Checks = append(b.program.Checks, workload.Check{
		Check: ptx.Check{Before: len(b.program.Launches)}, Path: path,
		Message: fmt.Sprintf("the loop has not ended after %d rounds", rounds),
	})
	for i := first; i < len(b.program.Checks); i++ {
		if c := &b.program.Checks[i]; c.Message == "" && c.Next == 0 { // those of loops inside know where they lead
			c.To, c.Next = len(b.program.Launches), len(b.program.Checks)
		}
	}
	b.exact = false
}

// rounds returns the number of rounds of a loop.
func (b *hostBuilder) rounds(l *Loop, path string, names argument.Names) (n int64, ok bool) {
	switch {
	case len(l.Steps) == 0:
		b.add(path+".steps", "the loop has no steps", "give what it repeats")
		return 0, false
	case l.Name != "" && (!isName(l.Name) || slices.Contains([]string{"i", "launch"}, l.Name)):
		b.add(path+".name", "a formula cannot use the name", "use letters and digits, and not i or launch")
		return 0, false
	case len(l.Values) > 0 && l.Rounds != "":
		b.add(path+".rounds", "the loop has values and a number of rounds", "keep one of them")
		return 0, false
	case len(l.Values) > 0:
		return int64(len(l.Values)), true
	case l.Rounds == "":
		b.add(path+".rounds", "the loop has no bound",
			"give the number of rounds; with while or until the most that may be needed")
		return 0, false
	}
	return b.whole(path+".rounds", l.Rounds, names, 0, maxHostSteps)
}

// isName reports whether a formula can use a name.
func isName(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return !slices.Contains([]string{"and", "or", "ceil", "floor", "round", "abs", "min", "max"}, name)
}

// check appends the check of a condition that ends a loop: until it holds, or while it does.
func (b *hostBuilder) check(c *Condition, path string, outer argument.Names, not bool) {
	if c == nil {
		return
	}
	names := b.names(outer)
	buffer, ok := b.find(path+".buffer", c.Buffer)
	if !ok {
		return
	}
	value, ok := b.number(path+".value", c.Value, names)
	if !ok {
		return
	}
	is := max(0, slices.Index(ptx.ComparisonNames, c.Is))
	if c.Is != "" && !b.errors.Word(path+".is", c.Is, ptx.ComparisonNames) {
		return
	}
	offset := int64(0)
	if size := int64(b.program.Buffers[buffer].Bytes); c.Offset != "" || size < int64(value.Bytes) {
		if offset, ok = b.whole(path+".offset", max(c.Offset, "0"), names, 0, size-int64(value.Bytes)); !ok {
			return
		}
	}
	b.program.Checks = append(b.program.Checks, workload.Check{
		Check: ptx.Check{Before: len(b.program.Launches), Type: scalarOf(c.Value), Is: ptx.Comparison(is), Not: not,
			Than: value.Bits},
		Buffer: buffer, Offset: uint64(offset),
	})
}

// scalarOf returns the type of a number such as u32:0, which is a legal one.
func scalarOf(text string) ptx.Scalar {
	for t := ptx.TypeB8; t <= ptx.TypeF64; t++ {
		if name := t.String(); len(text) > len(name) && text[:len(name)] == name && text[len(name)] == ':' {
			return t
		}
	}
	return ptx.TypeU32 // @launch
}
