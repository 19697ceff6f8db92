package main

import (
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

const scenarioHelp = `usage: burstscope scenario pack FILE.yaml [--out FILE.msgpack]
       burstscope scenario unpack SCENARIO [--out FILE.yaml]
       burstscope scenario check SCENARIO...

pack    writes the canonical msgpack of a scenario, by default beside it
unpack  prints a scenario as YAML, or writes it to a file
check   prints one line with the hash for each correct scenario, and every fault
        of the others: what is wrong, where, and what to do

SCENARIO is a shipped name or a .yaml, .json or .msgpack file. The hash covers the
values that change results. It does not cover title, notes, comparison, and settings
of a codec that is off.

examples:
  burstscope scenario pack mine.yaml
  burstscope scenario unpack dct
  burstscope scenario check *.yaml
`

func scenarioVerb(args []string, out io.Writer) error {
	if len(args) == 0 {
		return usagef("no action: burstscope scenario: say pack, unpack or check")
	}
	switch args[0] {
	case "pack", "unpack":
		return repack(args[0], args[1:], out)
	case "check":
		return checkScenarios(args[1:], out)
	case "-h", "-help", "--help":
		return flag.ErrHelp
	}
	return usagef("unknown action: burstscope scenario %s: say pack, unpack or check", args[0])
}

func repack(action string, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("scenario "+action, flag.ContinueOnError)
	target := fileFlag(flags, "out")
	var name string
	if err := parse(flags, args, oneWord(&name, "scenario")); err != nil {
		return err
	}
	if name == "" {
		return usagef("no scenario: burstscope scenario %s: name a file", action)
	}
	s, err := loadScenario(name)
	if err != nil {
		return err
	}
	if action == "unpack" {
		if *target != "" {
			return writeFile(*target, authoring.ToYAML(s))
		}
		_, err := out.Write(authoring.ToYAML(s))
		return err
	}
	if *target == "" {
		*target = strings.TrimSuffix(name, filepath.Ext(name)) + ".msgpack"
	}
	b := authoring.Marshal(s)
	if len(b) > scenario.MaxMsgpackBytes {
		return fmt.Errorf("scenario too large: %s: %d bytes packed, at most %d are read", name, len(b), scenario.MaxMsgpackBytes)
	}
	if err := writeFile(*target, b); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes, hash %s\n", *target, len(b), s.Hash())
	return err
}

// checkedScenario reads a scenario and, if it has a program of its own, compiles it.
func checkedScenario(name string) (*scenario.Scenario, error) {
	if !isScenarioFile(name) {
		return loadScenario(name)
	}
	tree, err := readTree(name)
	if err != nil {
		return inMsgpack(name)(nil, err)
	}
	return inMsgpack(name)(scenario.FromTree(tree, steps.Validate, loads))
}

func checkScenarios(args []string, out io.Writer) error {
	var names []string
	flags := flag.NewFlagSet("scenario check", flag.ContinueOnError)
	if err := parse(flags, args, func(word string) error { names = append(names, word); return nil }); err != nil {
		return err
	}
	if len(names) == 0 {
		return usagef("no scenario: burstscope scenario check: name one or more")
	}
	var failed error
	for _, name := range names {
		s, err := checkedScenario(name)
		if err != nil {
			failed = errReported
			fmt.Fprintln(out, err)
			continue
		}
		fmt.Fprintf(out, "%s: ok, hash %s\n", name, s.Hash())
	}
	return failed
}
