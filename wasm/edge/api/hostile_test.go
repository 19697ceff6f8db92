package api

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

const good = `{"workload": {"name": "tp"}}`

func TestHostileBodies(t *testing.T) {
	deep := strings.Repeat("[", 100000)
	for _, c := range []struct {
		name, kind, body string
		status           int
		words            string
	}{
		{"empty", typeMsgpack, "", 400, "the input ends"},
		{"empty JSON", typeJSON, "", 400, "body:1:1"},
		{"array bomb", typeMsgpack, "\x81\xa1l\xdd\xff\xff\xff\xff", 400, "4294967295 values"},
		{"map bomb", typeMsgpack, "\xdf\xff\xff\xff\xff", 400, "byte"},
		{"deep msgpack", typeMsgpack, strings.Repeat("\x91", 1<<20), 400, "nested more than 12 deep"},
		{"deep JSON", typeJSON, deep, 400, "nested more than 12 deep"},
		{"many", typeJSON, "[" + strings.Repeat("1,", 100000) + "1]", 400, "more than 4096 values"},
		{"extension", typeMsgpack, "\x81\xa1a\xd4\x00\x00", 400, "extension"},
		{"trailing", typeMsgpack, string(scenario.Default("tp").Canonical()) + "\x00", 400, "follow the scenario"},
		{"no map", typeJSON, `"x"`, 400, "want a map"},
		{"markup", typeJSON, "<script>alert(1)</script>", 400, "where a value should be"},
		{"YAML", "application/yaml", "workload: {name: tp}", 415, "burstscope scenario pack"},
		{"a form", "application/x-www-form-urlencoded", "a=b", 415, "application/json"},
		{"plain text", "text/plain", good, 415, "application/json"},
		{"no type", "", good, 415, "application/json"},
		{"broken type", "application/json; ;;=", good, 415, "application/json"},
		{"unknown key", typeJSON, `{"workload": {"name": "tp"}, "__proto__": {}}`, 422, "no such key"},
		{"unknown program", typeJSON, `{"workload": {"name": "dctt"}}`, 422, `did you mean "dct"?`},
		{"control characters", typeJSON, `{"title": "\u0000", "workload": {"name": "tp"}}`, 422, "control character"},
		{"a title read backwards", typeJSON, `{"title": "a\u202egnp.exe", "workload": {"name": "tp"}}`, 422, "control character U+202E"},
		{"no PNG", typeJSON, `{"workload": {"name": "dct", "image": "AAAA"}}`, 422, "workload.image"},
		{"other version", typeJSON, `{"version": 99, "workload": {"name": "tp"}}`, 422, "version"},
		{"long JSON", typeJSON, strings.Repeat(" ", scenario.MaxTextBytes+1), 400, "pack large data as msgpack"},
		{"too long", typeMsgpack, strings.Repeat("\x00", MaxBodyBytes+1), 413, "at most 4194304"},
	} {
		h, m := newHandler(t)
		for _, chunked := range []bool{false, true} {
			body := io.Reader(strings.NewReader(c.body))
			if chunked {
				body = io.MultiReader(body) // its length is not announced
			}
			r := ask(h, "POST", "/api/scenarios", body, "Content-Type", c.kind)
			refused(t, fmt.Sprint(c.name, " chunked=", chunked), r, c.status, c.words)
		}
		if m.puts > 0 {
			t.Errorf("%s: something was stored", c.name)
		}
	}
}

