package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Below the headline stands how far the time moves for no reason: of a shipped scenario the interval that came with the
// page, with the word for a difference that lies inside; of other settings that it was not measured.
func TestIntervalBelowTheHeadline(t *testing.T) {
	t.Parallel()
	for name := range shippedScenarios(t) {
		data, err := os.ReadFile(filepath.Join(dist, filepath.FromSlash(readBuild(t).Files["built/"+name+".js"])))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), `"noise":{"a":`) {
			t.Errorf("%s ships without an interval", name)
		}
	}
	// What E2MC gains on this program lies inside of its noise (assets/scenarios/noise.json).
	s := serve(t)
	p := open(t, s.URL+"/#v=1&s=matmul")
	const interval = `[\d.]+\x{202f}% \w+ to [\d.]+\x{202f}% \w+`
	words := regexp.MustCompile(`^` + interval + ` over 5 inputs and 5 placements of the buffers; ` +
		`if nothing were saved, ` + interval + `: not distinguishable\. `)
	for _, when := range []string{`S.phase === "loading"`, `S.phase === "done"`} {
		p.wait(when)
		poll(p, `document.getElementById("interval").textContent.includes("came with the page")`)
		if said := p.textOf("interval"); !words.MatchString(said) {
			t.Errorf("below the headline stands %q", said)
		}
	}
	poll(p, `document.getElementById("why")?.textContent.includes("not distinguishable from saving nothing")`)

	// The same scenario at another size has no interval: the shipped one is of other results.
	q := open(t, s.URL+"/#v=1&s=vecadd&workload.size=16384&machine.preset=mini")
	q.finish()
	q.wait(`document.getElementById("interval").textContent.includes("is not measured here")`)
	if words := q.textOf("interval"); strings.Contains(words, "%") {
		t.Errorf("settings without an interval have %q", words)
	}
}
