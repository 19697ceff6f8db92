package codecs

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/bytegroup"
	"github.com/burstscope/burstscope/core/codec/cpack"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/fibonacci"
	"github.com/burstscope/burstscope/core/codec/fpc"
	"github.com/burstscope/burstscope/core/codec/hycomp"
	"github.com/burstscope/burstscope/core/codec/mpc"
	"github.com/burstscope/burstscope/core/codec/null"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/codec/zvc"
	"github.com/burstscope/burstscope/core/setting"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// Row is one codec, with everything that the rest of the program knows about it, except
// latencies, energies, throughputs and their sources: those are in the codec's Info.
type Row struct {
	// Name is the value of memory.codec, or of memory.approximation for a lossy codec.
	Name, Title string
	// Reading marks another reading of a paper that leaves something open. Such a row
	// runs like any other; lists show it apart.
	Reading bool
	// Over names the codec whose code a lossy codec shortens; empty = lossless.
	Over string
	// SymbolBits is the width of the symbols of its code table, 0 = it has none.
	SymbolBits int
	// Typed is set if its codes come from blocks that were sorted by type.
	Typed bool
	// Grouped is set if its codes come from counts of bytes by their rank in elements.
	Grouped bool
	// Ways is set if its decoder can have parallel ways.
	Ways bool
	// Settings are those that it has beside the memory group's; Options.Settings holds their values.
	Settings []setting.Setting
	// Traffic is set if counts of traffic measure it: the codecs of SLC's figure 1 and E2MC's figure 9.
	Traffic bool
	// L1 is set if it can be the codec of a compressed L1.
	L1 *L1
	// Make returns the codec, with the counts of t if it needs counts.
	Make func(o Options, t *Trainer) (Coder, error)
	// Scheme says how a memory controller stores blocks with it; nil = a block is
	// stored compressed if that saves a burst (codec.Lossless).
	Scheme func(o Options, t *Trainer) (codec.Scheme, error)
}

// MaxLatencyCycles bounds latencies of a codec that a scenario sets: ten times the slowest codec's.
const MaxLatencyCycles = 2500

// L1 is what codecs have inside a compressed L1. Those that differ only in what a paper leaves open share one, and
// have the same energies.
type L1 struct {
	Title string // what people call them
	Key   string // the end of their counters' names
	Text  string // what the counters' descriptions call them
	Place int    // of their counters among the counters of all codecs, from 1 on
}

var (
	l1BDI       = &L1{"BDI", "BDI", "BDI", 1}
	l1SC        = &L1{"SC", "SC", "SC", 2}
	l1BPC       = &L1{"BPC", "BPC", "BPC", 3}
	l1FPC       = &L1{"FPC", "FPC", "FPC", 4}
	l1CPACK     = &L1{"C-PACK", "CPACK", "C-PACK", 5}
	l1CPACKZ    = &L1{"C-PACK+Z", "CPACKZ", "C-PACK+Z", 6}
	l1ZVC       = &L1{"ZVC", "ZVC", "ZVC", 7}
	l1MPC       = &L1{"MPC", "MPC", "MPC", 8}
	l1Fibonacci = &L1{"Fibonacci", "Fibonacci", "the Fibonacci code", 9}
)

// Trained reports whether the codes are made from counts of the data in memory.
func (r *Row) Trained() bool { return r.SymbolBits != 0 || r.Typed || r.Grouped }

// InTraffic reports whether counts of traffic measure the codec.
func (r *Row) InTraffic() bool { return r.Traffic }

// HasWays reports whether the decoder can have parallel ways.
func (r *Row) HasWays() bool { return r.Ways }

// Null names the codec that saves nothing.
const Null = "null"