// Every fault is reported with its path, up to a limit that a person can read.
func TestFaultsAreListed(t *testing.T) {
	h, _ := newHandler(t)
	r := ask(h, "POST", "/api/scenarios", strings.NewReader(`{"workload": {"name": "tp", "size": 3}, "memory": {"codec": "zip", "mag": 5}, "seed": -1}`), "Content-Type", typeJSON)
	p := decode[trouble](t, r)
	paths := ""
	for _, f := range p.Faults {
		paths += f.Path + " "
		if f.Mend == "" || !strings.HasPrefix(f.Where, "body:1:") {
			t.Errorf("%+v", f)
		}
	}
	if r.StatusCode != 422 || paths != "seed workload.size memory.codec memory.mag " {
		t.Errorf("%d: %s", r.StatusCode, paths)
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, `"k%d": 1, `, i)
	}
	r = ask(h, "POST", "/api/scenarios", strings.NewReader("{"+many.String()+good[1:]), "Content-Type", typeJSON)
	if p := decode[trouble](t, r); len(p.Faults) != maxFaults {
		t.Errorf("%d faults listed", len(p.Faults))
	}
}

func TestCodedBodiesRefused(t *testing.T) {
	h, _ := newHandler(t)
	for _, coding := range []string{"gzip", "br", "deflate, gzip", "GZIP"} {
		r := ask(h, "POST", "/api/scenarios", strings.NewReader(good), "Content-Type", typeJSON, "Content-Encoding", coding)
		if r.Header.Get("Accept-Encoding") != "identity" {
			t.Errorf("%s: %v", coding, r.Header)
		}
		refused(t, coding, r, http.StatusUnsupportedMediaType, "compressed")
	}
	if r := ask(h, "POST", "/api/scenarios", strings.NewReader(good), "Content-Type", typeJSON, "Content-Encoding", "identity"); r.StatusCode != http.StatusCreated {
		t.Errorf("identity: %d", r.StatusCode)
	}
}

// endless is a body without end; read counts what was taken of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

// A body is read only up to the limit. It is not read if its announced length is too
// large.
func TestBodyIsNotReadForEver(t *testing.T) {
	h, _ := newHandler(t)
	body := &endless{}
	refused(t, "endless", ask(h, "POST", "/api/scenarios", body, "Content-Type", typeMsgpack), http.StatusRequestEntityTooLarge)
	if body.read > MaxBodyBytes+1+mostDroppedBytes {
		t.Errorf("%d bytes were read", body.read)
	}
	body = &endless{}
	r := httptest.NewRequest("POST", "/api/scenarios", body)
	r.Header.Set("Content-Type", typeMsgpack)
	r.ContentLength = MaxBodyBytes + 1
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	refused(t, "announced", w.Result(), http.StatusRequestEntityTooLarge)
	if body.read > 0 {
		t.Errorf("%d bytes were read of a body that is announced as too long", body.read)
	}
	// A wrong announced length costs no memory and changes nothing.
	for _, length := range []int64{-1, 0, 1, MaxBodyBytes} {
		r := httptest.NewRequest("POST", "/api/scenarios", strings.NewReader(good))
		r.Header.Set("Content-Type", typeJSON)
		r.ContentLength = length
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusCreated && w.Code != http.StatusOK {
			t.Errorf("length %d: %d %s", length, w.Code, w.Body)
		}
	}
	broken := io.MultiReader(strings.NewReader(good[:5]), iotestError{})
	refused(t, "broken off", ask(h, "POST", "/api/scenarios", broken, "Content-Type", typeJSON), http.StatusBadRequest, "byte 5")
}

type iotestError struct{}

