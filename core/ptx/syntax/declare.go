package syntax

import "github.com/burstscope/burstscope/core/ptx"

// maxVariableBytes bounds one variable. Device memory is smaller.
const maxVariableBytes = 1 << 36

// maxRegisterRange bounds %r<n>; compilers stay far below it.
const maxRegisterRange = 1 << 24

// registers reads the rest of a .reg declaration.
func (p *parser) registers() {
	vector := p.vectorWord()
	t := p.peek()
	typ := p.typeWord()
	if !p.failed && typ == ptx.TypeNone {
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
			r := registerRange{name, typ, vector, n.value, at}
			if before, name := p.scope.taken(&r); name != "" {
				p.fail(at, "%s is already declared at line %d", name, before.Line)
			}
			p.scope.ranges = append(p.scope.ranges, r)
		} else if !p.failed {
			p.declare(name, &Symbol{Kind: SymbolRegister, At: at, Register: newRegister(name, typ, vector)})
		}
		if p.ends(";", at) {
			return
		}
	}
}

// checkRegister refuses vectors that no register holds.
func (p *parser) checkRegister(at Position, typ ptx.Scalar, vector int) {
	switch {
	case vector != 0 && (typ == ptx.TypePred || typ == ptx.TypeB128):
		p.fail(at, "there are no vectors of .%s registers: declare them one by one", typ)
	case vector != 0 && vector != 2 && vector != 4:
		p.fail(at, "a vector register has 2 or 4 elements: use .v2 or .v4")
	}
}

