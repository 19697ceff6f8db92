package cache

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/policy"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
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
	learns policy.Mode            // the mode whose codec is SC; None if there is none
	codes  *codes                 // nil without SC
	ratios *ratios                // nil unless measured
	plan   policy.Plan
	stores []*compressed
}

// NewCompressed returns the stores of one machine.
func NewCompressed(c CompressedConfig) (*Compressed, error) {
	u := &Compressed{config: c, plan: policy.Plan{Modes: c.Plan}}
	for m := range policy.NumModes {
		switch name := c.Policy.Codec(m); name {
		case "":
		case "sc":
			u.learns = m
		default:
			var err error
			if u.coders[m], err = codecs.ByName(l1Codec(name), nil); err != nil {
				return nil, fmt.Errorf("cache: policy %s: %w", c.Policy.Name, err)
			}
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

// l1Codec returns the row of the table of codecs for a codec of an L1: LATTE-CC's BDI has
// ten encodings (section IV-C1).
func l1Codec(name string) string {
	if name == "bdi" {
		return "bdi10"
	}
	return name
}

// counters of each codec, by its name.
var compressions = map[string]stat.Counter{"bdi": stat.L1CompressionsBDI, "sc": stat.L1CompressionsSC, "bpc": stat.L1CompressionsBPC}

// New makes the store of an SM's L1.
func (u *Compressed) New(c *L1Config, e StoreEnv) (Store, int) {
	g := Geometry{Sets: c.Sets, Ways: c.Ways * u.config.TagFactor}
	n := g.Sets * g.Ways
	sets, index := c.Sets, c.Index
	s := &compressed{
		unit: u, env: e, ways: c.Ways,
		tags:    newTags(g, func(a mem.Addr) int { return index.set(a/mem.LineBytes, sets) }),
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
		if name := u.config.Policy.Codec(m); name != "" {
			s.compressions[m] = compressions[name]
			s.decompressions[m] = compressions[name] + stat.L1DecompressionsBDI - stat.L1CompressionsBDI
		}
	}
	if u.config.Paranoid {
		s.proof = make([]proof, n)
	}
	s.Clear(0)
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
	s[stat.L1CodeTables]++
	if u.learns != policy.None {
		for _, store := range u.stores {
			store.dropCoded(u.learns)
		}
	}
}

// SetPlan sets the modes of the launches.
func (u *Compressed) SetPlan(modes []policy.Mode) { u.plan.Modes = append(u.plan.Modes[:0], modes...) }

// Planned reports whether the policy follows a plan that has not been made.
func (u *Compressed) Planned() bool { return u.config.Policy.Planned && len(u.plan.Modes) == 0 }

// State lists the changing state that the stores share.
func (u *Compressed) State(t *tape.Tape) {
	tape.Value(t, &u.plan.Launch)
	tape.List(t, &u.plan.Modes)
	if u.codes != nil {
		u.codes.state(t)
	}
}
