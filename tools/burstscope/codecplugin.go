package main

import (
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
	_ "github.com/burstscope/burstscope/tools/plugin" // runs modules
)

// loadPlugin reads a codec from a WebAssembly file.
func loadPlugin(name string) (*plugin.Codec, error) {
	b, err := readFile(name, plugin.MaxBytes)
	if err != nil {
		return nil, err
	}
	c, err := plugin.Load(b)
	return c, inModule(name, err)
}

// inModule says which file a fault of a module is about.
func inModule(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w: see tools/plugin/README.md", name, err)
}

// isModuleFile reports whether what stands for a codec is a file with a module.
func isModuleFile(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".wasm") }

// moduleOf reads a module that can stand where a codec can.
func moduleOf(name string) (string, error) {
	b, err := readFile(name, plugin.MaxBytes)
	if err != nil {
		return "", err
	}
	_, err = codecs.LoadModule(string(b))
	return string(b), inModule(name, err)
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

// isModule reports whether an assignment names a file as the codec of a side.
func isModule(a assignment) bool {
	return (a.path == "memory.codec" || a.path == "compare.memory.codec") && isModuleFile(a.value)
}

// ofModule adds the file of a run's module to a fault that the module had in the run.
func ofModule(sets []assignment, err error) error {
	if !strings.HasPrefix(err.Error(), "memory.module: ") {
		return err
	}
	for _, a := range slices.Backward(sets) {
		if isModule(a) {
			return inModule(a.value, err)
		}
	}
	return err
}

// setModule puts the module of a file into a scenario.
func setModule(s *scenario.Scenario, a assignment) error {
	module, err := moduleOf(a.value)
	if err != nil {
		return err
	}
	if err := s.Set(a.path, codecs.Plugin); err != nil {
		return err
	}
	return s.Set(strings.TrimSuffix(a.path, "codec")+"module", base64.StdEncoding.EncodeToString([]byte(module)))
}

// codecPlugin does with every block of a file what runs and reports do with blocks, checks all of it, and prints what a module makes of them.
func codecPlugin(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec plugin", flag.ContinueOnError)
	module := fileFlag(flags, "module")
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
	if c.Trains() {
		t, err := survey.Train(f, []string{codecs.Plugin})
		if err != nil {
			return in.wrap(err)
		}
		if err := t.TrainModule(c); err != nil {
			return inModule(*module, err)
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
			return inModule(*module, fmt.Errorf("block %d of %s: %w", begin+int64(at), in.file, err))
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
