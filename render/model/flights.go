package model

import "github.com/burstscope/burstscope/core/probe"

// drawFlights shows the requests in flight: a ring asks, a cell brings data, a
// hatched cell brings approximated data, a slit one takes data to be stored.
func (st *panel) drawFlights() {
	alpha := st.time.detail
	st.t.Flights(st.time.now, func(v Flight) {
		x, y, ok := st.place(v)
		if !ok || v.From == AtSM && v.Along == 0 { // still in the SM's own queue
			return
		}
		big := float64(1)
		if st.v.HasSelected && v.Request.Addr == st.v.Selected {
			big = 1.8
		}
		switch {
		case !v.Back && v.Request.Write:
			st.fill(Paper, x-5*big, y-3.5*big, 10*big, 7*big, alpha)
			st.shape(Split, FetchedColour, x-4*big, y-2.5*big, 8*big, 5*big, alpha)
		case !v.Back:
			r := 2.6 * big
			st.fill(Paper, x-r, y-r, 2*r, 2*r, alpha).Radius = r
			p := st.shape(Outline, Ink, x-r, y-r, 2*r, 2*r, alpha)
			p.Radius, p.Stroke = r, 1.2
		case v.Request.Mode == probe.ModeLossy:
			st.fill(Paper, x-5*big, y-3.5*big, 10*big, 7*big, alpha)
			st.shape(Hatch, ApproximatedColour, x-4*big, y-2.5*big, 8*big, 5*big, alpha)
		default:
			st.fill(Paper, x-5*big, y-3.5*big, 10*big, 7*big, alpha)
			st.fill(FetchedColour, x-4*big, y-2.5*big, 8*big, 5*big, alpha)
		}
	})
}

// drawDrops shows the requests that were dropped: a cross comes from the SM, stands at its edge, where L1 is, and
// fades. It never reaches the crossbar.
func (st *panel) drawDrops() {
	const way = 0.3 // share of the time that it moves
	st.t.Drops(st.time.now, func(r *Request, along float64) {
		tile := st.frame.smTile(int(r.SM))
		x, y := tile.centre()
		moved := min(along/way, 1)
		if st.v.ReducedMotion {
			moved = 1
		}
		x += (tile.right() - x) * moved
		st.cross(Paper, x+1, y, st.time.detail)
		st.cross(ApproximatedColour, x, y, st.time.detail*min(2*(1-along), 1))
		st.Counts.Dropped++
	})
}

// place is where a request is drawn; with reduced motion it stands at the
// station it left last.
func (st *panel) place(v Flight) (x, y float64, ok bool) {
	x1, y1, ok1 := st.station(v.From, v.Request)
	x2, y2, ok2 := st.station(v.To, v.Request)
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	along := v.Along
	if st.v.ReducedMotion {
		along = 0
	}
	if (v.From == AtBank) != (v.To == AtBank) {
		// Through the controller nothing glides: a request stands at its one
		// side, then goes on from the other, and the card stays legible.
		out := v.From == AtBank
		if out == (along < 0.5) {
			if out {
				return x1, y1, true
			}
			return x2, y2, true
		}
		edge, y, _ := st.station(AtController, v.Request)
		if out {
			x1, y1, along = edge, y, 2*along-1
		} else {
			x2, y2, along = edge, y, 2*along
		}
	}
	return x1 + (x2-x1)*along, y1 + (y2-y1)*along, true
}

// station is the point of a part that requests pass.
func (st *panel) station(s Station, r *Request) (x, y float64, ok bool) {
	f, top := &st.frame, &st.t.Topology
	laneOf := func(index, count int) float64 {
		shown := max(count*f.channels/top.Channels, 1)
		return f.y + (float64(index-count*f.first/top.Channels)+0.5)*f.strips.h/float64(shown)
	}
	switch s {
	case AtSM:
		if !r.hasSM {
			return 0, 0, false
		}
		tile := f.smTile(int(r.SM))
		x, y = tile.centre()
		return x, y, true
	case AtCrossbar:
		if !r.hasSM {
			return 0, 0, false
		}
		_, y = f.smTile(int(r.SM)).centre()
		return f.crossbar.x, min(y, f.crossbar.bottom()-4), true
	case AtSlice:
		if !r.hasSlice {
			return 0, 0, false
		}
		if f.slices.w == 0 {
			x = f.crossbar.right()
		} else {
			x = f.slices.x + f.slices.w/2
		}
		y = laneOf(int(r.Slice), top.Slices)
	case AtController:
		x = f.controller.x - 4
		y = laneOf(int(r.Channel), top.Channels)
	case AtBank:
		x = f.controller.right() + 4
		y = laneOf(int(r.Channel), top.Channels)
	}
	return x, y, y >= f.y && y < f.strips.bottom()
}

// drawTrace draws the way of the selected block: from the SM that asked for it
// to its bank.
func (st *panel) drawTrace() {
	if !st.v.HasSelected {
		return
	}
	r := st.t.find(st.v.Selected, st.v.SelectedReq, st.time.now)
	if r == nil || !r.has(stageBurst) {
		return
	}
	const lane = 1.5
	x1, y1, ok := st.station(AtSM, r)
	if ok {
		t := st.frame.smTile(int(r.SM))
		st.shape(Outline, Ink, t.x-1, t.y-1, t.w+2, t.h+2, 1).Stroke = lane
	}
	for s := AtCrossbar; s <= AtBank; s++ {
		x2, y2, shown := st.station(s, r)
		if ok && shown && s != AtBank { // the controller's card stays legible
			st.line(Ink, x1, y1, x2, y2, lane, 0.8)
		}
		if shown {
			st.fill(Ink, x2-2.5, y2-2.5, 5, 5, 1).Radius = 2.5
		}
		x1, y1, ok = x2, y2, shown
	}
}
