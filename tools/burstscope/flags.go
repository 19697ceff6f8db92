package main

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
)

// parse reads flags and words in any order; word is called for each word.
func parse(flags *flag.FlagSet, args []string, word func(string) error) error {
	flags.SetOutput(io.Discard)
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return err
			}
			return usagef("%s: burstscope %s", err, flags.Name())
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

// oneWord collects the only word of a command line.
func oneWord(dst *string, what string) func(string) error {
	return func(word string) error {
		if *dst != "" {
			return usagef("unexpected word: %s: one %s is enough", word, what)
		}
		*dst = word
		return nil
	}
}

// formatFlag declares --format with the formats of a verb.
func formatFlag(flags *flag.FlagSet, formats ...string) *string {
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

// setFlag collects the assignments of --set, in order.
type assignment struct{ path, value string }

func setFlag(flags *flag.FlagSet) *[]assignment { return assignFlag(flags, "set") }

// assignFlag adds a flag of path=value, which may be repeated.
func assignFlag(flags *flag.FlagSet, name string) *[]assignment {
	var list []assignment
	flags.Func(name, "", func(text string) error {
		path, value, err := scenario.Assignment(text)
		if err != nil {
			return err
		}
		list, err = appendOnce(list, assignment{path, value})
		return err
	})
	return &list
}

// appendOnce appends an assignment of a path that has none: of two values one would be lost without a word.
func appendOnce(list []assignment, a assignment) ([]assignment, error) {
	if i := slices.IndexFunc(list, func(b assignment) bool { return b.path == a.path }); i >= 0 {
		return list, fmt.Errorf("%s has a value already, %s: give one of them", a.path, fault.Quote(list[i].value))
	}
	return append(list, a), nil
}

// apply sets the assignments and reports every one that fails.
func apply(s *scenario.Scenario, list []assignment) error {
	var all fault.Errors
	for _, a := range list {
		if isModule(a) {
			if err := setModule(s, a); err != nil {
				return err
			}
			// A module has no symbols that TSLC could cut: the approximation of the scenario belongs to its codec.
			a = assignment{strings.TrimSuffix(a.path, "codec") + "approximation", "none"}
			if slices.ContainsFunc(list, func(b assignment) bool { return b.path == a.path }) {
				continue
			}
		}
		var e *fault.Errors
		if errors.As(s.Set(a.path, a.value), &e) {
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
func withNearest(s *scenario.Scenario, list []assignment, err error) error {
	if err == nil || len(list) == 0 {
		return err
	}
	last := list[len(list)-1].path
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

// parseExtent reads X, X,Y or X,Y,Z.
func parseExtent(text string) ([]int, error) {
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

// readPlain reads a file of text, without a mark before it.
func readPlain(name string, limit int64) ([]byte, error) {
	b, err := readFile(name, limit)
	if err != nil {
		return nil, err
	}
	return fault.Text(name, b)
}
