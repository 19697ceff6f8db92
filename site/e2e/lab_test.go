package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/digest"
)

// labData is a field of smooth floats with some noise and zeros: blocks of many sizes.
func labData(blocks int) []byte {
	var data []byte
	state := uint32(1)
	for i := range blocks * 32 {
		state = state*1664525 + 1013904223
		v := float32(math.Sin(float64(i)/900)) * float32(1+float32(state>>28)/64)
		if i/32%11 == 3 {
			v = 0
		}
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v)&^0x3ff)
	}
	return data
}

func npyOf(data []byte) []byte {
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }", len(data)/4)
	file := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	return append(append(file, header...), data...)
}

// dropInLab gives the page a file as dropping one does.
func (p *tab) dropInLab(name string, data []byte) {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`(() => {
		const bytes = Uint8Array.from(atob(%q), c => c.charCodeAt(0));
		const carried = new DataTransfer();
		carried.items.add(new File([bytes], %q));
		for (const type of ["dragenter", "dragover", "drop"])
			document.getElementById("lab").dispatchEvent(new DragEvent(type, {dataTransfer: carried, bubbles: true, cancelable: true}));
	})()`, base64.StdEncoding.EncodeToString(data), name))
}

const surveyEnded = `["done", "failed", "cancelled"].includes(S.lab.phase)`

// openLab waits until the lab can be asked.
func openLab(t *testing.T, fragment string) *tab {
	t.Helper()
	p := open(t, serve(t).URL+"/#v=1&lab="+fragment)
	p.wait(`S.lab.open && S.engineReady && document.getElementById("lab-choose") !== null`)
	return p
}

// TestLabMeasuresADroppedFile: the figures on the page are those of the command line.
func TestLabMeasuresADroppedFile(t *testing.T) {
	t.Parallel()
	p := openLab(t, "none")
	if words := eval[string](p, `document.getElementById("lab").textContent`); !strings.Contains(words, "Nothing is uploaded") {
		t.Error("the lab does not say that nothing is uploaded")
	}
	file := npyOf(labData(2000)[:2000*128-40])
	p.dropInLab("field.npy", file)
	p.wait(surveyEnded)
	p.wait(`S.lab.blocks === 2000 && document.querySelectorAll("#lab-ratios tbody tr").length > 0`)
	f, err := datafile.Open(bytes.NewReader(file), int64(len(file)), datafile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := survey.File(f, survey.Params{Names: codecs.Names()})
	if err != nil {
		t.Fatal(err)
	}
	got := eval[map[string]map[string]string](p, `Object.fromEntries([...document.querySelectorAll("#lab-ratios tbody tr")].map(r =>
		[r.dataset.codec, Object.fromEntries([...r.querySelectorAll("td[data-column]")].map(c => [c.dataset.column, c.textContent]))]))`)
	if len(got) != len(want.Codecs) {
		t.Errorf("%d codecs on the page, want %d", len(got), len(want.Codecs))
	}
	for i := range want.Codecs {
		s := &want.Codecs[i]
		figures := map[string]float64{"raw": s.Ratio(), "MAG 16": s.EffectiveRatio(16), "MAG 32": s.EffectiveRatio(32), "MAG 64": s.EffectiveRatio(64)}
		for column, v := range figures {
			if text := fmt.Sprintf("%.2f", v); got[s.Name][column] != text {
				t.Errorf("%s, %s: the page says %s, want %s", s.Name, column, got[s.Name][column], text)
			}
		}
	}
	// Sliders act on what is known: nothing is read again.
	eval[any](p, `(() => {
		const set = (id, value) => { const e = document.getElementById(id); e.value = value; e.dispatchEvent(new Event("input", {bubbles: true})); };
		set("lab-mag", "2");
		set("lab-threshold", "20");
	})()`)
	e2mc := &want.Codecs[12]
	near := fmt.Sprintf("%d of %d blocks", e2mc.WithinThreshold(64, 20), 2000)
	p.wait(fmt.Sprintf(`document.querySelector(".labplots .words").textContent.replace(/,/g, "").startsWith(%q)`, near))
	p.wait(`location.hash.includes("lab=none") && location.hash.includes("lab.mag=64") && location.hash.includes("lab.threshold=20")`)
	if e2mc.Name != "e2mc16" {
		t.Fatalf("the first codec on show is %s", e2mc.Name)
	}
	p.screenshot("lab.png")
}

// TestLabExports: what is saved says of which data, with which version and settings.
func TestLabExports(t *testing.T) {
	t.Parallel()
	p := openLab(t, "none&lab.codec=zvc&lab.threshold=8")
	data := labData(64)
	p.dropInLab("field.bin", data)
	p.wait(`S.lab.phase === "done" && document.querySelector(".labplots .plot rect") !== null`)
	eval[any](p, `(() => {
		window.saved = [];
		const make = URL.createObjectURL;
		URL.createObjectURL = blob => { window.saved.push(blob); return make.call(URL, blob); };
		HTMLAnchorElement.prototype.click = () => {};
		for (const id of ["lab-csv", "lab-json", "lab-svg"]) document.getElementById(id).click();
	})()`)
	sum := digest.New()
	sum.Write(data)
	hash := sum.Hex()
	version := eval[string](p, "window.burstscope.version")
	texts := eval[[]string](p, "Promise.all(window.saved.map(b => b.text()))")
	if len(texts) != 3 || !strings.Contains(texts[0], "\nzvc,64,") || !strings.HasPrefix(texts[2], "<svg") {
		t.Fatalf("%d files: %.300s", len(texts), texts)
	}
	for _, text := range texts {
		for _, want := range []string{hash, version, "field.bin", "zvc", "/#v=1"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %.200s", want, text)
			}
		}
	}
	eval[any](p, `(window.saved = [], document.getElementById("lab-png").click())`)
	p.wait(`window.saved.some(b => b.type === "image/png")`)
	start := eval[[]int](p, `window.saved.find(b => b.type === "image/png").arrayBuffer().then(b => [...new Uint8Array(b.slice(0, 4))])`)
	if fmt.Sprint(start) != "[137 80 78 71]" {
		t.Errorf("the PNG starts with %v", start)
	}
}

