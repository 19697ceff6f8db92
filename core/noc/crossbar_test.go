package noc

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// source sends numbered packets to random outputs as fast as it can.
type source struct {
	out   *sim.Link[mem.Packet]
	sm    uint16
	rand  sim.Rand
	left  uint32
	next  uint32
	ports int
	flits int
	to    int // fixed output, -1 for random ones
}

func (s *source) Tick(now sim.Cycle) sim.Cycle {
	if s.left == 0 {
		return sim.Never
	}
	if !s.out.CanSend(now) {
		return sim.Never
	}
	port := s.to
	if port < 0 {
		port = s.rand.Intn(s.ports)
	}
	s.out.Send(now, mem.Packet{SM: s.sm, Slice: uint16(port), Tag: s.next, Flits: uint8(1 + s.rand.Intn(s.flits))})
	s.next++
	s.left--
	return now + 1
}

// sink takes everything and checks that each source's packets stay in order.
type sink struct {
	in    *sim.Link[mem.Packet]
	last  map[uint16]int64
	got   int
	by    map[uint16]int
	flits int
	end   sim.Cycle
	fault bool
}

func (s *sink) Tick(now sim.Cycle) sim.Cycle {
	for {
		p, ok := s.in.Recv(now)
		if !ok {
			return s.in.NextReady()
		}
		if last, seen := s.last[p.SM]; seen && int64(p.Tag) <= last {
			s.fault = true
		}
		s.last[p.SM] = int64(p.Tag)
		s.got++
		s.by[p.SM]++
		s.flits += int(p.Flits)
		s.end = now
	}
}

func build(inputs, outputs, packets, flits, to int) (*sim.Engine, *Crossbar, []*sink) {
	return buildAt(InputFIFO, sim.ClockRatio{Num: 1, Den: 1}, inputs, outputs, packets, flits, to)
}

func buildAt(queues InputQueues, clock sim.ClockRatio, inputs, outputs, packets, flits, to int) (*sim.Engine, *Crossbar, []*sink) {
	e := &sim.Engine{}
	x := New(Requests, Config{queues}, clock, inputs, outputs, nil)
	id := e.Add(x)
	var sources []*source
	var sinks []*sink
	var sourceID, sinkID []sim.ID
	for i := 0; i < inputs; i++ {
		s := &source{sm: uint16(i), rand: sim.NewRand(3, uint64(i)), left: uint32(packets), ports: outputs, flits: flits, to: to}
		sources, sourceID = append(sources, s), append(sourceID, e.Add(s))
	}
	for i := 0; i < outputs; i++ {
		s := &sink{last: map[uint16]int64{}, by: map[uint16]int{}}
		sinks, sinkID = append(sinks, s), append(sinkID, e.Add(s))
	}
	e.Seal()
	for i, s := range sources {
		s.out = sim.Connect[mem.Packet](e, sourceID[i], id, 8, 1)
		x.AttachInput(i, s.out)
	}
	for i, s := range sinks {
		s.in = sim.Connect[mem.Packet](e, id, sinkID[i], 8, 2)
		x.AttachOutput(i, s.in)
	}
	return e, x, sinks
}

func TestEverythingArrivesInOrder(t *testing.T) {
	for _, size := range [][2]int{{16, 12}, {108, 80}, {132, 192}, {192, 2}, {1, 192}} {
		if testing.Short() && size[0]*size[1] > 1000 {
			continue // WebAssembly only has to give the same results
		}
		for queues := range NumInputQueues {
			arriveInOrder(t, queues, size[0], size[1])
		}
	}
}

func arriveInOrder(t *testing.T, queues InputQueues, inputs, outputs int) {
	e, x, sinks := buildAt(queues, sim.ClockRatio{Num: 1, Den: 1}, inputs, outputs, 500, 4, -1)
	e.Advance(200_000)
	got, flits := 0, 0
	for _, s := range sinks {
		got += s.got
		flits += s.flits
		if s.fault {
			t.Error("a packet overtook an earlier one of its source")
		}
	}
	if got != inputs*500 {
		t.Errorf("%d x %d: %d of %d packets arrived", inputs, outputs, got, inputs*500)
	}
	if x.Stats[stat.XbarRequestPackets] != uint64(got) || x.Stats[stat.XbarRequestFlits] != uint64(flits) {
		t.Errorf("counted %d packets, %d flits; %d and %d arrived", x.Stats[stat.XbarRequestPackets], x.Stats[stat.XbarRequestFlits], got, flits)
	}
}

func TestOutputTakesOneFlitACycle(t *testing.T) {
	e, _, sinks := build(4, 1, 300, 4, 0)
	e.Advance(100_000)
	s := sinks[0]
	if s.end < sim.Cycle(s.flits) {
		t.Errorf("%d flits arrived by cycle %d", s.flits, s.end)
	}
	if s.end > sim.Cycle(s.flits)+20 {
		t.Errorf("%d flits took until cycle %d: the output was idle with packets waiting", s.flits, s.end)
	}
}

// TestClockOfItsOwn: an output takes a flit in each clock of the crossbar, whatever the
// ratio to the cycles of the engine.
func TestClockOfItsOwn(t *testing.T) {
	for _, clock := range []sim.ClockRatio{{Num: 2, Den: 1}, {Num: 822, Den: 700}, {Num: 1, Den: 3}, {Num: 7, Den: 5}} {
		for queues := range NumInputQueues {
			clockOfItsOwn(t, queues, clock)
		}
	}
}

func clockOfItsOwn(t *testing.T, queues InputQueues, clock sim.ClockRatio) {
	e, _, sinks := buildAt(queues, clock, 4, 1, 300, 5, 0)
	e.Advance(100_000)
	s := sinks[0]
	if s.got != 4*300 || s.fault {
		t.Fatalf("%v: %d packets arrived, in order %v", clock, s.got, !s.fault)
	}
	least := sim.Cycle(uint64(s.flits) * clock.Den / clock.Num)
	if s.end < least || s.end > least+least/50+20 {
		t.Errorf("%v: %d flits took until cycle %d, want about %d", clock, s.flits, s.end, least)
	}
}

func TestRoundRobinIsFair(t *testing.T) {
	for _, inputs := range []int{5, 100, 190} {
		e, _, sinks := build(inputs, 1, 1000, 1, 0)
		e.Advance(1000)
		least, most := 1<<30, 0
		for i := range inputs {
			least, most = min(least, sinks[0].by[uint16(i)]), max(most, sinks[0].by[uint16(i)])
		}
		if most-least > 1 {
			t.Errorf("of %d inputs some got %d turns and some %d", inputs, least, most)
		}
	}
}

func BenchmarkCrossbar(b *testing.B) {
	e, x, _ := build(16, 12, 1<<30, 4, -1)
	for b.Loop() {
		e.Advance(e.Now() + 100)
	}
	b.ReportMetric(float64(x.Stats[stat.XbarRequestPackets])/b.Elapsed().Seconds(), "packets/s")
}
