package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/setting"
)

// moduleLink is the part of a link that makes a module of tools/plugin the codec of side B.
func moduleLink(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "tools/plugin/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return "&B.memory.approximation=none&B.memory.codec=plugin&B.memory.module=" + url.QueryEscape(base64.StdEncoding.EncodeToString(b))
}

// TestNoRoomIsNotTheModulesFault: where the browser has no memory for a module, the engine is told so, and not that the
// module does not start. The words are those of Chromium, Firefox and WebKit.
func TestNoRoomIsNotTheModulesFault(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, `
import { moduleHost } from "./engine/modules";
const host = moduleHost(() => new WebAssembly.Memory({ initial: 1 }));
const empty = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const start = (why: Error): number | void => {
  WebAssembly.Module = function () {} as never;
  WebAssembly.Instance = function () { throw why; } as never;
  return host["start"]!(0, empty.length, 0, 0);
};
for (const words of [
  "WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance",
  "WebAssembly.Memory(): could not allocate memory",
  "could not allocate memory",
  "Out of memory",
]) same(words, start(new RangeError(words)), -3);
same("a trap", start(new WebAssembly.RuntimeError("unreachable")), -1);
same("its own words", start(new WebAssembly.LinkError("Out of memory")), -1);
`)
}

// TestSameBitsOfOtherPlugins: modules that make a code table, from a run without compression and from its first part, and lossy ones
// have one result natively and in Chromium.
func TestSameBitsOfOtherPlugins(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := serve(t)
	seen := map[string]string{}
	for _, c := range []struct{ module, program, size, probabilities string }{
		{"huffman.wasm", "dct", "64", "offline"},
		{"huffman.wasm", "dct", "64", "online"},
		{"half.wasm", "vecadd", "16384", "offline"},
	} {
		s := shippedScenarios(t)[c.program]
		if err := s.Set("workload.size", c.size); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(root, "tools/plugin/testdata", c.module))
		if err != nil {
			t.Fatal(err)
		}
		memory := scheme.DefaultMemory()
		memory.Put("codec", "plugin", "module", setting.Binary(b), "probabilities", c.probabilities)
		native := nativeHash(t, s, memory)
		if other := seen[native]; other != "" {
			t.Errorf("%v has the result of %s", c, other)
		}
		seen[native] = fmt.Sprint(c)
		link := server.URL + "/#v=1&picture=plain&s=" + c.program + "&workload.size=" + c.size + moduleLink(t, c.module)
		if c.probabilities != "offline" {
			link += "&B.memory.probabilities=" + c.probabilities
		}
		inPage := open(t, link).finish()
		if got := inPage.ResultHashes["B"]; got != native || len(inPage.Messages) > 0 {
			t.Errorf("%v: natively %s, in Chromium %s, messages %v", c, native, got, inPage.Messages)
		}
	}
}

// TestInspectorOfALossyPlugin: the inspector says which symbols the module has changed, the dialog shows the bytes before and after, and
// results say what the error is.
func TestInspectorOfALossyPlugin(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&picture=plain&s=vecadd&machine.preset=mini&workload.size=65536"+moduleLink(t, "half.wasm"))
	s := p.finish()
	if !strings.Contains(string(s.Results["B"]), `"loss":`) {
		t.Error("the result of B has no error")
	}
	address := eval[string](p, `(async () => {
		for (let a = 0xc0000000; a < 0xc00c0000; a += 640) {
			const x = await window.burstscopeAsk({codec: "plugin", side: "B", addr: String(a)});
			if (x.basis === "original" && x.explanation.mode === "lossy") return "0x" + a.toString(16);
		}
		return "";
	})()`)
	if address == "" {
		t.Fatal("no block whose bytes before are known")
	}
	p.openInspector(address)
	if words := p.textOf("inspect-body"); !strings.Contains(words, "approximated") || !strings.Contains(words, "changed, 64 B stored") {
		t.Errorf("%s: the inspector says %q", address, words)
	}
	if words := p.textOf("explain-body"); !strings.Contains(words, "at MAG 32, approximated") || !strings.Contains(words, " values change as f32") {
		t.Errorf("%s: the dialog says %q", address, words)
	}
}

// TestBlockOfATrainedPlugin: the dialog of a block has the code that the run made, with the size that memory has.
func TestBlockOfATrainedPlugin(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&picture=plain&s=dct&machine.preset=mini&workload.size=256"+moduleLink(t, "huffman.wasm"))
	p.finish()
	differ := eval[string](p, `(async () => {
		let seen = 0;
		for (let a = 0xc0000000; a < 0xc0080000; a += 1280) {
			const x = await window.burstscopeAsk({codec: "plugin", side: "B", addr: String(a)});
			if (!x.ok) return JSON.stringify(x);
			if (x.table !== "run") return "the table is of " + x.table;
			if (x.explanation.mode === "lossless") seen++;
		}
		return seen > 10 ? "" : seen + " blocks are compressed";
	})()`)
	if differ != "" {
		t.Error(differ)
	}
}