// TestLabBlock: a cell of the map leads to its block, and on to the inspector.
func TestLabBlock(t *testing.T) {
	t.Parallel()
	p := openLab(t, "none&lab.codec=e2mc32")
	data := labData(300)
	p.dropInLab("field.bin", data)
	p.wait(`S.lab.phase === "done" && document.querySelectorAll("#lab-regions tbody tr").length > 0`)
	eval[any](p, `document.querySelectorAll("#lab-regions tbody button")[1].click()`)
	p.wait(`document.querySelector(".labhex") !== null`)
	first := eval[int](p, `Number(document.getElementById("lab-block").value)`)
	line := data[first*128:][:4]
	if text := eval[string](p, `document.querySelector(".labhex").textContent`); !strings.Contains(text, fmt.Sprintf("% x", line)) || first == 0 {
		t.Errorf("block %d shows %q", first, text)
	}
	eval[any](p, `document.getElementById("lab-open").click()`)
	// The inspector codes it with the code table of the file.
	p.wait(`document.querySelector("#explain .flow .f") !== null`)
	size := eval[int](p, `Number(document.querySelector("#lab-picked tr.on td").textContent.replace(/\D/g, ""))`)
	if bits := p.bitsShown(); size == 0 || size >= 1024 || bits != size {
		t.Errorf("the inspector shows %d bits, the lab says %d", bits, size)
	}
}