func (p *parser) declare(name string, sym *Symbol) {
	if p.failed {
		return
	}
	if old := p.scope.declare(name, sym); old != nil {
		p.fail(sym.At, "%s is already declared at line %d", name, old.At.Line)
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
func (p *parser) typeWord() ptx.Scalar {
	if t := p.peek(); !p.failed && t.kind == tokenDot {
		if typ := ptx.ScalarByName(t.text); typ != ptx.TypeNone {
			p.next++
			if !typ.IsFundamental() {
				p.fail(t.at, "type .%s exists in instructions only: declare the name as .b%d", typ, typ.Bits())
			}
			return typ
		}
	}
	return ptx.TypeNone
}

// attributes reads the words between a state space and a name: alignment, vector,
// type and pointer attributes, in any order.
func (p *parser) attributes(v *Variable) {
	pointer := false
	for !p.failed {
		t := p.peek()
		if t.kind != tokenDot {
			break
		}
		if typ := p.typeWord(); typ != ptx.TypeNone {
			v.Type = typ
			continue
		}
		if n := p.vectorWord(); n != 0 {
			v.Vector = n
			continue
		}
		p.next++
		switch t.text {
		case "align":
			n := p.take()
			if n.kind != tokenInteger || n.value == 0 || n.value&(n.value-1) != 0 || n.value > 1<<16 {
				p.fail(n.at, "alignment must be a power of two up to 65536")
			} else if !pointer { // after .ptr it is the alignment of what is pointed to
				v.Align = n.value
			}
		case "ptr":
			pointer = true
		case "global", "const", "shared", "local", "volatile":
		case "attribute":
			p.skipParentheses(t)
		case "texref":
			v.Texture, v.Type = true, ptx.TypeB64
		case "samplerref", "surfref":
			// The name counts as declared, so its uses are not reported as more faults.
			p.rep.Errorf(t.at, "unsupported type .%s", t.text)
			v.Type = ptx.TypeB64
		default:
			p.fail(t.at, "unexpected .%s in a declaration", t.text)
		}
	}
	switch {
	case v.Type == ptx.TypeNone:
		p.fail(p.peek().at, "want a type, found %s", p.peek().describe())
	case v.Type == ptx.TypePred:
		p.fail(p.peek().at, "a predicate has no address: declare it, or pass it, as .reg .pred")
	}
}

// ElementBytes returns the size of a scalar or vector of v; a vector of three takes the room of four.
func (v *Variable) ElementBytes() uint64 {
	if v.Vector == 3 {
		return uint64(v.Type.Bytes()) * 4
	}
	return uint64(v.Type.Bytes()) * uint64(max(v.Vector, 1))
}

// arrayBytes reads [n][m]... and sets the size of v. It returns the bytes of v[i], of v[i][j] and so on: those that a
// list of an initial value fills at each depth.
func (p *parser) arrayBytes(v *Variable) (rows []uint64) {
	elem := v.ElementBytes()
	if v.Align == 0 {
		v.Align = elem
	}
	v.Bytes = elem
	for p.accept("[") {
		n := uint64(0)
		if p.accept("]") {
			v.Flexible = true
			v.Bytes = 0
		} else {
			n = p.constant()
			p.expect("]")
			if p.failed {
				return nil
			}
			if n != 0 && v.Bytes > maxVariableBytes/n {
				p.fail(v.At, "%s is larger than %d bytes", v.Name, uint64(maxVariableBytes))
				return nil
			}
			v.Bytes *= n
		}
		for i := range rows {
			rows[i] *= n
		}
		rows = append(rows, elem)
	}
	return rows
}

// variables reads the rest of a declaration in an addressable space.
func (p *parser) variables(space ptx.Space, extern bool) {
	if space == ptx.SpaceConst && p.accept("[") { // bank numbers of PTX 1.x and 2.x
		p.take()
		p.expect("]")
	}
	proto := Variable{Space: space, Extern: extern, Owner: p.fn}
	p.attributes(&proto)
	for !p.failed {
		v := new(Variable)
		*v = proto
		v.Name, v.At = p.name("a variable name")
		if space == ptx.SpaceParam && p.accept("<") { // .param .b32 p<4> is legal, if rare
			p.refuse(v.At, "numbered .param variables")
		}
		p.checkTexture(v)
		rows := p.arrayBytes(v)
		if p.accept("=") {
			p.initializer(v, rows)
		}
		if v.Flexible && v.Bytes == 0 && !extern {
			p.fail(v.At, "%s has no size", v.Name)
		}
		p.declareVariable(v)
		if p.ends(";", v.At) {
			return
		}
	}
}

// textures reads the rest of a .tex declaration of PTX 1.x, which stands for a .texref.
func (p *parser) textures(extern bool) {
	t := p.peek()
	if typ := p.typeWord(); !p.failed && typ != ptx.TypeU32 && typ != ptx.TypeU64 {
		p.fail(t.at, "want .u32 or .u64, the type of a texture's handle")
	}
	for !p.failed {
		v := &Variable{Space: ptx.SpaceGlobal, Type: ptx.TypeB64, Texture: true, Extern: extern, Owner: p.fn}
		v.Name, v.At = p.name("a texture's name")
		p.checkTexture(v)
		p.declareVariable(v)
		if p.ends(";", v.At) {
			return
		}
	}
}

// checkTexture refuses what no .texref can be.
func (p *parser) checkTexture(v *Variable) {
	switch t := p.peek(); {
	case !v.Texture || p.failed:
	case v.Space == ptx.SpaceGlobal && p.fn != nil:
		p.fail(v.At, "%s is declared in a function: declare textures outside of them", v.Name)
	case v.Space != ptx.SpaceGlobal && v.Space != ptx.SpaceParam:
		p.fail(v.At, "%s: textures are .global, or parameters of kernels", v.Name)
	case t.is("["):
		p.refuse(t.at, "array of .texref")
	case t.is("="):
		p.refuse(t.at, "initial value of a .texref: bind the texture where the program is launched")
	}
}

func (p *parser) declareVariable(v *Variable) {
	if p.failed {
		return
	}
	if p.fn == nil {
		if old := p.scope.Names[v.Name]; old != nil && old.Kind == SymbolVariable && (old.Variable.Extern || v.Extern) {
			if !v.Extern { // the definition after an .extern declaration
				*old.Variable = *v
			}
			return
		}
		p.module.Variables = append(p.module.Variables, v)
	} else if v.Space == ptx.SpaceGlobal || v.Space == ptx.SpaceConst {
		v.Scoped = p.fn.Name + "." + v.Name
		p.module.Variables = append(p.module.Variables, v)
	} else {
		p.fn.Variables = append(p.fn.Variables, v)
	}
	p.declare(v.Name, &Symbol{Kind: SymbolVariable, At: v.At, Variable: v})
}

// initializer reads = value or = {list}, nested as deep as the array.
func (p *parser) initializer(v *Variable, rows []uint64) {
	var offset uint64
	if p.accept("{") {
		p.initList(v, &offset, rows)
	} else {
		p.initValue(v, &offset)
	}
	if p.failed {
		return
	}
	if v.Flexible && v.Bytes == 0 && rows[0] > 0 {
		v.Bytes = (offset + rows[0] - 1) / rows[0] * rows[0]
	}
	if offset > v.Bytes {
		p.fail(v.At, "%s has %d bytes but its initial value has %d", v.Name, v.Bytes, offset)
	}
	if v.Space != ptx.SpaceGlobal && v.Space != ptx.SpaceConst {
		p.fail(v.At, "%s: only .global and .const variables may have an initial value", v.Name)
	}
}

// initList reads a list. A list in it fills one of its rows, whose rest is zero, as in C.
func (p *parser) initList(v *Variable, offset *uint64, rows []uint64) {
	for !p.failed {
		at, start := p.peek().at, *offset
		switch {
		case p.accept("}"):
			return
		case len(rows) > 0 && p.accept("{"):
			p.initList(v, offset, rows[1:])
			if !p.failed && *offset > start+rows[0] {
				p.fail(at, "%s: this row has %d bytes but its initial value has %d", v.Name, rows[0], *offset-start)
			}
			*offset = start + rows[0]
		default:
			p.initValue(v, offset)
		}
		if p.ends("}", p.gap()) {
			return
		}
	}
}

func (p *parser) initValue(v *Variable, offset *uint64) {
	t := p.peek()
	piece := InitPiece{Offset: *offset, Bytes: v.Type.Bytes(), At: t.at}
	*offset += uint64(piece.Bytes)
	switch {
	case t.kind == tokenString && piece.Bytes == 1:
		p.next++
		for i := range len(t.text) {
			v.put(piece.Offset+uint64(i), 1, uint64(t.text[i]))
		}
		*offset += uint64(len(t.text)) - 1
		return
	case t.kind == tokenName && t.text == "generic" && p.tokens.at(p.next+1).is("("):
		p.next += 2
		piece.Name, _ = p.name("a variable name")
		piece.Generic = true
		p.expect(")")
		piece.Value = p.plusConstant()
	case t.kind == tokenName && t.text != "WARP_SZ":
		piece.Name, _ = p.name("a variable name")
		piece.Value = p.plusConstant()
	case t.kind == tokenInteger && p.tokens.at(p.next+1).is("("):
		// mask operator: 0xFF00(name) is the second byte of the address
		p.next += 2
		piece.Masked = true
		for m := t.value; m != 0 && m&0xff == 0; m >>= 8 {
			piece.Shift += 8
		}
		generic := p.peek().kind == tokenName && p.peek().text == "generic" && p.tokens.at(p.next+1).is("(")
		if generic {
			p.next += 2
			piece.Generic = true
		}
		piece.Name, _ = p.name("a variable name")
		if generic {
			p.expect(")")
		}
		piece.Value = p.plusConstant()
		p.expect(")")
	default:
		if value := p.typedConstant(v.Type); value != 0 {
			v.put(piece.Offset, piece.Bytes, value)
		}
		return
	}
	v.Init = append(v.Init, piece)
}

// put writes a number of the initial value.
func (v *Variable) put(offset uint64, bytes int, value uint64) {
	for uint64(len(v.Plain)) < offset+uint64(bytes) {
		v.Plain = append(v.Plain, 0)
	}
	for k := range bytes {
		v.Plain[offset+uint64(k)] = byte(value >> (8 * k))
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
