package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/scenario"
)

const day = 24 * time.Hour

// clocked returns a handler with a clock that the test sets.
func clocked(t *testing.T) (h *Handler, m *memory, now *time.Time) {
	h, m = newHandler(t)
	moment := time.Date(2026, 11, 22, 23, 0, 0, 0, time.UTC)
	h.Now = func() time.Time { return moment }
	return h, m, &moment
}

func titled(title string) string {
	return `{"title": "` + title + `", "workload": {"name": "tp"}}`
}

// One address may share a limited number of scenarios and bytes a day. Other addresses
// and the next day have their own limits. A kept scenario does not count again.
func TestQuota(t *testing.T) {
	h, m, now := clocked(t)
	share := func(address, body string) *http.Response {
		return ask(h, "POST", "/api/scenarios", strings.NewReader(body), "Content-Type", typeJSON, "CF-Connecting-IP", address)
	}
	for i := range scenariosPerDay {
		if r := share("192.0.2.1", titled(fmt.Sprint(i))); r.StatusCode != http.StatusCreated {
			t.Fatalf("scenario %d: %d %s", i, r.StatusCode, read(t, r))
		}
	}
	puts := m.puts
	r := share("192.0.2.1", titled("one more"))
	if r.Header.Get("Retry-After") != "3601" {
		t.Errorf("Retry-After %q an hour before midnight", r.Header.Get("Retry-After"))
	}
	refused(t, "one more", r, http.StatusTooManyRequests, "100 scenarios", "tomorrow")
	if m.puts != puts {
		t.Error("a refused scenario was written")
	}
	for _, c := range []struct {
		address, title string
		status         int
	}{
		{"192.0.2.1", "7", http.StatusOK},
		{"192.0.2.2", "one more", http.StatusCreated},
		{"2001:db8::1", "six", http.StatusCreated},
		{"", "nobody", http.StatusCreated},
	} {
		if r := share(c.address, titled(c.title)); r.StatusCode != c.status {
			t.Errorf("%s, %s: %d %s", c.address, c.title, r.StatusCode, read(t, r))
		}
	}
	for key := range m.items {
		if strings.Contains(key, "192.0.2.1") {
			t.Errorf("the store holds an address: %s", key)
		}
	}
	*now = now.Add(2 * time.Hour)
	if r := share("192.0.2.1", titled("tomorrow")); r.StatusCode != http.StatusCreated {
		t.Errorf("the next day: %d", r.StatusCode)
	}
	// Bytes count too, and an unreadable count is taken as used up.
	image := withProgram(emptyKernel)
	image.Workload.PTX.Args = []scenario.Arg{{Spec: "in:a", Data: make([]byte, 3<<20)}}
	for i := range bytesPerDay/(3<<20) + 1 {
		image.Seed = uint64(i)
		body := string(image.Canonical())
		want := http.StatusCreated
		if (i+1)*(len(body)+8) > bytesPerDay { // seeds differ in length by some bytes
			want = http.StatusTooManyRequests
		}
		if r := ask(h, "POST", "/api/scenarios", strings.NewReader(body), "Content-Type", typeMsgpack, "CF-Connecting-IP", "192.0.2.3"); r.StatusCode != want {
			t.Fatalf("%d scenarios of 3 MB: %d %s, want %d", i+1, r.StatusCode, read(t, r), want)
		}
	}
	for key := range m.items {
		if strings.HasPrefix(key, quotaPrefix) {
			m.items[key] = textItem("-1 x")
		}
	}
	refused(t, "damaged count", share("192.0.2.1", titled("again")), http.StatusTooManyRequests)
}

