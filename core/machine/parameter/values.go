package parameter

import (
	"reflect"
	"strings"
	"sync"
)

// Fault is something wrong with the values of a GPU.
type Fault struct{ Path, Message, Mend string }

// Paths returns the paths of all values.
func Paths() []string {
	var paths []string
	for _, f := range All() {
		paths = append(paths, f.Path)
	}
	return paths
}

// Values finds the values of a GPU by path.
type Values struct{ gpu reflect.Value }

// Entry is one value of a GPU, and the description of its parameter.
type Entry struct {
	leaf leaf
	*Parameter
}

// layout is what the values of all GPUs have in common, found once: a scenario asks for the values
// of its machine whenever its hash is taken.
var layout = sync.OnceValue(func() (l struct {
	places  []place
	infos   []Parameter    // of the same numbers
	numbers map[string]int // of each path
}) {
	byPath := map[string]place{}
	for _, p := range places() {
		byPath[p.path] = p
	}
	l.numbers = map[string]int{}
	for _, info := range All() {
		if p, ok := byPath[strings.ToLower(info.Path)]; ok {
			l.numbers[info.Path] = len(l.places)
			l.places, l.infos = append(l.places, p), append(l.infos, info)
		}
	}
	return l
})

// Values returns the values of s in the order of Parameters, to be read and changed.
func (s *GPU) Values() Values { return Values{reflect.ValueOf(s).Elem()} }

// Entries returns all values.
func (v Values) Entries() []Entry {
	entries := make([]Entry, len(layout().places))
	for i := range entries {
		entries[i] = v.entry(i)
	}
	return entries
}

// Find returns the value of a path, nil if no GPU has such a value.
func (v Values) Find(path string) *Entry {
	i, ok := layout().numbers[path]
	if !ok {
		return nil
	}
	e := v.entry(i)
	return &e
}

func (v Values) entry(i int) Entry {
	l := layout()
	return Entry{l.places[i].of(v.gpu), &l.infos[i]}
}

// Override replaces one value of the preset.
func (s *GPU) Override(path, text string) *Fault { return s.Values().Set(path, text) }

// Set replaces a value. It checks the value alone; Check checks all values together.
func (v Values) Set(path, text string) *Fault {
	e := v.Find(path)
	if e == nil {
		return &Fault{path, "there is no such value", "use a path that `burstscope machine describe` lists"}
	}
	return e.Set(text)
}

// Set changes the value.
func (e *Entry) Set(text string) *Fault {
	if message, mend := e.leaf.set(text, e.Parameter); message != "" {
		return &Fault{e.Path, message, mend}
	}
	return nil
}

// Text returns the value as Set reads it.
func (e *Entry) Text() string { return e.leaf.text() }

// Choices returns the words that the value may be, nil if it is a number.
func (e *Entry) Choices() []string { return e.leaf.legal(e.Path) }

// Uint returns the value of an unsigned number.
func (e *Entry) Uint() uint64 { return e.leaf.value.Uint() }
