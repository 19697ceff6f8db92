package execute

import (
	"strings"
	"testing"
)

// bodyTest is a body for withOutput and what each of 64 threads leaves in %r0.
// There are 8 KiB of global memory at g, 128 bytes per thread at %rd3, and
// registers %x of 128 bits, %h of 16, %v of four words.
type bodyTest struct {
	name, body string
	want       func(tid int32) int32
}

func checkBodies(t *testing.T, tests []bodyTest) {
	t.Helper()
	for _, c := range tests {
		src := strings.Replace(withOutput(`mov.u64 %rd3, g; mul.wide.u32 %rd4, %r1, 128; add.u64 %rd3, %rd3, %rd4;`+c.body),
			".visible .entry", ".global .align 128 .b8 g[8192];\n.visible .entry", 1)
		src = strings.Replace(src, ".reg .pred %p<8>;", ".reg .pred %p<8>; .reg .b16 %h<16>; .reg .b64 %q<8>; .reg .b128 %x<4>; .reg .v4 .b32 %v<4>; .reg .f64 %d<4>;", 1)
		got, err := runWords(t, src, 64)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, v := range got {
			if want := c.want(int32(i)); v != want {
				t.Errorf("%s: thread %d has %d, want %d", c.name, i, v, want)
				break
			}
		}
	}
}

