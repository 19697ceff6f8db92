package ptx

import "math"

// number is the value of a constant expression: an integer, or a float.
type number struct {
	value    uint64 // integer bits, or float64 bits
	float    bool
	single   bool // written 0f...: value holds the f32 bits exactly
	unsigned bool
}

// constant reads an integer constant expression.
func (p *parser) constant() uint64 {
	at := p.peek().at
	n := p.expression(0)
	if n.float {
		p.fail(at, "want an integer constant")
	}
	return n.value
}

// typedConstant reads a constant for a variable or operand of type t.
func (p *parser) typedConstant(t scalar) uint64 {
	n := p.expression(0)
	return n.as(t)
}

// as converts a constant to the bits of type t.
func (n number) as(t scalar) uint64 {
	if !n.float {
		switch t {
		case typeF32:
			if n.unsigned {
				return uint64(math.Float32bits(float32(n.value)))
			}
			return uint64(math.Float32bits(float32(int64(n.value))))
		case typeF64:
			if n.unsigned {
				return math.Float64bits(float64(n.value))
			}
			return math.Float64bits(float64(int64(n.value)))
		}
		return n.value & t.mask()
	}
	if t == typeF16 || t == typeBF16 {
		return t.halfFormat().round(f64(n.as(typeF64)), roundNearest)
	}
	if n.single {
		if t == typeF64 {
			return math.Float64bits(float64(math.Float32frombits(uint32(n.value))))
		}
		return n.value & t.mask()
	}
	if t == typeF32 {
		return uint64(math.Float32bits(float32(math.Float64frombits(n.value))))
	}
	return n.value & t.mask()
}

var precedence = map[string]int{
	"||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7,
	"<": 8, "<=": 8, ">": 8, ">=": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
}

// expression reads a constant expression with C's precedence; operators that
// bind weaker than least are left to the caller.
func (p *parser) expression(least int) number {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.peek().at, "expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	left := p.unary()
	for !p.failed {
		op := p.peek()
		if op.kind != tokenPunct {
			break
		}
		if op.text == "?" && least <= 1 {
			p.next++
			a := p.expression(1)
			p.expect(":")
			b := p.expression(1)
			if left.value != 0 {
				left = a
			} else {
				left = b
			}
			continue
		}
		level := precedence[op.text]
		if level == 0 || level < least {
			break
		}
		p.next++
		right := p.expression(level + 1)
		left = p.binary(op, left, right)
	}
	return left
}

func (p *parser) unary() number {
	if p.depth++; p.depth > 2*maxNesting {
		p.fail(p.peek().at, "expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	t := p.peek()
	if p.failed {
		return number{}
	}
	p.take()
	switch {
	case t.kind == tokenInteger:
		return number{value: t.value, unsigned: t.unsigned}
	case t.kind == tokenFloat:
		return number{value: t.value, float: true, single: t.single}
	case t.kind == tokenName && t.text == "WARP_SZ":
		return number{value: MaxLanes}
	case t.is("("):
		if p.acceptDot("s64") || p.acceptDot("u64") {
			unsigned := p.tokens[p.next-1].text == "u64"
			p.expect(")")
			n := p.unary()
			n.unsigned = unsigned
			return n
		}
		n := p.expression(0)
		p.expect(")")
		return n
	case t.is("-"):
		n := p.unary()
		switch {
		case n.single:
			n.value ^= 1 << 31
		case n.float:
			n.value ^= 1 << 63
		default:
			n.value, n.unsigned = -n.value, false
		}
		return n
	case t.is("+"):
		return p.unary()
	case t.is("~"):
		n := p.unary()
		n.value = ^n.value
		return n
	case t.is("!"):
		return truth(p.unary().value == 0)
	}
	p.fail(t.at, "want a constant, found %s", t.describe())
	return number{}
}

func truth(b bool) number {
	if b {
		return number{value: 1}
	}
	return number{}
}

func (p *parser) binary(op *token, a, b number) number {
	if a.float || b.float {
		return p.binaryFloat(op, a, b)
	}
	u := a.unsigned || b.unsigned
	x, y := a.value, b.value
	less := int64(x) < int64(y)
	if u {
		less = x < y
	}
	switch op.text {
	case "+":
		x += y
	case "-":
		x -= y
	case "*":
		x *= y
	case "/", "%":
		if y == 0 {
			p.fail(op.at, "division by zero in a constant")
			return number{}
		}
		switch {
		case op.text == "/" && u:
			x /= y
		case op.text == "/":
			x = uint64(int64(x) / int64(y))
		case u:
			x %= y
		default:
			x = uint64(int64(x) % int64(y))
		}
	case "&":
		x &= y
	case "|":
		x |= y
	case "^":
		x ^= y
	case "<<":
		x <<= y
	case ">>":
		if a.unsigned {
			x >>= y
		} else {
			x = uint64(int64(x) >> y)
		}
	case "&&":
		return truth(x != 0 && y != 0)
	case "||":
		return truth(x != 0 || y != 0)
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<":
		return truth(less)
	case "<=":
		return truth(less || x == y)
	case ">":
		return truth(!less && x != y)
	case ">=":
		return truth(!less)
	}
	return number{value: x, unsigned: u}
}

func (p *parser) binaryFloat(op *token, a, b number) number {
	x, y := math.Float64frombits(a.as(typeF64)), math.Float64frombits(b.as(typeF64))
	switch op.text {
	case "+":
		x += y
	case "-":
		x -= y
	case "*":
		x *= y
	case "/":
		x /= y
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<":
		return truth(x < y)
	case "<=":
		return truth(x <= y)
	case ">":
		return truth(x > y)
	case ">=":
		return truth(x >= y)
	default:
		p.fail(op.at, "operator %s does not take floating-point constants", op.text)
	}
	return number{value: math.Float64bits(x), float: true}
}
