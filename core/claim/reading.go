package claim

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

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
}

// Choices lists the parts of a reading, in the order of its fields.
func Choices() []Choice {
	others := slices.DeleteFunc(preset.Names(), func(name string) bool { return name == DefaultMachine })
	return []Choice{
		{"machine", append([]string{DefaultMachine}, others...)},
		{"data", []string{string(Suite), string(Calibrated), string(Natural)}},
		{"sizes", []string{string(StudySizes), string(ClaimSizes), string(PaperSizes)}},
		{"online", []string{string(OnlineCopies), string(OnlineSample)}},
		{"error", []string{string(ErrorCapped), string(ErrorOwn)}},
		{"bandwidth", []string{string(BandwidthClock), string(BandwidthChannels)}},
	}
}

// choices are the parts, made once: rows ask for them often.
var choices = sync.OnceValue(Choices)

// Set chooses a word for a part. An empty field stands for the first word.
func (r *Reading) Set(flag, word string) error {
	i := slices.IndexFunc(choices(), func(c Choice) bool { return c.Flag == flag })
	if i < 0 {
		return fmt.Errorf("a reading has no part %s", flag)
	}
	words := choices()[i].Words
	if !slices.Contains(words, word) {
		return fmt.Errorf("use one of %s", strings.Join(words, ", "))
	}
	if word == words[0] {
		word = ""
	}
	reflect.ValueOf(r).Elem().Field(i).SetString(word)
	return nil
}

// Word returns the word of a part.
func (r Reading) Word(flag string) string {
	for i, c := range choices() {
		if c.Flag == flag {
			return cmp.Or(reflect.ValueOf(r).Field(i).String(), c.Words[0])
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
	return r.Word("machine") + "-" + r.Word("data") + "-" + r.Word("sizes") + r.others("-", "=")
}

// String describes a reading in words.
func (r Reading) String() string {
	return fmt.Sprintf("%s, %s inputs, %s sizes", r.Word("machine"), r.Word("data"), r.Word("sizes")) + r.others(", ", " ")
}

// others are the parts beside machine, data and sizes that differ from the default.
func (r Reading) others(before, between string) (text string) {
	for _, c := range choices()[3:] {
		if word := r.Word(c.Flag); word != c.Words[0] {
			text += before + c.Flag + between + word
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
