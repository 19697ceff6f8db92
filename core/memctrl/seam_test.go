package memctrl

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// halved is a storage that puts the third and the fourth burst of every block behind
// the link.
type halved struct{ *DeviceMemory }

func (h halved) Read(b Block, line *mem.Line) Placed {
	return halve(h.DeviceMemory.Read(b, line))
}

func (h halved) Write(b Block, line *mem.Line, mask mem.ByteMask) Placed {
	return halve(h.DeviceMemory.Write(b, line, mask))
}

func halve(p Placed) Placed {
	const linked = 0b1100
	p.Parts[InLink] = p.Parts[InDevice] & linked
	p.Parts[InDevice] &^= linked
	return p
}

// fixed is a backing without limits that takes the same time for every transfer.
type fixed struct {
	front   Front
	latency uint64
	taken   map[int16]Transfer
	started timeline[int16]
	moved   *linkCount
}

// linkCount counts the transfers of a link.
type linkCount struct{ bursts, transfers uint64 }

func (f *fixed) CatchUp(uint64) {}
func (f *fixed) Take(i int16, t *Transfer, _ uint64) {
	if _, ok := f.taken[i]; ok {
		panic(fmt.Sprintf("transfer %d is taken twice", i))
	}
	f.taken[i] = *t
}
func (f *fixed) Start(i int16, from uint64) { f.started.add(from, i) }
func (f *fixed) Due(bool) uint64            { return f.started.dueAt() }
func (f *fixed) LeadCycles() uint64         { return f.latency }
func (f *fixed) Settle(uint64)              {}
func (f *fixed) Describe(c Class) Happening {
	return Happening{Kind: probe.KindLink, A: uint32(c.writes())}
}
func (f *fixed) Run(before uint64) bool {
	for f.started.dueAt() < before {
		at, i := f.started.dueAt(), *f.started.first()
		f.started.drop()
		f.moved.bursts += uint64(bits.OnesCount8(f.taken[i].Bursts))
		f.moved.transfers++
		delete(f.taken, i)
		if f.front.Moved(InLink, i, Moved{First: at, Column: at, Last: at, End: at + f.latency}) {
			return true
		}
	}
	return false
}

func (f *fixed) State(t *tape.Tape) {
	f.started.state(t)
	tape.Value(t, f.moved)
	taken := make([]Transfer, 512)
	for i, v := range f.taken {
		taken[i] = v
	}
	tape.Values(t, taken)
	clear(f.taken)
	for i, v := range taken {
		if v.Bursts != 0 {
			f.taken[int16(i)] = v
		}
	}
}

// newLinkedRig is newRig with a storage that halves blocks and a link of some latency.
func newLinkedRig(tb testing.TB, cfg Config, latency uint64) (*rig, *linkCount) {
	count := &linkCount{}
	r := newRigIn(tb, cfg, rigBytes, func(env *Env) {
		env.Storage = halved{NewDeviceMemory(&cfg, env.Image)}
		env.Link = func(_ int, f Front, _ *stat.Set) Backing {
			return &fixed{front: f, latency: latency, taken: map[int16]Transfer{}, started: newTimeline[int16](512), moved: count}
		}
	})
	return r, count
}

