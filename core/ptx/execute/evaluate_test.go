package execute

import (
	"cmp"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// instructionTest is one instruction with its slow twin.
type instructionTest struct {
	text    string // %d is the result; %a %b %c %e are operands, %p the predicate with bit 0 of %e or %c's value
	result  ptx.Scalar
	sources []ptx.Scalar
	twin    func(v []uint64) uint64
	// same says when two results are equal; nil means bit by bit.
	same func(got, want uint64) bool
	// target is that of the module; nothing means sm_90a.
	target string
}

// interesting values of each width, beside random ones.
var interesting = map[int][]uint64{
	8: {0, 1, 2, 0x7f, 0x80, 0xff},
	16: {0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x8001, 0x3c00, 0xbc00, 0x3bff, 0x7c00, 0xfc00, 0x7e01, 0x7bff, 0xfbff, 0x0400, 0x03ff, 0x83ff,
		0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7f7f, 0x0080, 0x007f},
	32: {0, 1, 2, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0x80000001, 0xff, 0x1f1f, 0x00ffffff, 0xff800000, 0x0000ffff,
		0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 0x7f7fffff, 0x00800000, 0x007fffff, 0x00000003, 0x4f000000, 0x4f800000,
		0xcf000000, 0x3f000000, 0x3effffff, 0x5f000000, 0x33800000, 0x7e800001, 0x7fa00001, 0x40490fdb},
	64: {0, 1, 2, 63, 64, 65, 1<<63 - 1, 1 << 63, 1<<64 - 1, 1<<63 + 1, 1 << 32, 1<<32 - 1, 1<<53 + 1, 1<<63 + 1<<10 + 1,
		0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0x7ff8000000000001, 0x7fefffffffffffff, 0x0010000000000000,
		0x000fffffffffffff, 3, 0x43e0000000000000, 0x43f0000000000000, 0xc3e0000000000000, 0x3fe0000000000000, 0x7ff4000000000000},
}

// randomValue returns a value of a type: often an interesting one, and for
// floats often one of moderate size.
func randomValue(r *rand.Rand, t ptx.Scalar) uint64 {
	if t.IsPair() {
		return randomValue(r, ptx.TypeF16) | randomValue(r, ptx.TypeF16)<<16
	}
	list := interesting[max(8, t.Bits())]
	switch r.Intn(4) {
	case 0:
		return list[r.Intn(len(list))]
	case 1:
		switch t {
		case ptx.TypeF32:
			return uint64(math.Float32bits(float32(math.Ldexp(r.Float64()*2-1, r.Intn(12)-3))))
		case ptx.TypeF16, ptx.TypeBF16: // of like exponents
			one := arith.FormatOf(t).One
			return one + r.Uint64()&0x7ff - 0x400 | r.Uint64()&1<<15
		case ptx.TypeF64:
			return math.Float64bits(math.Ldexp(r.Float64()*2-1, r.Intn(12)-3))
		}
		return r.Uint64() & 63 & t.Mask()
	}
	return r.Uint64() & t.Mask()
}

const evaluateThreads = 96 // three warps, of which some lanes are switched off

// source returns a kernel that loads operands, executes, and stores the result.
// Every fifth thread has the instruction switched off and keeps the mark.
func (c *instructionTest) source(guarded bool) string {
	var b strings.Builder
	target := cmp.Or(c.target, "sm_90a")
	b.WriteString(".version 8.0\n.target " + target + "\n.address_size 64\n.visible .entry test(.param .u64 out, .param .u64 in) {\n")
	b.WriteString(".reg .pred %p, %q, %g; .reg .b64 %at, %to, %off; .reg .b32 %t, %m;\n")
	declare := func(name string, t ptx.Scalar) {
		if t == ptx.TypePred {
			fmt.Fprintf(&b, ".reg .pred %s; .reg .b32 %s_w;\n", name, name)
		} else {
			fmt.Fprintf(&b, ".reg .%s %s;\n", registerType(t), name)
		}
	}
	declare("%d", c.result)
	for i, t := range c.sources {
		declare(sourceNames[i], t)
	}
	b.WriteString("ld.param.u64 %at, [in]; ld.param.u64 %to, [out]; mov.u32 %t, %tid.x;\n")
	fmt.Fprintf(&b, "mul.wide.u32 %%off, %%t, %d; add.u64 %%at, %%at, %%off; mul.wide.u32 %%off, %%t, 8; add.u64 %%to, %%to, %%off;\n", 8*len(c.sources))
	for i, t := range c.sources {
		if t == ptx.TypePred {
			fmt.Fprintf(&b, "ld.global.u32 %s_w, [%%at+%d]; setp.ne.u32 %s, %s_w, 0;\n", sourceNames[i], 8*i, sourceNames[i], sourceNames[i])
			continue
		}
		fmt.Fprintf(&b, "ld.global.%s %s, [%%at+%d];\n", memoryType(t), sourceNames[i], 8*i)
	}
	switch {
	case c.result == ptx.TypePred:
		b.WriteString("setp.ne.u32 %d, 0, 0;\n")
	case c.result.Bits() == 8: // may only be loaded and converted
		b.WriteString("cvt.u8.u32 %d, 0;\n")
	default:
		fmt.Fprintf(&b, "mov.b%d %%d, 0;\n", c.result.Bits())
	}
	text := c.text
	if guarded {
		b.WriteString("rem.u32 %m, %t, 5; setp.ne.u32 %g, %m, 0;\n")
		text = "@%g " + text
	}
	b.WriteString(text + "\n")
	if c.result == ptx.TypePred {
		b.WriteString("selp.u32 %d_w, 1, 0, %d; st.global.u32 [%to], %d_w;\n")
	} else {
		fmt.Fprintf(&b, "st.global.%s [%%to], %%d;\n", memoryType(c.result))
	}
	b.WriteString("ret; }\n")
	return b.String()
}

// memoryType returns the type a value is loaded and stored with.
func memoryType(t ptx.Scalar) string {
	if t.IsHalf() || t.IsPair() || t == ptx.TypeTF32 || t == ptx.TypeF32x2 {
		return fmt.Sprintf("b%d", t.Bits())
	}
	return t.String()
}

// registerType returns the type of the register that holds a value: there are
// registers of f16 and f16x2, but not of the other formats.
func registerType(t ptx.Scalar) string {
	if t == ptx.TypeF16 || t == ptx.TypeF16x2 {
		return t.String()
	}
	return memoryType(t)
}

var sourceNames = []string{"%a", "%b", "%c", "%e"}

// check runs the instruction on many operands and compares with the twin.
func (c *instructionTest) check(t *testing.T, r *rand.Rand, rounds int) {
	t.Helper()
	for round := range rounds {
		guarded := round%2 == 1
		src := c.source(guarded)
		m, err := compile.Load(c.text, []byte(src))
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
		in, _ := image.Alloc("in", uint64(evaluateThreads*8*max(1, len(c.sources))))
		inBase := in.Base
		out, _ := image.Alloc("out", evaluateThreads*8)
		outBase := out.Base
		values := make([][]uint64, evaluateThreads)
		var word [8]byte
		for i := range values {
			for k, typ := range c.sources {
				v := randomValue(r, typ)
				values[i] = append(values[i], v)
				writeBytes(word[:], 8, v)
				image.Write(inBase+uint64(8*(i*len(c.sources)+k)), word[:])
			}
		}
		k := loadKernel(t, m, "test", image)
		params := make([]byte, 16)
		writeBytes(params, 8, outBase)
		writeBytes(params[8:], 8, inBase)
		l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{evaluateThreads, 1, 1}, Params: params}
		if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
			t.Fatal(err)
		}
		for i := range values {
			image.Read(outBase+uint64(8*i), word[:])
			got := readBytes(word[:], 8)
			want := c.twin(values[i])
			if guarded && i%5 == 0 {
				want = 0
			}
			if got != want && (c.same == nil || !c.same(got, want)) {
				t.Fatalf("%s of %x: got %x, want %x", c.text, values[i], got, want)
			}
		}
	}
}

func checkAll(t *testing.T, seed int64, rounds int, tests []instructionTest) {
	t.Helper()
	for i := range tests {
		tests[i].check(t, rand.New(rand.NewSource(seed+int64(i))), rounds)
	}
}

// truthOf is what a comparison leaves in a register.
func truthOf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func newRand(seed int64) *rand.Rand { return rand.New(rand.NewSource(seed)) }
