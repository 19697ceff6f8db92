package ptx

// maxVariableBytes bounds one variable; device memory is smaller.
const maxVariableBytes = 1 << 36

// maxRegisterRange bounds %r<n>; compilers stay far below it.
const maxRegisterRange = 1 << 24

// registers reads the rest of a .reg declaration.
func (p *parser) registers() {
	vector := p.vectorWord()
	t := p.peek()
	typ := p.typeWord()
	if !p.failed && typ == typeNone {
		p.fail(t.at, "want a type, found %s", t.describe())
	}
	p.checkRegister(t.at, typ, vector)
	for !p.failed {
		name, at := p.name("a register name")
		if p.accept("<") {
			n := p.take()
			if n.kind != tokenInteger {
				p.fail(n.at, "want the number of registers, found %s", n.describe())
			} else if n.value > maxRegisterRange {
				p.fail(n.at, "%d registers: at most %d can be declared at once", n.value, maxRegisterRange)
			}
			p.expect(">")
			p.scope.ranges = append(p.scope.ranges, registerRange{name, typ, vector, n.value, at})
		} else if !p.failed {
			p.declare(name, &symbol{kind: symbolRegister, at: at, register: newRegister(name, typ, vector)})
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

// checkRegister refuses vectors that no register holds.
func (p *parser) checkRegister(at position, typ scalar, vector int) {
	switch {
	case vector != 0 && (typ == typePred || typ == typeB128):
		p.fail(at, "there are no vectors of .%s registers: declare them one by one", typ)
	case vector != 0 && vector != 2 && vector != 4:
		p.fail(at, "a vector register has 2 or 4 elements: use .v2 or .v4")
	}
}

func (p *parser) declare(name string, sym *symbol) {
	if p.failed {
		return
	}
	if old := p.scope.declare(name, sym); old != nil {
		p.fail(sym.at, "%s is already declared at line %d", name, old.at.line)
	}
}

func (p *parser) vectorWord() int {
	switch {
	case p.acceptDot("v2"):
		return 2
	case p.acceptDot("v4"):
		return 4
	case p.acceptDot("v3"):
		return 3
	case p.acceptDot("v8"):
		return 8
	}
	return 0
}

// typeWord takes a type if one is next.
func (p *parser) typeWord() scalar {
	if t := p.peek(); !p.failed && t.kind == tokenDot {
		if typ := scalarByName(t.text); typ != typeNone {
			p.next++
			if !typ.isFundamental() {
				p.fail(t.at, "nothing can be declared as .%s, which only instructions know: use .b%d", typ, typ.bits())
			}
			return typ
		}
	}
	return typeNone
}

// attributes reads what may stand between a state space and a name: alignment,
// vector, type, pointer attributes, in any order.
func (p *parser) attributes(v *variable) {
	pointer := false
	for !p.failed {
		t := p.peek()
		if t.kind != tokenDot {
			break
		}
		if typ := p.typeWord(); typ != typeNone {
			v.typ = typ
			continue
		}
		if n := p.vectorWord(); n != 0 {
			v.vector = n
			continue
		}
		p.next++
		switch t.text {
		case "align":
			n := p.take()
			if n.kind != tokenInteger || n.value == 0 || n.value&(n.value-1) != 0 || n.value > 1<<16 {
				p.fail(n.at, "alignment must be a power of two up to 65536")
			} else if !pointer { // after .ptr it is the alignment of what is pointed to
				v.align = n.value
			}
		case "ptr":
			pointer = true
		case "global", "const", "shared", "local", "volatile":
		case "attribute":
			p.skipParentheses(t)
		case "texref", "samplerref", "surfref":
			p.refuse(t.at, "type .%s", t.text)
		default:
			p.fail(t.at, "unexpected .%s in a declaration", t.text)
		}
	}
	if !p.failed && v.typ == typeNone {
		p.fail(p.peek().at, "want a type, found %s", p.peek().describe())
	}
}

// arrayBytes reads [n][m]... and sets the size of v.
func (p *parser) arrayBytes(v *variable) {
	elem := uint64(v.typ.bytes()) * uint64(max(v.vector, 1))
	if v.vector == 3 {
		elem = uint64(v.typ.bytes()) * 4
	}
	if v.align == 0 {
		v.align = elem
	}
	v.bytes = elem
	for p.accept("[") {
		if p.accept("]") {
			v.flexible = true
			v.bytes = 0
			continue
		}
		n := p.constant()
		p.expect("]")
		if p.failed {
			return
		}
		if n != 0 && v.bytes > maxVariableBytes/n {
			p.fail(v.at, "%s is larger than %d bytes", v.name, uint64(maxVariableBytes))
			return
		}
		v.bytes *= n
	}
}

// variables reads the rest of a declaration in an addressable space.
func (p *parser) variables(space Space, extern bool) {
	if space == SpaceConst && p.accept("[") { // bank numbers of PTX 1.x and 2.x
		p.take()
		p.expect("]")
	}
	proto := variable{space: space, extern: extern, owner: p.fn}
	p.attributes(&proto)
	for !p.failed {
		v := new(variable)
		*v = proto
		v.name, v.at = p.name("a variable name")
		if space == SpaceParam && p.accept("<") { // .param .b32 p<4> is legal, if rare
			p.refuse(v.at, "numbered .param variables")
		}
		p.arrayBytes(v)
		if p.accept("=") {
			p.initializer(v)
		}
		if v.flexible && v.bytes == 0 && !extern {
			p.fail(v.at, "%s has no size", v.name)
		}
		p.declareVariable(v)
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

func (p *parser) declareVariable(v *variable) {
	if p.failed {
		return
	}
	if p.fn == nil {
		if old := p.scope.names[v.name]; old != nil && old.kind == symbolVariable && (old.variable.extern || v.extern) {
			if !v.extern { // the definition after an .extern declaration
				*old.variable = *v
			}
			return
		}
		p.module.variables = append(p.module.variables, v)
	} else if v.space == SpaceGlobal || v.space == SpaceConst {
		v.scoped = p.fn.name + "." + v.name
		p.module.variables = append(p.module.variables, v)
	} else {
		p.fn.variables = append(p.fn.variables, v)
	}
	p.declare(v.name, &symbol{kind: symbolVariable, at: v.at, variable: v})
}

// initializer reads = value or = {list}, nested as deep as the array.
func (p *parser) initializer(v *variable) {
	var offset uint64
	elem := uint64(v.typ.bytes())
	if p.accept("{") {
		p.initList(v, &offset, 1)
	} else {
		p.initValue(v, &offset)
	}
	if p.failed {
		return
	}
	if v.flexible && v.bytes == 0 {
		v.bytes = (offset + elem - 1) / elem * elem
	}
	if offset > v.bytes {
		p.fail(v.at, "%s has %d bytes but its initial value has %d", v.name, v.bytes, offset)
	}
	if v.space != SpaceGlobal && v.space != SpaceConst {
		p.fail(v.at, "%s: only .global and .const variables may have an initial value", v.name)
	}
}

func (p *parser) initList(v *variable, offset *uint64, depth int) {
	for !p.failed {
		switch {
		case p.accept("}"):
			return
		case depth < 8 && p.accept("{"):
			p.initList(v, offset, depth+1)
		default:
			p.initValue(v, offset)
		}
		if !p.accept(",") {
			p.expect("}")
			return
		}
	}
}

func (p *parser) initValue(v *variable, offset *uint64) {
	t := p.peek()
	piece := initPiece{offset: *offset, bytes: v.typ.bytes(), at: t.at}
	*offset += uint64(piece.bytes)
	switch {
	case t.kind == tokenString && piece.bytes == 1:
		p.next++
		for i := range len(t.text) {
			v.put(piece.offset+uint64(i), 1, uint64(t.text[i]))
		}
		*offset += uint64(len(t.text)) - 1
		return
	case t.kind == tokenName && t.text == "generic" && p.tokens[p.next+1].is("("):
		p.next += 2
		piece.name, _ = p.name("a variable name")
		piece.generic = true
		p.expect(")")
		piece.value = p.plusConstant()
	case t.kind == tokenName && t.text != "WARP_SZ":
		piece.name, _ = p.name("a variable name")
		piece.value = p.plusConstant()
	case t.kind == tokenInteger && p.tokens[p.next+1].is("("):
		// mask operator: 0xFF00(name) is the second byte of the address
		p.next += 2
		piece.masked = true
		for m := t.value; m != 0 && m&0xff == 0; m >>= 8 {
			piece.shift += 8
		}
		generic := p.peek().kind == tokenName && p.peek().text == "generic" && p.tokens[p.next+1].is("(")
		if generic {
			p.next += 2
			piece.generic = true
		}
		piece.name, _ = p.name("a variable name")
		if generic {
			p.expect(")")
		}
		piece.value = p.plusConstant()
		p.expect(")")
	default:
		if value := p.typedConstant(v.typ); value != 0 {
			v.put(piece.offset, piece.bytes, value)
		}
		return
	}
	v.init = append(v.init, piece)
}

// put writes a number of the initial value.
func (v *variable) put(offset uint64, bytes int, value uint64) {
	for uint64(len(v.plain)) < offset+uint64(bytes) {
		v.plain = append(v.plain, 0)
	}
	for k := range bytes {
		v.plain[offset+uint64(k)] = byte(value >> (8 * k))
	}
}

// plusConstant reads an optional "+ constant" or "- constant".
func (p *parser) plusConstant() uint64 {
	if p.accept("+") {
		return p.constant()
	}
	if p.accept("-") {
		return -p.constant()
	}
	return 0
}
