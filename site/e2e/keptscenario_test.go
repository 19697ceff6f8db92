package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/serve/static"
)

// scenarioHash is the hash that the result of side B names.
func (s state) scenarioHash(t *testing.T) string {
	t.Helper()
	var r struct{ ScenarioHash string }
	if err := json.Unmarshal(s.Results["B"], &r); err != nil {
		t.Fatal(err)
	}
	return r.ScenarioHash
}

// shortLink presses Share and then the button for a short link, and answers that.
func (p *tab) shortLink() string {
	p.t.Helper()
	p.wait(`document.getElementById("tab-bursts") !== null && window.burstscopePanels !== undefined`)
	eval[any](p, `document.getElementById("share").click()`)
	p.wait(`document.getElementById("make-short") !== null`)
	// On a loaded machine the local store may not answer; the page then asks to try again.
	p.wait(`(() => {
		const made = document.getElementById("short-link").value !== "";
		if (!made) document.getElementById("make-short").click();
		return made;
	})()`)
	return eval[string](p, `document.getElementById("short-link").value`)
}

// The page opens what the site keeps, keeps what is made of it, and a short link
// brings back all of that.
func (w *edgeWorker) testPage(t *testing.T) {
	s := parsed(t, keptScenario)
	hash, _ := w.share(t, s)
	p := open(t, w.url+"/#v=1&id="+hash)
	first := p.finish()
	if len(first.Messages) > 0 || first.scenarioHash(t) != s.Hash() {
		t.Errorf("scenario %s, want %s; messages %v", first.scenarioHash(t), s.Hash(), first.Messages)
	}
	if title := eval[string](p, `document.getElementById("scenario").selectedOptions[0].textContent`); title != s.Title {
		t.Errorf("the choice says %q", title)
	}
	p.wait(`S.tab === "mag" && location.hash === "#v=1&id=` + hash + `"`)

	eval[any](p, `(() => {
		const seed = document.getElementById("knob-seed");
		seed.value = "11";
		seed.dispatchEvent(new Event("change", {bubbles: true}));
		document.getElementById("run").click();
		document.getElementById("tab-dram").click();
	})()`)
	p.wait("S.run === 2")
	second := p.finish()
	link := p.shortLink()
	if !strings.HasPrefix(link, w.url+"/s/") || !strings.Contains(link, "tab=dram") || strings.Contains(link, "seed") {
		t.Errorf("short link %q", link)
	}
	p.screenshot("short-link.png")
	if secret := eval[string](p, `document.getElementById("short-secret").value`); len(secret) != 32 {
		t.Errorf("the secret %q", secret)
	}
	q := open(t, link)
	third := q.finish()
	for side, result := range second.ResultHashes {
		if third.ResultHashes[side] != result || result == first.ResultHashes[side] {
			t.Errorf("side %s: first %s, then %s, by the short link %s", side, first.ResultHashes[side], result, third.ResultHashes[side])
		}
	}
	q.wait(`S.tab === "dram" && document.getElementById("knob-seed").value === "11" && !location.hash.includes("seed")`)
	if len(third.Messages) > 0 {
		t.Errorf("messages %v", third.Messages)
	}

	// Whoever made the link can delete it, while the dialog is open by a press.
	// On a loaded machine the local store may not answer; the page then asks to try again.
	p.wait(`(() => {
		if (document.getElementById("short-said").textContent.includes("is deleted")) return document.getElementById("short-link").value === "";
		document.getElementById("delete-short").click();
		return false;
	})()`)
	w.ask(t, "GET", strings.TrimPrefix(link, w.url), nil).refused(t, "a deleted link", 404, "check the link")

	picture := pictureScenario(t)
	hash, _ = w.share(t, picture)
	eval[any](q, `location.hash = "#v=1&id=`+hash+`"`)
	q.wait("S.run === 2")
	if got := q.finish(); got.scenarioHash(t) != picture.Hash() || len(got.Messages) > 0 {
		t.Errorf("with its image: scenario %s, want %s; messages %v", got.scenarioHash(t), picture.Hash(), got.Messages)
	}
}

