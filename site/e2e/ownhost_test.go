package e2e

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// bfsText visits the vertices of a level: edges of vertex v are edges[from[v]] to edges[from[v+1]].
const bfsText = `.version 7.0
.target sm_70
.address_size 64
.visible .entry level(.param .u64 from, .param .u64 edges, .param .u64 cost, .param .u64 over, .param .u32 depth)
{
    .reg .pred %p<4>;
    .reg .b32 %r<9>;
    .reg .b64 %d<9>;
    ld.param.u64 %d0, [from];
    ld.param.u64 %d1, [edges];
    ld.param.u64 %d2, [cost];
    ld.param.u64 %d3, [over];
    ld.param.u32 %r0, [depth];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r1, %r1, 64, %r2;
    mul.wide.u32 %d4, %r1, 4;
    add.u64 %d5, %d2, %d4;
    ld.global.u32 %r3, [%d5];
    setp.ne.u32 %p0, %r3, %r0;
    @%p0 ret;
    add.u64 %d6, %d0, %d4;
    ld.global.u32 %r4, [%d6];
    ld.global.u32 %r5, [%d6+4];
    add.u32 %r0, %r0, 1;
LOOP:
    setp.ge.u32 %p1, %r4, %r5;
    @%p1 ret;
    mul.wide.u32 %d7, %r4, 4;
    add.u64 %d7, %d1, %d7;
    ld.global.u32 %r6, [%d7];
    mul.wide.u32 %d7, %r6, 4;
    add.u64 %d7, %d2, %d7;
    atom.global.cas.b32 %r7, [%d7], -1, %r0;
    setp.ne.s32 %p2, %r7, -1;
    @!%p2 st.global.u32 [%d3], 1;
    add.u32 %r4, %r4, 1;
    bra LOOP;
}
`

// bfsHost is the host part of a search in a binary tree of 512 vertices: one launch for each level, until none adds a
// vertex.
func bfsHost() string {
	const vertices = 512
	var from, edges []byte
	for v, n := uint32(0), uint32(0); v <= vertices; v++ {
		from = binary.LittleEndian.AppendUint32(from, n)
		for w := 2*v + 1; w <= 2*v+2 && w < vertices && v < vertices; w++ {
			edges = binary.LittleEndian.AppendUint32(edges, w)
			n++
		}
	}
	text := base64.StdEncoding.EncodeToString
	return fmt.Sprintf(`buffers:
  - {spec: "in:from", element: u32, data: %s}
  - {spec: "in:edges", element: u32, data: %s}
  - out:cost:%d
  - out:over:4
grid: [%d]
block: [64]
metric: miss-rate
launches:
  - fill: {buffer: cost, value: "s32:-1"}
  - fill: {buffer: cost, bytes: 4, value: "u32:0"}
  - loop:
      rounds: 64
      steps:
        - fill: {buffer: over, value: "u32:0"}
        - {entry: level, args: ["ptr:from", "ptr:edges", "ptr:cost", "ptr:over", "u32:@i"]}
      until: {buffer: over, value: "u32:0"}
`, text(from), text(edges), 4*vertices, vertices/64)
}

// hostPart writes the text of the host part as a person does.
func (p *tab) hostPart(text string) {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`(e => { e.value = %s; e.dispatchEvent(new Event("input")); })`+
		`(document.getElementById("kernel-host"))`, quote(text)))
}

