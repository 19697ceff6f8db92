package execute

import (
	"math"
	"strconv"
	"strings"
)

// conversion writes the text of one printf. The rules come from C's printf (ISO/IEC 9899, 7.21.6.1) with the
// lengths of a GPU: long has 64 bits. CUDA's compilers store the arguments one after the other, each aligned to its
// own size (CUDA C++ Programming Guide, "Formatted Output").
type conversion struct {
	r       *runner
	w       *Warp
	lane    int
	at      uint64 // of the next argument
	wide    bool   // addresses have 64 bits
	missing bool   // an argument is outside of memory
	out     []byte
	most    int // no more than about so many bytes are made

	minus, plus, space, sharp, zero bool
	width, precision                int // precision -1: none is given
	length                          string
}

// maxPrecision bounds a precision [ours]: no number has more digits that differ from zero.
const maxPrecision = 1100

func (c *conversion) print(format []byte) {
	for i := 0; i < len(format) && len(c.out) <= c.most && !c.missing; i++ {
		if format[i] != '%' {
			c.out = append(c.out, format[i])
			continue
		}
		end := c.spec(format, i+1)
		if end >= len(format) || !c.convert(format[end]) { // C leaves other letters open; they are printed as they are
			c.out = append(c.out, format[i:min(end+1, len(format))]...)
		}
		i = end
	}
}

// spec reads flags, width, precision and length from format[i] on, and returns where the letter stands.
func (c *conversion) spec(format []byte, i int) int {
	c.minus, c.plus, c.space, c.sharp, c.zero = false, false, false, false, false
	c.width, c.precision, c.length = 0, -1, ""
	for ; i < len(format); i++ {
		switch format[i] {
		case '-':
			c.minus = true
		case '+':
			c.plus = true
		case ' ':
			c.space = true
		case '#':
			c.sharp = true
		case '0':
			c.zero = true
		default:
			return c.sizes(format, i)
		}
	}
	return i
}

// sizes reads width, precision and length.
func (c *conversion) sizes(format []byte, i int) int {
	c.width, i = c.number(format, i)
	if c.width < 0 {
		c.minus, c.width = true, -c.width
	}
	c.width = min(c.width, c.most+1)
	if c.precision = -1; i < len(format) && format[i] == '.' {
		c.precision, i = c.number(format, i+1)
		c.precision = min(max(c.precision, -1), maxPrecision)
	}
	from := i
	for i < len(format) && strings.IndexByte("hljztqL", format[i]) >= 0 {
		i++
	}
	c.length = string(format[from:min(i, from+2)])
	return i
}

// number reads a width or a precision, which may be an argument.
func (c *conversion) number(format []byte, i int) (n, end int) {
	if i < len(format) && format[i] == '*' {
		return int(int32(c.argument(4))), i + 1
	}
	for ; i < len(format) && format[i]-'0' < 10; i++ {
		n = min(10*n+int(format[i]-'0'), math.MaxInt32)
	}
	return n, i
}

// argument reads the next argument.
func (c *conversion) argument(bytes uint64) uint64 {
	c.at = (c.at + bytes - 1) &^ (bytes - 1)
	v, ok := c.r.word(c.w, c.lane, c.at, bytes)
	if !ok {
		c.missing = true
		return 0
	}
	c.at += bytes
	return v
}

func (c *conversion) pointer() uint64 {
	if c.wide {
		return c.argument(8)
	}
	return c.argument(4)
}

// integer reads an integer of the conversion's length.
func (c *conversion) integer(signed bool) uint64 {
	size := uint(64)
	switch c.length {
	case "":
		size = 32
	case "h":
		size = 16
	case "hh":
		size = 8
	}
	v := c.argument(uint64(max(size, 32) / 8))
	if signed {
		return uint64(int64(v<<(64-size)) >> (64 - size))
	}
	return v << (64 - size) >> (64 - size)
}

// convert writes one conversion; it returns false for a letter that is none.
func (c *conversion) convert(letter byte) bool {
	switch letter {
	case '%':
		c.out = append(c.out, '%')
	case 'd', 'i':
		v := int64(c.integer(true))
		digits := strconv.FormatUint(uint64(max(v, -v)), 10)
		c.digits(c.sign(v < 0), digits, v == 0)
	case 'u':
		v := c.integer(false)
		c.digits("", strconv.FormatUint(v, 10), v == 0)
	case 'o':
		v := c.integer(false)
		digits := strconv.FormatUint(v, 8)
		if c.sharp && v != 0 {
			digits = "0" + digits
		}
		c.digits("", digits, v == 0 && !c.sharp)
	case 'x', 'X':
		v := c.integer(false)
		digits, prefix := strconv.FormatUint(v, 16), ""
		if c.sharp && v != 0 {
			prefix = "0x"
		}
		if letter == 'X' {
			digits, prefix = strings.ToUpper(digits), strings.ToUpper(prefix)
		}
		c.digits(prefix, digits, v == 0)
	case 'c':
		c.pad("", string([]byte{byte(c.argument(4))}), false)
	case 'p':
		text := "(nil)"
		if v := c.pointer(); v != 0 {
			text = "0x" + strconv.FormatUint(v, 16)
		}
		c.pad("", text, false)
	case 's':
		c.text()
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		c.float(letter)
	default:
		return false
	}
	return true
}

