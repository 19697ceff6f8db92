package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Below the headline stands how far the time moves for no reason: of a shipped scenario the interval that came with the
// page, with the word for a difference that lies inside; of other settings that it was not measured.
func TestIntervalBelowTheHeadline(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(dist, "scenarios", "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	for _, entry := range list {
		noise, ok := entry["noise"].(map[string]any)
		if !ok {
			t.Errorf("%s ships without an interval", entry["name"])
		} else if entry["name"] == "vecadd" { // as if nothing were to be told apart
			noise["distinguishable"], noise["null"] = false, map[string]any{"low": 0.98, "high": 1.25}
		}
	}
	if data, err = json.Marshal(list); err != nil {
		t.Fatal(err)
	}
	s := serveWith(t, map[string][]byte{"scenarios/index.json": data})
	p := open(t, s.URL+"/#v=1&s=vecadd")
	p.finish()
	p.wait(`document.getElementById("interval").textContent.includes("came with the page")`)
	words := p.textOf("interval")
	const null = "if nothing were saved, 2.0\u202f% later to 20\u202f% sooner: not distinguishable."
	const over = "over 5 inputs and 5 placements of the buffers"
	if !strings.Contains(words, over) || !strings.Contains(words, null) {
		t.Errorf("below the headline stands %q", words)
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