// TestWideAccess has what is done in pieces: accesses of 128 and 256 bits, vector
// atomics, and moves of vectors whose registers overlap.
func TestWideAccess(t *testing.T) {
	words := `mov.u32 %r10, %r1; add.u32 %r11, %r1, 1; add.u32 %r12, %r1, 2; add.u32 %r13, %r1, 3;
		add.u32 %r14, %r1, 4; add.u32 %r15, %r1, 5; add.u32 %r16, %r1, 6; add.u32 %r17, %r1, 7;
		st.global.v8.b32 [%rd3+32], {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17};`
	checkBodies(t, []bodyTest{
		{"eight words", words + `ld.global.nc.L1::no_allocate.v8.b32 {%r20, %r21, %r22, %r23, %r24, _, %r26, %r27}, [%rd3+32];
			mad.lo.u32 %r0, %r27, 100, %r20; mad.lo.u32 %r0, %r24, 10000, %r0;`,
			func(tid int32) int32 { return (tid+7)*100 + tid + (tid+4)*10000 }},
		{"the address is overwritten", words + `mov.b64 %q0, %rd3; ld.global.v4.b64 {%q0, %q1, %q2, %q3}, [%q0+32];
			cvt.u32.u64 %r0, %q0; shr.u64 %q3, %q3, 32; cvt.u32.u64 %r2, %q3; mad.lo.u32 %r0, %r2, 1000, %r0;`,
			func(tid int32) int32 { return tid + 1000*(tid+7) }},
		{"a guard", words + `mov.u32 %r0, 7; mov.u32 %r24, 9; setp.lt.u32 %p1, %r1, 5;
			@%p1 ld.global.v8.b32 {%r0, %r21, %r22, %r23, %r24, %r25, %r26, %r27}, [%rd3+32]; mad.lo.u32 %r0, %r24, 1000, %r0;`,
			func(tid int32) int32 {
				if tid < 5 {
					return tid + 1000*(tid+4)
				}
				return 9007
			}},
		{"registers of 128 bits", words + `ld.global.b128 %x0, [%rd3+48]; mov.b128 %x1, %x0; mov.b128 {%q0, %q1}, %x1; mov.b128 %x2, {%q1, %q0};
			st.global.b128 [%rd3], %x2; ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd3];
			mad.lo.u32 %r0, %r20, 100, %r21; mad.lo.u32 %r0, %r22, 10000, %r0;`,
			func(tid int32) int32 { return (tid+6)*100 + tid + 7 + (tid+4)*10000 }},
		{"vectors", `mov.v4.u32 %v0, %tid; mov.u32 %v0.w, 5; mov.v4.b32 {%r4, %r5, %r6, %r7}, %v0; mov.v2.b32 {%r4, %r7}, {%r7, %r4};
			mad.lo.u32 %r0, %r4, 100, %r7; add.u32 %r0, %r0, %r5;`, func(tid int32) int32 { return 500 + tid }},
		{"vector atomics", `mov.f32 %f0, 0f3f800000; mov.f32 %f1, 0f40000000; cvt.rn.f32.u32 %f2, %r1;
			st.global.v2.f32 [%rd3], {%f0, %f2}; atom.global.add.v2.f32 {%f0, %f1}, [%rd3], {%f1, %f0};
			red.relaxed.gpu.global.add.v4.f32 [%rd3], {%f0, %f1, %f0, %f1}; ld.global.v2.f32 {%f2, %f3}, [%rd3];
			cvt.rni.s32.f32 %r0, %f2; cvt.rni.s32.f32 %r2, %f3; mad.lo.s32 %r0, %r0, 1000, %r2;`,
			// 1 + 2, then + 1; tid + 1, then + tid
			func(tid int32) int32 { return 4000 + 2*tid + 1 }},
		{"vector atomics of halves", `cvt.rn.f16.u32 %h0, %r1; mov.b16 %h1, 0x4000; mov.b32 %r2, {%h0, %h1}; mov.b32 %r3, {%h1, %h1};
			st.global.v2.b32 [%rd3], {%r2, %r3}; atom.global.max.noftz.v2.f16x2 {%r4, %r5}, [%rd3], {%r3, %r2};
			red.global.add.noftz.v2.f16 [%rd3], {%h1, %h1}; ld.global.v4.b16 {%h2, %h3, %h4, %h5}, [%rd3];
			cvt.rni.s32.f16 %r0, %h2; cvt.rni.s32.f16 %r6, %h4; mad.lo.s32 %r0, %r0, 1000, %r6; setp.ne.b32 %p1, %r4, %r2; @%p1 mov.u32 %r0, -1;`,
			func(tid int32) int32 { return 1000*(max(tid, 2)+2) + max(tid, 2) }},
		{"cache policies", `createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd5, 0.5; createpolicy.cvt.L2.b64 %rd5, 0x14f0000000000000;
			createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd5, [%rd3], 128, %r1;
			st.global.L2::cache_hint.u32 [%rd3], %r1, %rd5; red.global.add.L2::cache_hint.u32 [%rd3], 5, %rd5;
			atom.global.L2::cache_hint.add.u32 %r2, [%rd3], 10, %rd5; ld.global.L1::evict_first.L2::cache_hint.L2::64B.u32 %r0, [%rd3], %rd5;
			discard.global.L2 [%rd3+64], 128; applypriority.global.L2::evict_normal [%rd3], 128; prefetch.global.L2::evict_last [%rd3];
			ld.mmio.relaxed.sys.global.u32 %r3, [%rd3]; sub.u32 %r0, %r0, %r3; add.u32 %r0, %r0, %r2;`,
			func(tid int32) int32 { return tid + 5 }},
		{"clusters of one", `getctarank.shared::cluster.u32 %r0, %r3; mov.u32 %r2, %cluster_nctarank; add.u32 %r0, %r0, %r2; mov.pred %p1, %is_explicit_cluster;
			@%p1 add.u32 %r0, %r0, 100; mov.u64 %rd5, %gridid; cvt.u32.u64 %r4, %rd5; add.u32 %r0, %r0, %r4; st.shared::cluster.u32 [s], 41;
			bar.sync 0; ld.shared::cta.u32 %r4, [s]; add.u32 %r0, %r0, %r4; setmaxnreg.inc.sync.aligned.u32 96; mov.u64 %rd5, %current_graph_exec;`,
			func(int32) int32 { return 42 }},
		{"a table with a predicate", `mov.u32 %r2, 0xff; setp.lt.u32 %p1, %r1, 3; lop3.and.b32 %r0|%p2, %r1, 1, %r2, 0x80, !%p1;
			lop3.or.b32 _|%p3, %r1, 4, %r2, 0x80, %p1; selp.u32 %r3, 10, 0, %p2; add.u32 %r0, %r0, %r3; selp.u32 %r3, 100, 0, %p3; add.u32 %r0, %r0, %r3;`,
			func(tid int32) int32 {
				r := tid & 1
				if tid&1 != 0 && tid >= 3 {
					r += 10
				}
				if tid&4 != 0 || tid < 3 {
					r += 100
				}
				return r
			}},
	})
}
