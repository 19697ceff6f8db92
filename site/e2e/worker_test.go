package e2e

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// TestWorker runs the site behind its Worker under workerd, with KV and R2, and asks
// it as programs and people do.
func TestWorker(t *testing.T) {
	t.Parallel()
	w := startWorker(t)
	t.Run("files", w.testFiles)
	t.Run("scenarios", w.testScenarios)
	t.Run("hostile", w.testHostile)
	t.Run("links", w.testLinks)
	t.Run("delete", w.testDelete)
	t.Run("page", w.testPage)
	t.Run("stopped", w.testStopped)
}

// plain follows no redirects.
var plain = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

type answer struct {
	*http.Response
	body []byte
}

// ask asks again if the request did not come to the Worker: wrangler's proxy loses a connection now and then
// on a loaded machine, and passes on only GET and HEAD once more.
func (w *edgeWorker) ask(t *testing.T, method, path string, body io.Reader, headers ...string) answer {
	t.Helper()
	var sent []byte
	if body != nil {
		var err error
		if sent, err = io.ReadAll(body); err != nil {
			t.Fatal(err)
		}
	}
	for tries := 1; ; tries++ {
		a := w.askOnce(t, method, path, sent, headers)
		if a.StatusCode != http.StatusServiceUnavailable || !bytes.Contains(a.body, []byte("restarted mid-request")) || tries == 3 {
			return a
		}
	}
}

