package data

import (
	"bufio"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// codecHelp lists the codecs of the table.
var codecHelp = strings.ReplaceAll(`usage: burstscope codec list
       burstscope codec report FILE
       burstscope codec sizes --codec NAMES [--raw] [--table FILE.csv] [--pdw N] FILE
       burstscope codec tslc [--codec NAME] [--accounting A] [--tree T] [--mag M]
                             [--threshold T] [--table FILE.csv] [--pdw N] FILE
       burstscope codec train --symbol-bits N FILE
       burstscope codec plugin --module MINE.wasm FILE
       burstscope codec tensors [--sort COLUMN] [--codec NAMES] [--format csv]

Measures how the 128-byte blocks of a file compress. The file is streamed.

list    the codecs with their latencies, energies and sources.
report  for every codec: the compression ratio, raw and in bursts of 16, 32 and 64
        bytes; how far blocks end above a multiple of 32 bytes; and the bound that
        entropy sets. --format text or csv; --codec NAMES selects codecs.
sizes   the size of each block in bits, as CSV: block and a column for each codec.
        A block that a codec cannot shrink has 1024 bits; with --raw it has the
        size of its code.
tslc    how SLC stores each block, as CSV: block, kind (raw, lossless, lossy) and
        bits. Lossy blocks also have the level of the tree (2b and 3b are OPT's
        additions), the first truncated symbol and the number of truncated symbols.
        Every block is taken as safe to approximate. --codec NAME selects the codec
        below: e2mc16 (default), e2mc4, e2mc8, e2mc32, sc, fpc, cpack or cpackz.
train   the E2MC code of all symbols of a file, as CSV.
plugin  a codec of your own, as a WebAssembly module: every block is encoded and
        decoded, and the first fault is named. tools/plugin/README.md says what a
        module exports and has templates in C, AssemblyScript and Go.

tensors what every codec makes of real weights, pictures and models, and of the data
        that the programs draw in their place; assets/data/README.md tells their
        origins. --sort COLUMN: any column of --format csv.

  --codec NAMES   separated by commas: one file with a module, MINE.wasm, and
CODECS  --table FILE    the code table of E2MC, SC and TSLC: symbol_hex,count,len,code_bin
                  with a row ESC, as train prints it. Without --table the codes are
                  made from all symbols of the file.
  --pdw N         parallel decoding ways of E2MC and TSLC: 1, 2, 4 (default) or 8
  --symbol-bits N 4, 8, 16 or 32
  --accounting A  how TSLC's header counts: fixed32 (default), variable or literal
  --tree T        opt (default), or base without OPT's additional nodes
  --mag M         memory access granularity: 16, 32 (default) or 64 bytes
  --threshold T   lossy threshold in bytes; default half of the MAG; 0 cuts nothing

Files: .npy, .npz, .safetensors, .tflite, .pgm, .ppm and .png are recognised by their
first bytes, .onnx by its name, and the numbers in them are measured. Of model.safetensors.index.json, the
shards beside it are read. A file of another known kind is refused: a pointer of Git
LFS, a web page, a compressed or damaged file, a checkpoint of PyTorch. Any other file,
such as x.bin, is read as raw bytes, and the verb says so. Every array begins a new
block, and its last block is padded with zeros. Elements of types without an own
reading, such as F4 and F6_E2M3, are counted as bytes.

  --as FORMAT     read the file as raw, npy, npz, safetensors, onnx, tflite, index, pnm or
                  png
  --type T        element type of a raw file: u8, i8, u16, f16, bf16, u32, i32, f32,
                  u64, i64, f64, ...
  --offset N      where the elements of a raw file start, in bytes
  --array NAME    measure only this array of the file

example:
  burstscope codec report weights.safetensors
  burstscope codec train --symbol-bits 16 image.bin >table.csv
  burstscope codec sizes --codec bdi,fpc,e2mc16 --table table.csv image.bin
`, "CODECS", cli.Wrapped("    ", strings.Join(codecs.All(), ", ")))

func codecVerb(args []string, out io.Writer) error {
	const actions = "say list, report, sizes, tslc, train, plugin or tensors"
	if len(args) == 0 {
		return cli.Usagef("no action: burstscope codec: %s", actions)
	}
	switch args[0] {
	case "list":
		return codecList(args[1:], out)
	case "report":
		return codecReport(args[1:], out)
	case "sizes":
		return codecSizes(args[1:], out)
	case "tslc":
		return codecTSLC(args[1:], out)
	case "train":
		return codecTrain(args[1:], out)
	case "tensors":
		return codecTensors(args[1:], out)
	case "plugin":
		return codecPlugin(args[1:], out)
	case "-h", "-help", "--help":
		return flag.ErrHelp
	}
	return cli.Usagef("unknown action: burstscope codec %s: %s", args[0], actions)
}

func codecList(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec list", flag.ContinueOnError)
	if err := cli.Parse(flags, args, func(word string) error { return cli.Usagef("unexpected word: %s: codec list takes none", word) }); err != nil {
		return err
	}
	w := csv.NewWriter(out)
	rows := [][]string{{
		"name", "lossless", "compressCycles", "decompressCycles", "l1CompressCycles", "l1DecompressCycles", "compressPJ", "decompressPJ",
		"compressorMM2", "compressorMW", "decompressorMM2", "decompressorMW", "tableBytes", "source", "energySource", "unitSource",
	}}
	for _, name := range codecs.All() {
		c, err := codecs.ByName(name, nil)
		if err != nil {
			return err
		}
		i := c.Info()
		number := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
		rows = append(rows, []string{
			name, strconv.FormatBool(i.Lossless), strconv.Itoa(i.Timing.CompressCycles), strconv.Itoa(i.Timing.DecompressCycles),
			strconv.Itoa(i.Cost.L1CompressCycles), strconv.Itoa(i.Cost.L1DecompressCycles), number(i.Cost.CompressPJ), number(i.Cost.DecompressPJ),
			number(i.Cost.Compressor.AreaMM2), number(i.Cost.Compressor.PowerMW), number(i.Cost.Decompressor.AreaMM2), number(i.Cost.Decompressor.PowerMW),
			strconv.Itoa(i.Cost.Compressor.TableBytes + i.Cost.Decompressor.TableBytes), i.Source, i.Cost.EnergySource, i.Cost.UnitSource,
		})
	}
	return w.WriteAll(rows)
}

func codecSizes(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec sizes", flag.ContinueOnError)
	list := flags.String("codec", "", "")
	raw := flags.Bool("raw", false, "")
	in := newCodecInput(flags)
	if err := in.parse(args); err != nil {
		return err
	}
	if *list == "" {
		return cli.Usagef("no codec: burstscope codec sizes: name some with --codec: %s", strings.Join(codecs.Names(), ", "))
	}
	names, module, err := codecNames(*list)
	if err != nil {
		return err
	}
	f, done, err := in.open()
	if err != nil {
		return err
	}
	defer done()
	o, train, err := in.options(names, module.code)
	if err != nil {
		return err
	}
	trainer, err := codecs.NewTrainer()
	if len(train) > 0 {
		trainer, err = survey.Train(f, train)
	}
	if err != nil {
		return in.wrap(err)
	}
	coders := make([]codecs.Coder, len(names))
	for i, name := range names {
		if coders[i], err = trainer.Make(name, o); err != nil {
			return err
		}
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "block,"+strings.Join(module.named(names), ","))
	var row []byte
	err = in.blocks(f, func(block int64, line *mem.Line) error {
		row = strconv.AppendInt(row[:0], block, 10)
		for _, c := range coders {
			size := 0
			if *raw {
				size = c.RawBits(line)
			} else {
				size = c.SizeBits(line)
			}
			if err := codecs.FaultOf(c); err != nil {
				return cli.InModule(module.file, fmt.Errorf("block %d of %s: %w", block, in.file, err))
			}
			row = strconv.AppendInt(append(row, ','), int64(size), 10)
		}
		_, err := w.Write(append(row, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

func codecTrain(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec train", flag.ContinueOnError)
	bits := flags.Int("symbol-bits", 0, "")
	in := newFileInput(flags)
	if err := in.parse(args); err != nil {
		return err
	}
	if !slices.Contains([]int{4, 8, 16, 32}, *bits) {
		return cli.Usagef("no symbol width: burstscope codec train: give --symbol-bits 4, 8, 16 or 32")
	}
	f, done, err := in.open()
	if err != nil {
		return err
	}
	defer done()
	t, err := survey.Train(f, nil, *bits)
	if err != nil {
		return in.wrap(err)
	}
	h := t.Histogram(*bits)
	table, err := e2mc.Train(h, e2mc.TrainParams{})
	if err != nil {
		return err
	}
	_, err = out.Write(table.AppendCSV(nil, h))
	return err
}

// codecNames splits a list of names and checks them. One of them may be a file with a module.
func codecNames(list string) (names []string, m module, err error) {
	names = strings.Split(list, ",")
	for i, name := range names {
		switch {
		case cli.IsModuleFile(name) && m.file != "":
			return nil, m, cli.Usagef("--codec: %s and %s are modules: measure them one after the other", m.file, name)
		case cli.IsModuleFile(name):
			m.file, names[i] = name, codecs.Plugin
			if m.code, err = cli.ModuleOf(name); err != nil {
				return nil, m, err
			}
		case name == codecs.Plugin:
			return nil, m, cli.Usagef("--codec plugin: name the file of the module, such as mine.wasm")
		default:
			if _, err := codecs.SymbolBits(name); err != nil {
				return nil, m, cli.Usagef("%s", err)
			}
		}
	}
	return names, m, nil
}
