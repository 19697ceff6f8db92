package storage

import (
	"math"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// recorder notes when each transfer of a port is complete.
type recorder struct{ end map[int16]memctrl.Moved }

func (r *recorder) Moved(_ int, i int16, m memctrl.Moved) bool {
	r.end[i] = m
	return false
}

// slowUnified keeps the resident pages in the order of their use, and every batch with its pages.
type slowUnified struct {
	c        PageConfig
	fault    uint64
	cycles   float64 // of a page on one channel of the link
	recent   []int   // least recently used first
	ready    map[int]float64
	dirty    map[int]bool
	batches  [][2]uint64           // first cycle, pages
	free     map[[2]uint64]float64 // by direction and channel
	faults   uint64
	returned uint64
}

// access returns when a page can be used.
func (m *slowUnified) access(page int, channel uint64, at uint64, write bool) float64 {
	i := slices.Index(m.recent, page)
	if i >= 0 {
		m.recent = append(slices.Delete(m.recent, i, i+1), page)
		m.dirty[page] = m.dirty[page] || write
		return max(float64(at), m.ready[page])
	}
	m.faults++
	n := len(m.batches)
	switch {
	case n == 0 || at >= m.batches[n-1][0]+m.fault:
		m.batches = append(m.batches, [2]uint64{at, 1})
	case at < m.batches[n-1][0] && m.batches[n-1][1] < uint64(m.c.BatchPages):
		m.batches[n-1][1]++
	default:
		m.batches = append(m.batches, [2]uint64{m.batches[n-1][0] + m.fault, 1})
	}
	from := float64(m.batches[len(m.batches)-1][0] + m.fault)
	pass := func(direction uint64, from float64) float64 {
		k := [2]uint64{direction, channel}
		m.free[k] = max(from, m.free[k]) + m.cycles
		return m.free[k]
	}
	if len(m.recent) == m.c.DevicePages {
		victim := m.recent[0]
		m.recent = m.recent[1:]
		from = max(from, m.ready[victim])
		if m.dirty[victim] {
			m.returned++
			from = pass(0, from)
		}
	}
	m.ready[page] = pass(1, from)
	m.recent, m.dirty[page] = append(m.recent, page), write
	return m.ready[page]
}

// Accesses at random cycles wait for their pages as long as in a list of pages: batches of faults, the link, the
// page that has to go.
func TestUnifiedIsThatOfItsTwin(t *testing.T) {
	for round := range uint64(40) {
		rnd := sim.NewRand(round, 11)
		cfg := hbm(t, 2)
		// Rates at which a page takes whole cycles: 640 bytes with their headers.
		channels := 1 + rnd.Intn(3)
		image, err := mem.NewImage(mem.DefaultBase, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := image.Alloc("a", 24*512); err != nil {
			t.Fatal(err)
		}
		c := PageConfig{PageBytes: 512, DevicePages: 2 + rnd.Intn(20), FaultMicroseconds: 1, BatchPages: 1 + rnd.Intn(4)}
		build := func() (*PageTable, []memctrl.Backing, []*recorder, *stat.Set) {
			l, err := memctrl.NewLink(memctrl.LinkConfig{Channels: channels, MBPerSecond: cfg.CommandMHz * 16, HeaderBytes: 32,
				LatencyFactor: 2, Counters: Crossing}, &cfg)
			if err != nil {
				t.Fatal(err)
			}
			m, err := NewPageTable(c, l, &cfg, image)
			if err != nil {
				t.Fatal(err)
			}
			stats := new(stat.Set)
			ends := []*recorder{{map[int16]memctrl.Moved{}}, {map[int16]memctrl.Moved{}}}
			return m, []memctrl.Backing{m.Port(ends[0], stats, &cfg), m.Port(ends[1], stats, &cfg)}, ends, stats
		}
		_, ports, ends, stats := build()
		slow := &slowUnified{c: c, fault: uint64(cfg.CommandMHz), cycles: 640 * float64(channels) / 16,
			ready: map[int]float64{}, dirty: map[int]bool{}, free: map[[2]uint64]float64{}}
		for page := range c.DevicePages {
			slow.recent = append(slow.recent, page)
		}
		at := uint64(0)
		for i := range int16(120) {
			at += uint64(rnd.Intn(400))
			page, block, write := rnd.Intn(24), rnd.Intn(4), rnd.Intn(3) == 0
			v := memctrl.Transfer{Addr: image.Base() + mem.Addr(512*page+128*block), Bursts: 0b1111}
			if write {
				v.Class = memctrl.WriteBlock
			}
			ports[i%2].Take(i, &v, at)
			ports[i%2].Start(i, at)
			ports[i%2].Run(math.MaxUint64)
			want := slow.access(page, uint64(v.Addr)/128%uint64(channels), at, write)
			if got := ends[i%2].end[i]; float64(got.End) != want || got.Column > got.End || got.Column < at {
				t.Fatalf("round %d, %+v: access %d of page %d at %d may begin at %v (%+v), in the list at %v", round, c, i, page,
					at, got.End, got, want)
			}
		}
		if stats[PageFaults] != slow.faults || stats[PagesWrittenBack] != slow.returned || slow.faults == 0 {
			t.Errorf("round %d: %d faults and %d pages back, in the list %d and %d", round, stats[PageFaults],
				stats[PagesWrittenBack], slow.faults, slow.returned)
		}
		if in, out := stats[stat.LinkInBytes], stats[stat.LinkOutBytes]; in != 640*slow.faults ||
			out != 640*slow.returned || stats[stat.LinkHeaderBytes] != (in+out)/5 {
			t.Errorf("round %d: %d bytes in, %d out, %d of headers", round, in, out, stats[stat.LinkHeaderBytes])
		}
		twin, copies, _, _ := build()
		paper := tape.NewTape()
		all := func(b []memctrl.Backing) func(*tape.Tape) {
			return func(t *tape.Tape) {
				for _, p := range b {
					p.State(t)
				}
			}
		}
		paper.Load(all(copies), paper.Save(all(ports), nil))
		if !slices.Equal(twin.pages, ports[0].(*unifiedPort).memory.pages) ||
			twin.unifiedState != ports[0].(*unifiedPort).memory.unifiedState {
			t.Errorf("round %d: the state of the pages is not saved", round)
		}
	}
}
