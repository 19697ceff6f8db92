package api

import (
	"errors"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/burstscope/burstscope/core/scenario"
)

const oembedPath = "/oembed"

// Size of the frame if the consumer sets no limit, in CSS pixels: the smallest width at
// which the figure shows both sides beside their numbers, and the height that it then needs.
const (
	frameWidth  = 960
	frameHeight = 640
)

// embedding is an answer of oEmbed 1.0 (oembed.com, section 2.3.4.4: rich).
type embedding struct {
	Type         string `json:"type"`
	Version      string `json:"version"`
	Title        string `json:"title"`
	ProviderName string `json:"provider_name"`
	ProviderURL  string `json:"provider_url"`
	CacheAge     int    `json:"cache_age"`
	HTML         string `json:"html"`
	Width        int    `json:"width"`
	Height       int    `json:"height"`
}

// oembed describes how another site embeds a link to this one.
func (h *Handler) oembed(r *http.Request, _ string) *reply {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return problem(http.StatusBadRequest, "the query cannot be read", "query", "escape its values")
	}
	if format := query.Get("format"); format != "" && format != "json" {
		return problem(http.StatusNotImplemented, "this format is not available", "format="+format, "ask for json")
	}
	link := query.Get("url")
	if link == "" {
		return problem(http.StatusBadRequest, "the link is missing", "url", "add url= and a link of this site, escaped")
	}
	width, okWidth := atMost(query.Get("maxwidth"), frameWidth)
	height, okHeight := atMost(query.Get("maxheight"), frameHeight)
	if !okWidth || !okHeight {
		return problem(http.StatusBadRequest, "maxwidth and maxheight must be whole numbers of pixels", "maxwidth, maxheight", "give whole numbers from 1")
	}
	target, title, refused := h.embeddable(r, link)
	if refused != nil {
		return refused
	}
	const dayS = 86400
	a := content(http.StatusOK, typeJSON, jsonBody(embedding{
		Type: "rich", Version: "1.0", Title: title,
		ProviderName: "Burstscope", ProviderURL: origin(r) + "/", CacheAge: dayS,
		HTML: `<iframe src="` + html.EscapeString(target) + `" width="` + strconv.Itoa(width) + `" height="` + strconv.Itoa(height) +
			`" title="` + asciiHTML(title) + `" loading="lazy" style="border:0;max-width:100%"></iframe>`,
		Width: width, Height: height,
	}))
	a.header.Set("Cache-Control", "public, max-age=3600")
	return a
}

// asciiHTML escapes a text for HTML, and the letters that a page without a charset reads wrongly.
func asciiHTML(text string) string {
	var b strings.Builder
	for _, c := range html.EscapeString(text) {
		if c > unicode.MaxASCII {
			b.WriteString("&#" + strconv.Itoa(int(c)) + ";")
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// atMost reads an optional limit in pixels.
func atMost(text string, usual int) (int, bool) {
	if text == "" {
		return usual, true
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n == 0 {
		return 0, false
	}
	return min(int(n), usual), true
}

// embeddable checks a link and returns the address for the frame, and its title. The link
// may be a short link or an address of the page. The frame holds the figure of the run only.
func (h *Handler) embeddable(r *http.Request, link string) (target, title string, refused *reply) {
	elsewhere := func() (string, string, *reply) {
		return "", "", problem(http.StatusNotFound, "this is not a link of this site", link, "give a short link or the page itself, beginning with "+origin(r)+"/")
	}
	u, err := url.Parse(link)
	if err != nil || u.User != nil || u.Scheme+"://"+u.Host != origin(r) || checkAddress(u) != nil {
		return elsewhere()
	}
	if id, ok := strings.CutPrefix(u.Path, shortPath); ok && isShort(id) {
		hash, err := h.resolve(id)
		if errors.Is(err, ErrAbsent) {
			return elsewhere()
		}
		view, ok := viewOf(u.RawQuery)
		if !ok {
			return elsewhere()
		}
		if err != nil {
			return "", "", storeFailed(err)
		}
		target, ok := framed(r, "v="+linkVersion+"&id="+hash+view)
		if !ok {
			return elsewhere()
		}
		return target, h.titleOf(hash), nil
	}
	if u.Path != "" && u.Path != "/" && u.Path != "/index.html" || u.RawQuery != "" {
		return elsewhere()
	}
	target, ok := framed(r, u.EscapedFragment())
	if !ok {
		return "", "", problem(http.StatusNotFound, "this link opens a part of the page that has no figure", link, "give a link to a run")
	}
	return target, siteTitle, nil
}

// figurePath is the page with one figure, which may be framed (site/embed.html).
const figurePath = "/embed.html"

// framed returns the address of the figure of a link. Lessons, the data lab, the ledger and the
// editor have none. An embed has a picture only of runs that the site ships; others begin when they
// come into view. What a link says to an embed is dropped: the author of the frame decides it.
func framed(r *http.Request, fragment string) (target string, ok bool) {
	var kept []string
	load := ""
	for pair := range strings.SplitSeq(fragment, "&") {
		key, _, _ := strings.Cut(pair, "=")
		group, _, grouped := strings.Cut(key, ".")
		switch {
		case group == "lesson" || group == "lab" || group == "repro" || group == "kernel":
			return "", false
		case pair == "" || group == "embed":
			continue
		case grouped || key == "id" || key == "z" || key == "seed":
			load = "embed.load=visible"
		}
		kept = append(kept, pair)
	}
	if load != "" {
		kept = append(kept, load)
	}
	target = origin(r) + figurePath
	if len(kept) > 0 {
		target += "#" + strings.Join(kept, "&")
	}
	return target, true
}

const siteTitle = "Burstscope: every burst of a GPU's memory"

// titleOf is the title of a scenario, or the site's title if it has none.
func (h *Handler) titleOf(hash string) string {
	packed, err := h.fetch(hash)
	if err != nil {
		return siteTitle
	}
	s, err := scenario.ParseMsgpack(packed)
	if err != nil || s.Title == "" {
		return siteTitle
	}
	return s.Title
}
