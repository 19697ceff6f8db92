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
