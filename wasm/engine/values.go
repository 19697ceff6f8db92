//go:build js

package main

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strings"
	"syscall/js"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/setting"
)

// toJS builds the object that encoding/json and JSON.parse would make of v, with the
// same order of keys. It does not use encoding/json, which would be a tenth of the
// engine's size.
func toJS(v any) js.Value { return js.ValueOf(plain(reflect.ValueOf(v))) }

// plain returns a value that js.ValueOf accepts. Numbers become JavaScript numbers, as
// in JSON.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		if v.Type() == reflect.TypeFor[setting.Binary]() {
			return base64.StdEncoding.EncodeToString([]byte(v.String())) // its bytes are no text
		}
		if v.Type() == reflect.TypeFor[scenario.Number]() {
			return plain(reflect.ValueOf(scenario.Number(v.String()).Plain()))
		}
		return v.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return float64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return float64(v.Uint())
	case reflect.Float32, reflect.Float64:
		return v.Float()
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Slice, reflect.Array:
		return plainList(v)
	case reflect.Map:
		if m, is := v.Interface().(scheme.Memory); is {
			return plainValues(v, m.Keys())
		}
		return plainMap(v)
	case reflect.Struct:
		return plainStruct(v)
	}
	panic("engine: a " + v.Type().String() + " has no form in JavaScript")
}

func plainList(v reflect.Value) any {
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			return nil
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return base64.StdEncoding.EncodeToString(v.Bytes())
		}
	}
	list := make([]any, v.Len())
	for i := range list {
		list[i] = plain(v.Index(i))
	}
	return list
}

// plainMap builds the object itself, because js.ValueOf sets the keys of a map in random
// order.
func plainMap(v reflect.Value) any {
	var names []string
	for _, key := range v.MapKeys() {
		names = append(names, key.String())
	}
	slices.Sort(names)
	return plainValues(v, names)
}

// plainValues builds the object of a map's values in an order.
func plainValues(v reflect.Value, names []string) any {
	out := js.Global().Get("Object").New()
	for _, name := range names {
		out.Set(name, plain(v.MapIndex(reflect.ValueOf(name))))
	}
	return out
}

// plainStruct follows the tags of encoding/json.
func plainStruct(v reflect.Value) any {
	out := js.Global().Get("Object").New()
	setFields(out, v)
	return out
}

func setFields(out js.Value, v reflect.Value) {
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		if field.Anonymous && field.Tag.Get("json") == "" {
			setFields(out, value) // an embedded struct's fields belong to the struct around it
			continue
		}
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || option == "omitempty" && absent(value) {
			continue
		}
		if name == "" {
			name = field.Name
		}
		out.Set(name, plain(value))
	}
}

// absent reports whether encoding/json's omitempty would leave the value out.
func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}
