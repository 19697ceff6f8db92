package syntax

import (
	"maps"
	"slices"
	"strconv"

	"github.com/burstscope/burstscope/core/ptx"
)

func newScope(parent *Scope) *Scope {
	return &Scope{parent: parent, Names: map[string]*Symbol{}}
}

// Lookup finds a name in s or a scope around it. Registers of ranges such as
// %r<100> are created at the first look-up.
func (s *Scope) Lookup(name string) *Symbol {
	for ; s != nil; s = s.parent {
		if sym := s.Names[name]; sym != nil {
			return sym
		}
		if r := s.rangeOf(name); r != nil {
			sym := &Symbol{Kind: SymbolRegister, At: r.at, Register: newRegister(name, r.typ, r.vector)}
			s.Names[name] = sym
			return sym
		}
	}
	return nil
}

// rangeOf finds the declaration %r<n> that name is an element of.
func (s *Scope) rangeOf(name string) *registerRange {
	if len(s.ranges) == 0 {
		return nil
	}
	digits := len(name)
	for digits > 0 && isDigit(name[digits-1]) {
		digits--
	}
	for i := range s.ranges {
		r := &s.ranges[i]
		n := len(r.prefix)
		// The prefix itself may end in digits: %x1<4> declares %x10.
		if n < digits || n >= len(name) || name[:n] != r.prefix || name[n] == '0' && len(name) > n+1 {
			continue
		}
		if v, err := strconv.ParseUint(name[n:], 10, 64); err == nil && v < r.count {
			return r
		}
	}
	return nil
}

// taken returns where a name, or a name of a range, was declared before in the same scope.
func (s *Scope) taken(r *registerRange) (at Position, name string) {
	for i := range s.ranges {
		old := &s.ranges[i]
		switch {
		case r.count == 0 || old.count == 0:
		case r.prefix == old.prefix || s.rangeOf(r.prefix+"0") == old:
			return old.at, r.prefix + "0"
		case (&Scope{ranges: []registerRange{*r}}).rangeOf(old.prefix+"0") != nil:
			return old.at, old.prefix + "0"
		}
	}
	own := &Scope{ranges: []registerRange{*r}}
	for _, name := range slices.Sorted(maps.Keys(s.Names)) {
		if own.rangeOf(name) != nil {
			return s.Names[name].At, name
		}
	}
	return Position{}, ""
}

// declare adds a name; it returns the earlier declaration if there is one in
// the same scope.
func (s *Scope) declare(name string, sym *Symbol) *Symbol {
	if old := s.Names[name]; old != nil {
		return old
	}
	if r := s.rangeOf(name); r != nil {
		return &Symbol{Kind: SymbolRegister, At: r.at}
	}
	s.Names[name] = sym
	return nil
}

var VectorElements = [4][2]string{{"x", "r"}, {"y", "g"}, {"z", "b"}, {"w", "a"}}

func newRegister(name string, typ ptx.Scalar, vector int) *Register {
	r := &Register{Name: name, Type: typ}
	if typ == ptx.TypeB128 { // two 64-bit registers, which are never named
		r.Vector = []*Register{{Name: name, Type: ptx.TypeB64}, {Name: name, Type: ptx.TypeB64}}
		return r
	}
	for i := range min(vector, 4) {
		r.Vector = append(r.Vector, &Register{Name: name + "." + VectorElements[i][0], Type: typ})
	}
	return r
}

// ElementIndex returns which element .x .y .z .w (or .r .g .b .a) names, or -1.
func ElementIndex(word string) int {
	for i, names := range VectorElements {
		if word == names[0] || word == names[1] {
			return i
		}
	}
	return -1
}
