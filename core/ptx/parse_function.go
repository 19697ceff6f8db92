package ptx

// function reads .entry or .func from the name's return parameters to the end
// of its body.
func (p *parser) function(directive *token, extern bool) {
	fn := &function{at: directive.at, entry: directive.text == "entry", extern: extern, scope: newScope(p.module.root)}
	outer := p.scope
	p.scope, p.fn = fn.scope, fn
	defer func() { p.scope, p.fn = outer, nil }()
	p.file, p.line = 0, 0

	p.performanceDirectives(fn)
	if p.peek().is("(") {
		fn.returns = p.formals()
	}
	fn.name, fn.at = p.name("a function name")
	if p.peek().is("(") {
		fn.params = p.formals()
	}
	p.performanceDirectives(fn)
	fn = p.enroll(fn)
	if p.failed {
		return
	}
	if p.accept("{") {
		if fn.defined {
			p.fail(fn.at, "function %s is defined twice", fn.name)
			return
		}
		fn.defined = true
		p.body(0)
		return
	}
	p.accept(";") // a declaration; old compilers leave the semicolon out
}

// enroll adds fn to the module, or joins it with its earlier declaration.
func (p *parser) enroll(fn *function) *function {
	if p.failed {
		return fn
	}
	old := p.module.root.names[fn.name]
	if old == nil {
		fn.index = len(p.module.functions)
		p.module.functions = append(p.module.functions, fn)
		p.module.root.names[fn.name] = &symbol{kind: symbolFunction, at: fn.at, function: fn}
		return fn
	}
	if old.kind != symbolFunction {
		p.fail(fn.at, "%s is already declared at line %d", fn.name, old.at.line)
		return fn
	}
	if f := old.function; !f.defined {
		// The parameter names of the definition count.
		f.at, f.returns, f.params, f.scope = fn.at, fn.returns, fn.params, fn.scope
		f.reqNTID, f.maxNTID, f.entry = fn.reqNTID, fn.maxNTID, fn.entry
		for _, list := range [][]*symbol{f.returns, f.params} {
			for _, s := range list {
				if s.variable != nil {
					s.variable.owner = f
				}
			}
		}
		p.fn = f
		return f
	}
	return old.function
}

// formals reads a parameter list with its parentheses.
func (p *parser) formals() []*symbol {
	var list []*symbol
	p.expect("(")
	for !p.failed && !p.accept(")") {
		if len(list) > 0 {
			p.expect(",")
		}
		list = append(list, p.formal())
		if len(list) > 4096 {
			p.fail(p.peek().at, "too many parameters")
		}
	}
	return list
}

func (p *parser) formal() *symbol {
	t := p.peek()
	switch {
	case p.acceptDot("reg"):
		vector := p.vectorWord()
		typ := p.typeWord()
		name, at := p.name("a parameter name")
		sym := &symbol{kind: symbolRegister, at: at, register: newRegister(name, typ, vector)}
		if typ == typeNone || typ == typeB128 || vector != 0 {
			p.fail(at, "want a scalar type for register parameter %s", name)
		}
		if name != "_" {
			p.declare(name, sym)
		}
		return sym
	case p.acceptDot("param"):
		v := &variable{space: SpaceParam, owner: p.fn}
		p.attributes(v)
		v.name, v.at = p.name("a parameter name")
		p.arrayBytes(v)
		sym := &symbol{kind: symbolVariable, at: v.at, variable: v}
		if v.name != "_" {
			p.declare(v.name, sym)
		}
		return sym
	}
	p.fail(t.at, "want .param or .reg, found %s", t.describe())
	return &symbol{}
}

