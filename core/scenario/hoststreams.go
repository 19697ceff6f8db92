package scenario

import (
	"fmt"
	"maps"
	"slices"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/workload"
)

// maxStreams is the number of streams that have work at once [ours].
const maxStreams = 64

// hostOrder says which launches wait for which, as streams of CUDA do. Steps without a stream are those of CUDA's
// legacy default stream.
type hostOrder struct {
	stream  string             // of the present step
	last    map[string]int32   // per stream: its last launch after the last step without a stream
	waits   map[string][]int32 // per stream: what its next launch waits for beside that
	barrier int32              // number of the last launch without a stream and 1, 0 = none
	events  map[string]hostEvent
}

// hostEvent is a recorded event: the number of a launch and 1, 0 = none.
type hostEvent struct {
	after  int32
	stream string
}

// streamed reports whether some step has a stream.
func streamed(steps []HostStep) bool {
	return slices.ContainsFunc(steps, func(s HostStep) bool {
		return s.Stream != "" || s.Loop != nil && streamed(s.Loop.Steps)
	})
}

// append adds a launch of the present step to the program.
func (b *hostBuilder) append(l workload.Launch) {
	number := int32(len(b.program.Launches))
	if o := &b.order; b.program.Streams {
		l.After = o.after()
		if o.stream == "" {
			o.barrier, o.last, o.waits = number+1, nil, nil
		} else {
			if o.last == nil {
				o.last = map[string]int32{}
			}
			if o.last[o.stream] = number; len(o.last) == maxStreams+1 {
				b.add(l.Path, fmt.Sprintf("more than %d streams have work at once", maxStreams), "use fewer")
			}
			delete(o.waits, o.stream)
		}
	}
	b.program.Launches = append(b.program.Launches, l)
	b.steps++
}

// after returns what the next launch of the present stream waits for.
func (o *hostOrder) after() []int32 {
	var list []int32
	if o.stream == "" {
		for _, name := range slices.Sorted(maps.Keys(o.last)) {
			list = append(list, o.last[name])
		}
	} else if last, ok := o.last[o.stream]; ok {
		list = append(list, last)
	}
	if len(list) == 0 && o.barrier > 0 {
		list = append(list, o.barrier-1)
	}
	list = append(list, o.waits[o.stream]...)
	slices.Sort(list)
	return slices.Compact(list)
}

// event records an event, or lets a stream wait for one.
func (b *hostBuilder) event(s *HostStep, path string) {
	o := &b.order
	if s.Record != "" {
		if o.events == nil {
			o.events = map[string]hostEvent{}
		}
		e := hostEvent{o.barrier, s.Stream}
		if last, ok := o.last[s.Stream]; ok {
			e.after = last + 1
		}
		o.events[s.Record] = e
		return
	}
	e, ok := o.events[s.Wait]
	switch stream := fault.Quote(s.Stream); {
	case s.Stream == "":
		b.add(path+".stream", "the wait has no stream", "name the stream that waits: a step without one waits for all")
	case !ok && recorded(b.ptx.Launches, s.Wait, s.Stream):
		b.add(path+".wait", fmt.Sprintf("stream %s waits for itself: the event %s is recorded in it, and not before",
			stream, fault.Quote(s.Wait)), "record the event in another stream, or remove the wait")
	case !ok:
		b.add(path+".wait", "no step before this one records the event "+fault.Quote(s.Wait),
			"put {record: "+s.Wait+", stream: NAME} before it")
	case e.stream == s.Stream:
		b.add(path+".wait", fmt.Sprintf("stream %s waits for itself: it recorded the event %s", stream,
			fault.Quote(s.Wait)), "remove the wait: the steps of a stream follow each other")
	case e.after > 0:
		if o.waits == nil {
			o.waits = map[string][]int32{}
		}
		o.waits[s.Stream] = append(o.waits[s.Stream], e.after-1)
	}
}

// recorded reports whether some step records an event in a stream.
func recorded(steps []HostStep, event, stream string) bool {
	return slices.ContainsFunc(steps, func(s HostStep) bool {
		return s.Record == event && s.Stream == stream || s.Loop != nil && recorded(s.Loop.Steps, event, stream)
	})
}
