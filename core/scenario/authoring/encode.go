// Package authoring reads and writes the files that people and other programs keep:
// YAML, JSON and msgpack, through the libraries for these formats. The page's engine does
// not use it, because the libraries would double its size. It reads JSON and msgpack with
// the readers of package scenario.
package authoring

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/setting"
	"github.com/vmihailenco/msgpack/v5"
	"go.yaml.in/yaml/v4"
)

// Marshal returns the canonical msgpack form: keys sorted, integers in the shortest form,
// every default written, empty optional values left out. Parsing and marshalling again
// gives the same bytes, which are those of Scenario.Canonical.
func Marshal(s *scenario.Scenario) []byte {
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	e.SetSortMapKeys(true)
	e.UseCompactInts(true)
	if err := e.Encode(generic(reflect.ValueOf(*s.Packed()))); err != nil {
		panic("scenario: cannot write msgpack: " + err.Error())
	}
	return out.Bytes()
}

// generic turns structs into maps, because the library sorts only the keys of maps; it
// writes structs in the order of their fields.
func generic(v reflect.Value) any {
	switch {
	case v.Type() == reflect.TypeFor[scenario.Blob]():
		return v.Bytes()
	case v.Type() == reflect.TypeFor[setting.Binary]():
		return []byte(v.String())
	case v.Type() == reflect.TypeFor[scenario.Number]():
		return scenario.Number(v.String()).Plain()
	case v.Kind() == reflect.Interface:
		return generic(v.Elem())
	case v.Kind() == reflect.Pointer:
		return generic(v.Elem())
	case v.Kind() == reflect.Map:
		m := maps.Clone(v.Convert(reflect.TypeFor[map[string]any]()).Interface().(map[string]any))
		for _, key := range slices.Sorted(maps.Keys(m)) {
			m[key] = generic(reflect.ValueOf(m[key]))
		}
		return m
	case v.Kind() == reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = generic(v.Index(i))
		}
		return list
	case v.Kind() == reflect.Struct:
		m := make(map[string]any, v.NumField())
		for i := range v.NumField() {
			if v.Type().Field(i).Anonymous {
				maps.Copy(m, generic(v.Field(i)).(map[string]any))
				continue
			}
			name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("msgpack"), ",")
			field := v.Field(i)
			if option == "omitempty" && (field.IsZero() || (field.Kind() == reflect.Slice || field.Kind() == reflect.Map) && field.Len() == 0) {
				continue
			}
			m[name] = generic(field)
		}
		return m
	}
	return v.Interface()
}

// ToJSON returns the scenario as the page reads and writes it.
func ToJSON(s *scenario.Scenario) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("scenario: cannot write JSON: " + err.Error())
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

// ToYAML returns the scenario as an author would write it.
func ToYAML(s *scenario.Scenario) []byte {
	text := dumped(s)
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return text // of a scenario that is not valid
	}
	root := document.Content[0]
	inOrder(valueOf(root, "memory"), s.Memory.Keys())
	if s.Compare != nil {
		inOrder(valueOf(valueOf(root, "compare"), "memory"), s.Compare.Memory.Keys())
	}
	return dumped(&document)
}

func dumped(v any) []byte {
	var out bytes.Buffer
	// A text of prose stays on one line, as lists stay indented.
	e, err := yaml.NewDumper(&out, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err == nil {
		err = errors.Join(e.Dump(v), e.Close())
	}
	if err != nil {
		panic("scenario: cannot write YAML: " + err.Error())
	}
	return out.Bytes()
}

// find returns the place of a key in a map's content; its value is the next one.
func find(m *yaml.Node, key string) int {
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return i
		}
	}
	panic("scenario: its YAML has no key " + key)
}

func valueOf(m *yaml.Node, key string) *yaml.Node { return m.Content[find(m, key)+1] }

// inOrder puts the values of a map into the order of their keys. The library sorts them by name.
func inOrder(m *yaml.Node, keys []string) {
	var content []*yaml.Node
	for _, key := range keys {
		i := find(m, key)
		content = append(content, m.Content[i:i+2]...)
	}
	m.Content = content
}
