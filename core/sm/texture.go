package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// TextureConfig describes the texture unit of an SM and its cache.
type TextureConfig struct {
	cache.Geometry
	MSHRs         int // lines that can be outstanding
	LatencyCycles int // from lookup to the result of a hit
	LanesPerCycle int // lanes whose texels the unit filters in a cycle
	QueueDepth    int // fetches that the unit holds
}

// textureUnit performs texture fetches: it looks up their lines, one a cycle, and filters when
// all have arrived. Results leave in the order of the fetches, because a FIFO holds the fetches
// until their lines are there (Igehy et al., Prefetching in a texture cache architecture, 1998;
// GPGPU-Sim's tex_cache). The latencies of memory and of the FIFO overlap. An SM has a unit only
// if its program has textures.
type textureUnit struct {
	config *TextureConfig
	core   *SM
	cache  *cache.L1
	unused stat.Set // of the cache, which counts as an L1
	ops    []textureOp
	textureState
}

type textureState struct {
	head, length int // ring
	looked       int // fetches from the head on whose lines have been looked up
	freeAt       sim.Cycle
	// blocked says that the cache takes no line before the next reply.
	blocked bool
}

// textureLines is the most lines that a fetch touches: one for each texel of each lane.
const textureLines = execute.TexelsMax * ptx.MaxLanes

// textureOp is one fetch. left counts the lines whose texels are not there yet.
type textureOp struct {
	fetch   execute.Fetch
	addr    [textureLines]mem.Addr
	sectors [textureLines]uint8
	n, next int
	left    int
	doneAt  sim.Cycle
	begun   sim.Cycle
	cause   uint32
	slot    uint8
}

func newTextureUnit(m *SM, c *Config) *textureUnit {
	l1 := cache.L1Config{Geometry: c.Texture.Geometry, Index: cache.IndexLinear, MSHRs: c.Texture.MSHRs, Merges: cache.MaxMerges, LatencyCycles: c.Texture.LatencyCycles}
	u := &textureUnit{config: &c.Texture, core: m, ops: make([]textureOp, c.Texture.QueueDepth)}
	u.cache = cache.NewL1(l1, cache.Plain, cache.StoreEnv{Stats: &u.unused})
	return u
}

func (u *textureUnit) full() bool { return u.length == len(u.ops) }

// pending reports whether lines wait to be looked up.
func (u *textureUnit) pending() bool { return u.looked < u.length && !u.blocked }

// accept takes a fetch that a warp has just executed.
func (u *textureUnit) accept(now sim.Cycle, slot int, in *ptx.Instr, f *execute.Fetch) {
	m := u.core
	w := &m.warps[slot]
	for _, id := range in.Writes {
		w.ready[id] = never
	}
	w.loads++
	o := &u.ops[(u.head+u.length)%len(u.ops)]
	u.length++
	m.lsu.causes++
	*o = textureOp{fetch: *f, doneAt: now + 1, slot: uint8(slot), cause: causeOf(m.port.sm, m.lsu.causes)}
	for k := range f.Lanes {
		for x := f.Lanes[k]; x != 0; x &= x - 1 {
			o.add(f.Addr[k][bits.TrailingZeros32(x)&31])
		}
	}
	o.left = o.n
	m.Stats[stat.TextureFetches]++
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, Addr: o.addr[0], Req: o.cause, A: uint32(slot)<<16 | uint32(bits.OnesCount32(f.Mask))<<8 | uint32(o.n), B: uint32(f.PC), Unit: m.port.sm, Kind: probe.KindIssue})
	}
}

// add notes the line of a texel. It tries the last line first.
func (o *textureOp) add(at mem.Addr) {
	line := mem.LineAddr(at)
	k := o.n - 1
	for k >= 0 && o.addr[k] != line {
		k--
	}
	if k < 0 {
		k = o.n
		o.n++
		o.addr[k], o.sectors[k] = line, 0
	}
	o.sectors[k] |= 1 << (mem.LineOffset(at) / mem.SectorBytes)
}

