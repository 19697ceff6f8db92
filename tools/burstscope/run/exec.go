package run

import (
	"flag"
	"fmt"
	"io"
	"math"
	"math/bits"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload/argument"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

const execHelp = `usage: burstscope exec FILE.ptx --entry NAME [--arg SPEC...]... [options]
       burstscope exec FILE.yaml [options]

Runs a kernel of a PTX file and prints the result, behind what the kernel prints with printf
(up to 1 MB; with --format json it is "printed"). Arguments are given in the order
of the kernel's parameters; buffers are allocated in that order, each at a multiple
of 256 bytes. A run of more than five seconds prints its progress on stderr.

  --entry NAME        the kernel
  --grid X,Y,Z        CTAs (default 1,1,1)
  --block X,Y,Z       threads of a CTA (default: .reqntid, the metadata, .maxntid, or 1,1,1)
  --cluster X,Y,Z     CTAs of a cluster (default: what the kernel asks for, or 1,1,1)
  --shared BYTES      dynamic shared memory of a CTA
  --metadata FILE     the .json that Triton writes beside kernel.ptx (default: the .json with
                      the name of the PTX; none: no file). It gives the entry, the block (32
                      threads for each of num_warps) and the shared memory that no option
                      gives. The last parameters of Triton's kernels, which its launcher
                      fills in, are arguments here: u64:0 without scratch memory
  --arg SPEC...       arguments; each SPEC is one of
      u32:5 s32:-1 u64:5 s64:-1 f32:1.5 f64:1.5   a number (8 and 16 bits too)
      in:FILE              a buffer with the elements of a .npy, a .pgm, .ppm or .png,
                           or of one array of several: in:FILE.safetensors#NAME,
                           in:FILE.npz#NAME; of any other file its raw bytes
      out:FILE:BYTES       a buffer of zeros, written to FILE at the end as raw bytes
      inout:FILE:OUTFILE   a buffer with what in:FILE passes, written to OUTFILE
      scratch:NAME:BYTES   a buffer of zeros that is not written to a file
      ptr:argumentN+BYTES  an address in the buffer of argument N from 1, or in bufferN
      bytes:FILE hex:00ff  bytes by value
      struct:{a=u32:5,p=ptr:argument1,n@16=f32:{1,2}}   a structure by value: fields lie
                           as in C, or at an offset (@16); zeros:N and hex: are fields too
      @NAME                the address of the buffer that --buffer NAME=... makes
      tensormap:NAME,...   a tensor map of it: dtype=f16,dims=40x20,strides=96,box=24x12 and, as
                           needed, elementStrides, interleave, swizzle, l2promotion, oobfill, or
                           mode=im2col,lower,upper,channels,pixels; dimension 0 comes first
      u32:@launch*4        a formula of the number of the launch
      tex:NAME             the handle of a texture
      @launch u64:@launch  the number of the launch, from 0 (32 bits, or the named type)
  --buffer SPEC       a buffer that no argument passes (in, out, inout, scratch): bufferN,
                      or NAME with --buffer NAME=SPEC
  --texture SETTINGS  a texture that tex reads: name=NAME,format=f32,width=W and,
                      as needed, height=H channels=1|2|4 filter=nearest|linear
                      address=clamp|border|wrap|mirror layout=linear|array
                      coordinates=texels|normalized, and data=FILE, read as in:FILE is,
                      or buffer=argumentN, the buffer of argument N from 1. NAME is a
                      .texref of the file, or what an argument tex:NAME passes
  --as raw            buffers and textures take the bytes of all files as they are
  --functional        run without a machine: the same outputs, much faster, and
                      instruction counts as the only figures
  --sanitize          --functional, and a fault of what PTX leaves undefined though a GPU may go
                      on in silence: a missing wgmma.fence or fence.proxy.async, a copy that
                      nobody has waited for, a tile or an mbarrier that is overwritten too early
                      (core/ptx/README.md)
  --round-products    round the product of every fma before adding, as GPGPU-Sim
                      does and GPUs do not: to compare outputs with that simulator
  --repeat N          launch N times, one after the other, on the same buffers
  --cooperative       refuse a grid whose CTAs do not all fit on the machine at once, as
                      cudaLaunchCooperativeKernel does: for barriers of the grid
  --programmatic      grids may begin before those in front of them have ended
                      (cudaLaunchAttributeProgrammaticStreamSerialization). Here they do not, but
                      --sanitize wants griddepcontrol.wait before they read what those write
  --non-portable      clusters may have 9 to 16 CTAs
                      (cudaFuncAttributeNonPortableClusterSizeAllowed)
  --max-ctas N        limit on the CTAs of all launches together (default
                      1048576): a typing error in --grid could run for hours
  --base ADDRESS      address of the first buffer (default 0xc0000000)
  --preset P          machine: gtx580b (default), gtx480, mini
  --set path=value    memory scheme, as for run: --set memory.codec=e2mc16
  --source            figures of each source line, as for run
  --launches, --power  figures of each launch, and power over time, as for run
  --format            text, json or csv, as for run
` + gpuHelp + `
FILE.yaml (.json, .msgpack) is a scenario with a program of your own: several kernels and
modules, loops, fills and copies (core/scenario/HOST.md). It may name the PTX (file:) and
the files of buffers (in:FILE) in its folder; outputs are written there. --functional,
--max-ctas, --preset, --set, --source, --as and --format work as with a .ptx file.

examples:
  burstscope exec k.ptx --entry vecadd --grid 1024 --block 256 \
      --arg in:a.bin in:b.bin out:c.bin:1048576 u32:262144
  burstscope exec k.ptx --entry step --grid 64 --block 256 --repeat 10 \
      --arg inout:state.bin:state10.bin --arg @launch --preset gtx480 --format json
  burstscope exec layers.ptx --entry softmax --grid 256 --block 128 \
      --arg in:model.safetensors#scores out:shares.bin:2097152 u32:1024 u32:512
  burstscope exec k.ptx --entry rotate --grid 32,32 --block 16,16 --arg out:r.bin:1048576 \
      --texture name=tex,format=f32,width=512,height=512,filter=linear,data=lena.bin
  burstscope exec k.ptx --entry vecadd --grid 1024 --block 256 --functional --on gpu \
      --arg in:a.bin in:b.bin out:c.bin:1048576 u32:262144
  burstscope exec gemm.ptx --entry gemm --grid 64 --block 128 --buffer in:a.bin --buffer out:c.bin:65536 \
      --arg 'struct:{a=ptr:buffer1, c=ptr:buffer2, n=u32:128, alpha=f32:1}'
`

func execPTX(args []string, out io.Writer) error {
	s, how, err := execScenario(args)
	if err != nil {
		return err
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return err
	}
	plan.Power, plan.Sanitize = how.tables.power, how.sanitize
	if how.filled != "" {
		fmt.Fprintln(printedTo(out, how.format), how.filled)
	}
	run := func(plan *experiment.Plan) (*experiment.Result, error) { return Finish(plan, NewMeter()) }
	if how.functional {
		run = functional
	}
	result, err := run(plan)
	if err != nil {
		return printedBefore(out, how.format, err)
	}
	for i, name := range how.outputs {
		if err := disk.Write(name, result.Outputs[i]); err != nil {
			return err
		}
	}
	return report(out, how.format, how.tables, "", result, how.gpu.runner(plan.Program, result))
}

// execution holds the options of exec that are not part of the scenario.
type execution struct {
	outputs    []string // files of the output buffers, in order
	format     string
	functional bool
	sanitize   bool
	filled     string // a sentence about what the options left out
	tables     *tables
	gpu        *gpuOptions
}

// execScenario turns a command line into a scenario. Every run of exec can therefore
// be stored as a scenario.
func execScenario(args []string) (s *scenario.Scenario, how execution, err error) {
	program := &scenario.PTX{Repeat: 1, Base: mem.DefaultBase}
	flags := flag.NewFlagSet("exec", flag.ContinueOnError)
	flags.StringVar(&program.Entry, "entry", "", "")
	flags.Func("grid", "", func(text string) (err error) { program.Grid, err = cli.ParseExtent(text); return err })
	flags.Func("block", "", func(text string) (err error) { program.Block, err = cli.ParseExtent(text); return err })
	flags.Func("cluster", "", func(text string) (err error) {
		program.Cluster,
			err = cli.ParseExtent(text)
		return err
	})
	flags.Func("base", "", func(text string) (err error) { program.Base, err = strconv.ParseUint(text, 0, 64); return err })
	flags.IntVar(&program.Shared, "shared", 0, "")
	flags.IntVar(&program.Repeat, "repeat", 1, "")
	flags.BoolFunc("programmatic", "", func(string) error { program.Launch = scenario.LaunchProgrammatic; return nil })
	flags.BoolFunc("non-portable", "", func(string) error {
		program.Launch = scenario.LaunchNonPortable
		return nil
	})
	flags.BoolFunc("cooperative", "", func(string) error { program.Launch = scenario.LaunchCooperative; return nil })
	flags.BoolVar(&how.functional, "functional", false, "")
	flags.BoolFunc("sanitize", "", func(string) error { how.functional, how.sanitize = true, true; return nil })
	how.tables = tableFlags(flags)
	flags.BoolFunc("round-products", "", func(string) error { program.FMA = scenario.FMARoundedProduct; return nil })
	metadata := flags.String("metadata", "", "")
	maxCTAs := flags.Uint64("max-ctas", defaultMaxCTAs, "")
	preset := flags.String("preset", "", "")
	sets := cli.SetFlag(flags)
	formatOf := cli.FormatFlag(flags, "text", "json", "csv")
	how.gpu = gpuFlags(flags)
	var textures []string
	flags.Func("texture", "", func(text string) error {
		textures = append(textures, text)
		_, _, err := readTexture(text)
		return err
	})
	raw := false
	flags.Func("as", "", func(word string) error {
		if raw = word == datafile.Raw; !raw {
			return fmt.Errorf("use raw, or leave it out: files say themselves what they are")
		}
		return nil
	})
	var specs, buffers []string
	flags.Func("buffer", "", func(text string) error {
		buffers = append(buffers, text)
		_, text = bufferName(text)
		_, err := argument.Parse(text)
		return err
	})
	flags.Func("arg", "", func(text string) error {
		specs = append(specs, namedPointer(text))
		_, err := argument.Parse(namedPointer(text))
		return err
	})
	var file string
	err = cli.Parse(flags, args, func(word string) error {
		if file == "" {
			file = word
			return nil
		}
		// --arg takes several: the words after it that are not flags are SPECs too.
		word = namedPointer(word)
		specs = append(specs, word)
		if _, err := argument.Parse(word); err != nil {
			return cli.Usagef("bad argument: %v", err)
		}
		return nil
	})
	if err != nil {
		return nil, how, err
	}
	if err := how.tables.check(*formatOf); err != nil {
		return nil, how, err
	}
	if err := how.gpu.check(*formatOf, how.tables); err != nil {
		return nil, how, err
	}
	switch {
	case file == "":
		return nil, how, cli.Usagef("no PTX file: burstscope exec: name one")
	case how.functional && len(how.tables.named()) > 0:
		return nil, how, cli.Usagef("%s and --functional exclude each other: only a machine has misses, stalls and energy: "+
			"leave one of them out", how.tables.named()[0])
	case cli.IsScenarioFile(file):
		if s, err = execHost(file, flags, raw, *maxCTAs, &how); err != nil {
			return nil, how, err
		}
		how.format = *formatOf
		return s, how, cli.Apply(s, withPreset(*preset, *sets))
	case program.Repeat < 1:
		return nil, how, cli.Usagef("bad --repeat: %d: use 1 or more", program.Repeat)
	}
	source, err := cli.ReadPlain(file, disk.MaxPTXBytes)
	if err != nil {
		return nil, how, err
	}
	fill := filling{program: program, file: file, source: source, given: *metadata}
	flags.Visit(func(f *flag.Flag) { fill.shared = fill.shared || f.Name == "shared" })
	if how.filled, err = fill.fill(); err != nil {
		return nil, how, err
	}
	if program.Entry == "" {
		return nil, how, cli.Usagef("no kernel: burstscope exec: name one with --entry")
	}
	if ctas := launchedCTAs(program); ctas > *maxCTAs {
		return nil, how, cli.Usagef("--grid and --repeat make %d CTAs, and burstscope exec runs at most %d: reduce them, or add --max-ctas %d", ctas, *maxCTAs, ctas)
	}
	program.File, program.Source = filepath.Base(file), string(source)
	if program.Args, how.outputs, err = readArgs("argument", specs, raw); err != nil {
		return nil, how, err
	}
	if program.Buffers, err = how.readBuffers(buffers, raw); err != nil {
		return nil, how, err
	}
	for _, text := range textures {
		t, file, err := readTexture(text)
		if err == nil && file != "" {
			t.Data, err = readTexels(&t, file, raw)
		}
		if err != nil {
			return nil, how, err
		}
		program.Textures = append(program.Textures, t)
	}
	s = scenario.Default("")
	s.Workload.PTX = program
	how.format = *formatOf
	return s, how, cli.Apply(s, withPreset(*preset, *sets))
}

// withPreset puts --preset before the assignments of --set.
func withPreset(preset string, sets []cli.Assignment) []cli.Assignment {
	if preset == "" {
		return sets
	}
	return append([]cli.Assignment{{Path: "machine.preset", Value: preset}}, sets...)
}

// readTexture reads the settings of a texture and the name of the file with its texels.
func readTexture(text string) (t scenario.Texture, file string, err error) {
	words := map[string]*string{"name": &t.Name, "buffer": &t.Buffer, "format": &t.Format, "filter": &t.Filter, "address": &t.Address, "coordinates": &t.Coordinates, "layout": &t.Layout}
	numbers := map[string]*int{"width": &t.Width, "height": &t.Height, "channels": &t.Channels}
	given := map[string]bool{}
	for _, part := range strings.Split(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		twice := given[key]
		given[key] = true
		switch {
		case ok && twice:
			return t, "", fmt.Errorf("%s is given twice: give it once", fault.Quote(key))
		case !ok:
			return t, "", fmt.Errorf("%q is no setting: write name=NAME,format=f32,width=W,...", part)
		case words[key] != nil:
			*words[key] = value
		case numbers[key] != nil:
			if *numbers[key], err = strconv.Atoi(value); err != nil {
				return t, "", fmt.Errorf("%s=%s: give a whole number", key, value)
			}
		case key == "data":
			file = value
		default:
			return t, "", fmt.Errorf("%q is no setting of a texture: use name, format, channels, width, height, filter, address, coordinates, layout, data or buffer", key)
		}
	}
	return t, file, nil
}

// readTexels reads the texels of a texture. If the file states their type, the texture must
// have it as its format.
func readTexels(t *scenario.Texture, file string, raw bool) ([]byte, error) {
	data, element, err := disk.ReadInput(file, raw)
	if err == nil && element != "" && t.Format != "" && element != t.Format {
		err = fmt.Errorf("%s: its elements are %s, and the texture %s has format=%s: write format=%s, or convert the file", file, element, t.Name, t.Format, element)
	}
	return data, err
}

// defaultMaxCTAs bounds a run without --max-ctas [ours]. With CTAs of one warp and
// seven instructions, 2^20 CTAs take 3 s and 2^31 take an hour and a half.
const defaultMaxCTAs = 1 << 20

// launchedCTAs returns the number of CTAs of all launches, or the largest uint64 if
// there are more.
func launchedCTAs(p *scenario.PTX) uint64 {
	total := uint64(p.Repeat)
	for _, n := range p.Grid {
		high, low := bits.Mul64(total, uint64(n))
		if high > 0 {
			return math.MaxUint64
		}
		total = low
	}
	return total
}

// readArgs fills the buffers from their files. Inside the scenario, buffers have the
// names of their arguments, so that its hash depends on the contents of the files and
// not on their names.
func readArgs(kind string, specs []string, raw bool) (list []scenario.Arg, outputs []string, err error) {
	for i, text := range specs {
		name := fmt.Sprintf("%s%d", kind, i+1)
		if kind == "buffer" {
			var given string
			if given, text = bufferName(text); given != "" {
				name = given
			}
		}
		spec, err := argument.Parse(text)
		if err != nil {
			return nil, nil, err
		}
		arg := scenario.Arg{Spec: text}
		if spec.Reads() {
			if arg.Data, arg.Element, err = disk.ReadInput(spec.In, raw); err != nil {
				return nil, nil, err
			}
		}
		if spec.Out != "" {
			if err := datafile.CheckRawName(spec.Out); err != nil {
				return nil, nil, err
			}
			outputs = append(outputs, spec.Out)
		}
		switch spec.Kind {
		case argument.In:
			arg.Spec = "in:" + name
		case argument.Bytes:
			arg.Spec, arg.Element = "bytes:"+name, ""
		case argument.Scratch:
			arg.Spec = fmt.Sprintf("scratch:%s:%d", name, spec.BufferBytes)
		case argument.Out:
			arg.Spec = fmt.Sprintf("out:%s:%d", name, spec.BufferBytes)
		case argument.InOut:
			arg.Spec = "inout:" + name + ":" + name
		}
		list = append(list, arg)
	}
	return list, outputs, nil
}

// bufferName splits NAME=SPEC; the name is empty without one.
func bufferName(text string) (name, spec string) {
	name, spec, ok := strings.Cut(text, "=")
	if !ok || strings.Contains(name, ":") {
		return "", text
	}
	return name, spec
}

// namedPointer turns @NAME into ptr:NAME; @launch stays.
func namedPointer(text string) string {
	if name, ok := strings.CutPrefix(text, "@"); ok && name != "" && name != "launch" {
		return "ptr:" + name
	}
	return text
}

// readBuffers reads the buffers that no argument passes; their outputs follow the arguments' outputs.
func (how *execution) readBuffers(specs []string, raw bool) ([]scenario.Arg, error) {
	list, outputs, err := readArgs("buffer", specs, raw)
	how.outputs = append(how.outputs, outputs...)
	return list, err
}
