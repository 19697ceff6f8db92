package machine

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const machineHelp = `usage: burstscope machine list [--format text|json|csv]
       burstscope machine describe PRESET [PRESET] [--set PATH=VALUE]... [--format text|json|csv]
       burstscope machine energy SET PRESET [--format text|json|csv]

list      the machines there are
describe  every value of a machine with its unit and source, and the values
          derived from them with their formulas; of two machines, both values, and * where
          they differ
energy    the values of another set of energies, as flags of run: budget28 takes SRAM,
          wires and DRAM from one source

  --set PATH=VALUE   change a value; the preset's value is then shown beside it. Of two
                     machines it changes the second one. A scenario does the same with machine.overrides.PATH=VALUE
  --format           text, or json or csv with the range or words of each value

examples:
  burstscope machine list
  burstscope machine describe gtx480
  burstscope machine describe gtx580v4 gtx580b
  burstscope machine describe mini --set sm.l1.ways=8 --format json
  burstscope run vecadd --set machine.overrides.sm.l1.ways=8
  burstscope run vecadd $(burstscope machine energy budget28 gtx580b)
`

func machineVerb(args []string, out io.Writer) error {
	if len(args) == 0 {
		return cli.Usagef("no action: burstscope machine: say list, describe or energy")
	}
	switch args[0] {
	case "list":
		return listMachines(args[1:], out)
	case "describe":
		return describeMachine(args[1:], out)
	case "energy":
		return describeEnergy(args[1:], out)
	case "-h", "-help", "--help":
		return flag.ErrHelp
	}
	return cli.Usagef("unknown action: burstscope machine %s: say list, describe or energy", args[0])
}

// describeEnergy writes the values of an energy set for a preset.
func describeEnergy(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("machine energy", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "json", "csv")
	var words []string
	if err := cli.Parse(flags, args, func(word string) error { words = append(words, word); return nil }); err != nil {
		return err
	}
	if len(words) != 2 {
		return cli.Usagef("%d words: burstscope machine energy: give a set and a preset, such as budget28 gtx580b", len(words))
	}
	list, err := preset.EnergyValues(words[0], words[1])
	if err != nil {
		return cli.Usagef("%s", err)
	}
	switch *format {
	case "json":
		return cli.PrintJSON(out, list)
	case "csv":
		rows := [][]string{{"path", "value", "source"}}
		for _, v := range list {
			rows = append(rows, []string{v.Path, v.Value, v.Source})
		}
		return csv.NewWriter(out).WriteAll(rows)
	}
	for _, v := range list {
		fmt.Fprintf(out, "--set machine.overrides.%s=%s\n", v.Path, v.Value)
	}
	return nil
}

// listed is one machine of the list.
type listed struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
}

func listMachines(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("machine list", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "json", "csv")
	if err := cli.Parse(flags, args, cli.NoWord); err != nil {
		return err
	}
	var list []listed
	rows := [][]string{{"name", "title", "source"}}
	for _, name := range preset.Names() {
		s, err := preset.GPU(name)
		if err != nil {
			return err
		}
		list = append(list, listed{s.Name, s.Title, s.Source})
		rows = append(rows, []string{s.Name, s.Title, s.Source})
	}
	switch *format {
	case "json":
		return cli.PrintJSON(out, list)
	case "csv":
		return csv.NewWriter(out).WriteAll(rows)
	}
	var b strings.Builder
	for _, m := range list {
		fmt.Fprintf(&b, "%-8s  %-38s  %s\n", m.Name, m.Title, m.Source)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func describeMachine(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("machine describe", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "json", "csv")
	sets := cli.SetFlag(flags)
	var names []string
	if err := cli.Parse(flags, args, func(word string) error { names = append(names, word); return nil }); err != nil {
		return err
	}
	switch len(names) {
	case 0:
		return cli.Usagef("no machine: burstscope machine describe: name one of %s", strings.Join(preset.Names(), ", "))
	case 1:
	case 2:
		first, err := specOf(names[0], nil)
		if err != nil {
			return err
		}
		second, err := specOf(names[1], *sets)
		if err != nil {
			return err
		}
		return beside{first, second}.print(out, *format)
	default:
		return cli.Usagef("%d machines: burstscope machine describe: name one or two", len(names))
	}
	spec, err := specOf(names[0], *sets)
	if err != nil {
		return err
	}
	fields := preset.Describe(spec)
	switch *format {
	case "json":
		return cli.PrintJSON(out, struct {
			listed
			Fields []preset.Field `json:"fields"`
		}{listed{spec.Name, spec.Title, spec.Source}, fields})
	case "csv":
		return printFieldsCSV(out, fields)
	}
	return printFields(out, spec, fields)
}

// specOf returns the machine of a preset with replaced values.
func specOf(name string, sets []cli.Assignment) (*parameter.GPU, error) {
	s := scenario.Default("vecadd") // only its machine matters
	s.Machine.Preset = name
	overrides := make([]cli.Assignment, len(sets))
	for i, a := range sets {
		overrides[i] = cli.Assignment{Path: "machine.overrides." + strings.TrimPrefix(a.Path, "machine.overrides."),
			Value: a.Value}
	}
	if err := cli.Apply(s, overrides); err != nil {
		return nil, err
	}
	return s.Machine.Spec()
}

func printFieldsCSV(out io.Writer, fields []preset.Field) error {
	rows := [][]string{{"path", "value", "unit", "preset", "doc", "source", "formula", "low", "high", "choices"}}
	for _, f := range fields {
		low, high := "", ""
		if f.Low < f.High {
			low, high = strconv.FormatInt(f.Low, 10), strconv.FormatInt(f.High, 10)
		}
		rows = append(rows, []string{f.Path, f.Value, f.Unit, f.Preset, f.Doc, f.Source, f.Formula, low, high, strings.Join(f.Choices, " ")})
	}
	return csv.NewWriter(out).WriteAll(rows)
}

func printFields(out io.Writer, spec *parameter.GPU, fields []preset.Field) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n%s\n\n", spec.Name, spec.Title, spec.Source)
	for _, f := range fields {
		value := strings.TrimSpace(f.Value + " " + f.Unit)
		if f.Preset != "" {
			value += fmt.Sprintf(" (overridden; preset %s)", f.Preset)
		}
		from := f.Source
		if f.Derived {
			from = "= " + f.Formula
		}
		fmt.Fprintf(&b, "%-38s %-24s %s\n%38s   %s\n", f.Path, value, f.Doc, "", from)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
