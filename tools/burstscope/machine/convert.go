package machine

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/workload/programs"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/convert"
)

const convertHelp = `usage: burstscope convert FILE [--preset NAME] [--workload NAME] [--out FILE.yaml]
                          [--format text|json]

Turns the settings of another simulator into values of a machine, and says of every
setting what became of it: converted, without a counterpart and why, or without effect
on results.

  FILE        gpgpusim.config of GPGPU-Sim or Accel-Sim; a file of DRAMsim3's configs
              (GDDR5, GDDR5X, GDDR6, HBM, HBM2); a YAML file of Ramulator 2 (GDDR6, HBM2),
              or what Ramulator 2.1 exports (GDDR6, HBM1, HBM2, HBM3)
  --preset    the machine with all other values; by default the nearest one
  --workload  the program of the scenario (vecadd)
  --out       also write a scenario with the machine, to be run

examples:
  burstscope convert gpgpusim.config
  burstscope convert gpgpusim.config --out mine.yaml --workload dct
  burstscope run mine.yaml
  burstscope convert HBM2_8Gb_x128.ini --preset a100 --format json
`

// maxConvertBytes bounds a file of settings [ours]: the largest have 20 kB.
const maxConvertBytes = 1 << 20

func convertVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("convert", flag.ContinueOnError)
	base := flags.String("preset", "", "")
	program := flags.String("workload", "vecadd", "")
	target := cli.FileFlag(flags, "out")
	format := cli.FormatFlag(flags, "text", "json")
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "file")); err != nil {
		return err
	}
	if name == "" {
		return cli.Usagef("no file: burstscope convert: name one of %s", strings.Join(convert.Kinds(), ", "))
	}
	text, err := cli.ReadPlain(name, maxConvertBytes)
	if err != nil {
		return err
	}
	m, err := convert.File(name, text, *base)
	if err != nil {
		return err
	}
	if *target != "" {
		s, err := convertedScenario(m, name, *program)
		if err != nil {
			return err
		}
		if err := disk.Write(*target, authoring.ToYAML(s)); err != nil {
			return err
		}
	}
	if *format == "json" {
		b, err := json.MarshalIndent(m, "", " ")
		if err != nil {
			return err
		}
		_, err = out.Write(append(b, '\n'))
		return err
	}
	_, err = io.WriteString(out, convertedText(m, name, *target))
	return err
}

// convertedScenario is a program on the machine of a file.
func convertedScenario(m *convert.Machine, name, program string) (*scenario.Scenario, error) {
	info, err := programs.Describe(program)
	if err != nil {
		return nil, fmt.Errorf("--workload: %w: burstscope workloads lists them", err)
	}
	s := scenario.Default(info.Name)
	s.Title = s.Workload.Name + " on the machine of " + filepath.Base(name)
	if err := s.Set("machine.preset", m.Preset); err != nil {
		return nil, err
	}
	s.Machine.Overrides = nil
	for _, v := range m.Overrides() {
		if err := s.Set("machine.overrides."+v.Path, v.Text); err != nil {
			return nil, err
		}
	}
	return s, s.Validate()
}

func convertedText(m *convert.Machine, name, target string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, on the preset %s\n\nmachine:\n  preset: %s\n  overrides:\n", name, m.Kind, m.Preset, m.Preset)
	list := m.Overrides()
	for _, v := range list {
		text := fmt.Sprintf("    %s: %s", v.Path, yamlWord(v.Text))
		fmt.Fprintf(&b, "%-52s # %s", text, v.From)
		if v.Note != "" {
			fmt.Fprintf(&b, ": %s", v.Note)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n%d values of the preset change; %d others are given and equal to it.\n", len(list),
		len(m.Values)-len(list))
	if len(m.Left) > 0 {
		b.WriteString("\nWithout a counterpart:\n")
		for _, l := range m.Left {
			fmt.Fprintf(&b, "  %s\n      %s\n", l.Setting, l.Why)
		}
	}
	if len(m.Quiet) > 0 {
		fmt.Fprintf(&b, "\nWithout effect on results there: %s\n", strings.Join(m.Quiet, "; "))
	}
	if target != "" {
		fmt.Fprintf(&b, "\n%s: a scenario with this machine; run it with: burstscope run %s\n", target, target)
	}
	return b.String()
}

// yamlWord quotes a value that YAML would read as something else than a word or a number.
func yamlWord(text string) string {
	if strings.ContainsAny(text, ":;@#") || text == "on" || text == "off" {
		return `"` + text + `"`
	}
	return text
}
