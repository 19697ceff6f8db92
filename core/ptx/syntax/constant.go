package syntax

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// Number is the value of a constant expression: an integer, or a float.
type Number struct {
	Value    uint64 // integer bits, or float64 bits
	Float    bool
	Single   bool // written 0f...: value holds the f32 bits exactly
	Unsigned bool
}

// constant reads an integer constant expression.
func (p *parser) constant() uint64 {
	at := p.peek().at
	n := p.expression(0)
	if n.Float {
		p.fail(at, "want an integer constant")
	}
	return n.Value
}

// typedConstant reads a constant for a variable or operand of type t.
func (p *parser) typedConstant(t ptx.Scalar) uint64 {
	n := p.expression(0)
	return n.As(t)
}

// As converts a constant to the bits of type t.
func (n Number) As(t ptx.Scalar) uint64 {
	if !n.Float {
		switch t {
		case ptx.TypeF32:
			if n.Unsigned {
				return uint64(math.Float32bits(float32(n.Value)))
			}
			return uint64(math.Float32bits(float32(int64(n.Value))))
		case ptx.TypeF64:
			if n.Unsigned {
				return math.Float64bits(float64(n.Value))
			}
			return math.Float64bits(float64(int64(n.Value)))
		}
		return n.Value & t.Mask()
	}
	if t == ptx.TypeF16 || t == ptx.TypeBF16 {
		return arith.FormatOf(t).Round(arith.F64(n.As(ptx.TypeF64)), ptx.RoundNearest)
	}
	if n.Single {
		if t == ptx.TypeF64 {
			return math.Float64bits(float64(math.Float32frombits(uint32(n.Value))))
		}
		return n.Value & t.Mask()
	}
	if t == ptx.TypeF32 {
		return uint64(math.Float32bits(float32(math.Float64frombits(n.Value))))
	}
	return n.Value & t.Mask()
}

var precedence = map[string]int{
	"||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7,
	"<": 8, "<=": 8, ">": 8, ">=": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
}

// expression reads a constant expression with the precedence of C. It stops at an
// operator whose precedence is below least.
func (p *parser) expression(least int) Number {
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
			if left.Value != 0 {
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

func (p *parser) unary() Number {
	if p.depth++; p.depth > 2*maxNesting {
		p.fail(p.peek().at, "expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	t := p.peek()
	if p.failed {
		return Number{}
	}
	p.take()
	switch {
	case t.kind == tokenInteger:
		return Number{Value: t.value, Unsigned: t.unsigned}
	case t.kind == tokenFloat:
		return Number{Value: t.value, Float: true, Single: t.single}
	case t.kind == tokenName && t.text == "WARP_SZ":
		return Number{Value: ptx.MaxLanes}
	case t.is("("):
		if p.acceptDot("s64") || p.acceptDot("u64") {
			unsigned := p.tokens.at(p.next-1).text == "u64"
			p.expect(")")
			n := p.unary()
			n.Unsigned = unsigned
			return n
		}
		n := p.expression(0)
		p.expect(")")
		return n
	case t.is("-"):
		n := p.unary()
		switch {
		case n.Single:
			n.Value ^= 1 << 31
		case n.Float:
			n.Value ^= 1 << 63
		default:
			n.Value, n.Unsigned = -n.Value, false
		}
		return n
	case t.is("+"):
		return p.unary()
	case t.is("~"):
		n := p.unary()
		n.Value = ^n.Value
		return n
	case t.is("!"):
		return truth(p.unary().Value == 0)
	}
	p.fail(t.at, "want a constant, found %s", t.describe())
	return Number{}
}

func truth(b bool) Number {
	if b {
		return Number{Value: 1}
	}
	return Number{}
}

func (p *parser) binary(op *token, a, b Number) Number {
	if a.Float || b.Float {
		return p.binaryFloat(op, a, b)
	}
	u := a.Unsigned || b.Unsigned
	x, y := a.Value, b.Value
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
			return Number{}
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
		if a.Unsigned {
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
	return Number{Value: x, Unsigned: u}
}

func (p *parser) binaryFloat(op *token, a, b Number) Number {
	x, y := math.Float64frombits(a.As(ptx.TypeF64)), math.Float64frombits(b.As(ptx.TypeF64))
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
	return Number{Value: math.Float64bits(x), Float: true}
}
