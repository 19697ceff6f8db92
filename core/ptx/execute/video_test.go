package execute

import (
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

// The twins of this file follow the pseudocode of the PTX ISA, "Video Instructions",
// on whole numbers of any size.

func videoInt(v int64) *big.Int { return big.NewInt(v) }

// videoElement reads the named part of a register, .b0 to .b3, .h0, .h1 or all.
func videoElement(v uint64, part, typ string) *big.Int {
	bits, at := 32, 0
	if part != "" {
		bits, at = map[byte]int{'b': 8, 'h': 16}[part[1]], int(part[2]-'0')
	}
	number := int64(v>>(at*bits)) & (1<<bits - 1)
	if typ == "s32" && number >= 1<<(bits-1) {
		number -= 1 << bits
	}
	return videoInt(number)
}

// videoPrimary is the switch of the pseudocode.
func videoPrimary(op string, x, y *big.Int) *big.Int {
	sum := new(big.Int).Add(x, y)
	switch op {
	case "vadd":
		return sum
	case "vsub":
		return new(big.Int).Sub(x, y)
	case "vabsdiff":
		return new(big.Int).Abs(new(big.Int).Sub(x, y))
	case "vmin", "vmax":
		if x.Cmp(y) < 0 == (op == "vmin") {
			return x
		}
		return y
	case "vavrg":
		if sum.Sign() >= 0 {
			sum.Add(sum, videoInt(1))
		}
		return sum.Rsh(sum, 1)
	}
	panic(op)
}

func videoCompares(word string, x, y *big.Int) *big.Int {
	c := x.Cmp(y)
	if map[string]bool{"eq": c == 0, "ne": c != 0, "lt": c < 0, "le": c <= 0, "gt": c > 0, "ge": c >= 0}[word] {
		return videoInt(1)
	}
	return videoInt(0)
}

func videoShifted(op, mode string, x, y *big.Int) *big.Int {
	n := uint(y.Uint64())
	if mode == "wrap" {
		n %= 32
	} else if n > 32 {
		n = 32
	}
	if op == "vshl" {
		return new(big.Int).Lsh(x, n)
	}
	return new(big.Int).Rsh(x, n) // rounds down, as an arithmetic shift
}

// videoClamped is optSaturate.
func videoClamped(v *big.Int, bits uint, typ string) *big.Int {
	low, high := videoInt(0), new(big.Int).Sub(new(big.Int).Lsh(videoInt(1), bits), videoInt(1))
	if typ == "s32" {
		high.Rsh(high, 1)
		low.Not(high)
	}
	switch {
	case v.Cmp(low) < 0:
		return low
	case v.Cmp(high) > 0:
		return high
	}
	return v
}

// videoBits returns the low bits of a number in two's complement.
func videoBits(v *big.Int, bits uint) uint64 {
	m := new(big.Int).Sub(new(big.Int).Lsh(videoInt(1), bits), videoInt(1))
	return new(big.Int).And(v, m).Uint64()
}

// videoFinish is optSaturate, optSecOp and optMerge.
func videoFinish(v *big.Int, c uint64, typ, sat, second, part string) uint64 {
	bits := uint(32)
	if part != "" {
		bits = map[byte]uint{'b': 8, 'h': 16}[part[1]]
	}
	if sat != "" {
		v = videoClamped(v, bits, typ)
	}
	if part != "" {
		at := bits * uint(part[2]-'0')
		return c&^(uint64(1<<bits-1)<<at) | videoBits(v, bits)<<at
	}
	number := int64(videoBits(v, 33)) // .s33
	if number >= 1<<32 {
		number -= 1 << 33
	}
	third := videoElement(c, "", typ).Int64()
	switch second {
	case ".add":
		number += third
	case ".min":
		number = min(number, third)
	case ".max":
		number = max(number, third)
	}
	return uint64(uint32(number))
}

var (
	videoTypeWords = []string{"u32", "s32"}
	videoPartWords = []string{"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"}
)

// videoWays are the ends of a scalar instruction: plain, a second operation, a part.
var videoWays = []struct{ second, part string }{{}, {second: ".add"}, {second: ".min"}, {second: ".max"},
	{part: ".b0"}, {part: ".b1"}, {part: ".b2"}, {part: ".b3"}, {part: ".h0"}, {part: ".h1"}}

// videoTest makes the test of a form, every second one on a target that has the instruction, the others on one where it
// is several.
func videoTest(text string, twin func(v []uint64) uint64) instructionTest {
	sources := []ptx.Scalar{ptx.TypeU32, ptx.TypeU32, ptx.TypeU32}
	target := []string{"sm_90a", "sm_30"}[len(text)%2]
	return instructionTest{text: text, result: ptx.TypeU32, twin: twin, sources: sources, target: target}
}

func videoOperands(part, a, b string, third bool) string {
	text := fmt.Sprintf(" %%d%s, %%a%s, %%b%s", part, a, b)
	if third {
		text += ", %c"
	}
	return text + ";"
}

// TestScalarVideo has every form of vadd, vsub, vabsdiff, vmin, vmax, vset, vshl and
// vshr with every part of one source, and a random part of the other.
func TestScalarVideo(t *testing.T) {
	r := rand.New(rand.NewSource(71))
	var tests []instructionTest
	add := func(op, d, at, bt, word, sat string) {
		for i, way := range videoWays {
			a, b := videoPartWords[(i+r.Intn(3))%len(videoPartWords)], videoPartWords[r.Intn(len(videoPartWords))]
			text := op + "." + d + "." + at + "." + bt + sat + word + way.second
			if op == "vset" {
				text = op + "." + at + "." + bt + word + way.second
			}
			text += videoOperands(way.part, a, b, way.second+way.part != "")
			tests = append(tests, videoTest(text, func(v []uint64) uint64 {
				x, y := videoElement(v[0], a, at), videoElement(v[1], b, bt)
				var n *big.Int
				switch op {
				case "vshl", "vshr":
					n = videoShifted(op, word[1:], x, y)
				case "vset":
					n = videoCompares(word[1:], x, y)
				default:
					n = videoPrimary(op, x, y)
				}
				return videoFinish(n, v[2], d, sat, way.second, way.part)
			}))
		}
	}
	for _, sat := range []string{"", ".sat"} {
		for i := range 8 {
			d, a, b := videoTypeWords[i&1], videoTypeWords[i>>1&1], videoTypeWords[i>>2]
			for _, op := range []string{"vadd", "vsub", "vabsdiff", "vmin", "vmax"} {
				add(op, d, a, b, "", sat)
			}
			if b == "u32" {
				for _, op := range []string{"vshl.clamp", "vshr.clamp", "vshl.wrap", "vshr.wrap"} {
					op, mode, _ := strings.Cut(op, ".")
					add(op, d, a, b, "."+mode, sat)
				}
			}
			if d == "u32" && sat == "" {
				for _, word := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
					add("vset", d, a, b, "."+word, sat)
				}
			}
		}
	}
	checkAll(t, 72, 2, videoSample(tests))
}

