package e2e

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/tools/serve/static"
)

// bare is the simplest host there is: files below a path, and a type for each, that
// of programs being wrong. It sends no other header of its own.
func bare(prefix string) http.Handler {
	types := map[string]string{".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".svg": "image/svg+xml", ".png": "image/png", ".wasm": "text/plain"}
	return static.Under(prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		data, err := os.ReadFile(filepath.Join(dist, filepath.FromSlash(path.Clean("/"+name))))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", types[path.Ext(name)])
		_, _ = w.Write(data) // a browser that goes away is no fault
	}))
}

func host(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	server := newServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// smallDCT is the scenario of the link small, as it runs natively: hashes by side.
func smallDCT(t *testing.T) map[string]string {
	t.Helper()
	s := shippedScenarios(t)["dct"]
	s.Workload.Size = 128
	hashes := map[string]string{}
	for side, memory := range sides(s) {
		hashes[side] = nativeHash(t, s, memory)
	}
	return hashes
}

func (p *tab) checkHashes(t *testing.T, want map[string]string) {
	t.Helper()
	s := p.finish()
	for side, hash := range want {
		if hash == "" || s.ResultHashes[side] != hash {
			t.Errorf("side %s: natively %s, here %s", side, hash, s.ResultHashes[side])
		}
	}
	if len(s.Messages) > 0 {
		t.Errorf("messages: %v", s.Messages)
	}
}

// TestAnyHost: the page works below any path of a host that knows no more than
// files, in the root and as a version, and finds everything inside its folder.
func TestAnyHost(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	want := smallDCT(t)
	const prefix = "/~lab/burst scope/"
	server := host(t, bare(prefix))
	folder := strings.ReplaceAll(prefix, " ", "%20")
	build := readBuild(t)
	for _, document := range []string{"", "v/" + build.Version + "/"} {
		t.Run("/"+document, func(t *testing.T) {
			p, asked := watch(t)
			p.do(chromedp.Navigate(server.URL + folder + document + small[1:]))
			p.checkHashes(t, want)
			p.look()
			p.wait("S.view.ready && S.picture === 'moving'")
			eval[any](p, `document.getElementById("to-lab").click()`)
			p.wait(`S.lab.open && document.querySelector("#lab .labdrop") !== null`)
			for _, url := range asked.outside() {
				if !strings.HasPrefix(url, server.URL+folder) {
					t.Errorf("asked for %s", url)
				}
			}
			if faults := asked.complained(); len(faults) > 0 {
				t.Errorf("the console says %v", faults)
			}
		})
	}
}

// withHeaders serves dist as hosts do that read _headers.
func withHeaders(t *testing.T) http.Handler {
	t.Helper()
	file, err := os.Open(filepath.Join(dist, "_headers"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	type rule struct {
		pattern string
		headers [][2]string
	}
	var rules []rule
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, ok := strings.Cut(strings.TrimSpace(lines.Text()), ": "); ok && strings.HasPrefix(lines.Text(), " ") {
			last := &rules[len(rules)-1]
			last.headers = append(last.headers, [2]string{name, value})
		} else {
			rules = append(rules, rule{pattern: lines.Text()})
		}
	}
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := headerWriter{w, http.Header{}}
		for _, rule := range rules {
			if matches(rule.pattern, r.URL.Path) {
				for _, h := range rule.headers {
					given.own.Set(h[0], h[1])
				}
			}
		}
		files.ServeHTTP(given, r)
	})
}

// headerWriter sets headers over those of the handler inside.
type headerWriter struct {
	http.ResponseWriter
	own http.Header
}

func (h headerWriter) WriteHeader(status int) {
	for name, values := range h.own {
		h.Header()[name] = values
	}
	h.ResponseWriter.WriteHeader(status)
}

// matches tells whether a pattern of _headers is for a path: :NAME is one segment,
// * at the end is the rest.
func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	for i, part := range want {
		switch {
		case part == "*" && i == len(want)-1:
			return len(got) >= len(want)
		case i >= len(got) || part != got[i] && !strings.HasPrefix(part, ":"):
			return false
		}
	}
	return len(want) == len(got)
}

