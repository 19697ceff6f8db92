package experiment

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// TrafficRun is a measurement of traffic in progress: first the program runs without
// compression, then every codec sizes every block.
type TrafficRun struct {
	plan    *Plan
	machine *machine.Machine // nil once the program has ended
	blocks  *tape
	traffic *Traffic

	left  []trafficCoding // codings that are not done; the first is in progress
	all   int
	sized codecs.Coder  // of the first of left, nil before it begins
	sizes *TrafficCodec // so far
	added int           // distinct blocks
}

// trafficCoding is one setting of a codec.
type trafficCoding struct {
	name    string
	options codecs.Options
	values  int
}

// NewTraffic prepares a measurement. Of the plan's memory scheme it uses only the MAG.
func NewTraffic(p *Plan) (*TrafficRun, error) {
	s, err := NewStudy(p)
	if err != nil {
		return nil, err
	}
	counts, err := codecs.NewTrainer(trafficCodecs()...)
	if err != nil {
		return nil, err
	}
	l, blocks := s.loaded.copy(), newTape(counts)
	m, err := machine.New(s.spec,
		machine.Job{Launches: l.timed, Order: l.checks, Image: l.image, Scheme: codec.NewRaw(p.Memory.MAG()),
			Observer: blocks, CycleLimit: p.CycleLimit})
	if err != nil {
		return nil, err
	}
	r := newTraffic(p, blocks)
	r.machine = m
	return r, nil
}

// newTraffic prepares the measurement of blocks.
func newTraffic(p *Plan, blocks *tape) *TrafficRun {
	return &TrafficRun{plan: p, blocks: blocks, traffic: &Traffic{Version: Version, ScenarioHash: p.ScenarioHash, Workload: p.Program.Name}}
}

// keep begins the sizing after the program has ended.
func (r *TrafficRun) keep() error {
	if r.blocks.full {
		return fmt.Errorf("traffic of %s: more than %d different blocks: choose a smaller workload.size", r.plan.Program.Name, maxTrafficBlocks)
	}
	r.machine, r.traffic.Blocks = nil, r.blocks.all
	return nil
}

// Step simulates about the given number of cycles, or sizes as many blocks. It reports
// whether the measurement is over.
func (r *TrafficRun) Step(cycles uint64) (done bool, err error) {
	switch {
	case r.machine != nil:
		ended, err := r.machine.Advance(r.machine.Now() + sim.Cycle(cycles))
		if err != nil || !ended {
			return false, err
		}
		return false, r.keep()
	case r.left == nil:
		return false, r.plans()
	}
	return r.size(int(cycles))
}

// plans lists the codings, with codes made from the symbols of the blocks.
func (r *TrafficRun) plans() error {
	counts := r.blocks.counts.Histogram(16)
	if entropy := counts.EntropyBits(); entropy > 0 {
		r.traffic.EntropyRatio16 = codec.RawBits / entropy
	}
	for _, name := range trafficCodecs() {
		bits, err := codecs.SymbolBits(name)
		if err != nil {
			return err
		}
		if bits == 0 {
			r.left = append(r.left, trafficCoding{name, codecs.Options{}, 0})
			continue
		}
		ways, values := []int{e2mc.DefaultWays}, []int{e2mc.DefaultMaxValues}
		if bits == 16 {
			ways, values = trafficWays, trafficValues
		}
		for _, n := range values {
			table, err := e2mc.Train(r.blocks.counts.Histogram(bits), e2mc.TrainParams{MaxValues: n})
			if err != nil {
				return err
			}
			for _, w := range ways {
				if n == e2mc.DefaultMaxValues || w == e2mc.DefaultWays {
					r.left = append(r.left, trafficCoding{name, codecs.Options{Ways: w, Table: table}, n})
				}
			}
		}
	}
	r.all = len(r.left)
	return nil
}

// size sizes some distinct blocks under the current coding.
func (r *TrafficRun) size(blocks int) (done bool, err error) {
	now, lines := r.left[0], r.blocks.lines
	if r.sized == nil {
		if r.sized, err = r.blocks.counts.Make(now.name, now.options); err != nil {
			return false, err
		}
		r.sizes = &TrafficCodec{Codec: now.name, Ways: now.options.Ways, MaxValues: now.values, Bytes: make([]uint64, mem.LineBytes+1)}
	}
	end := min(len(lines), r.added+blocks)
	for ; r.added < end; r.added++ {
		bits, times := r.sized.SizeBits(&lines[r.added]), r.blocks.times[r.added]
		r.sizes.Bits += uint64(bits) * times
		r.sizes.Bytes[(bits+7)/8] += times
	}
	if end < len(lines) {
		return false, nil
	}
	if now.options.Table != nil {
		r.sizes.EscapeBits = now.options.Table.EscapeBits()
	}
	r.traffic.Codecs = append(r.traffic.Codecs, *r.sizes)
	r.left, r.sized, r.added = r.left[1:], nil, 0
	return len(r.left) == 0, nil
}

// Sized is the share of the sizing done so far.
func (r *TrafficRun) Sized() float64 {
	if r.all == 0 {
		return 0
	}
	return (float64(r.all-len(r.left)) + float64(r.added)/float64(max(len(r.blocks.lines), 1))) / float64(r.all)
}

// Traffic returns the figures of a finished measurement.
func (r *TrafficRun) Traffic() *Traffic { return r.traffic }

// MeasureTraffic runs the plan's program without compression and sizes every block
// that crosses a controller.
func MeasureTraffic(p *Plan) (*Traffic, error) {
	r, err := NewTraffic(p)
	for done := false; !done && err == nil; {
		done, err = r.Step(stepCycles)
	}
	if err != nil {
		return nil, err
	}
	return r.Traffic(), nil
}

// Hash covers all counts. It leaves out the entropy, which follows from the counts by
// logarithms whose last bit differs between machines.
func (t *Traffic) Hash() string {
	h := digest.New()
	var word [8]byte
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(word[:], v)
		h.Write(word[:])
	}
	put(t.Blocks)
	for i := range t.Codecs {
		c := &t.Codecs[i]
		put(uint64(len(c.Codec)))
		h.Write([]byte(c.Codec))
		put(uint64(c.Ways))
		put(uint64(c.MaxValues))
		put(c.Bits)
		for _, n := range c.Bytes {
			put(n)
		}
	}
	return h.Hex()
}
