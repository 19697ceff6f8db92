package noc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// recorded collects the packets of an output with their cycles.
type recorded struct {
	in  *sim.Link[mem.Packet]
	log *[]string
	o   int
}

func (r *recorded) Tick(now sim.Cycle) sim.Cycle {
	for {
		p, ok := r.in.Recv(now)
		if !ok {
			return r.in.NextReady()
		}
		*r.log = append(*r.log, fmt.Sprintf("%d: packet %d of input %d at output %d", now, p.Tag, p.SM, r.o))
	}
}

// script sends packets with given outputs and flits, each in its cycle.
type script struct {
	out  *sim.Link[mem.Packet]
	sm   uint16
	at   []sim.Cycle
	list []mem.Packet
}

func (s *script) Tick(now sim.Cycle) sim.Cycle {
	for len(s.list) > 0 && s.at[0] <= now {
		s.out.Send(now, s.list[0])
		s.at, s.list = s.at[1:], s.list[1:]
	}
	if len(s.list) == 0 {
		return sim.Never
	}
	return s.at[0]
}

// play runs scripts through a crossbar and returns what arrived, cycle by cycle.
func play(queues InputQueues, clock sim.ClockRatio, outputs int, scripts []*script) []string {
	e := &sim.Engine{}
	x := New(Requests, Config{queues}, clock, len(scripts), outputs, nil)
	id := e.Add(x)
	var log []string
	var from, to []sim.ID
	var sinks []*recorded
	for _, s := range scripts {
		from = append(from, e.Add(s))
	}
	for o := range outputs {
		sinks = append(sinks, &recorded{log: &log, o: o})
		to = append(to, e.Add(sinks[o]))
	}
	e.Seal()
	for i, s := range scripts {
		s.out = sim.Connect[mem.Packet](e, from[i], id, 1024, 1)
		x.AttachInput(i, s.out)
	}
	for o, s := range sinks {
		s.in = sim.Connect[mem.Packet](e, id, to[o], 1024, 1)
		x.AttachOutput(o, s.in)
	}
	e.Advance(20_000)
	return log
}

// TestHeadOfLineBlocking by hand: inputs 0 and 1 have a packet of four flits for output 0, and
// input 0 one of one flit for output 1 after it. Links take a cycle. All packets are there at
// cycle 1, and input 1, the first after input 0, has output 0 for cycles 1 to 4.
func TestHeadOfLineBlocking(t *testing.T) {
	for queues, want := range map[InputQueues]string{
		InputFIFO: "5: packet 0 of input 1 at output 0; 9: packet 0 of input 0 at output 0; 10: packet 1 of input 0 at output 1",
		InputVOQ:  "2: packet 1 of input 0 at output 1; 5: packet 0 of input 1 at output 0; 9: packet 0 of input 0 at output 0",
	} {
		packet := func(sm, to uint16, tag uint32, flits uint8) mem.Packet {
			return mem.Packet{SM: sm, Slice: to, Tag: tag, Flits: flits}
		}
		scripts := []*script{
			{sm: 0, at: []sim.Cycle{0, 0}, list: []mem.Packet{packet(0, 0, 0, 4), packet(0, 1, 1, 1)}},
			{sm: 1, at: []sim.Cycle{0}, list: []mem.Packet{packet(1, 0, 0, 4)}},
		}
		got := strings.Join(play(queues, sim.ClockRatio{Num: 1, Den: 1}, 2, scripts), "; ")
		if got != want {
			t.Errorf("%s: %s\nwant %s", InputQueuesNames[queues], got, want)
		}
	}
}

