// Package codecs makes any codec by its name, for whoever measures blocks with a
// choice of them. It is the one table of codecs.
package codecs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/cpack"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/fibonacci"
	"github.com/burstscope/burstscope/core/codec/fpc"
	"github.com/burstscope/burstscope/core/codec/hycomp"
	"github.com/burstscope/burstscope/core/codec/mpc"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/codec/tslc"
	"github.com/burstscope/burstscope/core/codec/zvc"
	"github.com/burstscope/burstscope/core/mem"
)

// Coder is a codec with its fast sizes.
type Coder interface {
	codec.Codec
	codec.Sizer
	codec.RawSizer
}

// Options of a Coder. The zero value is the paper's.
type Options struct {
	Ways int // parallel decoding ways of E2MC and TSLC; 0 = e2mc.DefaultWays
	// Table is the code of codecs that have one table, instead of one trained.
	Table *e2mc.Table
	// MAGBytes and ThresholdBytes of TSLC; 0 = 32 bytes, the burst of GDDR5 (SLC
	// section IV-A), and half of the MAG.
	MAGBytes, ThresholdBytes int
}

// entry is a codec.
type entry struct {
	name string
	// variant marks other readings and lossy schemes, which are not in Names.
	variant bool
	// symbolBits is the width of its code table, 0 if it has none.
	symbolBits int
	// typed is set for HyComp, whose codes come from blocks sorted by type.
	typed bool
	make  func(o Options, t *Trainer) (Coder, error)
}

func plain(c Coder) func(Options, *Trainer) (Coder, error) {
	return func(Options, *Trainer) (Coder, error) { return c, nil }
}

func entries() []entry {
	list := []entry{
		{name: "bdi", make: plain(bdi.New(bdi.Params{}))},
		{name: "bdi10", make: plain(bdi.New(bdi.Params{Ten: true}))},
		{name: "fpc", make: plain(fpc.Codec{})},
		{name: "cpack", make: plain(cpack.New(cpack.Params{}))},
		{name: "cpackz", make: plain(cpack.New(cpack.Params{Zero: true}))},
		{name: "bpc", make: plain(bpc.Codec{})},
		{name: "zvc", make: plain(zvc.Codec{})},
		{name: "mpc", make: plain(mpc.Codec{})},
		{name: "fibonacci", make: plain(fibonacci.Codec{})},
		{name: "sc", symbolBits: sc.SymbolBits, make: func(o Options, _ *Trainer) (Coder, error) { return sc.New(o.Table) }},
	}
	for _, width := range []int{4, 8, 16, 32} {
		list = append(list, entry{name: e2mc.Name(width), symbolBits: width, make: func(o Options, _ *Trainer) (Coder, error) {
			return e2mc.New(e2mc.Params{SymbolBits: width, Ways: o.Ways}, o.Table)
		}})
	}
	list = append(list,
		entry{name: "hycomp", typed: true, make: func(_ Options, t *Trainer) (Coder, error) { return hycomp.New(t.typed) }},
		entry{name: "bdi-mask", variant: true, make: plain(bdi.New(bdi.Params{CountMask: true}))},
		entry{name: "bdi10-mask", variant: true, make: plain(bdi.New(bdi.Params{Ten: true, CountMask: true}))},
		entry{name: "bpc-unsigned", variant: true, make: plain(bpc.Codec{Unsigned: true})},
		entry{name: "cpack-xm", variant: true, make: plain(cpack.New(cpack.Params{Push: cpack.PushPartial}))},
		entry{name: "cpack-all", variant: true, make: plain(cpack.New(cpack.Params{Push: cpack.PushAll}))},
		entry{name: "cpackz-xm", variant: true, make: plain(cpack.New(cpack.Params{Push: cpack.PushPartial, Zero: true}))},
	)
	for _, v := range []tslc.Variant{tslc.SIMP, tslc.PRED, tslc.OPT} {
		list = append(list, entry{name: v.Name(), variant: true, symbolBits: 16, make: func(o Options, _ *Trainer) (Coder, error) {
			s, err := tslc.NewScheme(tslc.Params{Variant: v, Ways: o.Ways, MAGBytes: o.MAGBytes, ThresholdBytes: o.ThresholdBytes}, o.Table)
			if err != nil {
				return nil, err
			}
			return tslc.NewCodec(s), nil
		}})
	}
	return list
}

// Names returns the names of the lossless codecs, each in its default reading.
func Names() []string { return namesOf(false) }

// Variants returns the names of other readings, and of the lossy codecs.
func Variants() []string { return namesOf(true) }

func namesOf(variant bool) []string {
	var names []string
	for _, e := range entries() {
		if e.variant == variant {
			names = append(names, e.name)
		}
	}
	return names
}

func find(name string) (entry, error) {
	for _, e := range entries() {
		if e.name == name {
			return e, nil
		}
	}
	return entry{}, fmt.Errorf("unknown codec: %q: one of %s", name, strings.Join(slices.Concat(Names(), Variants()), ", "))
}

// SymbolBits returns the width of the symbols for which a codec wants a table, 0
// if it has none to be given.
func SymbolBits(name string) (int, error) {
	e, err := find(name)
	return e.symbolBits, err
}

// Trainable reports whether a codec's codes are made from symbol counts.
func Trainable(name string) (bool, error) {
	e, err := find(name)
	return e.symbolBits != 0 || e.typed, err
}

// ByName returns a codec. One that needs a code table gets one made from all
// symbols of samples; the TSLC ones take every block as safe to approximate.
func ByName(name string, samples []mem.Line) (Coder, error) {
	t, err := NewTrainer(name)
	if err != nil {
		return nil, err
	}
	for i := range samples {
		t.Count(&samples[i])
	}
	return t.Make(name, Options{})
}
