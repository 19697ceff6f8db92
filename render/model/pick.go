package model

import "fmt"

// PickTransfer describes a transfer in words.
func (v *View) PickTransfer(side, channel, index int) (Pick, bool) {
	t := v.transfer(side, channel, index)
	if t == nil {
		return Pick{}, false
	}
	return Pick{Side: side, Addr: t.Addr, Req: t.Req, Cycle: float64(t.Start), Channel: channel}, true
}

func (v *View) transfer(side, channel, index int) *Transfer {
	if side < 0 || side > 1 || v.Sides[side] == nil {
		return nil
	}
	t := v.Sides[side]
	if channel < 0 || channel >= len(t.channels) || index < 0 || index >= len(t.channels[channel].transfers) {
		return nil
	}
	return &t.channels[channel].transfers[index]
}

// TransferText describes a transfer in one sentence.
func (v *View) TransferText(side, channel, index int) string {
	t := v.transfer(side, channel, index)
	if t == nil {
		return ""
	}
	line := v.Sides[side]
	mag := line.Topology.MAGBytes
	verb := "fetched"
	if t.Write {
		verb = "written"
	}
	size := "128 B raw"
	switch {
	case t.Mode != 0 && t.Bits > 0:
		size = fmt.Sprintf("%d B", bytesOf(t.Bits))
	case t.Mode != 0:
		size = "compressed"
	}
	text := fmt.Sprintf("%s · %s, %s as %s (%d B)", Hex(t.Addr), size, verb, plural(int(t.Fetched), "burst", "bursts"), int(t.Fetched)*mag)
	if t.Saved > 0 {
		text += fmt.Sprintf(" · %d saved", t.Saved)
	}
	if t.Cut > 0 {
		text += " · " + plural(int(t.Cut), "symbol", "symbols") + " cut"
	}
	text += fmt.Sprintf(" · bank %d", t.Bank)
	if row, ok := line.channels[channel].openRow(t.Bank, float64(t.Start)); ok {
		text += fmt.Sprintf(", row %d", row)
	}
	return text
}

// Direction is a way the keyboard focus moves.
type Direction uint8

const (
	Earlier Direction = iota
	Later
	ChannelAbove
	ChannelBelow
)

// Focus is a block that has the keyboard focus.
type Focus struct{ Side, Channel, Index int }

// Move returns the block next to f in a direction; a focus that is nowhere
// starts at the latest block of the first channel shown.
func (v *View) Move(f Focus, d Direction) (Focus, bool) {
	if v.transfer(f.Side, f.Channel, f.Index) == nil {
		return v.firstFocus()
	}
	t := v.Sides[f.Side]
	at := float64(t.channels[f.Channel].transfers[f.Index].Start)
	switch d {
	case Earlier:
		f.Index--
	case Later:
		f.Index++
	default:
		step := 1
		if d == ChannelAbove {
			step = -1
		}
		return v.moveChannel(f, step, at)
	}
	tr := v.transfer(f.Side, f.Channel, f.Index)
	return f, tr != nil && float64(tr.Start) <= v.cursor()
}

// moveChannel looks for the nearest block in time on the channels that follow,
// from one side's last to the other's first.
func (v *View) moveChannel(f Focus, step int, at float64) (Focus, bool) {
	for {
		f.Channel += step
		if t := v.Sides[f.Side]; f.Channel < 0 || f.Channel >= len(t.channels) {
			f.Side += step
			if f.Side < 0 || f.Side > 1 || v.Sides[f.Side] == nil {
				return f, false
			}
			f.Channel = 0
			if step < 0 {
				f.Channel = len(v.Sides[f.Side].channels) - 1
			}
		}
		if i := v.Sides[f.Side].channels[f.Channel].transferAt(min(at, v.cursor())); i >= 0 {
			f.Index = i
			return f, true
		}
	}
}

func (v *View) firstFocus() (Focus, bool) {
	sides, n := v.shown()
	for i := range n {
		t := v.Sides[sides[i]]
		for c := range t.channels {
			if k := t.channels[c].transferAt(v.cursor()); k >= 0 {
				return Focus{sides[i], c, k}, true
			}
		}
	}
	return Focus{}, false
}

// StepChannel returns the channel before or after the one shown by the DRAM tab.
func (v *View) StepChannel(step int) int {
	sides, n := v.shown()
	if n == 0 {
		return v.Channel
	}
	return clampInt(v.Channel+step, 0, v.Sides[sides[0]].Topology.Channels-1)
}
