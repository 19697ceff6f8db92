package execute

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

// sparseTest is one form of mma.sp with its slow twin.
type sparseTest struct {
	k        int
	d, a, b  ptx.Element
	ordered  bool
	mods     string
	selector int
	place    [16][]int // of the stored elements along K, or of pairs of 4 bits
}

func (s *sparseTest) text() string {
	name := "mma.sp"
	if s.ordered {
		name = "mma.sp::ordered_metadata"
	}
	return fmt.Sprintf("%s.sync.aligned.m16n8k%d.row.col%s.%s.%s.%s.%s", name, s.k, s.mods, s.d, s.a, s.b, s.d)
}

// long says that the metadata of a row have the larger of the two sizes.
func (s *sparseTest) long() bool { return s.k*s.a.Bits() == 512 }

// choosePlaces draws which elements are stored.
func (s *sparseTest) choosePlaces(rnd *rand.Rand) {
	count := s.k / 2
	if s.a.Bits() == 4 {
		count /= 2
	}
	for row := range s.place {
		list := make([]int, count)
		for l := range list {
			switch {
			case s.a == ptx.ElementTF32:
				list[l] = 2*l + rnd.Intn(2)
			case l%2 == 0:
				p := rnd.Perm(4)
				if s.ordered && p[0] > p[1] {
					p[0], p[1] = p[1], p[0]
				}
				list[l], list[l+1] = 2*l+p[0], 2*l+p[1]
			}
		}
		s.place[row] = list
	}
}

// word returns the metadata of a lane, from the figures of the manual. Lanes that are not selected have none.
func (s *sparseTest) word(lane int) (v uint64) {
	row, quad := lane/4, lane%4
	nibble := func(row, group int) uint64 {
		if s.a == ptx.ElementTF32 {
			return [2]uint64{0b0100, 0b1110}[s.place[row][group]%2]
		}
		return uint64(s.place[row][2*group]%4 | s.place[row][2*group+1]%4<<2)
	}
	switch wide := s.a.Bits() >= 16; {
	case wide && !s.long() && quad == s.selector:
		for i := range 4 {
			v |= nibble(row, i)<<(4*i) | nibble(row+8, i)<<(4*i+16)
		}
	case wide && s.long() && quad/2 == s.selector:
		for i := range 4 {
			v |= nibble(row, quad%2*4+i)<<(4*i) | nibble(row+8, quad%2*4+i)<<(4*i+16)
		}
	case !wide && !s.long() && quad/2 == s.selector:
		for i := range 8 {
			v |= nibble(row+quad%2*8, i) << (4 * i)
		}
	case !wide && s.long():
		for i := range 8 {
			v |= nibble(row+quad%2*8, quad/2*8+i) << (4 * i)
		}
	}
	return v
}

// twin computes D of all lanes.
func (s *sparseTest) twin(a, b, c [][]uint64) [][]uint64 {
	var x [16][64]float64
	var y [128][8]float64
	var z [16][8]float64
	per := 32 / s.a.Bits()
	for l := range 32 {
		for i := range s.k / 4 {
			// Registers go down eight rows first, then along K.
			x[l/4+i/per%2*8][l%4*per+i%per+i/per/2*4*per] = plainElement(s.a, a[l], i)
			y[l%4*per+i%per+i/per*4*per][l/4] = plainElement(s.b, b[l], i)
		}
		for i := range 4 {
			z[l/4+i/2*8][l%4*2+i%2] = plainElement(s.d, c[l], i)
		}
	}
	out := make([][]uint64, 32)
	for l := range out {
		out[l] = make([]uint64, len(c[l]))
		for i := range 4 {
			row, col := l/4+i/2*8, l%4*2+i%2
			column := make([]float64, s.k/2)
			for k := range column {
				at := s.place[row][choose(s.a.Bits() == 4, k/2, k)]
				if s.a.Bits() == 4 {
					at = 2*at + k%2
				}
				column[k] = y[at][col]
			}
			sum := z[row][col]
			if s.a.IsFloat() {
				sum = plainMatrixSum(s.a, s.d, s.d, x[row][:s.k/2], column, sum, false, 8)
			} else {
				for k, v := range column {
					sum += x[row][k] * v
				}
			}
			v := plainResult(s.d, sum, s.mods != "")
			if s.d == ptx.ElementF16 {
				out[l][i/2] |= v << (i % 2 * 16)
			} else {
				out[l][i] = v
			}
		}
	}
	return out
}

