package scenario

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/scheme"
)

// Set changes the value at a dotted path, such as memory.codec. It checks that the path
// exists and that the value has the right type. Validate checks the rest, so several
// values can be set before they must fit together. A new workload.name brings the size
// and data of that workload.
func (s *Scenario) Set(path, text string) error {
	if override, ok := strings.CutPrefix(path, overridePrefix); ok {
		return s.Machine.set(override, text)
	}
	at := reflect.ValueOf(s).Elem()
	keys := strings.Split(path, ".")
	for i, key := range keys {
		if at.Kind() == reflect.Pointer {
			if at.IsNil() {
				at.Set(reflect.New(at.Type().Elem()))
				if c, ok := at.Interface().(*Compare); ok {
					c.Scheme = scheme.Default()
					c.Memory.Put("mag", s.Memory.MAG(), "threshold", s.Memory.MAG()/2)
				}
			}
			at = at.Elem()
		}
		field, ok := reflect.Value{}, false
		if at.Kind() == reflect.Struct {
			field, ok = fieldByName(at, key)
		}
		if !ok {
			return fault.At(fault.Shorten(path), "no such path", meantPath(path))
		}
		at = field
		if isPart(at.Type()) {
			return s.setPart(path, text)
		}
		if i < len(keys)-1 {
			continue
		}
		return s.assign(path, at, text)
	}
	return nil
}

func (s *Scenario) assign(path string, at reflect.Value, text string) error {
	switch {
	case at.Kind() == reflect.String:
		switch {
		case path == "workload.name" && text != s.Workload.Name:
			s.Workload = Workload{Name: text}
			s.fillWorkload()
			return nil
		case path == "machine.preset":
			text = presetOf(text, Version)
		}
		at.SetString(text)
	case at.Type() == blobType:
		return fault.At(path, "binary data cannot be set as text", "put it into the scenario's file")
	case at.Kind() == reflect.Int || at.Kind() == reflect.Uint64:
		digits, ok := Decimal(text)
		err := errors.New("is not a whole number")
		if ok {
			err = setInteger(at, digits)
		}
		if err != nil {
			return fault.At(path, fault.Quote(text)+" "+err.Error(), "give a whole number")
		}
	default:
		return fault.At(path, "this is a group of values", "set one of "+strings.Join(under(path), ", "))
	}
	return nil
}

// setPart changes the entry of a group or one of its settings.
func (s *Scenario) setPart(path, text string) error {
	g, p, key := s.partOf(path)
	if g == nil || key == "" {
		return fault.At(fault.Shorten(path), "this is a group of values", "set one of "+strings.Join(under(path), ", "))
	}
	if err := p.Set(g, key, text); err != nil {
		return err
	}
	if s.Version >= 1 && s.Version <= Version {
		s.Version = s.oldestVersion()
	}
	return nil
}

// meantPath names the path that is meant, which may be one of a value of the machine.
func meantPath(path string) string {
	paths := Paths()
	if fault.Nearest(path, paths) == "" {
		if near := fault.Nearest(path, parameter.Paths()); near != "" {
			return fmt.Sprintf("did you mean %q?", overridePrefix+near)
		}
	}
	return fault.MendWord(path, paths)
}

// Paths returns the paths that Set can set.
func Paths() []string { return leaves(reflect.TypeFor[Scenario](), "") }

func leaves(t reflect.Type, prefix string) []string {
	var paths []string
	for _, f := range fieldsOf(t) {
		path, ft := joinPath(prefix, fieldName(f)), f.Type
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		if isPart(ft) {
			for _, p := range scheme.Find(fieldName(f)).Paths() {
				paths = append(paths, strings.TrimSuffix(path, fieldName(f))+p)
			}
			continue
		}
		switch ft.Kind() {
		case reflect.Struct:
			paths = append(paths, leaves(ft, path)...)
		case reflect.String, reflect.Int, reflect.Uint64:
			paths = append(paths, path)
		}
	}
	return paths
}

func under(path string) []string {
	var found []string
	for _, p := range Paths() {
		if strings.HasPrefix(p, path+".") {
			found = append(found, p)
		}
	}
	return found
}

// Assignment splits "path=value" as the command line and permalinks write it.
func Assignment(text string) (path, value string, err error) {
	path, value, ok := strings.Cut(text, "=")
	if !ok || path == "" {
		return "", "", fault.At("", fmt.Sprintf("%s is not an assignment", fault.Quote(text)), "write path=value, such as memory.codec=e2mc16")
	}
	return path, value, nil
}
