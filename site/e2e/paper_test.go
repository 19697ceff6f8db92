package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var programFolder string // that of the command line tool; TestMain removes it

// builtProgram builds the command line tool, once for all tests, without a profile: its packages are then those of the
// native tests.
var builtProgram = sync.OnceValues(func() (program string, err error) {
	if programFolder, err = os.MkdirTemp("", "burstscope-program"); err != nil {
		return "", err
	}
	program = filepath.Join(programFolder, "burstscope")
	if out, err := exec.Command("go", "build", "-pgo=off", "-o", program, "../../tools/burstscope").CombinedOutput(); err != nil {
		return program, fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

// nativeProgram is the path of the command line tool.
func nativeProgram(t *testing.T) string {
	t.Helper()
	program, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// paperFolder makes a paper's folder and its page with the commands of the template's README and nothing else.
// It returns the program and the folder.
func paperFolder(t *testing.T) (program, dir string) {
	t.Helper()
	at := t.TempDir()
	program = nativeProgram(t)
	readme, err := os.ReadFile(filepath.Join(root, "assets/papers/template/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^burstscope (.*?)(?:  +#.*)?$`).FindAllStringSubmatch(string(readme), -1)
	if len(commands) != 3 {
		t.Fatalf("the README lists %q", commands)
	}
	for _, c := range commands {
		words := strings.Fields(strings.NewReplacer("NAME", "MINE", "FOLDER", "mine").Replace(c[1]))
		runIn(t, at, program, words...)
	}
	return program, filepath.Join(at, "mine")
}

func runIn(t *testing.T, dir, program string, words ...string) {
	t.Helper()
	cmd := exec.Command(program, words...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
}

// TestCompanionPageOfAPaper: the page that the template's README leads to opens from a disk and asks for nothing
// but its own files. It shows the paper's numbers beside those here, and everyone can read it. With the address of a
// site its embedded scenario runs in it, to the bits of the site.
func TestCompanionPageOfAPaper(t *testing.T) {
	t.Parallel()
	axe := tool(t, "axe-core/axe.min.js")
	program, dir := paperFolder(t)
	for _, screen := range []struct {
		name string
		size chromedp.Action[chromedp.Void]
	}{{"desktop", chromedp.EmulateViewport(1440, 900)}, {"phone", phone}} {
		heard := &quiet{home: "file://" + dir}
		p := open(t, "file://"+filepath.Join(dir, "page", "index.html"), heard.listen(), screen.size)
		rows := eval[map[string][]string](p, `Object.fromEntries([...document.querySelectorAll(".claims tbody tr")].map(r => [r.cells[0].innerText, [...r.cells].slice(2).map(c => c.innerText)]))`)
		if got := fmt.Sprint(rows["MINE-02"]); got != "[holds 1.032 x 1.05 x within 2x]" || len(rows) != 3 {
			t.Errorf("%s: the claims are %v", screen.name, rows)
		}
		if got := eval[string](p, `document.querySelector(".claim").innerText`); !strings.Contains(got, "Holds: here 1.032 x, paper 1.05 x") {
			t.Errorf("%s: the claim in the text says %q", screen.name, got)
		}
		if !eval[bool](p, `(i => i.complete && i.naturalWidth > 0)(document.querySelector("figure img"))`) {
			t.Errorf("%s: the figure does not show", screen.name)
		}
		// The words of the drawing are 12 units high; they must not shrink with the screen.
		if width := eval[float64](p, `document.querySelector("figure img").getBoundingClientRect().width`); width < 960 {
			t.Errorf("%s: the drawing is %v px wide", screen.name, width)
		}
		eval[any](p, axe+"; document.querySelector('details').open = true; 0")
		p.audit(map[string]bool{}, "paper, "+screen.name, "", []string{"light", "dark"}, screen.name == "phone")
		for _, f := range heard.faults() {
			t.Errorf("%s: the page %s", screen.name, f)
		}
	}

	site := serveCounted(t, false)
	runIn(t, filepath.Dir(dir), program, "paper", "page", "mine", "--site", site.URL)
	files := http.FileServer(http.Dir(filepath.Join(dir, "page")))
	var asked atomic.Int32
	host := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/asked" {
			asked.Add(1)
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(host.Close)
	p := openWatched(t, host.URL+"/")
	eval[any](p, hostScript+"\n;0")
	table := eval[[]string](p, `[...document.querySelectorAll("burst-scope table tr:last-child td")].map(c => c.innerText)`)
	eval[any](p, `document.querySelector("burst-scope").scrollIntoView({block: "center"})`)
	p.screenshot("paper-embed-before.png")
	p.do(chromedp.MouseClickXY(box(p, "burst-scope").middle()))
	eval[bool](p, `until(() => heard.some((m) => m.type === "ready" && m.live))`)
	state := untilDone(p, frameIn)
	if len(table) != 2 || state.Scenario != "tp" || !strings.HasPrefix(state.ResultHashes["A"], table[0]) || !strings.HasPrefix(state.ResultHashes["B"], table[1]) {
		t.Errorf("the run of the embed is %+v, the table beside it says %v", state, table)
	}
	p.screenshot("paper-embed-live.png")

	// Whatever a text holds, nothing of it runs, and the page asks no other host.
	index := filepath.Join(dir, "page", "index.html")
	text, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(host.URL, "127.0.0.1", "localhost", 1)
	evil := `<script>window.ran = "script"</script><img src="x:" onerror="window.ran = 'handler'"><a id="run" href="javascript:window.ran = 'link'">x</a>` +
		`<img src="` + other + `/asked"><iframe src="` + other + `/asked"></iframe><link rel="stylesheet" href="` + other + `/asked"></main>`
	if err := os.WriteFile(index, []byte(strings.Replace(string(text), "</main>", evil, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	q := open(t, host.URL+"/") // whose console says what the policy stops
	eval[any](q, `document.getElementById("run").click()`)
	time.Sleep(300 * time.Millisecond)
	if ran := eval[string](q, `String(window.ran)`); ran != "undefined" || asked.Load() > 0 {
		t.Errorf("ran %s, %d requests to another host", ran, asked.Load())
	}
}
