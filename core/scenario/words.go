package scenario

import (
	"fmt"
	"strings"
)

// mendWord says what may stand in place of got, the nearest legal word first.
func mendWord(got string, legal []string) string {
	if near := nearest(got, legal); near != "" {
		return fmt.Sprintf("did you mean %q? (one of %s)", near, strings.Join(legal, ", "))
	}
	return "use one of " + strings.Join(legal, ", ")
}

// nearest returns the legal word that a misspelling most likely means, or "".
func nearest(got string, legal []string) string {
	const longest = 64 // words are short; what is longer is no misspelling of one
	if got == "" || len(got) > longest {
		return ""
	}
	folded := fold(got)
	best, bestDistance := "", len(got)
	for _, word := range legal {
		d := distance(folded, fold(word))
		if d < bestDistance {
			best, bestDistance = word, d
		}
	}
	if bestDistance > 1+len(got)/4 {
		return ""
	}
	return best
}

// fold removes what people vary without meaning it: case, hyphens, underscores.
func fold(s string) string {
	folded := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c == '-' || c == '_' || c == ' ':
		case c >= 'A' && c <= 'Z':
			folded = append(folded, c+'a'-'A')
		default:
			folded = append(folded, c)
		}
	}
	return string(folded)
}

// distance is the Levenshtein distance of two short words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			above := row[j]
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			row[j] = min(cost, above+1, row[j-1]+1)
			diagonal = above
		}
	}
	return row[len(b)]
}

func join(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

// Quote shows a user's text, shortened, in a message.
func Quote(s string) string {
	const limit = 48
	if len(s) > limit {
		s = s[:limit] + "..."
	}
	return fmt.Sprintf("%q", s)
}