// TestVideoMad has every form of vmad.
func TestVideoMad(t *testing.T) {
	r := rand.New(rand.NewSource(73))
	var tests []instructionTest
	for _, negate := range []string{"", "a", "b", "ab", "c", "abc", ".po"} {
		for _, sat := range []string{"", ".sat"} {
			for _, scale := range []string{"", ".shr7", ".shr15"} {
				for i := range 8 {
					d, at, bt := videoTypeWords[i&1], videoTypeWords[i>>1&1], videoTypeWords[i>>2]
					a, b := videoPartWords[r.Intn(len(videoPartWords))], videoPartWords[r.Intn(len(videoPartWords))]
					minus := func(name string) string {
						if negate != ".po" && strings.Contains(negate, name[1:]) {
							return "-" + name
						}
						return name
					}
					po := ""
					if negate == ".po" {
						po = negate
					}
					text := fmt.Sprintf("vmad.%s.%s.%s%s%s%s ", d, at, bt, po, sat, scale) +
						"%d, " + minus("%a") + a + ", " + minus("%b") + b + ", " + minus("%c") + ";"
					tests = append(tests, videoTest(text, func(v []uint64) uint64 {
						product := new(big.Int).Mul(videoElement(v[0], a, at), videoElement(v[1], b, bt))
						signed := at == "s32" || bt == "s32"
						c := v[2]
						switch negate {
						case "a", "b":
							product.Neg(product)
							signed = true
						case "c", "abc":
							c, signed = ^c&0xffffffff, true
							product.Add(product, videoInt(1))
						case ".po":
							product.Add(product, videoInt(1))
						}
						final := "u32"
						if signed {
							final = "s32"
						}
						n := product.Add(product, videoElement(c, "", final))
						n.Rsh(n, map[string]uint{"": 0, ".shr7": 7, ".shr15": 15}[scale])
						if sat != "" {
							n = videoClamped(n, 32, final)
						}
						return videoBits(n, 32)
					}))
				}
			}
		}
	}
	checkAll(t, 74, 2, tests)
}

