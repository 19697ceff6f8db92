package api

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

func TestShortLink(t *testing.T) {
	h, m := newHandler(t)
	got := post(t, h, http.StatusCreated, "application/json", []byte(`{"workload": {"name": "tp"}}`))
	if got.Short != "/s/"+got.Hash[:shortestID] {
		t.Errorf("%s of %s", got.Short, got.Hash)
	}
	for _, c := range []struct{ target, want string }{
		{got.Short, "/#v=1&id=" + got.Hash},
		{got.Short + "?", "/#v=1&id=" + got.Hash},
		{got.Short + "?tab=dram&cycle=10&lab.codec=bdi", "/#v=1&id=" + got.Hash + "&tab=dram&cycle=10&lab.codec=bdi"},
		{got.Short + "?id=0&v=9&s=dct&tab=%22%3E%0d%0aX:%20y", "/#v=1&id=" + got.Hash + "&tab=%22%3E%0D%0AX%3A%20y"},
		{"/s/" + sha(shipped(t).Canonical())[:12], "/#v=1&id=" + sha(shipped(t).Canonical())},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			r := ask(h, method, c.target, nil)
			if r.StatusCode != http.StatusFound || r.Header.Get("Location") != c.want || len(read(t, r)) != 0 {
				t.Errorf("%s %s: %d %s, want %s", method, c.target, r.StatusCode, r.Header.Get("Location"), c.want)
			}
		}
	}
	for _, query := range []string{"%zz=1", "tab=%zz", "<script>=1", "a%20b=1", strings.Repeat("a", 40) + "=1"} {
		refused(t, query, ask(h, "GET", got.Short+"?"+query, nil), http.StatusBadRequest)
	}
	refused(t, "unknown", ask(h, "GET", "/s/0123456789", nil), http.StatusNotFound, "check the link")

	// Another scenario with the same beginning of its hash gets a longer id, and the first
	// keeps its id.
	other := got.Hash[:22] + strings.Repeat("0", 42)
	m.items = map[string]Item{shortPrefix + got.Hash[:20]: textItem(other), shortPrefix + got.Hash[:22]: textItem(other)}
	again := post(t, h, http.StatusCreated, "application/json", []byte(`{"workload": {"name": "tp"}}`))
	if again.Short != "/s/"+got.Hash[:24] || string(m.items[shortPrefix+got.Hash[:20]].Value) != other {
		t.Errorf("%s beside %v", again.Short, m.items)
	}
	// A link with a short id of an earlier version still opens.
	m.items[shortPrefix+got.Hash[:10]] = textItem(got.Hash)
	if r := ask(h, "GET", "/s/"+got.Hash[:10], nil); r.Header.Get("Location") != "/#v=1&id="+got.Hash {
		t.Errorf("an old link leads to %q", r.Header.Get("Location"))
	}
}

// Two scenarios shared at one moment get two links, although neither request sees the
// other.
func TestLinksOfOneMoment(t *testing.T) {
	h, m := newHandler(t)
	body := []byte(`{"title": "first", "workload": {"name": "tp"}}`)
	s, err := scenario.ParseJSON("test", body)
	if err != nil {
		t.Fatal(err)
	}
	hash := sha(s.Canonical())
	other := hash[:22] + strings.Repeat("0", 42)
	m.afterPut = func(key string) {
		if key == shortPrefix+hash[:20] || key == shortPrefix+hash[:22] {
			m.items[key] = textItem(other) // the other one wrote last
		}
	}
	got := post(t, h, http.StatusCreated, "application/json", body)
	if got.Short != "/s/"+hash[:24] || got.Secret == "" {
		t.Errorf("%+v", got)
	}
	if to := ask(h, "GET", got.Short, nil).Header.Get("Location"); to != got.Open {
		t.Errorf("%s leads to %s", got.Short, to)
	}
	// The same scenario twice at one moment has one link, and one secret.
	h, m = newHandler(t)
	theirs := link{hash, sha([]byte("theirs"))}
	m.afterPut = func(key string) {
		if strings.HasPrefix(key, shortPrefix) {
			m.items[key] = Item{Value: theirs.bytes()}
		}
	}
	if got := post(t, h, http.StatusOK, "application/json", body); got.Secret != "" || got.Short != "/s/"+hash[:20] {
		t.Errorf("%+v", got)
	}
}

// The ids of shipped scenarios cannot be taken.
func TestShippedLinksWin(t *testing.T) {
	h, m := newHandler(t)
	hash := sha(shipped(t).Canonical())
	m.items[shortPrefix+hash[:20]] = textItem(hash[:20] + strings.Repeat("0", 44))
	for _, n := range []int{10, 20, 64} {
		if to := ask(h, "GET", "/s/"+hash[:n], nil).Header.Get("Location"); to != "/#v=1&id="+hash {
			t.Errorf("%d digits lead to %s", n, to)
		}
	}
	// Sharing a shipped scenario writes nothing and gives no secret.
	got := post(t, h, http.StatusOK, "application/msgpack", shipped(t).Canonical())
	if m.puts != 0 || got.Secret != "" || got.Short != "/s/"+hash[:20] {
		t.Errorf("%d writes, %+v", m.puts, got)
	}
	// A hash with the same beginning gets a longer id.
	if _, id, err := h.linkTo(hash[:24] + strings.Repeat("0", 40)); id != hash[:24]+"00" || !errors.Is(err, ErrAbsent) {
		t.Errorf("%s %v", id, err)
	}
}