// A block with parts in two backings is complete when both have moved their parts: its
// bytes are those of flat memory, bursts are conserved, and no entry is left over. Slicing
// a run or copying its state changes nothing.
func TestBlocksInTwoBackings(t *testing.T) {
	const until = 400000
	for name, cfg := range shapes(t) {
		if cfg.Scheme.MAGBytes() != 32 || cfg.Schedule != ScheduleDrain {
			continue // other blocks have no third burst or eight
		}
		for _, latency := range []uint64{3, 40, 900} {
			v := traffic{requests: 2500, lines: 900, writes: 4, gap: 4, partial: !cfg.Scheme.Compressed(), seed: latency}
			r, count := newLinkedRig(t, cfg, latency)
			r.check(cfg)
			want := r.script(cfg, v, anyByte)
			r.run(until)
			got := 0
			for _, s := range r.slice {
				for _, x := range s.replies {
					got++
					if x.data != want[x.tag] {
						t.Fatalf("%s: read %d returned other bytes than flat memory holds", name, x.tag)
					}
				}
			}
			s := &r.stats
			if got != len(want) || !r.control.Idle() || r.arena.Live() != 0 {
				t.Errorf("%s: %d replies to %d reads, %d lines left over", name, got, len(want), r.arena.Live())
			}
			blocks := s[stat.BlocksReadRaw] + s[stat.BlocksReadLossless] + s[stat.BlocksReadLossy] +
				s[stat.BlocksWrittenRaw] + s[stat.BlocksWrittenLossless] + s[stat.BlocksWrittenLossy]
			device := s[stat.BurstsRead] + s[stat.BurstsWritten]
			if cfg.Scheme.Compressed() && device+count.bursts+s[stat.BurstsSaved] != blocks*4 {
				t.Errorf("%s: %d bursts of DRAM, %d of the link and %d saved for %d blocks", name, device, count.bursts, s[stat.BurstsSaved], blocks)
			}
			if count.transfers == 0 || count.bursts < count.transfers || count.bursts > 2*count.transfers {
				t.Errorf("%s: %d bursts in %d transfers of the link", name, count.bursts, count.transfers)
			}
			if served := s[stat.BlocksReadRaw] + s[stat.BlocksReadLossless] + s[stat.BlocksReadLossy]; s[stat.ReadBlocksServed] != served {
				t.Errorf("%s: %d of %d blocks served", name, s[stat.ReadBlocksServed], served)
			}
			if parts := s[stat.ReadMetadataCycles] + s[stat.ReadQueueCycles] + s[stat.ReadBankCycles] + s[stat.ReadBusCycles] + s[stat.ReadDecompressCycles]; parts != s[stat.ReadLatencyCycles] {
				t.Errorf("%s: latency of %d cycles, its parts are %d", name, s[stat.ReadLatencyCycles], parts)
			}
			for _, rest := range r.control.channels {
				for i, p := range rest.pool.pending {
					if p.parts != 0 {
						t.Errorf("%s: block %d still waits for parts %b", name, i, p.parts)
					}
				}
			}

			cut, _ := newLinkedRig(t, cfg, latency)
			cut.script(cfg, v, anyByte)
			cut.engine.Seal()
			rnd := sim.NewRand(latency, 3)
			for at := sim.Cycle(0); at < 40000; at += sim.Cycle(1 + rnd.Intn(300)) {
				cut.engine.Advance(at)
				cut.control.Settle(at)
			}
			twin, _ := newLinkedRig(t, cfg, latency)
			twin.engine.Seal()
			twin.copyFrom(cut)
			for _, x := range []*rig{cut, twin} {
				x.engine.Advance(until)
				x.control.Settle(until)
				if x.digest() != r.digest() {
					t.Errorf("%s, link of %d cycles: a run in pieces, or its copy, ends differently", name, latency)
				}
			}
		}
	}
}

// A read takes as long as its slower part: the link or DRAM.
func TestTheSlowerBackingCounts(t *testing.T) {
	for _, c := range []struct{ latency, want uint64 }{
		// Accepted at 1, started at 2: ACT 2, RD 14 and 17, data until 31.
		{5, 31 - 1},
		{200, 2 + 200 - 1},
	} {
		cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
		cfg.Metadata.Bytes = 0
		r, _ := newLinkedRig(t, cfg, c.latency)
		r.slice[0].script = []scripted{readOf(base, 0)} // raw: two bursts in DRAM, two behind the link
		r.run(2000)
		r.expect(t, map[stat.Counter]uint64{stat.ReadLatencyCycles: c.want, stat.BurstsRead: 2})
		if len(r.slice[0].replies) != 1 || uint64(r.slice[0].replies[0].at) != 1+c.want+1 {
			t.Errorf("link of %d cycles: replies %v", c.latency, r.slice[0].replies)
		}
	}
}
