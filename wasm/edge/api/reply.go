package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// reply is an answer before it is sent.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func newReply(status int) *reply { return &reply{status: status, header: http.Header{}} }

// content returns an answer with a body.
func content(status int, kind string, body []byte) *reply {
	a := newReply(status)
	a.header.Set("Content-Type", kind)
	a.body = body
	return a
}

// secure sets the headers of every answer: answers are data, never a page.
func (a *reply) secure() {
	a.header.Set("X-Content-Type-Options", "nosniff")
	a.header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	a.header.Set("Referrer-Policy", "no-referrer")
	if a.header.Get("Cache-Control") == "" {
		a.header.Set("Cache-Control", "no-store")
	}
}

// share lets pages of other sites read the answer. Answers do not depend on the user, so
// a page cannot read anything in a user's name.
func (a *reply) share() {
	a.header.Set("Access-Control-Allow-Origin", "*")
	a.header.Set("Access-Control-Expose-Headers", "ETag, Location")
	a.header.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// send writes the answer. An answer to HEAD has the headers of GET without the body.
func (a *reply) send(w http.ResponseWriter, method string) {
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if a.body != nil && method != http.MethodHead {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	if a.body != nil && method != http.MethodHead {
		_, _ = w.Write(a.body) // the client may be gone
	}
}

// jsonBody returns v as JSON without the escapes that only HTML needs.
func jsonBody(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("api: " + err.Error()) // all types can be encoded
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

// trouble is problem+json (RFC 9457). Its type is about:blank, so its title is the phrase
// of the status; where and mend are extensions.
type trouble struct {
	Type   string        `json:"type"`
	Title  string        `json:"title"`
	Status int           `json:"status"`
	Detail string        `json:"detail"`
	Where  string        `json:"where,omitempty"`
	Mend   string        `json:"mend,omitempty"`
	Faults []fault.Fault `json:"faults,omitempty"`
}

// problem refuses a request: what is wrong, where, and what to do.
func problem(status int, detail, where, mend string, faults ...fault.Fault) *reply {
	return content(status, "application/problem+json", jsonBody(trouble{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Detail: detail, Where: clip(where), Mend: mend, Faults: faults,
	}))
}

// clip shortens what a client sent before it is sent back.
func clip(s string) string {
	const limit = 80 // bytes; enough to recognise the input
	if len(s) > limit {
		s = s[:limit] + "..."
	}
	return fault.Visible(strings.ToValidUTF8(s, "\ufffd"))
}
