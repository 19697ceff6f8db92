package e2e

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/burstscope/burstscope/core/scenario"
)

// typed types a text into the empty editor with the keyboard's input, and waits until it was checked.
func (p *tab) typed(source string) {
	p.t.Helper()
	eval[any](p, `(e => (e.focus(), e.select(), 0))(document.getElementById("kernel-source"))`)
	p.do(chromedp.KeyEvent(kb.Delete))
	if got := eval[string](p, `document.getElementById("kernel-source").value`); got != "" {
		p.t.Fatalf("the editor holds %q after everything was deleted", got)
	}
	p.wait(`S.kernel.ready`)
	if source != "" {
		p.do(command(input.InsertText, input.InsertTextParams{Text: source}))
	}
	p.wait(`S.kernel.ready`)
	p.settle()
}

// write puts a text into the editor as a person does, and waits until it was checked.
func (p *tab) write(source string) {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`(e => { e.value = %s; e.dispatchEvent(new Event("input")); })(document.getElementById("kernel-source"))`, quote(source)))
	p.wait(`S.kernel.ready`)
	p.settle()
}

// argument sets a field of the table of arguments as a person does.
func (p *tab) argument(label, value string) {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`(e => { e.value = %s; e.dispatchEvent(new Event(e.localName === "select" ? "change" : "input")); })(document.querySelector('#kernel [aria-label=%s]'))`, quote(value), quote(label)))
}

// runKernel runs the program of the editor, and waits for the end.
func (p *tab) runKernel() state {
	p.t.Helper()
	before := p.state().Run
	eval[any](p, `document.getElementById("kernel-run").click()`)
	p.wait(fmt.Sprintf(`S.run > %d && ["done", "error"].includes(S.phase)`, before))
	p.settle()
	return p.state()
}

// kernelText is a kernel with one loop that ends when end is set.
func kernelText(loop string) string {
	return `.version 6.0
.target sm_70
.address_size 64
.visible .entry halve(.param .u64 from, .param .u64 to)
{
    .reg .f32 %f<3>;
    .reg .b32 %r<5>;
    .reg .b64 %d<6>;
    ld.param.u64 %d1, [from];
    ld.param.u64 %d2, [to];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %d3, %r4, 4;
    add.u64 %d4, %d1, %d3;
    add.u64 %d5, %d2, %d3;
` + loop + `
    ld.global.f32 %f1, [%d4];
    mul.f32 %f2, %f1, 0f3F000000;
    st.global.f32 [%d5], %f2;
    ret;
}
`
}

