package fault

import (
	"strings"
)

// linkSchemes are those that a link out of a user's file may have. All others can run a program in the page that shows the link, or
// open one of the reader's.
var linkSchemes = []string{"http", "https", "mailto"}

// Link says what is wrong with the address of a link that a page is to show; "" if it may. An address without a scheme is relative.
func Link(address string) string {
	for _, r := range address {
		if unseen(r) || r == ' ' {
			return "the address " + Quote(address) + " has characters that no address has"
		}
	}
	scheme, _, found := strings.Cut(address, ":")
	if !found || strings.ContainsAny(scheme, "/?#") {
		return ""
	}
	for _, legal := range linkSchemes {
		if strings.EqualFold(scheme, legal) {
			return ""
		}
	}
	return "the address " + Quote(address) + " may do more than open a page: use https, http, mailto or a relative address"
}