// TestVirtualQueuesAgainstTwin: a twin with a list of packets for each input and output, which
// looks at everything in every clock, moves the same packets in the same cycles.
func TestVirtualQueuesAgainstTwin(t *testing.T) {
	seeds := uint64(40)
	if testing.Short() {
		seeds = 12
	}
	for seed := range seeds {
		rand := sim.NewRand(seed, 7)
		clock := []sim.ClockRatio{{Num: 1, Den: 1}, {Num: 2, Den: 1}, {Num: 3, Den: 5}}[rand.Intn(3)]
		inputs, outputs := 1+rand.Intn(70), 1+rand.Intn(70)
		if seed%8 == 0 {
			inputs, outputs = 1+rand.Intn(MaxPorts), 1+rand.Intn(MaxPorts)
		}
		scripts := make([]*script, inputs)
		for i := range scripts {
			s := &script{sm: uint16(i)}
			at := sim.Cycle(0)
			for tag := range 40 {
				at += sim.Cycle(rand.Intn(6))
				s.at = append(s.at, at)
				s.list = append(s.list, mem.Packet{SM: uint16(i), Slice: uint16(rand.Intn(min(outputs, 1+rand.Intn(outputs)))), Tag: uint32(tag), Flits: uint8(1 + rand.Intn(5))})
			}
			scripts[i] = s
		}
		want := twin(clock, outputs, scripts)
		got := play(InputVOQ, clock, outputs, scripts)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			for k := range min(len(got), len(want)) {
				if got[k] != want[k] {
					t.Fatalf("seed %d, %d inputs, %d outputs, clock %v: %s, the twin has %s", seed, inputs, outputs, clock, got[k], want[k])
				}
			}
			t.Fatalf("seed %d: %d packets arrived, %d in the twin", seed, len(got), len(want))
		}
	}
}

// twin plays scripts through virtual output queues, in the plain way.
func twin(clock sim.ClockRatio, outputs int, scripts []*script) []string {
	type waiting struct {
		mem.Packet
		at sim.Cycle
	}
	inputs := len(scripts)
	queue := make([][][]waiting, inputs)
	for i, s := range scripts {
		queue[i] = make([][]waiting, outputs)
		for k, p := range s.list {
			queue[i][p.Slice] = append(queue[i][p.Slice], waiting{p, s.at[k] + 1})
		}
	}
	inFree, outFree := make([]uint64, inputs), make([]uint64, outputs)
	lastFrom, lastTo := make([]int, outputs), make([]int, inputs)
	arrivals := map[sim.Cycle][][]string{} // by cycle and output
	last := make([]sim.Cycle, outputs)
	left := inputs * len(scripts[0].list)
	for now := sim.Cycle(0); left > 0; now++ {
		for local := clock.Local(now); local < clock.Local(now+1); local++ {
			asks := func(i, o int) bool {
				q := queue[i][o]
				return len(q) > 0 && q[0].at <= now && inFree[i] <= local && outFree[o] <= local
			}
			grant := make([]int, outputs)
			for o := range outputs {
				grant[o] = -1
				for k := 1; k <= inputs; k++ {
					if i := (lastFrom[o] + k) % inputs; asks(i, o) {
						grant[o] = i
						break
					}
				}
			}
			for i := range inputs {
				for k := 1; k <= outputs; k++ {
					o := (lastTo[i] + k) % outputs
					if grant[o] != i {
						continue
					}
					p := queue[i][o][0]
					queue[i][o] = queue[i][o][1:]
					lastFrom[o], lastTo[i] = i, o
					end := local + uint64(p.Flits)
					inFree[i], outFree[o] = end, end
					left--
					at := now // the cycle in which the last flit's clock begins
					for clock.Local(at+1) < end {
						at++
					}
					at = max(at+1, last[o])
					last[o] = at
					if arrivals[at] == nil {
						arrivals[at] = make([][]string, outputs)
					}
					arrivals[at][o] = append(arrivals[at][o], fmt.Sprintf("%d: packet %d of input %d at output %d", at, p.Tag, p.SM, o))
					break
				}
			}
		}
	}
	var log []string
	for now := sim.Cycle(0); now < 20_000; now++ {
		for _, lines := range arrivals[now] {
			log = append(log, lines...)
		}
	}
	return log
}
