package execute

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// TestShuffle checks all modes against the manual's description in words: lanes
// form segments; up, down, xor and index name the source within the segment, and
// a lane whose source is outside keeps its own value.
func TestShuffle(t *testing.T) {
	for _, width := range []int32{2, 8, 16, 32} {
		for _, mode := range []string{"up", "down", "bfly", "idx"} {
			clamp := int32(31)
			if mode == "up" {
				clamp = 0
			}
			c := (32-width)<<8 | clamp
			for _, b := range []int32{0, 1, 3, 7, 16, 31} {
				body := fmt.Sprintf("mul.lo.u32 %%r2, %%r1, 10; shfl.sync.%s.b32 %%r3|%%p1, %%r2, %d, %d, -1; selp.u32 %%r4, 1, 0, %%p1; add.u32 %%r0, %%r3, %%r4;", mode, b, c)
				got, err := runWords(t, withOutput(body), 64)
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range got {
					lane := int32(i) % 32
					first := lane / width * width
					source := map[string]int32{"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": first + b%width}[mode]
					valid := source >= first && source < first+width
					if mode == "bfly" { // may reach into an earlier segment
						valid = source < first+width
					}
					want := int32(i) * 10
					if valid {
						want = (int32(i)-lane+source)*10 + 1
					}
					if v != want {
						t.Fatalf("shfl.%s width %d by %d: thread %d gets %d, want %d", mode, width, b, i, v, want)
					}
				}
			}
		}
	}
}

func TestVotesMatchesReductions(t *testing.T) {
	half := func(lane int32) bool { return lane >= 8 } // the lanes of the guarded part
	for _, c := range []struct {
		body string
		want func(lane int32) int32
	}{
		{"setp.lt.u32 %p1, %r1, 5; vote.sync.ballot.b32 %r0, %p1, -1;", func(int32) int32 { return 31 }},
		{"setp.lt.u32 %p1, %r1, 5; vote.ballot.b32 %r0, !%p1;", func(int32) int32 { return ^31 }},
		{"setp.lt.u32 %p1, %r1, 5; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r0, 1, 0, %p2;", func(int32) int32 { return 1 }},
		{"setp.lt.u32 %p1, %r1, 5; vote.sync.all.pred %p2, %p1, 15; selp.u32 %r0, 1, 0, %p2;", func(int32) int32 { return 1 }},
		{"setp.lt.u32 %p1, %r1, 5; vote.sync.uni.pred %p2, %p1, -1; selp.u32 %r0, 1, 0, %p2;", func(int32) int32 { return 0 }},
		{"activemask.b32 %r0; setp.ge.u32 %p1, %r1, 8; @%p1 activemask.b32 %r0;", func(l int32) int32 {
			if half(l) {
				return ^255
			}
			return -1
		}},
		{"rem.u32 %r2, %r1, 3; match.any.sync.b32 %r0, %r2, -1;", func(l int32) int32 {
			r := uint32(0)
			for i := range int32(32) {
				if i%3 == l%3 {
					r |= 1 << i
				}
			}
			return int32(r)
		}},
		{"mov.u64 %rd3, 5; match.all.sync.b64 %r0|%p1, %rd3, -1; selp.u32 %r0, %r0, 1, %p1;", func(int32) int32 { return -1 }},
		{"match.all.sync.b32 %r0|%p1, %r1, -1; selp.u32 %r2, 9, 4, %p1; add.u32 %r0, %r0, %r2;", func(int32) int32 { return 4 }},
		{"redux.sync.add.s32 %r0, %r1, -1;", func(int32) int32 { return 496 }},
		{"not.b32 %r2, %r1; redux.sync.min.s32 %r0, %r2, -1;", func(int32) int32 { return -32 }},
		{"not.b32 %r2, %r1; redux.sync.max.u32 %r0, %r2, 0xf0;", func(int32) int32 { return -5 }},
		{"setp.ge.u32 %p1, %r1, 8; mov.u32 %r0, 0; @%p1 redux.sync.or.b32 %r0, %r1, -1;", func(l int32) int32 {
			if half(l) {
				return 31
			}
			return 0
		}},
		{"setp.ge.u32 %p1, %r1, 8; mov.u32 %r0, 0; @%p1 elect.sync %r0|%p2, -1; selp.u32 %r2, 100, 0, %p2; add.u32 %r0, %r0, %r2;", func(l int32) int32 {
			switch {
			case l == 8:
				return 108
			case half(l):
				return 8
			}
			return 0
		}},
		{"mov.u32 %r0, %lanemask_lt; mov.u32 %r2, %lanemask_ge; xor.b32 %r0, %r0, %r2;", func(int32) int32 { return -1 }},
		{"mov.u32 %r0, %laneid; mov.u32 %r2, %lanemask_eq; popc.b32 %r2, %r2; add.u32 %r0, %r0, %r2;", func(l int32) int32 { return l + 1 }},
		{"mov.u32 %r0, %lanemask_gt; popc.b32 %r0, %r0; mov.u32 %r2, %lanemask_le; popc.b32 %r2, %r2; mad.lo.u32 %r0, %r0, 100, %r2;",
			func(l int32) int32 { return (31-l)*100 + l + 1 }},
	} {
		src := withOutput(c.body)
		if strings.Contains(c.body, "vote.ballot") {
			src = strings.Replace(src, "8.6", "6.3", 1)
		}
		got, err := runWords(t, src, 32)
		if err != nil {
			t.Fatalf("%s: %v", c.body, err)
		}
		for i, v := range got {
			if want := c.want(int32(i)); v != want {
				t.Errorf("%s\nlane %d has %d, want %d", c.body, i, v, want)
				break
			}
		}
	}
}

