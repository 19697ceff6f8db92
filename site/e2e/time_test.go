package e2e

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// million is a program on a machine with slow memory, which takes 1.3 million cycles.
const million = "/#v=1&s=dct&workload.size=512&machine.preset=mini&machine.overrides.dramMHz=20&picture=plain"

// sought is an answer of the engine.
type sought struct {
	OK                     bool
	Side, Digest, What     string
	Cycle, From            float64
	Count, Opening, States int
	Work, Every            float64
	ReplayedFrom           float64
	StateBytes             float64
	MemoryBytes            float64
	Milliseconds           float64
	Result                 struct {
		Cycles float64
		Stats  map[string]float64
	}
}

// seek asks for a cycle, with or without the states that were kept.
func (p *tab) seek(cycle, window int, fresh, digest bool) map[string]sought {
	p.t.Helper()
	answers := eval[[]sought](p, fmt.Sprintf(`(async () => {
		const since = performance.now();
		const answers = await burstscope.seek({cycle: %d, window: %d, sides: "BA", fresh: %t, digest: %t});
		const milliseconds = performance.now() - since;
		return answers.map(({ok, side, digest, what, cycle, from, count, opening, states, work, every, replayedFrom, stateBytes, memoryBytes, result}) =>
			({ok, side, digest, what, cycle, from, count, opening, states, work, every, replayedFrom, stateBytes, memoryBytes, milliseconds,
				result: result && {cycles: result.cycles, stats: result.stats}}));
	})()`, cycle, window, fresh, digest))
	found := map[string]sought{}
	for _, a := range answers {
		if !a.OK {
			p.t.Fatalf("cycle %d: %s", cycle, a.What)
		}
		found[a.Side] = a
	}
	if len(found) != 2 {
		p.t.Fatalf("cycle %d: answers of %d sides", cycle, len(found))
	}
	return found
}

// mostWork is the work between two states that the times of a seek come from: the
// engine replays a million in about a second, so a side is reached in 200 ms.
const mostWork = 200_000

// TestReachesAnyCycle: any point of a run of a million cycles is reached by replay of
// a bounded part, and what is found there is what playing from the beginning finds.
func TestReachesAnyCycle(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := openLong(t, server.URL+million)
	end := int(p.finish().result(t, "A").Cycles)
	if end < 1_000_000 {
		t.Fatalf("%d cycles", end)
	}
	// Forward and back, near and far: multiples of the golden ratio.
	var times []float64
	cycles := func(k int) int { return int(float64(end) * float64((k*618)%1000) / 1000) }
	for k := 1; k <= 20; k++ {
		a := p.seek(cycles(k), 1536, false, false)
		for side, s := range a {
			if s.Work > 2*s.Every || s.Every > mostWork {
				t.Errorf("cycle %d of %s: %.0f of work from cycle %.0f on, states are %.0f apart", cycles(k), side, s.Work, s.ReplayedFrom, s.Every)
			}
		}
		times = append(times, a["A"].Milliseconds)
		if k == 20 {
			t.Logf("states: A %d in %.0f MB, B %d in %.0f MB; the engine has %.0f MB", a["A"].States, a["A"].StateBytes/1e6, a["B"].States, a["B"].StateBytes/1e6, a["A"].MemoryBytes/1e6)
		}
	}
	slices.Sort(times)
	t.Logf("20 cycles of %d, both sides with window: median %.0f ms, worst %.0f ms", end, times[10], times[19])

	// One point late in the run, one early.
	for _, k := range []int{3, 2} {
		played := p.seek(cycles(k), 0, true, true)
		p.seek(cycles(k+5), 0, false, false)
		again := p.seek(cycles(k), 700, false, true)
		for side, want := range played {
			got := again[side]
			if want.ReplayedFrom != 0 || got.ReplayedFrom == 0 {
				t.Errorf("%s: played from %.0f, sought from %.0f", side, want.ReplayedFrom, got.ReplayedFrom)
			}
			if got.Digest != want.Digest || got.Digest == "" {
				t.Errorf("cycle %d of %s: another state (%.12s) than playing comes to (%.12s)", cycles(k), side, got.Digest, want.Digest)
			}
			for name, n := range want.Result.Stats {
				if got.Result.Stats[name] != n {
					t.Errorf("cycle %d of %s: %s is %v, playing has %v", cycles(k), side, name, got.Result.Stats[name], n)
				}
			}
		}
	}
	// At the end the counters are those of the run itself.
	whole := p.finish().result(t, "A")
	last := p.seek(end, 0, false, false)["A"]
	all := p.seek(end, 0, true, true)["A"]
	t.Logf("played to the end: %.0f of work, both sides in %.0f ms", all.Work, all.Milliseconds)
	if again := p.seek(end, 0, false, true)["A"]; again.Digest != all.Digest || all.ReplayedFrom != 0 {
		t.Error("at the end: another state than playing comes to")
	}
	for _, name := range []string{"warpInstructions", "burstsRead", "burstsWritten", "l1Misses"} {
		if last.Result.Stats[name] != whole.Stats[name] {
			t.Errorf("at the end %s is %v, the run has %v", name, last.Result.Stats[name], whole.Stats[name])
		}
	}
}

