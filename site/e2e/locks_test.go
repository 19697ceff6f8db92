package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/serve/static"
)

// serveWith is a server of the built page with some of its files, by their names in
// the tree, replaced.
func serveWith(t *testing.T, files map[string][]byte) *httptest.Server {
	t.Helper()
	built, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string][]byte{}
	for name, data := range files {
		paths["/"+readBuild(t).Files[name]] = data
	}
	s := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if data, ok := paths[r.URL.Path]; ok {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(data)
			return
		}
		built.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// setField does what a person or a script does to a control, disabled or not.
const setField = `(id, value) => { const e = document.getElementById(id); e.value = value; e.dispatchEvent(new Event("change", {bubbles: true})); return e.value; }`

func TestLinkLocksControls(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=vecadd&workload.size=16384&machine.preset=mini&B.memory.codec=e2mc8&B.memory.mag=64"+
		"&lock=B.memory.mag,memory.codec,compare,workload,colour&hide=machine,seed")
	p.finish()
	if s := p.state(); len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "there is no control colour") {
		t.Errorf("messages: %v", s.Messages)
	}
	// The link sets what it locks.
	if mag := eval[string](p, `document.getElementById("knob-B-memory-mag").value`); mag != "64" {
		t.Errorf("the MAG of the link is %s", mag)
	}
	for id, want := range map[string]string{
		"knob-B-memory-mag": "fixed", "knob-A-memory-codec": "fixed", "knob-A-memory-threshold": "fixed", "knob-size": "fixed", "knob-B-memory-codec": "fixed",
		"knob-B-memory-decodingWays": "free", "knob-B-memory-approximation": "free", "knob-preset": "hidden", "knob-seed": "hidden", "scenario": "free",
	} {
		got := eval[string](p, `(e => e.getBoundingClientRect().width === 0 ? "hidden" : e.disabled && e.getAttribute("aria-description") === "fixed by the author" ? "fixed" : e.disabled ? "disabled" : "free")(document.getElementById("`+id+`"))`)
		if got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	// A script that uses the control all the same changes nothing.
	if got := eval[string](p, `(`+setField+`)("knob-B-memory-mag", "32"), `+settled+`.then(() => document.getElementById("knob-B-memory-mag").value + document.getElementById("knob-note").textContent)`); got != "64B.memory.mag: memory.mag is fixed by the author. It stays 64." {
		t.Errorf("a locked knob: %q", got)
	}
	// TSLC needs another codec, which is locked: a free knob carries no other along.
	if got := eval[string](p, `(`+setField+`)("knob-B-memory-approximation", "tslc-opt"), `+settled+`.then(() => document.getElementById("knob-B-memory-codec").value + " " + document.getElementById("knob-B-memory-approximation").value)`); got != "e2mc8 none" {
		t.Errorf("after a change of a free setting that needs a locked one: %s", got)
	}
	// A file that is dropped is input too.
	eval[any](p, `(() => { const carried = new DataTransfer(); carried.items.add(new File([new Uint8Array([0x89,0x50,0x4e,0x47,13,10,26,10])], "a.png"));
		for (const type of ["dragenter", "drop"]) document.dispatchEvent(new DragEvent(type, {dataTransfer: carried, bubbles: true, cancelable: true})); })()`)
	p.wait(`S.messages.some(m => m.what === "The input of this scenario is fixed by the author.")`)
	// The locks are part of the state that a link holds.
	eval[any](p, `(`+setField+`)("knob-B-memory-decodingWays", "2")`)
	p.wait(`location.hash.includes("lock=" + encodeURIComponent("memory.mag,memory.codec,compare,workload")) && location.hash.includes("B.memory.decodingWays=2")`)
	p.screenshot("locks.png")
}

func TestScenarioLocksControls(t *testing.T) {
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
		if entry["name"] == "vecadd" {
			entry["scenario"].(map[string]any)["view"] = map[string]any{"tab": "dram", "side": "A", "locked": []string{"memory", "machine.overrides", "scenario"}}
		}
	}
	if data, err = json.Marshal(list); err != nil {
		t.Fatal(err)
	}
	s := serveWith(t, map[string][]byte{"scenarios/index.json": data})
	p := open(t, s.URL+"/#v=1&s=vecadd&workload.size=16384&machine.preset=mini&B.memory.mag=64&machine.overrides.sm.l1.ways=2")
	got := p.finish()
	said := bytes.Buffer{}
	for _, m := range got.Messages {
		said.WriteString(m.String())
	}
	for _, want := range []string{"B.memory.mag=64 was ignored: it is fixed by the author", "machine.overrides.sm.l1.ways=2 was ignored: it is fixed by the author"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("no message holds %q: %s", want, &said)
		}
	}
	if words := eval[string](p, `[S => S.tab, () => document.querySelector("#stage-side [aria-checked=true]").dataset.pick, () => document.getElementById("knob-B-memory-mag").value,
		() => document.getElementById("scenario").disabled, () => document.getElementById("knob-size").value, () => document.getElementById("knob-size").disabled].map(f => f(window.burstscope.state)).join(" ")`); words != "dram A 32 true 16384 false" {
		t.Errorf("the page shows %s", words)
	}
	// What the scenario shows first is not repeated in the link; leaving it is.
	p.wait(`!location.hash.includes("tab=")`)
	eval[any](p, `document.getElementById("tab-bursts").click()`)
	p.wait(`location.hash.includes("tab=bursts")`)
}