// TestAtomics applies every operation to one word from all lanes of a warp, in
// global and shared memory, and replays it lane by lane.
func TestAtomics(t *testing.T) {
	type operation struct {
		name string
		typ  ptx.Scalar
		f    func(old, b uint64) uint64
	}
	signed32 := func(f func(a, b int32) int32) func(old, b uint64) uint64 {
		return func(old, b uint64) uint64 { return uint64(uint32(f(int32(old), int32(b)))) }
	}
	ops := []operation{
		{"add", ptx.TypeU32, func(o, b uint64) uint64 { return (o + b) & 0xffffffff }},
		{"add", ptx.TypeU64, func(o, b uint64) uint64 { return o + b }},
		{"min", ptx.TypeS32, signed32(func(a, b int32) int32 { return min(a, b) })},
		{"max", ptx.TypeS32, signed32(func(a, b int32) int32 { return max(a, b) })},
		{"min", ptx.TypeU32, func(o, b uint64) uint64 { return min(o, b) }},
		{"max", ptx.TypeU64, func(o, b uint64) uint64 { return max(o, b) }},
		{"and", ptx.TypeB32, func(o, b uint64) uint64 { return o & b }},
		{"or", ptx.TypeB64, func(o, b uint64) uint64 { return o | b }},
		{"xor", ptx.TypeB32, func(o, b uint64) uint64 { return o ^ b }},
		{"exch", ptx.TypeB32, func(_, b uint64) uint64 { return b }},
		{"inc", ptx.TypeU32, func(o, b uint64) uint64 {
			if o >= b {
				return 0
			}
			return o + 1
		}},
		{"dec", ptx.TypeU32, func(o, b uint64) uint64 {
			if o == 0 || o > b {
				return b
			}
			return o - 1
		}},
	}
	for _, space := range []string{"global", "shared"} {
		for _, o := range ops {
			w := o.typ.Bits()
			r, operand := "%r", "mov.u32 %r5, %r4;"
			if w == 64 {
				r, operand = "%rd", "cvt.s64.s32 %rd5, %r4; mul.lo.s64 %rd5, %rd5, 1000000007;"
			}
			base := "%rd1"
			set := "sub.u64 %rd1, %rd1, %rd2; add.u64 %rd6, %rd1, %rd2;"
			if space == "shared" {
				base = "%r7"
				set = "mov.u32 %r7, s; mov.u64 %rd6, %rd1;"
			}
			// The first word is shared by all lanes; each returns the old value's low half.
			src := divergeHead + fmt.Sprintf(`.visible .entry test(.param .u64 out) {
				.reg .b32 %%r<16>; .reg .b64 %%rd<16>; .reg .pred %%p; .shared .align 8 .b8 s[64];
				ld.param.u64 %%rd1, [out]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd2, %%r1, 4; add.u64 %%rd1, %%rd1, %%rd2; %s
				mad.lo.u32 %%r4, %%r1, 2654435761, 12345; shr.s32 %%r4, %%r4, 3; %s
				atom.%s.%s.%s %s8, [%s], %s5; cvt.u32.u%d %%r0, %s8; st.global.u32 [%%rd6+128], %%r0; ret; }`,
				set, operand, space, o.name, o.typ, r, base, r, w, r)
			m, err := compile.Load("atomic.ptx", []byte(src))
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
			out, _ := image.Alloc("out", 256)
			params := make([]byte, 8)
			writeBytes(params, 8, out.Base)
			addr := out.Base
			l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params}
			if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
				t.Fatal(err)
			}
			b := make([]byte, 256)
			image.Read(addr, b)
			value := uint64(0)
			for lane := range uint32(32) {
				if got := uint32(readBytes(b[128+4*lane:], 4)); got != uint32(value) {
					t.Fatalf("atom.%s.%s.%s: lane %d finds %x, want %x", space, o.name, o.typ, lane, got, uint32(value))
				}
				x := uint64(uint32(int32(lane*2654435761+12345) >> 3))
				if w == 64 {
					x = uint64(int64(int32(x)) * 1000000007)
				}
				value = o.f(value, x)
			}
		}
	}
	cas := ptx.AtomicOp{Code: ptx.AtomicCompare, Type: ptx.TypeB32, Bytes: 4}
	if arith.ApplyAtomic(cas, 5, 5, 9) != 9 || arith.ApplyAtomic(cas, 6, 5, 9) != 6 {
		t.Error("cas")
	}
	if s := cas.String(); s != "cas.b32" {
		t.Errorf("name %q", s)
	}
}
