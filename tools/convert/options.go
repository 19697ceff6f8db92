package convert

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// option is a line of a gpgpusim.config: a name, and its words.
type option struct {
	name  string
	words []string
	line  int
}

func (o option) value() string { return strings.Join(o.words, " ") }

func (o option) String() string { return strings.TrimSpace("-" + o.name + " " + o.value()) }

// Bounds of a file [ours]: the largest of GPGPU-Sim and Accel-Sim have 200 lines.
const (
	maxBytes   = 1 << 20
	maxOptions = 4096
)

// parseOptions reads a file as GPGPU-Sim's option parser does: words between blanks, text in quotes over lines is one
// word, # begins a comment, and a word that begins with - and a letter begins an option. Of an option given twice the
// last counts.
func parseOptions(name string, text []byte) ([]option, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%s: %d bytes, and at most %d are read: give a gpgpusim.config", name, len(text), maxBytes)
	}
	var list []option
	at := map[string]int{}
	line := 1
	for rest := string(text); rest != ""; {
		word, begun, next, err := nextWord(&rest, line)
		if err != nil {
			return nil, fmt.Errorf("%s:%w", name, err)
		}
		line = next
		switch {
		case word == "":
		case isOption(word):
			if len(list) == maxOptions {
				return nil, fmt.Errorf("%s:%d: more than %d options", name, begun, maxOptions)
			}
			list = append(list, option{name: word[1:], line: begun})
		case len(list) == 0:
			return nil, fmt.Errorf("%s:%d: %s stands before the first option: give a gpgpusim.config", name, begun,
				fault.Quote(word))
		default:
			o := &list[len(list)-1]
			o.words = append(o.words, word)
		}
	}
	var last []option
	for _, o := range list {
		if i, twice := at[o.name]; twice {
			last[i] = o
			continue
		}
		at[o.name] = len(last)
		last = append(last, o)
	}
	return last, nil
}

func isOption(word string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	c := word[1] | 0x20
	return c >= 'a' && c <= 'z'
}

// nextWord takes a word off the text, and returns the lines in which it began and after it.
func nextWord(rest *string, line int) (word string, begun, next int, err error) {
	text := *rest
	for text != "" && (text[0] == '#' || strings.ContainsRune(" \t\r\n", rune(text[0]))) {
		if text[0] == '#' {
			end := strings.IndexByte(text, '\n')
			if end < 0 {
				*rest = ""
				return "", line, line, nil
			}
			text = text[end:]
		}
		if text[0] == '\n' {
			line++
		}
		text = text[1:]
	}
	begun = line
	if text == "" {
		*rest = ""
		return "", line, line, nil
	}
	if text[0] == '"' {
		end := strings.IndexByte(text[1:], '"')
		if end < 0 {
			return "", line, line, fmt.Errorf("%d: a quotation mark without its end", line)
		}
		word = text[1 : 1+end]
		*rest = text[2+end:]
		return strings.Join(strings.Fields(word), ""), begun, line + strings.Count(word, "\n"), nil
	}
	end := strings.IndexAny(text, " \t\r\n#\"")
	if end < 0 {
		end = len(text)
	}
	*rest = text[end:]
	return text[:end], begun, line, nil
}
