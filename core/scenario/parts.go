package scenario

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/setting"
	"github.com/burstscope/burstscope/core/system"
)

// bindPart reads the part of a group: one map of whole numbers and words.
func (b *binder) bindPart(v *Value, dst reflect.Value, path string) {
	if v.Kind != IsMap {
		b.fault(v, path, "want a map, not "+v.Describe(), "write its values as key: value pairs")
		return
	}
	part := dst.Convert(partType).Interface().(system.Part).Clone() // the defaults
	if part == nil {
		part = system.Part{}
	}
	group := scheme.Find(path[strings.LastIndexByte(path, '.')+1:])
	for i, key := range v.Keys {
		item, at := &v.Items[i], joinPath(path, fault.Shorten(key))
		b.where[at] = item.Where
		if first := slices.Index(v.Keys, key); first < i {
			b.fault(item, at, "the key is given twice, first at "+v.Items[first].Where, "remove one of them")
			continue
		}
		f := group.Setting("", key)
		if f != nil && f.Binary {
			if data, ok := b.blob(item, at); ok {
				part[strings.Clone(key)] = setting.Binary(data)
			}
			continue
		}
		var value any
		switch item.Kind {
		case IsInteger:
			n, err := strconv.ParseInt(item.Text, 10, 64)
			if err != nil {
				b.fault(item, at, item.Describe()+" is too large", "give a smaller number")
				continue
			}
			value = n
		case IsText:
			value = strings.Clone(item.Text)
		default:
			b.fault(item, at, "want a number or a word, not "+item.Describe(), "write 8, or a word such as on or off")
			continue
		}
		if f != nil && f.WrongType(value) != "" {
			b.fault(item, at, f.WrongType(value), f.Span())
			continue
		}
		part[strings.Clone(key)] = value
	}
	dst.Set(reflect.ValueOf(part).Convert(dst.Type()))
}

// partOf returns the group and the part of a path, and the key in the part; nil if the
// path has no part.
func (s *Scenario) partOf(path string) (g *system.Group, p *system.Part, key string) {
	of := &s.Scheme
	if rest, compared := strings.CutPrefix(path, "compare."); compared && s.Compare != nil {
		of, path = &s.Compare.Scheme, rest
	}
	group, key, ok := strings.Cut(path, ".")
	if !ok {
		return nil, nil, ""
	}
	return scheme.Find(group), of.Part(group), key
}
