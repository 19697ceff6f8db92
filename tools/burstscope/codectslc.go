package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/tslc"
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
	flags.IntVar(&p.MAGBytes, "mag", p.MAGBytes, "")
	flags.IntVar(&p.ThresholdBytes, "threshold", 0, "")
	in := newCodecInput(flags)
	if err := in.parse(args); err != nil {
		return err
	}
	p.Ways = in.ways
	if err := e2mc.CheckMAG(p.MAGBytes); err != nil {
		return usagef("%s", err)
	}
	given := false
	flags.Visit(func(f *flag.Flag) { given = given || f.Name == "threshold" })
	if given && (p.ThresholdBytes < 1 || p.ThresholdBytes > mem.LineBytes) {
		return usagef("a threshold of %d bytes: want 1 to %d", p.ThresholdBytes, mem.LineBytes)
	}
	f, done, err := in.open()
	if err != nil {
		return err
	}
	defer done()
	o, train, err := in.options([]string{p.Variant.Name()})
	if err != nil {
		return err
	}
	if len(train) > 0 {
		t, err := survey.Train(f, train)
		if err != nil {
			return in.wrap(err)
		}
		if o.Table, err = e2mc.Train(t.Histogram(16), e2mc.TrainParams{}); err != nil {
			return err
		}
	}
	s, err := tslc.NewScheme(p, o.Table)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "block,kind,bits,level,start,len")
	kinds := [...]string{probe.ModeRaw: "raw", probe.ModeLossless: "lossless", probe.ModeLossy: "lossy"}
	err = in.blocks(f, func(block int64, line *mem.Line) error {
		st := s.Store(line, codec.Region{Safe: true})
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