// TestLabMap: a click in the moving map and keys on the plain one choose blocks, and
// the line over the histogram is dragged.
func TestLabMap(t *testing.T) {
	t.Parallel()
	p := openLab(t, "none")
	p.dropInLab("field.bin", labData(3000))
	p.wait(`S.lab.phase === "done" && S.lab.blocks === 3000 && document.querySelectorAll("#lab-regions tbody tr").length > 0`)
	eval[any](p, `document.querySelector(".labmapbody").scrollIntoView({block: "center"})`)
	p.look()
	p.wait(`S.lab.map === "moving"`)
	at := eval[rectangle](p, `(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector(".labview").getBoundingClientRect())`)
	// The picture looks at the pointer once a frame: press and release apart.
	frames := func(n int) {
		const tick = `document.querySelector(".labview iframe").contentWindow.burstscopeView.state?.tick`
		p.wait(tick + " >= 0")
		p.wait(fmt.Sprintf("%s >= %g", tick, eval[float64](p, tick)+float64(n)))
	}
	frames(2)
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X+120, at.Y+140))
	frames(2)
	p.do(chromedp.MouseEvent(chromedp.MousePressed, at.X+120, at.Y+140, chromedp.ButtonLeft))
	frames(2)
	p.do(chromedp.MouseEvent(chromedp.MouseReleased, at.X+120, at.Y+140, chromedp.ButtonLeft))
	p.wait(`document.querySelector(".labhex") !== null`)
	picked := eval[int](p, `Number(document.getElementById("lab-block").value)`)
	if picked <= 0 || picked >= 3000 {
		t.Errorf("a click in the map picked block %d", picked)
	}
	p.screenshot("lab-map.png")
	eval[any](p, `document.getElementById("lab-plain").click()`)
	p.wait(`S.lab.map === "plain"`)
	eval[any](p, `document.getElementById("lab-detail").focus()`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.do(chromedp.KeyEvent(kb.ArrowDown))
	p.wait(fmt.Sprintf(`Number(document.getElementById("lab-block").value) === %d`, picked+65))
	p.screenshot("lab-plain.png")
	eval[any](p, `document.querySelector(".labplots .drawn").scrollIntoView({block: "center"})`)
	label := eval[rectangle](p, `(({x, y, width, height}) => ({x, y, width, height}))([...document.querySelectorAll(".labplots .drawn text")].find((e) => e.textContent === "8").getBoundingClientRect())`)
	p.do(chromedp.MouseClickXY(label.X+label.Width/2+3, label.Y-20)) // right of the middle, where 8 begins
	p.wait(`location.hash.includes("lab.threshold=8")`)
}

// TestLabJoinsBlocks: the map of many blocks has cells of several.
func TestLabJoinsBlocks(t *testing.T) {
	t.Parallel()
	p := openLab(t, "none&lab.codec=zvc")
	eval[any](p, `(() => {
		const piece = new Uint8Array(1 << 20).map((_, i) => i % 7);
		const carried = new DataTransfer();
		carried.items.add(new File(Array(9).fill(piece), "joined.bin"));
		document.getElementById("lab").dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}));
	})()`)
	p.wait(surveyEnded)
	p.wait(`S.lab.blocks === 73728 && document.querySelector(".labmap .readout").textContent.includes("A cell is 2 blocks")`)
}

// TestLabCancels: a large file can be given up at once, and what was shown stays.
func TestLabCancels(t *testing.T) {
	p := openLab(t, "none")
	p.dropInLab("small.bin", labData(100))
	p.wait(`S.lab.phase === "done" && S.lab.blocks === 100`)
	eval[any](p, `(() => {
		const piece = new Uint8Array(1 << 20).map((_, i) => i * 2654435761 >> 13);
		const carried = new DataTransfer();
		carried.items.add(new File(Array(300).fill(piece), "large.bin"));
		document.getElementById("lab").dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}));
	})()`)
	p.wait(`S.lab.phase === "reading" && S.lab.progress > 0.01`)
	eval[any](p, `document.getElementById("lab-cancel").click()`)
	p.wait(surveyEnded)
	got := eval[struct {
		Phase              string
		CancelMilliseconds float64
		Blocks             int
	}](p, "window.burstscope.state.lab")
	t.Logf("cancelled after %.0f ms", got.CancelMilliseconds)
	if got.Phase != "cancelled" || got.Blocks != 100 {
		t.Errorf("after the cancel: %+v", got)
	}
	if got.CancelMilliseconds > mostCancelMilliseconds {
		t.Errorf("a cancel took %.0f ms, want at most %d", got.CancelMilliseconds, mostCancelMilliseconds)
	}
	p.dropInLab("again.bin", labData(50))
	p.wait(`S.lab.phase === "done" && S.lab.blocks === 50`)
}

