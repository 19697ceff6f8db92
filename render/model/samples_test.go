package model

import "strconv"

// The samples are drawn twice: by the package, and by its translation for the page
// (tools/translate). Both must come to testdata/samples.txt.

// samples returns the names of all samples.
func samples() []string {
	return []string{"numbers", "shapes", "above 32", "above 16, narrow", "above, nothing approximated"}
}

// sample draws one and returns it as text.
func sample(name string) string {
	s := &Scene{}
	switch name {
	case "numbers":
		return sampleNumbers()
	case "shapes":
		sampleShapes(s)
	case "above 32":
		c := &AboveChart{Counts: sampleBlocks(3000, 32, 3).Histogram(), Threshold: 16, Side: 1}
		c.AboveScene(s, 640, 300)
		return "# " + c.Counts.Sentence(16) + ", " + c.Counts.Details(16, true) + "\n" + sampleText(s)
	case "above 16, narrow":
		c := &AboveChart{Counts: sampleBlocks(900, 16, 5).Histogram(), Threshold: 30}
		c.AboveScene(s, 330, 240)
	case "above, nothing approximated":
		b := sampleBlocks(700, 64, 7)
		modes := make([]uint8, b.Count)
		for i := range modes {
			modes[i] = ModeLossless
		}
		b.Mode = modes
		c := &AboveChart{Counts: b.Histogram(), Threshold: 3}
		c.AboveScene(s, 500, 200)
		return "# " + c.Counts.Sentence(3) + ", " + c.Counts.Details(3, false) + "\n" + sampleText(s)
	}
	return sampleText(s)
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
