package api

import (
	"errors"
	"strings"
	"time"

	"github.com/burstscope/burstscope/core/digest"
)

// ErrAbsent is the error of a Store without a value under the key.
var ErrAbsent = errors.New("absent")

// Store keeps items under keys. The key of a scenario is its hash; its value never
// changes. Keys of short links begin with "s/", keys of a client's use of the day with
// "q/". The list of the site's owner has the key "listed".
type Store interface {
	// Get returns an item, or ErrAbsent.
	Get(key string) (Item, error)
	// Put keeps an item. The store may drop it after Until.
	Put(key string, item Item) error
	// Delete drops an item. Deleting a missing item succeeds.
	Delete(key string) error
}

// Item is a value in a Store.
type Item struct {
	Value []byte
	// Until is the time when the item is dropped, unless it is opened before; zero means
	// never.
	Until time.Time
	// Of is set for a bare form: the hash of the scenario that it was kept with. Deleting
	// that scenario deletes the bare form.
	Of string
}

// SmallBytes is the size of the largest value that Tiers keeps in its small store.
// A scenario without data of its own takes about half a kilobyte.
const SmallBytes = 64 << 10

// Tiers keeps small values in one store and large values in another: KV answers faster
// and from everywhere, R2 costs a thirtieth per byte.
type Tiers struct {
	Small, Large Store
}

// Get looks in both stores.
func (t Tiers) Get(key string) (Item, error) {
	item, err := t.Small.Get(key)
	if errors.Is(err, ErrAbsent) && isHash(key) {
		return t.Large.Get(key)
	}
	return item, err
}

// Put chooses the store by size.
func (t Tiers) Put(key string, item Item) error {
	if len(item.Value) > SmallBytes {
		return t.Large.Put(key, item)
	}
	return t.Small.Put(key, item)
}

// Delete deletes from both stores.
func (t Tiers) Delete(key string) error {
	if isHash(key) {
		if err := t.Large.Delete(key); err != nil {
			return err
		}
	}
	return t.Small.Delete(key)
}

// hashDigits is the length of a SHA-256 in hexadecimal.
const hashDigits = 64

// shortestID is the shortest length of a new short link's id: 80 bits. Among a million
// million scenarios, two share an id with a probability of one half; finding two on
// purpose takes about 2^40 hashes. Earlier versions gave out ids of 40 bits, which still
// open.
const (
	shortestID     = 20
	shortestReadID = 10
)

const (
	shortPrefix = "s/"
	listedKey   = "listed"
)

func isHash(s string) bool { return len(s) == hashDigits && isHex(s) }

func isShort(s string) bool { return len(s) >= shortestReadID && len(s) <= hashDigits && isHex(s) }

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// errDamaged reports a value that does not match its key.
var errDamaged = errors.New("damaged")

// keptFor is how long an unopened item is kept [ours]: a term of a university. Opening an
// item with less than renewBelow left keeps it for keptFor from then on. An item is
// therefore written at most once in 30 days, however often it is opened.
const (
	keptFor    = 90 * 24 * time.Hour
	renewBelow = 60 * 24 * time.Hour
)

// open returns an item and extends the time for which it is kept.
func (h *Handler) open(key string) (Item, error) {
	item, err := h.Store.Get(key)
	if err != nil || item.Until.IsZero() {
		return item, err
	}
	left := item.Until.Sub(h.now())
	if left <= 0 {
		_ = h.Store.Delete(key) // if this fails, the store drops it later by itself
		return Item{}, ErrAbsent
	}
	if left < renewBelow {
		item.Until = h.now().Add(keptFor)
		_ = h.Store.Put(key, item) // a failed write must not fail the read
	}
	return item, nil
}

// fetch returns the scenario with a hash: shared, or shipped with the site.
func (h *Handler) fetch(hash string) ([]byte, error) {
	item, err := h.open(hash)
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
	if err == nil && digest.Hex(item.Value) != hash {
		return nil, errDamaged
	}
	return item.Value, err
}

// shippedWith returns the hash of the shipped scenario whose hash begins with id, or "".
func (h *Handler) shippedWith(id string) string {
	for i := range h.Shipped {
		if hash := digest.Hex(h.Shipped[i].Packed); strings.HasPrefix(hash, id) {
			return hash
		}
	}
	return ""
}

// link is the value of a short link: the hash of the scenario, and the hash of the secret
// that deletes it.
type link struct{ hash, secret string }

func (l link) bytes() []byte { return []byte(strings.TrimSpace(l.hash + " " + l.secret)) }

// linkOf returns the link with an id.
func (h *Handler) linkOf(id string) (link, error) {
	item, err := h.open(shortPrefix + id)
	if err != nil {
		return link{}, err
	}
	hash, secret, _ := strings.Cut(string(item.Value), " ") // links of the first version have no secret
	if !isHash(hash) || !strings.HasPrefix(hash, id) {
		return link{}, errDamaged
	}
	return link{hash, secret}, nil
}

// linkTo returns the link to a kept scenario, and its id. If there is no link, it returns
// ErrAbsent and the shortest free id.
func (h *Handler) linkTo(hash string) (l link, id string, err error) {
	for n := shortestID; n <= hashDigits; n += 2 {
		id = hash[:n]
		if h.shippedWith(id) != "" {
			continue // the id of a shipped scenario
		}
		l, err = h.linkOf(id)
		if err != nil && !errors.Is(err, errDamaged) || l.hash == hash {
			return l, id, err
		}
	}
	return link{}, "", errDamaged // the id of the whole hash leads to another scenario
}

// keep stores a scenario and its short link, and returns the link's id and the secret
// that deletes both. The link is written last, so that every link has its scenario. It is
// read again, because another request may have taken the id meanwhile. If that request
// kept the same scenario, its link is returned without a secret; otherwise a longer id is
// tried.
func (h *Handler) keep(forms []form) (id, secret string, err error) {
	hash := forms[0].hash
	if err := h.keepForms(forms); err != nil {
		return "", "", err
	}
	secret = newSecret()
	ours := link{hash, digest.Hex([]byte(secret))}
	for {
		there, id, err := h.linkTo(hash)
		if err == nil {
			if there != ours {
				secret = ""
			}
			return id, secret, nil
		}
		if !errors.Is(err, ErrAbsent) {
			return "", "", err
		}
		if err := h.Store.Put(shortPrefix+id, Item{Value: ours.bytes(), Until: h.now().Add(keptFor)}); err != nil {
			return "", "", err
		}
		switch written, err := h.linkOf(id); {
		case errors.Is(err, ErrAbsent): // the store shows the link later
			return id, secret, nil
		case err == nil && written == ours:
			return id, secret, nil
		case err != nil && !errors.Is(err, errDamaged):
			return "", "", err
		}
	}
}

func (h *Handler) keepForms(forms []form) error {
	until := h.now().Add(keptFor)
	for i, f := range forms {
		item := Item{Value: f.packed, Until: until}
		if i > 0 {
			item.Of = forms[0].hash
			if kept, err := h.open(f.hash); err == nil && digest.Hex(kept.Value) == f.hash {
				continue // kept with another scenario that differs only in its texts
			}
		}
		if err := h.Store.Put(f.hash, item); err != nil {
			return err
		}
	}
	return nil
}

// resolve returns the hash that a short link's id stands for. Shipped scenarios come
// before shared ones.
func (h *Handler) resolve(id string) (string, error) {
	if hash := h.shippedWith(id); hash != "" {
		return hash, nil
	}
	l, err := h.linkOf(id)
	return l.hash, err
}
