package machine

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/stat"
)

// TestStaleWaitEnds: CTA 0 keeps the line of a word in its L1, and CTA 1 writes the word later. A wait with plain loads
// has no end then, which the fault says long before a limit; with a counter or volatile loads, it ends.
func TestStaleWaitEnds(t *testing.T) {
	const late = ".reg .pred %e;\nmov.u32 %r, %ctaid.x;\nsetp.eq.u32 %q, %r, 0;\n@%q bra W;\nmov.u32 %t, 0;\n" +
		"Q:\nadd.u32 %t, %t, 1;\nsetp.lt.u32 %q, %t, 900;\n@%q bra Q;\nst.global.u32 [%p], 1;\nbra E;\n"
	for _, c := range []struct{ name, wait, want string }{
		{"plain", "W:\nld.global.u32 %r, [%p];\nsetp.eq.u32 %q, %r, 0;\n@%q bra W;\nE:\n",
			"reads 0x0 at 0xc0000000 (byte 0 of buffer) again and again: memory holds 0x1 there, but the L1 of its " +
				"SM has an older line"},
		{"volatile", "W:\nld.volatile.global.u32 %r, [%p];\nsetp.eq.u32 %q, %r, 0;\n@%q bra W;\nE:\n", ""},
		{"counter", "W:\nmov.u32 %t, 0;\nV:\nld.global.u32 %r, [%p];\nadd.u32 %t, %t, 1;\n" +
			"setp.lt.u32 %e, %t, 20000;\n@%e bra V;\nE:\n", ""},
	} {
		m, err := New(built("h200"), jobOf(t, built("h200"), late+c.wait, 128, 2, 1))
		if err != nil {
			t.Fatal(err)
		}
		err = m.Run()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if n := m.Stats()[stat.WarpInstructions]; n > 200_000 {
			t.Errorf("%s: %d warp instructions", c.name, n)
		}
	}
}
