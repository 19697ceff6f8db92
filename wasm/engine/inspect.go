//go:build js

package main

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"syscall/js"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

var modeNames = [...]string{"raw", "lossless", "lossy"}

// inspect explains one block: its bytes, how it is stored, and why.
func (e *engine) inspect(msg js.Value) {
	name := text(msg, "side")
	s := e.side(name)
	if s == nil || s.run.Machine() == nil {
		post(answering(msg, failure(e.run, name, "blocks cannot be inspected yet", "message inspect", "wait until the run has started")))
		return
	}
	a, err := parseAddress(text(msg, "addr"))
	m := s.machineAt(msg)
	image := m.Image()
	if err == nil && (a < image.Base() || a >= image.Top()) {
		err = fmt.Errorf("%#x is outside device memory, which reaches from %#x to %#x", a, image.Base(), image.Top())
	}
	if err != nil {
		post(answering(msg, failure(e.run, name, err.Error(), "address", "type an address of an allocation, such as "+fmt.Sprintf("%#x", image.Base()))))
		return
	}
	a = mem.LineAddr(a)
	var line mem.Line
	image.ReadLine(a, &line)
	channel, local := m.AddressMap().Split(a)
	place := m.AddressMap().Place(local)
	out := object{
		"type": "inspected", "run": e.run, "id": msg.Get("id"), "side": name, "addr": float64(a), "bytes": hex.EncodeToString(line[:]),
		"cycle": s.cycleOf(m), "channel": channel, "bank": int(place.Bank), "row": int(place.Row), "column": int(place.Column),
	}
	region := codec.Region{}
	if i := image.Find(a); i >= 0 {
		al := image.Allocations()[i]
		region = codec.Region{Safe: al.Safe, ThresholdBytes: al.ThresholdBytes}
		out["allocation"], out["safe"], out["offset"] = al.Name, al.Safe, float64(a-al.Base)
	}
	if st, ok := m.Stored(a); ok {
		out["stored"] = object{
			"bits": int(st.Bits), "bursts": int(st.Bursts), "mode": modeNames[st.Mode], "firstSymbol": int(st.FirstSymbol),
			"truncatedSymbols": int(st.TruncatedSymbols), "excessBits": int(st.ExcessBits), "losslessBits": int(st.LosslessBits),
		}
	}
	if m == s.past.Machine() {
		if words := s.past.Copied(uint32(number(msg, "req"))); words != "" {
			out["copied"] = words
		}
	}
	switch sc := s.run.Scheme().(type) {
	case *e2mc.Scheme:
		out["lengths"] = lengths(sc.Table(), &line)
	case *tslc.Scheme:
		out["lengths"] = lengths(sc.Table(), &line)
		out["decision"] = toJS(sc.Explain(&line, region))
	}
	post(out)
}

// answering marks a failure as the answer to a question; it does not end the run.
func answering(question js.Value, failed object) object {
	failed["id"] = question.Get("id")
	return failed
}

// lengths returns the code length of each symbol of a block as it lies in DRAM.
func lengths(t *e2mc.Table, line *mem.Line) []any {
	var l [e2mc.MaxSymbols]uint8
	n := t.Lengths(line, &l)
	out := make([]any, n)
	for i := range n {
		out[i] = int(l[i])
	}
	return out
}

func parseAddress(s string) (mem.Addr, error) {
	s = strings.TrimSpace(s)
	a, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not an address", s)
	}
	return a, nil
}
