package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestSilicon: the chart has a mark for every committed run, as far from the diagonal as its
// ratio says; keys and pointing name a mark; the table holds all runs; a phone shows it
// without scrolling sideways.
func TestSilicon(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, "core", "machine", "testdata", "silicon", "h200-compared.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Programs struct {
			Cases                  int
			MeanError, Correlation float64
		}
		Cases []struct {
			Kind, Name          string
			Size                int
			Measured, Simulated float64
		}
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	p := openRepro(t, "silicon")
	const marks = `[...document.querySelectorAll("#silicon-plot [role=option]")]`
	p.wait(marks + `.length > 0`)
	ratios := map[string]float64{}
	for _, c := range want.Cases {
		if c.Kind == "program" {
			ratios[fmt.Sprintf("%s, size %s", c.Name, grouped(c.Size))] = c.Simulated / c.Measured
		}
	}
	figures := eval[[]string](p, `[...document.querySelectorAll("#silicon-all td")].map(c => c.textContent)`)
	if len(figures) != 3 || figures[0] != fmt.Sprintf("%.1f\u202f%%", 100*want.Programs.MeanError) || figures[1] != fmt.Sprintf("%.4f", want.Programs.Correlation) {
		t.Errorf("the page says %q, the file %+v", figures, want.Programs)
	}
	rows := eval[[][]string](p, `[...document.querySelectorAll("#silicon-table tbody tr")].map(r => [...r.children].map(c => c.textContent))`)
	if len(rows) != len(ratios) || len(rows) != want.Programs.Cases {
		t.Errorf("%d rows for %d programs", len(rows), len(ratios))
	}
	for _, r := range rows {
		if ratio, ok := ratios[r[0]+", size "+r[1]]; !ok || r[4] != fmt.Sprintf("%.2f", ratio) {
			t.Errorf("the table has %q, the ratio is %.2f", r, ratio)
		}
	}
	// The height over the diagonal is the logarithm of the ratio, on one scale for all marks.
	type mark struct {
		Name, Says string
		Up         float64
	}
	shown := eval[[]mark](p, `(() => {
		const [x, y, x2, y2] = document.querySelector(".silicon-equal").getAttribute("d").match(/[\d.]+/g).map(Number);
		return `+marks+`.map(m => ({says: m.getAttribute("aria-label"), name: m.getAttribute("aria-label").split(":")[0],
			up: y + (y2 - y) / (x2 - x) * (m.getAttribute("cx") - x) - m.getAttribute("cy")}));
	})()`)
	scale, furthest := 0.0, 0.0
	for _, m := range shown {
		if l := math.Log(ratios[m.Name]); math.Abs(l) > furthest {
			scale, furthest = m.Up/l, math.Abs(l)
		}
	}
	if len(shown) != len(ratios) || scale <= 0 {
		t.Fatalf("%d marks for %d programs, %.2f units up for a ratio of e", len(shown), len(ratios), scale)
	}
	for _, m := range shown {
		ratio, ok := ratios[m.Name]
		if !ok || math.Abs(m.Up-scale*math.Log(ratio)) > 0.5 {
			t.Errorf("%q stands %.1f above the diagonal, its ratio is %.3f", m.Name, m.Up, ratio)
		}
	}
	said := `document.getElementById("silicon-said").textContent`
	eval[any](p, `document.getElementById("silicon-plot").focus()`)
	first := eval[string](p, said)
	second := eval[string](p, `(document.getElementById("silicon-plot").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"})), `+said+`)`)
	if first != shown[0].Says+"." || second != shown[1].Says+"." {
		t.Errorf("focus says %q, then an arrow key %q", first, second)
	}
	last := eval[string](p, `(() => {
		const m = `+marks+`.find(m => m.id === "silicon-`+fmt.Sprint(len(shown)-1)+`"), r = m.getBoundingClientRect();
		m.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2}));
		return `+said+`;
	})()`)
	if last != shown[len(shown)-1].Says+"." {
		t.Errorf("pointing at the last mark says %q, want %q", last, shown[len(shown)-1].Says)
	}
	p.size(390, 844)
	p.settle()
	if wide := eval[int](p, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("on a phone the page is %d pixels wide", wide)
	}
}

// grouped writes a number as the page does.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
