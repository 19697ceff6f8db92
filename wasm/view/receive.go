//go:build js

package main

import (
	"fmt"
	"math"
	"strconv"
	"syscall/js"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/render/app"
	"github.com/burstscope/burstscope/render/model"
)

// receive handles one message of the page. It ignores what it cannot read, because no
// message may stop the picture.
func receive(g *app.Game, m js.Value) {
	defer func() {
		if r := recover(); r != nil {
			js.Global().Get("console").Call("warn", "burstscope view: a message could not be read: "+fmt.Sprint(r))
		}
	}()
	if m.Type() != js.TypeObject {
		return
	}
	switch text(m, "type") {
	case "scene":
		scene(g, m)
	case "events":
		if side, ok := sideOf(m); ok {
			records := bytesOf(m.Get("buffer"))
			if n := number(m, "count", -1); n >= 0 && int(n)*recordBytes < len(records) {
				records = records[:int(n)*recordBytes]
			}
			g.Do(func(g *app.Game) { g.AddEvents(side, records) })
		}
	case "window":
		if side, ok := sideOf(m); ok {
			from, until, kept := number(m, "from", 0), number(m, "until", 0), number(m, "kept", 0)
			records := bytesOf(m.Get("buffer"))
			all := model.Totals{Data: int(number(m, "data", 0)), Metadata: int(number(m, "metadata", 0)), Saved: int(number(m, "saved", 0))}
			g.Do(func(g *app.Game) { g.AddWindow(side, from, until, kept, records, all) })
		}
	case "blocks":
		blocks(g, m)
	case "finished":
		if side, ok := sideOf(m); ok {
			cycle := number(m, "cycle", -1)
			g.Do(func(g *app.Game) { g.Finish(side, cycle) })
		}
	case "cursor":
		cycle, speed, playing := number(m, "cycle", 0), number(m, "cyclesPerSecond", 0), truth(m, "playing")
		g.Do(func(g *app.Game) { g.SetCursor(cycle, speed, playing) })
	case "show":
		show(g, m)
	case "theme":
		dark, reduced := truth(m, "dark"), truth(m, "reducedMotion")
		g.Do(func(g *app.Game) { g.SetTheme(dark, reduced) })
	case "threshold":
		bytes := int(number(m, "bytes", 0))
		g.Do(func(g *app.Game) { g.SetThreshold(bytes) })
	case "select":
		addr, ok := address(m.Get("addr"))
		g.Do(func(g *app.Game) { g.Select(addr, ok) })
	case "yield":
		on := truth(m, "on")
		g.Do(func(g *app.Game) { g.Yield(on) })
	case "pointer":
		on := truth(m, "interactive")
		g.Do(func(g *app.Game) { g.SetInteractive(on) })
	}
}

const recordBytes = probe.RecordBytes

func scene(g *app.Game, m js.Value) {
	var topologies [2]*model.Topology
	var labels [2]string
	sides, names := m.Get("sides"), m.Get("labels")
	for i, side := range sideNames {
		if sides.Type() == js.TypeObject {
			topologies[i] = topology(sides.Get(side))
		}
		if names.Type() == js.TypeObject {
			labels[i] = text(names, side)
		}
	}
	run := int(number(m, "run", 0))
	g.Do(func(g *app.Game) { g.SetScene(run, topologies, labels) })
}

func topology(v js.Value) *model.Topology {
	if v.Type() != js.TypeObject {
		return nil
	}
	count := func(key string) int { return int(number(v, key, 0)) }
	return &model.Topology{
		SMs: count("sms"), WarpsPerSM: count("warpsPerSM"),
		Slices: count("slices"), Controllers: count("controllers"), Channels: count("channels"),
		Banks: count("banks"), MAGBytes: count("magBytes"),
		PeakBytesPerCycle: number(v, "peakBytesPerCycle", 0),
		Allocations:       allocations(v.Get("allocations")),
	}
}

// maxAllocations bounds the list; programs have far fewer.
const maxAllocations = 4096

func allocations(v js.Value) []model.Allocation {
	if v.Type() != js.TypeObject {
		return nil
	}
	var list []model.Allocation
	for i := range min(int(number(v, "length", 0)), maxAllocations) {
		a := v.Index(i)
		if a.Type() != js.TypeObject {
			continue
		}
		list = append(list, model.Allocation{
			Name: text(a, "name"), Base: uint64(number(a, "base", 0)), Bytes: uint64(number(a, "bytes", 0)), Safe: truth(a, "safe"),
		})
	}
	return list
}

