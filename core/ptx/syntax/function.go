package syntax

import "github.com/burstscope/burstscope/core/ptx"

// function reads .entry or .func from the name's return parameters to the end
// of its body.
func (p *parser) function(directive *token, extern bool) {
	fn := &Function{At: directive.at, Entry: directive.text == "entry", extern: extern, Scope: newScope(p.module.Root)}
	outer := p.scope
	p.scope, p.fn = fn.Scope, fn
	defer func() { p.scope, p.fn = outer, nil }()
	p.loc = Loc{}

	p.performanceDirectives(fn)
	if p.peek().is("(") {
		fn.Returns = p.formals()
	}
	fn.Name, fn.At = p.name("a function name")
	if p.peek().is("(") {
		fn.Params = p.formals()
	}
	p.performanceDirectives(fn)
	fn = p.enroll(fn)
	if p.failed {
		return
	}
	if p.open(fn) {
		if fn.Defined {
			p.fail(fn.At, "function %s is defined twice", fn.Name)
			return
		}
		fn.Defined = true
		p.body(0)
	}
}

// enroll adds fn to the module, or joins it with its earlier declaration.
func (p *parser) enroll(fn *Function) *Function {
	if p.failed {
		return fn
	}
	old := p.module.Root.Names[fn.Name]
	if old == nil {
		fn.Index = len(p.module.Functions)
		p.module.Functions = append(p.module.Functions, fn)
		p.module.Root.Names[fn.Name] = &Symbol{Kind: SymbolFunction, At: fn.At, Function: fn}
		return fn
	}
	if old.Kind != SymbolFunction {
		p.fail(fn.At, "%s is already declared at line %d", fn.Name, old.At.Line)
		return fn
	}
	if f := old.Function; !f.Defined {
		// The parameter names of the definition count.
		f.At, f.Returns, f.Params, f.Scope = fn.At, fn.Returns, fn.Params, fn.Scope
		f.ReqNTID, f.MaxNTID, f.Entry = fn.ReqNTID, fn.MaxNTID, fn.Entry
		f.ReqCluster, f.MaxClusterRank, f.ExplicitCluster = fn.ReqCluster, fn.MaxClusterRank, fn.ExplicitCluster
		f.MaxRegisters, f.MinCTAs = fn.MaxRegisters, fn.MinCTAs
		for _, list := range [][]*Symbol{f.Returns, f.Params} {
			for _, s := range list {
				if s.Variable != nil {
					s.Variable.Owner = f
				}
			}
		}
		p.fn = f
		return f
	}
	return old.Function
}

// formals reads a parameter list with its parentheses.
func (p *parser) formals() []*Symbol {
	var list []*Symbol
	p.expect("(")
	for ended := p.accept(")"); !p.failed && !ended; ended = p.ends(")", p.gap()) {
		sym := p.formal()
		if r := sym.Register; r != nil && len(r.Vector) > 0 { // passed element by element
			for _, e := range r.Vector {
				list = append(list, &Symbol{Kind: SymbolRegister, At: sym.At, Register: e})
			}
		} else {
			list = append(list, sym)
		}
		if len(list) > 4096 {
			p.fail(p.peek().at, "too many parameters")
		}
	}
	return list
}

func (p *parser) formal() *Symbol {
	p.acceptDot("hidden") // of the compiler's own parameters, which are like others
	t := p.peek()
	switch {
	case p.acceptDot("reg"):
		vector := p.vectorWord()
		typ := p.typeWord()
		name, at := p.name("a parameter name")
		p.checkRegister(at, typ, vector)
		sym := &Symbol{Kind: SymbolRegister, At: at, Register: newRegister(name, typ, vector)}
		if typ == ptx.TypeNone || typ == ptx.TypeB128 {
			p.fail(at, "want a type of at most 64 bits for register parameter %s", name)
		}
		if name != "_" {
			p.declare(name, sym)
		}
		return sym
	case p.acceptDot("param"):
		v := &Variable{Space: ptx.SpaceParam, Owner: p.fn}
		p.attributes(v)
		v.Name, v.At = p.name("a parameter name")
		p.checkTexture(v)
		p.arrayBytes(v)
		sym := &Symbol{Kind: SymbolVariable, At: v.At, Variable: v}
		if v.Name != "_" {
			p.declare(v.Name, sym)
		}
		return sym
	}
	p.fail(t.at, "want .param or .reg, found %s", t.describe())
	return &Symbol{}
}

func (p *parser) performanceDirectives(fn *Function) {
	for !p.failed {
		t := p.peek()
		if t.kind != tokenDot {
			return
		}
		switch t.text {
		case "maxntid":
			p.next++
			p.triple(&fn.MaxNTID)
		case "reqntid":
			p.next++
			p.triple(&fn.ReqNTID)
		case "maxclusterrank":
			p.next++
			fn.MaxClusterRank = int(min(p.constant(), 1<<31-1))
		case "maxnreg":
			p.next++
			fn.MaxRegisters = int(min(p.constant(), 1<<31-1))
		case "minnctapersm":
			p.next++
			fn.MinCTAs = int(min(p.constant(), 1<<31-1))
		case "maxnctapersm", "abi_preserve", "abi_preserve_control", "local_maxnreg":
			p.next++
			p.constant()
		case "explicitcluster":
			p.next++
			fn.ExplicitCluster = true
		case "noreturn", "unique", "blocksareclusters":
			p.next++
		case "reqnctapercluster":
			p.next++
			p.triple(&fn.ReqCluster)
		case "attribute":
			p.next++
			p.skipParentheses(t)
		case "pragma":
			p.next++
			p.commonDirective(t)
		default:
			return
		}
	}
}

