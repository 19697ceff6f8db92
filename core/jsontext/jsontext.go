// Package jsontext writes JSON for programs that leave out encoding/json, which would be a tenth of the page's
// engine. Its text is that of encoding/json with SetEscapeHTML(false), but bytes that are no UTF-8 and the separators
// U+2028 and U+2029 stay as they are.
package jsontext

import (
	"encoding/base64"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Append appends v to b as encoding/json writes it, by the same tags and methods of values. Numbers that JSON lacks
// become null. It panics on a type that has no form in JSON, and on an error of MarshalJSON or MarshalText.
func Append(b []byte, v any) []byte { return appendValue(b, reflect.ValueOf(v)) }

// AppendQuote appends a text in quotes, as JSON.stringify of ECMA-262 does.
func AppendQuote(b []byte, text string) []byte {
	const short, hex = "\b\t\n\f\r\"\\", "0123456789abcdef"
	b = append(b, '"')
	plain := 0 // text before it is written
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(append(b, text[plain:i]...), '\\')
		if at := strings.IndexByte(short, c); at >= 0 {
			b = append(b, `btnfr"\`[at])
		} else {
			b = append(b, 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		plain = i + 1
	}
	return append(append(b, text[plain:]...), '"')
}

func appendValue(b []byte, v reflect.Value) []byte {
	if !v.IsValid() {
		return append(b, "null"...)
	}
	if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface && v.Type().NumMethod() > 0 {
		switch of := v.Interface().(type) {
		case interface{ MarshalJSON() ([]byte, error) }:
			return append(b, sure(of.MarshalJSON())...)
		case interface{ MarshalText() ([]byte, error) }:
			return AppendQuote(b, string(sure(of.MarshalText())))
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.String:
		return AppendQuote(b, v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return appendFloat(b, v.Float(), v.Type().Bits())
	case reflect.Pointer, reflect.Interface:
		return appendValue(b, v.Elem())
	case reflect.Slice, reflect.Array:
		return appendList(b, v)
	case reflect.Map:
		return appendMap(b, v)
	case reflect.Struct:
		b, _ = appendFields(append(b, '{'), v, true)
		return append(b, '}')
	}
	panic("jsontext: a " + v.Type().String() + " has no form in JSON")
}

func sure(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

func appendFloat(b []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, "null"...)
	}
	// As ECMA-262 writes a number, with the exponents at which encoding/json begins to use them.
	small, large := 1e-6, 1e21
	if bits == 32 {
		small, large = float64(float32(small)), float64(float32(large))
	}
	format := byte('f')
	if size := math.Abs(f); size != 0 && (size < small || size >= large) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, f, format, -1, bits)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-2] == '0' {
		b = append(b[:n-2], b[n-1]) // e-09 is e-9
	}
	return b
}

func appendList(b []byte, v reflect.Value) []byte {
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			return append(b, "null"...)
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			b = base64.StdEncoding.AppendEncode(append(b, '"'), v.Bytes())
			return append(b, '"')
		}
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, v.Index(i))
	}
	return append(b, ']')
}

// appendMap writes the values in the order of their keys, which are texts.
func appendMap(b []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return append(b, "null"...)
	}
	var names []string
	values := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		names = append(names, key.String())
		values[key.String()] = v.MapIndex(key)
	}
	slices.Sort(names)
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendQuote(b, name), ':')
		b = appendValue(b, values[name])
	}
	return append(b, '}')
}

// field is how a field of a struct is written.
type field struct {
	at      int
	key     string // in quotes, with a colon; empty for an embedded struct, whose fields belong to the one around it
	omitted func(reflect.Value) bool
}

// forms keeps the fields of each type of struct: to read their tags takes longer than to write them.
var forms = struct {
	sync.Mutex
	of map[reflect.Type][]field
}{of: map[reflect.Type][]field{}}

func fieldsOf(t reflect.Type) []field {
	forms.Lock()
	defer forms.Unlock()
	if known, is := forms.of[t]; is {
		return known
	}
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if f.Anonymous && tag == "" {
			fields = append(fields, field{at: i})
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		if tag == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		one := field{at: i, key: string(append(AppendQuote(nil, name), ':'))}
		switch option {
		case "omitempty":
			one.omitted = empty
		case "omitzero":
			one.omitted = reflect.Value.IsZero
		}
		fields = append(fields, one)
	}
	forms.of[t] = fields
	return fields
}

// appendFields writes the fields of a struct; first says that the object has none so far, and the same is returned.
func appendFields(b []byte, v reflect.Value, first bool) ([]byte, bool) {
	for _, f := range fieldsOf(v.Type()) {
		value := v.Field(f.at)
		if f.key == "" {
			b, first = appendFields(b, value, first)
			continue
		}
		if f.omitted != nil && f.omitted(value) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		b, first = appendValue(append(b, f.key...), value), false
	}
	return b, first
}

// empty is what omitempty leaves out.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
