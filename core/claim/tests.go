package claim

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/workload/programs"
)

// test ties a name in predicates to the test function that asserts it. A test of this
// package checks that the function exists.
type test struct{ name, folder, function string }

func (s *session) test(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s: want the name of a test", b.Name())
	}
	name, _ := starlark.AsString(args[0])
	for _, p := range s.folderOf(s.paper).vocabulary() {
		for _, t := range p.tests {
			if t.name == name {
				s.note("asserted by " + t.function + " of " + t.folder)
				return starlark.True, nil
			}
		}
	}
	s.lack("test " + name + " does not exist")
	return starlark.False, nil
}

// regions is the number of buffers that a program marks as safe to approximate.
func (s *session) regions(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s: want a workload", b.Name())
	}
	id, _ := starlark.AsString(args[0])
	if n, known := s.safe[id]; known {
		return starlark.MakeInt(n), nil
	}
	w, err := s.reading.Workload(s.paper, id)
	if err != nil {
		s.lackError(err)
		return nothing, nil
	}
	info, err := programs.Describe(w.Name)
	if err != nil {
		return nil, err
	}
	p, err := programs.Build(w.Name, programs.Params{Size: info.Sizes[0], Data: w.Data})
	if err != nil {
		return nil, err
	}
	n := 0
	for i := range p.Buffers {
		if p.Buffers[i].Safe {
			n++
		}
	}
	s.safe[id] = n
	return starlark.MakeInt(n), nil
}
