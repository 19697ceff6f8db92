// Package codectest holds blocks like those of real programs and the checks that
// every codec passes: round trips, sizes, robustness, no allocation, speed.
package codectest

import (
	"encoding/binary"
	"math"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// Kind is a kind of block, with a generator of one block of it.
type Kind struct {
	Name string
	Fill func(rng *sim.Rand, line *mem.Line)
}

func words(line *mem.Line, f func(i int) uint32) {
	for i := range 32 {
		binary.LittleEndian.PutUint32(line[4*i:], f(i))
	}
}

func floats(line *mem.Line, f func(i int) float32) {
	words(line, func(i int) uint32 { return math.Float32bits(f(i)) })
}

// Kinds are the kinds of blocks of Corpus.
var Kinds = []Kind{
	{"zeros", func(_ *sim.Rand, l *mem.Line) { *l = mem.Line{} }},
	{"one byte", func(r *sim.Rand, l *mem.Line) {
		*l = mem.Line{}
		l[r.Intn(128)] = byte(r.Uint32())
	}},
	{"repeated word", func(r *sim.Rand, l *mem.Line) {
		w := r.Uint32()
		words(l, func(int) uint32 { return w })
	}},
	{"repeated half", func(r *sim.Rand, l *mem.Line) {
		w := r.Uint32() & 0xffff * 0x10001
		words(l, func(int) uint32 { return w })
	}},
	{"repeated double", func(r *sim.Rand, l *mem.Line) {
		w := [2]uint32{r.Uint32(), r.Uint32()}
		words(l, func(i int) uint32 { return w[i&1] })
	}},
	{"ramp", func(r *sim.Rand, l *mem.Line) {
		start, step := r.Uint32(), r.Uint32()>>uint(r.Intn(32))
		words(l, func(i int) uint32 { return start + uint32(i)*step })
	}},
	{"small integers", func(r *sim.Rand, l *mem.Line) {
		size := uint(1 + r.Intn(17))
		words(l, func(int) uint32 { return uint32(int32(r.Uint32()) >> (32 - size)) })
	}},
	{"counters near a base", func(r *sim.Rand, l *mem.Line) {
		base, size := r.Uint32(), uint(1+r.Intn(17))
		words(l, func(int) uint32 { return base + r.Uint32()>>(32-size) })
	}},
	{"pointers", func(r *sim.Rand, l *mem.Line) {
		base, size := uint64(0x7f0000000000)|r.Uint64()>>24, uint(4+r.Intn(24))
		for i := 0; i < 128; i += 8 {
			p := base + r.Uint64()>>(64-size)&^7
			if r.Intn(6) == 0 {
				p = 0
			}
			binary.LittleEndian.PutUint64(l[i:], p)
		}
	}},
	{"smooth floats", func(r *sim.Rand, l *mem.Line) {
		a, b := r.Float32()*100, r.Float32()
		floats(l, func(i int) float32 { return a + float32(b*float32(i)) })
	}},
	{"few floats", func(r *sim.Rand, l *mem.Line) {
		v := [4]float32{0, 1, r.Float32(), -0.5}
		floats(l, func(int) float32 { return v[r.Intn(4)] })
	}},
	{"rounded floats", func(r *sim.Rand, l *mem.Line) {
		words(l, func(int) uint32 { return math.Float32bits(r.Float32()) &^ (1<<uint(r.Intn(20)) - 1) })
	}},
	{"noise floats", func(r *sim.Rand, l *mem.Line) {
		floats(l, func(int) float32 { return r.Float32()*2 - 1 })
	}},
	{"doubles", func(r *sim.Rand, l *mem.Line) {
		v := r.Float64()
		for i := 0; i < 128; i += 8 {
			binary.LittleEndian.PutUint64(l[i:], math.Float64bits(v))
			v += 1.0 / 64
		}
	}},
	{"image bytes", func(r *sim.Rand, l *mem.Line) {
		v := int(r.Uint32() & 255)
		for i := range l {
			v = min(255, max(0, v+r.Intn(9)-4))
			l[i] = byte(v)
		}
	}},
	{"text", func(r *sim.Rand, l *mem.Line) {
		const letters = "etaoin shrdlu etaoin "
		for i := range l {
			l[i] = letters[r.Intn(len(letters))]
		}
	}},
	{"sparse", func(r *sim.Rand, l *mem.Line) {
		some := 1 + r.Intn(12)
		words(l, func(int) uint32 {
			if r.Intn(16) >= some {
				return 0
			}
			return r.Uint32()
		})
	}},
	{"mixed", func(r *sim.Rand, l *mem.Line) {
		a := r.Uint32()
		words(l, func(int) uint32 {
			switch r.Intn(5) {
			case 0:
				return 0
			case 1:
				return uint32(int8(r.Uint32()))
			case 2:
				return a ^ r.Uint32()&0xff
			case 3:
				return a&0xffff0000 | r.Uint32()&0xffff
			}
			return r.Uint32()
		})
	}},
	{"bit flips", func(r *sim.Rand, l *mem.Line) {
		v := r.Uint32()
		words(l, func(int) uint32 {
			if r.Intn(4) == 0 {
				v ^= 1 << uint(r.Intn(32))
			}
			return v
		})
	}},
	{"extremes", func(r *sim.Rand, l *mem.Line) {
		edge := [...]uint32{0x80000000, 0x7fffffff, 0xffffffff, 0, 1, 0x8000, 0x7fff, 0xffff8000, 0xffff, 0x80, 0x7f, 0xffffff80, 0x007f0000, 0x80808080}
		words(l, func(int) uint32 { return edge[r.Intn(len(edge))] })
	}},
	{"edges near a base", func(r *sim.Rand, l *mem.Line) {
		// Values and differences of 2^7, 2^15 and 2^31, one less and one more.
		width, base := 2<<r.Intn(3), r.Uint64()
		for i := 0; i < mem.LineBytes; i += width {
			v := uint64(1)<<(8<<r.Intn(3)-1) + uint64(r.Intn(3)) - 1
			if r.Intn(2) == 0 {
				v = -v
			}
			if r.Intn(3) > 0 {
				v += base
			}
			for k := range width {
				l[i+k] = byte(v >> (8 * k))
			}
		}
	}},
	{"float specials", func(r *sim.Rand, l *mem.Line) {
		specials := [...]uint32{0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x00000001, 0x807fffff, 0x80000000, 0x3f800000, 0x7f7fffff}
		words(l, func(int) uint32 { return specials[r.Intn(len(specials))] })
	}},
	{"noise", func(r *sim.Rand, l *mem.Line) { words(l, func(int) uint32 { return r.Uint32() }) }},
}

// Corpus returns perKind blocks of every kind, always the same ones.
func Corpus(perKind int) []mem.Line {
	lines := make([]mem.Line, 0, perKind*len(Kinds))
	rng := sim.NewRand(0xb10c, 0)
	for range perKind {
		for _, k := range Kinds {
			var l mem.Line
			k.Fill(&rng, &l)
			lines = append(lines, l)
		}
	}
	return lines
}
