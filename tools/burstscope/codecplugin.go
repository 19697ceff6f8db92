package main

import (
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/burstscope/burstscope/core/codec"
	core "github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/tools/plugin"
)

// loadPlugin reads a codec from a WebAssembly file.
func loadPlugin(name string) (*core.Codec, error) {
	b, err := readFile(name, core.MaxBytes)
	if err != nil {
		return nil, err
	}
	c, err := plugin.Load(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: see tools/plugin/README.md", name, err)
	}
	return c, nil
}

// codecPlugin checks a module on every block of a file, and prints what it makes of them.
func codecPlugin(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec plugin", flag.ContinueOnError)
	module := flags.String("module", "", "")
	in := newFileInput(flags)
	if err := in.parse(args); err != nil {
		return err
	}
	if *module == "" {
		return usagef("no module: burstscope codec plugin: name one with --module, such as mine.wasm")
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
	var code codec.Block
	blocks, raw, bits := 0, 0, 0
	bursts := map[int]int{16: 0, 32: 0, 64: 0}
	err = in.blocks(f, func(block int64, line *mem.Line) error {
		n := c.Encode(&code, line)
		if err := c.Err(); err != nil {
			return fmt.Errorf("%s: block %d of %s: %w", *module, block, in.file, err)
		}
		blocks++
		bits += n
		if n == codec.RawBits {
			raw++
		}
		for mag := range bursts {
			bursts[mag] += max(1, (n+mag*8-1)/(mag*8)) * mag
		}
		return nil
	})
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