func blocks(g *app.Game, m js.Value) {
	side, ok := sideOf(m)
	if !ok {
		return
	}
	b := model.Blocks{
		Base: uint64(number(m, "base", 0)), Count: int(number(m, "count", 0)),
		Bits: wordsOf(m.Get("bits")), Bursts: bytesOf(m.Get("bursts")), Mode: bytesOf(m.Get("mode")),
		Touches: wordsOf(m.Get("touches")), LosslessBits: wordsOf(m.Get("losslessBits")),
		Allocations: allocations(m.Get("allocations")),
	}
	g.Do(func(g *app.Game) { g.SetBlocks(side, b) })
}

func show(g *app.Game, m js.Value) {
	tabs := map[string]model.Tab{"bursts": model.TabBursts, "address": model.TabAddress, "mag": model.TabMAG, "dram": model.TabDRAM}
	tab, known := tabs[text(m, "tab")]
	if !known {
		return
	}
	choice := model.BothSides
	switch text(m, "side") {
	case "A":
		choice = model.OnlyA
	case "B":
		choice = model.OnlyB
	}
	channel := int(number(m, "channel", -1))
	colour := -1
	for i, name := range model.MapColourNames {
		if name == text(m, "colour") {
			colour = i
		}
	}
	g.Do(func(g *app.Game) {
		g.Show(tab, choice, channel)
		if colour >= 0 {
			g.SetColour(model.MapColour(colour))
		}
	})
}

func sideOf(m js.Value) (int, bool) {
	switch text(m, "side") {
	case "A":
		return 0, true
	case "B":
		return 1, true
	}
	return 0, false
}

func text(v js.Value, key string) string {
	if p := v.Get(key); p.Type() == js.TypeString {
		return p.String()
	}
	return ""
}

// number reads a finite number within the range of an integer.
func number(v js.Value, key string, absent float64) float64 {
	p := v.Get(key)
	if p.Type() != js.TypeNumber {
		return absent
	}
	f := p.Float()
	if math.IsNaN(f) || math.Abs(f) > 1<<53 {
		return absent
	}
	return f
}

func truth(v js.Value, key string) bool {
	p := v.Get(key)
	return p.Type() == js.TypeBoolean && p.Bool()
}

// address reads a block address: a number, or decimal or 0x text.
func address(v js.Value) (uint64, bool) {
	var addr uint64
	switch v.Type() {
	case js.TypeNumber:
		f := v.Float()
		if !(f >= 0 && f < 1<<63) {
			return 0, false
		}
		addr = uint64(f)
	case js.TypeString:
		var err error
		if addr, err = strconv.ParseUint(v.String(), 0, 64); err != nil {
			return 0, false
		}
	default:
		return 0, false
	}
	return addr / model.LineBytes * model.LineBytes, true
}

// local returns a Uint8Array of this page over the bytes of v. Objects of the outer page
// have that page's types, so instanceof fails and their tag is compared.
func local(v js.Value, tags ...string) (js.Value, bool) {
	if v.Type() != js.TypeObject {
		return v, false
	}
	tag := js.Global().Get("Object").Get("prototype").Get("toString").Call("call", v).String()
	array := js.Global().Get("Uint8Array")
	for _, t := range tags {
		switch {
		case tag != "[object "+t+"]":
		case t == "ArrayBuffer":
			return array.New(v), true
		default:
			return array.New(v.Get("buffer"), v.Get("byteOffset"), v.Get("byteLength")), true
		}
	}
	return v, false
}

// bytesOf copies an ArrayBuffer or a typed array of bytes.
func bytesOf(v js.Value) []byte {
	v, ok := local(v, "ArrayBuffer", "Uint8Array", "Uint8ClampedArray")
	if !ok {
		return nil
	}
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

// wordsOf copies a Uint16Array.
func wordsOf(v js.Value) []uint16 {
	v, ok := local(v, "Uint16Array")
	if !ok {
		return nil
	}
	w := make([]uint16, v.Length()/2)
	b := make([]byte, 2*len(w))
	js.CopyBytesToGo(b, v)
	for i := range w {
		w[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return w
}
