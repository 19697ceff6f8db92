package syntax

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
)

// maxNesting bounds blocks inside blocks and parentheses inside parentheses.
const maxNesting = 64

type parser struct {
	rep    *Reporter
	tokens tokens
	next   int  // the token to read next
	failed bool // the current statement is broken; skip it
	module *Module

	fn     *Function // nil at module scope
	scope  *Scope
	depth  int
	inCall bool // parentheses hold argument lists, not constants
	loc    Loc
	marks  bool // the next statement stands after .pragma "approximate"

	operands []Operand // of the instruction that is read
	mods     []Modifier

	// What is left of the slabs that hold the module's statements.
	statementSlab []Statement
	operandSlab   []Operand
	modSlab       []Modifier
}

// Parse is the first pass: text to statements and declarations.
func Parse(rep *Reporter, file string, src []byte) *Module {
	text := string(src)
	m := &Module{File: file, AddressBits: 32, Root: newScope(nil), Lines: strings.Split(text, "\n")}
	p := &parser{rep: rep, tokens: tokens{lexer: newLexer(rep, text)}, module: m, scope: m.Root}
	for p.peek().kind != tokenEnd && !rep.Full() {
		before := p.next
		p.failed = false
		p.moduleItem()
		if p.failed {
			p.skipItem()
		}
		if p.next == before {
			p.take()
		}
	}
	p.bindAliases()
	p.addLibrary()
	if m.VersionMajor == 0 && len(rep.List) == 0 {
		rep.Broken = true
		rep.Errorf(Position{1, 1}, "no .version directive: this is not a PTX module")
	}
	return m
}

func (p *parser) peek() *token { return p.tokens.at(p.next) }

func (p *parser) take() *token {
	t := p.peek()
	if t.kind != tokenEnd {
		p.next++
	}
	return t
}

//go:noinline
func (p *parser) fail(at Position, format string, args ...any) {
	if !p.failed {
		p.failed = true
		p.rep.Broken = true
		p.rep.Errorf(at, format, args...)
	}
}

// refuse reports a statement that is PTX but not supported, and skips it.
func (p *parser) refuse(at Position, format string, args ...any) {
	if !p.failed {
		p.failed = true
		p.rep.Errorf(at, "unsupported "+format, args...)
	}
}

func (t *token) is(punct string) bool { return t.kind == tokenPunct && t.text == punct }

func (t *token) describe() string {
	switch t.kind {
	case tokenEnd:
		return "the end of the text"
	case tokenDot:
		return "." + t.text
	case tokenInteger, tokenFloat:
		return "a number"
	case tokenString:
		return "a string"
	}
	return "'" + t.text + "'"
}

//go:noinline
func (p *parser) accept(punct string) bool {
	if !p.failed && p.peek().is(punct) {
		p.next++
		return true
	}
	return false
}

func (p *parser) acceptDot(word string) bool {
	if t := p.peek(); !p.failed && t.kind == tokenDot && t.text == word {
		p.next++
		return true
	}
	return false
}

func (p *parser) name(what string) (string, Position) {
	t := p.peek()
	if p.failed || t.kind != tokenName {
		p.fail(t.at, "want %s, found %s", what, t.describe())
		return "", t.at
	}
	p.next++
	return t.text, t.at
}

// skipItem skips the rest of a broken statement: up to a semicolon, or up to a brace
// of the block around it.
func (p *parser) skipItem() {
	depth := 0
	for {
		t := p.peek()
		switch {
		case t.kind == tokenEnd:
			return
		case t.is("{"):
			depth++
		case t.is("}") && depth == 0 && (p.tokens.at(p.next+1).is(",") || p.tokens.at(p.next+1).is(";")):
			// the end of a list in the statement
		case t.is("}"):
			if depth == 0 && p.fn != nil {
				return
			}
			if depth--; depth <= 0 {
				p.next++
				return
			}
		case t.is(";") && depth == 0:
			p.next++
			return
		}
		p.next++
	}
}

// skipLine skips the other tokens on the line of the last token taken.
func (p *parser) skipLine() {
	line := p.tokens.at(p.next - 1).at.Line
	for p.peek().kind != tokenEnd && p.peek().at.Line == line {
		p.next++
	}
}

// skipBraces skips a balanced block. Its opening brace is the next token.
func (p *parser) skipBraces() {
	depth := 0
	for p.peek().kind != tokenEnd {
		t := p.take()
		if t.is("{") {
			depth++
		} else if t.is("}") {
			if depth--; depth == 0 {
				return
			}
		}
	}
}

func (p *parser) moduleItem() {
	t := p.peek()
	if t.kind != tokenDot {
		p.fail(t.at, "want a directive, found %s", t.describe())
		return
	}
	p.next++
	switch t.text {
	case "version":
		p.version()
	case "target":
		name, _ := p.name("a target such as sm_70")
		p.module.Target = name
		for p.accept(",") {
			p.name("a target option")
		}
	case "address_size":
		if v := p.take(); v.kind == tokenInteger && (v.value == 32 || v.value == 64) {
			p.module.AddressBits = int(v.value)
		} else {
			p.fail(v.at, "address_size must be 32 or 64")
		}
	case "entry", "func":
		p.function(t, false)
	case "extern", "visible", "weak", "common":
		p.linkage(t.text == "extern")
	default:
		if !p.commonDirective(t) {
			p.fail(t.at, "unknown directive .%s", t.text)
		}
	}
}

