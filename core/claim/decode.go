package claim

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
)

// reader reads the files of a paper into structures and collects faults.
type reader struct {
	faults []error
	// Sets that a figure may use.
	setOf    func(name string) []string
	setNames []string
}

// checked is a structure with rules beside its fields.
type checked interface {
	check(r *reader, v *scenario.Value)
}

// Types of fields that are read in their own way.
type (
	pairs  [][2]string // a map in the order of the file, from paths to texts or whole numbers
	number string      // a number, written as a text
)

// Tags of fields: key names the key of a field, or what it gets. A word after it is the only one that a flag takes.
const (
	keyTag   = "key"
	nameKey  = "*"   // the key under which the structure stands in a map
	wholeKey = "="   // the value under that key, which is no map
	whereKey = "@"   // the place in the file
	restKey  = "..." // the keys that no other field has
)

func (r *reader) fault(v *scenario.Value, message string) {
	r.faults = append(r.faults, fmt.Errorf("%s: %s. Correct the line", v.Where, message))
}

// read reads a whole file.
func (r *reader) read(v *scenario.Value, dst any) {
	r.repeated(v)
	r.fields("", v, reflect.ValueOf(dst).Elem())
}

// repeated finds the keys that any map of a tree has twice.
func (r *reader) repeated(v *scenario.Value) {
	for i := range v.Items {
		if v.Kind == scenario.IsMap {
			if first := slices.Index(v.Keys, v.Keys[i]); first < i {
				r.fault(&v.Items[i], fmt.Sprintf("the key %s is given twice, first at %s: remove one of them",
					fault.Quote(v.Keys[i]), v.Items[first].Where))
			}
		}
		r.repeated(&v.Items[i])
	}
}

// under returns the value under a key of a map, or the map if it has none.
func under(v *scenario.Value, key string) *scenario.Value {
	if i := slices.Index(v.Keys, key); i >= 0 {
		return &v.Items[i]
	}
	return v
}

// is reports whether a value is of a kind, and its fault otherwise.
func (r *reader) is(v *scenario.Value, kind scenario.Kind, word string) bool {
	if v.Kind != kind {
		r.fault(v, "this must be "+word+", not "+v.Describe())
	}
	return v.Kind == kind
}

// into reads a value into a place.
func (r *reader) into(v *scenario.Value, at reflect.Value) {
	f, err := strconv.ParseFloat(v.Text, 64)
	isNumber := err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) && v.Kind != scenario.IsOther
	switch at.Kind() {
	case reflect.Pointer:
		at.Set(reflect.New(at.Type().Elem()))
		r.into(v, at.Elem())
	case reflect.Interface: // a value of predicates
		if v.Kind == scenario.IsInteger {
			at.Set(reflect.ValueOf(starlark.MakeInt(int(f))))
		} else if r.is(v, scenario.IsText, "text") {
			at.Set(reflect.ValueOf(starlark.String(v.Text)))
		}
	case reflect.String:
		if at.Type() == reflect.TypeFor[number]() {
			if at.SetString(v.Text); !isNumber {
				r.fault(v, "this must be a number in quotes")
			}
		} else if r.is(v, scenario.IsText, "text") {
			at.SetString(v.Text)
		}
	case reflect.Int:
		n, err := strconv.Atoi(v.Text)
		if at.SetInt(int64(n)); v.Kind != scenario.IsInteger || err != nil {
			r.fault(v, "this must be a whole number")
		}
	case reflect.Map:
		at.Set(reflect.MakeMap(at.Type()))
		r.each(v, func(key string, item *scenario.Value) {
			one := reflect.New(at.Type().Elem()).Elem()
			r.into(item, one)
			at.SetMapIndex(reflect.ValueOf(key), one)
		})
	case reflect.Slice:
		r.slice(v, at)
	default:
		r.fields("", v, at)
	}
}

// each visits the entries of a map.
func (r *reader) each(v *scenario.Value, visit func(key string, item *scenario.Value)) {
	if r.is(v, scenario.IsMap, "a map") {
		for i, key := range v.Keys {
			visit(key, &v.Items[i])
		}
	}
}

// slice reads a list, or a map into a list of structures that have its keys.
func (r *reader) slice(v *scenario.Value, at reflect.Value) {
	of := at.Type().Elem()
	plain := of
	if of.Kind() == reflect.Pointer {
		plain = of.Elem()
	}
	add := func(key string, item *scenario.Value) {
		one := reflect.New(plain)
		switch {
		case plain.Kind() == reflect.Array:
			if item.Kind != scenario.IsText && item.Kind != scenario.IsInteger {
				r.fault(item, "a setting is text or a whole number: put other values in quotes")
			}
			one.Elem().Index(0).SetString(key)
			one.Elem().Index(1).SetString(item.Text)
		case plain.Kind() == reflect.Struct:
			r.fields(key, item, one.Elem())
		default:
			r.into(item, one.Elem())
		}
		if of == plain {
			one = one.Elem()
		}
		at.Set(reflect.Append(at, one))
	}
	if _, _, named := fieldOf(plain, nameKey); named || plain.Kind() == reflect.Array {
		r.each(v, add)
	} else if r.is(v, scenario.IsList, "a list") {
		for i := range v.Items {
			add("", &v.Items[i])
		}
	}
}

// fields reads a structure, which may have a name.
func (r *reader) fields(name string, v *scenario.Value, at reflect.Value) {
	field := func(key string) (f reflect.Value, word string, there bool) {
		i, word, there := fieldOf(at.Type(), key)
		if there { // it may be unexported: the structures are the package's own
			f = reflect.NewAt(at.Type().Field(i).Type, at.Field(i).Addr().UnsafePointer()).Elem()
		}
		return f, word, there
	}
	for _, own := range [][2]string{{nameKey, name}, {whereKey, v.Where}} {
		if f, _, there := field(own[0]); there {
			f.SetString(own[1])
		}
	}
	if f, _, there := field(wholeKey); there {
		r.into(v, f)
	} else {
		r.each(v, func(key string, item *scenario.Value) {
			f, word, there := field(key)
			switch {
			case there && f.Kind() == reflect.Bool:
				if f.SetBool(item.Text == word); !f.Bool() {
					r.fault(item, "this must be "+word+", or be left out")
				}
			case there:
				r.into(item, f)
			default:
				if f, _, there = field(restKey); !there {
					r.fault(item, "unknown key "+fault.Quote(key)+": "+nearest(key, keysOf(at.Type())))
					return
				}
				rest := &scenario.Value{Kind: scenario.IsMap, Keys: []string{key}, Items: []scenario.Value{*item}}
				r.into(rest, f)
			}
		})
	}
	if c, is := at.Addr().Interface().(checked); is {
		c.check(r, v)
	}
}

// fieldOf returns the place of the field of a structure with a key, and the word of its tag.
func fieldOf(of reflect.Type, key string) (at int, word string, there bool) {
	for at = 0; of.Kind() == reflect.Struct && at < of.NumField(); at++ {
		name, word, _ := strings.Cut(of.Field(at).Tag.Get(keyTag), ",")
		if name == key {
			return at, word, true
		}
	}
	return 0, "", false
}
