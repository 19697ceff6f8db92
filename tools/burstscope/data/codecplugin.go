package data

import (
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// loadPlugin reads a codec from a WebAssembly file.
func loadPlugin(name string) (*plugin.Codec, error) {
	b, err := disk.ReadFile(name, plugin.MaxBytes)
	if err != nil {
		return nil, err
	}
	c, err := plugin.Load(b)
	return c, cli.InModule(name, err)
}

// module is the file with a module among the codecs of a command line, if there is one.
type module struct{ file, code string }

// named puts the file's name in the place of the codec it stands for.
func (m *module) named(names []string) []string {
	names = slices.Clone(names)
	for i := range names {
		if names[i] == codecs.Plugin {
			names[i] = filepath.Base(m.file)
		}
	}
	return names
}

// codecPlugin does with every block of a file what runs and reports do with blocks, checks all of it, and prints what a module makes of them.
func codecPlugin(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec plugin", flag.ContinueOnError)
	module := cli.FileFlag(flags, "module")
	in := newFileInput(flags)
	if err := in.parse(args); err != nil {
		return err
	}
	if *module == "" {
		return cli.Usagef("no module: burstscope codec plugin: name one with --module, such as mine.wasm")
	}
	c, err := loadPlugin(*module)
	if err != nil {
		return err
	}
	f, done, err := in.open()
	if err != nil {
		return err
	}
	defer done()
	if c.Trains() {
		t, err := survey.Train(f, []string{codecs.Plugin})
		if err != nil {
			return in.wrap(err)
		}
		if err := t.TrainModule(c); err != nil {
			return cli.InModule(*module, err)
		}
	}
	c.CheckAll()
	blocks, raw, bits := 0, 0, 0
	bursts := map[int]int{16: 0, 32: 0, 64: 0}
	var lines []mem.Line
	var sizes [plugin.BatchBlocks]int
	begin := int64(0) // of lines
	check := func() error {
		if at, err := c.Check(lines, sizes[:]); err != nil {
			return cli.InModule(*module, fmt.Errorf("block %d of %s: %w", begin+int64(at), in.file, err))
		}
		for _, n := range sizes[:len(lines)] {
			blocks++
			bits += n
			if n == codec.RawBits {
				raw++
			}
			for mag := range bursts {
				bursts[mag] += max(1, (n+mag*8-1)/(mag*8)) * mag
			}
		}
		lines = lines[:0]
		return nil
	}
	err = in.blocks(f, func(block int64, line *mem.Line) error {
		if len(lines) == 0 {
			begin = block
		}
		if lines = append(lines, *line); len(lines) < len(sizes) {
			return nil
		}
		return check()
	})
	if err == nil {
		err = check()
	}
	if err != nil {
		return err
	}
	i := c.Info()
	kind := "lossy"
	if i.Lossless {
		kind = "lossless"
	}
	fmt.Fprintf(out, "%s, %s: %s\n%d and %d cycles of %d MHz\n", i.Name, kind, i.Source, i.Timing.CompressCycles, i.Timing.DecompressCycles, i.Timing.MHz)
	if i.Cost.EnergySource != "" {
		fmt.Fprintf(out, "%g and %g pJ a block: %s\n", i.Cost.CompressPJ, i.Cost.DecompressPJ, i.Cost.EnergySource)
	}
	ratio := func(stored int) float64 { return float64(blocks*mem.LineBytes) / math.Max(1, float64(stored)) }
	fmt.Fprintf(out, "%d blocks checked, %d of them raw\nratio %.4f", blocks, raw, ratio((bits+7)/8))
	for _, mag := range []int{16, 32, 64} {
		fmt.Fprintf(out, ", in bursts of %d bytes %.4f", mag, ratio(bursts[mag]))
	}
	fmt.Fprintln(out)
	return nil
}
