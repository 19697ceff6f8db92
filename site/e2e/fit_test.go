package e2e

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/system/buddy/fit"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/render/model"
)

const fitEnded = `["done", "failed", "cancelled"].includes(S.lab.fit)`

// fitModel is a safetensors file of two tensors: small numbers with some noise, and zeros.
func fitModel(blocks int) []byte {
	data := labData(blocks)
	for i := range data {
		if i/128%10 != 9 && i%4 > 0 {
			data[i] = 0
		}
	}
	header := fmt.Sprintf(`{"w":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]},"z":{"dtype":"F32","shape":[%d],"data_offsets":[%d,%d]}}`,
		len(data)/4, len(data), len(data)/4, len(data), 2*len(data))
	file := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	return append(append(file, data...), make([]byte, len(data))...)
}

// TestFit: the answer on the page is that of the command line, to the last digit, simulated too; a wrong file keeps it.
func TestFit(t *testing.T) {
	t.Parallel()
	p := openLab(t, "none&lab.question=fit")
	file := fitModel(4000)
	p.dropInLab("model.safetensors", file)
	p.wait(fitEnded)
	eval[any](p, `(e => { e.value = "40"; e.dispatchEvent(new Event("change")); })(document.getElementById("fit-whole"))`)
	eval[any](p, `(e => { e.value = "p100"; e.dispatchEvent(new Event("change")); })(document.getElementById("fit-gpu"))`)
	p.wait(`document.getElementById("fit-verdict").textContent.includes("of p100")`)
	d := fit.NewData(fit.Settings{ThresholdPercent: 30, SampleBytes: 8 << 20})
	f, err := datafile.Open(bytes.NewReader(file), int64(len(file)), datafile.Options{})
	if err == nil {
		err = d.Add(f, func(int) error { return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.Report()
	if err != nil {
		t.Fatal(err)
	}
	g := fit.FindGPU("p100")
	a := d.Answer(g, r, 40e9)
	p.checkFitMap(d, r)
	stream, err := d.Stream(g, r)
	if err != nil {
		t.Fatal(err)
	}
	eval[any](p, `document.getElementById("fit-simulate").click()`)
	p.wait(`document.getElementById("fit-status").textContent.startsWith("Every link")`)
	got := eval[map[string][]string](p, `Object.fromEntries([...document.querySelectorAll("#fit-links tbody tr")].map(r => [r.dataset.link, [...r.querySelectorAll("td")].map(c => c.textContent)]))`)
	if len(got) != len(a.Rows) {
		t.Errorf("%d links on the page", len(got))
	}
	for _, row := range a.Rows {
		simulated := 0.0
		for simulated == 0 && err == nil {
			simulated, err = stream.Step(row.Link, 1<<14)
		}
		if err != nil {
			t.Fatal(err)
		}
		want := []string{fmt.Sprintf("%.1f", float64(row.Link.MBPerSecond)/1000)}
		for _, v := range []float64{row.Slowdown, row.Apart, simulated, row.Plain} {
			want = append(want, fmt.Sprintf("%.2f ×", v))
		}
		if strings.Join(got[row.Link.Name], " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v on the page, want %v", row.Link.Name, got[row.Link.Name], want)
		}
	}
	p.dropInLab("cut.safetensors", file[:len(file)-100])
	p.wait(`S.lab.fit === "failed"`)
	if m := eval[string](p, `document.querySelector("#lab #messages").textContent`); !strings.Contains(m, "cut.safetensors") {
		t.Errorf("the message is %q", m)
	}
	p.dropInLab("header.safetensors", []byte{200, 0, 0, 0, 0, 0, 0, 0, '{', '"', 'a'})
	p.wait(`document.querySelector("#lab #messages").textContent.includes("header of 200 bytes")`)
	if n := eval[int](p, `document.querySelectorAll("#fit-arrays tbody tr").length`); n != 2 {
		t.Errorf("%d arrays are shown after files that cannot be read", n)
	}
	p.screenshot("fit.png")
}

// checkFitMap compares columns of the map of w, of which each is one entry, with their sizes.
func (p *tab) checkFitMap(d *fit.Data, r *profile.Report) {
	p.t.Helper()
	p.wait(`document.querySelectorAll(".fitmaplist canvas").length === 2`)
	target, err := layout.ParseTarget(r.Allocations[0].Target)
	m := d.Map()
	if err != nil || m.PerCell != 1 {
		p.t.Fatal(err, m.PerCell)
	}
	over := 0
	for _, entry := range []int{0, 3, 9, 10, 70, 1000, 3999} {
		sectors := slices.Index(m.Arrays[0][entry][:], 1)
		_, linked := target.Split(sectors)
		need := min(int(linked), 1)
		over += need
		want := fmt.Sprintf("w, entry %s: 1 takes %s; %d of 1 over the link.", model.Count(entry), []string{"no sector", "1 sector", "2 sectors", "3 sectors", "4 sectors"}[sectors], need)
		got := eval[string](p, fmt.Sprintf(`(c => {
			const r = c.getBoundingClientRect(), high = r.height / 63; // rows of 64
			c.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: r.left + (%d %% 64 + 0.5) * r.width / 64, clientY: r.top + (Math.floor(%d / 64) + 0.5) * high}));
			return document.getElementById("fit-map-readout").textContent;
		})(document.querySelector(".fitmaplist canvas"))`, entry, entry))
		if got != want {
			p.t.Errorf("the map says %q, want %q", got, want)
		}
	}
	if over == 0 || over == 7 {
		p.t.Errorf("%d of the chosen entries lie behind the link: choose others", over)
	}
}

// TestFitReadsLargeFiles: 64 MB are profiled, and a cancel in a file of 1 GB keeps the answer. The time is
// for the log: it should stay below 5 s.
func TestFitReadsLargeFiles(t *testing.T) {
	t.Parallel()
	p := openLab(t, "none&lab.question=fit")
	p.chooseModel(64)
	p.wait(`S.lab.fit === "done"`)
	t.Logf("64 MB took %.0f ms", eval[float64](p, "window.burstscope.state.lab.fitMilliseconds"))
	p.chooseModel(1000)
	p.wait(`document.querySelector("#lab-fit progress").value > 0.01`)
	eval[any](p, `document.getElementById("fit-cancel").click()`)
	p.wait(`S.lab.fit === "cancelled"`)
	if words := p.textOf("fit-verdict"); !strings.Contains(words, "67.1") {
		t.Errorf("after a cancel the page says %q", words)
	}
}

// chooseModel chooses a file on disk of one tensor. Its data are one megabyte of small numbers, and then zeros
// that the file system does not store.
func (p *tab) chooseModel(megabytes int) {
	p.t.Helper()
	bytes := megabytes << 20
	header := fmt.Sprintf(`{"w":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}`, bytes, bytes)
	start := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	for i := range 1 << 20 {
		v := byte(0)
		if i%4 == 0 {
			v = byte(uint32(i) * 2654435761 >> 13)
		}
		start = append(start, v)
	}
	name := filepath.Join(p.t.TempDir(), fmt.Sprintf("large%d.safetensors", megabytes))
	err := os.WriteFile(name, start, 0o644)
	if err == nil {
		err = os.Truncate(name, int64(8+len(header)+bytes))
	}
	if err == nil {
		_, err = chromedp.Run(p.ctx, chromedp.SetUploadFiles("#fit-file", []string{name}))
	}
	if err != nil {
		p.t.Fatal(err)
	}
}