// videoSample is a quarter of the tests where WebAssembly repeats them: integers have no other results there.
func videoSample(tests []instructionTest) (sample []instructionTest) {
	for i, one := range tests {
		if !testing.Short() || i%4 == 0 {
			sample = append(sample, one)
		}
	}
	return sample
}

// TestVectorVideo has every form of the instructions on halves and bytes, with every
// mask, and random elements of the sources.
func TestVectorVideo(t *testing.T) {
	r := rand.New(rand.NewSource(75))
	var tests []instructionTest
	for _, n := range []int{2, 4} {
		masks := []string{"", ".h0", ".h1", ".h10"}
		letter := "h"
		if n == 4 {
			letter = "b"
			masks = strings.Split(",.b0,.b1,.b10,.b2,.b20,.b21,.b210,.b3,.b30,.b31,.b310,.b32,.b320,.b321,.b3210", ",")
		}
		digits := func(normal int) (string, []int) {
			places := make([]int, n)
			if r.Intn(4) == 0 { // left out
				for i := range places {
					places[i] = normal + i
				}
				return "", places
			}
			word := ""
			for i := range places {
				places[i] = r.Intn(2 * n)
				word = fmt.Sprint(places[i]) + word
			}
			return "." + letter + word, places
		}
		ops := "vadd vsub vavrg vabsdiff vmin vmax vset.eq vset.ne vset.lt vset.le vset.gt vset.ge"
		for _, op := range strings.Fields(ops) {
			for i := range 8 {
				for k, way := range []string{"", ".sat", ".add"} {
					for _, mask := range masks[k%2 : len(masks)-i%3] {
						d, at, bt := videoTypeWords[i&1], videoTypeWords[i>>1&1], videoTypeWords[i>>2]
						if strings.HasPrefix(op, "vset") && (d == "s32" || way == ".sat") ||
							r.Intn(3) > 0 && n == 4 {
							continue
						}
						a, from := digits(0)
						b, with := digits(n)
						name, word, _ := strings.Cut(op, ".")
						text := fmt.Sprintf("%s%d.%s.%s.%s%s", name, n, d, at, bt, way)
						if word != "" {
							text = fmt.Sprintf("%s%d.%s.%s.%s%s", name, n, at, bt, word, way)
						}
						types := [3]string{d, at, bt}
						twin := videoVectorTwin{n, name, word, types, way, mask, from, with}
						tests = append(tests, videoTest(text+videoOperands(mask, a, b, true), twin.of))
					}
				}
			}
		}
	}
	checkAll(t, 76, 2, videoSample(tests))
}

type videoVectorTwin struct {
	n          int
	op, word   string
	types      [3]string
	way, mask  string
	from, with []int
}

func (w videoVectorTwin) of(v []uint64) uint64 {
	letter, bits := "h", uint(16)
	if w.n == 4 {
		letter, bits = "b", 8
	}
	element := func(i int, typ string) *big.Int {
		return videoElement(v[i/w.n], fmt.Sprintf(".%s%d", letter, i%w.n), typ)
	}
	sum, merged := new(big.Int).SetUint64(v[2]), uint64(0)
	for i := range w.n {
		x, y := element(w.from[i], w.types[1]), element(w.with[i], w.types[2])
		var number *big.Int
		if w.op == "vset" {
			number = videoCompares(w.word, x, y)
		} else {
			number = videoPrimary(w.op, x, y)
		}
		if w.way == ".sat" {
			number = videoClamped(number, bits, w.types[0])
		}
		if w.mask == "" || strings.Contains(w.mask, fmt.Sprint(i)) {
			sum.Add(sum, number)
			merged |= videoBits(number, bits) << (uint(i) * bits)
		} else {
			merged |= v[2] & (uint64(1<<bits-1) << (uint(i) * bits))
		}
	}
	if w.way == ".add" {
		return videoBits(sum, 32)
	}
	return merged
}
