package model

import (
	"fmt"
	"strconv"
)

// Above counts the blocks of a side by how many bytes of their lossless size
// lie above a multiple of the MAG.
type Above struct {
	MAGBytes int
	Bytes    []int // index = bytes above, 0..MAG-1; only sizes above one MAG
	Safe     []int // those of Bytes that may be approximated
	OneMAG   int   // blocks that fit one burst: nothing to save
	Cut      int   // blocks stored lossy
	Raw      int   // blocks that do not compress
	All      int
}

// Histogram counts the blocks ever touched.
func (b *Blocks) Histogram() *Above {
	h := &Above{MAGBytes: b.MAGBytes, Bytes: make([]int, b.MAGBytes), Safe: make([]int, b.MAGBytes)}
	for i := range b.Count {
		if b.Mode[i] == ModeNever {
			continue
		}
		h.All++
		if b.Mode[i] == ModeLossy {
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

// Exact is how many blocks of the bars may not be approximated.
func (h *Above) Exact() int {
	n := 0
	for i := range h.Bytes {
		n += h.Bytes[i] - h.Safe[i]
	}
	return n
}

// Sentence says what a threshold does.
func (h *Above) Sentence(threshold int) string {
	lossy := h.Lossy(threshold)
	verb := "become"
	if h.Cut == 0 { // this side's scheme approximates nothing
		verb = "would become"
	}
	return fmt.Sprintf("Threshold %d B: %s of %s (%s) %s lossy and save one burst each", threshold,
		Count(lossy), plural(h.All, "block", "blocks"), Share(lossy, h.All), verb)
}

func (h *Above) shortSentence(threshold int) string {
	lossy := h.Lossy(threshold)
	return fmt.Sprintf("%d B: %s blocks lossy (%s)", threshold, Count(lossy), Share(lossy, h.All))
}

// Details adds what the sentence and the bars do not say. Approximates tells whether the
// side's scheme cuts blocks at all.
func (h *Above) Details(threshold int, approximates bool) string {
	text := ByteCount(float64(h.Lossy(threshold)*h.MAGBytes)) + " in each pass over them. "
	if approximates {
		text += fmt.Sprintf("At the end of the run %s are stored lossy in DRAM; a block stays lossless if more than 16 symbols would have to be cut. ",
			plural(h.Cut, "block", "blocks"))
	} else {
		text += "This side keeps all of them lossless. "
	}
	text += fmt.Sprintf("At the sides: %s in one burst, %s.", plural(h.OneMAG, "block", "blocks"), plural(h.Raw, "raw block", "raw blocks"))
	if n := h.Exact(); n > 0 {
		text += fmt.Sprintf(" Grey: %s that must stay exact.", plural(n, "block", "blocks"))
	}
	return text
}

// AboveChart is the chart of one side. It remembers where its bars stand, to turn a
// place into a threshold.
type AboveChart struct {
	Counts    *Above
	Threshold int
	Side      int

	left, width float64 // of the bars for 0..MAG-1 bytes; width 0: not drawn
}

// Heights of what stands around the bars.
const (
	aboveHead  = 20 // the handle of the threshold
	aboveFoot  = 36 // two lines of labels
	aboveAxis  = 44 // the labels of the vertical axis
	leastAbove = 20 // of the bars
)

// Draw lays the chart out in an area: a bar for each number of bytes above a multiple,
// hatched where the threshold makes blocks lossy, and two bars aside for the blocks
// that have no choice. The line of the threshold can be dragged.
func (c *AboveChart) Draw(s *Scene, area rect) {
	h, mag := c.Counts, c.Counts.MAGBytes
	threshold := clampInt(c.Threshold, 0, mag)
	plot := rect{area.x, area.y + aboveHead, area.w, area.h - aboveHead - aboveFoot}
	c.width = 0
	if plot.h < leastAbove {
		return
	}
	aside := clamp(plot.w*0.09, 34, 80)
	bins := rect{plot.x + aside + aboveAxis, plot.y, plot.w - 2*aside - aboveAxis, plot.h}
	c.left, c.width = bins.x, bins.w
	most := 1
	for _, k := range h.Bytes {
		most = max(most, k)
	}
	most += most % 2 // so that half of it is a whole number
	for tick := range 3 {
		y := plot.bottom() - plot.h*float64(tick)/2
		s.fill(Rule, bins.x, y, bins.w, 1, 1)
		s.text(Muted, Count(most*tick/2), bins.x-6, y+4, axisSize, Right)
	}
	s.text(Muted, "blocks", bins.x-6, bins.y-11, axisSize, Right)
	step := bins.w / float64(mag)
	for i, k := range h.Bytes {
		x, w := bins.x+float64(i)*step+1, max(step-2, 1)
		safe, all := plot.h*float64(h.Safe[i])/float64(most), plot.h*float64(k)/float64(most)
		if all > safe {
			s.fill(RawColour, x, plot.bottom()-all, w, all-safe, 0.5)
		}
		if safe > 0 {
			form, colour := Fill, FetchedColour
			if i > 0 && i <= threshold {
				form, colour = Hatch, ApproximatedColour
			}
			s.shape(form, colour, x, plot.bottom()-safe, w, safe, 1)
		}
		if i%max(mag/8, 1) == 0 {
			s.text(Muted, strconv.Itoa(i), x+w/2, plot.bottom()+14, axisSize, Centre)
		}
	}
	s.text(Muted, s.fitting(bins.w, axisSize, fmt.Sprintf("bytes above a multiple of %d B", mag), "bytes above"),
		bins.x+bins.w/2, plot.bottom()+30, axisSize, Centre)
	// These two have their own scale: the share of all blocks.
	asideBar(s, FetchedColour, h.OneMAG, h.All, fmt.Sprintf("≤ %d B", mag), rect{plot.x, plot.y, aside - 12, plot.h}, Left)
	asideBar(s, RawColour, h.Raw, h.All, "raw", rect{bins.right() + 12, plot.y, aside - 12, plot.h}, Right)
	c.drawThreshold(s, threshold, bins)
}

func (c *AboveChart) drawThreshold(s *Scene, threshold int, bins rect) {
	x := bins.x + (float64(threshold)+1)*bins.w/float64(c.Counts.MAGBytes)
	s.line(Ink, x, bins.y-6, x, bins.bottom()+4, 1.5, 1)
	s.fill(Ink, x-5, bins.y-18, 10, 14, 1).Radius = 4
	label := fmt.Sprintf("threshold %d B", threshold)
	if x+10+s.TextWidth(label, axisSize, false) > s.W {
		s.text(Ink, label, x-10, bins.y-7, axisSize, Right)
	} else {
		s.text(Ink, label, x+10, bins.y-7, axisSize, Left)
	}
	s.Targets = append(s.Targets, Target{X: x - 16, Y: bins.y - 22, W: 32, H: bins.h + 30, Kind: TargetThreshold, Side: c.Side})
}

func asideBar(s *Scene, c Colour, n, all int, label string, r rect, side Align) {
	h := r.h * float64(n) / float64(max(all, 1))
	s.fill(Panel, r.x, r.y, r.w, r.h, 1)
	if c == RawColour {
		s.shape(Split, c, r.x, r.bottom()-h, r.w, h, 1)
	} else {
		s.fill(c, r.x, r.bottom()-h, r.w, h, 1)
	}
	s.fill(Rule, r.x, r.bottom(), r.w, 1, 1)
	// The labels are wider than the bar on a phone; they begin or end at the edge.
	x := r.x
	if side == Right {
		x = r.right()
	}
	s.text(Muted, label, x, r.bottom()+14, axisSize, side)
	s.text(Ink, Share(n, all), x, r.bottom()+30, axisSize, side)
}

// ThresholdAt turns a horizontal place on the chart into a threshold.
func (c *AboveChart) ThresholdAt(x float64) (bytes int, ok bool) {
	if c.width == 0 {
		return 0, false
	}
	mag := c.Counts.MAGBytes
	return clampInt(int((x-c.left)*float64(mag)/c.width-0.5), 0, mag), true
}

// AboveScene draws the chart alone, on w by h pixels of s.
func (c *AboveChart) AboveScene(s *Scene, w, h float64) {
	s.Reset(w, h)
	c.Draw(s, rect{4, 2, w - 8, h - 2})
}
