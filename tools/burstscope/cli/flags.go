package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// Parse reads flags and words in any order; word is called for each word.
func Parse(flags *flag.FlagSet, args []string, word func(string) error) error {
	flags.SetOutput(io.Discard)
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return err
			}
			return Usagef("%s: burstscope %s", err, flags.Name())
		}
		rest := flags.Args()
		if len(rest) == 0 {
			return nil
		}
		if err := word(rest[0]); err != nil {
			return err
		}
		args = rest[1:]
	}
}

// OneWord collects the only word of a command line.
func OneWord(dst *string, what string) func(string) error {
	return func(word string) error {
		if *dst != "" {
			return Usagef("unexpected word: %s: one %s is enough", word, what)
		}
		*dst = word
		return nil
	}
}

// NoWord is for verbs that take no words.
func NoWord(word string) error { return Usagef("unexpected word: %s", word) }

// FormatFlag declares --format with the formats of a verb.
func FormatFlag(flags *flag.FlagSet, formats ...string) *string {
	format := formats[0]
	flags.Func("format", "", func(text string) error {
		if !slices.Contains(formats, text) {
			return fmt.Errorf("use one of %s", strings.Join(formats, ", "))
		}
		format = text
		return nil
	})
	return &format
}

// Assignment is a value for a path of a scenario.
type Assignment struct{ Path, Value string }

// SetFlag collects the assignments of --set, in order.
func SetFlag(flags *flag.FlagSet) *[]Assignment { return AssignFlag(flags, "set") }

// AssignFlag adds a flag of path=value, which may be repeated.
func AssignFlag(flags *flag.FlagSet, name string) *[]Assignment {
	var list []Assignment
	flags.Func(name, "", func(text string) error {
		path, value, err := scenario.Assignment(text)
		if err != nil {
			return err
		}
		list, err = AppendOnce(list, Assignment{path, value})
		return err
	})
	return &list
}

// AppendOnce appends an assignment of a path that has none: of two values one would be lost without a word.
func AppendOnce(list []Assignment, a Assignment) ([]Assignment, error) {
	if i := slices.IndexFunc(list, func(b Assignment) bool { return b.Path == a.Path }); i >= 0 {
		return list, fmt.Errorf("%s has a value already, %s: give one of them", a.Path, fault.Quote(list[i].Value))
	}
	return append(list, a), nil
}

// Apply sets the assignments and reports every one that fails.
func Apply(s *scenario.Scenario, list []Assignment) error {
	var all fault.Errors
	for _, a := range list {
		if IsModule(a) {
			if err := SetModule(s, a); err != nil {
				return err
			}
			// A module has no symbols that TSLC could cut: the approximation of the scenario belongs to its codec.
			a = Assignment{strings.TrimSuffix(a.Path, "codec") + "approximation", "none"}
			if slices.ContainsFunc(list, func(b Assignment) bool { return b.Path == a.Path }) {
				continue
			}
		}
		var e *fault.Errors
		if errors.As(s.Set(a.Path, a.Value), &e) {
			all.List = append(all.List, e.List...)
		}
	}
	if len(all.List) > 0 {
		return &all
	}
	return withNearest(s, list, s.Validate())
}

// withNearest adds to an error which settings would be legal, if choices exclude each other. What was
// set last stays.
func withNearest(s *scenario.Scenario, list []Assignment, err error) error {
	if err == nil || len(list) == 0 {
		return err
	}
	last := list[len(list)-1].Path
	fixes := s.NearestLegal(last)
	if fixes == nil {
		return err
	}
	var words []string
	for _, x := range fixes {
		words = append(words, "--set "+x.Path+"="+x.Value)
	}
	return fmt.Errorf("%w\nnearest legal settings: add %s (see: burstscope scheme --exclusions)", err, strings.Join(words, " "))
}

// ParseExtent reads X, X,Y or X,Y,Z.
func ParseExtent(text string) ([]int, error) {
	parts := strings.Split(text, ",")
	if len(parts) > 3 {
		return nil, errors.New("give at most X,Y,Z")
	}
	var extent []int
	for _, part := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 0, 31)
		if err != nil || n == 0 {
			return nil, fmt.Errorf("%q is not a number from 1 to %d", part, math.MaxInt32)
		}
		extent = append(extent, int(n))
	}
	return extent, nil
}

// ReadPlain reads a file of text, without a mark before it.
func ReadPlain(name string, limit int64) ([]byte, error) {
	b, err := disk.ReadFile(name, limit)
	if err != nil {
		return nil, err
	}
	return fault.Text(name, b)
}