func (iotestError) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// perByte and fixed bound the allocation of one request: perByte bytes for each byte of
// its body, plus fixed bytes for trees of 4096 values and their messages.
const (
	perByteAllocated = 12
	fixedAllocated   = 6 << 20
)

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// The most expensive known requests stay within the bound.
func TestMemoryIsBounded(t *testing.T) {
	ptx := withProgram(strings.Repeat("x", MaxBodyBytes-4096))
	data := withProgram(emptyKernel)
	data.Workload.PTX.Args = []scenario.Arg{{Spec: "in:a", Data: make([]byte, MaxBodyBytes-4096)}}
	keys := "\xde\x07\xff" + strings.Repeat("\xd9\xff"+strings.Repeat("k", 255)+"\x00", 2047)
	for i, body := range []string{string(ptx.Canonical()), string(data.Canonical()), keys, strings.Repeat("\x91", MaxBodyBytes), strings.Repeat("\xff", MaxBodyBytes)} {
		h, _ := newHandler(t)
		var r *http.Response
		spent := allocated(func() {
			r = ask(h, "POST", "/api/scenarios", io.MultiReader(strings.NewReader(body)), "Content-Type", typeMsgpack)
		})
		limit := uint64(perByteAllocated*len(body) + fixedAllocated)
		t.Logf("body %d of %d bytes: status %d, %d bytes allocated", i, len(body), r.StatusCode, spent)
		if spent > limit {
			t.Errorf("body %d: %d bytes allocated, at most %d", i, spent, limit)
		}
		if r.StatusCode == http.StatusCreated {
			url := r.Header.Get("Location")
			spent := allocated(func() { ask(h, "GET", url, nil, "Accept", typeJSON) })
			t.Logf("  as JSON: %d bytes allocated", spent)
			if spent > limit {
				t.Errorf("body %d as JSON: %d bytes allocated, at most %d", i, spent, limit)
			}
		}
	}
}

func TestPathTricks(t *testing.T) {
	h, _ := newHandler(t)
	hash := sha(shipped(t).Canonical())
	for _, c := range []struct {
		path   string
		status int
	}{
		{"/api/scenarios/../../etc/passwd", 400}, {"/api/scenarios/%2e%2e/x", 400}, {"/api/scenarios%2f" + hash, 400},
		{"/s/..%2f..%2fx", 400}, {"/s/%00", 400}, {"//evil.example/", 400}, {"/api//scenarios", 400}, {"/s/\\\\evil.example", 400},
		{"/s/%5c%5cevil.example", 400}, {"/s/<script>", 400}, {"/s/☃", 400}, {"/s/;x", 400}, {"/" + strings.Repeat("a", 300), 414},
		{"/api/scenarios/" + hash[:63], 404}, {"/api/scenarios/" + strings.ToUpper(hash), 404}, {"/api/scenarios/" + hash + "0", 404},
		{"/api/scenarios/" + hash + "/", 404}, {"/api/scenarios/" + strings.Repeat("0", 64), 404}, {"/api/scenarios/__proto__", 404},
		{"/api/scenarios/", 404}, {"/s/", 404}, {"/s/abc", 404}, {"/s/ABCDEFABCDEF", 404}, {"/s", 404}, {"/api", 404}, {"/nothing", 404}, {"/", 404}, {"", 404},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		u, err := url.Parse(strings.ReplaceAll(c.path, "☃", "%E2%98%83"))
		if err != nil || strings.HasPrefix(c.path, "//") {
			u = &url.URL{Path: c.path}
		}
		r.URL = u
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		refused(t, c.path, w.Result(), c.status)
	}
	refused(t, "long query", ask(h, "GET", "/oembed?url="+strings.Repeat("a", 5000), nil), http.StatusRequestURITooLong)
}

func TestMethods(t *testing.T) {
	h, _ := newHandler(t)
	hash := sha(shipped(t).Canonical())
	for path, allow := range map[string]string{
		"/api/scenarios":         "GET, HEAD, POST, OPTIONS",
		"/api/scenarios/" + hash: "GET, HEAD, DELETE, OPTIONS",
		"/s/" + hash[:12]:        "GET, HEAD, OPTIONS",
		"/oembed":                "GET, HEAD, OPTIONS",
		"/store.json":            "GET, HEAD, OPTIONS",
	} {
		for _, method := range []string{"PUT", "DELETE", "PATCH", "TRACE", "QUERY", "get"} {
			if strings.Contains(allow, method) {
				continue
			}
			r := ask(h, method, path, strings.NewReader(good), "Content-Type", typeJSON)
			if r.Header.Get("Allow") != allow {
				t.Errorf("%s %s: Allow %q, want %q", method, path, r.Header.Get("Allow"), allow)
			}
			refused(t, method+" "+path, r, http.StatusMethodNotAllowed, allow)
		}
		r := ask(h, "OPTIONS", path, nil, "Origin", "https://other.example", "Access-Control-Request-Method", "GET")
		if r.StatusCode != http.StatusNoContent || r.Header.Get("Allow") != allow || r.Header.Get("Access-Control-Allow-Origin") != "*" ||
			r.Header.Get("Access-Control-Allow-Methods") != "GET, HEAD" || len(read(t, r)) != 0 {
			t.Errorf("OPTIONS %s: %d %v", path, r.StatusCode, r.Header)
		}
	}
	if !strings.Contains(ask(h, "POST", "/api/scenarios/"+hash, nil).Header.Get("Allow"), "GET") {
		t.Error("POST to a scenario")
	}
}

