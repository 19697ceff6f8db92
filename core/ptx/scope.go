package ptx

import "strconv"

func newScope(parent *scope) *scope {
	return &scope{parent: parent, names: map[string]*symbol{}}
}

// lookup finds a name in s or a scope around it. Registers of ranges such as
// %r<100> come into being when they are first asked for.
func (s *scope) lookup(name string) *symbol {
	for ; s != nil; s = s.parent {
		if sym := s.names[name]; sym != nil {
			return sym
		}
		if r := s.rangeOf(name); r != nil {
			sym := &symbol{kind: symbolRegister, at: r.at, register: newRegister(name, r.typ, r.vector)}
			s.names[name] = sym
			return sym
		}
	}
	return nil
}

// rangeOf finds the declaration %r<n> that name is an element of.
func (s *scope) rangeOf(name string) *registerRange {
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

// declare adds a name; it returns the earlier declaration if there is one in
// the same scope.
func (s *scope) declare(name string, sym *symbol) *symbol {
	if old := s.names[name]; old != nil {
		return old
	}
	s.names[name] = sym
	return nil
}

var vectorElements = [4][2]string{{"x", "r"}, {"y", "g"}, {"z", "b"}, {"w", "a"}}

func newRegister(name string, typ scalar, vector int) *register {
	r := &register{name: name, typ: typ}
	if typ == typeB128 { // two 64-bit registers, which are never named
		r.vector = []*register{{name: name, typ: typeB64}, {name: name, typ: typeB64}}
		return r
	}
	for i := range min(vector, 4) {
		r.vector = append(r.vector, &register{name: name + "." + vectorElements[i][0], typ: typ})
	}
	return r
}

// elementIndex returns which element .x .y .z .w (or .r .g .b .a) names, or -1.
func elementIndex(word string) int {
	for i, names := range vectorElements {
		if word == names[0] || word == names[1] {
			return i
		}
	}
	return -1
}
