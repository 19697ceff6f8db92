package noc

import (
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// slowSink takes at most one packet in a few cycles, and notes all.
type slowSink struct {
	in   *sim.Link[mem.Packet]
	rand sim.Rand
	got  []string
}

func (s *slowSink) Tick(now sim.Cycle) sim.Cycle {
	if p, ok := s.in.Recv(now); ok {
		s.got = append(s.got, fmt.Sprintf("%d from %d at %d", p.Tag, p.SM, now))
	}
	return now + 1 + sim.Cycle(s.rand.Intn(4))
}

// everyCycle is a crossbar that leaves out none of its cycles.
type everyCycle struct{ *Crossbar }

func (x everyCycle) Tick(now sim.Cycle) sim.Cycle {
	for local := x.clock.Local(now); local < x.clock.Local(now+1); local++ {
		x.step(now, local)
	}
	return now + 1
}

// TestFewPortsAgainstMany: a crossbar that remembers when its inputs can send and leaves out cycles starts the same
// packets as one that looks at each of them in every cycle, in clocks that are slower and faster than the engine's.
func TestFewPortsAgainstMany(t *testing.T) {
	for _, clock := range []sim.ClockRatio{{Num: 1, Den: 1}, {Num: 2, Den: 3}, {Num: 5, Den: 2}} {
		for _, size := range [][2]int{{15, 6}, {6, 15}, {64, 64}, {64, 1}, {1, 64}} {
			var got [2]string
			for many := range got {
				e := &sim.Engine{}
				x := New(Requests, Config{InputFIFO}, clock, size[0], size[1], nil)
				component := sim.Clocked(x)
				if many != 0 {
					x.queues, component = newQueues(InputFIFO, size[0]), everyCycle{x}
				}
				id := e.Add(component)
				var sources []*source
				var sinks []*slowSink
				var sourceID, sinkID []sim.ID
				for i := range size[0] {
					s := &source{sm: uint16(i), rand: sim.NewRand(5, uint64(i)), left: 200, ports: size[1], flits: 5, to: -1}
					sources, sourceID = append(sources, s), append(sourceID, e.Add(s))
				}
				for i := range size[1] {
					s := &slowSink{rand: sim.NewRand(6, uint64(i))}
					sinks, sinkID = append(sinks, s), append(sinkID, e.Add(s))
				}
				e.Seal()
				for i, s := range sources {
					s.out = sim.Connect[mem.Packet](e, sourceID[i], id, 4, 1)
					x.AttachInput(i, s.out)
				}
				for i, s := range sinks {
					s.in = sim.Connect[mem.Packet](e, id, sinkID[i], 4, 2)
					x.AttachOutput(i, s.in)
				}
				e.Advance(20_000)
				for i, s := range sinks {
					got[many] += fmt.Sprintln(i, s.got)
				}
				got[many] += fmt.Sprint(x.Stats)
			}
			if got[0] != got[1] {
				t.Errorf("%d x %d, clock %v: the packets start in other cycles", size[0], size[1], clock)
			}
			if len(got[0]) < 2000 {
				t.Errorf("%d x %d: little arrived: %s", size[0], size[1], got[0])
			}
		}
	}
}
