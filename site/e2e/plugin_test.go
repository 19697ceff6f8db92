package e2e

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/setting"
	_ "github.com/burstscope/burstscope/tools/plugin" // runs modules natively
)

const pluginModule = "tools/plugin/testdata/bdi.wasm"

func bdiModule(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, pluginModule))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pluginScenario is a program and BDI as a module.
func pluginScenario(t *testing.T) (*scenario.Scenario, scheme.Memory) {
	t.Helper()
	s := shippedScenarios(t)["dct"]
	s.Workload.Size = 128
	memory := scheme.DefaultMemory()
	memory.Put("codec", "plugin", "module", setting.Binary(bdiModule(t)))
	return s, memory
}

// TestSameBitsOfAPlugin: a codec that is a module has one result natively, where wazero runs it, and in
// Chromium's own WebAssembly, from a dropped file and from a link; and BDI as a module has that of BDI.
func TestSameBitsOfAPlugin(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	s, memory := pluginScenario(t)
	native := nativeHash(t, s, memory)
	memory.Put("codec", "bdi")
	builtIn := nativeHash(t, s, memory)
	if native != builtIn {
		t.Errorf("natively %s as a module, %s built in", native, builtIn)
	}
	server := serve(t)
	p := open(t, server.URL+"/#v=1&picture=plain&s=dct&workload.size=128&B.memory.approximation=none&B.memory.codec=bdi")
	if got := p.finish().ResultHashes["B"]; got != native {
		t.Errorf("natively %s, BDI in Chromium %s", native, got)
	}
	p.drop("mine.wasm", bdiModule(t))
	p.wait("S.run === 2")
	after := p.finish()
	if got := after.ResultHashes["B"]; got != native || len(after.Messages) > 0 {
		t.Errorf("natively %s, dropped in Chromium %s, messages %v", native, got, after.Messages)
	}
	if codec := eval[string](p, `document.getElementById("knob-B-memory-codec").selectedOptions[0].textContent`); codec != "Your codec" {
		t.Errorf("the choice says %q", codec)
	}
	p.wait(`location.hash.includes("&B.memory.module=")`)
	link := eval[string](p, "location.hash")
	opened := open(t, server.URL+"/"+link).finish()
	if got := opened.ResultHashes["B"]; got != native || len(opened.Messages) > 0 {
		t.Errorf("natively %s, from the link %s, messages %v", native, got, opened.Messages)
	}
}

// TestPluginElsewhereInThePage: the data lab measures the codec of a link beside the others, with the ratios of BDI.
func TestPluginElsewhereInThePage(t *testing.T) {
	t.Parallel()
	link := serve(t).URL + small + "&B.memory.approximation=none&B.memory.codec=plugin&B.memory.module=" + url.QueryEscape(base64.StdEncoding.EncodeToString(bdiModule(t)))
	q := open(t, link)
	q.finish()
	q.wait(`location.hash.includes("&B.memory.module=") && document.getElementById("kept") !== null`)
	eval[any](q, `location.hash += "&lab=vecadd"`)
	q.wait(surveyEnded)
	q.wait(`document.querySelector("#lab-ratios tr[data-codec=plugin]") !== null`)
	rows := eval[map[string]string](q, `Object.fromEntries(["bdi", "plugin"].map((c) => [c, [...document.querySelectorAll("#lab-ratios tr[data-codec=" + c + "] td")].map((d) => d.textContent).join(" ")]))`)
	if rows["bdi"] == "" || rows["bdi"] != rows["plugin"] {
		t.Errorf("the lab says %v", rows)
	}
}

// hostileInThePage are the modules of plugintest that stand for all ways in which one can be refused: by its file, by its
// rules, by the browser, at its start, and at a block in a run. TestHostilePluginsOfRuns has all of them natively.
var hostileInThePage = []string{
	"too long", "cut", "imports", "too much memory", "floating point", "start function", "invalid code", "loops at the start", "loops in size", "calls itself", "traps", "grows",
	"gives itself work in the local", "leaves a function past the count", "its entry in a table", "takes long to compile", "two tables",
	"lies about sizes", "decodes differently", "loops in train", "loops in trained", "refuses its counts",
	"imports what a terminal obeys", "decodes from a hidden copy", "decodes from a base in a global", "a size of the block before", "fills a megabyte two hundred times",
}

// TestHostilePluginsInThePage: each module is refused with what it did, by the name of its file or of its codec, and the page
// goes on: at the end it runs a good one.
func TestHostilePluginsInThePage(t *testing.T) {
	t.Parallel()
	p := openLong(t, serve(t).URL+small+"&B.memory.approximation=none&B.memory.codec=bdi")
	bdi := p.finish().ResultHashes["B"]
	for _, h := range plugintest.List() {
		if !slices.Contains(hostileInThePage, h.Name) {
			continue
		}
		file := strings.ReplaceAll(h.Name, " ", "-") + ".wasm"
		run := p.state().Run
		begin := time.Now()
		p.drop(file, h.Binary)
		p.wait(fmt.Sprintf(`S.messages.some((m) => m.what.includes(%s)) || S.run > %d && S.phase === "error"`, quote(file), run))
		took := time.Since(begin)
		s := p.state()
		said := ""
		for _, m := range s.Messages {
			said += m.String()
		}
		t.Logf("%s, %d ms: %s", h.Name, took.Milliseconds(), said)
		if !strings.Contains(said, h.Want) || !strings.Contains(said, file) && !strings.Contains(said, "toy: ") {
			t.Errorf("%s: the page says %s; want %q", h.Name, said, h.Want)
		}
		if took > 10*time.Second { // of work for a second, beside other tests
			t.Errorf("%s: refused after %s", h.Name, took)
		}
	}
	// A size is written in full where it would read like the limit.
	p.drop("a-byte-too-long.wasm", make([]byte, plugin.MaxBytes+1))
	p.wait(`S.messages.some((m) => m.what.includes("has 262,145\u202fB; a codec may have 262,144\u202fB"))`)
	run := p.state().Run
	p.drop("good.wasm", bdiModule(t))
	p.wait(fmt.Sprintf("S.run > %d", run))
	if s := p.finish(); s.ResultHashes["B"] != bdi || len(s.Messages) > 0 {
		t.Errorf("after them %s, want %s, messages %v", s.ResultHashes["B"], bdi, s.Messages)
	}
}

// TestRecursionOfPluginsInThePage: what a module may nest is the same in the page as natively (TestRecursionOfModules), and so is what
// is said of the others: no engine's own stack ends first.
func TestRecursionOfPluginsInThePage(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+small+"&B.memory.approximation=none&B.memory.codec=bdi")
	p.finish()
	for _, s := range plugintest.Shapes() {
		run := p.state().Run
		p.drop("nested.wasm", plugintest.Recursion(s.Depth, s.Locals))
		p.wait(fmt.Sprintf(`S.run > %d && (S.phase === "error" || S.phase === "done")`, run))
		said := ""
		for _, m := range p.state().Messages {
			said += m.String()
		}
		if s.Legal != (said == "") || !s.Legal && !strings.Contains(said, "need more than 262144 bytes of stack") {
			t.Errorf("%+v: %s", s, said)
		}
	}
}