// A page whose Worker has gone says so once and stays as it was.
func (w *edgeWorker) testStopped(t *testing.T) {
	s := parsed(t, keptScenario)
	hash, _ := w.share(t, s)
	p := open(t, w.url+"/#v=1&id="+hash)
	before := p.finish()
	p.wait(`window.burstscopePanels !== undefined`) // all files have come
	w.stop()
	fragment := eval[string](p, "location.hash")
	eval[any](p, `location.hash = "#v=1&id=`+strings.Repeat("0", 64)+`"`)
	p.wait("S.messages.length === 1")
	after := p.state()
	if m := after.Messages[0].String(); !strings.Contains(m, "cannot be reached") || !strings.Contains(m, "Try again") {
		t.Errorf("message %q", m)
	}
	if after.Run != before.Run || after.Phase != "done" {
		t.Errorf("the page went on to run %d, %s", after.Run, after.Phase)
	}
	if now := eval[string](p, "location.hash"); now != fragment {
		t.Errorf("the address is %s, was %s", now, fragment)
	}
}

// otherStore is the page with a store that is not the Worker.
type otherStore struct {
	*httptest.Server
	mu     sync.Mutex
	file   string // store.json
	answer http.HandlerFunc
}

func (s *otherStore) set(file string, answer http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file, s.answer = file, answer
}

