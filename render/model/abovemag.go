package model

import (
	"fmt"
	"strconv"
)

// Above counts the blocks of a side by how many bytes of their lossless size
// lie above a multiple of the MAG.
type Above struct {
	Bytes  []int // index = bytes above, 0..MAG-1; only sizes above one MAG
	Safe   []int // those of Bytes that may be approximated
	OneMAG int   // blocks that fit one burst: nothing to save
	Cut    int   // blocks stored lossy
	Raw    int   // blocks that do not compress
	All    int
}

// Histogram counts the blocks ever touched.
func (b *Blocks) Histogram() Above {
	h := Above{Bytes: make([]int, b.MAGBytes), Safe: make([]int, b.MAGBytes)}
	for i := range b.Count {
		if b.Mode[i] == ModeNever {
			continue
		}
		h.All++
		if b.Mode[i] == 2 {
			h.Cut++
		}
		size := bytesOf(b.LosslessBits[i])
		switch {
		case size >= LineBytes:
			h.Raw++
		case size <= b.MAGBytes:
			h.OneMAG++
		default:
			h.Bytes[size%b.MAGBytes]++
			if b.Safe(i) {
				h.Safe[size%b.MAGBytes]++
			}
		}
	}
	return h
}

// Lossy is how many blocks a threshold makes lossy: those at most threshold
// bytes above a multiple, where they may be approximated. Each saves a burst.
func (h *Above) Lossy(threshold int) int {
	n := 0
	for i := 1; i < len(h.Safe) && i <= threshold; i++ {
		n += h.Safe[i]
	}
	return n
}

// chart is the plot of the histogram, kept to turn a pointer into a threshold.
type chart struct {
	x, w float64 // of the bars for 0..MAG-1 bytes
	bins int
}

// histogram returns the counts of a side, made once for its Blocks.
func (v *View) histogram(side int) *Above {
	b := v.Blocks[side]
	if v.aboveOf[side] != b {
		h := b.Histogram()
		v.above[side], v.aboveOf[side] = &h, b
	}
	return v.above[side]
}

func (v *View) buildMAG(s *Scene) {
	s.fill(Paper, 0, 0, s.W, s.H, 1)
	v.chart = chart{}
	sides, n := v.shownBlocks()
	if n == 0 {
		s.text(Muted, "The histogram appears when a side has finished.", s.W/2, s.H/2, 13, Centre)
		return
	}
	h := s.H / float64(n)
	for i := range n {
		v.drawHistogram(s, sides[i], rect{margin, float64(i) * h, s.W - 2*margin, h})
	}
}

func (v *View) drawHistogram(s *Scene, side int, area rect) {
	b, h := v.Blocks[side], v.histogram(side)
	mag := b.MAGBytes
	threshold := clampInt(v.ThresholdBytes, 0, mag)
	s.fill(Accent, area.x, area.y+6, 16, 16, 1).Radius = 3
	s.bold(Paper, sideName[side], area.x+8, area.y+18, textSize, Centre)
	title := v.Labels[side]
	used := 22 + s.bold(Ink, title, area.x+22, area.y+18, 13, Left)
	s.text(Muted, s.fitting(area.w-used-12, smallSize, "lossless sizes of all blocks: bytes above a multiple of "+strconv.Itoa(mag)+" B", "bytes above a multiple of "+strconv.Itoa(mag)+" B"),
		area.x+used+10, area.y+18, smallSize, Left)
	lossy := h.Lossy(threshold)
	verb := "become"
	if h.Cut == 0 { // this side's scheme approximates nothing
		verb = "would become"
	}
	sentence := fmt.Sprintf("threshold %d B: %s of %s (%s) %s lossy and save one burst each", threshold,
		Count(lossy), plural(h.All, "block", "blocks"), Share(lossy, h.All), verb)
	short := fmt.Sprintf("%d B: %s blocks lossy (%s)", threshold, Count(lossy), Share(lossy, h.All))
	s.bold(Ink, s.fitting(area.w*0.94, textSize, sentence, short), area.x, area.y+38, textSize, Left)

	// Two bars aside (one burst, raw), then the bins.
	plot := rect{area.x, area.y + 62, area.w, area.h - 62 - 36}
	if plot.h < 20 {
		return
	}
	aside := clamp(plot.w*0.09, 34, 80)
	bins := rect{plot.x + aside, plot.y, plot.w - 2*aside, plot.h}
	v.chart = chart{bins.x, bins.w, mag}
	most := 1
	for _, k := range h.Bytes {
		most = max(most, k)
	}
	step := bins.w / float64(mag)
	for i, k := range h.Bytes {
		x, w := bins.x+float64(i)*step+1, max(step-2, 1)
		barH := plot.h * float64(k) / float64(most)
		cut := float64(0)
		if i > 0 && i <= threshold {
			cut = plot.h * float64(h.Safe[i]) / float64(most)
		}
		if barH > cut {
			s.fill(FetchedColour, x, plot.bottom()-barH, w, barH-cut, 1)
		}
		if cut > 0 {
			s.shape(Hatch, ApproximatedColour, x, plot.bottom()-cut, w, cut, 1)
		}
		if i%8 == 0 || mag <= 16 && i%4 == 0 {
			s.text(Muted, strconv.Itoa(i), x+w/2, plot.bottom()+14, 10, Centre)
		}
	}
	s.text(Muted, "bytes above", bins.x+bins.w, plot.bottom()+27, 10, Right)
	// These two have their own scale: the share of all blocks.
	v.asideBar(s, FetchedColour, h.OneMAG, h.All, "≤ "+strconv.Itoa(mag)+" B", rect{plot.x, plot.y, aside - 12, plot.h})
	v.asideBar(s, RawColour, h.Raw, h.All, "raw", rect{bins.right() + 12, plot.y, aside - 12, plot.h})
	s.fill(Rule, bins.x, plot.bottom(), bins.w, 1, 1)
	x := bins.x + (float64(threshold)+1)*step
	s.line(Ink, x, plot.y-8, x, plot.bottom()+4, 1.5, 1)
	s.fill(Ink, x-5, plot.y-18, 10, 14, 1).Radius = 4
	s.text(Ink, "threshold "+strconv.Itoa(threshold)+" B", x+10, plot.y-7, smallSize, Left)
	s.Targets = append(s.Targets, Target{X: x - 16, Y: plot.y - 22, W: 32, H: plot.h + 30, Kind: TargetThreshold, Side: side})
}

func (v *View) asideBar(s *Scene, c Colour, n, all int, label string, r rect) {
	h := r.h * float64(n) / float64(max(all, 1))
	s.fill(Panel, r.x, r.y, r.w, r.h, 1)
	if c == RawColour {
		s.shape(Split, c, r.x, r.bottom()-h, r.w, h, 1)
	} else {
		s.fill(c, r.x, r.bottom()-h, r.w, h, 1)
	}
	s.fill(Rule, r.x, r.bottom(), r.w, 1, 1)
	s.text(Muted, label, r.x+r.w/2, r.bottom()+14, 10, Centre)
	s.text(Ink, Share(n, all), r.x+r.w/2, r.bottom()+27, 10, Centre)
}

// ThresholdAt turns a horizontal place on the histogram into a threshold.
func (v *View) ThresholdAt(x float64) (bytes int, ok bool) {
	if v.chart.bins == 0 {
		return 0, false
	}
	step := v.chart.w / float64(v.chart.bins)
	return clampInt(int((x-v.chart.x)/step-0.5), 0, v.chart.bins), true
}
