package data

import (
	"bufio"
	"flag"
	"fmt"
	"io"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

func codecTSLC(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec tslc", flag.ContinueOnError)
	p := tslc.Params{Variant: tslc.OPT, MAGBytes: 32}
	flags.Func("accounting", "", func(text string) (err error) {
		p.Header, err = tslc.ParseHeader(text)
		return err
	})
	flags.Func("tree", "", func(text string) error {
		switch text {
		case "base":
			p.Variant = tslc.PRED
		case "opt":
			p.Variant = tslc.OPT
		default:
			return fmt.Errorf("use one of base, opt")
		}
		return nil
	})
	name := flags.String("codec", e2mc.Name(16), "")
	flags.IntVar(&p.MAGBytes, "mag", p.MAGBytes, "")
	flags.IntVar(&p.ThresholdBytes, "threshold", 0, "")
	in := newCodecInput(flags)
	if err := in.parse(args); err != nil {
		return err
	}
	p.Ways = in.ways
	if err := e2mc.CheckMAG(p.MAGBytes); err != nil {
		return cli.Usagef("%s", err)
	}
	given := false
	flags.Visit(func(f *flag.Flag) { given = given || f.Name == "threshold" })
	if p.ThresholdBytes < 0 || p.ThresholdBytes > mem.LineBytes {
		return cli.Usagef("a threshold of %d bytes: want 0 to %d", p.ThresholdBytes, mem.LineBytes)
	}
	region := codec.Region{Safe: !given || p.ThresholdBytes > 0} // TSLC's own 0 is half of the MAG
	f, done, err := in.open()
	if err != nil {
		return err
	}
	defer done()
	s, err := tslcScheme(in, f, *name, p)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "block,kind,bits,level,start,len")
	kinds := [...]string{probe.ModeRaw: "raw", probe.ModeLossless: "lossless", probe.ModeLossy: "lossy"}
	err = in.blocks(f, func(block int64, line *mem.Line) error {
		st := s.Store(line, region)
		level := ""
		if st.Mode == probe.ModeLossy {
			level = tslc.LevelName(int(st.TruncatedSymbols))
		}
		_, err := fmt.Fprintf(w, "%d,%s,%d,%s,%d,%d\n", block, kinds[st.Mode], st.Bits, level, st.FirstSymbol, st.TruncatedSymbols)
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// tslcScheme returns TSLC over a codec, whose codes come from the table or the file.
func tslcScheme(in *codecInput, f *datafile.File, name string, p tslc.Params) (codec.Scheme, error) {
	if _, err := codecs.SymbolBits(name); err != nil {
		return nil, cli.Usagef("%s", err)
	}
	o, train, err := in.options([]string{name}, "")
	if err != nil {
		return nil, err
	}
	t, err := codecs.NewTrainer()
	if len(train) > 0 {
		t, err = survey.Train(f, train)
	}
	if err != nil {
		return nil, in.wrap(err)
	}
	c, err := t.Make(name, o)
	if err != nil {
		return nil, err
	}
	if e, ok := c.(*e2mc.Codec); ok && name == e2mc.Name(16) {
		return tslc.NewScheme(p, e.Table())
	}
	below, ok := c.(codec.SymbolCoder)
	if !ok {
		return nil, cli.Usagef("%s does not code one symbol after the other: take fpc, cpack, cpackz, sc, e2mc4, e2mc8, e2mc16 or e2mc32", name)
	}
	return tslc.NewOver(p, below)
}