// Pages of other sites may read. They can neither write nor see the answer to a write.
func TestOtherOrigins(t *testing.T) {
	h, m := newHandler(t)
	url := "https://example.org/api/scenarios"
	for _, target := range []string{url, url + "/" + sha(shipped(t).Canonical()), url + "/" + strings.Repeat("0", 64)} {
		if r := ask(h, "GET", target, nil, "Origin", "https://other.example"); r.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %v", target, r.Header)
		}
	}
	for _, origin := range []string{"https://other.example", "null", "http://example.org", "https://example.org.other.example"} {
		r := ask(h, "POST", url, strings.NewReader(good), "Content-Type", typeJSON, "Origin", origin)
		if r.Header.Get("Access-Control-Allow-Origin") != "" || m.puts > 0 {
			t.Errorf("%s: %v, %d writes", origin, r.Header, m.puts)
		}
		refused(t, origin, r, http.StatusForbidden, "other sites")
	}
	refused(t, "DELETE", ask(h, "DELETE", url+"/"+strings.Repeat("0", 64), nil, "Origin", "https://other.example", "Authorization", "Bearer x"), http.StatusForbidden, "other sites")
	if r := ask(h, "POST", url, strings.NewReader(good), "Content-Type", typeJSON, "Origin", "https://example.org"); r.StatusCode != http.StatusCreated {
		t.Errorf("own origin: %d", r.StatusCode)
	}
}

func TestSecurityHeaders(t *testing.T) {
	h, _ := newHandler(t)
	for _, path := range []string{"/api/scenarios", "/s/0123456789", "/nothing", "/oembed"} {
		r := ask(h, "GET", path, nil)
		if r.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") || r.Header.Get("Cache-Control") == "" {
			t.Errorf("%s: %v", path, r.Header)
		}
	}
}

// checkAnswer checks what holds for every request.
func checkAnswer(t *testing.T, r *http.Response) {
	t.Helper()
	body := read(t, r)
	if r.StatusCode == http.StatusInternalServerError || r.StatusCode == http.StatusBadGateway || r.StatusCode == http.StatusServiceUnavailable {
		t.Fatalf("%d %s", r.StatusCode, body)
	}
	if r.StatusCode >= 400 && (r.Header.Get("Content-Type") != "application/problem+json" || len(body) > 64<<10 && r.Request == nil) {
		t.Fatalf("%d %v, %d bytes", r.StatusCode, r.Header, len(body))
	}
	if r.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Fatalf("headers %v", r.Header)
	}
	for name, values := range r.Header {
		if strings.ContainsAny(name+strings.Join(values, ""), "\r\n\x00") {
			t.Fatalf("header %q: %q", name, values)
		}
	}
	if to := r.Header.Get("Location"); to != "" && !strings.HasPrefix(to, "/#v=1&id=") && !strings.HasPrefix(to, "/api/scenarios/") {
		t.Fatalf("leads to %q", to)
	}
}