// TestYourKernel: a kernel written from nothing shows its faults at their places, runs, is
// approximated, and is the same in another browser that opens its link or its file.
func TestYourKernel(t *testing.T) {
	t.Parallel()
	site := serve(t)
	p := open(t, site.URL+"/#v=1&kernel=edit&picture=plain", command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	p.wait(`S.kernel.ready`)
	p.screenshot("own-kernel.png")

	// Without a text there is no kernel, and nothing to run.
	p.typed("")
	if got := p.textOf("kernel-faults"); !strings.Contains(got, "no .version directive: this is not a PTX module") {
		t.Errorf("an empty editor says %q", got)
	}
	// Three faults, three marks, all at once.
	bad := strings.NewReplacer("add.u64 %d4", "add.u65 %d4", "mul.f32 %f2", "mul.f32 %f9", "ret;", "bra NOWHERE"+strings.Repeat("_X", 200)+";").Replace(kernelText(""))
	p.typed(bad)
	var marks []struct{ Line, Column int }
	if err := json.Unmarshal([]byte(eval[string](p, `JSON.stringify(window.burstscope.state.kernel.marks)`)), &marks); err != nil || len(marks) != 3 || marks[0].Line != 16 || marks[1].Line != 20 || marks[2].Line != 22 {
		t.Errorf("the marks of three faults: %v, %v", marks, err)
	}
	if n := eval[int](p, `document.querySelectorAll("#kernel-faults li").length + 10 * document.querySelectorAll("#kernel .kunder mark").length`); n != 33 {
		t.Errorf("%d faults listed and 10 times those underlined", n)
	}
	// A fault quotes the beginning of a long name.
	if long := eval[int](p, `Math.max(...[...document.querySelectorAll("#kernel-faults li")].map(e => e.textContent.length))`); long > 100 {
		t.Errorf("a fault of %d characters", long)
	}
	p.screenshot("own-kernel-faults.png")

	p.typed(kernelText(""))
	if names := eval[string](p, `window.burstscope.state.kernel.kernels.join()`); names != "halve" {
		t.Fatalf("kernels %q", names)
	}
	p.argument("argument 0, contents", "smooth values")
	p.argument("argument 0, elements", "2048")
	p.argument("argument 1, elements", "2048")
	eval[any](p, `((safe) => safe.checked || safe.click())([...document.querySelectorAll("#kernel .karg:first-of-type input[type=checkbox]")].pop())`)
	eval[any](p, `(document.getElementById("kernel-grid").value = "8", document.getElementById("kernel-block").value = "256", document.getElementById("kernel-grid").dispatchEvent(new Event("input")))`)
	s := p.runKernel()
	var b struct {
		ScenarioHash string
		Error        float64
	}
	if s.Phase != "done" {
		t.Fatalf("%s: %v", s.Phase, s.Messages)
	}
	if err := json.Unmarshal(s.Results["B"], &b); err != nil || b.Error == 0 {
		t.Errorf("the approximated side has the error %g, %v", b.Error, err)
	}
	p.screenshot("own-kernel-run.png")

	// What is expected is compared with what came: A is lossless, B is approximated.
	expected := make([]byte, 0, 8192)
	for i := range 2048 {
		x := 1 + float32((i*i)%4093)/4096/64 + float32(i%512)/512
		expected = binary.LittleEndian.AppendUint32(expected, math.Float32bits(x/2))
	}
	eval[any](p, `document.getElementById("to-kernel").click()`)
	eval[any](p, fmt.Sprintf(`(e => {
		const carried = new DataTransfer();
		carried.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], "halves.bin"));
		e.files = carried.files;
		e.dispatchEvent(new Event("change"));
	})(document.querySelector('#kernel .karg:last-of-type [aria-label^="Expected output"]'))`, base64.StdEncoding.EncodeToString(expected)))
	p.wait(`document.querySelector("#kernel .karg:last-of-type").textContent.includes("halves.bin")`)
	if again := p.runKernel(); again.ResultHashes["B"] != s.ResultHashes["B"] {
		t.Error("an expected output changes the result")
	}
	p.wait(`S.messages.length === 1`)
	if words := p.textOf("messages"); !strings.Contains(words, "A: to is as expected.") || !strings.Contains(words, "B: to differs from the expected output in ") {
		t.Errorf("the comparison with the expected output: %q", words)
	}

	// By link, packed as Share writes it.
	eval[bool](p, within(`window.burstscopePanels`))
	eval[any](p, `(Object.defineProperty(navigator, "clipboard", {value: {writeText: (x) => (window.copied = x, Promise.resolve())}}), document.getElementById("share").click())`)
	p.wait(`window.copied`)
	link := eval[string](p, `window.copied`)
	if len(link) > 60_000 || !strings.Contains(link, "&z=") {
		t.Errorf("the link has %d characters: %.80s", len(link), link)
	}
	q := open(t, link)
	if other := q.finish(); other.ResultHashes["A"] != s.ResultHashes["A"] || other.ResultHashes["B"] != s.ResultHashes["B"] || len(other.Messages) > 0 {
		t.Errorf("a fresh browser comes to %v, this one to %v: %v", other.ResultHashes, s.ResultHashes, other.Messages)
	}
	eval[any](q, `document.getElementById("to-kernel").click()`)
	q.wait(`S.kernel.ready`)
	if got := eval[string](q, `document.getElementById("kernel-source").value`); got != kernelText("") {
		t.Errorf("the editor of the link's page has %q", got)
	}

	// By file: the native program comes to the same.
	eval[any](p, `document.getElementById("export").click()`)
	p.wait(`document.getElementById("export-scenario-json")`)
	file, err := scenario.ParseJSON("saved", p.save("export-scenario-json", "burstscope-own.scenario.json"))
	if err != nil {
		t.Fatal(err)
	}
	if file.Hash() != b.ScenarioHash {
		t.Errorf("the file is scenario %s, the run was of %s", file.Hash(), b.ScenarioHash)
	}
	eval[any](p, `document.getElementById("dialog").close()`)

	// Kernels that fail are stopped soon, with their place, and the page keeps its state.
	for _, c := range []struct{ name, loop, where, what string }{
		{"never ends", "L: bra L;", "halve line 18", "does not end"},
		{"out of bounds", "add.u64 %d4, %d4, 1000000;", "halve line 19", "outside of every allocation"},
	} {
		eval[any](p, `document.getElementById("to-kernel").click()`)
		p.write(kernelText(c.loop))
		start := time.Now()
		s := p.runKernel()
		t.Logf("%s: stopped after %v", c.name, time.Since(start))
		if s.Phase != "error" || len(s.Messages) != 1 || !strings.Contains(s.Messages[0].Where, c.where) || !strings.Contains(s.Messages[0].Where, "thread") || !strings.Contains(s.Messages[0].What, c.what) {
			t.Errorf("%s: %s %v", c.name, s.Phase, s.Messages)
		}
		if eval[string](p, `document.getElementById("kernel-source").value`) != kernelText(c.loop) {
			t.Errorf("%s: the text is lost", c.name)
		}
	}
	// So is one whose buffers are larger than the page.
	eval[any](p, `document.getElementById("to-kernel").click()`)
	p.write(kernelText(""))
	p.argument("argument 1, elements", "100000000")
	start := time.Now()
	if s := p.runKernel(); s.Phase != "error" || len(s.Messages) != 1 || !strings.Contains(s.Messages[0].What, "MB of memory, and the page has 512 MB") {
		t.Errorf("too much memory: %s %v", s.Phase, s.Messages)
	}
	t.Logf("too much memory: refused after %v", time.Since(start))
}
