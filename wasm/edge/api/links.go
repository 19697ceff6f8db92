package api

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

const (
	shortPath = "/s/"
	// storeFile tells the page where scenarios are kept. A host of files serves a storeFile
	// without a store, so the page's request succeeds on every host.
	storeFile = "/store.json"
	// linkVersion is the version of the page's fragments (site/src/links/permalink.ts).
	linkVersion = "1"
)

// opening returns the link that opens a scenario in the page.
func opening(hash string) string { return "/#v=" + linkVersion + "&id=" + hash }

// short redirects a short link to the page. The query of the link holds the view, such
// as tab and cycle, and becomes part of the fragment.
func (h *Handler) short(r *http.Request, id string) *reply {
	hash, err := h.resolve(id)
	if errors.Is(err, ErrAbsent) {
		return problem(http.StatusNotFound, "no scenario has this short link", shortPath+id,
			"check the link; one that was made less than a minute ago may not have reached this place yet")
	}
	if err != nil {
		return storeFailed(err)
	}
	view, ok := viewOf(r.URL.RawQuery)
	if !ok {
		return problem(http.StatusBadRequest, "the query of the short link is not a view", "query", "write key=value pairs such as tab=dram&cycle=1000")
	}
	a := newReply(http.StatusFound)
	a.header.Set("Location", opening(hash)+view)
	a.header.Set("Cache-Control", "public, max-age=3600")
	described := url.QueryEscape(origin(r) + shortPath + id)
	a.header.Set("Link", "<"+oembedPath+"?url="+described+`>; rel="alternate"; type="application/json+oembed"`)
	return a
}

// viewOf turns a query into pairs of a fragment. It accepts the keys of the page's view,
// escapes values again, and leaves out the keys that the link itself sets.
func viewOf(query string) (string, bool) {
	var b strings.Builder
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		key, raw, _ := strings.Cut(pair, "=")
		value, err := url.QueryUnescape(raw)
		if err != nil || !isViewKey(key) {
			return "", false
		}
		if key == "v" || key == "s" || key == "id" {
			continue
		}
		b.WriteString("&" + key + "=" + strings.ReplaceAll(url.QueryEscape(value), "+", "%20"))
	}
	return b.String(), true
}

func isViewKey(key string) bool {
	for i := range len(key) {
		if c := key[i]; (c|0x20 < 'a' || c|0x20 > 'z') && c != '.' {
			return false
		}
	}
	return key != "" && len(key) <= 32
}

// storeFile tells the page that scenarios are kept here.
func (h *Handler) storeFile(*http.Request, string) *reply {
	a := content(http.StatusOK, typeJSON, jsonBody(map[string]string{"scenarios": scenariosPath}))
	a.header.Set("Cache-Control", "public, max-age=300")
	return a
}
