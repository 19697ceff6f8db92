package claim

import (
	"html"
	"regexp"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// The text of a paper is HTML that its page holds as it is. The page's policy lets nothing run in it and nothing be requested from
// elsewhere (tools/burstscope/claims/paperpage.go); so what would do that is a fault of the text.

var (
	// activeTag begins an element that runs a program, holds another page, sends something, or changes what the page is.
	activeTag = regexp.MustCompile(`(?i)<(script|iframe|frame|object|embed|applet|base|meta|link|form|portal)\b`)
	// handler is an attribute with a program.
	handler = regexp.MustCompile(`(?i)<[a-z][^<>]*[\s/"'](on[a-z]+)\s*=`)
	// address is an attribute with an address.
	address = regexp.MustCompile(`(?i)[\s/"'](href|src|action|formaction|data|poster|background|ping|xlink:href)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)`)
)

// activePart is a place of a text that its page does not let act.
type activePart struct {
	at   int
	what string
}

func activeParts(text string) (list []activePart) {
	for _, at := range activeTag.FindAllStringSubmatchIndex(text, -1) {
		list = append(list, activePart{at[0], "the element <" + strings.ToLower(text[at[2]:at[3]]) + "> does nothing in the page of a paper, which runs no scripts and holds no other pages: remove it"})
	}
	for _, at := range handler.FindAllStringSubmatchIndex(text, -1) {
		list = append(list, activePart{at[2], "the attribute " + strings.ToLower(text[at[2]:at[3]]) + " does nothing in the page of a paper, which runs no scripts: remove it"})
	}
	for _, at := range address.FindAllStringSubmatchIndex(text, -1) {
		value := strings.Trim(html.UnescapeString(strings.Trim(text[at[4]:at[5]], `"'`)), " ")
		if what := fault.Link(value); what != "" && !(strings.EqualFold(text[at[2]:at[3]], "src") && strings.HasPrefix(value, "data:image/")) {
			list = append(list, activePart{at[0], what})
		}
	}
	return list
}
