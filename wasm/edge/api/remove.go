package api

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"github.com/burstscope/burstscope/core/digest"
)

// secretBytes is the length of a secret: 128 bits cannot be guessed.
const secretBytes = 16

func newSecret() string {
	var b [secretBytes]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// one answers the requests for one scenario.
func (h *Handler) one(r *http.Request, hash string) *reply {
	if r.Method == http.MethodDelete {
		return h.remove(r, hash)
	}
	return h.scenario(r, hash)
}

// remove deletes a scenario if the request has the secret that POST answered.
func (h *Handler) remove(r *http.Request, hash string) *reply {
	if refused := ownOrigin(r); refused != nil {
		return refused
	}
	const mend = "send the secret that came with the first POST of this scenario: Authorization: Bearer SECRET"
	scheme, secret, _ := strings.Cut(headerValue(r, "Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || len(secret) > 4*secretBytes {
		a := problem(http.StatusUnauthorized, "the secret of the scenario is missing", "Authorization", mend)
		a.header.Set("WWW-Authenticate", "Bearer")
		return a
	}
	if h.shippedWith(hash) != "" {
		return problem(http.StatusForbidden, "scenarios of the site itself cannot be deleted", hash, "delete only scenarios that you shared")
	}
	l, id, err := h.linkTo(hash)
	if errors.Is(err, ErrAbsent) {
		return problem(http.StatusNotFound, "no shared scenario has this hash", hash, "use the hash that POST answered")
	}
	if err != nil {
		return storeFailed(err)
	}
	if l.secret == "" || subtle.ConstantTimeCompare([]byte(digest.Hex([]byte(secret))), []byte(l.secret)) != 1 {
		return problem(http.StatusForbidden, "this is not the secret of this scenario", "Authorization", mend)
	}
	if err := h.drop(hash, id); err != nil {
		return storeFailed(err)
	}
	return newReply(http.StatusNoContent)
}

// drop deletes a scenario, the bare form that was kept with it, and its link. The link is
// deleted last, because it holds the secret that is needed to repeat a failed deletion.
func (h *Handler) drop(hash, id string) error {
	for _, key := range append(h.bareOf(hash), hash, shortPrefix+id) {
		if err := h.Store.Delete(key); err != nil {
			return err
		}
	}
	return nil
}

// bareOf returns the key of the bare form that was kept with a scenario.
func (h *Handler) bareOf(hash string) []string {
	packed, err := h.fetch(hash)
	if err != nil {
		return nil
	}
	s, err := readPacked(packed)
	if err != nil {
		return nil
	}
	for _, f := range formsOf(s)[1:] {
		if bare, err := h.Store.Get(f.hash); err == nil && bare.Of == hash {
			return []string{f.hash}
		}
	}
	return nil
}
