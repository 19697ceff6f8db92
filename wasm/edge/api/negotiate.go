package api

import (
	"strconv"
	"strings"
)

// Types of a scenario.
const (
	typeMsgpack = "application/msgpack"
	typeJSON    = "application/json"
)

// packedTypes are the names of msgpack: the registered name (IANA, 2024:
// application/vnd.msgpack) and older ones.
var packedTypes = []string{typeMsgpack, "application/vnd.msgpack", "application/x-msgpack"}

// chooseType picks msgpack or JSON, whichever an Accept header (RFC 9110, 12.5.1)
// prefers: msgpack if both have the same weight, "" if it accepts neither.
func chooseType(accept string) string {
	if strings.TrimSpace(accept) == "" {
		return typeMsgpack
	}
	packed, text := quality(accept, packedTypes...), quality(accept, typeJSON)
	switch {
	case packed == 0 && text == 0:
		return ""
	case text > packed:
		return typeJSON
	}
	return typeMsgpack
}

// quality is the highest weight that an Accept header gives to the names of one type.
// The most specific range that matches a name decides.
func quality(accept string, names ...string) float64 {
	best := 0.0
	for _, name := range names {
		specific, weight := -1, 0.0
		for item := range strings.SplitSeq(accept, ",") {
			span, parameters, _ := strings.Cut(item, ";")
			if rank := matches(strings.ToLower(strings.TrimSpace(span)), name); rank > specific {
				specific, weight = rank, weightOf(parameters)
			}
		}
		best = max(best, weight)
	}
	return best
}

// matches ranks how specifically a range names a type; -1 is no match.
func matches(span, name string) int {
	family, _, _ := strings.Cut(name, "/")
	switch span {
	case name:
		return 2
	case family + "/*":
		return 1
	case "*/*":
		return 0
	}
	return -1
}

func weightOf(parameters string) float64 {
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if !strings.EqualFold(name, "q") {
			continue
		}
		q, err := strconv.ParseFloat(value, 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}

// matchesTag reports whether an If-None-Match header (RFC 9110, 13.1.2) names an
// entity tag.
func matchesTag(header, tag string) bool {
	for item := range strings.SplitSeq(header, ",") {
		item = strings.TrimSpace(item)
		if item == "*" || strings.TrimPrefix(item, "W/") == tag {
			return true
		}
	}
	return false
}
