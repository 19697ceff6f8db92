package latte

import (
	"fmt"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/latte/policy"
	"github.com/burstscope/burstscope/core/tape"
)

// compressed is the store of one L1. A tag can lie there without data: a line on order, or
// a ghost, whose data have left.
type compressed struct {
	unit    *Compressed
	env     cache.StoreEnv
	policy  policy.Policy
	ways    int // of an L1 without compression
	latency sim.Cycle
	// Counters of the codec of each mode.
	compressions, decompressions [policy.NumModes]stat.Counter

	tags    cache.Tags
	lines   []mem.Line
	entries []entry
	free    []uint16 // sub-blocks of each set
	proof   []proof  // nil unless paranoid
	queue   [policy.NumModes]decompressor
	phases  phases
}

// entry is the state of one tag.
type entry struct {
	asked sim.Cycle // when the line was ordered
	ready sim.Cycle // when the compressor has done with it
	valid uint8     // sectors with data
	// blocks are the sub-blocks that it takes.
	blocks  uint8
	mode    policy.Mode // when the line was ordered
	packed  bool        // the line lies there as a code
	ordered bool        // its data have not come yet
	fresh   bool        // the tag was claimed for the current access
}

// proof holds the code of a packed line.
type proof struct {
	block codec.Block
	bits  int
}

// decompressor serves the hits of one codec, one after the other.
type decompressor struct {
	freeAt sim.Cycle
	// Sums of the phase: lines, and how many stood in front of each.
	lines, positions uint64
}

func (s *compressed) Find(a mem.Addr) (e int, sectors uint8) {
	if e = s.tags.Find(a); e < 0 {
		return e, 0
	}
	return e, s.entries[e].valid
}

// Claim finds a tag. The room is found when the data come, unless it is reserved now.
func (s *compressed) Claim(a mem.Addr, waits []uint16) (e, evicted int) {
	if s.unit.config.Reserve && !s.reservable(a, waits) {
		return -1, 0
	}
	if e = s.victim(a, waits); e < 0 {
		return e, 0
	}
	if s.empty(e) {
		evicted++
	}
	s.tags.Put(e, a)
	s.entries[e] = entry{fresh: true}
	if s.unit.config.Reserve {
		evicted += s.reserve(e, waits)
	}
	return e, evicted
}

// victim returns an empty tag of a's set, or the least recently used one of the ghosts or
// else of the lines, or -1 if all wait for data.
func (s *compressed) victim(a mem.Addr, waits []uint16) int {
	first, end := s.tags.Set(a)
	ghost, line := -1, -1
	for e := first; e < end; e++ {
		switch {
		case s.tags.Addr[e] == cache.NoLine:
			return e
		case waits[e] != 0:
		case s.entries[e].valid == 0:
			s.older(&ghost, e)
		default:
			s.older(&line, e)
		}
	}
	if ghost >= 0 {
		return ghost
	}
	return line
}

// older puts e into best if e was used earlier.
func (s *compressed) older(best *int, e int) {
	if *best < 0 || s.tags.Used[e] < s.tags.Used[*best] {
		*best = e
	}
}

// reservable reports whether a's set has room for a line, with the lines that do not wait.
func (s *compressed) reservable(a mem.Addr, waits []uint16) bool {
	first, end := s.tags.Set(a)
	room := int(s.free[first/s.tags.Geometry.Ways])
	for e := first; e < end; e++ {
		if waits[e] == 0 {
			room += int(s.entries[e].blocks)
		}
	}
	return room >= subBlocks
}

// reserve takes the room of a line for entry e.
func (s *compressed) reserve(e int, waits []uint16) (evicted int) {
	set := e / s.tags.Geometry.Ways
	first := set * s.tags.Geometry.Ways
	for s.free[set] < subBlocks {
		line := -1
		for x := first; x < first+s.tags.Geometry.Ways; x++ {
			if waits[x] == 0 && s.entries[x].blocks > 0 {
				s.older(&line, x)
			}
		}
		if s.empty(line) {
			evicted++
		}
		s.tags.Addr[line] = cache.NoLine
	}
	s.free[set] -= subBlocks
	s.entries[e].blocks = subBlocks
	return evicted
}

