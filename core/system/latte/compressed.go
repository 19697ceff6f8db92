package latte

import (
	"fmt"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/latte/policy"
	"github.com/burstscope/burstscope/core/tape"
)

// CompressedConfig describes the compressed L1 of LATTE-CC (HPCA 2018, section IV-A): a
// set has more tags than ways, and its bytes are sub-blocks of 32 bytes. A line takes as
// many sub-blocks as its code needs.
type CompressedConfig struct {
	Policy        *policy.Row
	TagFactor     int // tags for each way
	PhaseAccesses int // L1 accesses of an experimental phase
	PeriodPhases  int
	DedicatedSets int                  // of each mode
	Compress      [policy.NumModes]int // cycles until a new line can be read
	Decompress    [policy.NumModes]int // cycles of a hit, one line at a time
	Whole         bool                 // a compressed line takes a whole line's room
	Reserve       bool                 // a miss takes a whole line's room before its data come
	Ratios        bool                 // measure what other codecs make of every line
	Paranoid      bool                 // keep the codes, and decode them at every hit
	Plan          []policy.Mode        // of the launches, for a planned policy
}

const (
	// subBlocks of a line: 32 bytes each (section IV-A).
	subBlocks = mem.LineSectors
	// rawAboveBits: a code above three sub-blocks saves none.
	rawAboveBits = (subBlocks - 1) * mem.SectorBytes * 8
	wholeLine    = 1<<mem.LineSectors - 1 // its sectors
)

// coder is a codec with its fast sizes.
type coder interface {
	codec.Codec
	codec.Sizer
}

// Compressed makes the stores of a machine's L1s. They share the code tables of SC: by
// their sizes, the machine has one unit (section IV-C2: 15.5 KB are 6.45 % of 15 L1s).
type Compressed struct {
	config CompressedConfig
	coders [policy.NumModes]coder // nil for modes without compression, and for SC
	// counters are the counters of each mode's codec; nil for modes without compression.
	counters [policy.NumModes]*codecs.L1
	learns   policy.Mode // the mode whose codec is SC; None if there is none
	codes    *codes      // nil without SC
	ratios   *ratios     // nil unless measured
	plan     policy.Plan
	stores   []*compressed
}

// NewCompressed returns the stores of one machine. It refuses a policy with a codec that cannot be in an L1.
func NewCompressed(c CompressedConfig) (*Compressed, error) {
	u := &Compressed{config: c, plan: policy.Plan{Modes: c.Plan}}
	if p := c.Policy; p.Low != "" && p.Low == p.High {
		return nil, fmt.Errorf("latte: policy %s: both modes have codec %s: leave one of them out", p.Name, p.Low)
	}
	for m := range policy.NumModes {
		name := c.Policy.Codec(m)
		if name == "" {
			continue
		}
		row, err := codecs.InL1(name)
		if err == nil {
			u.counters[m] = row.L1
			if name == learnedCodec {
				u.learns = m
			} else {
				u.coders[m], err = codecs.ByName(name, nil)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("latte: policy %s: %w", c.Policy.Name, err)
		}
	}
	if u.learns != policy.None || c.Ratios {
		u.codes = &codes{codesState: codesState{period: c.PeriodPhases}}
	}
	if c.Ratios {
		u.ratios = newRatios()
	}
	return u, nil
}

// learnedCodec is the codec whose codes are made from the lines that enter L1 (codes).
const learnedCodec = "sc"

// New makes the store of an SM's L1.
func (u *Compressed) New(c *cache.L1Config, e cache.StoreEnv) (cache.Store, int) {
	g := cache.Geometry{Sets: c.Sets, Ways: c.Ways * u.config.TagFactor}
	n := g.Sets * g.Ways
	s := &compressed{
		unit: u, env: e, ways: c.Ways,
		tags:    c.NewTags(g.Ways),
		lines:   make([]mem.Line, n),
		entries: make([]entry, n),
		free:    make([]uint16, c.Sets),
		policy: u.config.Policy.New(policy.Params{
			Sets: c.Sets, PeriodPhases: u.config.PeriodPhases, DedicatedSets: u.config.DedicatedSets,
			HitCycles: c.LatencyCycles, Decompress: u.config.Decompress, Plan: &u.plan,
		}),
		latency: sim.Cycle(c.LatencyCycles),
	}
	for m := range policy.NumModes {
		if l1 := u.counters[m]; l1 != nil {
			s.compressions[m], s.decompressions[m] = Compressions(l1), Decompressions(l1)
		}
	}
	if u.config.Paranoid {
		s.proof = make([]proof, n)
	}
	s.Clear()
	s.Begin(0)
	u.stores = append(u.stores, s)
	return s, n
}

// coder returns the codec of a mode, nil if lines stay as they are: SC has no codes before
// its first sample.
func (u *Compressed) coder(m policy.Mode) coder {
	if m != policy.None && m == u.learns {
		if u.codes.codec == nil {
			return nil
		}
		return u.codes.codec
	}
	return u.coders[m]
}

// phaseEnded notes that an SM has ended its n-th phase. If the codes change, lines that
// were coded with the old ones can no longer be read, and leave all L1s.
func (u *Compressed) phaseEnded(n int, s *stat.Set) {
	if u.codes == nil || !u.codes.phaseEnded(n) {
		return
	}
	s[L1CodeTables]++
	if u.learns != policy.None {
		for _, store := range u.stores {
			store.dropCoded(u.learns)
		}
	}
}

// setPlan sets the modes of the launches.
func (u *Compressed) setPlan(modes []policy.Mode) { u.plan.Modes = append(u.plan.Modes[:0], modes...) }

// planned reports whether the policy follows a plan that has not been made.
func (u *Compressed) planned() bool { return u.config.Policy.Planned && len(u.plan.Modes) == 0 }

// State lists the changing state that the stores share.
func (u *Compressed) State(t *tape.Tape) {
	tape.Value(t, &u.plan.Launch)
	tape.List(t, &u.plan.Modes)
	if u.codes != nil {
		u.codes.state(t)
	}
}
