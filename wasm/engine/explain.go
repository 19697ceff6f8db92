//go:build js

package main

import (
	"encoding/hex"
	"fmt"
	"syscall/js"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/explain"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/setting"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// explaining holds the state that explanations of blocks keep between questions.
type explaining struct {
	// lab makes codecs with the code tables of the file in the data lab; nil without a
	// file.
	lab func(name string, o codecs.Options) (codecs.Coder, error)
	// trained are code tables made from device memory at the first request.
	of      *side
	trained map[string]*codecs.Trainer
}

// Sources of the code table of an explained block.
const (
	tableOfRun   = "run"   // the table of the side's scheme
	tableOfImage = "image" // made from blocks of the side's device memory
	tableOfLab   = "lab"
	tableOfBlock = "block" // made from the block alone
)

// question is a block, its place, and the codec to explain.
type question struct {
	name   string
	line   mem.Line
	side   *side // nil = the block does not belong to a run
	region codec.Region
	memory scheme.Memory
	header tslc.Header
	table  string
	// stored is the block as the side stores it, if name is the codec of the side.
	stored *codec.Stored
}

// explain takes one block apart under one codec.
func (e *engine) explain(msg js.Value) {
	reply := object{"type": "explained", "id": msg.Get("id"), "ok": true}
	// An internal error here must not end a run.
	defer func() {
		if r := recover(); r != nil {
			post(object{
				"type": "explained", "id": msg.Get("id"), "ok": false, "what": "internal error: " + fmt.Sprint(r),
				"mend": "this is a mistake in Burstscope: please report it with the bytes of the block",
			})
		}
	}()
	q, basis, err := e.question(msg)
	var x *explain.Explanation
	if err == nil {
		x, err = e.answer(q, &basis)
	}
	if err != nil {
		reply["ok"], reply["what"], reply["mend"] = false, err.Error(), "choose another block or another codec"
	} else {
		reply["explanation"], reply["basis"], reply["table"] = toJS(x), basis, q.table
		reply["mag"], reply["threshold"] = q.memory.MAG(), q.memory.Threshold()
	}
	post(reply)
}

// question reads the message. The message holds a block, or a side and an address. A
// side's block has the bytes that the program last wrote, if they are known.
func (e *engine) question(msg js.Value) (*question, string, error) {
	q := &question{name: text(msg, "codec"), memory: scheme.DefaultMemory(), table: text(msg, "table")}
	basis := "given"
	if given := text(msg, "block"); given != "" {
		b, err := hex.DecodeString(given)
		if err != nil || len(b) != mem.LineBytes {
			return nil, "", fmt.Errorf("the block has %d hexadecimal digits: give %d", len(given), 2*mem.LineBytes)
		}
		q.line = mem.Line(b)
		q.region.Safe = true
	}
	if s := e.side(text(msg, "side")); s != nil && s.run.Machine() != nil {
		q.side, q.memory = s, s.plan.Memory
		if address := text(msg, "addr"); address != "" {
			a, err := parseAddress(address)
			if err != nil {
				return nil, "", err
			}
			if basis, err = s.blockAt(mem.LineAddr(a), s.machineAt(msg), q); err != nil {
				return nil, "", err
			}
		}
	} else if text(msg, "block") == "" {
		return nil, "", fmt.Errorf("the message has no block, and there is no run to take one from")
	}
	if q.side == nil && e.labbed != nil {
		q.memory.Put("module", setting.Binary(e.labbed.module))
	}
	if loss := msg.Get("lossy"); loss.Type() == js.TypeObject {
		if n := number(loss, "mag"); n != 0 {
			q.memory.Put("mag", n)
		}
		if n := number(loss, "threshold"); n != 0 {
			q.memory.Put("threshold", n)
		}
		if name := text(loss, "accounting"); name != "" {
			var err error
			if q.header, err = tslc.ParseHeader(name); err != nil {
				return nil, "", err
			}
		}
		if q.header != tslc.HeaderFixed || q.side != nil && (q.memory.MAG() != q.side.plan.Memory.MAG() || q.memory.Threshold() != q.side.plan.Memory.Threshold()) {
			q.stored = nil // the side stores it with another codec
		}
	}
	return q, basis, nil
}

// blockAt puts the block at an address into q, with the side's data about it.
func (s *side) blockAt(a mem.Addr, m *machine.Machine, q *question) (basis string, err error) {
	image := m.Image()
	if a < image.Base() || a >= image.Top() {
		return "", fmt.Errorf("%#x is outside device memory, which reaches from %#x to %#x", a, image.Base(), image.Top())
	}
	var line mem.Line
	image.ReadLine(a, &line)
	q.line = line
	at := image.Find(a)
	if at >= 0 {
		al := image.Allocations()[at]
		q.region = codec.Region{Safe: al.Safe, ThresholdBytes: al.ThresholdBytes}
	}
	st, ok := m.Stored(a)
	if !ok || st.TruncatedSymbols == 0 {
		return "memory", nil
	}
	if q.name == s.run.Scheme().Name() {
		q.stored = &st
	}
	for _, candidate := range s.candidates(a, at) {
		again := candidate
		if s.run.Scheme().Store(&again, q.region) == st && again == line {
			q.line, q.stored = candidate, nil
			return "original", nil
		}
	}
	return "stored", nil
}

// candidates are possible contents of a block before it was stored: the bytes from the
// host, and the bytes that an exact run leaves there.
func (s *side) candidates(a mem.Addr, at int) (list []mem.Line) {
	buffers := s.plan.Program.Buffers
	if at < 0 || at >= len(buffers) {
		return nil
	}
	offset := int(a - s.run.Machine().Image().Allocations()[at].Base)
	add := func(b []byte) {
		if offset < len(b) {
			var l mem.Line
			copy(l[:], b[offset:])
			list = append(list, l)
		}
	}
	add(buffers[at].Init)
	for k, i := range s.plan.Program.Outputs() {
		if exact := s.study.Exact(); i == at && k < len(exact) {
			add(exact[k])
		}
	}
	return list
}

// answer makes the codec and explains the block.
func (e *engine) answer(q *question, basis *string) (*explain.Explanation, error) {
	o := q.memory.Options()
	c, err := e.coder(q, o)
	if err != nil {
		return nil, err
	}
	if t, ok := c.(tslc.Codec); ok {
		p := t.Scheme().Params()
		p.Header = q.header
		s, err := tslc.NewScheme(p, t.Scheme().Table())
		if err != nil {
			return nil, err
		}
		if q.stored != nil {
			return explain.AsStored(s, &q.line, *q.stored)
		}
		return explain.Approximated(s, &q.line, q.region)
	}
	if *basis == "stored" {
		*basis = "memory"
	}
	return explain.Explain(c, &q.line, q.region)
}

// coder makes the requested codec with the best available code table: that of the side,
// one made from the side's device memory, that of the lab, or one made from the block
// alone.
func (e *engine) coder(q *question, o codecs.Options) (codecs.Coder, error) {
	t, err := codecs.NewTrainer(q.name)
	if err != nil {
		return nil, err
	}
	trains := codecs.TrainedModule(q.name, o.Module)
	switch {
	case !codecs.Trained(q.name) && !trains:
		q.table = ""
		return t.Make(q.name, o)
	case q.table == tableOfLab && e.explaining.lab != nil:
		return e.explaining.lab(q.name, o)
	case q.side != nil && q.table != tableOfBlock && q.table != tableOfLab:
		if own := q.side.module(); trains && own != nil {
			q.table = tableOfRun
			return own, nil
		}
		width, err := codecs.SymbolBits(q.name)
		if err != nil {
			return nil, err
		}
		if own := q.side.codeTable(); own != nil && own.SymbolBits() == width && q.name != "sc" {
			q.table, o.Table = tableOfRun, own
			return t.Make(q.name, o)
		}
		q.table = tableOfImage
		if t, err = e.trainedOn(q.side, q.name); err != nil {
			return nil, err
		}
		return t.Make(q.name, o)
	}
	q.table = tableOfBlock
	t.Count(&q.line)
	return t.Make(q.name, o)
}

// module returns the codec of the side's scheme if that is a module, or nil.
func (s *side) module() *plugin.Codec {
	switch scheme := s.run.Scheme().(type) {
	case codec.Lossless:
		c, _ := scheme.Codec().(*plugin.Codec)
		return c
	case *plugin.Scheme:
		return scheme.Codec()
	}
	return nil
}

// codeTable returns the code table of the side's scheme, or nil.
func (s *side) codeTable() *e2mc.Table {
	switch scheme := s.run.Scheme().(type) {
	case *e2mc.Scheme:
		return scheme.Table()
	case *tslc.Scheme:
		return scheme.Table()
	}
	return nil
}

// trainingBlocks bounds the blocks counted for a code table, because the worker must
// soon read its messages again. 32768 blocks are 4 MB.
const trainingBlocks = 1 << 15

// trainedOn counts the symbols of blocks spread evenly over a side's device memory, or
// of all blocks if there are at most trainingBlocks. Counts are kept only after the side
// is done, when its memory no longer changes.
func (e *engine) trainedOn(s *side, name string) (*codecs.Trainer, error) {
	if e.explaining.of != s {
		e.explaining.of, e.explaining.trained = s, map[string]*codecs.Trainer{}
	}
	if t := e.explaining.trained[name]; t != nil {
		return t, nil
	}
	t, err := codecs.NewTrainer(name)
	if err != nil {
		return nil, err
	}
	image := s.run.Machine().Image()
	var line mem.Line
	stride := mem.Addr((image.Lines()+trainingBlocks-1)/trainingBlocks) * mem.LineBytes
	for a := image.Base(); a < image.Top(); a += stride {
		image.ReadLine(a, &line)
		t.Count(&line)
	}
	if s.done {
		e.explaining.trained[name] = t
	}
	return t, nil
}
