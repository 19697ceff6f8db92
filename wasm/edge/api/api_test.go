package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

// memory is a store in memory; refuse makes every call fail, afterPut runs after each
// write.
type memory struct {
	items    map[string]Item
	refuse   error
	puts     int
	afterPut func(key string)
}

func (m *memory) Get(key string) (Item, error) {
	if m.refuse != nil {
		return Item{}, m.refuse
	}
	item, ok := m.items[key]
	if !ok {
		return Item{}, ErrAbsent
	}
	return item, nil
}

func (m *memory) Put(key string, item Item) error {
	if m.refuse != nil {
		return m.refuse
	}
	m.puts++
	item.Value = bytes.Clone(item.Value)
	m.items[key] = item
	if m.afterPut != nil {
		m.afterPut(key)
	}
	return nil
}

func (m *memory) Delete(key string) error {
	if m.refuse != nil {
		return m.refuse
	}
	delete(m.items, key)
	return nil
}

func emptyStore() *memory { return &memory{items: map[string]Item{}} }

func textItem(text string) Item { return Item{Value: []byte(text)} }

// emptyKernel is a valid program with one parameter.
const emptyKernel = ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\tret;\n}\n"

func withProgram(source string) *scenario.Scenario {
	s := scenario.Default("")
	s.Workload = scenario.Workload{PTX: &scenario.PTX{Source: source, Entry: "k", Grid: []int{1}, Block: []int{32}, Repeat: 1, Base: 0xc0000000}}
	return s
}

