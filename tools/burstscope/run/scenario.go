package run

import (
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
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
		return cli.Usagef("no action: burstscope scenario: say pack, unpack or check")
	}
	switch args[0] {
	case "pack", "unpack":
		return repack(args[0], args[1:], out)
	case "check":
		return checkScenarios(args[1:], out)
	case "-h", "-help", "--help":
		return flag.ErrHelp
	}
	return cli.Usagef("unknown action: burstscope scenario %s: say pack, unpack or check", args[0])
}

func repack(action string, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("scenario "+action, flag.ContinueOnError)
	target := cli.FileFlag(flags, "out")
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "scenario")); err != nil {
		return err
	}
	if name == "" {
		return cli.Usagef("no scenario: burstscope scenario %s: name a file", action)
	}
	s, err := cli.LoadScenario(name)
	if err != nil {
		return err
	}
	if action == "unpack" {
		if *target != "" {
			return disk.Write(*target, authoring.ToYAML(s))
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
	if err := disk.Write(*target, b); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes, hash %s\n", *target, len(b), s.Hash())
	return err
}

// checkedScenario reads a scenario and, if it has a program of its own, compiles it.
func checkedScenario(name string) (*scenario.Scenario, error) {
	if !cli.IsScenarioFile(name) {
		return cli.LoadScenario(name)
	}
	tree, err := cli.ReadTree(name)
	if err != nil {
		return cli.InMsgpack(name)(nil, err)
	}
	return cli.InMsgpack(name)(scenario.FromTree(tree, steps.Validate, loadFiles))
}

func checkScenarios(args []string, out io.Writer) error {
	var names []string
	flags := flag.NewFlagSet("scenario check", flag.ContinueOnError)
	if err := cli.Parse(flags, args, func(word string) error { names = append(names, word); return nil }); err != nil {
		return err
	}
	if len(names) == 0 {
		return cli.Usagef("no scenario: burstscope scenario check: name one or more")
	}
	var failed error
	for _, name := range names {
		s, err := checkedScenario(name)
		if err != nil {
			failed = cli.ErrReported
			fmt.Fprintln(out, err)
			continue
		}
		fmt.Fprintf(out, "%s: ok, hash %s\n", name, s.Hash())
	}
	return failed
}
