package execute

import (
	"strings"
	"testing"
)

// TestMbarrierThatNeverEnds wants a wait without end named: the place, the phase, and what is missing.
func TestMbarrierThatNeverEnds(t *testing.T) {
	const wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], 0; @!%q bra W;"
	for body, want := range map[string]string{
		"@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], 1040;" +
			wait: "the mbarrier (phase 0, which lacks 0 arrivals and 1040 bytes) at",
		"@%p mbarrier.arrive.shared::cta.b64 _, [%m]; @%p mbarrier.init.shared.b64 [%m], 1;" +
			"@%p mbarrier.complete_tx.shared::cta.b64 [%m], 48; @%p mbarrier.arrive.shared::cta.b64 _, [%m]; " +
			wait: "(phase 0, which lacks 0 arrivals and has 48 bytes too many) at",
		wait: "(phase 0, which lacks 1 arrivals and 0 bytes) at",
	} {
		_, err := runBulk(t, body, 32, nil, nil)
		if err == nil || !strings.Contains(err.Error(), "deadlock") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

// TestMbarrierWaitIsProven: the wait is known to be endless long before a limit of instructions, though other warps
// have ended or wait at barriers; a consumer whose producer takes its time goes on.
func TestMbarrierWaitIsProven(t *testing.T) {
	const wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], 0; @!%q bra W;"
	head := "bar.sync 0; setp.lt.u32 %q, %t, 32;\n"
	for name, body := range map[string]string{
		"one warp":           "@!%q bra END; " + wait + "\nEND:",
		"others at barriers": "@!%q bra SYNC; " + wait + "\nSYNC: bar.sync 0;",
		"others ask too":     wait,
	} {
		m := FunctionalOptions{MaxInstructions: 400_000}
		_, err := runBulkWith(t, head+body, 96, nil, nil, m)
		if err == nil || !strings.Contains(err.Error(), "every warp waits, and nothing changes any more") ||
			!strings.Contains(err.Error(), "lacks 1 arrivals") {
			t.Errorf("%s: %v", name, err)
		}
	}
	slow := head + "@%q bra W; mov.u32 %n, 0; L: add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 200000; @%q bra L;\n" +
		"setp.eq.u32 %q, %t, 32; @%q mbarrier.arrive.shared::cta.b64 _, [%m];\n" + wait
	if _, err := runBulkWith(t, slow, 96, nil, nil, FunctionalOptions{}); err != nil {
		t.Error(err)
	}
}

// TestLongPipeline: two warps that hand 4,000 items to each other by mbarriers execute some ten instructions for each,
// also when both have executed so many that their turns are long: who asks an mbarrier in vain lets others run.
func TestLongPipeline(t *testing.T) {
	const body = `@%p mbarrier.init.shared::cta.b64 [%s], 1;
bar.sync 0; and.b32 %r0, %t, 31; setp.ne.u32 %q, %r0, 0; @%q bra END;
mov.u32 %n, 0; setp.ne.u32 %q, %t, 0; @%q bra TAKE;
GIVE: add.u32 %r1, %n, 1; and.b32 %r1, %r1, 1;
EMPTY: mbarrier.try_wait.parity.shared::cta.b64 %q, [%s], %r1; @!%q bra EMPTY;
mbarrier.arrive.shared::cta.b64 _, [%m]; add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 4000; @%q bra GIVE; bra END;
TAKE: and.b32 %r1, %n, 1;
FULL: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], %r1; @!%q bra FULL;
mbarrier.arrive.shared::cta.b64 _, [%s]; add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 4000; @%q bra TAKE;
END:`
	if _, err := runBulkWith(t, body, 64, nil, nil, FunctionalOptions{MaxWarpInstructions: 100_000}); err != nil {
		t.Error(err)
	}
}
