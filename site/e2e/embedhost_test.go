package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/burstscope/burstscope/tools/serve/static"
)

// counted is a server of the built page that knows what was asked of it, and how
// much it gave, uncompressed.
type counted struct {
	*httptest.Server
	mu    sync.Mutex
	given map[string]int
}

// serveCounted serves the site for embeds; with bare, as hosts do that set no
// headers of their own.
func serveCounted(t *testing.T, bare bool) *counted {
	t.Helper()
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	s := &counted{given: map[string]int{}}
	rules := policies(t)
	s.Server = newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding")
		if rule := rules[r.URL.Path]; rule != "" && !bare {
			w.Header().Set("Content-Security-Policy", rule)
		}
		files.ServeHTTP(&countingWriter{ResponseWriter: w, site: s, path: r.URL.Path, bare: bare}, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// policies are the policies of dist/_headers, by path.
func policies(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dist, "_headers"))
	if err != nil {
		t.Fatal(err)
	}
	rules, path := map[string]string{}, ""
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, " ") {
			path = strings.TrimSpace(line)
		} else if value, ok := strings.CutPrefix(strings.TrimSpace(line), "Content-Security-Policy: "); ok {
			rules[path] = value
		}
	}
	if rules["/embed.html"] == "" {
		t.Fatal("_headers has no policy for embed.html")
	}
	return rules
}

type countingWriter struct {
	http.ResponseWriter
	site *counted
	path string
	bare bool
}

func (w *countingWriter) WriteHeader(code int) {
	if w.bare {
		w.Header().Del("Access-Control-Allow-Origin")
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *countingWriter) Write(data []byte) (int, error) {
	w.site.mu.Lock()
	w.site.given[w.path] += len(data)
	w.site.mu.Unlock()
	return w.ResponseWriter.Write(data)
}

// total is what was given so far, of files whose path holds one of the words.
func (s *counted) total(words ...string) (bytes int, paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, n := range s.given {
		for _, word := range words {
			if strings.Contains(path, word) {
				bytes += n
				paths = append(paths, fmt.Sprintf("%s %d", path, n))
				break
			}
		}
	}
	return bytes, paths
}

// hostScript is what the pages around the embeds use.
const hostScript = `
window.heard = [];
addEventListener("message", (e) => { if (e.data && e.data.burstscope) heard.push({origin: e.origin, ...e.data}); });
let last = 0;
// ask sends a message to a frame and waits for its answer.
window.ask = (frame, m) => new Promise((resolve, reject) => {
  const id = "t" + ++last;
  const listen = (e) => { if (e.source === frame.contentWindow && e.data.id === id) { removeEventListener("message", listen); resolve(e.data); } };
  addEventListener("message", listen);
  setTimeout(() => reject(new Error("no answer to " + m?.type)), 60000);
  frame.contentWindow.postMessage({burstscope: 1, id, ...m}, "*");
});
window.until = (f) => new Promise((resolve) => { const look = async () => { const v = await f(); v ? resolve(v) : setTimeout(look, 50); }; look(); });
window.keys = [];
addEventListener("keydown", (e) => keys.push(e.key));
`

// hostOf serves pages of somebody else, each under a policy; POLICY's SITE is the
// origin of the site.
func hostOf(t *testing.T, site string, policy string, pages map[string]string) *httptest.Server {
	t.Helper()
	s := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		switch {
		case r.URL.Path == "/host.js":
			w.Header().Set("Content-Type", "text/javascript")
			page = hostScript
		case r.URL.Path == "/favicon.ico":
			w.WriteHeader(http.StatusNoContent)
			return
		case !ok:
			http.NotFound(w, r)
			return
		case strings.HasSuffix(r.URL.Path, ".svg"):
			w.Header().Set("Content-Type", "image/svg+xml")
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			if policy != "" {
				w.Header().Set("Content-Security-Policy", strings.ReplaceAll(policy, "SITE", site))
			}
		}
		_, _ = io.WriteString(w, strings.ReplaceAll(page, "SITE", site))
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

const strictPolicy = "default-src 'self'; frame-src SITE; script-src 'self' SITE"

// hostPage is a page with tall empty space above and below what it holds.
func hostPage(body string) string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><script src="/host.js"></script></head><body>` + body + `</body></html>`
}

// openWatched opens a page and fails the test at its end if anything was written to
// the console as an error, but for what may contain allowed.
func openWatched(t *testing.T, url string, allowed ...string) *tab {
	t.Helper()
	p := open(t, "about:blank")
	var mu sync.Mutex
	var errors []string
	note := func(text string) {
		for _, a := range allowed {
			if strings.Contains(text, a) {
				return
			}
		}
		mu.Lock()
		defer mu.Unlock()
		errors = append(errors, text)
	}
	if err := chromedp.Listen(p.ctx, func(event any) {
		switch e := event.(type) {
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				note(e.Entry.Text + " " + e.Entry.URL)
			}
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError {
				note(fmt.Sprint(e.Args))
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	p.do(command(log.Enable, cdp.Empty{}))
	p.do(chromedp.Navigate(url))
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range errors {
			t.Errorf("console: %s", e)
		}
	})
	return p
}

// box is where an element stands in the window.
func box(p *tab, selector string) rectangle {
	p.t.Helper()
	return eval[rectangle](p, fmt.Sprintf(`(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector(%q).getBoundingClientRect())`, selector))
}

func (r rectangle) middle() (x, y float64) { return r.X + r.Width/2, r.Y + r.Height/2 }

// wheel turns the wheel at a place. The protocol wants both deltas, and zero is left out.
func wheel(x, y, by float64) chromedp.Action[chromedp.Void] {
	return command(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: 1e-3, DeltaY: by})
}

// answerOf is what an embed said.
type answerOf struct {
	Type, What, Where, Mend, Origin string
	Format, Mime, Name, Data        string
	Live                            bool
	API                             []int
	State                           embedState
}

type embedState struct {
	Phase, Fragment, Scenario, Tab, Side, Theme, Headline string
	Entered, Playing                                      bool
	Cycle, Cycles, Speed                                  float64
	ResultHashes                                          map[string]string
}

func ask(p *tab, message string) answerOf {
	p.t.Helper()
	return askFrame(p, `document.querySelector("iframe")`, message)
}

func askFrame(p *tab, frame, message string) answerOf {
	p.t.Helper()
	var a answerOf
	data := eval[string](p, fmt.Sprintf(`ask(%s, %s).then(JSON.stringify)`, frame, message))
	if err := json.Unmarshal([]byte(data), &a); err != nil {
		p.t.Fatal(err)
	}
	return a
}

// untilDone waits until the embed's run is over.
func untilDone(p *tab, frame string) embedState {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`until(async () => ["done", "error", "cancelled"].includes((await ask(%s, {type: "getState"})).state.phase))`, frame))
	return askFrame(p, frame, `{type: "getState"}`).State
}
