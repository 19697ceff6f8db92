// Package codecs makes any codec by its name, for whoever measures blocks with a
// choice of them. It is the one table of codecs.
package codecs

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/cpack"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/fibonacci"
	"github.com/burstscope/burstscope/core/codec/fpc"
	"github.com/burstscope/burstscope/core/codec/mpc"
	"github.com/burstscope/burstscope/core/codec/zvc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/tslc"
)

// Coder is a codec with its fast size.
type Coder interface {
	codec.Codec
	codec.Sizer
}

// entry is a codec: a plain one, or one that needs a table trained on symbols of
// symbolBits.
type entry struct {
	name       string
	plain      func() Coder
	symbolBits int
	trained    func(t *e2mc.Table) (Coder, error)
}

// tslcMAGBytes is the granularity for which the TSLC entries truncate: 32 bytes,
// the burst of GDDR5 (SLC section IV-A).
const tslcMAGBytes = 32

func entries() []entry {
	list := []entry{
		{name: "bdi8", plain: func() Coder { return bdi.New(bdi.Params{}) }},
		{name: "bdi8-mask", plain: func() Coder { return bdi.New(bdi.Params{CountMask: true}) }},
		{name: "bdi10", plain: func() Coder { return bdi.New(bdi.Params{Ten: true}) }},
		{name: "fpc", plain: func() Coder { return fpc.Codec{} }},
		{name: "cpack", plain: func() Coder { return cpack.New(cpack.Params{}) }},
		{name: "cpack-xm", plain: func() Coder { return cpack.New(cpack.Params{Push: cpack.PushPartial}) }},
		{name: "cpack-all", plain: func() Coder { return cpack.New(cpack.Params{Push: cpack.PushAll}) }},
		{name: "cpackz", plain: func() Coder { return cpack.New(cpack.Params{Zero: true}) }},
		{name: "bpc", plain: func() Coder { return bpc.Codec{} }},
		{name: "zvc", plain: func() Coder { return zvc.Codec{} }},
		{name: "mpc", plain: func() Coder { return mpc.Codec{} }},
		{name: "fibonacci", plain: func() Coder { return fibonacci.Codec{} }},
	}
	for _, width := range []int{4, 8, 16, 32} {
		list = append(list, entry{name: e2mc.Name(width), symbolBits: width, trained: func(t *e2mc.Table) (Coder, error) {
			return e2mc.New(e2mc.Params{SymbolBits: width}, t)
		}})
	}
	for _, v := range []tslc.Variant{tslc.SIMP, tslc.PRED, tslc.OPT} {
		list = append(list, entry{name: v.Name(), symbolBits: 16, trained: func(t *e2mc.Table) (Coder, error) {
			s, err := tslc.NewScheme(tslc.Params{Variant: v, MAGBytes: tslcMAGBytes}, t)
			if err != nil {
				return nil, err
			}
			return tslc.NewCodec(s), nil
		}})
	}
	return list
}

// Names returns the names of all codecs.
func Names() []string {
	var names []string
	for _, e := range entries() {
		names = append(names, e.name)
	}
	return names
}

// ByName returns a codec. One that needs a code table gets one made from all
// symbols of samples; the TSLC ones take every block as safe to approximate.
func ByName(name string, samples []mem.Line) (Coder, error) {
	for _, e := range entries() {
		if e.name != name {
			continue
		}
		if e.plain != nil {
			return e.plain(), nil
		}
		h, err := e2mc.NewHistogram(e.symbolBits)
		if err != nil {
			return nil, err
		}
		for i := range samples {
			h.Count(&samples[i])
		}
		table, err := e2mc.Train(h, e2mc.TrainParams{})
		if err != nil {
			return nil, err
		}
		return e.trained(table)
	}
	return nil, fmt.Errorf("codecs: no codec is named %q: want one of %s", name, strings.Join(Names(), ", "))
}
