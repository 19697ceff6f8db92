package execute

import (
	"fmt"
	"strings"
	"testing"
)

// asyncBody lets each thread work on the shared memory of the next CTA of its cluster by WORK, which reports SIZE bytes
// to the mbarrier there: %r9 is the address of buffer there, %r10 that of the mbarrier. Then buffer goes to out.
const asyncBody = `@%p mbarrier.init.shared::cta.b64 [%m], 1;
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], TOTAL;
shl.b32 %r5, %t, 4; add.u32 %r5, %r5, %s; mad.lo.u32 %r6, %t, 0x01010103, 0x80000005;
st.shared.v4.u32 [%r5], {%r6, %r6, %r6, %r6};
fence.mbarrier_init.release.cluster; ` + clusterSync + `
mov.u32 %r7, %cluster_nctarank; add.u32 %r8, %rank, 1; rem.u32 %r8, %r8, %r7;
mapa.shared::cluster.u32 %r9, %s, %r8; mapa.shared::cluster.u32 %r10, %m, %r8;
WORK
W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%m], 0; @!%q bra W;
ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r5]; mad.lo.u32 %r24, %cta, 512, 0; shl.b32 %r25, %t, 4;
add.u32 %r24, %r24, %r25; cvt.u64.u32 %x0, %r24; add.u64 %x0, %x0, %b;
st.global.v4.u32 [%x0], {%r20, %r21, %r22, %r23};
` + clusterSync

// runAsync runs the work in clusters of several sizes, and compares the memory of each CTA with what model says: which
// words the threads of CTA from leave in it.
func runAsync(t *testing.T, name, work string, bytes int, model func(from uint32, words []uint32)) {
	t.Helper()
	for _, n := range []uint32{2, 4, 8} {
		body := strings.NewReplacer("WORK", work, "TOTAL", fmt.Sprint(32*bytes)).Replace(asyncBody)
		got, err := runCluster(t, body, [3]uint32{8, 1, 1}, [3]uint32{n, 1, 1}, 32, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for cta := range uint32(8) {
			first := cta / n * n
			want := make([]uint32, 128)
			for i := range want {
				want[i] = uint32(i/4)*0x01010103 + 0x80000005
			}
			model(first+(cta-first+n-1)%n, want)
			for i, w := range want {
				if v := got[cta*128+uint32(i)]; v != w {
					t.Fatalf("%s, clusters of %d, CTA %d, word %d: %#x, want %#x", name, n, cta, i, v, w)
				}
			}
		}
	}
}

// TestAsyncStores stores numbers and vectors of every type of st.async into the next CTA.
func TestAsyncStores(t *testing.T) {
	for _, typ := range []string{"b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"} {
		wide := strings.HasSuffix(typ, "64")
		for _, elements := range []int{1, 2, 4} {
			words := elements
			if wide {
				words *= 2
			}
			if words > 4 {
				continue
			}
			work := fmt.Sprintf("mad.lo.u32 %%r11, %%t, %d, %%r9; mad.lo.u32 %%r12, %%cta, 10000, %%t;\n", 4*words)
			var list []string
			for i := range elements {
				if work += fmt.Sprintf("add.u32 %%r%d, %%r12, %d;", 13+i, 1000*i); !wide {
					list = append(list, fmt.Sprintf("%%r%d", 13+i))
					continue
				}
				work += fmt.Sprintf("mov.b64 %%x%d, {%%r%d, %%t};", 1+i, 13+i)
				list = append(list, fmt.Sprintf("%%x%d", 1+i))
			}
			vector, value := "", list[0]
			if elements > 1 {
				vector, value = fmt.Sprintf(".v%d", elements), "{"+strings.Join(list, ", ")+"}"
			}
			op := "st.async.shared::cluster.mbarrier::complete_tx::bytes" + vector + "." + typ
			runAsync(t, op, work+op+" [%r11], "+value+", [%r10];", 4*words, func(from uint32, out []uint32) {
				for thread := range uint32(32) {
					for w := range uint32(words) {
						v := from*10000 + thread + 1000*w
						if wide {
							v = [2]uint32{from*10000 + thread + 1000*(w/2), thread}[w%2]
						}
						out[thread*uint32(words)+w] = v
					}
				}
			})
		}
	}
}

// TestAsyncReductions has every operation of red.async on words that four threads share.
func TestAsyncReductions(t *testing.T) {
	type step = func(old, v uint64) uint64
	pick := func(second bool, a, b uint64) uint64 {
		if second {
			return b
		}
		return a
	}
	signed := func(v uint64) int32 { return int32(uint32(v)) }
	for op, f := range map[string]step{ // the order decides nothing
		"inc.u32": func(o, v uint64) uint64 { return pick(o >= v, o+1, 0) },
		"dec.u32": func(o, v uint64) uint64 { return pick(o == 0 || o > v, o-1, v) },
		"min.u32": func(o, v uint64) uint64 { return min(o, v) },
		"max.u32": func(o, v uint64) uint64 { return max(o, v) },
		"min.s32": func(o, v uint64) uint64 { return pick(signed(v) < signed(o), o, v) },
		"max.s32": func(o, v uint64) uint64 { return pick(signed(v) > signed(o), o, v) },
		"add.u32": func(o, v uint64) uint64 { return o + v }, "add.s32": func(o, v uint64) uint64 { return o + v },
		"and.b32": func(o, v uint64) uint64 { return o & v }, "or.b32": func(o, v uint64) uint64 { return o | v },
		"xor.b32": func(o, v uint64) uint64 { return o ^ v }, "add.u64": func(o, v uint64) uint64 { return o + v },
	} {
		bytes, register := 4, "%r13"
		if strings.HasSuffix(op, "64") {
			bytes, register = 8, "%x1"
		}
		// inc and dec depend on the order, unless threads of one word have one limit.
		const value = "and.b32 %r12, %t, 7; "
		spread := uint32(0x20000001)
		if op[1:] == "nc.u32" || op[1:] == "ec.u32" {
			spread = 0
		}
		work := value + fmt.Sprintf("mad.lo.u32 %%r11, %%r12, %d, %%r9; shr.u32 %%r14, %%t, 3;\n"+
			"mad.lo.u32 %%r13, %%r12, 0x11111111, %%cta; mad.lo.u32 %%r13, %%r14, %d, %%r13; mov.b64 %%x1, {%%r13, %%t};\n"+
			"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.%s [%%r11], %s, [%%r10];",
			bytes, spread, op, register)
		runAsync(t, "red.async."+op, work, bytes, func(from uint32, out []uint32) {
			for thread := range uint32(32) {
				at, v := thread%8, uint64(thread%8*0x11111111+from+thread/8*spread)
				if bytes == 4 {
					out[at] = uint32(f(uint64(out[at]), v&(1<<32-1)))
					continue
				}
				sum := f(uint64(out[2*at])|uint64(out[2*at+1])<<32, v&(1<<32-1)|uint64(thread)<<32)
				out[2*at], out[2*at+1] = uint32(sum), uint32(sum>>32)
			}
		})
	}
}