// busy is a program of more events than are sent while it runs.
const busy = "/#v=1&s=dct&workload.size=1024&machine.preset=mini&A.memory.mag=16&B.memory.mag=16&picture=plain"

// TestTimelineHasNoHoles: beyond the events that were sent, the timeline steps, steps
// back and plays from burst to burst, and a click on a burst tells its cause and its
// effect at that cycle.
func TestTimelineHasNoHoles(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := openLong(t, server.URL+busy+"&cycle=240000")
	p.finish()
	if n := eval[float64](p, "burstscope.state.events.A.dropped"); n == 0 {
		t.Fatal("all events were sent: nothing to try")
	}
	settled := func() { p.wait("!S.sought.pending") }
	words := func() string { return p.textOf("panel-strips") }
	settled()
	p.wait(`/A: [1-9][0-9]* bursts/.test(document.querySelector("#panel-strips .readout").textContent)`)
	cursor := func() float64 { return eval[float64](p, "burstscope.state.cycle") }
	var forward []float64
	for i := range 6 {
		at := cursor()
		if i == 0 {
			// Another question takes the place of the step's own: the step is still made.
			eval[any](p, `(document.getElementById("step").click(), burstscope.seek({cycle: 1000, window: 0, sides: "AB"}))`)
		} else {
			p.do(chromedp.Click("#step"))
		}
		p.wait(fmt.Sprintf("S.cycle > %v", at))
		forward = append(forward, cursor())
	}
	for i := len(forward) - 2; i >= 0; i-- {
		p.do(chromedp.Click("#step-back"))
		p.wait(fmt.Sprintf("S.cycle === %v", forward[i]))
	}
	// From one window into those before it.
	from := cursor()
	for range 40 {
		at := cursor()
		p.do(chromedp.Click("#step-back"))
		p.wait(fmt.Sprintf("S.cycle < %v", at))
	}
	if cursor() > from-40 && from > 240_100 {
		t.Errorf("40 steps back from %v lead to %v", from, cursor())
	}
	if !strings.Contains(words(), "bursts") {
		t.Errorf("nothing is told of the strips: %q", words())
	}

	p.do(chromedp.Click("#figures-at"))
	p.wait(`document.getElementById("stale").textContent.startsWith("up to cycle") && document.getElementById("figures-at").ariaPressed === "true"`)
	settled()
	p.wait(`document.querySelector("#results [data-row=error] [data-side=B]").textContent === "–"`)
	// The figures of the last step may still be on their way.
	const cycles = `Number(document.querySelector("#results [data-row=cycles] [data-side=A]").textContent.replaceAll(",", ""))`
	p.wait(cycles + " <= S.cycle && " + cycles + " > S.cycle - 10_000")
	p.screenshot("time-cursor.png")
	p.do(chromedp.Click("#figures-at"))
	p.wait(`!document.getElementById("stale").textContent.startsWith("up to") || document.getElementById("stale").hidden`)

	// A click on a burst: what is not at hand of its cause is asked of the engine.
	p.wait(`document.querySelector("#panel-strips canvas").checkVisibility()`)
	settled()
	p.wait(`/B: [1-9][0-9]* bursts/.test(document.querySelector("#panel-strips .readout").textContent)`)
	clicked := eval[bool](p, `(() => {
		const canvas = document.querySelector("#panel-strips canvas"), r = canvas.getBoundingClientRect();
		for (let y = 30; y < r.height; y += 4) for (let x = r.width - 6; x > r.width / 2; x -= 3) {
			canvas.dispatchEvent(new MouseEvent("click", {clientX: r.x + x, clientY: r.y + y, bubbles: true}));
			if (burstscope.state.sought.pending) return true;
		}
		return false;
	})()`)
	if !clicked {
		t.Fatal("no burst could be clicked")
	}
	settled()
	p.wait(`/Cause: SM \d+, warp \d+, cycle [\d,]+: instruction \d+ of \w+, \w+\.ptx line \d+: .*lanes|Cause: no instruction/.test(document.getElementById("inspect-body").textContent)`)
	p.wait(`/at cycle [\d,]+:/.test(document.getElementById("inspect-body").textContent) && document.getElementById("inspect-body").textContent.includes("Effect: ")`)
	p.screenshot("time-burst.png")

	// Playing goes on beyond what is at hand.
	at := cursor()
	p.do(chromedp.Click("#play"))
	p.wait(fmt.Sprintf("S.cycle > %v", at+20))
	p.do(chromedp.Click("#play"))
	settled()
}