func (s *sparseTest) run(t *testing.T, rnd *rand.Rand, small bool) {
	s.choosePlaces(rnd)
	n := s.k / 4 * s.a.Bits() / 32
	sums := choose(s.d == ptx.ElementF16, 2, 4)
	a, b, c := randomShare(rnd, s.a, n, small), randomShare(rnd, s.b, n, small), randomShare(rnd, s.d, sums, small)
	meta := make([][]uint64, 32)
	for l := range meta {
		meta[l] = []uint64{s.word(l)}
	}
	text := fmt.Sprintf("%s %s, %s, %s, %s, %%m0, %#x;", s.text(), vectorText("d", sums), vectorText("a", n),
		vectorText("b", n),
		vectorText("c", sums), s.selector)
	got := runRegisters(t, "", text, []registerSet{
		{"d", "b32", sums, nil}, {"a", "b32", n, a}, {"b", "b32", n, b}, {"c", "b32", sums, c}, {"m", "b32", 1, meta}})
	want := s.twin(a, b, c)
	for l := range want {
		for i := range want[l] {
			if got[l][i]&(1<<32-1) != want[l][i] {
				t.Fatalf("%s, selector %d, lane %d, register %d: %#x, want %#x", s.text(), s.selector, l, i, got[l][i],
					want[l][i])
			}
		}
	}
}

// TestSparseMultiply runs every shape and combination of types of mma.sp with every selector.
func TestSparseMultiply(t *testing.T) {
	rnd := rand.New(rand.NewSource(73))
	f16, f32, s32 := ptx.ElementF16, ptx.ElementF32, ptx.ElementS32
	forms := []sparseTest{{k: 16, d: f16, a: f16, b: f16}, {k: 32, d: f16, a: f16, b: f16}, {k: 16, d: f32, a: f16,
		b: f16}, {k: 32, d: f32, a: f16, b: f16}}
	for _, k := range []int{1, 2} {
		forms = append(forms, sparseTest{k: 16 * k, d: f32, a: ptx.ElementBF16, b: ptx.ElementBF16},
			sparseTest{k: 8 * k, d: f32, a: ptx.ElementTF32, b: ptx.ElementTF32})
		for i := range 8 {
			mods := []string{"", ".satfinite"}[i%2]
			eight, four := [2]ptx.Element{ptx.ElementS8, ptx.ElementU8}, [2]ptx.Element{ptx.ElementS4, ptx.ElementU4}
			forms = append(forms, sparseTest{k: 32 * k, d: s32, a: eight[i>>1&1], b: eight[i>>2], mods: mods},
				sparseTest{k: 64 * k, d: s32, a: four[i>>1&1], b: four[i>>2], mods: mods})
		}
	}
	for i := range 4 {
		small := [2]ptx.Element{ptx.ElementE4M3, ptx.ElementE5M2}
		forms = append(forms, sparseTest{k: 64, d: f32, a: small[i&1], b: small[i>>1]}, sparseTest{k: 64, d: f16,
			a: small[i&1], b: small[i>>1]})
	}
	for _, f := range forms {
		_, selectors := ptx.MetadataLayout(f.a, f.k/2*f.a.Bits()/8)
		for f.selector = 0; f.selector < selectors; f.selector++ {
			for i := range 4 {
				f.ordered = i%2 == 0
				f.run(t, rnd, i < 2)
			}
		}
	}
}

// TestSparseFaults: metadata that the manual leaves undefined are a fault with the row and the line.
func TestSparseFaults(t *testing.T) {
	body := func(name, types, meta string) string {
		return "mov.b32 %r8, " + meta + ";\n" + name + ".sync.aligned.m16n8k16.row.col." + types +
			" {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%f0, %f1, %f2, %f3}, %r8, 0;\n"
	}
	half, tf32 := "f32.f16.f16.f32", "f32.tf32.tf32.f32"
	two := strings.NewReplacer("{%r0, %r1, %r2, %r3}", "{%r0, %r1}", "{%r4, %r5, %r6, %r7}", "{%r4, %r5}")
	for _, c := range []struct{ text, want string }{
		{two.Replace(body("mma.sp", half, "0x44444444")), ""},
		{two.Replace(body("mma.sp", half, "0x11111111")), ""},
		{two.Replace(body("mma.sp", half, "0x44454444")), "row 8, elements 0 to 3: the metadata name places 1 and 1"},
		{two.Replace(body("mma.sp::ordered_metadata", half, "0x44441444")),
			"row 0, elements 12 to 15: the metadata name places 1 and 0"},
		{body("mma.sp", tf32, "0xe4e44ee4"), ""},
		{body("mma.sp", tf32, "0xe4e44ec4"), "row 0, elements 2 and 3: the metadata are 0b1100"},
	} {
		err := runGroup(t, c.text, 32)
		var f *Fault
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.want != "" && (!errors.As(err, &f) || f.Line != 11 || !strings.Contains(f.Message, c.want)):
			t.Errorf("%s: %v; want %q", c.text, err, c.want)
		}
	}
}
