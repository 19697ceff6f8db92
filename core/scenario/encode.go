package scenario

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"reflect"

	"github.com/vmihailenco/msgpack/v5"
	"gopkg.in/yaml.v3"
)

// Marshal returns the canonical msgpack form: keys sorted, integers as short as
// they go, every default written out, empty optional values left out. Parsing it
// and marshalling again gives the same bytes.
func (s *Scenario) Marshal() []byte {
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	e.SetSortMapKeys(true)
	e.UseCompactInts(true)
	if err := e.Encode(generic(reflect.ValueOf(*s))); err != nil {
		panic("scenario: a scenario has no msgpack form: " + err.Error())
	}
	return out.Bytes()
}

// generic turns structs into maps, because the library writes structs in the
// order of their fields and only maps in the order of their keys.
func generic(v reflect.Value) any {
	switch {
	case v.Type() == blobType:
		return v.Bytes()
	case v.Kind() == reflect.Pointer:
		return generic(v.Elem())
	case v.Kind() == reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = generic(v.Index(i))
		}
		return list
	case v.Kind() == reflect.Struct:
		m := make(map[string]any, v.NumField())
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if omitted(field, v.Field(i)) {
				continue
			}
			m[fieldName(field)] = generic(v.Field(i))
		}
		return m
	}
	return v.Interface()
}

// omitted reports whether an optional field is empty.
func omitted(f reflect.StructField, v reflect.Value) bool {
	optional := bytes.HasSuffix([]byte(f.Tag.Get("msgpack")), []byte(",omitempty"))
	return optional && (v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0)
}

// Hash identifies what a scenario computes, in 64 hexadecimal digits of SHA-256.
// It covers what changes results and nothing else: not title, notes and the name
// of a program's file, not the scheme set beside for comparison (that is a run of
// its own), not the settings of a codec or an approximation that is off. Two spellings of one run have one
// hash; scenarios that may differ in their results have two.
func (s *Scenario) Hash() string {
	only := *s
	only.Title, only.Notes, only.Compare = "", "", nil
	only.Memory = only.Memory.effective()
	if only.Workload.PTX != nil {
		program := *only.Workload.PTX
		program.File = ""
		only.Workload.PTX = &program
	}
	sum := sha256.Sum256(only.Marshal())
	return hex.EncodeToString(sum[:])
}

// ShortHash is the beginning of a hash, for people.
func ShortHash(hash string) string { return hash[:min(len(hash), 12)] }

// effective returns m with what has no effect set to its default.
func (m Memory) effective() Memory {
	d := DefaultMemory()
	if m.Codec == "none" {
		m.Probabilities, m.DecodingWays = d.Probabilities, d.DecodingWays
	}
	if m.Approximation == "none" {
		m.Threshold = d.Threshold
	}
	return m
}

// ToJSON returns the scenario as the page reads and writes it.
func (s *Scenario) ToJSON() []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("scenario: a scenario has no JSON form: " + err.Error())
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

// ToYAML returns the scenario as an author would write it.
func (s *Scenario) ToYAML() []byte {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(s); err != nil {
		panic("scenario: a scenario has no YAML form: " + err.Error())
	}
	return out.Bytes()
}

// MarshalYAML writes the bytes as base64; the library would list them as numbers.
func (b Blob) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!binary", Value: base64.StdEncoding.EncodeToString(b)}, nil
}