// mostCancelMilliseconds is five times what a cancel may take on a machine that has
// nothing else to do.
const mostCancelMilliseconds = 500

// TestLabRefuses: files that lie give a message with the place, and nothing is lost.
func TestLabRefuses(t *testing.T) {
	t.Parallel()
	p := openLab(t, "none")
	p.dropInLab("good.bin", labData(64))
	p.wait(`S.lab.phase === "done" && document.querySelectorAll("#lab-ratios tbody tr").length > 0`)
	long := npyOf(labData(4))
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty.bin", nil, "byte 0: the file is empty"},
		{"cut.npy", long[:len(long)-9], "cut off"},
		{"cut.npz", []byte("PK\x03\x04 and no more"), "cut off or damaged"},
		{"lies.safetensors", append([]byte{200, 0, 0, 0, 0, 0, 0, 0}, "{\"a\":1}"...), "byte 0: a header of 200 bytes"},
		{"bomb.png", append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"), 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 8, 0, 0, 0, 0, 1, 2, 3, 4), "byte "},
	} {
		p.dropInLab(c.name, c.data)
		p.wait(`S.lab.phase === "failed"`)
		if s := eval[string](p, "window.burstscope.state.lab.error"); !strings.Contains(s, c.want) {
			t.Errorf("%s: the page says %q, want %q", c.name, s, c.want)
		}
		shown := eval[string](p, `document.querySelector("#lab #messages").textContent`)
		if !strings.Contains(shown, c.name) || eval[int](p, `document.querySelectorAll("#lab-ratios tbody tr").length`) == 0 {
			t.Errorf("%s: message %q, or the results of the previous file are gone", c.name, shown)
		}
		eval[any](p, `window.burstscope.state.lab.phase = "idle"`)
	}
	p.screenshot("lab-refused.png")
}

// TestLabShippedData: a link names data set and settings; the memory of a run is there
// once one has finished.
func TestLabShippedData(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		width, height int
		fragment      string
	}{
		{"lab-shipped.png", 1440, 2200, "dct&lab.codec=fpc&theme=light"},
		{"lab-dark.png", 1440, 2200, "dct&lab.mag=64&lab.threshold=30&theme=dark"},
		{"lab-phone.png", 390, 1700, "dct&lab.codec=bpc&theme=light"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := openLab(t, c.fragment)
			p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(c.width), Height: int64(c.height), DeviceScaleFactor: 1, Mobile: c.width < 500}))
			p.wait(surveyEnded)
			p.look()
			p.wait(`S.lab.phase === "done" && document.querySelectorAll("#lab-ratios tbody tr").length > 0 && (innerWidth < 500 || S.lab.map === "moving")`)
			if eval[bool](p, "document.documentElement.scrollWidth > innerWidth") {
				t.Errorf("%s scrolls sideways: %d px", c.name, eval[int](p, "document.documentElement.scrollWidth"))
			}
			p.settle()
			p.screenshot(c.name)
		})
	}
	p := openLab(t, "none")
	if eval[int](p, "window.burstscope.state.run") != 0 {
		t.Error("the simulator runs behind the lab")
	}
	eval[any](p, `location.hash = "v=1&s=dct&workload.size=128"`)
	p.wait("!S.lab.open")
	p.finish()
	eval[any](p, `document.getElementById("to-lab").click()`)
	p.wait(`document.getElementById("lab-memory").options.length > 3`)
	eval[any](p, `(() => { const m = document.getElementById("lab-memory"); m.selectedIndex = 2; m.dispatchEvent(new Event("change")); })()`)
	p.wait(surveyEnded)
	if s := eval[string](p, "window.burstscope.state.lab.phase"); s != "done" {
		t.Errorf("the memory of the run: %s, %s", s, eval[string](p, "window.burstscope.state.lab.error"))
	}
}