// TestOwnHostPart: a search by breadth whose host loop ends by a value that it reads back is written in the page as the
// YAML that burstscope exec takes. Faults have path and line. A fresh browser that opens its link comes to the
// same hash, and so does the native program.
func TestOwnHostPart(t *testing.T) {
	t.Parallel()
	site := serve(t)
	p := open(t, site.URL+"/#v=1&kernel=edit&picture=plain", command(cdpage.AddScriptToEvaluateOnNewDocument,
		cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	p.wait(`S.kernel.ready`)
	p.write(bfsText)
	p.wait(`S.kernel.kernels.join() === "level"`)
	if got := eval[bool](p, `document.getElementById("kernel-host").offsetParent !== null`); got {
		t.Error("a program of one launch shows a host part")
	}
	eval[any](p, `document.getElementById("kernel-several").click()`)
	if got := eval[string](p, `document.getElementById("kernel-host").value`); !strings.Contains(got, "launches:") ||
		!strings.Contains(got, "entry: level") {
		t.Errorf("the host part of one launch: %q", got)
	}

	good := bfsHost()
	p.hostFaults(good)
	p.hostPart(good)
	s := p.runKernel()
	if s.Phase != "done" {
		t.Fatalf("%s: %v", s.Phase, s.Messages)
	}
	eval[bool](p, within(`window.burstscopePanels`))
	eval[any](p, `(Object.defineProperty(navigator, "clipboard", {value: {writeText: (x) => `+
		`(window.copied = x, Promise.resolve())}}), document.getElementById("share").click())`)
	p.wait(`window.copied`)
	q := open(t, eval[string](p, `window.copied`))
	other := q.finish()
	if !maps.Equal(other.ResultHashes, s.ResultHashes) || len(other.Messages) > 0 {
		t.Errorf("a fresh browser comes to %v, this one to %v: %v", other.ResultHashes, s.ResultHashes, other.Messages)
	}
	eval[any](q, `document.getElementById("to-kernel").click()`)
	q.wait(`S.kernel.ready`)
	if got := q.textOf("kernel-launches"); !strings.Contains(got, "loop: at most 64 rounds, until over is u32:0") {
		t.Errorf("the launches of the link: %q", got)
	}
	if got := eval[string](q, `document.getElementById("kernel-host").value`); !strings.Contains(got, "until:") {
		t.Errorf("the host part of the link: %q", got)
	}
	q.do(chromedp.EmulateViewport(390, 844))
	q.screenshot("own-host-narrow.png")

	p.sameNatively(good, s.ResultHashes)
}

// hostFaults runs faulty host parts. Each fault has its line and its path, and a button leads there.
func (p *tab) hostFaults(good string) {
	t := p.t
	t.Helper()
	// A text that is no YAML, and one whose step names no buffer: the line, the path and what is wrong.
	runRefused := func(text string) string {
		p.hostPart(text)
		eval[any](p, `document.getElementById("kernel-run").click()`)
		p.wait(`document.getElementById("kernel-host-said").textContent !== ""`)
		return p.textOf("kernel-host-said")
	}
	if got := runRefused(strings.Replace(good, "grid: [8]", "grid: [8", 1)); !strings.HasPrefix(got, "line 7, ") {
		t.Errorf("a list without its end: %q", got)
	}
	wrong := strings.Replace(good, `"ptr:over", "u32:@i"`, `"ptr:none", "u32:@i"`, 1)
	if got := runRefused(wrong); !strings.HasPrefix(got, `line 16, column 70: launches[2].loop.steps[1].args[3].spec: `+
		`there is no buffer "none"`) {
		t.Errorf("a buffer that is not there: %q", got)
	}
	eval[any](p, `document.getElementById("to-kernel").click()`)
	eval[any](p, `document.querySelector("#kernel-host-said button").click()`)
	if got := eval[string](p, `(e => e.value.slice(e.selectionStart, e.selectionStart + 10))`+
		`(document.getElementById("kernel-host"))`); got != `"ptr:none"` {
		t.Errorf("the caret goes to %q", got)
	}
	p.screenshot("own-host.png")
}

// sameNatively exports the scenario and compares the hashes with those of the native program on the same YAML.
func (p *tab) sameNatively(good string, hashes map[string]string) {
	t := p.t
	t.Helper()
	// The native program reads the same YAML.
	of := "workload:\n  ptx:\n    file: kernel.ptx\n    source: |\n      " +
		strings.ReplaceAll(strings.TrimRight(bfsText, "\n"), "\n", "\n      ") +
		"\n    " + strings.ReplaceAll(strings.TrimRight(good, "\n"), "\n", "\n    ") + "\n"
	sc, err := authoring.ParseYAML("bfs.yaml", []byte(of))
	if err != nil {
		t.Fatal(err)
	}
	eval[any](p, `document.getElementById("export").click()`)
	p.wait(`document.getElementById("export-scenario-json")`)
	file, err := scenario.ParseJSON("saved", p.save("export-scenario-json", "burstscope-own.scenario.json"))
	if err != nil {
		t.Fatal(err)
	}
	file.Workload = sc.Workload // the settings of the page, and the program of the file
	if got := native(t, file); !maps.Equal(got, hashes) {
		t.Errorf("the native program comes to %v, the page to %v", got, hashes)
	}
}
