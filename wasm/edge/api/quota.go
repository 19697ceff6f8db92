package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/burstscope/burstscope/core/digest"
)

// Limits for one client on one day (UTC) [ours]: enough for a class behind one address,
// and too little to fill the store alone. A scenario that is already kept does not count.
const (
	scenariosPerDay = 100
	bytesPerDay     = 64 << 20
)

const quotaPrefix = "q/"

// quotaKept is how long a count is kept: past the end of its day in every time zone.
const quotaKept = 48 * time.Hour

// use counts what a client has shared today.
type use struct{ scenarios, bytes int }

// usedToday returns the use of a request's client, and its key in the store. Requests at
// the same moment may read the same count. KV takes one write of a key a second, so a
// client gains little by that.
func (h *Handler) usedToday(r *http.Request) (u use, key string, err error) {
	day := h.now().UTC().Format(time.DateOnly)
	// The store holds no address, only a hash of address and day.
	key = quotaPrefix + day + "/" + digest.Hex([]byte(day + " " + client(r)))[:32]
	item, err := h.Store.Get(key)
	if errors.Is(err, ErrAbsent) {
		return use{}, key, nil
	}
	if err != nil {
		return use{}, key, err
	}
	scenarios, bytes, _ := strings.Cut(string(item.Value), " ")
	u.scenarios, err = strconv.Atoi(scenarios)
	if err == nil {
		u.bytes, err = strconv.Atoi(bytes)
	}
	if err != nil || u.scenarios < 0 || u.bytes < 0 {
		return use{scenariosPerDay, bytesPerDay}, key, nil // damaged: used up until tomorrow
	}
	return u, key, nil
}

// charge counts a new scenario, or refuses it.
func (h *Handler) charge(r *http.Request, bytes int) *reply {
	u, key, err := h.usedToday(r)
	if err != nil {
		return storeFailed(err)
	}
	u.scenarios, u.bytes = u.scenarios+1, u.bytes+bytes
	if u.scenarios > scenariosPerDay || u.bytes > bytesPerDay {
		a := problem(http.StatusTooManyRequests,
			fmt.Sprintf("your network address has shared %d scenarios of %d bytes today", u.scenarios-1, u.bytes-bytes), "",
			fmt.Sprintf("at most %d scenarios and %d bytes are kept for one address a day (UTC); share this one tomorrow, or as a file", scenariosPerDay, bytesPerDay))
		tomorrow := h.now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		a.header.Set("Retry-After", strconv.Itoa(int(tomorrow.Sub(h.now()).Seconds())+1))
		return a
	}
	item := Item{Value: fmt.Appendf(nil, "%d %d", u.scenarios, u.bytes), Until: h.now().Add(quotaKept)}
	if err := h.Store.Put(key, item); err != nil {
		return storeFailed(err)
	}
	return nil
}

// client is the network address of a request from Cloudflare's header, which a client
// cannot set. For IPv6 it is the network of 64 bits, because one household has all of its
// addresses.
func client(r *http.Request) string {
	text := headerValue(r, "CF-Connecting-IP")
	a, err := netip.ParseAddr(text)
	if err != nil || a.Is4() || a.Is4In6() {
		return text
	}
	network, err := a.WithZone("").Prefix(64)
	if err != nil {
		return text
	}
	return network.String()
}