func serveStore(t *testing.T) *otherStore {
	t.Helper()
	files, err := static.Handler(dist)
	if err != nil {
		t.Fatal(err)
	}
	s := &otherStore{file: `{"scenarios": "/api/scenarios"}`}
	s.Server = newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		file, answer := s.file, s.answer
		s.mu.Unlock()
		switch {
		case r.URL.Path == "/store.json":
			fmt.Fprint(w, file)
		case strings.HasPrefix(r.URL.Path, "/api/"):
			answer(w, r)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// TestStoreNotTrusted: whatever a store answers, one message says what is wrong and
// the page is as it was.
func TestStoreNotTrusted(t *testing.T) {
	t.Parallel()
	other := scenario.Default("tp").Canonical()
	wanted := addressOf(scenario.Default("vecadd").Canonical())
	garbage := []byte("<script>document.title = 'x'</script>")
	bytesOf := func(b []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(b) }
	}
	server := serveStore(t)
	store := server.file
	p := open(t, server.URL+small+"&machine.preset=mini")
	before := p.finish()
	for _, c := range []struct {
		name, file, id string
		answer         http.HandlerFunc
		want           string
	}{
		{"a site of files", `{"scenarios": ""}`, wanted, nil, "no store"},
		{"no JSON", `oops`, wanted, nil, "no store"},
		{"a store elsewhere", `{"scenarios": "https://other.example/api"}`, wanted, nil, "no store"},
		{"another scenario", store, wanted, bytesOf(other), "a different scenario from the one that the link names"},
		{"no scenario", store, addressOf(garbage), bytesOf(garbage), "The scenario of the link cannot be read"},
		{"nothing", store, wanted, bytesOf(nil), "a different scenario from the one that the link names"},
		{"an error in words", store, wanted, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"detail": "none <b>here</b>", "where": "w", "mend": "look again"}`)
		}, "none <b>here</b>. (w) Look again."},
		{"an error without", store, wanted, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, "it answered 502"},
		{"too much", store, wanted, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(17<<20))
			_, _ = w.Write(make([]byte, 17<<20))
		}, "more than"},
		{"no hash", store, "..%2f..%2fetc", nil, "64 digits"},
	} {
		server.set(c.file, c.answer)
		at := eval[string](p, `location.hash`)
		eval[any](p, `document.querySelectorAll("#messages [aria-label=Dismiss]").forEach(b => b.click())`)
		p.wait("S.messages.length === 0")
		eval[any](p, `location.hash = "#v=1&id=`+c.id+`"`)
		p.wait("S.messages.length > 0")
		after := p.state()
		if len(after.Messages) != 1 || !strings.Contains(after.Messages[0].String(), c.want) {
			t.Errorf("%s: messages %q, want one with %q", c.name, after.Messages, c.want)
		}
		if now := eval[string](p, "location.hash"); c.name != "no hash" && (after.Run != before.Run || now != at) {
			t.Errorf("%s: run %d after %d, at %s after %s", c.name, after.Run, before.Run, now, at)
		}
		if eval[int](p, `document.querySelectorAll("#messages b b, #messages script").length`) > 0 {
			t.Errorf("%s: the store's words became elements", c.name)
		}
	}
}

// TestBusyStore: a store that says when it will answer is asked again, three times in all; one that will
// not answer soon is asked once.
func TestBusyStore(t *testing.T) {
	t.Parallel()
	s := parsed(t, keptScenario)
	hash := addressOf(s.Canonical())
	server := serveStore(t)
	p := open(t, server.URL+small+"&machine.preset=mini")
	p.finish()
	for _, c := range []struct {
		after        string
		busy, asked  int32
		want, opened string
	}{
		{"60", 9, 1, "it answered 503", ""},
		{"", 9, 1, "it answered 503", ""},
		{"0", 9, 3, "it answered 503", ""},
		{"0", 2, 3, "", s.Title},
	} {
		var asked atomic.Int32
		server.set(server.file, func(w http.ResponseWriter, _ *http.Request) {
			if asked.Add(1) > c.busy {
				_, _ = w.Write(s.Canonical())
				return
			}
			if c.after != "" {
				w.Header().Set("Retry-After", c.after)
			}
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		eval[any](p, `document.querySelectorAll("#messages [aria-label=Dismiss]").forEach(b => b.click())`)
		p.wait("S.messages.length === 0")
		eval[any](p, `location.hash = "#v=1&id=`+hash+`"`)
		if c.opened != "" {
			p.wait(`document.getElementById("scenario").selectedOptions[0].textContent === ` + quote(c.opened))
		} else {
			p.wait("S.messages.length > 0")
			if m := p.state().Messages[0].String(); !strings.Contains(m, c.want) {
				t.Errorf("Retry-After %q: message %q, want %q", c.after, m, c.want)
			}
		}
		if n := asked.Load(); n != c.asked {
			t.Errorf("Retry-After %q, busy %d times: asked %d times, want %d", c.after, c.busy, n, c.asked)
		}
	}
}

// TestOwnersList: what the site's owner lists is offered once somebody reaches for
// the choice, and runs when it is chosen. A site of files offers no short link.
func TestOwnersList(t *testing.T) {
	t.Parallel()
	s := parsed(t, keptScenario)
	hash := addressOf(s.Canonical())
	asked := make(chan string, 100)
	server := serveStore(t)
	server.set(server.file, func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		if r.URL.Path == "/api/scenarios" {
			fmt.Fprintf(w, `[{"name": "dct", "title": "shipped", "hash": %q}, {"title": "Week <3>", "hash": %q}, {"title": "x", "hash": "../.."}, null, 7]`, hash, hash)
			return
		}
		_, _ = w.Write(s.Canonical())
	})
	p := open(t, server.URL+small+"&machine.preset=mini")
	p.finish()
	if len(asked) > 0 {
		t.Errorf("the page fetched %s before it was needed", <-asked)
	}
	eval[any](p, `document.getElementById("scenario").focus()`)
	p.wait(`document.querySelector("#scenario optgroup")?.label === "Kept on this site"`)
	if got := eval[string](p, `[...document.querySelectorAll("#scenario optgroup option")].map(o => o.textContent).join("|")`); got != "Week <3>" {
		t.Errorf("offered: %s", got)
	}
	eval[any](p, `(() => {
		const choice = document.getElementById("scenario");
		choice.value = "id:`+hash+`";
		choice.dispatchEvent(new Event("change", {bubbles: true}));
	})()`)
	p.wait("S.run === 2")
	if got := p.finish(); got.scenarioHash(t) != s.Hash() {
		t.Errorf("scenario %s, want %s", got.scenarioHash(t), s.Hash())
	}
}

// TestNoStore: on a host of files Share is as it is without a store, and asks for
// nothing that is not there.
func TestNoStore(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+"&machine.preset=mini")
	p.finish()
	p.wait(`window.burstscopePanels !== undefined`)
	if words := eval[string](p, `fetch("store.json").then(r => r.text())`); strings.TrimSpace(words) != `{"scenarios":""}` {
		t.Errorf("store.json: %s", words)
	}
	eval[any](p, `(() => {
		document.getElementById("scenario").focus();
		document.getElementById("share").click();
	})()`)
	p.wait(`document.getElementById("dialog").open || document.getElementById("menu-open").textContent === "Link copied"`)
	if eval[bool](p, `document.getElementById("make-short") !== null`) {
		t.Error("a short link is offered on a site that keeps no scenarios")
	}
	failed := eval[[]string](p, `performance.getEntriesByType("resource").filter(e => e.responseStatus >= 400).map(e => e.name)`)
	if len(failed) > 0 {
		t.Errorf("requests that failed: %v", failed)
	}
}
