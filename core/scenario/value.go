package scenario

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/setting"
	"github.com/burstscope/burstscope/core/system"
)

// Limits of any input in values and in nesting. The schema needs a tenth of each.
const (
	MaxDepth = 12
	MaxNodes = 4096
)

// Kind is the type of a Value.
type Kind uint8

const (
	IsMap Kind = iota
	IsList
	IsText
	IsInteger
	IsBinary
	IsOther // bool, float, null, date: nothing in the schema has these types
)

// Value is a node of the input in any format.
type Value struct {
	Kind   Kind
	Text   string // IsText: the text; IsInteger: decimal digits; IsOther: a description
	Binary []byte
	Keys   []string // IsMap: Keys[i] names Items[i]
	Items  []Value
	Where  string // place in the input
}

// Describe says what v is, for messages.
func (v *Value) Describe() string {
	switch v.Kind {
	case IsMap:
		return "a map"
	case IsList:
		return "a list"
	case IsText:
		return "the text " + fault.Quote(v.Text)
	case IsInteger:
		return "the number " + QuoteNumber(v.Text)
	case IsBinary:
		return fmt.Sprintf("%d bytes of binary data", len(v.Binary))
	}
	return v.Text
}

// QuoteNumber shortens the digits of a number for a message.
func QuoteNumber(s string) string {
	if len(s) > 24 {
		return s[:24] + "..."
	}
	return s
}

// binder fills structs from values. It lists and skips the values that it refuses, so
// that all faults of an input show at once.
type binder struct {
	errors fault.Errors
	// where remembers the place of each value bound, for faults found later.
	where map[string]string
}

func (b *binder) fault(v *Value, path, message, mend string) {
	b.errors.List = append(b.errors.List, fault.Fault{Path: path, Where: v.Where, Message: message, Mend: mend})
}

var (
	blobType = reflect.TypeFor[Blob]()
	// Parts of groups have one of two types, of the same kind.
	partType, memoryType = reflect.TypeFor[system.Part](), reflect.TypeFor[scheme.Memory]()
	// binaryType is binary data too, but in a string.
	binaryType = reflect.TypeFor[setting.Binary]()
	numberType = reflect.TypeFor[Number]()
	argType    = reflect.TypeFor[Arg]()
)

func isPart(t reflect.Type) bool { return t == partType || t == memoryType }

// bind sets dst, which is addressable and may hold defaults, from v.
func (b *binder) bind(v *Value, dst reflect.Value, path string) {
	b.where[path] = v.Where
	switch {
	case dst.Type() == blobType:
		if data, ok := b.blob(v, path); ok {
			dst.SetBytes(data)
		}
	case dst.Kind() == reflect.Pointer:
		if dst.IsNil() {
			dst.Set(reflect.New(dst.Type().Elem()))
			if c, ok := dst.Interface().(*Compare); ok {
				c.Scheme = scheme.Default()
			}
		}
		b.bind(v, dst.Elem(), path)
	case isPart(dst.Type()):
		b.bindPart(v, dst, path)
	case dst.Kind() == reflect.Map:
		into := Overrides{}
		b.bindOverrides(v, into, path, "")
		if len(into) > 0 {
			dst.Set(reflect.ValueOf(into))
		}
	case dst.Type() == argType && v.Kind == IsText: // a SPEC alone
		dst.Set(reflect.ValueOf(Arg{Spec: v.Text}))
	case dst.Type() == numberType && v.Kind == IsInteger:
		dst.SetString(v.Text)
	case dst.Kind() == reflect.Struct:
		b.bindStruct(v, dst, path)
	case dst.Kind() == reflect.Slice:
		if v.Kind != IsList {
			b.fault(v, path, "want a list, not "+v.Describe(), "write it as [a, b, ...]")
			return
		}
		list := reflect.MakeSlice(dst.Type(), len(v.Items), len(v.Items))
		for i := range v.Items {
			b.bind(&v.Items[i], list.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
		dst.Set(list)
	case dst.Kind() == reflect.String:
		if v.Kind != IsText {
			b.fault(v, path, "want text, not "+v.Describe(), "put it in quotes if it is meant as text")
			return
		}
		if !utf8.ValidString(v.Text) {
			b.fault(v, path, "the text is not UTF-8", "save it as UTF-8")
			return
		}
		dst.SetString(v.Text)
	default:
		b.bindInteger(v, dst, path)
	}
}

func (b *binder) bindInteger(v *Value, dst reflect.Value, path string) {
	const mend = "give a whole number, without quotes"
	if v.Kind != IsInteger {
		b.fault(v, path, "want a whole number, not "+v.Describe(), mend)
		return
	}
	if err := setInteger(dst, v.Text); err != nil {
		b.fault(v, path, v.Describe()+" "+err.Error(), mend)
	}
}

// setInteger parses text into dst, an int or a uint64.
func setInteger(dst reflect.Value, text string) error {
	if dst.Kind() == reflect.Uint64 {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return fmt.Errorf("is not a whole number from 0 to %d", uint64(1<<64-1))
		}
		dst.SetUint(n)
		return nil
	}
	// 32 bits on every target, so that native and wasm programs accept the same numbers.
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return fmt.Errorf("is not a whole number of at most %d", 1<<31-1)
	}
	dst.SetInt(n)
	return nil
}