// exported is what a page shows, for comparing two of them.
const exported = `(() => {
	const s = burstscope.state, text = (q) => document.querySelector(q)?.textContent ?? "";
	return JSON.stringify({hash: location.hash, tab: s.tab, picture: s.picture, cycle: s.cycle, playing: s.playing, hashes: [s.resultHashes.A, s.resultHashes.B],
		strips: text("#panel-strips .readout"), results: text("#results"), stale: text("#stale"), block: text("#inspect-body"), speed: text("#speed-text")});
})()`

// TestLinkOpensTheSamePicture: two loads of one link show the same cycle, figures,
// tab, selection and rows.
func TestLinkOpensTheSamePicture(t *testing.T) {
	t.Parallel()
	server := serve(t)
	link := "/#v=1&s=dct&workload.size=256&picture=plain&side=A&cycle=9000&speed=500&addr=0xc0000380&figures=cursor&row=3&rows=12&map=size"
	var shown [2]string
	for i := range shown {
		p := open(t, server.URL+link)
		p.finish()
		p.wait(`!S.sought.pending && S.sought.answers > 0 && document.getElementById("stale").textContent === "up to cycle 9,000"`)
		p.wait(`document.getElementById("inspect-body").textContent.includes("at cycle 9,000") && location.hash.includes("row=3")`)
		shown[i] = eval[string](p, exported)
	}
	if shown[0] != shown[1] {
		t.Errorf("one link, two pictures:\n%s\n%s", shown[0], shown[1])
	}
	for _, key := range []string{"cycle=9000", "figures=cursor", "rows=12", "map=size", "side=A", "addr=0xc0000380"} {
		if !strings.Contains(shown[0], key) {
			t.Errorf("%s is not kept: %s", key, shown[0])
		}
	}
}

// TestPackedLinks: a packed link says what a readable one says; broken ones, bombs and
// foreign ones give one message, and the page runs.
func TestPackedLinks(t *testing.T) {
	t.Parallel()
	server := serve(t)
	pack := func(body []byte) string {
		var b bytes.Buffer
		w, err := flate.NewWriter(&b, 9)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(body); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return "/#v=1&z=" + base64.RawURLEncoding.EncodeToString(b.Bytes())
	}
	p := open(t, server.URL+pack([]byte(strings.TrimPrefix(small, "/#")+"&tab=address&cycle=500")))
	p.finish()
	p.wait(`S.tab === "address" && S.cycle === 500 && S.messages.length === 0 && location.hash.includes("workload.size=128")`)

	for name, c := range map[string]struct{ link, says string }{
		"bomb":    {pack(bytes.Repeat([]byte("tab=address&"), 1<<20)), "unpacks to more than 256 KiB"},
		"cut off": {pack([]byte(strings.Repeat(small, 20)))[:40], "broken or cut off"},
		"foreign": {"/#v=1&z=%F0%9F%92%A5", "broken or cut off"},
		"no text": {pack([]byte{0xff, 0xfe, 0x80}), "broken or cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, server.URL+c.link)
			p.wait(`S.messages.length === 1 && S.phase !== "loading"`)
			if said := p.textOf("messages"); !strings.Contains(said, c.says) {
				t.Errorf("%q, want %q", said, c.says)
			}
			p.do(chromedp.Click("#cancel"))
		})
	}
}