// empty takes the data out of an entry, and reports whether it had any.
func (s *compressed) empty(e int) bool {
	x := &s.entries[e]
	held := x.valid != 0
	s.free[e/s.tags.Geometry.Ways] += uint16(x.blocks)
	x.valid, x.blocks, x.packed = 0, 0, false
	return held
}

// orders counts the lines that enter under each mode.
var orders = [policy.NumModes]stat.Counter{policy.None: L1OrdersNone, policy.Low: L1OrdersLow, policy.High: L1OrdersHigh}

// Use counts an access, except for a hit, which Read counts.
func (s *compressed) Use(now sim.Cycle, e int, o cache.Outcome, p mem.Priority) {
	if o == cache.Hit {
		s.phases.deep = s.unit.config.Policy.Stack && s.deep(e)
		s.tags.Use(e, p)
		return
	}
	s.tags.Use(e, p)
	if x := &s.entries[e]; o == cache.Miss && x.valid == 0 && !x.ordered {
		set := e / s.tags.Geometry.Ways
		x.mode, x.asked, x.ordered = s.policy.Mode(set), now, true
		s.env.Stats[orders[x.mode]]++
		s.policy.Miss(set, !x.fresh)
		x.fresh = false
	}
	s.access(now)
}

// Read passes a packed line through its decompressor.
func (s *compressed) Read(now sim.Cycle, e int) (line *mem.Line, ready sim.Cycle) {
	x := &s.entries[e]
	line, ready = &s.lines[e], max(now, x.ready)
	if x.packed {
		if s.proof != nil {
			s.prove(e)
		}
		ready = s.queue[x.mode].pass(ready, sim.Cycle(s.unit.config.Decompress[x.mode]))
		s.env.Stats[L1Decompressions]++
		s.env.Stats[s.decompressions[x.mode]]++
	}
	s.policy.Hit(policy.Hit{Set: e / s.tags.Geometry.Ways, Mode: x.mode, Deep: s.phases.deep})
	s.access(now)
	return line, ready + s.latency
}

// pass queues a line that can enter at a cycle, and returns the cycle when it is
// decompressed. A line waits for all lines in front of it: with n of them, its latency is
// n+1 times that of one, less what has passed of the one in work.
func (d *decompressor) pass(at, cycles sim.Cycle) sim.Cycle {
	d.lines++
	if cycles == 0 {
		return at // a later line may be ready earlier
	}
	if d.freeAt > at {
		d.positions += uint64((d.freeAt - at + cycles - 1) / cycles)
		at = d.freeAt
	}
	d.freeAt = at + cycles
	return d.freeAt
}

// deep reports whether an L1 without compression would have replaced a line: its set has
// used as many other lines since as that L1 has ways.
func (s *compressed) deep(e int) bool {
	n, first := 0, e/s.tags.Geometry.Ways*s.tags.Geometry.Ways
	for x := first; x < first+s.tags.Geometry.Ways; x++ {
		if s.tags.Addr[x] != cache.NoLine && s.tags.Used[x] > s.tags.Used[e] {
			n++
		}
	}
	return n >= s.ways
}

// Bytes returns what Fill has put into an entry: the store holds its lines as they are beside their codes.
func (s *compressed) Bytes(e int) (line *mem.Line, sectors uint8) {
	return &s.lines[e], s.entries[e].valid
}

// Fill compresses a line that is complete, finds room for it, and takes the time from
// when it was ordered.
func (s *compressed) Fill(now sim.Cycle, e int, data *mem.Line, sectors uint8) (evicted int) {
	x := &s.entries[e]
	s.lines[e].Merge(data, mem.SectorMask(sectors))
	if x.ordered {
		x.ordered = false
		s.phases.missCycles += uint64(now - x.asked)
		s.phases.misses++
	}
	x.valid |= sectors
	x.ready, x.packed = now, false
	blocks := uint8(subBlocks)
	if x.valid == wholeLine {
		blocks = s.pack(now, e)
	}
	set := e / s.tags.Geometry.Ways
	s.free[set] += uint16(x.blocks)
	x.blocks = 0
	for s.free[set] < uint16(blocks) {
		if !s.makeRoom(e) {
			x.valid, x.packed = 0, false // all room is reserved
			return evicted
		}
		evicted++
	}
	x.blocks = blocks
	s.free[set] -= uint16(blocks)
	return evicted
}

