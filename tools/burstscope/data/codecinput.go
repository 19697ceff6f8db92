package data

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// codecInput is the file that a codec verb measures, and the code it uses.
type codecInput struct {
	flags    *flag.FlagSet
	file     string
	format   string
	typeName string
	offset   int64
	array    string
	table    string
	ways     int
	notes    *[]string
}

// newFileInput declares the flags of a data file.
func newFileInput(flags *flag.FlagSet) *codecInput {
	in := &codecInput{flags: flags}
	flags.StringVar(&in.format, "as", "", "")
	flags.StringVar(&in.typeName, "type", "", "")
	flags.Int64Var(&in.offset, "offset", 0, "")
	flags.StringVar(&in.array, "array", "", "")
	return in
}

// newCodecInput declares the flags of a data file and those of a code.
func newCodecInput(flags *flag.FlagSet) *codecInput {
	in := newFileInput(flags)
	cli.FileVar(flags, &in.table, "table")
	flags.IntVar(&in.ways, "pdw", e2mc.DefaultWays, "")
	return in
}

func (in *codecInput) parse(args []string) error {
	if err := cli.Parse(in.flags, args, cli.OneWord(&in.file, "file")); err != nil {
		return err
	}
	if in.file == "" {
		return cli.Usagef("no file: burstscope %s: name one", in.flags.Name())
	}
	if err := checkFormat(in.format); err != nil {
		return err
	}
	if in.typeName != "" {
		if _, err := datafile.ParseType(in.typeName); err != nil {
			return cli.Usagef("%s", err)
		}
	}
	if in.ways != 0 {
		if err := e2mc.CheckWays(in.ways); err != nil {
			return cli.Usagef("%s", err)
		}
	}
	return nil
}

// checkFormat checks the word of --as.
func checkFormat(name string) error {
	if name != "" && !slices.Contains(datafile.Formats(), name) {
		return cli.Usagef("unknown format: %q: one of %s", name, strings.Join(datafile.Formats(), ", "))
	}
	return nil
}

// open opens the file; done closes it. What a reader of the figures must know about it goes to
// the notes, or to stderr if the verb prints none.
func (in *codecInput) open() (f *datafile.File, done func(), err error) {
	o := datafile.Options{Format: in.format, Offset: in.offset, Array: in.array}
	if in.typeName != "" {
		if o.Type, err = datafile.ParseType(in.typeName); err != nil {
			return nil, nil, err
		}
	}
	if f, done, err = disk.OpenData(in.file, o); err != nil {
		return nil, nil, disk.DataFault(in.file, err)
	}
	for _, note := range f.Notes {
		note = fault.Visible(in.file) + ": " + fault.Visible(note)
		if in.notes == nil {
			fmt.Fprintln(os.Stderr, note)
			continue
		}
		*in.notes = append(*in.notes, note)
	}
	return f, done, nil
}

// wrap adds the file's name to an error.
func (in *codecInput) wrap(err error) error { return fmt.Errorf("%s: %w", in.file, err) }

// blocks calls do with every block of the file.
func (in *codecInput) blocks(f *datafile.File, do func(block int64, line *mem.Line) error) error {
	lines := make([]mem.Line, 256)
	b := f.Blocks()
	for block := int64(0); ; {
		n, _, err := b.Next(lines)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return in.wrap(err)
		}
		for i := range lines[:n] {
			if err := do(block, &lines[i]); err != nil {
				return err
			}
			block++
		}
	}
}

// scLengthBits is longer than any code: SC does not limit the length.
const scLengthBits = 32

// options reads the table, if one is given. It also returns the names of the codecs
// whose codes must be made from the file.
func (in *codecInput) options(names []string, module string) (o codecs.Options, train []string, err error) {
	o.Ways, o.Module = in.ways, module
	width, limited := 0, false
	for _, name := range names {
		bits, err := codecs.SymbolBits(name)
		if err != nil {
			return o, nil, err
		}
		switch {
		case codecs.TrainedModule(name, module), codecs.Trained(name) && (in.table == "" || bits == 0):
			train = append(train, name)
		case bits == 0:
		case width != 0 && width != bits:
			return o, nil, cli.Usagef("one table cannot serve symbols of %d and of %d bits: measure %s on its own", width, bits, name)
		default:
			width = bits
			limited = limited || name != "sc"
		}
	}
	if in.table == "" {
		return o, train, nil
	}
	if width == 0 {
		return o, nil, cli.Usagef("no codec named here has a table: leave --table out")
	}
	text, err := cli.ReadPlain(in.table, maxTableBytes)
	if err != nil {
		return o, nil, err
	}
	limit := 0
	if !limited {
		limit = scLengthBits
	}
	if o.Table, err = e2mc.ParseCSV(string(text), width, limit); err != nil {
		return o, nil, fmt.Errorf("%s: %w", in.table, err)
	}
	return o, train, nil
}

// maxTableBytes bounds the text of a table.
const maxTableBytes = 4 << 20