// blob reads binary data.
func (b *binder) blob(v *Value, path string) (data []byte, ok bool) {
	switch v.Kind {
	case IsBinary:
		return v.Binary, true
	case IsText:
		clean := strings.NewReplacer("\n", "", "\r", "", " ", "").Replace(v.Text)
		data, err := base64.StdEncoding.DecodeString(clean)
		if err != nil {
			b.fault(v, path, "the text is not base64", "encode the bytes as base64")
			return nil, false
		}
		return data, true
	}
	b.fault(v, path, "want binary data, not "+v.Describe(), "give bin in msgpack, base64 in YAML and JSON")
	return nil, false
}

func (b *binder) bindStruct(v *Value, dst reflect.Value, path string) {
	if v.Kind != IsMap {
		what := path
		if what == "" {
			what = "a scenario"
		}
		b.fault(v, path, "want a map, not "+v.Describe(), "write "+what+" as key: value pairs ("+strings.Join(fieldNames(dst.Type()), ", ")+")")
		return
	}
	for i, key := range v.Keys {
		item, at := &v.Items[i], joinPath(path, key)
		if first := slices.Index(v.Keys, key); first < i {
			b.fault(item, at, "the key is given twice, first at "+v.Items[first].Where, "remove one of them")
			continue
		}
		field, ok := fieldByName(dst, key)
		if !ok {
			b.fault(item, joinPath(path, fault.Shorten(key)), "no such key", fault.MendWord(key, fieldNames(dst.Type())))
			continue
		}
		b.bind(item, field, at)
	}
}

func joinPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// fieldName returns the key of a struct field: the same word in all formats.
func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
	return name
}

// fieldsOf returns the fields of a struct that have keys. Fields of an embedded struct
// stand at its place.
func fieldsOf(t reflect.Type) []reflect.StructField {
	var fields []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous {
			fields = append(fields, f)
			continue
		}
		for _, inner := range fieldsOf(f.Type) {
			inner.Index = append([]int{i}, inner.Index...)
			fields = append(fields, inner)
		}
	}
	return fields
}

func fieldNames(t reflect.Type) []string {
	var names []string
	for _, f := range fieldsOf(t) {
		names = append(names, fieldName(f))
	}
	return names
}

func fieldByName(v reflect.Value, name string) (reflect.Value, bool) {
	for _, f := range fieldsOf(v.Type()) {
		if fieldName(f) == name {
			return v.FieldByIndex(f.Index), true
		}
	}
	return reflect.Value{}, false
}

// FromTree turns a tree into a valid scenario. The checks in more run after Validate, and
// their faults get places too.
func FromTree(v *Value, more ...func(*Scenario) error) (*Scenario, error) {
	s := Default("")
	s.Machine.Preset = defaultPreset
	b := binder{where: map[string]string{}}
	b.bind(v, reflect.ValueOf(s).Elem(), "")
	s.Machine.Preset = presetOf(s.Machine.Preset, s.Version)
	s.fillWorkload()
	given := func(path string) bool { _, ok := b.where[path]; return ok }
	// By default, thresholds follow the MAG, and both schemes of a comparison share the
	// MAG.
	if s.Compare != nil && !given("compare.memory.mag") {
		s.Compare.Memory.Put("mag", s.Memory.MAG())
	}
	if !given("memory.threshold") {
		s.Memory.Put("threshold", max(s.Memory.MAG(), 0)/2)
	}
	if s.Compare != nil && !given("compare.memory.threshold") {
		s.Compare.Memory.Put("threshold", max(s.Compare.Memory.MAG(), 0)/2)
	}
	s.complete()
	for _, check := range append([]func(*Scenario) error{(*Scenario).Validate, (*Scenario).checkContents}, more...) {
		e, _ := check(s).(*fault.Errors)
		if e == nil {
			continue
		}
		for _, f := range e.List {
			if b.faulty(f.Path) {
				continue // the default stands there instead of the text
			}
			f.Where = b.place(f.Path)
			b.errors.List = append(b.errors.List, f)
		}
	}
	if err := b.errors.OrNil(); err != nil {
		return nil, err
	}
	return s, nil
}

// faulty reports whether the binder has refused the value at path.
func (b *binder) faulty(path string) bool {
	for i := range b.errors.List {
		if b.errors.List[i].Path == path {
			return true
		}
	}
	return false
}

// place returns the place of path, or of the nearest map around it, in the input.
func (b *binder) place(path string) string {
	for {
		if where, ok := b.where[path]; ok {
			return where
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			return b.where[""]
		}
		path = path[:cut]
	}
}

// Decimal turns an integer of YAML (1_000, 0x10, 0o17, 0b1) into decimal digits.
func Decimal(s string) (string, bool) {
	s = strings.TrimPrefix(strings.ReplaceAll(s, "_", ""), "+")
	if n, err := strconv.ParseInt(s, 0, 64); err == nil {
		return strconv.FormatInt(n, 10), true
	}
	n, err := strconv.ParseUint(s, 0, 64)
	return strconv.FormatUint(n, 10), err == nil
}
