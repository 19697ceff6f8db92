package e2e

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/chromedp/cdproto/emulation"
)

const ofLaunches = "version: 2\nmachine: {preset: mini}\nworkload: {name: bfs1, size: 1024}\nmemory: {codec: bpc}\n"

// nativeLaunches is the native run.
func nativeLaunches(t *testing.T) *experiment.Result {
	t.Helper()
	s, err := authoring.ParseYAML("launches.yaml", []byte(ofLaunches))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	plan.Power = true
	run, err := experiment.New(plan, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	native, err := run.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return native
}

// TestLaunches: the rows of the tab Launches are the launches and kernels of a native run, with its numbers. A press
// on a launch puts the cursor where it begins and marks its cycles in the timeline and in the power.
func TestLaunches(t *testing.T) {
	t.Parallel()
	const settings = "s=vecadd&machine.preset=mini&workload.name=bfs1&workload.size=1024"
	p := open(t, serve(t).URL+"/#v=1&"+settings+"&A.memory.codec=none&B.memory.codec=bpc&tab=launches&side=B")
	p.finish()
	p.wait(`document.querySelector("table.launches tbody tr") !== null`)
	native := nativeLaunches(t)
	per := native.PerLaunch()
	eval[any](p, `(select => {
		select.value = "slotShort";
		select.dispatchEvent(new Event("change"));
	})(document.querySelector("#panel-launches select"))`)
	checkLaunchRows(t, p, per)

	const launch = 2
	press := fmt.Sprintf(`document.querySelector('table.launches button[data-launch="%d"]').click()`, launch)
	eval[any](p, press)
	p.wait(`document.querySelector("svg.power .span") !== null`)
	l := per.Launches[launch]
	if at := eval[float64](p, `Number(document.querySelector("#scrub").value)`); at != float64(l.Begin) {
		t.Errorf("the cursor is at %v, the launch begins at %d", at, l.Begin)
	}
	end := eval[float64](p, `Number(document.querySelector("#scrub").max)`)
	band := eval[[]float64](p, `["x", "width"].map(a =>
		Number(document.querySelector("#spark .spark-span").getAttribute(a)))`)
	for i, want := range []float64{1000 * float64(l.Begin) / end, 1000 * float64(l.Cycles) / end} {
		if math.Abs(band[i]-want) > 1 {
			t.Errorf("the timeline marks %v of 1000, want %v", band, want)
		}
	}
	p.screenshot("launches.png")
	// A small screen shows the power beside a long table.
	p.size(1280, 720)
	p.settle()
	const hidden = `document.querySelector("svg.power").getBoundingClientRect().top + 100 -
		document.getElementById("stage").getBoundingClientRect().bottom`
	if below := eval[float64](p, hidden); below > 0 {
		t.Errorf("the power chart begins %.0f px too low", below)
	}
	phone := emulation.SetDeviceMetricsOverrideParams{Width: 390, Height: 844, DeviceScaleFactor: 1, Mobile: true}
	p.do(command(emulation.SetDeviceMetricsOverride, phone))
	p.settle()
	p.screenshot("launches-390.png")
	if wide := eval[float64](p, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("the page is %v px wide on a phone", wide)
	}
	parts := len(native.Power.Parts)
	if n := eval[int](p, `document.querySelectorAll("svg.power [data-part]").length`); n < 5 || n > parts {
		t.Errorf("%d parts of the power, natively %d", n, parts)
	}
	eval[any](p, press)
	p.wait(`document.querySelector("svg.power .span") === null`)
}

// checkLaunchRows compares the rows of the table with the launches and kernels.
func checkLaunchRows(t *testing.T, p *tab, per *experiment.PerLaunch) {
	t.Helper()
	rows := eval[[]map[string]string](p, `[...document.querySelectorAll("table.launches tbody tr")].map(r =>
		Object.fromEntries([...r.querySelectorAll("td[data-value]")].map(c => [c.dataset.column, c.dataset.value])))`)
	if len(rows) != len(per.Launches)+len(per.Kernels) || len(per.Launches) < 3 {
		t.Fatalf("%d rows for %d launches and %d kernels", len(rows), len(per.Launches), len(per.Kernels))
	}
	check := func(what string, row map[string]string, begin, cycles uint64, f *experiment.Figures) {
		want := map[string]float64{"beginCycle": float64(begin), "launchCycles": float64(cycles),
			"slotShort": float64(f.Stats["slotShort"])}
		for _, name := range []string{"ipc", "l1HitRate", "l2HitRate", "dramBytes", "bandwidthShare", "joules"} {
			want[name] = math.NaN()
			if v, ok := f.Metrics[name]; ok {
				want[name] = v
			}
		}
		for name, v := range want {
			got, err := strconv.ParseFloat(row[name], 64)
			if err != nil || got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
				t.Errorf("%s: %s is %q in the page, natively %v", what, name, row[name], v)
			}
		}
	}
	for i, l := range per.Launches {
		check(fmt.Sprint("launch ", i), rows[i], l.Begin, l.Cycles, l.Figures)
	}
	for i, k := range per.Kernels {
		check(k.Entry, rows[len(per.Launches)+i], k.Begin, k.Cycles, k.Figures)
	}
}
