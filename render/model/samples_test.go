package model

import (
	"strconv"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// The samples are drawn twice: by the package, and by its translation for the page
// (tools/translate). Both must come to testdata/samples.txt.

// samples returns the names of all samples.
func samples() []string {
	return []string{"numbers", "shapes", "above 32", "above 16, narrow", "above, nothing approximated", "strips", "strips of one side, low", "strips and a link", "banks", "banks, low lanes", "map of both", "map, small cells", "map, figure"}
}

// sample draws one and returns it as text.
func sample(name string) string {
	if name == "numbers" {
		return sampleNumbers()
	}
	return sampleText(sampleScene(name)) + "# " + sampleWords(name)
}

// sampleScene draws one.
func sampleScene(name string) *Scene {
	s := &Scene{}
	switch name {
	case "shapes":
		sampleShapes(s)
	case "above 32":
		sampleAbove(name).AboveScene(s, 640, 300)
	case "above 16, narrow":
		sampleAbove(name).AboveScene(s, 330, 240)
	case "above, nothing approximated":
		sampleAbove(name).AboveScene(s, 500, 200)
	case "strips":
		sampleStrips(name).Draw(s, 520, 190)
	case "strips of one side, low":
		sampleStrips(name).Draw(s, 330, 110)
	case "strips and a link":
		sampleStrips(name).Draw(s, 560, 220)
	case "banks":
		sampleStrips(name).Draw(s, 340, 260)
	case "banks, low lanes":
		sampleStrips(name).Draw(s, 360, 150)
	case "map of both":
		sampleMap(name).Scene(s, 620, 120)
	case "map, small cells":
		sampleMap(name).Scene(s, 330, 150)
	case "map, figure":
		sampleMap(name).Figure(s, "one", "other")
	}
	return s
}

// sampleWords is what is said beside it.
func sampleWords(name string) string {
	switch name {
	case "above 32", "above, nothing approximated":
		c := sampleAbove(name)
		return c.Counts.Sentence(c.Threshold) + ", " + c.Counts.Details(c.Threshold, name == "above 32")
	case "map of both", "map, small cells":
		m, s := sampleMap(name), &Scene{}
		m.Scene(s, 620, 120)
		side, block, _ := m.At(300, 40)
		m.Overview(s, 64, 200)
		return m.Words(block) + ", under the pointer " + sideName[side] + ", rows " + strconv.Itoa(m.Rows(620, 400)) + "\n" + sampleText(s)
	case "strips", "strips of one side, low", "strips and a link", "banks":
		p := sampleStrips(name)
		t := p.Sides[0].Block(&sampleScene(name).Targets[0])
		return p.Words(p.Window(500)) + " " + Hex(t.Addr) + " " + strconv.Itoa(int(t.Req))
	}
	return ""
}

func sampleAbove(name string) *AboveChart {
	switch name {
	case "above 32":
		return &AboveChart{Counts: sampleBlocks(3000, 32, 3).Histogram(), Threshold: 16, Side: 1}
	case "above 16, narrow":
		return &AboveChart{Counts: sampleBlocks(900, 16, 5).Histogram(), Threshold: 30}
	}
	b := sampleBlocks(700, 64, 7)
	modes := make([]uint8, b.Count)
	for i := range modes {
		modes[i] = ModeLossless
	}
	b.Mode = modes
	return &AboveChart{Counts: b.Histogram(), Threshold: 3}
}

func sampleMap(name string) *AddressMap {
	switch name {
	case "map of both":
		return &AddressMap{A: sampleBlocks(300, 32, 1), B: sampleBlocks(300, 16, 2), First: 64, Count: 192, Divider: 0.4, Selected: selection{any: true, addr: 4096 + 70*LineBytes}}
	case "map, small cells":
		return &AddressMap{B: sampleBlocks(900, 64, 2), Colour: ColourSize, Divider: 0.5}
	}
	return &AddressMap{A: sampleBlocks(200, 32, 1), B: sampleBlocks(200, 32, 2), Colour: ColourTouches}
}

func sampleStrips(name string) *Strips {
	switch name {
	case "strips":
		return &Strips{Sides: []*StripsSide{sampleSide(0, 2, 32), sampleSide(1, 2, 16)}, Cycle: 300}
	case "strips of one side, low":
		return &Strips{Sides: []*StripsSide{sampleSide(1, 3, 32)}, Cycle: 300.5, Selected: selection{any: true, addr: 128 * 12}}
	case "strips and a link":
		linked := sampleSide(1, 2, 32)
		for i := range 30 {
			linked.Add(&probe.Event{Kind: probe.KindLink, Cycle: sim.Cycle(210 + i*31%97), Addr: uint64(i) * 5 * LineBytes, A: uint32(i%3/2) | 6<<8, B: uint32(4 + i%5), Unit: 1})
		}
		return &Strips{Sides: []*StripsSide{sampleSide(0, 2, 32), linked}, Cycle: 300}
	case "banks":
		return &Strips{Sides: []*StripsSide{sampleSide(1, 2, 64)}, Cycle: 240, Banks: true, Channel: 1}
	}
	return &Strips{Sides: []*StripsSide{sampleSide(0, 1, 32)}, Cycle: 260, Banks: true, Channel: 7}
}

// sampleSide has reads and writes of whole, compressed and cut blocks, metadata, row
// commands and refreshes; some records come late.
func sampleSide(side, channels, mag int) *StripsSide {
	p := NewStripsSide(side, "scheme <"+strconv.Itoa(mag)+">", channels, 6, mag, float64(channels*mag)/2.5)
	state := uint32(side*7 + mag)
	for c := range channels {
		cycle := 90 + c
		for block := range 40 {
			state = state*1664525 + 1013904223
			fetched := 1 + int(state>>9)%p.PerBlock
			mode := uint32(1 + state>>20%2)
			if fetched == p.PerBlock {
				mode = 0
			}
			kind := probe.KindRead
			if state>>13%4 == 0 {
				kind = probe.KindWrite
			}
			addr, req, bank := uint64(block*channels+c)*LineBytes, uint32(block+1), uint32(block%6)
			if block%3 == 0 {
				p.Add(&probe.Event{Kind: probe.KindPrecharge, Cycle: sim.Cycle(cycle), A: bank, Unit: uint16(c)})
				p.Add(&probe.Event{Kind: probe.KindActivate, Cycle: sim.Cycle(cycle + 2), A: bank, B: state >> 25, Unit: uint16(c)})
				cycle += 4
			}
			if block%5 == 4 {
				p.Add(&probe.Event{Kind: probe.KindRead, Cycle: sim.Cycle(cycle), A: bank, B: 3<<16 + 1, Unit: uint16(c)})
				cycle += 3
			}
			if kind == probe.KindWrite {
				p.Add(&probe.Event{Kind: probe.KindCompress, Cycle: sim.Cycle(cycle), Addr: addr, Req: req, A: 400, B: mode, Unit: uint16(c)})
			}
			for i := range fetched {
				p.Add(&probe.Event{Kind: kind, Cycle: sim.Cycle(cycle + (5*i+1)/2), Addr: addr, Req: req, Unit: uint16(c), B: 3 << 16,
					A: bank + uint32(i)<<8 + uint32(fetched)<<16 + mode<<24})
			}
			if kind == probe.KindRead && mode == 2 && block%2 == 0 {
				p.Add(&probe.Event{Kind: probe.KindDecompress, Cycle: sim.Cycle(cycle - 1), Addr: addr, Req: req, A: 500, B: mode + 3<<8 + 9<<16, Unit: uint16(c)})
			}
			cycle += (5*fetched+1)/2 + int(state>>28)%3
		}
		p.Add(&probe.Event{Kind: probe.KindRefresh, Cycle: sim.Cycle(240 + 20*c), A: probe.AllBanks, B: 30, Unit: uint16(c)})
		p.Add(&probe.Event{Kind: probe.KindRefresh, Cycle: sim.Cycle(300 + 10*c), A: 2, B: 14, Unit: uint16(c)})
	}
	return p
}

// sampleText is a scene as SVG, one element a line, and its targets.
func sampleText(s *Scene) string {
	text := s.SVG("sample", sampleInk)
	for _, t := range s.Targets {
		text += "<target" + attribute("x", t.X) + attribute("y", t.Y) + attribute("width", t.W) + attribute("height", t.H) +
			` what="` + strconv.Itoa(int(t.Kind)) + " " + strconv.Itoa(t.Side) + " " + strconv.Itoa(t.Channel) + " " + strconv.Itoa(t.Index) + `"/>`
	}
	return text
}

func sampleInk(c Colour, level float64) string {
	if c != Magnitude {
		return "c" + strconv.Itoa(int(c))
	}
	r, g, b := Cividis(level)
	return fixed(r, 0) + " " + fixed(g, 0) + " " + fixed(b, 0)
}

func sampleNumbers() string {
	text := ""
	for _, n := range []int{0, 5, 12, 999, 1000, 1002, 54321, 1000007} {
		text += Count(n) + " " + Count(-n) + " " + Share(n, 54321) + " " + ByteCount(float64(n)*1.5) + " " + Hex(uint64(n)*128) + "\n"
	}
	return text
}

// sampleShapes has every form and every place a text can have.
func sampleShapes(s *Scene) {
	s.Reset(400, 100)
	s.fill(Paper, 0, 0, 400, 100, 1)
	for i, k := range []Kind{Fill, Outline, Dashed, Hatch, Dots, Split, Line} {
		s.shape(k, Colour(i+1), float64(i)*30+3, 10, 20, 30, 1-float64(i)/10)
		s.shape(k, Magnitude, float64(i)*30+3.125, 50, 1.5, 1.2, 1).Level = float64(i) / 7
	}
	s.fill(Accent, 250, 10, 30, 30, 1).Radius = 40
	s.text(Ink, `a < b & "c"`, 300, 20, 12, Left)
	s.text(Muted, "middle", 300, 40, 12, Centre)
	s.bold(Ink, "right", 300, 60, 14, Right)
	s.card(310, 50, 40, 40, 3)
	b := sampleBlocks(300, 32, 1)
	p := s.shape(Raster, Ink, 10, 60, 128, 20, 1)
	p.Picture, p.CropLeft, p.CropRight = b.picture(10, 250, 64, ColourMode), 0.25, 0.5
}

// sampleBlocks makes blocks by a generator of chance (Numerical Recipes, ranqd1)
// whose numbers both languages hold exactly.
func sampleBlocks(n, mag int, seed uint32) *Blocks {
	state := seed
	bits, lossless, touches := make([]uint16, n), make([]uint16, n), make([]uint16, n)
	bursts, modes := make([]uint8, n), make([]uint8, n)
	for i := range n {
		state = state*1664525 + 1013904223
		size := 6 + int(state>>8)%123
		lossless[i] = uint16(size * 8)
		modes[i] = uint8(ModeLossless)
		switch {
		case state>>4&15 == 0:
			modes[i] = ModeNever
		case size >= LineBytes:
			modes[i] = ModeRaw
		case size%mag > 0 && size%mag <= mag/2 && size > mag:
			modes[i] = ModeLossy
			size -= size % mag
		}
		bits[i] = uint16(size * 8)
		bursts[i] = uint8((size + mag - 1) / mag)
		touches[i] = uint16(state >> 5 & 7)
	}
	list := []Allocation{{Name: "input", Base: 4096, Bytes: uint64(n) * 64, Safe: true}, {Name: "table", Base: 4096 + uint64(n)*64 + 1280, Bytes: uint64(n) * 20}}
	return NewBlocks(Blocks{Base: 4096, Count: n, Bits: bits, Bursts: bursts, Mode: modes, Touches: touches, LosslessBits: lossless, Allocations: list, MAGBytes: mag}, 1)
}
