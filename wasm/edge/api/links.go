package api

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

const (
	shortPath = "/s/"
	// storeFile tells the page where scenarios are kept. A site of files has one
	// that says nowhere, so the page asks without a failed request on any host.
	storeFile = "/store.json"
	// linkVersion is the version of the page's fragments (site/src/links/permalink.ts).
	linkVersion = "1"
)

// opening is the link that opens a scenario in the page.
func opening(hash string) string { return "/#v=" + linkVersion + "&id=" + hash }

// short sends whoever follows a short link to the page. What the link says of the
// view, such as tab and cycle, stands in its query and goes on into the fragment.
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
		return problem(http.StatusBadRequest, "the query of a short link holds what no view has", "query", "a view is key=value pairs such as tab=dram&cycle=1000")
	}
	a := newReply(http.StatusFound)
	a.header.Set("Location", opening(hash)+view)
	a.header.Set("Cache-Control", "public, max-age=3600")
	described := url.QueryEscape(origin(r) + shortPath + id)
	a.header.Set("Link", "<"+oembedPath+"?url="+described+`>; rel="alternate"; type="application/json+oembed"`)
	return a
}

// viewOf turns a query into pairs of a fragment. Keys are those of the page's
// view, values are escaped anew, and what the link itself decides is left out.
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
