package forms

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand"
	"strings"
)

// Edge values of each kind: zeros, ones, the limits of each format and the values beside
// them, subnormals, infinities, and NaNs, quiet and signalling, with several payloads.
var edges = map[string][]uint64{
	"pred": {0, 1},
	"8":    {0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff},
	"16":   {0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x100, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x5555, 0xaaaa},
	"32": {0, 1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffffff, 0x1000000, 0x1000001,
		0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xffff0000, 0x55555555, 0xaaaaaaaa, 0x01020304, 0x80ff7f01},
	"64": {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1<<32 + 1, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<54 + 2,
		1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<63 + 1<<10, 1<<63 + 1<<10 + 1, 1<<64 - 2, 1<<64 - 1, 0x5555555555555555, 0xffffffff00000000, 0xffffff8000000000},
	"f16": {0, 0x8000, 1, 0x8001, 2, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x3800, 0x3e00, 0xbe00, 0x4000, 0x4100,
		0x6400, 0x6401, 0x6800, 0x7bff, 0xfbff, 0x7800, 0x7c00, 0xfc00, 0x7c01, 0xfc01, 0x7e00, 0xfe00, 0x7e55, 0x7fff, 0xffff},
	"bf16": {0, 0x8000, 1, 0x8001, 2, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081, 0x3f7f, 0x3f80, 0xbf80, 0x3f81, 0x3f00, 0x3fc0, 0xbfc0, 0x4000, 0x4040,
		0x4300, 0x4301, 0x4380, 0x7f7f, 0xff7f, 0x7f00, 0x7f80, 0xff80, 0x7f81, 0xff81, 0x7fc0, 0xffc0, 0x7fd5, 0x7fff, 0xffff, 0x477f, 0x4780, 0x3880, 0x3800},
	"f32": {0, 0x80000000, 1, 0x80000001, 2, 0x007fffff, 0x807fffff, 0x00400000, 0x00800000, 0x80800000, 0x00800001, 0x3f800000, 0xbf800000,
		0x3f800001, 0x3f7fffff, 0x3f000000, 0x3effffff, 0x3fc00000, 0xbfc00000, 0x40000000, 0x40200000, 0x40490fdb, 0x4b000000, 0x4b000001, 0x4effffff,
		0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x33800000, 0x7e800000, 0x7e800001, 0x7f000000, 0x7f7fffff, 0xff7fffff,
		0x7f800000, 0xff800000, 0x7f800001, 0xff800001, 0x7fa00055, 0x7fc00000, 0xffc00000, 0x7fc12345, 0x7fffffff, 0xffffffff,
		0x477fe000, 0x477ff000, 0x477fefff, 0x38800000, 0x33000000, 0x33000001, 0x43e00000, 0x43e80000, 0x43f00000, 0x47600000, 0x47700000},
	"f64": {0, 1 << 63, 1, 1<<63 + 1, 1<<52 - 1, 1<<63 | 1<<52 - 1, 1 << 52, 1<<63 | 1<<52, 1<<52 + 1, 0x3ff0000000000000, 0xbff0000000000000,
		0x3ff0000000000001, 0x3fefffffffffffff, 0x3fe0000000000000, 0x3fdfffffffffffff, 0x3ff8000000000000, 0xbff8000000000000, 0x4000000000000000, 0x4004000000000000,
		0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41f0000000000000, 0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000,
		0x4330000000000001, 0x47efffffe0000000, 0x47effffff0000000, 0x47efffffefffffff, 0x3810000000000000, 0x380fffffffffffff, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001,
		0x7fe0000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
		0x7ff0000000000001, 0xfff0000000000001, 0x7ff4000000000055, 0x7ff8000000000000, 0xfff8000000000000, 0x7ff8000012345678, 0x7fffffffffffffff, 0xffffffffffffffff},
	"amount": {0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff},
	"lane":   {0, 1, 2, 15, 16, 30, 31, 32, 33},
	"few":    {0, 1, 2, 0x80000000},
	"few64":  {0, 1, 1 << 32, 1<<32 + 1},
}

// base is the row of edges of a kind.
func base(kind string) string {
	switch kind {
	case "u8", "s8", "b8":
		return "8"
	case "u16", "s16", "b16":
		return "16"
	case "u32", "s32", "b32":
		return "32"
	case "u64", "s64", "b64":
		return "64"
	case "tf32":
		return "f32"
	}
	return kind
}

// draw returns a random operand: an edge value, a number of moderate size (so that sums
// cancel and roundings tie), or any bits.
func draw(r *rand.Rand, kind string) uint64 {
	switch kind {
	case "f16x2":
		return draw(r, "f16") | draw(r, "f16")<<16
	case "bf16x2":
		return draw(r, "bf16") | draw(r, "bf16")<<16
	case "u16x2", "s16x2":
		return draw(r, "u16") | draw(r, "u16")<<16
	case "e4m3x2", "e5m2x2":
		return r.Uint64() & 0xffff
	case "e4m3x4", "e5m2x4":
		return r.Uint64() & 0xffffffff
	}
	list := edges[base(kind)]
	mask := uint64(1)<<(kinds[kind]-1)<<1 - 1
	choice := r.Intn(8)
	if choice < 3 || kind == "few" || kind == "few64" || kind == "pred" {
		return list[r.Intn(len(list))]
	}
	if choice < 6 {
		if v, ok := moderate(r, kind); ok {
			return v & mask
		}
	}
	switch kind {
	case "amount":
		return r.Uint64() & 127
	case "lane":
		return r.Uint64() & 31
	}
	return r.Uint64() & mask
}

// moderate returns a float whose exponent is near zero and whose last bits are often zeros.
func moderate(r *rand.Rand, kind string) (uint64, bool) {
	var fraction, bias int
	switch kind {
	case "f16":
		fraction, bias = 10, 15
	case "bf16":
		fraction, bias = 7, 127
	case "f32", "tf32":
		fraction, bias = 23, 127
	case "f64":
		fraction, bias = 52, 1023
	default:
		return r.Uint64() & 0xff, true
	}
	v := uint64(bias+r.Intn(10)-5)<<fraction | r.Uint64()&(1<<fraction-1)
	if r.Intn(2) == 0 {
		zeros := r.Intn(fraction)
		v = v >> zeros << zeros
	}
	return v | r.Uint64()&1<<(kinds[kind]-1), true
}

// Operands returns the table of operands: thread by thread, 8 bytes each. Forms of one
// operand of up to 16 bits get all values, and forms of two all pairs of edge values.
func (f *Form) Operands() []byte {
	h := fnv.New64a()
	h.Write([]byte(f.Text))
	r := rand.New(rand.NewSource(int64(h.Sum64() & math.MaxInt64)))
	n := f.Cases()
	out := make([]byte, n*f.InBytes())
	at := 0
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(out[at:], v)
		at += 8
	}
	for i := range n {
		switch {
		case len(f.In) == 1 && n == 1<<16:
			put(uint64(i) & (1<<kinds[f.In[0]] - 1))
			continue
		case len(f.In) == 1 && i < len(edges[base(f.In[0])]):
			put(edges[base(f.In[0])][i])
			continue
		case len(f.In) == 2:
			a, b := edges[base(f.In[0])], edges[base(f.In[1])]
			if i < len(a)*len(b) && len(a)*len(b) < n {
				put(a[i%len(a)])
				put(b[i/len(a)])
				continue
			}
		}
		for _, kind := range f.In {
			if strings.Contains(kind, ".") {
				put(element(r, kind, i/32%regimes))
			} else {
				put(draw(r, kind))
			}
		}
	}
	return out
}