func (w *edgeWorker) askOnce(t *testing.T, method, path string, body []byte, headers []string) answer {
	t.Helper()
	r, err := http.NewRequest(method, w.url+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := plain.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{got, data}
}

// refused checks that an answer is problem+json of a status, with words in it.
func (a answer) refused(t *testing.T, what string, status int, word string) {
	t.Helper()
	var p struct {
		Status             int
		Detail, Mend, Type string
	}
	if err := json.Unmarshal(a.body, &p); err != nil || a.StatusCode != status || p.Status != status || p.Detail == "" || p.Mend == "" ||
		a.Header.Get("Content-Type") != "application/problem+json" || !strings.Contains(string(a.body), word) {
		t.Errorf("%s: %d %s, want %d with %q", what, a.StatusCode, a.body, status, word)
	}
}

func addressOf(packed []byte) string {
	sum := sha256.Sum256(packed)
	return hex.EncodeToString(sum[:])
}

func parsed(t *testing.T, yaml string) *scenario.Scenario {
	t.Helper()
	s, err := authoring.ParseYAML("test", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// keptScenario is small and quick to run, and has all that its hash leaves out.
const keptScenario = `
title: Kept <by> the Worker
machine: {preset: mini}
workload: {name: vecadd, size: 16384}
memory: {codec: bdi}
compare: {memory: {codec: none}}
seed: 5
view: {tab: mag}
`

// pictureScenario carries its input: noise, which PNG cannot make smaller than KV is
// for.
func pictureScenario(t *testing.T) *scenario.Scenario {
	t.Helper()
	picture, random := image.NewGray(image.Rect(0, 0, 320, 256)), rand.New(rand.NewPCG(1, 2))
	for i := range picture.Pix {
		picture.Pix[i] = byte(random.Uint32())
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	s := parsed(t, "title: Noise\nmachine: {preset: mini}\nworkload: {name: dct, size: 256}\nmemory: {codec: bdi}\n")
	s.Workload.Image = file.Bytes()
	return s
}

// share posts a scenario as msgpack.
func (w *edgeWorker) share(t *testing.T, s *scenario.Scenario) (hash, short string) {
	t.Helper()
	a := w.ask(t, "POST", "/api/scenarios", bytes.NewReader(s.Canonical()), "Content-Type", "application/msgpack")
	var said struct{ Hash, ScenarioHash, Short string }
	if err := json.Unmarshal(a.body, &said); err != nil || a.StatusCode > 201 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	if said.Hash != addressOf(s.Canonical()) || said.ScenarioHash != s.Hash() || a.Header.Get("Location") != "/api/scenarios/"+said.Hash {
		t.Errorf("%s, Location %s", a.body, a.Header.Get("Location"))
	}
	return said.Hash, said.Short
}

// Files answer without the Worker's program, under their own names, and what is no
// file of the site is not there.
func (w *edgeWorker) testFiles(t *testing.T) {
	b := readBuild(t)
	for path, kind := range map[string]string{
		"/": "text/html", "/index.html": "text/html", "/v/" + b.Version + "/": "text/html",
		"/" + b.Files["engine.wasm"]: "application/wasm", "/" + b.Files["shell.js"]: "text/javascript", "/versions.json": "application/json",
	} {
		a := w.ask(t, "GET", path, nil)
		if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), kind) || len(a.body) == 0 {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.Header.Get("Content-Type"))
		}
	}
	for _, path := range []string{"/index.html.br", "/sizes.json", "/screenshots/", "/.assetsignore", "/_redirects", "/nothing"} {
		w.ask(t, "GET", path, nil).refused(t, path, 404, "nothing at this address")
	}
	if a := w.ask(t, "GET", "/store.json", nil); string(a.body) != `{"scenarios":"/api/scenarios"}` {
		t.Errorf("store.json: %s", a.body)
	}
}

func (w *edgeWorker) testScenarios(t *testing.T) {
	var index []struct{ Name, Title, Hash, ScenarioHash string }
	a := w.ask(t, "GET", "/api/scenarios", nil)
	if err := json.Unmarshal(a.body, &index); err != nil || a.StatusCode != 200 || len(index) < 5 || index[0].Name != "dct" {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	for _, e := range index {
		for _, hash := range []string{e.Hash, e.ScenarioHash} {
			if a := w.ask(t, "GET", "/api/scenarios/"+hash, nil); a.StatusCode != 200 || addressOf(a.body) != hash {
				t.Errorf("%s %s: %d, the bytes have hash %s", e.Name, hash, a.StatusCode, addressOf(a.body))
			}
		}
	}
	for store, s := range map[string]*scenario.Scenario{"kv": parsed(t, keptScenario), "r2": pictureScenario(t)} {
		hash, short := w.share(t, s)
		if again, same := w.share(t, s); again != hash || same != short {
			t.Errorf("shared twice: %s %s, %s %s", hash, short, again, same)
		}
		if !w.holds(t, store, s.Canonical()) {
			t.Errorf("%d bytes are not in %s", len(s.Canonical()), store)
		}
		path := "/api/scenarios/" + hash
		packed := w.ask(t, "GET", path, nil, "Accept", "application/msgpack")
		if !bytes.Equal(packed.body, s.Canonical()) || packed.Header.Get("Content-Type") != "application/msgpack" || !strings.Contains(packed.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d bytes of %d, %v", store, len(packed.body), len(s.Canonical()), packed.Header)
		}
		if a := w.ask(t, "GET", path, nil, "If-None-Match", packed.Header.Get("ETag")); a.StatusCode != 304 || len(a.body) != 0 {
			t.Errorf("the second time: %d", a.StatusCode)
		}
		if a := w.ask(t, "HEAD", path, nil); a.StatusCode != 200 || len(a.body) != 0 || a.Header.Get("ETag") != packed.Header.Get("ETag") {
			t.Errorf("HEAD: %d %v", a.StatusCode, a.Header)
		}
		text := w.ask(t, "GET", path, nil, "Accept", "text/html;q=0.1, application/json")
		read, err := scenario.ParseJSON("answer", text.body)
		if err != nil || !bytes.Equal(read.Canonical(), s.Canonical()) || text.Header.Get("ETag") == packed.Header.Get("ETag") {
			t.Errorf("as JSON: %v", err)
		}
		if a := w.ask(t, "GET", "/api/scenarios/"+s.Hash(), nil); addressOf(a.body) != s.Hash() {
			t.Errorf("by the hash of results: %d", a.StatusCode)
		}
	}
	if a := w.ask(t, "POST", "/api/scenarios", strings.NewReader(`{"workload": {"name": "tp"}}`), "Content-Type", "application/json"); a.StatusCode != 201 {
		t.Errorf("JSON: %d %s", a.StatusCode, a.body)
	}
}

func (w *edgeWorker) testHostile(t *testing.T) {
	for _, c := range []struct {
		name, kind, body string
		status           int
		word             string
	}{
		{"array bomb", "application/msgpack", "\x81\xa1l\xdd\xff\xff\xff\xff", 400, "4294967295"},
		{"deep", "application/msgpack", strings.Repeat("\x91", 1<<20), 400, "12 deep"},
		{"too long", "application/msgpack", strings.Repeat("\x00", 5<<20), 413, "at most"},
		{"a fault", "application/json", `{"workload": {"name": "dctt"}}`, 422, "workload.name"},
		{"YAML", "application/yaml", "workload: {name: tp}", 415, "pack"},
		{"nothing", "application/json", "", 400, "body:1:1"},
	} {
		for _, chunked := range []bool{false, true} {
			body := io.Reader(strings.NewReader(c.body))
			if chunked {
				body = io.MultiReader(body)
			}
			w.ask(t, "POST", "/api/scenarios", body, "Content-Type", c.kind).refused(t, fmt.Sprint(c.name, chunked), c.status, c.word)
		}
	}
	good := `{"workload": {"name": "tp"}}`
	w.ask(t, "POST", "/api/scenarios", strings.NewReader(good), "Content-Type", "application/json", "Content-Encoding", "gzip").refused(t, "gzip", 415, "compressed")
	w.ask(t, "POST", "/api/scenarios", strings.NewReader(good), "Content-Type", "application/json", "Origin", "https://other.example").refused(t, "origin", 403, "other sites")
	a := w.ask(t, "DELETE", "/api/scenarios", nil)
	a.refused(t, "DELETE", 405, "GET, HEAD, POST")
	if a.Header.Get("Allow") != "GET, HEAD, POST, OPTIONS" {
		t.Errorf("Allow: %s", a.Header.Get("Allow"))
	}
	for path, status := range map[string]int{
		"/api/scenarios/%2e%2e%2f%2e%2e%2fetc/passwd": 400, "/api/scenarios%2fx": 400, "/s/%00": 400, "/s/%zz": 400, "/api//scenarios": 400, "/s/..%5c": 400,
		"/api/scenarios/" + strings.Repeat("0", 64): 404, "/api/scenarios/0": 404, "/api/nothing": 404, "/s/0123456789": 404, "/" + strings.Repeat("a", 1000): 414,
	} {
		a := w.raw(t, "GET "+path+" HTTP/1.1\r\nHost: "+strings.TrimPrefix(w.url, "http://")+"\r\nConnection: close\r\n\r\n")
		a.refused(t, path, status, "mend")
	}
	// It goes on answering.
	w.share(t, parsed(t, keptScenario))
}

// raw sends a request as it stands: Go's client mends addresses.
func (w *edgeWorker) raw(t *testing.T, request string) answer {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	got, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{got, body}
}

// testDelete: the secret of the poster deletes what lies in either store, and a program
// that does not check is not kept.
func (w *edgeWorker) testDelete(t *testing.T) {
	large := pictureScenario(t)
	large.Title = "To be deleted"
	for _, s := range []*scenario.Scenario{parsed(t, "title: To be deleted\nworkload: {name: tp}\nseed: 9\n"), large} {
		a := w.ask(t, "POST", "/api/scenarios", bytes.NewReader(s.Canonical()), "Content-Type", "application/msgpack")
		var said struct{ URL, Short, Secret string }
		if err := json.Unmarshal(a.body, &said); err != nil || a.StatusCode != 201 || said.Secret == "" {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		w.ask(t, "DELETE", said.URL, nil, "Authorization", "Bearer 0").refused(t, "another secret", 403, "not the secret")
		if a := w.ask(t, "GET", said.URL, nil); a.StatusCode != 200 {
			t.Errorf("%d", a.StatusCode)
		}
		if a := w.ask(t, "DELETE", said.URL, nil, "Authorization", "Bearer "+said.Secret); a.StatusCode != 204 || len(a.body) != 0 {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
		for _, path := range []string{said.URL, said.Short} {
			w.ask(t, "GET", path, nil).refused(t, path, 404, "check the link")
		}
	}
	bad := parsed(t, "workload: {ptx: {source: hello, entry: k}}\n")
	w.ask(t, "POST", "/api/scenarios", bytes.NewReader(bad.Canonical()), "Content-Type", "application/msgpack").refused(t, "PTX", 422, "workload.ptx.source")
}

func (w *edgeWorker) testLinks(t *testing.T) {
	hash, short := w.share(t, parsed(t, keptScenario))
	a := w.ask(t, "GET", short+"?tab=dram", nil)
	if a.StatusCode != 302 || a.Header.Get("Location") != "/#v=1&id="+hash+"&tab=dram" {
		t.Errorf("%s: %d %s", short, a.StatusCode, a.Header.Get("Location"))
	}
	a = w.ask(t, "GET", "/oembed?maxwidth=500&url="+url.QueryEscape(w.url+short), nil)
	var e struct {
		Type, Version, HTML, Title string
		Width, Height              int
	}
	if err := json.Unmarshal(a.body, &e); err != nil || e.Type != "rich" || e.Version != "1.0" || e.Width != 500 || e.Height == 0 || e.Title != "Kept <by> the Worker" ||
		!strings.HasPrefix(e.HTML, `<iframe src="`+w.url+`/embed.html#v=1&amp;id=`+hash+`&amp;embed.load=visible"`) || strings.Contains(e.HTML, "<by>") {
		t.Errorf("oEmbed: %d %s", a.StatusCode, a.body)
	}
	w.ask(t, "GET", "/oembed?url=https%3A%2F%2Fother.example%2F", nil).refused(t, "oEmbed of another site", 404, "not a link of this site")
	for _, path := range []string{"/api/scenarios", "/api/scenarios/" + hash, "/api/scenarios/" + strings.Repeat("0", 64)} {
		if a := w.ask(t, "GET", path, nil, "Origin", "https://other.example"); a.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s cannot be read by others: %v", path, a.Header)
		}
	}
	a = w.ask(t, "OPTIONS", "/api/scenarios", nil, "Origin", "https://other.example", "Access-Control-Request-Method", "POST")
	if a.StatusCode != 204 || a.Header.Get("Access-Control-Allow-Methods") != "GET, HEAD" {
		t.Errorf("preflight: %d %v", a.StatusCode, a.Header)
	}
}
