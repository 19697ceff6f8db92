package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scheme"
)

// Overrides replace values of the preset. Keys are the paths that `burstscope machine
// describe` lists; values are whole numbers (int64) and words (string).
type Overrides map[string]any

// overridePrefix begins the path of an override.
const overridePrefix = "machine.overrides."

// Spec returns the machine: the preset with its overrides.
func (m *Machine) Spec() (*parameter.GPU, error) {
	var e fault.Errors
	spec := m.spec(&e)
	return spec, e.OrNil()
}

// spec builds the machine and lists its faults. It returns nil without a preset.
func (m *Machine) spec(e *fault.Errors) *parameter.GPU {
	name := presetOf(m.Preset, Version)
	if !e.Word("machine.preset", name, preset.Names()) {
		return nil
	}
	spec, err := preset.GPU(name)
	if err != nil {
		panic(err) // the name was found in the list
	}
	if len(m.Overrides) == 0 {
		return spec
	}
	paths := parameter.Paths()
	if n := len(m.Overrides); n > len(paths) {
		e.Add("machine.overrides", fmt.Sprintf("%d values", n), fmt.Sprintf("a machine has %d: %s", len(paths), listPaths))
		return spec
	}
	unknown, values := 0, spec.Values()
	for _, path := range slices.Sorted(maps.Keys(m.Overrides)) {
		if slices.Index(paths, path) < 0 {
			mend := listPaths
			if unknown++; unknown <= mostSuggestions {
				mend = mendPath(path, paths)
			}
			e.Add(overridePrefix+fault.Shorten(path), "there is no such value", mend)
		} else if f := values.Set(path, overrideText(m.Overrides[path])); f != nil {
			e.Add(overridePrefix+f.Path, f.Message, f.Mend)
		}
	}
	return spec
}

// validateMachine checks the machine, and that it suits the schemes.
func (s *Scenario) validateMachine(e *fault.Errors) {
	before := len(e.List)
	spec := s.Machine.spec(e)
	if spec == nil || len(e.List) > before {
		return
	}
	s.Scheme.Check(spec, e, "")
	if s.Compare != nil {
		s.Compare.Scheme.Check(spec, e, "compare.")
	}
	mag := s.Memory.MAG()
	if !slices.Contains(scheme.MAGs(), mag) {
		return // Scheme.Validate reports it
	}
	for _, f := range spec.Check(mag) {
		if f.Path != "memory.mag" { // a rule of scheme has it
			e.Add(overridePrefix+f.Path, f.Message, f.Mend)
		}
	}
}

const (
	listPaths = "`burstscope machine describe` lists all paths"
	// mostSuggestions bounds the search for the meaning of misspellings [ours].
	mostSuggestions = 8
)

// mendPath suggests the nearest path, or says where all paths are listed.
func mendPath(got string, paths []string) string {
	if near := fault.Nearest(got, paths); near != "" {
		return fmt.Sprintf("did you mean %s? %s", near, listPaths)
	}
	return listPaths
}

// overrideOf converts a text to a value.
func overrideOf(text string) any {
	if digits, ok := Decimal(text); ok {
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return n
		}
	}
	return text
}

func overrideText(v any) string { return fmt.Sprint(v) }

// set changes one override; an empty text removes it.
func (m *Machine) set(path, text string) error {
	paths := parameter.Paths()
	if slices.Index(paths, path) < 0 {
		return fault.At(overridePrefix+fault.Shorten(path), "there is no such value", mendPath(path, paths))
	}
	changed := maps.Clone(m.Overrides)
	if changed == nil {
		changed = Overrides{}
	}
	if text == "" {
		delete(changed, path)
	} else {
		changed[path] = overrideOf(text)
	}
	m.Overrides = changed
	return nil
}

// effective returns m with the name of its preset and without the overrides that repeat the
// preset's value. So two spellings of one machine become one.
func (m Machine) effective() Machine {
	m.Preset = presetOf(m.Preset, Version)
	if len(m.Overrides) == 0 {
		m.Overrides = nil
		return m
	}
	spec, err := m.Spec()
	if err != nil {
		return m // the scenario is not valid
	}
	own, err := preset.GPU(m.Preset)
	if err != nil {
		return m
	}
	presets, values, changed := own.Values(), spec.Values(), Overrides{}
	for _, e := range values.Entries() {
		if v, given := m.Overrides[e.Path]; given && e.Text() != presets.Find(e.Path).Text() {
			changed[e.Path] = v
		}
	}
	m.Overrides = changed
	return m
}

// bindOverrides reads overrides: dotted paths, or maps in maps.
func (b *binder) bindOverrides(v *Value, into Overrides, path, inside string) {
	if v.Kind != IsMap {
		b.fault(v, path, "want a map, not "+v.Describe(), "write overrides as path: value pairs, such as sm.l1.ways: 8")
		return
	}
	for i, key := range v.Keys {
		item, at, name := &v.Items[i], joinPath(path, fault.Shorten(key)), joinPath(inside, key)
		b.where[at] = item.Where
		if _, twice := into[name]; twice {
			b.fault(item, at, "the value is given twice", "remove one of them")
			continue
		}
		switch item.Kind {
		case IsMap:
			b.bindOverrides(item, into, at, name)
		case IsInteger, IsText:
			into[name] = overrideOf(strings.Clone(item.Text))
		default:
			b.fault(item, at, "want a number or a word, not "+item.Describe(), "write 8, or a word such as on or off")
		}
	}
}
