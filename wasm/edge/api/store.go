package api

import (
	"errors"

	"github.com/burstscope/burstscope/core/digest"
)

// ErrAbsent is the answer of a Store that holds nothing under a key.
var ErrAbsent = errors.New("absent")

// Store keeps values under keys. Scenarios lie under their hash and never change;
// short links lie under "s/" and their id; what the site's owner lists lies under
// "listed".
type Store interface {
	// Get returns a value, or ErrAbsent.
	Get(key string) ([]byte, error)
	Put(key string, value []byte) error
}

// SmallBytes is the size of the largest value that Tiers keeps in its small store.
// A scenario without data of its own takes about half a kilobyte.
const SmallBytes = 64 << 10

// Tiers keeps small values in one store and large ones in another: KV answers
// faster and from everywhere, R2 costs a thirtieth for each byte kept.
type Tiers struct {
	Small, Large Store
}

// Get looks in both.
func (t Tiers) Get(key string) ([]byte, error) {
	value, err := t.Small.Get(key)
	if errors.Is(err, ErrAbsent) && isHash(key) {
		return t.Large.Get(key)
	}
	return value, err
}

// Put chooses by size.
func (t Tiers) Put(key string, value []byte) error {
	if len(value) > SmallBytes {
		return t.Large.Put(key, value)
	}
	return t.Small.Put(key, value)
}

// hashDigits is the length of a SHA-256 in hexadecimal.
const hashDigits = 64

// shortestID is the length of a short link's id: 40 bits, which a million
// scenarios share with even odds once. Two that share them get longer ids.
const shortestID = 10

const (
	shortPrefix = "s/"
	listedKey   = "listed"
)

func isHash(s string) bool { return len(s) == hashDigits && isHex(s) }

func isShort(s string) bool { return len(s) >= shortestID && len(s) <= hashDigits && isHex(s) }

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// errDamaged is a value that is not what its key says.
var errDamaged = errors.New("damaged")

// fetch returns the scenario with a hash: shared, or shipped with the site.
func (h *Handler) fetch(hash string) ([]byte, error) {
	packed, err := h.Store.Get(hash)
	if errors.Is(err, ErrAbsent) {
		for i := range h.Shipped {
			for _, f := range h.Shipped[i].forms() {
				if f.hash == hash {
					return f.packed, nil
				}
			}
		}
		return nil, ErrAbsent
	}
	if err == nil && digest.Hex(packed) != hash {
		return nil, errDamaged
	}
	return packed, err
}

// save keeps a scenario under its hash and answers the id of its short link, and
// whether it is new. The link is written last: where it is, the scenario is.
func (h *Handler) save(hash string, forms []form) (id string, fresh bool, err error) {
	for n := shortestID; n <= hashDigits; n += 2 {
		id = hash[:n]
		switch taken, err := h.Store.Get(shortPrefix + id); {
		case errors.Is(err, ErrAbsent):
			if err := h.keep(forms); err != nil {
				return "", false, err
			}
			return id, true, h.Store.Put(shortPrefix+id, []byte(hash))
		case err != nil:
			return "", false, err
		case string(taken) == hash:
			if kept, err := h.Store.Get(hash); err == nil && digest.Hex(kept) == hash {
				return id, false, nil
			}
			return id, false, h.keep(forms) // it was lost or damaged
		}
	}
	return "", false, errDamaged // the whole hash names another one
}

func (h *Handler) keep(forms []form) error {
	for _, f := range forms {
		if err := h.Store.Put(f.hash, f.packed); err != nil {
			return err
		}
	}
	return nil
}

// resolve returns the hash that a short link's id stands for.
func (h *Handler) resolve(id string) (string, error) {
	value, err := h.Store.Get(shortPrefix + id)
	if errors.Is(err, ErrAbsent) {
		for i := range h.Shipped {
			if hash := digest.Hex(h.Shipped[i].Packed); hash[:len(id)] == id {
				return hash, nil
			}
		}
		return "", ErrAbsent
	}
	if err == nil && (!isHash(string(value)) || string(value[:len(id)]) != id) {
		return "", errDamaged
	}
	return string(value), err
}