func TestOEmbed(t *testing.T) {
	h, _ := newHandler(t)
	const site = "https://example.org"
	got := post(t, h, http.StatusCreated, "application/json", []byte(`{"title": "\"><b>x é→", "workload": {"name": "tp"}}`))
	about := func(link string, more string) *http.Response {
		return ask(h, "GET", site+"/oembed?url="+url.QueryEscape(link)+more, nil)
	}
	r := about(site+got.Short+"?tab=dram", "&maxwidth=400&maxheight=5000&format=json")
	e := decode[embedding](t, r)
	if r.StatusCode != 200 || e.Type != "rich" || e.Version != "1.0" || e.Width != 400 || e.Height != frameHeight || e.Title != `"><b>x é→` || e.ProviderURL != site+"/" {
		t.Errorf("%d %+v", r.StatusCode, e)
	}
	if want := `<iframe src="` + site + `/embed.html#v=1&amp;id=` + got.Hash + `&amp;tab=dram&amp;embed.load=visible" width="400" height="640" title="&#34;&gt;&lt;b&gt;x &#233;&#8594;"`; !strings.HasPrefix(e.HTML, want) {
		t.Errorf("%s, want %s", e.HTML, want)
	}
	for _, link := range []string{site, site + "/", site + "/index.html", site + `/#v=1&s=tp&x="><script>`} {
		r := about(link, "")
		if e := decode[embedding](t, r); r.StatusCode != 200 || e.Title != siteTitle || strings.Contains(e.HTML, "<script>") || e.Width != frameWidth {
			t.Errorf("%s: %d %+v", link, r.StatusCode, e)
		}
	}
	// The frame holds a figure and nothing else of the site, with the settings of the link.
	for fragment, want := range map[string]string{
		"":                                "/embed.html\"",
		"#v=1&s=dct&tab=mag":              "/embed.html#v=1&amp;s=dct&amp;tab=mag\"",
		"#v=1&s=tp&B.memory.mag=64":       "/embed.html#v=1&amp;s=tp&amp;B.memory.mag=64&amp;embed.load=visible\"",
		"#v=1&s=tp&seed=2&embed.load=now": "/embed.html#v=1&amp;s=tp&amp;seed=2&amp;embed.load=visible\"",
		"#v=1&z=abc&embed.origins=null":   "/embed.html#v=1&amp;z=abc&amp;embed.load=visible\"",
	} {
		if e := decode[embedding](t, about(site+"/"+fragment, "")); !strings.HasPrefix(e.HTML, `<iframe src="`+site+want) {
			t.Errorf("%q is framed as %s", fragment, e.HTML)
		}
	}
	for _, part := range []string{"lesson=burst&step=2", "kernel=edit", "lab=none&lab.mag=64", "repro=ledger&repro.paper=slc"} {
		refused(t, part, about(site+"/#v=1&"+part, ""), http.StatusNotFound, "no figure")
	}
	for _, link := range []string{
		"https://evil.example/", "http://example.org/", "https://example.org.evil.example/", "https://user@example.org/", "//example.org/",
		"javascript:alert(1)", "/", "example.org", site + "/api/scenarios", site + "/../x", site + "/s/", site + "/s/zzzzzzzzzz", site + "/s/0123456789",
		site + "/s/%2e%2e/x", site + got.Short + "?<=1", site + "/?x=1", "https://example.org:8443/", "https://%zz",
	} {
		refused(t, link, about(link, ""), http.StatusNotFound, "not a link of this site")
	}
	refused(t, "xml", about(site+"/", "&format=xml"), http.StatusNotImplemented, "json")
	refused(t, "no url", ask(h, "GET", site+"/oembed", nil), http.StatusBadRequest, "url")
	refused(t, "bad query", ask(h, "GET", site+"/oembed?url=%zz", nil), http.StatusBadRequest)
	for _, more := range []string{"&maxwidth=0", "&maxwidth=-1", "&maxheight=x", "&maxwidth=99999999999999999999"} {
		refused(t, more, about(site+"/", more), http.StatusBadRequest, "pixels")
	}
	link := ask(h, "GET", site+got.Short, nil).Header.Get("Link")
	if want := "</oembed?url=" + url.QueryEscape(site+got.Short) + `>; rel="alternate"; type="application/json+oembed"`; link != want {
		t.Errorf("Link: %s, want %s", link, want)
	}
}

// The page finds the store at the address where a host of files says that it has none.
func TestStoreFile(t *testing.T) {
	h, _ := newHandler(t)
	if got := decode[map[string]string](t, ask(h, "GET", "/store.json", nil)); got["scenarios"] != "/api/scenarios" {
		t.Errorf("%v", got)
	}
}
