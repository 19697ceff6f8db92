package syntax

import "slices"

// A mark that is missing is reported where it should stand: at the end of the token before it, on the line of the
// statement that lacks it. The token that comes next often stands lines below.

// openers are the marks that the closing ones end.
var openers = map[string]string{")": "(", "]": "[", "}": "{", ">": "<"}

// gap is the place at the end of the last token taken.
func (p *parser) gap() Position {
	if p.next == 0 {
		return p.peek().at
	}
	return p.tokens.at(p.next - 1).end
}

// lacks reports a missing mark; the next token stands in its place.
//
//go:noinline
func (p *parser) lacks(at Position, punct string) {
	p.fail(at, "want '%s' here, found %s", punct, p.peek().describe())
}

func (p *parser) expect(punct string) {
	if !p.accept(punct) {
		p.lacks(p.gap(), punct)
	}
}

// ends takes a comma, or the mark that ends a list, and reports whether that was it. If neither is there, it reports
// the one that is missing. last is where the last member of the list begins.
func (p *parser) ends(closing string, last Position) bool {
	if p.accept(",") {
		return false
	}
	if p.failed || p.accept(closing) {
		return true
	}
	t := p.peek()
	opener := openers[t.text]
	after := p.tokens.at(p.next + 1)
	switch {
	case opener != "" && t.kind == tokenPunct && closing == ";" &&
		(t.text != "}" || after.is(",") || after.is(";")):
		p.fail(last, "want '%s' here or before: the '%s' at %d:%d closes nothing", opener, t.text,
			t.at.Line, t.at.Column)
	case after.kind == tokenPunct && openers[after.text] != "" && closing == ";" && after.text != "}":
		p.lacks(p.gap(), openers[after.text])
	case p.continues(t, closing):
		p.lacks(p.gap(), ",")
	default:
		p.lacks(p.gap(), closing)
	}
	return true
}

// continues reports whether a token looks like one more member of the list under way, and not like what stands after
// the list. No instruction begins with a %.
func (p *parser) continues(t *token, closing string) bool {
	switch t.kind {
	case tokenInteger, tokenFloat, tokenString:
		return true
	case tokenName:
		after := p.tokens.at(p.next + 1)
		if t.at.Line != p.gap().Line && closing != ";" {
			return after.is(",") || after.is(closing)
		}
		return t.text[0] == '%' || t.at.Line == p.gap().Line && after.kind != tokenDot && !after.is(":")
	case tokenDot: // of parameters, in the parentheses of a function
		return (t.text == "param" || t.text == "reg") && p.fn != nil && !p.fn.Defined
	}
	return t.is("[") || t.is("(") || t.is("!") || t.is("-") || t.is("{") && t.at.Line == p.gap().Line
}

// wordsAlone are the instructions that take no operands and no modifiers.
var wordsAlone = []string{"ret", "exit", "trap", "brkpt"}

// most is how many tokens beginsStatement looks ahead: an opcode has at most 12 modifiers [ours].
const most = 16

// beginsStatement reports whether the next token is the first of another statement and no operand: it stands on a line
// of its own, and modifiers and an operand follow, as in "add.u32 %r1".
func (p *parser) beginsStatement() bool {
	t := p.peek()
	if t.at.Line == p.gap().Line {
		return false
	}
	if t.kind != tokenName {
		return t.is("@") || t.kind == tokenDot
	}
	if t.text[0] == '%' {
		return false
	}
	i := p.next + 1
	for i < p.next+most && p.tokens.at(i).kind == tokenDot {
		i++
	}
	after := p.tokens.at(i)
	return p.tokens.at(p.next+1).is(":") || i > p.next+1 && !after.is(",") && !after.is("|") ||
		after.is(";") && slices.Contains(wordsAlone, t.text)
}

// complete reports whether an instruction ends after its opcode although no semicolon stands there: then it fails.
func (p *parser) complete(st *Statement) bool {
	switch {
	case p.failed || p.peek().is(";"):
		return true
	case p.peek().is("}") || p.peek().kind == tokenEnd:
		p.expect(";")
	case !p.beginsStatement():
	case len(p.mods) == 0 && st.Guard == nil && !slices.Contains(wordsAlone, st.Opcode):
		p.lacks(p.gap(), ":") // a label
	default:
		p.expect(";")
	}
	return p.failed
}

// outside are directives that no function holds.
var outside = []string{"entry", "func", "visible", "extern", "weak", "common"}

// leaves reports whether a token begins what stands outside of functions alone: the function before it has no end.
func leaves(t *token) bool {
	return t.kind == tokenDot && slices.Contains(outside, t.text)
}

// unclosed reports a function whose last brace is missing.
func (p *parser) unclosed() {
	at := p.gap()
	p.fail(at, "function %s does not end: a '}' is missing here, found %s", p.fn.Name, p.peek().describe())
	p.failed = false // what follows can be read
}

// open takes the brace that opens a function's body. It reports false if there is none because the text declares the
// function and has no body; a missing brace is reported, and the body is read all the same.
func (p *parser) open(fn *Function) bool {
	t := p.peek()
	switch {
	case p.accept("{"):
		return true
	case p.failed || p.accept(";") || leaves(t):
		return false // a declaration; old compilers leave the semicolon out
	case t.kind == tokenDot && (t.text == "param" || t.text == "reg") && p.gap() == endOf(fn):
		p.lacks(p.gap(), "(")
		return false
	case t.is(")") || t.is("]"):
		p.fail(t.at, "unexpected '%s'", t.text)
		return false
	case !fn.extern && (fn.Entry || t.text == "reg") || t.kind != tokenDot && t.kind != tokenEnd:
		p.lacks(p.gap(), "{")
		p.failed = t.kind == tokenEnd
		return !p.failed
	}
	return false
}

// endOf is the place after a function's name.
func endOf(fn *Function) Position {
	return Position{fn.At.Line, fn.At.Column + int32(len(fn.Name))}
}
