package claim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/machine/preset"
)

// Reading is how the rows are evaluated: on which machine, inputs and sizes, and by which of
// several definitions. The papers leave each of these open. The zero value is the reading of the
// committed results.
type Reading struct {
	Machine   string    `json:"machine,omitempty"` // a preset, "" = DefaultMachine
	Data      Data      `json:"data,omitempty"`
	Sizes     Sizes     `json:"sizes,omitempty"`
	Online    Online    `json:"online,omitempty"`
	Error     Error     `json:"error,omitempty"`
	Bandwidth Bandwidth `json:"bandwidth,omitempty"`
}

// DefaultMachine is the machine of SLC and E2MC without a reading that says another.
const DefaultMachine = "gtx580b"

// Sizes says how large the programs are.
type Sizes string

const (
	// StudySizes fill the machine: studySizes, and programs.StudyRuns for the others.
	StudySizes Sizes = "study"
	// ClaimSizes are smaller (programs.Info.StudySize), as in version 0.3.0.
	ClaimSizes Sizes = "claim"
	// PaperSizes are those that the papers state, as far as paper.yaml has them under paper; otherwise the usual ones.
	PaperSizes Sizes = "paper"
)

// Online says where the frequencies of online probabilities come from.
type Online string

const (
	// OnlineCopies: from the host's copies and the blocks that the program moves at its start.
	OnlineCopies Online = "copies"
	// OnlineSample: from the program's blocks alone.
	OnlineSample Online = "sample"
)

// Error says how relative errors are averaged.
type Error string

const (
	// ErrorCapped counts at most 1 for each value (AxBench's rule).
	ErrorCapped Error = "capped"
	// ErrorOwn has no bound for one value.
	ErrorOwn Error = "own"
)

// Bandwidth says what the setting bw multiplies.
type Bandwidth string

const (
	// BandwidthClock: the clock of DRAM.
	BandwidthClock Bandwidth = "clock"
	// BandwidthChannels: the channels. L2 keeps its size.
	BandwidthChannels Bandwidth = "channels"
)

// Choice is one part of a reading, for flags.
type Choice struct {
	Flag  string
	Words []string // the default first
	set   func(r *Reading, word string)
	get   func(r *Reading) string
}

// Choices lists the parts of a reading.
func Choices() []Choice { return slices.Clone(choices) }

var choices = []Choice{
	choice("machine", func(r *Reading) *string { return &r.Machine }, slices.Concat([]string{DefaultMachine}, without(preset.Names(), DefaultMachine))...),
	choice("data", func(r *Reading) *Data { return &r.Data }, Suite, Calibrated, Natural),
	choice("sizes", func(r *Reading) *Sizes { return &r.Sizes }, StudySizes, ClaimSizes, PaperSizes),
	choice("online", func(r *Reading) *Online { return &r.Online }, OnlineCopies, OnlineSample),
	choice("error", func(r *Reading) *Error { return &r.Error }, ErrorCapped, ErrorOwn),
	choice("bandwidth", func(r *Reading) *Bandwidth { return &r.Bandwidth }, BandwidthClock, BandwidthChannels),
}

// choice makes a part from the field that holds it. An empty field stands for the first word.
func choice[T ~string](flag string, field func(r *Reading) *T, words ...T) Choice {
	c := Choice{Flag: flag}
	for _, w := range words {
		c.Words = append(c.Words, string(w))
	}
	c.set = func(r *Reading, word string) {
		if word == c.Words[0] {
			word = ""
		}
		*field(r) = T(word)
	}
	c.get = func(r *Reading) string {
		if word := string(*field(r)); word != "" {
			return word
		}
		return c.Words[0]
	}
	return c
}

func without(list []string, word string) []string {
	return slices.DeleteFunc(list, func(w string) bool { return w == word })
}

// Set chooses a word for a part.
func (r *Reading) Set(flag, word string) error {
	for _, c := range choices {
		if c.Flag != flag {
			continue
		}
		if !slices.Contains(c.Words, word) {
			return fmt.Errorf("use one of %s", strings.Join(c.Words, ", "))
		}
		c.set(r, word)
		return nil
	}
	return fmt.Errorf("a reading has no part %s", flag)
}

// Word returns the word of a part.
func (r Reading) Word(flag string) string {
	for _, c := range choices {
		if c.Flag == flag {
			return c.get(&r)
		}
	}
	return ""
}

// IsDefault reports whether the reading is one of the committed results: on the suites' or calibrated
// inputs, with the default otherwise.
func (r Reading) IsDefault() bool {
	if r.Data == Suite || r.Data == Calibrated {
		r.Data = ""
	}
	return r == Reading{}
}

// Label names a reading in one word, for folders and rows: its machine, data and sizes, and the
// other parts that differ from the default.
func (r Reading) Label() string {
	words := []string{r.Word("machine"), r.Word("data"), r.Word("sizes")}
	for _, c := range choices[3:] {
		if word := c.get(&r); word != c.Words[0] {
			words = append(words, c.Flag+"="+word)
		}
	}
	return strings.Join(words, "-")
}

// String describes a reading in words.
func (r Reading) String() string {
	text := fmt.Sprintf("%s, %s inputs, %s sizes", r.Word("machine"), r.Word("data"), r.Word("sizes"))
	for _, c := range choices[3:] {
		if word := c.get(&r); word != c.Words[0] {
			text += ", " + c.Flag + " " + word
		}
	}
	return text
}

// Ledger returns a ledger over results in this reading; nil means no results.
func (r Reading) Ledger(results Results) *Ledger {
	if results == nil {
		results = none{}
	}
	return &Ledger{results: results, reading: r, points: map[pointKey]*point{}, safe: map[string]int{}}
}
