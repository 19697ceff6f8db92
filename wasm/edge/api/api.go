// Package api answers the addresses of a site that are not files: scenarios by their hash,
// short links, and the description that other sites use to embed a link. It is plain
// net/http over a Store, so that tests run natively; wasm/edge puts it into a Cloudflare
// Worker behind the site's static files.
//
// A handler keeps state between requests only in the Store. It bounds the cost of a request
// before it reads the body: method, length of the address, type and size of the body. Every
// refusal is problem+json and says what is wrong, where, and what to do.
package api

import (
	"net/http"
	"strings"
	"time"
)

// Handler answers the addresses of the API.
type Handler struct {
	// Store keeps the shared scenarios.
	Store Store
	// Shipped are the scenarios of the site itself, as canonical msgpack.
	Shipped []Shipped
	// Now is the clock, nil for the machine's.
	Now func() time.Time
}

func (h *Handler) now() time.Time {
	if h.Now != nil {
		return h.Now()
	}
	return time.Now()
}

// Shipped is a scenario that comes with the site.
type Shipped struct {
	Name   string
	Packed []byte
}

// resource is one address with its methods.
type resource struct {
	methods []string // every resource also answers OPTIONS
	answer  func(*Handler, *http.Request, string) *reply
}

var (
	reads          = []string{http.MethodGet, http.MethodHead}
	readsAndWrites = []string{http.MethodGet, http.MethodHead, http.MethodPost}
	readsOrDeletes = []string{http.MethodGet, http.MethodHead, http.MethodDelete}
)

// find returns the resource of a path, and the part of the path that names one item.
func find(path string) (resource, string, bool) {
	if path == scenariosPath {
		return resource{readsAndWrites, (*Handler).scenarios}, "", true
	}
	if hash, ok := strings.CutPrefix(path, scenariosPath+"/"); ok && isHash(hash) {
		return resource{readsOrDeletes, (*Handler).one}, hash, true
	}
	if id, ok := strings.CutPrefix(path, shortPath); ok && isShort(id) {
		return resource{reads, (*Handler).short}, id, true
	}
	if path == oembedPath {
		return resource{reads, (*Handler).oembed}, "", true
	}
	if path == storeFile {
		return resource{reads, (*Handler).storeFile}, "", true
	}
	return resource{}, "", false
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := h.safely(r)
	a.secure()
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		a.share()
	}
	a.send(w, r.Method)
}

// safely turns a panic of the program or of the store into an answer. The answer shows
// nothing of the program's state.
func (h *Handler) safely(r *http.Request) (a *reply) {
	defer func() {
		if recover() != nil {
			a = problem(http.StatusInternalServerError, "the server failed on this request", "", "try again; the scenario is not at fault")
		}
	}()
	return h.route(r)
}

func (h *Handler) route(r *http.Request) *reply {
	if refused := checkAddress(r.URL); refused != nil {
		return refused
	}
	found, name, ok := find(r.URL.Path)
	if !ok {
		return unknown(r.URL.Path)
	}
	if r.Method == http.MethodOptions {
		return options(found.methods)
	}
	for _, method := range found.methods {
		if r.Method == method {
			return found.answer(h, r, name)
		}
	}
	allow := allowed(found.methods)
	a := problem(http.StatusMethodNotAllowed, "this address does not answer "+clip(r.Method), "method", "use one of "+allow)
	a.header.Set("Allow", allow)
	return a
}

func allowed(methods []string) string {
	return strings.Join(methods, ", ") + ", " + http.MethodOptions
}

// options answers OPTIONS. Browsers also send OPTIONS to ask whether a page of another
// site may send a request; such a page may read and not write.
func options(methods []string) *reply {
	a := newReply(http.StatusNoContent)
	a.header.Set("Allow", allowed(methods))
	a.share()
	a.header.Set("Access-Control-Allow-Methods", strings.Join(reads, ", "))
	a.header.Set("Access-Control-Allow-Headers", "Accept, If-None-Match")
	// Browsers keep this answer for at most a day.
	a.header.Set("Access-Control-Max-Age", "86400")
	return a
}

// unknown refuses an unknown address, with advice for addresses that are nearly right.
func unknown(path string) *reply {
	mend := "the addresses are " + scenariosPath + ", " + scenariosPath + "/HASH, " + shortPath + "ID and " + oembedPath
	switch {
	case strings.HasPrefix(path, scenariosPath+"/"):
		mend = "a hash is 64 digits of 0-9 and a-f"
	case strings.HasPrefix(path, shortPath):
		mend = "the id of a short link is the first 20 to 64 digits of a hash, 0-9 and a-f"
	}
	return problem(http.StatusNotFound, "there is nothing at this address", path, mend)
}