// TestHeaders: under the policy of _headers all parts of the page work, and what
// has a hash in its name is kept for good.
func TestHeaders(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := host(t, withHeaders(t))
	build := readBuild(t)
	for name, want := range map[string]map[string]string{
		"":                         {"Content-Security-Policy": "default-src 'none'", "Cache-Control": "no-cache"},
		"index.html":               {"Content-Security-Policy": "default-src 'none'"},
		"sw.js":                    {"Cache-Control": "no-cache", "Content-Type": "text/javascript"},
		"burstscope.html":          {"Content-Security-Policy": "", "X-Content-Type-Options": "nosniff"},
		build.Files["engine.wasm"]: {"Content-Type": "application/wasm", "Cache-Control": "immutable"},
		build.Files["view.html"]:   {"Content-Type": "text/html", "Cache-Control": "immutable", "Access-Control-Allow-Origin": "*"},
	} {
		response, err := http.Get(server.URL + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		for header, part := range want {
			if got := response.Header.Get(header); response.StatusCode != http.StatusOK || !strings.Contains(got, part) || part == "" && got != "" {
				t.Errorf("/%s: %d, %s: %q, want %q", name, response.StatusCode, header, got, part)
			}
		}
	}
	p, asked := watch(t)
	p.do(chromedp.Navigate(server.URL + small))
	p.finish()
	p.look()
	p.wait("S.view.ready && S.picture === 'moving' && S.view.burstsDrawn > 0")
	for _, tab := range []string{"address", "mag", "dram", "output", "source"} {
		eval[any](p, `document.getElementById("tab-`+tab+`").click()`)
		p.wait("S.tab === '" + tab + "'")
	}
	eval[any](p, `document.getElementById("to-lab").click()`)
	p.wait(`S.lab.open && document.querySelector("#lab .labdrop") !== null`)
	if faults := asked.complained(); len(faults) > 0 {
		t.Errorf("the console says %v", faults)
	}
}

// TestHostileLinks: whatever a fragment holds, one message says what was wrong,
// nothing of it is executed, and the page runs.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	server := serve(t)
	const megabyte = 1 << 20
	p := open(t, server.URL+"/#"+strings.Repeat("a=b&", megabyte/4))
	s := p.finish()
	if len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "1,048,576 characters") {
		t.Errorf("opened with a megabyte: %.1000v", s.Messages)
	}
	p.screenshot("megabytelink.png")
	for _, c := range []struct{ name, fragment, want string }{
		{"no pairs", "#/app/route", "is not key=value"},
		{"foreign", "#access_token=x&state=y", "is unknown and was ignored"},
		{"markup", "#v=1&s=<img src=x onerror=window.hit=1>&tab=%3Cscript%3Ewindow.hit=1%3C/script%3E", "there is no scenario"},
		{"a megabyte of one value", "#v=1&s=" + strings.Repeat("A", megabyte), "1,048,582 characters"},
		{"many faults", "#v=1&" + strings.Repeat("%zz&", 5000), "more like these"},
		{"version of no form", "#v=1&version=../../evil", "use a version such as"},
		{"prototype", "#v=1&__proto__=1&constructor=2", "is unknown and was ignored"},
		{"cut off", "#v=1&workload.size=128&seed=%E0%A4", "is cut off"},
	} {
		eval[any](p, "location.hash = "+quote(c.fragment))
		p.wait(fmt.Sprintf("S.messages.length === 1 && (S.messages[0].what + S.messages[0].where).includes(%s)", quote(c.want)))
		if said := p.state().Messages[0].String(); len(said) > 2000 {
			t.Errorf("%s: a message of %d characters", c.name, len(said))
		}
		if eval[bool](p, "window.hit !== undefined || document.querySelector('#messages img, #messages script') !== null") {
			t.Errorf("%s: something of the link was executed", c.name)
		}
	}
	// The usable part of the last one was used.
	p.wait(`S.run === 2 && document.getElementById("knob-size").value === "128"`)
	p.finish()
}

// TestOtherVersions: a link of another version leads there with all it says, if the
// site has that version; otherwise it is shown, and one message says so.
func TestOtherVersions(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	server := host(t, static.Under("/site/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/versions.json":
			_, _ = fmt.Fprintf(w, `{"newest": %q, "versions": [%q, "0.0.7"]}`, readBuild(t).Version, readBuild(t).Version)
		case "/v/0.0.7/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, "<title>seven</title>")
		default:
			files.ServeHTTP(w, r)
		}
	})))
	link := server.URL + "/site" + small
	p := open(t, link+"&version=0.0.7")
	poll(p, "document.title === 'seven'")
	if at := eval[string](p, "location.href"); at != server.URL+"/site/v/0.0.7/"+small[1:]+"&version=0.0.7" {
		t.Errorf("led to %s", at)
	}
	p = open(t, link+"&version=0.0.8")
	s := p.finish()
	if len(s.Messages) != 1 || !strings.Contains(s.Messages[0].String(), "version 0.0.8") {
		t.Errorf("messages: %v", s.Messages)
	}
	if size := eval[string](p, `document.getElementById("knob-size").value`); size != "128" {
		t.Errorf("the rest of the link was dropped: size %s", size)
	}
	p.screenshot("otherversion.png")
	// The page's own links name its version and are at home here.
	own := readBuild(t).Version
	eval[any](p, `(() => { navigator.clipboard.writeText = s => { window.copied = s; return Promise.resolve(); }; document.getElementById("share").click(); })()`)
	poll(p, "window.copied !== undefined")
	shared := eval[string](p, "window.copied")
	if !strings.HasSuffix(shared, "&version="+own) {
		t.Errorf("the shared link is %s", shared)
	}
	if here := eval[string](p, "location.hash"); strings.Contains(here, "version=") {
		t.Errorf("the address bar says %s, so a later version would not open it", here)
	}
	if s := open(t, shared).finish(); len(s.Messages) > 0 {
		t.Errorf("messages of its own link: %v", s.Messages)
	}
}

// poll is becomes for what a test cannot go on without.
func poll(p *tab, expression string) {
	p.t.Helper()
	if err := becomes(p, expression); err != nil {
		p.t.Fatalf("waiting for %s: %v", expression, err)
	}
}

// becomes waits for an expression, or the promise it is, to become true on any page,
// ours or not, also one that is being replaced.
func becomes(p *tab, expression string) error {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	var err error
	for ctx.Err() == nil {
		var met bool
		if met, err = chromedp.Run(ctx, chromedp.Evaluate[bool]("Promise.resolve("+expression+").then(Boolean)", chromedp.EvalAwaitPromise)); met {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	return cmp.Or(err, ctx.Err())
}

// TestABuiltTreeIsListed: a build puts C and Go files into its folder. The module leaves that folder out. With it,
// ./build.sh test would fail after ./build.sh serve.
func TestABuiltTreeIsListed(t *testing.T) {
	t.Parallel()
	list := exec.Command("go", "list", "./...")
	list.Dir = filepath.Dir(dist)
	out, err := list.CombinedOutput()
	if err != nil || strings.Contains(string(out), "/dist") {
		t.Errorf("go list ./... after a build: %v\n%s", err, out)
	}
}