// TestEstimateOfAPlugin: while a slider is dragged, a side whose codec is a module has an estimate as every side.
func TestEstimateOfAPlugin(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=tp&machine.preset=mini&workload.size=256&picture=plain"+moduleLink(t, "bdi.wasm"))
	p.finish()
	eval[bool](p, within(`document.getElementById("drag")`))
	p.do(chromedp.Click("#drag summary"))
	eval[bool](p, within(`document.querySelector("#drag-mag input")`))
	estimates := func() *shownEstimate {
		p.dragTo("mag", 0)
		return eval[*shownEstimate](p, estimateShown)
	}
	own := estimates()
	if own == nil || len(own.Rows["effective ratio"]) != 2 || !strings.HasPrefix(own.Rows["effective ratio"][1], "≈estimate ") {
		t.Fatalf("the estimate is %+v", own)
	}
	// The same drag with BDI built in has the same figures.
	q := open(t, serve(t).URL+"/#v=1&s=tp&machine.preset=mini&workload.size=256&picture=plain&B.memory.approximation=none&B.memory.codec=bdi")
	q.finish()
	eval[bool](q, within(`document.getElementById("drag")`))
	q.do(chromedp.Click("#drag summary"))
	eval[bool](q, within(`document.querySelector("#drag-mag input")`))
	q.dragTo("mag", 0)
	builtIn := eval[*shownEstimate](q, estimateShown)
	if builtIn == nil || fmt.Sprint(own.Rows) != fmt.Sprint(builtIn.Rows) {
		t.Errorf("estimates %v as a module, %v built in", own, builtIn)
	}
}

// TestExportOfAPlugin: exported scenarios hold the module; each opens in another page to the same result.
func TestExportOfAPlugin(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+moduleLink(t, "huffman.wasm"), command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	want := p.finish().ResultHashes
	eval[any](p, `document.getElementById("export").click()`)
	p.wait(`document.getElementById("export-csv")`)
	for button, name := range map[string]string{"export-scenario-json": "burstscope-dct.scenario.json", "export-scenario-msgpack": "burstscope-dct.msgpack"} {
		file := p.save(button, name)
		q := open(t, server.URL+"/#v=1&s=vecadd&"+quick+"&picture=plain")
		q.finish()
		q.drop(name, file)
		q.wait("S.run === 2")
		if got := q.finish(); got.ResultHashes["B"] != want["B"] || got.ResultHashes["A"] != want["A"] || len(got.Messages) > 0 {
			t.Errorf("%s: results %v, want %v, messages %v", name, got.ResultHashes, want, got.Messages)
		}
	}
}

// TestEmbedOfAPlugin: an embed runs a module to the result of the site.
func TestEmbedOfAPlugin(t *testing.T) {
	t.Parallel()
	site := serve(t)
	state := "/#v=1&s=vecadd&" + quick + moduleLink(t, "bdi.wasm")
	want := open(t, site.URL+state).finish().ResultHashes
	p := openWatched(t, site.URL+strings.Replace(state, "/#", "/embed.html#", 1)+"&embed.autoplay=no&embed.load=now")
	eval[bool](p, within(`window.burstscope?.state.phase === "done"`))
	if got := p.state(); got.ResultHashes["B"] != want["B"] || want["B"] == "" || len(got.Messages) > 0 {
		t.Errorf("the embed has %v, the site %v, messages %v", got.ResultHashes, want, got.Messages)
	}
}

// TestLessonWithAPlugin: a step of a lesson may run a module.
func TestLessonWithAPlugin(t *testing.T) {
	t.Parallel()
	const step = 2
	data, err := os.ReadFile(filepath.Join(dist, filepath.FromSlash(readBuild(t).Files["lessons/index.json"])))
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if list[i]["name"] != "burst" {
			continue
		}
		run := list[i]["runs"].([]any)[step].(map[string]any)
		memory := run["memory"].(map[string]any)
		memory["codec"], memory["approximation"], memory["module"] = "plugin", "none", base64.StdEncoding.EncodeToString(bdiModule(t))
		if data, err = json.Marshal(run); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scenario.ParseJSON("step", data)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = json.Marshal(list); err != nil {
		t.Fatal(err)
	}
	p := open(t, serveWith(t, map[string][]byte{"lessons/index.json": data}).URL+fmt.Sprintf("/#v=1&lesson=burst&step=%d", step+1))
	p.wait(fmt.Sprintf(`S.lesson?.step === %d && S.lesson.veiled`, step+1))
	p.answerLesson(shippedQuestion(t, "burst", step), "1")
	p.wait(`S.phase === "done" && !S.lesson.veiled`)
	got := p.state()
	if want := nativeHash(t, s, s.Memory); got.ResultHashes["B"] != want || len(got.Messages) > 0 {
		t.Errorf("the step has %s, natively %s, messages %v", got.ResultHashes["B"], want, got.Messages)
	}
}

// TestLabOfOtherPlugins: the data lab trains a module on the data that it measures, and measures a lossy one as if all data might be
// approximated.
func TestLabOfOtherPlugins(t *testing.T) {
	t.Parallel()
	site := serve(t).URL
	for module, want := range map[string]func(row string) bool{
		"huffman.wasm": func(row string) bool { return row != "" && !strings.HasPrefix(row, "1.00") },
		"half.wasm":    func(row string) bool { return strings.HasPrefix(row, "2.00") },
	} {
		q := open(t, site+small+moduleLink(t, module))
		q.finish()
		q.wait(`location.hash.includes("&B.memory.module=") && document.getElementById("kept") !== null`)
		eval[any](q, `location.hash += "&lab=vecadd"`)
		q.wait(surveyEnded)
		q.wait(`document.querySelector("#lab-ratios tr[data-codec=plugin]") !== null`)
		if row := eval[string](q, `[...document.querySelectorAll("#lab-ratios tr[data-codec=plugin] td")].map((d) => d.textContent).join(" ")`); !want(row) {
			t.Errorf("%s: the lab says %q", module, row)
		}
	}
}
