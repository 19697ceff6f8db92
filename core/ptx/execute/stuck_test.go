package execute

import (
	"strings"
	"testing"
)

// stuckKernel is a kernel with the given body. %rd1 is the output, with a word for each CTA; %r1 is the lane, %r2 the
// CTA.
func stuckKernel(target, body string) string {
	return ".version 7.0\n.target " + target + "\n.address_size 64\n" + `.visible .entry test(.param .u64 out) {
	.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .shared .b32 s[32]; .local .b32 l[4];
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 0; mov.u32 %r4, 0;
	` + body + `
	ret; }`
}

// TestStuckIsProven: an endless wait is found long before a limit of instructions, and the fault says who waits for
// what.
func TestStuckIsProven(t *testing.T) {
	const wait = "W: ld.volatile.global.u32 %r3, [%rd1]; "
	for name, c := range map[string]struct {
		target, body string
		ctas         uint32
		want         string
	}{
		"a flag that nobody writes": {"sm_50", wait + "setp.eq.u32 %p1, %r3, 0; @%p1 bra W;", 1,
			"reads 0x0 at 0xc0000000 (byte 0 of out)"},
		"of several CTAs": {"sm_70", wait + "setp.eq.u32 %p1, %r3, 0; @%p1 bra W;", 8, "reads 0x0"},
		"a lane for another one": {"sm_50", "setp.eq.u32 %p1, %r1, 0; @%p1 bra E;\n" +
			wait + "setp.eq.u32 %p2, %r3, 0; @%p2 bra W;\nE: st.global.u32 [%rd1], 1;", 1,
			"before sm_70 the lanes of a warp run in step"},
		"a lock": {"sm_50", "W: atom.global.cas.b32 %r3, [%rd1], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra W;\n" +
			"atom.global.exch.b32 %r3, [%rd1], 0;", 2, "reads 0x1"},
		"two locks in two orders": {"sm_70", "setp.eq.u32 %p1, %r2, 0; setp.ne.u32 %p2, %r1, 0; @%p2 ret;\n" +
			"selp.u32 %r5, 0, 4, %p1; cvt.u64.u32 %rd2, %r5; add.u64 %rd2, %rd2, %rd1; xor.b32 %r6, %r5, 4;\n" +
			"cvt.u64.u32 %rd3, %r6; add.u64 %rd3, %rd3, %rd1; atom.global.exch.b32 %r3, [%rd2], 1;\n" +
			"V: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 9000; @%p3 bra V;\n" +
			"W: atom.global.cas.b32 %r3, [%rd3], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra W;", 2, "reads 0x1"},
		"two CTAs for each other": {"sm_70", "setp.eq.u32 %p1, %r2, 0; setp.ne.u32 %p2, %r1, 0; @%p2 ret;\n" +
			"selp.u32 %r5, 0, 4, %p1; cvt.u64.u32 %rd2, %r5; add.u64 %rd2, %rd2, %rd1; xor.b32 %r6, %r5, 4;\n" +
			"cvt.u64.u32 %rd3, %r6; add.u64 %rd3, %rd3, %rd1; atom.global.exch.b32 %r3, [%rd2], 1;\n" +
			"V: ld.volatile.global.u32 %r3, [%rd3]; setp.eq.u32 %p3, %r3, 0; @%p3 bra V;\n" +
			"W: atom.global.cas.b32 %r3, [%rd3], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra W;", 2,
			"reads 0x1 at 0xc0000004 (byte 4 of out) again and again: no thread that runs has written what it " +
				"waits for; in warp 0 of CTA (1,0,0) lane 0 spins at line 11 (the first reads 0x1 at 0xc0000000"},
		"lanes apart": {"sm_70", "setp.lt.u32 %p1, %r1, 16; @%p1 bra A;\n" +
			wait + "setp.eq.u32 %p2, %r3, 0; @%p2 bra W; bra E;\n" +
			"A: ld.volatile.global.u32 %r3, [%rd1]; setp.ne.u32 %p2, %r3, 1; @%p2 bra A;\nE:", 1, "reads 0x0"},
		"others at a barrier": {"sm_70", "setp.ne.u32 %p1, %r1, 0; @%p1 bra E;\n" +
			wait + "setp.eq.u32 %p2, %r3, 0; @%p2 bra W;\nE: bar.sync 0;", 1, "reads 0x0"},
		"a loop with two phases": {"sm_70", "W: ld.volatile.global.u32 %r3, [%rd1]; xor.b32 %r4, %r4, 1; " +
			"setp.eq.u32 %p1, %r3, 0; @%p1 bra W;", 1, "reads 0x0"},
	} {
		_, err := runChain(t, stuckKernel(c.target, c.body), c.ctas, FunctionalOptions{MaxInstructions: 1_500_000})
		if err == nil || !strings.Contains(err.Error(), "every warp waits, and nothing changes any more") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestLongWaitsEnd: loops that look like waits but end, because something changes that other proofs may miss: a clock,
// a register, shared or local memory, the value in memory, or another warp that takes its time.
func TestLongWaitsEnd(t *testing.T) {
	const read = "W: ld.volatile.global.u32 %r3, [%rd1]; "
	for name, body := range map[string]string{
		"a clock": read + "mov.u32 %r4, %clock; setp.lt.u32 %p1, %r4, 900000; mov.u32 %r4, 0; @%p1 bra W;",
		"a timer": read + "mov.u64 %rd2, %globaltimer; setp.lt.u64 %p1, %rd2, 900000; mov.u64 %rd2, 0; @%p1 bra W;",
		"half of a clock": read + "mov.u64 %rd2, %clock64; shr.u64 %rd2, %rd2, 19; cvt.u32.u64 %r4, %rd2; " +
			"mov.u64 %rd2, 0; setp.eq.u32 %p1, %r4, 0; @%p1 bra W;",
		"a count of turns": read + "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 150000; @%p1 bra W;",
		"a count in the last lane": read + "setp.eq.u32 %p2, %r1, 31; @%p2 add.u32 %r4, %r4, 1; " +
			"setp.lt.u32 %p1, %r4, 150000; vote.sync.all.pred %p1, %p1, 0xffffffff; @%p1 bra W;",
		"a count in shared memory": read + "ld.shared.u32 %r4, [s]; add.u32 %r4, %r4, 1; st.shared.u32 [s], %r4; " +
			"setp.lt.u32 %p1, %r4, 90000; mov.u32 %r4, 0; @%p1 bra W;",
		"a count in local memory": read + "ld.local.u32 %r4, [l]; add.u32 %r4, %r4, 1; st.local.u32 [l], %r4; " +
			"setp.lt.u32 %p1, %r4, 90000; mov.u32 %r4, 0; @%p1 bra W;",
		"a count in global memory": read + "add.u32 %r4, %r3, 1; st.volatile.global.u32 [%rd1], %r4; " +
			"setp.lt.u32 %p1, %r4, 90000; mov.u32 %r4, 0; mov.u32 %r3, 0; @%p1 bra W;",
		"an atomic count": "W: atom.global.add.u32 %r4, [%rd1], 1; setp.lt.u32 %p1, %r4, 2000000; mov.u32 %r4, 0; " +
			"@%p1 bra W;",
		"an exchange of two values": "W: atom.global.exch.b32 %r3, [%rd1], %r4; xor.b32 %r4, %r3, 1; " +
			"add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 90000; @%p1 bra W;",
		"a slow partner in its warp": "setp.ne.u32 %p2, %r1, 0; @%p2 bra W; V: add.u32 %r4, %r4, 1; " +
			"setp.lt.u32 %p1, %r4, 150000; @%p1 bra V; st.volatile.global.u32 [%rd1], 1; bra E; " + read +
			"setp.eq.u32 %p1, %r3, 0; @%p1 bra W; E:",
	} {
		_, err := runChain(t, stuckKernel("sm_70", body), 1, FunctionalOptions{MaxInstructions: 40_000_000})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The first CTAs wait for the last one, which reads one place again and again while it counts.
	slow := "setp.ne.u32 %p1, %r2, 5; @%p1 bra W;\nV: ld.volatile.global.u32 %r3, [%rd1]; add.u32 %r4, %r4, 1; " +
		"setp.lt.u32 %p1, %r4, 100000; @%p1 bra V; st.volatile.global.u32 [%rd1], 1; bra E;\n" +
		"W: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra W;\nE:"
	if _, err := runChain(t, stuckKernel("sm_70", slow), 6, FunctionalOptions{MaxInstructions: 40_000_000}); err != nil {
		t.Errorf("a slow CTA: %v", err)
	}
	// One CTA at a time: the proof is right that those that are resident wait for ever.
	_, err := runChain(t, stuckKernel("sm_70", slow), 6, FunctionalOptions{MaxInstructions: 1_500_000, MaxCTAs: 2})
	if err == nil || !strings.Contains(err.Error(), "nothing changes any more") {
		t.Errorf("two of six CTAs: %v", err)
	}
}
