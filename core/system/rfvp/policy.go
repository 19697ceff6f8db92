package rfvp

import (
	"encoding/binary"
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/tape"
)

// Loads are the approximate loads of a program.
type Loads struct {
	Forms  []Form
	Places []Place // of the loads, in the same order
	// OfLaunch holds, for each launch and PC, the load's index in Forms plus 1; 0 = exact. The
	// list of a launch may be shorter than its kernel.
	OfLaunch [][]uint16
}

// Place is where a load stands.
type Place struct {
	Kernel *ptx.Kernel
	PC     int32
}

// of returns the index of a load, -1 if it is exact.
func (l *Loads) of(launch, pc int32) int {
	if list := l.OfLaunch[launch]; int(pc) < len(list) {
		return int(list[pc]) - 1
	}
	return -1
}

// Tally counts what happened to one load.
type Tally struct {
	Misses  uint64 `json:"misses"`  // lines of the load that L1 did not hold
	Dropped uint64 `json:"dropped"` // of these: answered with a guess
	Lanes   uint64 `json:"lanes"`   // values that the guesses gave to lanes
	Exact   uint64 `json:"exact"`   // of these: equal to memory
}

// Add adds o to t.
func (t *Tally) Add(o *Tally) {
	t.Misses += o.Misses
	t.Dropped += o.Dropped
	t.Lanes += o.Lanes
	t.Exact += o.Exact
}

// Rate is a drop rate in thousandths.
type Rate int

// threshold returns how many of the 256 draws drop a request [ours: the paper does not say
// how a draw is compared].
func (r Rate) threshold() int { return (int(r)*256 + 500) / 1000 }

// PolicyConfig describes the policy of a machine.
type PolicyConfig struct {
	Predictor Config
	Rates     []Rate // at which a launch drops
	// Fetch sends the request of a guessed line all the same, for training only (section
	// 6.1, figure 8).
	Fetch bool
	Seed  uint64
	Loads *Loads
}

// Policy answers load misses of one SM with guesses (section 2.4).
type Policy struct {
	config    PolicyConfig
	env       sm.LoadEnv
	predictor *Predictor
	draws     lfsr
	bits      uint64 // of the predictor that an element reads or writes
	tallies   []Tally
	access    Access
	truth     mem.Line
	replay    Replay // nil: predicted lines stay as they are
}

// NewPolicy returns the policy of an SM.
func NewPolicy(c PolicyConfig, e sm.LoadEnv) *Policy {
	random := sim.NewRand(c.Seed, uint64(e.SM))
	return &Policy{
		config: c, env: e, predictor: NewPredictor(c.Predictor), draws: newLFSR(random.Uint32()),
		bits: uint64(c.Predictor.AccessBits()), tallies: make([]Tally, len(c.Loads.Forms)),
	}
}

// Miss drops the request of an approximate load if the draw says so and the load has a row.
func (p *Policy) Miss(now sim.Cycle, m *sm.LoadMiss, line *mem.Line) sm.Answer {
	load := p.config.Loads.of(m.Launch, m.PC)
	if load < 0 {
		return sm.Fetched
	}
	if p.config.Fetch && !m.CanFetch {
		return sm.Waits
	}
	t := &p.tallies[load]
	t.Misses++
	p.env.Stats[ApproximateMisses]++
	if p.draws.draw() >= p.config.Rates[m.Launch].threshold() {
		return sm.Fetched
	}
	p.describe(load, m)
	p.env.Stats[PredictorBits] += p.bits * uint64(p.access.Form.Elements)
	if !p.predictor.Predict(&p.access, line) {
		p.env.Stats[ApproximateUntrained]++
		return sm.Fetched
	}
	t.Dropped++
	p.judge(t, m, line)
	if p.replay != nil {
		p.replayed(now, load, m, line)
	}
	if p.config.Fetch {
		return sm.Trained
	}
	return sm.Kept
}

// judge compares a guess with memory, to count; the program does not know.
func (p *Policy) judge(t *Tally, m *sm.LoadMiss, line *mem.Line) {
	p.env.Memory(m.Addr, &p.truth)
	m.Wrong = different(line, &p.truth)
	lanes := uint64(bits.OnesCount32(m.Lanes))
	exact := lanes - m.WrongLanes()
	t.Lanes += lanes
	t.Exact += exact
	p.env.Stats[PredictedLanes] += lanes
	p.env.Stats[PredictedExactLanes] += exact
}

// different returns the bytes in which two lines differ.
func different(a, b *mem.Line) (m mem.ByteMask) {
	for i := 0; i < mem.LineBytes; i += 8 {
		x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:])
		for x != 0 {
			k := bits.TrailingZeros64(x) / 8
			m.Set(i+k, 1)
			x &^= 0xff << (8 * k)
		}
	}
	return m
}

// Fetched trains the predictor with the line of an approximate load.
func (p *Policy) Fetched(_ sim.Cycle, m *sm.LoadMiss, line *mem.Line) {
	load := p.config.Loads.of(m.Launch, m.PC)
	if load < 0 {
		return
	}
	p.describe(load, m)
	p.env.Stats[PredictorBits] += p.bits * uint64(p.access.Form.Elements)
	p.predictor.Train(&p.access, line)
}

func (p *Policy) describe(load int, m *sm.LoadMiss) {
	p.access = Access{Warp: m.Slot, Form: p.config.Loads.Forms[load], Lanes: m.Lanes, Offset: m.Offset}
}

// Loads returns the approximate loads.
func (p *Policy) Loads() *Loads { return p.config.Loads }

// Tallies returns the counts of the loads, in the order of Loads.Forms.
func (p *Policy) Tallies() []Tally { return p.tallies }

// State lists the changing state of the policy.
func (p *Policy) State(t *tape.Tape) {
	p.predictor.State(t)
	tape.Value(t, &p.draws)
	tape.Values(t, p.tallies)
}