// shipped is a scenario with everything that the bare form leaves out.
func shipped(t testing.TB) *scenario.Scenario {
	t.Helper()
	s, err := scenario.ParseJSON("test", []byte(`{"title": "Two <schemes>", "notes": "n", "workload": {"name": "dct", "size": 256},
		"memory": {"codec": "e2mc16", "approximation": "tslc-opt"}, "compare": {"memory": {"codec": "bdi"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newHandler(t testing.TB) (*Handler, *memory) {
	t.Helper()
	m := emptyStore()
	return &Handler{Store: m, Shipped: []Shipped{{"dct", shipped(t).Canonical()}}}, m
}

// ask sends a request; headers come as name, value, name, value.
func ask(h http.Handler, method, target string, body io.Reader, headers ...string) *http.Response {
	r := httptest.NewRequest(method, target, body)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func read(t *testing.T, r *http.Response) []byte {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decode[T any](t *testing.T, r *http.Response) T {
	t.Helper()
	var v T
	if b := read(t, r); json.Unmarshal(b, &v) != nil {
		t.Fatalf("no JSON: %q", b)
	}
	return v
}

// refused checks that an answer is problem+json with the given status and words.
func refused(t *testing.T, what string, r *http.Response, status int, words ...string) {
	t.Helper()
	p := decode[trouble](t, r)
	text := p.Detail + " | " + p.Where + " | " + p.Mend
	if r.StatusCode != status || p.Status != status || p.Title != http.StatusText(status) || p.Type != "about:blank" || p.Detail == "" || p.Mend == "" {
		t.Errorf("%s: status %d, want %d: %+v", what, r.StatusCode, status, p)
	}
	if kind := r.Header.Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("%s: type %s", what, kind)
	}
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%s: %q is not in %s", what, word, text)
		}
	}
}

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// post shares a scenario and checks the answer.
func post(t *testing.T, h http.Handler, status int, kind string, body []byte) shared {
	t.Helper()
	r := ask(h, "POST", "/api/scenarios", bytes.NewReader(body), "Content-Type", kind)
	if r.StatusCode != status {
		t.Fatalf("status %d: %s", r.StatusCode, read(t, r))
	}
	got := decode[shared](t, r)
	if r.Header.Get("Location") != got.URL || got.URL != "/api/scenarios/"+got.Hash || !strings.HasPrefix(got.Hash, strings.TrimPrefix(got.Short, "/s/")) {
		t.Errorf("location %s of %+v", r.Header.Get("Location"), got)
	}
	return got
}

// A shared scenario comes back byte by byte under the hash of its bytes, as msgpack and
// as JSON, in its whole form and its bare form.
func TestShareAndRead(t *testing.T) {
	s := shipped(t)
	s.Seed = 7
	for _, kind := range []string{"application/msgpack", "application/vnd.msgpack", "application/x-msgpack; v=1", "application/json", "application/json; charset=utf-8"} {
		h, m := newHandler(t)
		body := s.Canonical()
		if strings.HasPrefix(kind, "application/json") {
			body = jsonBody(s)
		}
		got := post(t, h, http.StatusCreated, kind, body)
		if got.Hash != sha(s.Canonical()) || got.ScenarioHash != s.Hash() || got.Hash == got.ScenarioHash || got.Bytes != len(s.Canonical()) {
			t.Fatalf("%s: %+v", kind, got)
		}
		puts := m.puts
		if len(got.Secret) != 2*secretBytes {
			t.Errorf("%s: secret %q", kind, got.Secret)
		}
		got.Secret = ""
		if again := post(t, h, http.StatusOK, kind, body); again != got || m.puts != puts {
			t.Errorf("%s: the second time %+v with %d writes", kind, again, m.puts-puts)
		}
		r := ask(h, "GET", got.URL, nil)
		if packed := read(t, r); !bytes.Equal(packed, s.Canonical()) || r.Header.Get("Content-Type") != "application/msgpack" {
			t.Errorf("%s: %s %x", kind, r.Header.Get("Content-Type"), packed)
		}
		if c := r.Header.Get("Cache-Control"); !strings.Contains(c, "immutable") || r.Header.Get("Vary") != "Accept" {
			t.Errorf("cache %q vary %q", c, r.Header.Get("Vary"))
		}
		bare := read(t, ask(h, "GET", "/api/scenarios/"+got.ScenarioHash, nil))
		if sha(bare) != got.ScenarioHash {
			t.Errorf("the bare form has hash %s, want %s", sha(bare), got.ScenarioHash)
		}
		if parsed, err := scenario.ParseMsgpack(bare); err != nil || parsed.Hash() != s.Hash() || parsed.Title != "" {
			t.Errorf("the bare form: %v", err)
		}
		text := read(t, ask(h, "GET", got.URL, nil, "Accept", "application/json"))
		parsed, err := scenario.ParseJSON("answer", text)
		if err != nil || !bytes.Equal(parsed.Canonical(), s.Canonical()) {
			t.Errorf("as JSON: %v %s", err, text)
		}
	}
}

// A bare scenario has only one hash, and omitted defaults do not change it.
func TestBareScenario(t *testing.T) {
	h, _ := newHandler(t)
	got := post(t, h, http.StatusCreated, "application/json", []byte(`{"version": 3, "workload": {"name": "tp"}}`))
	if want := scenario.Default("tp").Hash(); got.Hash != want || got.ScenarioHash != want {
		t.Errorf("%+v, want %s", got, want)
	}
}

func TestConditionalAndHead(t *testing.T) {
	h, _ := newHandler(t)
	url := "/api/scenarios/" + sha(shipped(t).Canonical())
	for _, target := range []string{url, "/api/scenarios"} {
		for _, accept := range []string{"application/msgpack", "application/json"} {
			full := ask(h, "GET", target, nil, "Accept", accept)
			tag := full.Header.Get("ETag")
			if full.StatusCode != 200 || len(tag) < 10 || len(read(t, full)) == 0 {
				t.Fatalf("%s: %d, tag %s", target, full.StatusCode, tag)
			}
			for _, known := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
				r := ask(h, "GET", target, nil, "Accept", accept, "If-None-Match", known)
				if r.StatusCode != http.StatusNotModified || len(read(t, r)) != 0 || r.Header.Get("ETag") != tag || r.Header.Get("Cache-Control") != full.Header.Get("Cache-Control") {
					t.Errorf("%s, If-None-Match %s: %d %v", target, known, r.StatusCode, r.Header)
				}
			}
			if r := ask(h, "GET", target, nil, "Accept", accept, "If-None-Match", `"other"`); r.StatusCode != 200 {
				t.Errorf("%s: %d for another tag", target, r.StatusCode)
			}
			head := ask(h, "HEAD", target, nil, "Accept", accept)
			if head.StatusCode != 200 || len(read(t, head)) != 0 || head.Header.Get("ETag") != tag || head.Header.Get("Content-Type") != full.Header.Get("Content-Type") {
				t.Errorf("HEAD %s: %d %v", target, head.StatusCode, head.Header)
			}
		}
	}
	packed, text := ask(h, "HEAD", url, nil).Header.Get("ETag"), ask(h, "HEAD", url, nil, "Accept", "application/json").Header.Get("ETag")
	if packed == text {
		t.Errorf("two forms have one tag, %s", packed)
	}
}

func TestAccept(t *testing.T) {
	for _, c := range []struct{ accept, want string }{
		{"", typeMsgpack}, {"*/*", typeMsgpack}, {"application/*", typeMsgpack},
		{"application/json", typeJSON}, {"application/JSON", typeJSON}, {"application/json, */*;q=0.1", typeJSON},
		{"application/msgpack;q=0.2, application/json;q=0.3", typeJSON},
		{"application/vnd.msgpack", typeMsgpack}, {"application/json;q=0, */*", typeMsgpack},
		{"*/*;q=0.5, application/msgpack;q=0.1", typeMsgpack}, // vnd.msgpack has 0.5
		{"text/html, application/xhtml+xml, */*;q=0.8", typeMsgpack},
		{"text/html", ""}, {"application/json;q=0", ""}, {"application/json;q=2", ""}, {"image/*", ""}, {";;;,,,", ""},
	} {
		if got := chooseType(c.accept); got != c.want {
			t.Errorf("Accept: %s: %q, want %q", c.accept, got, c.want)
		}
	}
	h, _ := newHandler(t)
	refused(t, "Accept: text/html", ask(h, "GET", "/api/scenarios/"+sha(shipped(t).Canonical()), nil, "Accept", "text/html"), http.StatusNotAcceptable, "application/json")
}

// The index holds the scenarios that the site ships and that its owner lists. It does
// not hold those that visitors shared.
func TestIndex(t *testing.T) {
	h, m := newHandler(t)
	mine := post(t, h, http.StatusCreated, "application/json", []byte(`{"title": "Mine", "workload": {"name": "tp"}}`))
	index := func() []entry {
		r := ask(h, "GET", "/api/scenarios", nil)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != "application/json" {
			t.Fatalf("%d %v", r.StatusCode, r.Header)
		}
		return decode[[]entry](t, r)
	}
	list := index()
	if len(list) != 1 || list[0].Name != "dct" || list[0].Title != "Two <schemes>" || list[0].Scenario == nil || list[0].Scenario.Compare == nil {
		t.Fatalf("%+v", list)
	}
	for _, hash := range []string{list[0].Hash, list[0].ScenarioHash} {
		if packed := read(t, ask(h, "GET", "/api/scenarios/"+hash, nil)); sha(packed) != hash {
			t.Errorf("shipped scenario %s: %x", hash, packed)
		}
	}
	m.items[listedKey] = textItem(mine.Hash + " Week 3\r\n\nnonsense line\n" + mine.Hash + "\n" + strings.ToUpper(mine.Hash) + " no hash\n")
	list = index()
	if len(list) != 2 || list[1].Title != "Week 3" || list[1].URL != mine.URL || list[1].Name != "" {
		t.Errorf("%+v", list)
	}
	m.items[listedKey] = textItem(mine.Hash + " Week \u202e3\n")
	if list = index(); list[1].Title != "Week \ufffd3" {
		t.Errorf("a title that reads backwards is shown as %q", list[1].Title)
	}
	m.items[listedKey] = textItem(strings.Repeat(mine.Hash+" x\n", 10*maxListed))
	if n := len(index()); n != 1+maxListed {
		t.Errorf("%d entries", n)
	}
}

func TestTroubleOfTheStore(t *testing.T) {
	h, m := newHandler(t)
	got := post(t, h, http.StatusCreated, "application/json", []byte(`{"workload": {"name": "tp"}}`))
	m.items[got.Hash] = textItem("something else")
	refused(t, "damaged", ask(h, "GET", got.URL, nil), http.StatusBadGateway, "not the scenario")
	if again := post(t, h, http.StatusOK, "application/json", []byte(`{"workload": {"name": "tp"}}`)); again.Secret != "" {
		t.Error("sharing a damaged scenario again gives a secret, and the first secret still works")
	}
	if r := ask(h, "GET", got.URL, nil); r.StatusCode != 200 {
		t.Errorf("after sharing it again it is still damaged: %d", r.StatusCode)
	}
	id := strings.TrimPrefix(got.Short, "/s/")
	m.items[shortPrefix+id] = textItem(strings.Repeat("0", 64))
	refused(t, "damaged link", ask(h, "GET", got.Short, nil), http.StatusBadGateway)
	m.refuse = errors.New("secret inside")
	for _, c := range [][2]string{{"GET", "/api/scenarios"}, {"GET", got.URL}, {"GET", got.Short}, {"POST", "/api/scenarios"}} {
		r := ask(h, c[0], c[1], strings.NewReader(`{"workload": {"name": "tp"}}`), "Content-Type", "application/json")
		if r.Header.Get("Retry-After") == "" {
			t.Errorf("%v: no Retry-After", c)
		}
		b := read(t, r)
		if r.StatusCode != http.StatusServiceUnavailable || bytes.Contains(b, []byte("secret")) {
			t.Errorf("%v: %d %s", c, r.StatusCode, b)
		}
	}
	h.Store = nil
	refused(t, "a fault of ours", ask(h, "GET", got.URL, nil), http.StatusInternalServerError, "try again")
}

// Small values and links go to one store, large scenarios to the other.
func TestTiers(t *testing.T) {
	small, large := emptyStore(), emptyStore()
	h := &Handler{Store: Tiers{small, large}}
	s := withProgram(emptyKernel)
	s.Workload.PTX.Args = []scenario.Arg{{Spec: "in:a", Data: make([]byte, SmallBytes)}}
	big := post(t, h, http.StatusCreated, "application/msgpack", s.Canonical())
	little := post(t, h, http.StatusCreated, "application/json", []byte(`{"workload": {"name": "tp"}}`))
	if len(large.items) != 1 || large.items[big.Hash].Value == nil || small.items[little.Hash].Value == nil || len(small.items) != 4 {
		t.Errorf("%d small, %d large", len(small.items), len(large.items))
	}
	for _, one := range []shared{big, little} {
		if packed := read(t, ask(h, "GET", one.URL, nil)); sha(packed) != one.Hash {
			t.Errorf("%s came back as %d other bytes", one.Hash, len(packed))
		}
	}
	for _, one := range []shared{big, little} {
		if r := ask(h, "DELETE", one.URL, nil, "Authorization", "Bearer "+one.Secret); r.StatusCode != http.StatusNoContent {
			t.Errorf("%s: %d", one.URL, r.StatusCode)
		}
	}
	if len(large.items) != 0 || len(small.items) != 1 { // the count of the day stays
		t.Errorf("deleted: %v and %v stay", small.items, large.items)
	}
	large.refuse = errors.New("down")
	refused(t, "large store down", ask(h, "GET", big.URL, nil), http.StatusServiceUnavailable)
}
