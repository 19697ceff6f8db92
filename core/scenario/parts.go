package scenario

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
)

// bindPart reads the part of a group: one map of whole numbers and words.
func (b *binder) bindPart(v *Value, dst reflect.Value, path string) {
	if v.Kind != IsMap {
		b.fault(v, path, "want a map, not "+v.Describe(), "write its values as key: value pairs")
		return
	}
	part := system.Part{}
	for i, key := range v.Keys {
		item, at := &v.Items[i], joinPath(path, fault.Shorten(key))
		b.where[at] = item.Where
		if _, twice := part[key]; twice {
			b.fault(item, at, "the value is given twice", "remove one of them")
			continue
		}
		switch item.Kind {
		case IsInteger:
			n, err := strconv.ParseInt(item.Text, 10, 64)
			if err != nil {
				b.fault(item, at, item.Describe()+" is too large", "give a smaller number")
				continue
			}
			part[strings.Clone(key)] = n
		case IsText:
			part[strings.Clone(key)] = strings.Clone(item.Text)
		default:
			b.fault(item, at, "want a number or a word, not "+item.Describe(), "write 8, or a word in quotes")
		}
	}
	dst.Set(reflect.ValueOf(part))
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
