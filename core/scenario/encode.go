package scenario

import (
	"encoding/base64"
	"encoding/binary"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// Canonical returns the one msgpack form of a scenario: keys sorted, integers in the
// shortest form, every default written, empty optional values left out. Parsing and
// encoding again gives the same bytes. authoring.Marshal writes the same bytes with the
// msgpack library; this package does not use the library, because it would be a seventh of
// the page's engine.
func (s *Scenario) Canonical() []byte { return appendPacked(nil, reflect.ValueOf(*s.Packed())) }

// appendPacked appends v in msgpack.
func appendPacked(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer:
		return appendPacked(b, v.Elem())
	case reflect.Struct:
		return appendStruct(b, v)
	case reflect.Slice:
		if v.Type() == blobType {
			b = appendHeader(b, v.Len(), 0, 0, 0xc4, 0xc5, 0xc6)
			return append(b, v.Bytes()...)
		}
		b = appendHeader(b, v.Len(), 0x90, 16, 0, 0xdc, 0xdd)
		for i := range v.Len() {
			b = appendPacked(b, v.Index(i))
		}
		return b
	case reflect.Map:
		values := mapOf(v)
		b = appendHeader(b, len(values), 0x80, 16, 0, 0xde, 0xdf)
		for _, path := range slices.Sorted(maps.Keys(values)) {
			b = appendPacked(b, reflect.ValueOf(path))
			b = appendPacked(b, reflect.ValueOf(values[path]))
		}
		return b
	case reflect.String:
		if v.Type() == binaryType {
			return append(appendHeader(b, v.Len(), 0, 0, 0xc4, 0xc5, 0xc6), v.String()...)
		}
		if v.Type() == numberType {
			if n, ok := Number(v.String()).whole(); ok {
				return appendInteger(b, n)
			}
		}
		b = appendHeader(b, v.Len(), 0xa0, 32, 0xd9, 0xda, 0xdb)
		return append(b, v.String()...)
	case reflect.Int, reflect.Int64:
		return appendInteger(b, v.Int())
	case reflect.Uint64:
		return appendUnsigned(b, v.Uint())
	}
	panic("scenario: the schema has a " + v.Type().String() + ", and there is no packed form for it")
}

// mapOf names the types of maps, because reflect.Value.Convert would bring every conversion
// of package reflect into the page's engine.
func mapOf(v reflect.Value) map[string]any {
	switch m := v.Interface().(type) {
	case Overrides:
		return m
	case system.Part:
		return m
	case scheme.Memory:
		return m
	}
	panic("scenario: the schema has a " + v.Type().String() + ", and there is no packed form for it")
}

func appendStruct(b []byte, v reflect.Value) []byte {
	var names []string
	values := map[string]reflect.Value{}
	for _, field := range fieldsOf(v.Type()) {
		if value := v.FieldByIndex(field.Index); !omitted(field, value) {
			name := fieldName(field)
			names, values[name] = append(names, name), value
		}
	}
	slices.Sort(names)
	b = appendHeader(b, len(names), 0x80, 16, 0, 0xde, 0xdf)
	for _, name := range names {
		b = append(appendHeader(b, len(name), 0xa0, 32, 0xd9, 0xda, 0xdb), name...)
		b = appendPacked(b, values[name])
	}
	return b
}

// appendHeader appends a length: in the low bits of fix if it is below fixed, otherwise
// after the format of 8, 16 or 32 bits. 0 stands for a format that does not exist.
func appendHeader(b []byte, n int, fix byte, fixed int, format8, format16, format32 byte) []byte {
	switch {
	case n < fixed:
		return append(b, fix|byte(n))
	case n <= 0xff && format8 != 0:
		return append(b, format8, byte(n))
	case n <= 0xffff:
		return binary.BigEndian.AppendUint16(append(b, format16), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(b, format32), uint32(n))
}

func appendUnsigned(b []byte, n uint64) []byte {
	switch {
	case n <= 0x7f:
		return append(b, byte(n))
	case n <= 0xff:
		return append(b, 0xcc, byte(n))
	case n <= 0xffff:
		return binary.BigEndian.AppendUint16(append(b, 0xcd), uint16(n))
	case n <= 0xffffffff:
		return binary.BigEndian.AppendUint32(append(b, 0xce), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xcf), n)
}

// appendInteger also writes the negative numbers of scenarios that are not valid.
func appendInteger(b []byte, n int64) []byte {
	switch {
	case n >= 0:
		return appendUnsigned(b, uint64(n))
	case n >= -0x20:
		return append(b, byte(n))
	case n >= -0x80:
		return append(b, 0xd0, byte(n))
	case n >= -0x8000:
		return binary.BigEndian.AppendUint16(append(b, 0xd1), uint16(n))
	case n >= -0x80000000:
		return binary.BigEndian.AppendUint32(append(b, 0xd2), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(n))
}

// omitted reports whether an optional field is empty.
func omitted(f reflect.StructField, v reflect.Value) bool {
	optional := strings.HasSuffix(f.Tag.Get("msgpack"), ",omitempty")
	return optional && (v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0)
}

// MarshalText returns the bytes as base64 for the writers of YAML and JSON.
func (b Blob) MarshalText() ([]byte, error) {
	return []byte(base64.StdEncoding.EncodeToString(b)), nil
}

// Hash identifies what a scenario computes, in 64 hexadecimal digits of SHA-256.
// It covers everything that can change results. It leaves out the title, the notes,
// the name of a program's file, the scheme beside for comparison (a run of its own),
// the view, the lesson, settings of a codec or approximation that is off, and overrides
// that repeat the preset's value. Two spellings of one run have one hash. Scenarios
// whose results may differ have different hashes.
func (s *Scenario) Hash() string { return digest.Hex(s.Bare().Canonical()) }

// Bare returns the scenario without the parts that change no result. Hash hashes its
// canonical form. It shares its bulk data with s.
func (s *Scenario) Bare() *Scenario {
	only := *s
	only.Title, only.Notes, only.Compare, only.View, only.Lesson = "", "", nil, nil, nil
	only.Scheme, only.Machine = only.Scheme.Effective(), only.Machine.effective()
	only.Version = only.oldestVersion()
	if only.Workload.PTX != nil {
		program := *only.Workload.PTX
		program.File = ""
		program.Modules = slices.Clone(program.Modules)
		for i := range program.Modules {
			program.Modules[i].File = ""
		}
		only.Workload.PTX = &program
	}
	return &only
}

// ShortHash is the beginning of a hash, for display.
func ShortHash(hash string) string { return hash[:min(len(hash), 12)] }

// LessonHash identifies a lesson: the whole scenario, including all texts.
func (s *Scenario) LessonHash() string { return digest.Hex(s.Canonical()) }