// step looks up one line of the oldest fetch that has lines left. It answers when it can next do
// something by itself.
func (u *textureUnit) step(now sim.Cycle) sim.Cycle {
	if now < u.freeAt {
		return u.freeAt
	}
	i := (u.head + u.looked) % len(u.ops)
	o := &u.ops[i]
	if o.next == 0 {
		o.begun = now
	}
	if o.next < o.n && !u.lookUp(now, i, o) {
		return never
	}
	u.freeAt = now + 1
	if o.next == o.n {
		u.looked++
		lanes := sim.Cycle(bits.OnesCount32(o.fetch.Mask))
		rate := sim.Cycle(u.config.LanesPerCycle)
		u.freeAt = max(u.freeAt, o.begun+(lanes+rate-1)/rate)
		u.retire(now)
	}
	if !u.pending() {
		return never
	}
	return u.freeAt
}

// lookUp looks up the next line of a fetch, and asks L2 for it if it misses. It returns false if
// that is not possible now.
func (u *textureUnit) lookUp(now sim.Cycle, i int, o *textureOp) bool {
	m := u.core
	s := &m.Stats
	if !m.port.canSend(now, 1) {
		s[stat.TextureBlocked]++
		return false
	}
	k := o.next
	sectors := uint8(1<<mem.LineSectors - 1)
	if m.config.L1.Sectored {
		sectors = o.sectors[k]
	}
	outcome, index := u.cache.Take(now, u.cache.Find(o.addr[k], sectors), uint32(i*textureLines+k), &u.unused)
	switch outcome {
	case cache.Blocked:
		s[stat.TextureBlocked]++
		u.blocked = true
		return false
	case cache.Hit:
		s[stat.TextureHits]++
		line, _ := u.cache.Read(now, index)
		o.read(k, line)
	case cache.Merged:
		s[stat.TextureHits]++
		s[stat.TextureMerged]++
	case cache.Miss:
		s[stat.TextureMisses]++
		want := mem.SectorMask(sectors)
		m.account.counts[o.fetch.PC].Bytes += uint64(want.SectorBytes())
		m.port.send(now, mem.Packet{Kind: mem.PacketLoad, Addr: o.addr[k], Mask: want, Tag: tagTexture | uint32(index), Cause: o.cause}, 0, 0)
	}
	s[stat.TextureAccesses]++
	o.next++
	o.doneAt = max(o.doneAt, now+sim.Cycle(u.config.LatencyCycles))
	return true
}

// read takes the texels that lie in line k.
func (o *textureOp) read(k int, line *mem.Line) {
	f := &o.fetch
	for x := range f.Lanes {
		for m := f.Lanes[x]; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if at := f.Addr[x][i]; mem.LineAddr(at) == o.addr[k] {
				copy(f.Texel[i][x][:f.Bytes], line[mem.LineOffset(at):])
			}
		}
	}
	o.left--
}

// arrived takes a line from L2.
func (u *textureUnit) arrived(now sim.Cycle, p *mem.Packet) {
	u.blocked = false
	line := u.core.env.Arena.Line(p.Data)
	for _, waiter := range u.cache.Fill(now, int(p.Tag&^tagKinds), line, &u.unused) {
		u.ops[waiter/textureLines].read(int(waiter%textureLines), line)
	}
	u.core.env.Arena.Free(p.Data)
	u.retire(now)
}

// retire filters the oldest fetches, as far as their texels are there, and makes the results
// usable.
func (u *textureUnit) retire(now sim.Cycle) {
	m := u.core
	for u.looked > 0 && u.ops[u.head].left == 0 {
		if u.full() {
			m.schedulers.changeAll()
		}
		o := &u.ops[u.head]
		u.head, u.length, u.looked = (u.head+1)%len(u.ops), u.length-1, u.looked-1
		w := &m.warps[o.slot]
		w.warp.BindFetch(&o.fetch)
		at := max(o.doneAt, now+1)
		for _, id := range m.lsu.warpInstr(o.fetch.PC).Writes {
			if w.ready[id] == never {
				w.ready[id] = at
			}
		}
		w.loads--
		m.loaded(now, int(o.slot))
	}
}

// state lists the cache and the fetches under way.
func (u *textureUnit) state(t *tape.Tape) {
	u.cache.State(t)
	tape.Value(t, &u.textureState)
	for i := range u.length {
		tape.Value(t, &u.ops[(u.head+i)%len(u.ops)])
	}
}