// All addresses of one IPv6 network are one client.
func TestClient(t *testing.T) {
	h := func(address string) string {
		r, err := http.NewRequest("POST", "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("CF-Connecting-IP", address)
		return client(r)
	}
	if h("2001:db8:1:2::1") != h("2001:db8:1:2:ffff::9") || h("2001:db8:1:2::1") == h("2001:db8:1:3::1") {
		t.Error("networks of 64 bits are not told apart")
	}
	if h("192.0.2.1") == h("192.0.2.2") || h("") != "" {
		t.Error("IPv4 addresses are not told apart")
	}
}

// An unopened item is dropped. An opened item stays, with at most one write a month.
func TestExpiry(t *testing.T) {
	h, m, now := clocked(t)
	opened := post(t, h, http.StatusCreated, typeJSON, []byte(titled("opened")))
	forgotten := post(t, h, http.StatusCreated, typeJSON, []byte(titled("forgotten")))
	for range 12 {
		*now = now.Add(40 * day)
		puts := m.puts
		for range 5 {
			if r := ask(h, "GET", opened.Short, nil); r.StatusCode != http.StatusFound {
				t.Fatalf("%s: %d", opened.Short, r.StatusCode)
			}
			if r := ask(h, "GET", opened.URL, nil); r.StatusCode != http.StatusOK {
				t.Fatalf("%s: %d", opened.URL, r.StatusCode)
			}
		}
		if m.puts != puts+2 {
			t.Errorf("%d writes for five openings", m.puts-puts)
		}
	}
	for _, target := range []string{forgotten.Short, forgotten.URL, "/api/scenarios/" + forgotten.ScenarioHash} {
		refused(t, target, ask(h, "GET", target, nil), http.StatusNotFound)
	}
	if _, there := m.items[forgotten.Hash]; there {
		t.Error("a dropped item is still in the store")
	}
	// It can be shared again.
	if again := post(t, h, http.StatusCreated, typeJSON, []byte(titled("forgotten"))); again.Hash != forgotten.Hash || again.Secret == "" {
		t.Errorf("%+v", again)
	}
	// An item from the owner stays.
	m.items[listedKey] = textItem(opened.Hash + " listed\n")
	*now = now.Add(1000 * day)
	if list := decode[[]entry](t, ask(h, "GET", "/api/scenarios", nil)); len(list) != 2 {
		t.Errorf("%+v", list)
	}
}

// Only the secret deletes.
func TestDelete(t *testing.T) {
	h, m, _ := clocked(t)
	got := post(t, h, http.StatusCreated, typeJSON, []byte(titled("mine")))
	theirs := post(t, h, http.StatusCreated, typeJSON, []byte(titled("theirs")))
	remove := func(url string, headers ...string) *http.Response { return ask(h, "DELETE", url, nil, headers...) }
	refused(t, "no secret", remove(got.URL), http.StatusUnauthorized, "Bearer SECRET")
	refused(t, "another scheme", remove(got.URL, "Authorization", "Basic "+got.Secret), http.StatusUnauthorized)
	refused(t, "long", remove(got.URL, "Authorization", "Bearer "+strings.Repeat("0", 1000)), http.StatusUnauthorized)
	for _, secret := range []string{"", "0", theirs.Secret, strings.Repeat("0", 32), sha([]byte(got.Secret))} {
		refused(t, secret, remove(got.URL, "Authorization", "Bearer "+secret), http.StatusForbidden, "not the secret")
	}
	refused(t, "shipped", remove("/api/scenarios/"+sha(shipped(t).Canonical()), "Authorization", "Bearer "+got.Secret), http.StatusForbidden, "of the site itself cannot be deleted")
	refused(t, "unknown", remove("/api/scenarios/"+strings.Repeat("0", 64), "Authorization", "Bearer "+got.Secret), http.StatusNotFound)
	for key, item := range m.items {
		if strings.Contains(string(item.Value), got.Secret) {
			t.Errorf("the store holds a secret under %s", key)
		}
	}
	// Of two scenarios that differ only in their texts, the first brought the bare form.
	bare := "/api/scenarios/" + got.ScenarioHash
	if r := remove(theirs.URL, "Authorization", "Bearer "+theirs.Secret); r.StatusCode != http.StatusNoContent || len(read(t, r)) != 0 {
		t.Errorf("%d", r.StatusCode)
	}
	for _, target := range []string{theirs.URL, theirs.Short} {
		refused(t, target, ask(h, "GET", target, nil), http.StatusNotFound)
	}
	for _, target := range []string{got.URL, bare} {
		if r := ask(h, "GET", target, nil); r.StatusCode != http.StatusOK {
			t.Errorf("%s went too: %d", target, r.StatusCode)
		}
	}
	if r := remove(got.URL, "Authorization", "bearer "+got.Secret); r.StatusCode != http.StatusNoContent {
		t.Errorf("%d", r.StatusCode)
	}
	for _, target := range []string{got.URL, got.Short, bare} {
		refused(t, target, ask(h, "GET", target, nil), http.StatusNotFound)
	}
	refused(t, "twice", remove(got.URL, "Authorization", "Bearer "+got.Secret), http.StatusNotFound)
	for key := range m.items {
		if !strings.HasPrefix(key, quotaPrefix) {
			t.Errorf("%s stays", key)
		}
	}
	// Links of the first version have no secret, so they cannot be deleted.
	old := post(t, h, http.StatusCreated, typeJSON, []byte(titled("old")))
	m.items[strings.TrimPrefix(old.Short, "/")] = textItem(old.Hash)
	for _, secret := range []string{"", old.Secret} {
		refused(t, "an old link", remove(old.URL, "Authorization", "Bearer "+secret), http.StatusForbidden)
	}
}
