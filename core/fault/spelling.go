package fault

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ListedMost is how many words a message lists beside the nearest one [ours]: three lines.
const ListedMost = 40

// MendWord names the words that are legal in place of got, the nearest one first. Of a long list it names that one
// alone.
func MendWord(got string, legal []string) string {
	if near := Nearest(got, legal); near != "" {
		if len(legal) > ListedMost {
			return fmt.Sprintf("did you mean %q?", near)
		}
		return fmt.Sprintf("did you mean %q? (one of %s)", near, strings.Join(legal, ", "))
	}
	return "use one of " + strings.Join(legal, ", ")
}

// Nearest returns the legal word that a misspelling most likely means, or "". The last part of a path means the
// shortest path that ends so.
func Nearest(got string, legal []string) string {
	const longest = 64 // words are short; a longer text is not a misspelling of one
	if got == "" || len(got) > longest {
		return ""
	}
	folded := fold(got)
	best, bestDistance := "", len(got)
	for _, word := range legal {
		if strings.HasSuffix(fold(word), "."+folded) && (best == "" || len(word) < len(best)) {
			best = word
		}
	}
	if best != "" {
		return best
	}
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

// fold removes differences of case, hyphens, underscores and spaces.
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

// Join lists numbers for a message.
func Join(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

// Quote shortens and quotes a user's text for a message.
func Quote(s string) string {
	const limit = 48
	if len(s) > limit {
		s = s[:limit] + "..."
	}
	return fmt.Sprintf("%q", s)
}

// Shorten returns a key as a path in a message shows it.
func Shorten(key string) string {
	if len(key) <= 48 && utf8.ValidString(key) {
		return key
	}
	return strings.Trim(Quote(key), `"`)
}