// pack compresses the line of an entry, and returns the sub-blocks that it takes.
func (s *compressed) pack(now sim.Cycle, e int) uint8 {
	x, u := &s.entries[e], s.unit
	line := &s.lines[e]
	if u.ratios != nil {
		u.ratios.measure(line, u.codes, s.env.Stats)
	}
	if u.codes != nil {
		u.codes.observe(line)
	}
	c := u.coder(x.mode)
	if c == nil {
		return subBlocks
	}
	x.ready = now + sim.Cycle(u.config.Compress[x.mode])
	s.env.Stats[s.compressions[x.mode]]++
	bits := c.SizeBits(line)
	if bits > rawAboveBits {
		return subBlocks
	}
	x.packed = true
	if s.proof != nil {
		s.encode(c, e, bits)
	}
	if u.config.Whole {
		return subBlocks
	}
	return uint8(max(1, (bits+mem.SectorBytes*8-1)/(mem.SectorBytes*8)))
}

// makeRoom makes the least recently used line beside e a ghost.
func (s *compressed) makeRoom(e int) bool {
	first := e / s.tags.Geometry.Ways * s.tags.Geometry.Ways
	line := -1
	for x := first; x < first+s.tags.Geometry.Ways; x++ {
		if x != e && s.entries[x].valid != 0 {
			s.older(&line, x)
		}
	}
	return line >= 0 && s.empty(line)
}

// dropCoded makes ghosts of the packed lines of a mode.
func (s *compressed) dropCoded(m policy.Mode) {
	for e := range s.entries {
		if x := &s.entries[e]; x.packed && x.mode == m {
			s.empty(e)
			s.env.Stats[L1CodeDropped]++
		}
	}
}

func (s *compressed) encode(c coder, e, bits int) {
	p := &s.proof[e]
	if p.bits = c.Encode(&p.block, &s.lines[e]); p.bits != bits {
		panic(fmt.Sprintf("latte: %s measures %d bits and encodes %d", c.Info().Name, bits, p.bits))
	}
}

// prove decodes the code of a packed line and compares it with the bytes. A difference
// panics, because it shows an error in a codec or in the store.
func (s *compressed) prove(e int) {
	c, p := s.unit.coder(s.entries[e].mode), &s.proof[e]
	var line mem.Line
	if err := c.Decode(&line, &p.block, p.bits); err != nil || line != s.lines[e] {
		panic(fmt.Sprintf("latte: %s does not restore line %#x (%v)", c.Info().Name, s.tags.Addr[e], err))
	}
}

// Line returns the line of an entry.
func (s *compressed) Line(e int) mem.Addr { return s.tags.Addr[e] }

func (s *compressed) Drop(e int) {
	s.empty(e)
	s.tags.Addr[e], s.entries[e] = cache.NoLine, entry{}
}

// Clear empties the store. Codes, policies and measurements stay.
func (s *compressed) Clear() {
	s.tags.Clear()
	clear(s.entries)
	for i := range s.free {
		s.free[i] = uint16(s.ways * subBlocks)
	}
}

// Begin notes which launch the accesses that follow belong to.
func (s *compressed) Begin(launch int) {
	s.unit.plan.Launch = launch
	s.phases.launch(launch)
}

func (s *compressed) State(t *tape.Tape) {
	s.tags.State(t)
	tape.Values(t, s.lines)
	tape.Values(t, s.entries)
	tape.Values(t, s.free)
	tape.Values(t, s.proof)
	tape.Value(t, &s.queue)
	s.phases.state(t)
	s.policy.State(t)
}

// Occupancy implements cache.Filled.
func (s *compressed) Occupancy() (o cache.Occupancy, lines []mem.Addr) {
	g := s.tags.Geometry
	o = cache.Occupancy{Sets: g.Sets, TagsPerSet: g.Ways, SubBlocks: s.ways * subBlocks, HeldSectors: s.held(), Room: s.room()}
	o.Tags = make([]cache.TagState, len(s.entries))
	for i := range s.entries {
		e := &s.entries[i]
		o.Tags[i] = cache.TagState{Taken: s.tags.Addr[i] != cache.NoLine, Data: e.valid != 0, Packed: e.packed, Blocks: e.blocks, Mode: uint8(e.mode)}
	}
	return o, s.tags.Addr
}
