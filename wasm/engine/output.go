//go:build js

package main

import (
	"fmt"
	"math"
	"slices"
	"syscall/js"

	"github.com/burstscope/burstscope/core/mem"
)

// errorParts is in how many parts the error of an output over its address is told: as many as a strip of the page has
// columns.
const errorParts = 512

// outputBytesMax bounds an output that is handed to the page [ours]: it takes four copies there, of two sides.
const outputBytesMax = 64 << 20

// sendOutputs posts the error of each output over its address, and the outputs that are pictures: exact, obtained,
// difference.
func (s *side) sendOutputs(run int) {
	if s.result.Cancelled {
		return
	}
	exact := s.study.Exact()
	for k, i := range s.plan.Program.Outputs() {
		b := &s.plan.Program.Buffers[i]
		each, mean, most := b.ErrorOverAddress(exact[k], s.result.Outputs[k], errorParts)
		post(object{
			"type": "errors", "run": run, "side": s.name, "name": b.Name, "elementBytes": b.Element.Bytes(), "each": each,
			"mean": float64Array(mean), "most": float64Array(most),
		})
		if !b.IsImage() {
			continue
		}
		want, got := b.Pixels(exact[k]), b.Pixels(s.result.Outputs[k])
		diff, scale := difference(want, got)
		post(object{
			"type": "output", "run": run, "side": s.name, "name": b.Name, "width": b.Width, "height": b.Height,
			"exact": uint8Array(want), "got": uint8Array(got), "diff": uint8Array(diff), "diffScale": scale,
		})
	}
}

// elements answers with all elements of an output of a side that has ended, exact and as the side made them, or with
// what is wrong with the question.
func (e *engine) elements(msg js.Value) {
	name, output := text(msg, "side"), text(msg, "name")
	reply := object{"type": "elements", "id": msg.Get("id"), "side": name, "name": output, "what": ""}
	defer func() { post(reply) }()
	s := e.side(name)
	if s == nil || !s.done || s.result.Cancelled {
		reply["what"] = "the run has not ended: wait for its end"
		return
	}
	p, exact := s.plan.Program, s.study.Exact()
	k := slices.IndexFunc(p.Outputs(), func(i int) bool { return p.Buffers[i].Name == output })
	if k < 0 {
		reply["what"] = fmt.Sprintf("the program has no output %q: choose one of its outputs", output)
		return
	}
	i := p.Outputs()[k]
	b := &p.Buffers[i]
	if b.Bytes > outputBytesMax {
		reply["what"] = fmt.Sprintf("%s has %d bytes, and the page shows at most %d: burstscope exec writes it to a file",
			b.Name, b.Bytes, outputBytesMax)
		return
	}
	reply["element"], reply["address"] = b.Element.String(), float64(s.run.Machine().Image().Allocations()[i].Base)
	reply["columns"], reply["exact"], reply["got"] = b.Width, uint8Array(exact[k]), uint8Array(s.result.Outputs[k])
}

// difference returns |a-b| scaled to the range of a byte, and the scale factor.
func difference(a, b []uint8) ([]uint8, int) {
	d := make([]uint8, len(a))
	most := uint8(0)
	for i := range a {
		d[i] = max(a[i], b[i]) - min(a[i], b[i])
		most = max(most, d[i])
	}
	scale := 1
	if most > 0 {
		scale = int(math.MaxUint8 / most)
	}
	for i := range d {
		d[i] *= uint8(scale)
	}
	return d, scale
}

// side returns a side that has begun, nil without it.
func (e *engine) side(name string) *side {
	for _, s := range e.sides {
		if s.name == name && s.run != nil {
			return s
		}
	}
	return nil
}

func (e *engine) sendBlocks(run int, name string, id js.Value) {
	s := e.side(name)
	if s == nil || s.run.Machine() == nil || run != e.run {
		post(failure(e.run, name, "there are no blocks yet", "message blocks", "wait until the run has started"))
		return
	}
	s.sendBlocks(run, id)
}

// untouched marks a block that was never stored in DRAM.
const untouched = 255

// sendBlocks posts how every block of device memory is stored.
func (s *side) sendBlocks(run int, id any) {
	m := s.run.Machine()
	if m == nil {
		return
	}
	n := m.Image().Lines()
	bits, lossless := make([]uint16, n), make([]uint16, n)
	bursts, mode := make([]uint8, n), make([]uint8, n)
	for i := range n {
		mode[i] = untouched
		if st, ok := m.Stored(m.Image().Base() + uint64(i)*mem.LineBytes); ok && s.touches[i] > 0 {
			bits[i], bursts[i], mode[i], lossless[i] = st.Bits, st.Bursts, uint8(st.Mode), st.LosslessBits
		}
	}
	msg := object{
		"type": "blocks", "run": run, "side": s.name, "base": float64(m.Image().Base()), "lineBytes": mem.LineBytes, "count": n,
		"bits": uint16Array(bits), "bursts": uint8Array(bursts), "mode": uint8Array(mode), "touches": uint16Array(s.touches),
		"losslessBits": uint16Array(lossless), "allocations": s.allocations(),
	}
	if id != nil {
		msg["id"] = id
	}
	post(msg)
}
