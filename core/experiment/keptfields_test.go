package experiment

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// filled gives every field under v a value, by reflection, so that a new field is filled too. Lists and maps get one
// entry. A list of what it lies in, such as the steps of a loop, stays empty.
func filled(v reflect.Value, within ...reflect.Type) {
	within = append(slices.Clip(within), v.Type())
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), within...)
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i), within...)
		}
	case reflect.Slice:
		if slices.Contains(within, v.Type().Elem()) {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		filled(v.Index(0), within...)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), reflect.ValueOf(int64(3)))
	case reflect.String:
		v.SetString("text")
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(3)
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("no value of " + v.Type().String())
	}
}

// changed calls visit with the path of each leaf under v while the leaf has another value.
func changed(path string, v reflect.Value, visit func(path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		changed(path, v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			changed(path+"."+v.Type().Field(i).Name, v.Field(i), visit)
		}
	case reflect.Slice:
		if v.Len() > 0 {
			changed(path+"[]", v.Index(0), visit)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			old := v.MapIndex(key)
			other := reflect.New(old.Elem().Type()).Elem()
			if other.Kind() == reflect.String {
				other.SetString(old.Elem().String() + "x")
			} else {
				other.SetInt(old.Elem().Int() + 1)
			}
			v.SetMapIndex(key, other)
			visit(strings.TrimPrefix(path, ".") + "." + key.String())
			v.SetMapIndex(key, old)
		}
	default:
		old := reflect.ValueOf(v.Interface())
		switch v.Kind() {
		case reflect.String:
			v.SetString(v.String() + "x")
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Int, reflect.Int64:
			v.SetInt(v.Int() + 1)
		default:
			v.SetUint(v.Uint() + 1)
		}
		visit(strings.TrimPrefix(path, "."))
		v.Set(old)
	}
}

// Every field of a scenario is in the keys of what is kept: each is changed in turn, found by reflection, so a new field
// cannot be forgotten. The fields that a key leaves out stand here, each with the reason.
func TestKeysHoldEveryField(t *testing.T) {
	s := &scenario.Scenario{}
	filled(reflect.ValueOf(s).Elem())
	// The settings of an entry that is off count for no run: here all count.
	s.Machine = scenario.Machine{Preset: preset.Names()[0], Overrides: scenario.Overrides{"dramMHz": int64(900)}}
	s.Memory = scheme.DefaultMemory().With("codec", "e2mc16", "module", scheme.DefaultMemory().Module()+"text", "probabilities", "online", "decodingWays", 4, "mag", 32, "approximation", "tslc-opt", "threshold", 16, "latency", "1/1", "header", "literal", "prediction", "literal", "clut", "sets", "sample", 20)
	within := func(path string, of ...string) bool {
		return slices.ContainsFunc(of, func(f string) bool {
			return path == f || strings.HasPrefix(path, f+".") || strings.HasPrefix(path, f+"[")
		})
	}
	// words change no run; the version says what the name of a preset means, and the key holds the machine it means.
	words := slices.Clip([]string{
		"Version", "Title", "Notes", "Compare", "View", "Lesson", "Workload.PTX.File", "Workload.PTX.Modules[].File",
	})
	keys := []struct {
		name string
		key  func() string
		not  []string
	}{
		{"a side", func() string { return SideKey(s) }, nil},
		// A module counts for the codec plugin only (TestKeysHoldTheModule).
		{"a result", s.Hash, append(words, "Scheme.Memory.module")},
		// No scheme and no clock changes the exact output. The machine's memory and its limit of instructions are in the key.
		{"an exact output", func() string {
			key, err := KeptExactKey(s)
			return fmt.Sprint(key, err)
		}, append(words, "Scheme", "Machine.Overrides")},
		// Symbols are counted in a run without compression, of which a scheme decides the MAG and which symbols.
		{"tables", func() string {
			offline := *s
			offline.Memory.Put("approximation", strings.Replace(s.Memory.Approximation(), "tslc-opt", "none", 1), "probabilities", "offline")
			return TablesKey(&offline)
		}, append(words, "Scheme.L1", "Scheme.Loads", "Scheme.Backing", "Scheme.Memory.module", "Scheme.Memory.probabilities", "Scheme.Memory.decodingWays",
			"Scheme.Memory.threshold", "Scheme.Memory.latency", "Scheme.Memory.header", "Scheme.Memory.prediction",
			"Scheme.Memory.clut", "Scheme.Memory.sample")},
	}
	for _, k := range keys {
		before, leaves := k.key(), 0
		changed("", reflect.ValueOf(s).Elem(), func(path string) {
			leaves++
			same := k.key() == before
			if out := within(path, k.not...); same && !out {
				t.Errorf("%s is not in the key of %s", path, k.name)
			} else if out && !same {
				t.Errorf("%s is in the key of %s, and the test says that it is not", path, k.name)
			}
		})
		if leaves < 80 || before == "" || k.key() != before {
			t.Errorf("%s: %d fields, key %q", k.name, leaves, before)
		}
	}
}
