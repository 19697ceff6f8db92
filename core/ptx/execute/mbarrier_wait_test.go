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
