package machine

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/silicon/correlate/semantics"
	"github.com/burstscope/burstscope/tools/silicon/forms"
	"github.com/burstscope/burstscope/tools/silicon/gpu"
)

// semanticsVerb compares instruction forms, and files of test cases, with a GPU.
func semanticsVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("correlate semantics", flag.ContinueOnError)
	name := cli.FileFlag(flags, "out")
	var files []string
	flags.Func("cases", "", func(path string) error { files = append(files, path); return nil })
	library := flags.String("gpu-library", "", "")
	ordinal := flags.Int("gpu", 0, "")
	if err := cli.Parse(flags, args, cli.NoWord); err != nil {
		return err
	}
	device, err := gpu.OpenDevice(*library, *ordinal)
	if err != nil {
		return err
	}
	defer device.Close()
	for _, path := range files {
		cases, err := semantics.Cases(device, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: ", path)
		reportCases(out, cases)
	}
	all, err := semantics.Forms(device, forms.Catalog())
	if err != nil {
		return err
	}
	recording := reportForms(out, all)
	recording.Device, recording.Driver = device.Info().Name, device.Info().Driver
	if *name == "" {
		return nil
	}
	return disk.WriteWith(*name, recording.Write)
}

// shownMost is how many operands of a form, and how many cases of a file, are shown.
const shownMost = 3

func reportForms(out io.Writer, all []semantics.Answer) *forms.Recording {
	recording := &forms.Recording{}
	equal, approximate, differ, refused, operands := 0, 0, 0, 0, 0
	for i := range all {
		a := &all[i]
		if a.Device == nil {
			refused++
			fmt.Fprintf(out, "%s: %s%s\n", a.Form.Name(), a.Refused, a.Fault)
			continue
		}
		operands += a.Form.Cases()
		row := forms.RowOf(a.Form, a.Device)
		recording.Rows = append(recording.Rows, row)
		switch {
		case a.Equal():
			equal++
		case a.Form.Approximate():
			approximate++
			ours := forms.RowOf(a.Form, a.Ours)
			fmt.Fprintf(out, "%s: the largest error is %.3g ulps, absolute %.3g (simulator: %.3g, %.3g)\n",
				row.Name, row.Errors.Ulps, row.Errors.Absolute, ours.Errors.Ulps, ours.Errors.Absolute)
		default:
			differ++
			showDifferences(out, a)
		}
	}
	fmt.Fprintf(out, "%d forms on %d operands: %d equal, %d approximate, %d different, %d refused\n", len(all), operands, equal, approximate, differ, refused)
	return recording
}

// showDifferences shows the first operands whose results differ.
func showDifferences(out io.Writer, a *semantics.Answer) {
	table, in, width := a.Form.Operands(), a.Form.InBytes(), a.Form.OutBytes()
	count := 0
	words := func(b []byte) string {
		var text []string
		for i := 0; i < len(b); i += 8 {
			text = append(text, fmt.Sprintf("%x", binary.LittleEndian.Uint64(b[i:])))
		}
		return strings.Join(text, " ")
	}
	var b strings.Builder
	for i := range a.Form.Cases() {
		device, ours := a.Device[i*width:(i+1)*width], a.Ours[i*width:(i+1)*width]
		if bytes.Equal(device, ours) {
			continue
		}
		if count++; count <= shownMost {
			fmt.Fprintf(&b, "  of %s: device %s, simulator %s\n", words(table[i*in:(i+1)*in]), words(device), words(ours))
		}
	}
	fmt.Fprintf(out, "%s: %d of %d threads differ\n%s", a.Form.Name(), count, a.Form.Cases(), b.String())
}

func reportCases(out io.Writer, cases []semantics.Case) {
	equal, refused, failed, differ := 0, map[string]string{}, 0, 0
	var b strings.Builder
	for _, c := range cases {
		switch {
		case c.Refused != "":
			refused[c.Name] = c.Refused
		case c.Fault != "" || c.Ours != "":
			failed++
			fmt.Fprintf(&b, "  %s: %s %s\n", c.Name, c.Fault, c.Ours)
		case bytes.Equal(c.Device, c.Sim):
			equal++
		default:
			if differ++; differ <= 40*shownMost {
				at := 0
				for c.Device[at] == c.Sim[at] {
					at++
				}
				at = at / 8 * 8
				end := min(at+8, len(c.Sim))
				fmt.Fprintf(&b, "  %s: at byte %d the device has %x, the simulator %x\n", c.Name, at, c.Device[at:end], c.Sim[at:end])
			}
		}
	}
	fmt.Fprintf(out, "%d cases, %d equal, %d different, %d failed; %d tests refused by the driver\n%s", len(cases), equal, differ, failed, len(refused), b.String())
	for name, why := range refused {
		fmt.Fprintf(out, "  %s: %s\n", name, why)
	}
}
