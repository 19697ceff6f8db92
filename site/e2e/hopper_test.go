package e2e

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
)

// hopperLink opens a program of Hopper on a small part of an H200, under E2MC and TSLC.
func hopperLink(name string, size int) string {
	return fmt.Sprintf("/#v=1&s=dct&workload.name=%s&workload.size=%d&machine.preset=h200&machine.overrides.sms=4&"+
		"machine.overrides.controllers=2&picture=plain", name, size)
}

// TestSameBitsOfHopper: a program with the instructions of sm_90a has in Chromium the result that it has natively,
// under both schemes. TestMatrix of core/experiment has them under node.
func TestSameBitsOfHopper(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := serve(t)
	for name, size := range map[string]int{"hoppergemm": 128, "hopperattention": 128, "hopperdecode": 16, "hopperrows": 2,
		"hoppermoe": 8} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shippedScenarios(t)["dct"]
			for _, set := range [][2]string{{"workload.name", name}, {"workload.size", strconv.Itoa(size)},
				{"machine.preset", "h200"}, {"machine.overrides.sms", "4"}, {"machine.overrides.controllers", "2"}} {
				if err := s.Set(set[0], set[1]); err != nil {
					t.Fatal(err)
				}
			}
			inPage := open(t, server.URL+hopperLink(name, size)).finish()
			for side, memory := range sides(s) {
				if native := nativeHash(t, s, memory); inPage.ResultHashes[side] != native {
					t.Errorf("side %s: natively %s, in Chromium %s", side, native, inPage.ResultHashes[side])
				}
			}
		})
	}
}

// copyWords are the words of a copy of hoppergemm: thread 128 of a CTA fills the ring.
var copyWords = regexp.MustCompile(`Copy: thread \(128,0,0\) of CTA \([01],[01],0\), warp 4, issued it in line \d+ ` +
	`of hoppergemm\.ptx\. It moves a box of 32x(64|32) at \(\d+, \d+\), (4096|2048) bytes of f16, by tensor map ` +
	`hopper_gemm_param_[01] of [xw], swizzle 64B, interleave none, to byte 0x[0-9a-f]+ of shared memory\. It ` +
	`completes in phase [01] \(parity [01]\) of the mbarrier at byte 0xa0[01][08]`)

// burstWords are the place of a burst in its block, which has at most 8.
var burstWords = regexp.MustCompile(`read as burst ([1-8]) of ([1-8])\b`)

// TestCopyOfABurst: a click on a burst that the copy unit has fetched tells the copy: its box, tensor map, swizzle and
// thread, and the phase of the mbarrier.
func TestCopyOfABurst(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+hopperLink("hoppergemm", 128))
	p.finish()
	p.wait(`!S.sought.pending && document.querySelector("#panel-strips canvas").checkVisibility()`)
	p.wait(`/B: [1-9][0-9]* bursts/.test(document.querySelector("#panel-strips .readout").textContent)`)
	said := ""
	for from := 0; !copyWords.MatchString(said); {
		// The next place with a burst, from the right.
		from = eval[int](p, fmt.Sprintf(`(() => {
			const canvas = document.querySelector("#panel-strips canvas"), r = canvas.getBoundingClientRect();
			const wide = Math.floor(r.width / 2), chosen = () => JSON.stringify(burstscope.state.burst ?? null);
			for (let n = %d; ; n++) {
				const x = r.width - 6 - 3 * (n %% (wide / 3 | 0)), y = 30 + 4 * Math.floor(n / (wide / 3 | 0));
				if (y > r.height) return -1;
				canvas.dispatchEvent(new MouseEvent("click", {clientX: r.x + x, clientY: r.y + y, bubbles: true}));
				if (burstscope.state.sought.pending) return n + 1;
			}
		})()`, from))
		if from < 0 {
			t.Fatalf("no burst tells of a copy; the last says %q", said)
		}
		p.wait(`!S.sought.pending && document.getElementById("inspect-body").textContent.includes("Effect: ")`)
		said = p.textOf("inspect-body")
	}
	// Of a raw block only the sectors that are asked for move: burst 3 of 2 there is none.
	if m := burstWords.FindStringSubmatch(said); m == nil || m[1] > m[2] {
		t.Errorf("which burst it is: %q in %q", m, said)
	}
	p.screenshot("copy-of-a-burst.png")
}
