package perfetto

import (
	"math"
	"strconv"

	"github.com/burstscope/burstscope/core/jsontext"
	"github.com/burstscope/burstscope/core/sim"
)

// Launch is a launch of the run with its figures.
type Launch struct {
	Name       string
	Begin, End sim.Cycle
	Figures    []Figure
}

// Figure is a number of a launch.
type Figure struct {
	Name  string
	Value float64
}

// launchBytes is the room for a launch with its figures [ours]. All launches together get at most a quarter
// of the bound; those that find no room are slices without figures, or left out.
const launchBytes = 12_000

func (w *Writer) launchRoom() int { return min(w.machine.Launches*launchBytes, w.limit/4) }

// launches writes the tracks of the launches that begin within the trace. Slices of a track must not overlap: launches
// of streams that run at once get tracks of their own.
func (w *Writer) launches(list []Launch) {
	lanes := lanesOf(list)
	for i := range list {
		l := &list[i]
		at := w.machine.core(uint64(l.Begin))
		if at >= w.until {
			continue
		}
		figures, room := l.Figures, w.limit-tailBytes-w.size()
		if l.most() > room {
			figures = nil
		}
		if len(l.Name)+slackBytes > room {
			return
		}
		w.launch(l, at, lanes[i], figures)
	}
}

// lanesOf gives each launch the first track whose launches have ended.
func lanesOf(list []Launch) []int {
	lanes := make([]int, len(list))
	var ends []sim.Cycle // of the tracks
	for i := range list {
		for lanes[i] < len(ends) && list[i].Begin < ends[lanes[i]] {
			lanes[i]++
		}
		if lanes[i] == len(ends) {
			ends = append(ends, 0)
		}
		ends[lanes[i]] = list[i].End
	}
	return lanes
}

// slackBytes are more than a slice takes besides its name, and numberBytes more than a figure.
const (
	slackBytes  = 200
	numberBytes = 32
)

// most is more than the launch takes in the file.
func (l *Launch) most() int {
	n := len(l.Name) + slackBytes
	for i := range l.Figures {
		n += len(l.Figures[i].Name) + numberBytes
	}
	return n
}

func (w *Writer) launch(l *Launch, at uint64, lane int, figures []Figure) {
	w.begin(l.Name, 'X', at, pidGPU, tidLaunch+lane)
	w.duration(max(1, min(w.machine.core(uint64(l.End)), w.until)-at))
	w.buf = append(w.buf, `,"args":{`...)
	for i, f := range figures {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = append(jsontext.AppendQuote(w.buf, f.Name), ':')
		if whole := uint64(f.Value); float64(whole) == f.Value {
			w.buf = strconv.AppendUint(w.buf, whole, 10)
		} else if !math.IsNaN(f.Value) && !math.IsInf(f.Value, 0) {
			w.buf = strconv.AppendFloat(w.buf, f.Value, 'g', -1, 64)
		} else {
			w.buf = append(w.buf, "null"...)
		}
	}
	w.buf = append(w.buf, '}')
	w.finish()
}