// Table lists all codecs. A new codec is a package and a row here.
var Table = []Row{
	{Name: "bdi", Title: "BDI", Traffic: true, L1: l1BDI, Make: plain(bdi.New(bdi.Params{}))},
	{Name: "bdi10", Title: "BDI, ten encodings", L1: l1BDI, Make: plain(bdi.New(bdi.Params{Ten: true}))},
	{Name: "fpc", Title: "FPC", Traffic: true, L1: l1FPC, Make: plain(fpc.Codec{})},
	{Name: "cpack", Title: "C-PACK", Traffic: true, L1: l1CPACK, Make: plain(cpack.New(cpack.Params{}))},
	{Name: "cpackz", Title: "C-PACK+Z", L1: l1CPACKZ, Make: plain(cpack.New(cpack.Params{Zero: true}))},
	{Name: "bpc", Title: "BPC", Traffic: true, L1: l1BPC, Make: plain(bpc.Codec{})},
	{Name: "zvc", Title: "ZVC", L1: l1ZVC, Make: plain(zvc.Codec{})},
	{Name: "mpc", Title: "MPC", L1: l1MPC, Make: plain(mpc.Codec{})},
	{Name: "fibonacci", Title: "Fibonacci", L1: l1Fibonacci, Make: plain(fibonacci.Codec{})},
	{Name: "sc", Title: "SC", SymbolBits: sc.SymbolBits, L1: l1SC, Make: func(o Options, t *Trainer) (Coder, error) {
		if o.Table == nil {
			var err error
			if o.Table, err = sc.Train(t.Histogram(sc.SymbolBits)); err != nil {
				return nil, err
			}
		}
		return sc.New(o.Table)
	}},
	e2mcRow(4, "E2MC-4"), e2mcRow(8, "E2MC-8"), e2mcRow(16, "E2MC-16"), e2mcRow(32, "E2MC-32"),
	{Name: "hycomp", Title: "HyComp", Typed: true, Make: func(_ Options, t *Trainer) (Coder, error) { return hycomp.New(t.typed) }},
	groupedRow("dfloat11", "DFloat11-like", bytegroup.NewDFloat11), groupedRow("zipnn", "ZipNN-like", bytegroup.NewZipNN),

	{Name: "bdi-mask", Title: "BDI, mask counted", Reading: true, L1: l1BDI, Make: plain(bdi.New(bdi.Params{CountMask: true}))},
	{Name: "bdi10-mask", Title: "BDI, ten encodings, mask counted", Reading: true, L1: l1BDI, Make: plain(bdi.New(bdi.Params{Ten: true, CountMask: true}))},
	{Name: "bpc-unsigned", Title: "BPC, unsigned words", Reading: true, L1: l1BPC, Make: plain(bpc.Codec{Unsigned: true})},
	{Name: "cpack-xm", Title: "C-PACK, partial matches enter", Reading: true, L1: l1CPACK, Make: plain(cpack.New(cpack.Params{Push: cpack.PushPartial}))},
	{Name: "cpack-all", Title: "C-PACK, all matches enter", Reading: true, L1: l1CPACK, Make: plain(cpack.New(cpack.Params{Push: cpack.PushAll}))},
	{Name: "cpackz-xm", Title: "C-PACK+Z, partial matches enter", Reading: true, L1: l1CPACKZ, Make: plain(cpack.New(cpack.Params{Push: cpack.PushPartial, Zero: true}))},

	{Name: Null, Title: "null, which saves nothing", Reading: true, Make: plain(null.Codec{})},

	tslcRow(tslc.SIMP, "TSLC-SIMP"), tslcRow(tslc.PRED, "TSLC-PRED"), tslcRow(tslc.OPT, "TSLC-OPT"),
}

func plain(c Coder) func(Options, *Trainer) (Coder, error) {
	return func(Options, *Trainer) (Coder, error) { return c, nil }
}

func groupedRow(name, title string, from func(*bytegroup.Counts) (*bytegroup.Codec, error)) Row {
	make := func(_ Options, t *Trainer) (Coder, error) { return from(t.groups) }
	return Row{Name: name, Title: title, Grouped: true, Make: make}
}

func e2mcRow(width int, title string) Row {
	params := func(o Options) e2mc.Params { return e2mc.Params{SymbolBits: width, Ways: o.Ways} }
	return Row{
		Name: e2mc.Name(width), Title: title, SymbolBits: width, Ways: true, Traffic: true,
		Make: func(o Options, t *Trainer) (Coder, error) {
			table, err := t.e2mcTable(o, width)
			if err != nil {
				return nil, err
			}
			return e2mc.New(params(o), table)
		},
		Scheme: func(o Options, t *Trainer) (codec.Scheme, error) {
			table, err := t.e2mcTable(o, width)
			if err != nil {
				return nil, err
			}
			p := params(o)
			p.MAGBytes = o.MAGBytes
			return e2mc.NewScheme(p, table)
		},
	}
}

// tslcSymbolBits is the width of the symbols that SLC truncates (section IV-A).
const tslcSymbolBits = 16

func tslcRow(v tslc.Variant, title string) Row {
	scheme := func(o Options, t *Trainer) (*tslc.Scheme, error) {
		table, err := t.e2mcTable(o, tslcSymbolBits)
		if err != nil {
			return nil, err
		}
		return tslc.NewScheme(tslc.Params{Variant: v, Ways: o.Ways, MAGBytes: o.MAGBytes, ThresholdBytes: o.ThresholdBytes, Header: o.Header, Prediction: o.Prediction}, table)
	}
	return Row{
		Name: v.Name(), Title: title, Over: e2mc.Name(tslcSymbolBits), SymbolBits: tslcSymbolBits, Ways: true,
		Make: func(o Options, t *Trainer) (Coder, error) {
			s, err := scheme(o, t)
			if err != nil {
				return nil, err
			}
			return tslc.NewCodec(s), nil
		},
		Scheme: func(o Options, t *Trainer) (codec.Scheme, error) { return scheme(o, t) },
	}
}