func FuzzHandler(f *testing.F) {
	hash := sha(shipped(f).Canonical())
	for _, path := range []string{"/api/scenarios", "/api/scenarios/" + hash, "/s/" + hash[:10], "/oembed", "/store.json", "/s/..%2f", "/%zz"} {
		f.Add("GET", path, "url=http%3A%2F%2Fexample.com%2Fs%2F"+hash[:10]+"&maxwidth=9", "application/json;q=0.3", `W/"x", *`, "https://other.example", []byte(nil))
	}
	f.Add("POST", "/api/scenarios", "", "*/*", "", "", []byte(good))
	f.Add("OPTIONS", "/api/scenarios", "tab=%0d", "\x00", `"`, "null", []byte{0x81})
	f.Fuzz(func(t *testing.T, method, path, query, accept, known, origin string, body []byte) {
		h, _ := newHandler(t)
		u, err := url.Parse(path)
		if err != nil {
			u = &url.URL{Path: path} // a host may hand on what Go's parser refuses
		}
		u.RawQuery = query
		r := httptest.NewRequest("GET", "/", bytes.NewReader(body))
		r.Method, r.URL = method, u
		r.Header = http.Header{"Accept": {accept}, "If-None-Match": {known}, "Origin": {origin}, "Content-Type": {accept}}
		var w *httptest.ResponseRecorder
		spent := allocated(func() {
			w = httptest.NewRecorder()
			h.ServeHTTP(w, r)
		})
		if limit := uint64(perByteAllocated*(len(body)+len(path)+len(query)+len(accept)+len(known)) + fixedAllocated); spent > limit {
			t.Fatalf("%d bytes allocated, at most %d", spent, limit)
		}
		checkAnswer(t, w.Result())
	})
}

// FuzzPost sends bodies that are nearly scenarios. An accepted scenario comes back byte by
// byte under its hash, and in its bare form under the hash that results name.
func FuzzPost(f *testing.F) {
	f.Add([]byte(good), false)
	f.Add(shipped(f).Canonical(), true)
	f.Add(scenario.Default("dct").Canonical(), true)
	f.Add([]byte(`{"workload": {"ptx": {"file": "f", "source": ".version 6.4 .target sm_70 .address_size 64 .entry k() { ret; }", "entry": "k", "grid": [2], "args": [{"spec": "u32:5"}, {"spec": "in:a", "data": "AAAA"}]}}}`), false)
	f.Add([]byte(`{"machine": {"preset": "gtx480", "overrides": {"sm.l1.ways": 8}}, "workload": {"name": "tp"}, "memory": {"codec": "bdi", "mag": 64}, "seed": 9007199254740991}`), false)
	f.Fuzz(func(t *testing.T, body []byte, packed bool) {
		h, _ := newHandler(t)
		kind := typeJSON
		if packed {
			kind = typeMsgpack
		}
		var r *http.Response
		spent := allocated(func() { r = ask(h, "POST", "/api/scenarios", bytes.NewReader(body), "Content-Type", kind) })
		if limit := uint64(perByteAllocated*len(body) + fixedAllocated); spent > limit {
			t.Fatalf("%d bytes allocated for %d, at most %d", spent, len(body), limit)
		}
		if r.StatusCode != http.StatusCreated {
			checkAnswer(t, r)
			return
		}
		got := decode[shared](t, r)
		for _, hash := range []string{got.Hash, got.ScenarioHash} {
			kept := read(t, ask(h, "GET", "/api/scenarios/"+hash, nil))
			s, err := scenario.ParseMsgpack(kept)
			if sha(kept) != hash || err != nil || s.Hash() != got.ScenarioHash || !bytes.Equal(s.Canonical(), kept) {
				t.Fatalf("%s: %v %x", hash, err, kept)
			}
			text := read(t, ask(h, "GET", "/api/scenarios/"+hash, nil, "Accept", typeJSON))
			if again, err := scenario.ParseJSON("answer", text); len(text) <= scenario.MaxTextBytes && (err != nil || sha(again.Canonical()) != hash) {
				t.Fatalf("as JSON: %v %s", err, text)
			}
		}
		if to := ask(h, "GET", got.Short, nil).Header.Get("Location"); to != got.Open {
			t.Fatalf("%s leads to %s, not %s", got.Short, to, got.Open)
		}
	})
}
