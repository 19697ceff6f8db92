package model

import (
	"fmt"
	"math"
	"strconv"

	"github.com/burstscope/burstscope/core/probe"
)

// StripsSide is one side of Strips: its machine, and the records of the cycles shown.
type StripsSide struct {
	Side        int
	Label       string
	BurstCycles float64 // on its channel's bus, in base cycles
	PerBlock    int     // bursts of a raw block
	Banks       int
	channels    []channel
	link        lane // to a slower memory
}

// NewStripsSide returns a side without records. PeakBytesPerCycle is the peak of all
// channels together.
func NewStripsSide(side int, label string, channels, banks, magBytes int, peakBytesPerCycle float64) *StripsSide {
	if !(peakBytesPerCycle > 0) {
		peakBytesPerCycle = float64(magBytes * channels)
	}
	p := &StripsSide{
		Side: side, Label: label, Banks: clampInt(banks, 0, maxBanks), PerBlock: LineBytes / magBytes,
		BurstCycles: float64(magBytes*channels) / peakBytesPerCycle, channels: make([]channel, channels),
	}
	for i := range p.channels {
		p.channels[i].length = p.BurstCycles
	}
	return p
}

// Add takes a record of a channel. Records come nearly in order.
func (p *StripsSide) Add(e *probe.Event) {
	if e.Kind == probe.KindLink {
		p.link.put(uint32(e.Cycle), e)
		return
	}
	if int(e.Unit) < len(p.channels) {
		p.channels[e.Unit].add(uint32(e.Cycle), e, p.PerBlock)
	}
}

// Block returns the transfer under a target of a scene.
func (p *StripsSide) Block(t *Target) *Transfer { return &p.channels[t.Channel].transfers[t.Index] }

// Strips is the picture of the channels alone: the buses of both sides beside each
// other, or the banks of one channel. It shows single bursts, whatever the speed.
type Strips struct {
	Sides    []*StripsSide
	Cycle    float64
	Banks    bool
	Channel  int // whose banks
	Selected selection
}

const (
	stripsWindow = 96 // cycles at least: as many as the first speed of the moving picture shows
	banksWindow  = 192
	stripsGap    = 20
	stripsHead   = 26
	stripsLabel  = 28
)

// length is the length of a strip in a picture w wide.
func (p *Strips) length(w float64) float64 {
	n := float64(max(len(p.Sides), 1))
	return (w-stripsGap*(n-1))/n - stripsLabel
}

// Window is how many cycles a picture w wide shows; both sides have one scale.
func (p *Strips) Window(w float64) float64 {
	window := float64(stripsWindow)
	if p.Banks {
		window = banksWindow
	}
	for _, side := range p.Sides {
		window = max(window, slowestWindow(p.length(w), side.BurstCycles))
	}
	return window
}

// Draw lays the picture out on w by h pixels of s.
func (p *Strips) Draw(s *Scene, w, h float64) {
	s.Reset(w, h)
	refreshes, linked := false, false
	for _, side := range p.Sides {
		linked = linked || len(side.link.packets) > 0 && !p.Banks
		for i := range side.channels {
			refreshes = refreshes || len(side.channels[i].refreshes) > 0
		}
	}
	marks := burstMarksOf(p.Banks, false, refreshes)
	if linked {
		marks = append(marks, linkMark)
	}
	foot := float64(s.marks(marks, 0, 0, w, false))*legendRowH + 6
	length, window := p.length(w), p.Window(w)
	for i, side := range p.Sides {
		x := float64(i) * (length + stripsLabel + stripsGap)
		title := side.Label
		if p.Banks {
			title += fmt.Sprintf(", channel %d", p.channelOf(side))
		}
		s.fill(Accent, x, 2, 16, 16, 1).Radius = 3
		s.bold(Paper, sideName[side.Side], x+8, 14, axisSize, Centre)
		s.bold(Ink, title, x+22, 14, axisSize, Left)
		time := newTimescale(p.Cycle, window, x+stripsLabel, x+stripsLabel+length, side.BurstCycles)
		time.detail = 1 // single bursts, however narrow
		p.drawSide(s, side, time, rect{x + stripsLabel, stripsHead, length, h - stripsHead - foot})
	}
	s.marks(marks, 0, h-foot+2, w, true)
}

func (p *Strips) channelOf(side *StripsSide) int { return clampInt(p.Channel, 0, len(side.channels)-1) }

func (p *Strips) drawSide(s *Scene, side *StripsSide, time timescale, r rect) {
	if len(side.channels) == 0 || r.h < minimumStrip {
		return
	}
	if p.Banks {
		side.bus(s, p.channelOf(side), time, p.Selected).drawBanks(r, func(_ rect) {})
		return
	}
	linked := len(side.link.packets) > 0
	if linked {
		r.h -= linkLaneH
	}
	strip := min(r.h/float64(len(side.channels)), maximumStrip)
	if linked {
		below := rect{r.x, r.y + strip*float64(len(side.channels)) + 4, r.w, linkLaneH - 6}
		side.link.frame(s, below, true)
		side.link.pills(s, time, below)
	}
	every := 1
	for float64(every)*strip < axisSize+1 {
		every++
	}
	for c := range side.channels {
		area := rect{r.x, r.y + float64(c)*strip + 2, r.w, strip - 3}
		if c%every == 0 {
			s.text(Muted, strconv.Itoa(c), r.x-6, area.bottom()-max(area.h-9, 0)/2, axisSize, Right)
		}
		side.bus(s, c, time, p.Selected).drawStrip(area, func() {})
	}
}

func (p *StripsSide) bus(s *Scene, c int, time timescale, selected selection) *bus {
	return &bus{Scene: s, ch: &p.channels[c], time: time, side: p.Side, number: c, perBlock: p.PerBlock, banks: p.Banks, selected: selected}
}

// Words describes the last cycles of the picture.
func (p *Strips) Words(cycles float64) string {
	text := fmt.Sprintf("The %s cycles up to the cursor.", Count(int(math.Round(cycles))))
	for _, side := range p.Sides {
		text += " " + p.sideWords(side, cycles)
	}
	return text
}

func (p *Strips) sideWords(side *StripsSide, cycles float64) string {
	bursts, cut, channel, latest := 0, 0, 0, int32(-1)
	start := float64(-1)
	for c := range side.channels {
		if p.Banks && c != p.channelOf(side) {
			continue
		}
		ch := &side.channels[c]
		for i := after(ch.bursts, p.Cycle-cycles); i < len(ch.bursts) && float64(ch.bursts[i].Start) <= p.Cycle; i++ {
			b := &ch.bursts[i]
			bursts++
			if b.Transfer < 0 {
				continue
			}
			if ch.transfers[b.Transfer].Approximated(int(b.Index)) {
				cut++
			}
			if float64(b.Start) >= start {
				start, channel, latest = float64(b.Start), c, b.Transfer
			}
		}
	}
	text := fmt.Sprintf("%s: %s", sideName[side.Side], plural(bursts, "burst", "bursts"))
	if cut > 0 {
		text += fmt.Sprintf(", %s with approximated symbols", Count(cut))
	}
	if in, out := side.link.count(p.Cycle-cycles, p.Cycle); in+out > 0 && !p.Banks {
		text += fmt.Sprintf(", %s over the link in and %d out", plural(in, "block", "blocks"), out)
	}
	if latest >= 0 {
		text += fmt.Sprintf(", the last of %s on channel %d", Hex(side.channels[channel].transfers[latest].Addr), channel)
	}
	return text + "."
}
