package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// committedClaims reads the ledger as it lies in the tree.
func committedClaims(t *testing.T) []map[string]any {
	t.Helper()
	var ledger struct{ Claims []map[string]any }
	committed(t, "natural/claims.json", &ledger)
	return ledger.Claims
}

func committed(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "assets", "figures", "data", filepath.FromSlash(name)))
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// openRepro opens a part of the reproduction.
func openRepro(t *testing.T, fragment string) *tab {
	t.Helper()
	p := open(t, serve(t).URL+"/#v=1&repro="+fragment)
	p.wait(`S.repro.open && S.repro.ready`)
	return p
}

func (p *tab) size(width, height int) {
	p.t.Helper()
	p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 1, Mobile: width < 500}))
}

// TestReproLedger: every row of the ledger is there, with the committed verdict and
// with both numbers, and filters find what they say.
func TestReproLedger(t *testing.T) {
	p := openRepro(t, "ledger")
	claims := committedClaims(t)
	p.wait(fmt.Sprintf("S.repro.rows === %d", len(claims)))
	type row struct{ Verdict, Paper, Ours, Says string }
	rows := eval[map[string]row](p, `Object.fromEntries([...document.querySelectorAll("#repro-claims tbody tr")].map(r => [r.dataset.claim, {
		verdict: r.querySelector(".verdict span").textContent, paper: r.children[2].textContent, ours: r.children[3].textContent, says: r.children[1].textContent}]))`)
	counts := map[string]int{}
	for _, c := range claims {
		id := c["id"].(string)
		r, ok := rows[id]
		if !ok || r.Verdict != c["verdict"] {
			t.Errorf("%s: the page says %q, the ledger %q", id, r.Verdict, c["verdict"])
		}
		counts[r.Verdict]++
		if !strings.HasPrefix(r.Paper, c["paperValue"].(string)) {
			t.Errorf("%s: the paper's value is %q on the page, want %q", id, r.Paper, c["paperValue"])
		}
		if _, measured := c["measured"]; measured != (r.Ours != "–") {
			t.Errorf("%s: our value is %q on the page, want %v", id, r.Ours, c["measured"])
		}
		if why, _ := c["analysis"].(string); r.Verdict == "does not hold" && !strings.Contains(r.Says, why) {
			t.Errorf("%s does not hold and the page does not say why", id)
		}
	}
	for verdict, n := range counts {
		shown := eval[string](p, fmt.Sprintf(`[...document.querySelectorAll("#repro-counts tbody tr")].find(r => r.children[0].textContent.endsWith(%q)).children[4].textContent`, verdict))
		if shown != fmt.Sprint(n) {
			t.Errorf("%s: %d rows, counted as %s", verdict, n, shown)
		}
	}
	// A count is a filter, words are another, and the address says so.
	eval[any](p, `document.querySelector('#repro-counts [data-verdict="fails"][data-tier="T1"] button').click()`)
	want := 0
	for _, c := range claims {
		if c["verdict"] == "does not hold" && c["tier"] == "T1" {
			want++
		}
	}
	p.wait(fmt.Sprintf(`S.repro.rows === %d && location.hash.includes("repro.verdict=fails") && location.hash.includes("repro.tier=T1")`, want))
	if n := eval[int](p, `document.querySelectorAll("#repro-claims tbody tr:not(.v-fails)").length`); n != 0 {
		t.Errorf("%d rows of other verdicts are shown", n)
	}
	eval[any](p, `document.getElementById("repro-clear").click()`)
	p.wait(fmt.Sprintf(`S.repro.rows === %d && !location.hash.includes("repro.verdict")`, len(claims)))
	eval[any](p, `(() => { const q = document.getElementById("repro-q"); q.value = "energy slc"; q.dispatchEvent(new Event("input")); })()`)
	p.wait(`S.repro.rows > 0 && S.repro.rows < 60 && location.hash.includes("repro.q=energy%20slc")`)
	// A link gives the same rows.
	fragment := eval[string](p, "location.hash")
	n := eval[int](p, "window.burstscope.state.repro.rows")
	q := open(t, serve(t).URL+"/"+fragment)
	q.wait(fmt.Sprintf("S.repro.ready && S.repro.rows === %d", n))
}

// TestReproPictures looks at the part in all its forms; nothing goes sideways.
func TestReproPictures(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		fragment      string
	}{
		{"repro-ledger.png", 1366, 900, "ledger&theme=light"},
		{"repro-ledger-dark.png", 1366, 1400, "ledger&repro.verdict=fails&theme=dark"},
		{"repro-ledger-phone.png", 390, 1700, "ledger&theme=light"},
	} {
		p := openRepro(t, c.fragment)
		p.size(c.width, c.height)
		p.wait("S.repro.rows > 0")
		p.still()
		if eval[bool](p, "document.documentElement.scrollWidth > innerWidth") {
			t.Errorf("%s scrolls sideways: %d px", c.name, eval[int](p, "document.documentElement.scrollWidth"))
		}
		p.screenshot(c.name)
	}
}

// still waits until what was asked for is drawn.
func (p *tab) still() {
	p.t.Helper()
	eval[any](p, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
}