func (p *parser) performanceDirectives(fn *function) {
	for !p.failed {
		t := p.peek()
		if t.kind != tokenDot {
			return
		}
		switch t.text {
		case "maxntid":
			p.next++
			p.triple(&fn.maxNTID)
		case "reqntid":
			p.next++
			p.triple(&fn.reqNTID)
		case "maxnreg", "minnctapersm", "maxnctapersm", "maxclusterrank", "abi_preserve", "abi_preserve_control", "local_maxnreg":
			p.next++
			p.constant()
		case "noreturn", "explicitcluster", "unique", "blocksareclusters":
			p.next++
		case "reqnctapercluster":
			p.next++
			var unused [3]uint32
			p.triple(&unused)
			if unused[0]*unused[1]*unused[2] != 1 {
				p.refuse(t.at, "clusters of more than one CTA")
			}
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

// skipParentheses passes what a directive has in parentheses.
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
	for !p.rep.full() {
		t := p.peek()
		if t.kind == tokenEnd {
			p.fail(t.at, "function %s does not end: a '}' is missing", p.fn.name)
			return
		}
		p.failed = false
		if p.accept("}") {
			p.fn.end = t.at
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
	case t.kind == tokenName && p.tokens[p.next+1].is(":"):
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
		sym := &symbol{kind: symbolTargets, at: name.at}
		for !p.failed {
			n, at := p.name("a name")
			sym.targets = append(sym.targets, operand{kind: operandName, at: at, name: n})
			if !p.accept(",") {
				break
			}
		}
		p.expect(";")
		p.declare(name.text, sym)
	case p.acceptDot("callprototype"):
		fn := &function{at: t.at, scope: newScope(nil)}
		outer, outerFn := p.scope, p.fn
		p.scope, p.fn = fn.scope, fn
		if p.peek().is("(") {
			fn.returns = p.formals()
		}
		p.name("_")
		if p.peek().is("(") {
			fn.params = p.formals()
		}
		p.performanceDirectives(fn)
		p.scope, p.fn = outer, outerFn
		p.expect(";")
		p.declare(name.text, &symbol{kind: symbolPrototype, at: name.at, proto: fn})
	default:
		p.declare(name.text, &symbol{kind: symbolLabel, at: name.at, label: len(p.fn.code)})
	}
}

func (p *parser) instruction() {
	st := &statement{scope: p.scope, file: p.file, line: p.line}
	if p.accept("@") {
		g := operand{kind: operandName, at: p.peek().at, negate: p.accept("!")}
		g.name, g.at = p.name("a predicate")
		p.elementWord(&g)
		st.guard = &g
	}
	st.opcode, st.at = p.name("an instruction")
	p.inCall = st.opcode == "call"
	p.operands = p.operands[:0]
	for t := p.peek(); !p.failed && t.kind == tokenDot; t = p.peek() {
		st.mods = append(st.mods, modifier{t.text, t.at})
		p.next++
		if t.text == "const" && p.peek().is("[") { // bank numbers of PTX 1.x and 2.x; there is one bank
			p.next++
			p.constant()
			p.expect("]")
		}
	}
	for !p.failed && !p.peek().is(";") && !p.peek().is("}") {
		if len(p.operands) > 0 {
			p.expect(",")
		}
		p.operands = append(p.operands, p.operand(true))
		if len(p.operands) > 64 {
			p.fail(st.at, "too many operands")
		}
	}
	p.expect(";")
	if !p.failed {
		st.operands = append(make([]operand, 0, len(p.operands)), p.operands...)
		p.fn.code = append(p.fn.code, st)
	}
}

func (p *parser) elementWord(o *operand) {
	if t := p.peek(); !p.failed && t.kind == tokenDot && t.adjacent {
		o.element = t.text
		p.next++
	}
}

// operand reads one operand; compound says whether lists may appear.
func (p *parser) operand(compound bool) operand {
	t := p.peek()
	o := operand{at: t.at}
	switch {
	case p.failed:
	case compound && t.is("["):
		p.next++
		p.address(&o)
	case compound && (t.is("{") || t.is("(")):
		p.next++
		o.kind = operandVector
		closing := "}"
		if t.text == "(" {
			if !p.inCall && p.constantAhead() { // a constant expression in parentheses
				p.next--
				p.constantOperand(&o)
				return o
			}
			o.kind, closing = operandList, ")"
		}
		for !p.failed && !p.accept(closing) {
			if len(o.list) > 0 {
				p.expect(",")
			}
			o.list = append(o.list, p.operand(false))
			if len(o.list) > 4096 {
				p.fail(o.at, "too many operands")
			}
		}
	case (t.is("!") || t.is("-")) && p.tokens[p.next+1].kind == tokenName && p.tokens[p.next+1].text != "WARP_SZ":
		p.next += 2
		o.negate, o.minus = t.text == "!", t.text == "-"
		o.name = p.tokens[p.next-1].text
		p.elementWord(&o)
	case t.kind == tokenName && t.text != "WARP_SZ":
		p.next++
		if t.text == "_" {
			o.kind = operandSink
		}
		o.name = t.text
		p.elementWord(&o)
		if compound && p.accept("[") { // element of an array
			o.index = p.constant()
			p.expect("]")
		}
		if p.peek().is("+") || p.peek().is("-") {
			o.value = p.plusConstant() // variable + offset
			break
		}
		if compound && p.accept("|") {
			q := p.operand(false)
			o.pair = &q
		}
	default:
		p.constantOperand(&o)
	}
	return o
}

// constantAhead looks past an opening parenthesis that has been taken: does an
// expression follow, rather than a list of names?
func (p *parser) constantAhead() bool {
	t := p.peek()
	return t.kind == tokenInteger || t.kind == tokenFloat || t.is("(") || t.is("-") || t.is("~") || t.is("+") ||
		t.kind == tokenDot || t.kind == tokenName && t.text == "WARP_SZ"
}

func (p *parser) constantOperand(o *operand) {
	n := p.expression(0)
	o.value, o.single = n.value, n.single
	o.kind = operandInteger
	if n.float {
		o.kind = operandFloat
	}
}

// address reads [name], [name + constant], [constant]; the bracket is taken.
func (p *parser) address(o *operand) {
	o.kind = operandAddress
	t := p.peek()
	if t.kind == tokenName && t.text != "WARP_SZ" {
		p.next++
		o.name = t.text
		p.elementWord(o)
		o.value = p.plusConstant()
	} else {
		o.value = p.constant()
	}
	if p.depth++; p.depth > maxNesting {
		p.fail(o.at, "addresses are nested too deeply")
	}
	for p.accept(",") { // texture coordinates, of instructions not supported
		o.list = append(o.list, p.operand(true))
	}
	p.depth--
	p.expect("]")
	p.acceptDot("unified") // one memory holds everything
}
