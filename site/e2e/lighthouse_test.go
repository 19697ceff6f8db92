package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// What Lighthouse must say at least of a page, in hundredths.
const lighthouseLeast = 95

// bytesBeforeInteraction is what a visit may transfer until somebody does something:
// the shell, and the engine with its budget (tools/build/forms.go) as gzip, which is
// a quarter more than brotli. The view's 2.8 MB are not in it.
const bytesBeforeInteraction = 2_300_000

// startsByItselfMS is when the moving picture begins at the earliest if nobody does anything, in milliseconds since the
// visit began (site/src/page/watched.ts).
const startsByItselfMS = 8000

// report is what the test reads of a Lighthouse result.
type report struct {
	RuntimeError *struct{ Code, Message string }
	Categories   map[string]struct {
		Score     float64
		AuditRefs []struct {
			ID     string
			Weight float64
		}
	}
	Audits map[string]struct {
		Score        *float64
		Title        string
		DisplayValue string
		NumericValue float64
		Details      json.RawMessage // of another form in each audit
	}
}

// taskMost is the largest share of the page's work from the first paint on that its third longest task may be. The page
// has 0.03 to 0.05, on a quiet machine and on a busy one. One long task alone may be the browser's own, such as a collection
// of garbage; a page that draws everything that changed in one frame has many.
const taskMost = 0.1

// TestLighthouse runs Lighthouse once, as a phone with a slow network and processor.
// What depends on the speed of this machine is reported; what does not must hold:
// accessibility, best practices, that nothing shifts, what is transferred, and that the page divides its work
// into short tasks: Lighthouse takes the time that they wait for a core of a busy machine as theirs.
// TestNothingMoves holds the first view to be painted before the engine is there. The moving picture is not
// part of it, so the browser paints without a GPU: an emulated one would hold up the page for seconds. It begins by
// itself after 8 s, so no other test runs beside this one, and what a slow machine asks for from then on is left out.
func TestLighthouse(t *testing.T) {
	tool(t, "lighthouse/package.json")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: Lighthouse was not run, because node is missing")
	}
	server := serve(t)
	folder := t.TempDir()
	out := filepath.Join(folder, "report.json")
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	command := exec.CommandContext(ctx, node, "node_modules/lighthouse/cli/index.js", server.URL+"/", "--quiet", "--output=json", "--output-path="+out, "--save-assets",
		"--only-categories=performance,accessibility,best-practices",
		"--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-dev-shm-usage --disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup --user-data-dir="+filepath.Join(folder, "profile"))
	command.Env = append(os.Environ(), "CHROME_PATH="+findBrowser(t))
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("Lighthouse: %v\n%s", err, said)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.RuntimeError != nil {
		t.Fatalf("Lighthouse: %s", r.RuntimeError.Message)
	}
	for _, name := range []string{"performance", "accessibility", "best-practices"} {
		c := r.Categories[name]
		score := int(100*c.Score + 0.5)
		t.Logf("%s %d", name, score)
		if score >= lighthouseLeast || name == "performance" {
			continue
		}
		t.Errorf("%s is %d, less than %d", name, score, lighthouseLeast)
		for _, ref := range c.AuditRefs {
			if a := r.Audits[ref.ID]; ref.Weight > 0 && a.Score != nil && *a.Score < 1 {
				t.Errorf("  %s: %s", ref.ID, a.Title)
			}
		}
	}
	for _, name := range []string{"first-contentful-paint", "largest-contentful-paint", "speed-index", "total-blocking-time", "cumulative-layout-shift", "total-byte-weight"} {
		t.Logf("%s %s", name, r.Audits[name].DisplayValue)
	}
	shares := longestTasks(t, filepath.Join(folder, "report-0.trace.json"))
	t.Logf("the longest tasks are %.3f of the page's work", shares[:5])
	if shares[2] > taskMost {
		t.Errorf("the third longest task is %.3f of the page's work, more than %v: input waits for it", shares[2], taskMost)
	}
	if shift := r.Audits["cumulative-layout-shift"].NumericValue; shift > 0.001 {
		t.Errorf("the page shifts by %.3f while it starts", shift)
	}
	files := readBuild(t).Files
	var requests struct {
		Items []struct {
			URL                              string
			NetworkRequestTime, TransferSize float64 // ms since the first request, bytes
		}
	}
	if err := json.Unmarshal(r.Audits["network-requests"].Details, &requests); err != nil {
		t.Fatal(err)
	}
	if n := len(requests.Items); n == 0 {
		t.Error("Lighthouse lists no requests")
	}
	before := 0.0
	for _, request := range requests.Items {
		if request.NetworkRequestTime >= startsByItselfMS {
			t.Logf("%s after %.0f ms, when the picture begins by itself", request.URL, request.NetworkRequestTime)
			continue
		}
		before += request.TransferSize
		if request.URL == server.URL+"/"+files["view.wasm"] {
			t.Errorf("the view was loaded after %.0f ms, before anybody looked", request.NetworkRequestTime)
		}
	}
	// A build without compression (-compress=false) is for work, not for visitors.
	if _, err := os.Stat(filepath.Join(dist, files["engine.wasm"]+".br")); err != nil {
		t.Log("the build is not compressed, so its transfer size is not checked")
	} else {
		if t.Logf("%.0f bytes before the first input", before); !patched(t) {
			t.Log("the programs are not patched, so that is not enforced")
		} else if before > bytesBeforeInteraction {
			t.Errorf("%.0f bytes before the first input, more than %d", before, bytesBeforeInteraction)
		}
	}
}

// longestTasks are the tasks of the page's main thread from the first paint on, the longest first, as shares of all of
// them, by the CPU times of a trace: those are longer on a busy machine, all alike.
func longestTasks(t *testing.T, path string) []float64 {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	type event struct {
		Name     string
		Pid, Tid int
		Ts, Tdur float64 // microseconds
	}
	var trace struct{ TraceEvents []event }
	if err := json.Unmarshal(data, &trace); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(trace.TraceEvents, func(e event) bool { return e.Name == "firstContentfulPaint" })
	if i < 0 {
		t.Fatal("the trace has no first paint")
	}
	painted := trace.TraceEvents[i]
	var tasks []float64
	sum := 0.0
	for _, e := range trace.TraceEvents {
		if e.Name == "RunTask" && e.Pid == painted.Pid && e.Tid == painted.Tid && e.Ts >= painted.Ts {
			tasks = append(tasks, e.Tdur)
			sum += e.Tdur
		}
	}
	if len(tasks) < 100 {
		t.Fatalf("the trace has only %d tasks of the page", len(tasks))
	}
	slices.Sort(tasks)
	slices.Reverse(tasks)
	for i := range tasks {
		tasks[i] /= sum
	}
	return tasks
}

// patched reports whether the build has patched its programs. A Go that it does not know leaves them as linked, which
// makes the page larger (tools/build/README.md).
func patched(t *testing.T) bool {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dist, "sizes.json"))
	if err != nil {
		t.Fatal(err)
	}
	var sizes struct{ Patched bool }
	if err := json.Unmarshal(data, &sizes); err != nil {
		t.Fatal(err)
	}
	return sizes.Patched
}