func (p *parser) version() {
	t := p.take()
	m := p.module
	switch t.kind {
	case tokenFloat: // 7.8 was read as a number; its text is not kept
		major, minor, ok := strings.Cut(p.wordAt(t), ".")
		v, _, err1 := parseInteger(orZero(major))
		w, _, err2 := parseInteger(orZero(minor))
		if !ok || err1 != nil || err2 != nil || v > 99 || w > 99 {
			p.fail(t.at, "bad version")
			return
		}
		m.VersionMajor, m.VersionMinor = int(v), int(w)
	case tokenInteger:
		m.VersionMajor = int(min(t.value, 99))
	default:
		p.fail(t.at, "want a version number, found %s", t.describe())
		return
	}
	if m.VersionMajor < 1 || m.VersionMajor > 9 {
		p.fail(t.at, "PTX version %d.%d is not known: versions 1.0 to 9.x are", m.VersionMajor, m.VersionMinor)
	}
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

// wordAt returns the source text of a token up to the next blank.
func (p *parser) wordAt(t *token) string {
	line := p.module.Lines[t.at.Line-1]
	word := line[t.at.Column-1:]
	end := 0
	for end < len(word) && (isNamePart(word[end]) || word[end] == '.') {
		end++
	}
	return word[:end]
}

func (p *parser) linkage(extern bool) {
	for {
		t := p.peek()
		if t.kind != tokenDot {
			p.fail(t.at, "want a declaration, found %s", t.describe())
			return
		}
		p.next++
		switch t.text {
		case "extern":
			extern = true
		case "visible", "weak", "common":
		case "entry", "func":
			p.function(t, extern)
			return
		case "tex":
			p.textures(extern)
			return
		default:
			if space, ok := variableSpace(t.text); ok {
				p.variables(space, extern)
				return
			}
			p.fail(t.at, "unknown directive .%s", t.text)
			return
		}
	}
}

// approximate is the pragma in front of a load whose value may be predicted. Other compilers
// leave out pragmas that they do not know (PTX ISA, .pragma).
const approximate = "approximate"

// commonDirective handles the directives that are legal at module scope and in a
// function.
// The directive's word has been taken.
func (p *parser) commonDirective(t *token) bool {
	if space, ok := variableSpace(t.text); ok {
		p.variables(space, false)
		return true
	}
	switch t.text {
	case "reg":
		p.registers()
	case "file":
		p.sourceFile()
	case "loc":
		p.location()
	case "alias":
		p.alias(t)
	case "pragma":
		for !p.failed && !p.peek().is(";") {
			word := p.take()
			if word.kind == tokenEnd {
				p.fail(t.at, ".%s does not end", t.text)
			}
			p.marks = p.marks || word.text == approximate && p.fn != nil
		}
		p.expect(";")
	case "section":
		p.skipLineOrBraces()
	case "byte", "2byte", "4byte", "8byte", "debug":
		p.skipLine()
	case "tex":
		p.textures(false)
	case "sreg", "surf":
		p.refuse(t.at, "state space .%s", t.text)
	default:
		return false
	}
	return true
}

// alias notes that one name of a function stands for another function, which may be
// defined later in the text.
func (p *parser) alias(t *token) {
	a := alias{at: t.at}
	a.name, _ = p.name("the alias of a function")
	p.expect(",")
	a.target, a.targetAt = p.name("a function")
	p.expect(";")
	if !p.failed {
		p.module.aliases = append(p.module.aliases, a)
	}
}

// bindAliases lets the declared name of each alias stand for its function.
func (p *parser) bindAliases() {
	names := p.module.Root.Names
	for _, a := range p.module.aliases {
		p.failed = false
		target, own := names[a.target], names[a.name]
		switch {
		case target == nil || target.Kind != SymbolFunction || !target.Function.Defined || target.Function.Entry:
			p.fail(a.targetAt, "%s is not a function with a body, which an alias needs", a.target)
		case own == nil || own.Kind != SymbolFunction || own.Function.Entry:
			p.fail(a.at, "%s is not declared as a function: an alias needs a declaration", a.name)
		case own.Function.Defined:
			p.fail(a.at, "%s has a body: it cannot be an alias", a.name)
		default:
			names[a.name] = target
		}
	}
}

// skipLineOrBraces skips debug data: .section .name { ... }, or the line of
// the older form without braces.
func (p *parser) skipLineOrBraces() {
	line := p.peek().at.Line
	for p.peek().kind != tokenEnd && p.peek().at.Line == line && !p.peek().is("{") {
		p.next++
	}
	if p.peek().is("{") {
		p.skipBraces()
	}
}

func (p *parser) sourceFile() {
	n := p.take()
	f := p.take()
	if n.kind != tokenInteger || f.kind != tokenString {
		p.fail(n.at, "want .file number \"name\"")
		return
	}
	p.module.files = append(p.module.files, sourceFile{n.value, f.text})
	p.skipLine()
}

func (p *parser) location() {
	f := p.take()
	l := p.take()
	if f.kind != tokenInteger || l.kind != tokenInteger {
		p.fail(f.at, "want .loc file line column")
		return
	}
	p.loc = Loc{uint32(f.value), uint32(l.value)}
	p.skipLine()
}

func variableSpace(word string) (ptx.Space, bool) {
	switch word {
	case "global":
		return ptx.SpaceGlobal, true
	case "const":
		return ptx.SpaceConst, true
	case "shared", "shared::cta":
		return ptx.SpaceShared, true
	case "local":
		return ptx.SpaceLocal, true
	case "param":
		return ptx.SpaceParam, true
	}
	return 0, false
}