// skipParentheses skips the parentheses of a directive.
func (p *parser) skipParentheses(directive *token) {
	p.expect("(")
	for depth := 1; depth > 0 && !p.failed; {
		switch t := p.take(); {
		case t.kind == tokenEnd:
			p.fail(directive.at, ".%s does not end: a ')' is missing", directive.text)
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
	}
}

func (p *parser) triple(dst *[3]uint32) {
	*dst = [3]uint32{1, 1, 1}
	for i := range dst {
		at := p.peek().at
		n := p.constant()
		if n == 0 || n > 1<<31-1 {
			p.fail(at, "want a positive size")
		}
		dst[i] = uint32(n)
		if !p.accept(",") {
			return
		}
	}
}

// body reads statements up to and including the closing brace.
func (p *parser) body(depth int) {
	for !p.rep.Full() {
		t := p.peek()
		p.failed = false
		if t.kind == tokenEnd || leaves(t) {
			if depth == 0 {
				p.unclosed()
			}
			return
		}
		if p.accept("}") {
			p.fn.End = t.at
			return
		}
		if p.accept("{") {
			if depth >= maxNesting {
				p.fail(t.at, "blocks are nested too deeply")
				return
			}
			p.scope = newScope(p.scope)
			p.body(depth + 1)
			p.scope = p.scope.parent
			continue
		}
		before := p.next
		p.statement()
		if p.failed {
			p.skipItem()
			p.failed = false
		}
		if p.next == before {
			p.take()
		}
	}
}

func (p *parser) statement() {
	t := p.peek()
	switch {
	case t.is(";"):
		p.next++
	case t.kind == tokenDot:
		p.next++
		if t.text == "branchtargets" || t.text == "calltargets" || t.text == "callprototype" {
			p.fail(t.at, ".%s needs a label", t.text)
		} else if !p.commonDirective(t) {
			p.fail(t.at, "unknown directive .%s", t.text)
		}
	case t.kind == tokenName && p.tokens.at(p.next+1).is(":"):
		p.next += 2
		p.label(t)
	case t.kind == tokenName || t.is("@"):
		p.instruction()
	default:
		p.fail(t.at, "want an instruction, found %s", t.describe())
	}
}

func (p *parser) label(name *token) {
	t := p.peek()
	switch {
	case p.acceptDot("branchtargets"), p.acceptDot("calltargets"):
		sym := &Symbol{Kind: SymbolTargets, At: name.at}
		for !p.failed {
			n, at := p.name("a name")
			sym.Targets = append(sym.Targets, Operand{Kind: OperandName, At: at, Name: n})
			if p.ends(";", at) {
				break
			}
		}
		p.declare(name.text, sym)
	case p.acceptDot("callprototype"):
		fn := &Function{At: t.at, Scope: newScope(nil)}
		outer, outerFn := p.scope, p.fn
		p.scope, p.fn = fn.Scope, fn
		if p.peek().is("(") {
			fn.Returns = p.formals()
		}
		p.name("_")
		if p.peek().is("(") {
			fn.Params = p.formals()
		}
		p.performanceDirectives(fn)
		p.scope, p.fn = outer, outerFn
		p.expect(";")
		p.declare(name.text, &Symbol{Kind: SymbolPrototype, At: name.at, Proto: fn})
	default:
		p.declare(name.text, &Symbol{Kind: SymbolLabel, At: name.at, Label: len(p.fn.Code)})
	}
}

// slabLength is how many statements, operands or modifiers are allocated at once.
const slabLength = 512

func (p *parser) newStatement() *Statement {
	if len(p.statementSlab) == 0 {
		p.statementSlab = make([]Statement, slabLength)
	}
	st := &p.statementSlab[0]
	p.statementSlab = p.statementSlab[1:]
	return st
}

// carve copies a list to the start of a slab, and returns the copy and the rest.
func carve[T any](slab, list []T) (copied, rest []T) {
	n := len(list)
	if n > len(slab) {
		slab = make([]T, max(n, slabLength))
	}
	copy(slab, list)
	return slab[:n:n], slab[n:]
}

func (p *parser) instruction() {
	st := p.newStatement()
	*st = Statement{Scope: p.scope, Loc: p.loc}
	if p.accept("@") {
		g := Operand{Kind: OperandName, At: p.peek().at, Negate: p.accept("!")}
		g.Name, g.At = p.name("a predicate")
		p.elementWord(&g)
		st.Guard = &g
	}
	st.Opcode, st.At = p.name("an instruction")
	p.inCall = st.Opcode == "call"
	p.operands, p.mods = p.operands[:0], p.mods[:0]
	for t := p.peek(); !p.failed && t.kind == tokenDot; t = p.peek() {
		p.mods = append(p.mods, Modifier{t.text, t.at})
		p.next++
		if t.text == "const" && p.peek().is("[") { // bank numbers of PTX 1.x and 2.x; there is one bank
			p.next++
			p.constant()
			p.expect("]")
		}
	}
	if p.complete(st) {
		p.expect(";")
	} else {
		for ended := false; !ended; {
			at := p.peek().at
			p.operands = append(p.operands, p.operand(true))
			if len(p.operands) > 64 {
				p.fail(st.At, "too many operands")
			}
			ended = p.ends(";", at)
		}
	}
	if !p.failed {
		st.Mods, p.modSlab = carve(p.modSlab, p.mods)
		st.Operands, p.operandSlab = carve(p.operandSlab, p.operands)
		p.fn.Code = append(p.fn.Code, st)
		if p.marks {
			p.fn.Marked = append(p.fn.Marked, st.At.Line)
			p.marks = false
		}
	}
}

func (p *parser) elementWord(o *Operand) {
	if t := p.peek(); !p.failed && t.kind == tokenDot && t.adjacent {
		o.more().element = t.text
		p.next++
	}
}

// operand reads one operand; compound says whether lists may appear.
func (p *parser) operand(compound bool) Operand {
	t := p.peek()
	o := Operand{At: t.at}
	switch {
	case p.failed:
	case compound && t.is("["):
		p.next++
		p.address(&o)
	case compound && (t.is("{") || t.is("(")):
		p.next++
		o.Kind = OperandVector
		closing := "}"
		if t.text == "(" {
			if !p.inCall && p.constantAhead() { // a constant expression in parentheses
				p.next--
				p.constantOperand(&o)
				return o
			}
			o.Kind, closing = OperandList, ")"
		}
		var list []Operand
		for ended := p.accept(closing); !p.failed && !ended; ended = p.ends(closing, o.At) {
			list = append(list, p.operand(false))
			if len(list) > 4096 {
				p.fail(o.At, "too many operands")
			}
		}
		o.SetList(list)
		if compound && o.Kind == OperandVector && p.accept("|") {
			q := p.operand(false)
			o.more().pair = &q
		}
	case (t.is("!") || t.is("-")) && p.tokens.at(p.next+1).kind == tokenName && p.tokens.at(p.next+1).text != "WARP_SZ":
		p.next += 2
		o.Negate, o.Minus = t.text == "!", t.text == "-"
		o.Name = p.tokens.at(p.next - 1).text
		p.elementWord(&o)
	case t.kind == tokenName && t.text != "WARP_SZ":
		p.next++
		if t.text == "_" {
			o.Kind = OperandSink
		}
		o.Name = t.text
		p.elementWord(&o)
		if compound && p.accept("[") {
			p.arrayElement(&o)
		}
		if p.peek().is("+") || p.peek().is("-") {
			o.Value = p.plusConstant() // variable + offset
			break
		}
		if compound && p.accept("|") {
			q := p.operand(false)
			o.more().pair = &q
		}
	default:
		p.constantOperand(&o)
	}
	return o
}

// arrayElement reads the number of an element of an array: a constant, a register, or a register and a constant (PTX
// ISA, "Arrays as Operands"). The opening bracket is taken.
func (p *parser) arrayElement(o *Operand) {
	m := o.more()
	m.indexed = true
	if t := p.peek(); t.kind == tokenName && t.text != "WARP_SZ" {
		by := p.operand(false)
		m.by, m.index, by.Value = &by, by.Value, 0
	} else {
		m.index = p.constant()
	}
	p.expect("]")
}

// constantAhead reports whether an expression, and not a list of names, follows an
// opening parenthesis that has been taken.
func (p *parser) constantAhead() bool {
	t := p.peek()
	return t.kind == tokenInteger || t.kind == tokenFloat || t.is("(") || t.is("-") || t.is("~") || t.is("+") ||
		t.kind == tokenDot || t.kind == tokenName && t.text == "WARP_SZ"
}

func (p *parser) constantOperand(o *Operand) {
	n := p.expression(0)
	o.Value, o.Single = n.Value, n.Single
	o.Kind = OperandInteger
	if n.Float {
		o.Kind = OperandFloat
	}
}

// address reads [name], [name + constant], [constant]; the bracket is taken.
func (p *parser) address(o *Operand) {
	o.Kind = OperandAddress
	t := p.peek()
	if t.kind == tokenName && t.text != "WARP_SZ" {
		p.next++
		o.Name = t.text
		p.elementWord(o)
		o.Value = p.plusConstant()
	} else {
		o.Value = p.constant()
	}
	if p.depth++; p.depth > maxNesting {
		p.fail(o.At, "addresses are nested too deeply")
	}
	for p.accept(",") { // coordinates of a texture
		o.SetList(append(o.List(), p.operand(true)))
	}
	p.depth--
	p.expect("]")
	p.acceptDot("unified") // one memory holds everything
}