func (c *conversion) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case c.plus:
		return "+"
	case c.space:
		return " "
	}
	return ""
}

// digits writes an integer. A precision is the least number of digits, and switches zeros as padding off.
func (c *conversion) digits(prefix, digits string, isZero bool) {
	if isZero && c.precision == 0 {
		digits = ""
	}
	if n := c.precision - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	c.pad(prefix, digits, c.precision < 0)
}

// pad writes a prefix and a text in the given width; zeros says whether zeros may fill it.
func (c *conversion) pad(prefix, text string, zeros bool) {
	n := max(c.width-len(prefix)-len(text), 0)
	switch {
	case c.minus:
		c.out = append(append(c.out, prefix...), text...)
		c.out = append(c.out, strings.Repeat(" ", n)...)
	case c.zero && zeros:
		c.out = append(append(c.out, prefix...), strings.Repeat("0", n)...)
		c.out = append(c.out, text...)
	default:
		c.out = append(c.out, strings.Repeat(" ", n)...)
		c.out = append(append(c.out, prefix...), text...)
	}
}

// text writes a string argument.
func (c *conversion) text() {
	at := c.pointer()
	if c.missing {
		return
	}
	text, ok := []byte("(null)"), true
	if at != 0 {
		if text, ok = c.r.text(c.w, c.lane, at); !ok {
			c.missing, c.at = true, at
			return
		}
	}
	if c.precision >= 0 {
		text = text[:min(c.precision, len(text))]
	}
	c.pad("", string(text), false)
}

// float writes a double: C passes no other number with a fraction to a function like printf.
func (c *conversion) float(letter byte) {
	v := math.Float64frombits(c.argument(8))
	prefix := c.sign(math.Signbit(v))
	v = math.Abs(v)
	lower := letter | 0x20
	precision := c.precision
	if precision < 0 && lower != 'a' {
		precision = 6
	}
	var text string
	switch finite := !math.IsNaN(v) && !math.IsInf(v, 0); {
	case !finite && math.IsNaN(v):
		text = "nan"
	case !finite:
		text = "inf"
	case lower == 'g':
		text = c.general(v, max(precision, 1))
	case lower == 'a':
		text = hexadecimal(v, precision)
		prefix, text = prefix+text[:2], text[2:]
	default:
		text = strconv.FormatFloat(v, lower, precision, 64)
		if c.sharp && precision == 0 {
			text = pointed(text)
		}
	}
	if letter < 'a' {
		prefix, text = strings.ToUpper(prefix), strings.ToUpper(text)
	}
	c.pad(prefix, text, !math.IsNaN(v) && !math.IsInf(v, 0))
}

// general is %g: the form with an exponent if the exponent is below -4 or not below the precision.
func (c *conversion) general(v float64, precision int) string {
	text := strconv.FormatFloat(v, 'e', precision-1, 64)
	at := strings.IndexByte(text, 'e')
	exponent, _ := strconv.Atoi(text[at+1:])
	tail := text[at:]
	if text = text[:at]; exponent >= -4 && exponent < precision {
		text, tail = strconv.FormatFloat(v, 'f', precision-1-exponent, 64), ""
	}
	if c.sharp {
		return pointed(text) + tail
	}
	if strings.IndexByte(text, '.') >= 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + tail
}

// pointed adds the point that # asks for, before the exponent.
func pointed(text string) string {
	if strings.IndexByte(text, '.') >= 0 {
		return text
	}
	if at := strings.IndexByte(text, 'e'); at >= 0 {
		return text[:at] + "." + text[at:]
	}
	return text + "."
}

// hexadecimal is %a. C writes exponents without leading zeros.
func hexadecimal(v float64, precision int) string {
	text := strconv.FormatFloat(v, 'x', precision, 64)
	at := strings.IndexByte(text, 'p') + 2
	digits := strings.TrimLeft(text[at:], "0")
	if digits == "" {
		digits = "0"
	}
	return text[:at] + digits
}
