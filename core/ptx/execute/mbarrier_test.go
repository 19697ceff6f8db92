package execute

import "testing"

// TestMbarriers runs the patterns compilers and libraries use.
func TestMbarriers(t *testing.T) {
	checkBodies(t, []bodyTest{
		{"a barrier of all threads, by state", `setp.eq.u32 %p1, %r1, 0; mov.u32 %r3, s; @%p1 mbarrier.init.shared.b64 [s], 64; bar.sync 0;
			shl.b32 %r2, %r1, 2; add.u32 %r2, %r2, %r3; st.shared.u32 [%r2+64], %r1;
			mbarrier.arrive.shared.b64 %rd5, [%r3];
			WAIT: mbarrier.try_wait.shared.b64 %p2, [s], %rd5; @!%p2 bra WAIT;
			xor.b32 %r2, %r1, 63; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r3; ld.shared.u32 %r0, [%r2+64];`,
			func(tid int32) int32 { return tid ^ 63 }},
		{"many phases, by parity, in generic addresses", `cvta.shared.u64 %rd5, s; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 64;
			@%p1 mbarrier.init.b64 [%rd5], %r2; @%p1 st.shared.u32 [s+8], 0; bar.sync 0; mov.u32 %r4, 0; mov.u32 %r0, 0;
			L: red.shared.add.u32 [s+8], 1; mbarrier.arrive.release.cta.b64 _, [%rd5], 1; and.b32 %r5, %r4, 1;
			W: mbarrier.test_wait.parity.acquire.cta.b64 %p2, [%rd5], %r5; @!%p2 bra W;
			ld.shared.u32 %r6, [s+8]; add.u32 %r0, %r0, %r6; bar.sync 0; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 5; @%p3 bra L;`,
			func(int32) int32 { return 64 * (1 + 2 + 3 + 4 + 5) }},
		{"a producer that expects bytes", `mov.u32 %r3, s; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared::cta.b64 [%r3], 1; fence.mbarrier_init.release.cluster; bar.sync 0;
			@!%p1 bra CONSUME; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 64; st.shared.u32 [s+16], 42;
			mbarrier.test_wait.parity.shared.b64 %p4, [s], 0; @%p4 st.shared.u32 [s+16], -1;
			mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r3], 64;
			CONSUME: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0, 0x989680; @!%p2 bra CONSUME; ld.shared.u32 %r0, [s+16];`,
			func(int32) int32 { return 42 }},
		{"copies arrive", `mov.u32 %r3, s; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [s], 128; bar.sync 0; st.global.u32 [%rd3], %r1;
			shl.b32 %r2, %r1, 2; add.u32 %r2, %r2, %r3; cp.async.ca.shared.global [%r2+64], [%rd3], 4; cp.async.mbarrier.arrive.shared.b64 [s];
			cp.async.mbarrier.arrive.noinc.shared.b64 [s]; mbarrier.arrive.shared.b64 %rd5, [s];
			W: mbarrier.test_wait.shared.b64 %p2, [s], %rd5; @!%p2 bra W; xor.b32 %r2, %r1, 33; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r3;
			ld.shared.u32 %r0, [%r2+64]; bar.sync 0; @%p1 mbarrier.inval.shared.b64 [s];`,
			func(tid int32) int32 { return tid ^ 33 }},
		{"one thread drops out", `mov.u32 %r0, 0; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [s], 3; bar.sync 0; @!%p1 bra END;
			mbarrier.arrive_drop.shared.b64 %rd5, [s]; mbarrier.arrive.noComplete.shared.b64 %rd6, [s], 1; mbarrier.pending_count.b64 %r2, %rd6;
			mbarrier.arrive.shared.b64 %rd6, [s]; mbarrier.arrive.shared.b64 %rd6, [s]; mbarrier.pending_count.b64 %r4, %rd6;
			mbarrier.test_wait.shared.b64 %p2, [s], %rd5; mad.lo.u32 %r0, %r2, 10, %r4; @%p2 add.u32 %r0, %r0, 100;
			END:`, func(tid int32) int32 {
			if tid == 0 {
				return 122 // two pending before the second arrival, two again in the next phase
			}
			return 0
		}},
		{"barriers of a cluster of one", `shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r2, %r2, %r3; st.shared.u32 [%r2], %r1;
			barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; xor.b32 %r2, %r1, 32; shl.b32 %r2, %r2, 2; add.u32 %r2, %r2, %r3;
			ld.shared.u32 %r0, [%r2];`, func(tid int32) int32 { return tid ^ 32 }},
	})
}
