package cpack

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

var settings = []Params{{}, {Push: PushPartial}, {Push: PushAll}, {Zero: true}, {Push: PushAll, Zero: true}}

func TestConformance(t *testing.T) {
	for _, p := range settings {
		codectest.Check(t, New(p))
	}
}

func TestExamples(t *testing.T) {
	codectest.CheckExamples(t, "cpack", New(Params{}).RawBits)
	codectest.CheckExamples(t, "cpack-xm", New(Params{Push: PushPartial}).RawBits)
	codectest.CheckExamples(t, "cpack-all", New(Params{Push: PushAll}).RawBits)
}

func TestWorkedBlocks(t *testing.T) {
	var overflow []uint32
	for i := range uint32(17) {
		overflow = append(overflow, 0xa1005000+i*0x01001000)
	}
	overflow = append(overflow, overflow[0], overflow[16])
	for _, c := range []struct {
		name        string
		line        *mem.Line
		x, xm, push int
	}{
		{"zero", &mem.Line{}, 64, 64, 64},
		{"words 0 to 31", codectest.WordsOf(func(i uint32) uint32 { return i }), 374, 374, 374},
		{"every code", codectest.Words(0, 0xab, 0x12345678, 0x12345678, 0x123456ff, 0x1234abcd), 146, 146, 146},
		{"evicted entry", codectest.Words(overflow...), 644, 644, 644},
		{"closer word learnt", codectest.Words(0xAAAA1234, 0xAAAA5678, 0xAAAA5679), 140, 132, 132},
	} {
		for push, want := range []int{c.x, c.xm, c.push} {
			if got := New(Params{Push: Push(push)}).RawBits(c.line); got != want {
				t.Errorf("%s, reading %d: %d bits, want %d", c.name, push, got, want)
			}
		}
	}
	if got := New(Params{Zero: true}).SizeBits(&mem.Line{}); got != 0 {
		t.Errorf("C-PACK+Z stores a zero block in %d bits, want 0", got)
	}
}

// slowBits compares bytes, most significant first, with a growing list of which
// the last 16 count.
func slowBits(line *mem.Line, p Params) int {
	if p.Zero && *line == (mem.Line{}) {
		return 0
	}
	var seen [][4]byte
	total := 0
	for i := 0; i < 128; i += 4 {
		w := [4]byte{line[i+3], line[i+2], line[i+1], line[i]}
		if w == [4]byte{} {
			total += 2
			continue
		}
		if w[0] == 0 && w[1] == 0 && w[2] == 0 {
			total += 12
			continue
		}
		most := 0
		for _, e := range seen[max(0, len(seen)-16):] {
			n := 0
			for n < 4 && e[n] == w[n] {
				n++
			}
			most = max(most, n)
		}
		push := false
		switch most {
		case 4:
			total += 6
			push = p.Push == PushAll
		case 3:
			total += 16
			push = p.Push != PushUnmatched
		case 2:
			total += 24
			push = p.Push != PushUnmatched
		default:
			total += 34
			push = true
		}
		if push {
			seen = append(seen, w)
		}
	}
	return total
}

func TestAgainstDefinition(t *testing.T) {
	lines := codectest.Corpus(60)
	for _, p := range settings {
		c := New(p)
		for i := range lines {
			if got, want := c.RawBits(&lines[i]), slowBits(&lines[i], p); got != want {
				t.Fatalf("%+v block %d: %d bits, want %d: % x", p, i, got, want, lines[i])
			}
		}
	}
}

func FuzzCodec(f *testing.F) { codectest.Fuzz(f, New(Params{})) }

func FuzzPushAll(f *testing.F) { codectest.Fuzz(f, New(Params{Push: PushAll, Zero: true})) }

func Benchmark(b *testing.B) { codectest.Bench(b, New(Params{})) }
