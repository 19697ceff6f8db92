package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// The cycles of a data bus by cause, computed by hand: one block written and one read in
// the same row, four bursts each, GTX480 timing.
func TestBusCyclesAreHandSums(t *testing.T) {
	const (
		// Bursts of one bank follow each other at CCDL = 3, a cycle more than they take.
		gaps = 2 * 3 * (3 - 2)
		cl   = 12
	)
	for _, c := range []struct {
		name             string
		high             int
		bank, turnaround uint64
	}{
		// RCDWR = 7 opens the row; from write to read the bus waits for CDLR = 5
		// after the last beat and then for CL.
		{"write, then read", 1, 7 + gaps, 5 + cl},
		// RCD = 12 opens the row; the bus turns round in 2.
		{"read, then write", 8, 12 + gaps, 2},
	} {
		cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
		cfg.WriteHigh, cfg.WriteLow = c.high, 0
		r := newRig(t, cfg, rigBytes)
		r.check(cfg)
		r.slice[0].script = []scripted{writeOf(base, patternOf(1, 1)), readOf(base+sameRow, 1)}
		r.run(1000)
		r.laws(cfg)
		const busy = 8
		r.expect(t, map[stat.Counter]uint64{
			stat.BusReadCycles: busy, stat.BusWriteCycles: busy, stat.BusTurnaroundCycles: c.turnaround,
			stat.BusBankCycles: c.bank, stat.BusRefreshCycles: 0,
			stat.BusIdleCycles: 1000 - 2*busy - c.turnaround - c.bank,
		})
	}
}

// A block that arrives when a refresh falls due waits for the row to close (RP = 12; RAS
// is over), for RFC and for RCD; the bus counts the first two as refresh.
func TestBusCyclesOfARefresh(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
	cfg.DRAM.RFC, cfg.DRAM.REFI = 74, 500
	r := newRig(t, cfg, rigBytes)
	r.check(cfg)
	q := readOf(base+sameRow, 1)
	q.at = 498 // scheduled from 500
	r.slice[0].script = []scripted{readOf(base, 0), q}
	r.run(900)
	r.laws(cfg)
	// The row is closed at 500 and refreshed at 512; the row opens at 586.
	r.expect(t, map[stat.Counter]uint64{
		stat.BusRefreshCycles: 12 + 74, stat.BusBankCycles: 12 + 3 + 12 + 3,
		stat.ReadBankCycles: 12 + 12, stat.ReadQueueCycles: 1 + 1 + 86,
	})
}

// Latency by part, computed by hand: a row conflict under compression with a metadata
// miss.
func TestReadLatencyByPart(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
	r := newRig(t, cfg, rigBytes)
	r.image.WriteLine(base+256, patternOf(0, 2)) // two bursts; bank 1, its metadata in another
	r.control.ResetBlocks()
	r.slice[0].script = []scripted{readOf(base+256, 0)}
	r.run(1000)
	r.laws(cfg)
	// Accepted at 1; metadata: ACT 2, RD 14, data until 28; block: ACT 28, RD 40 and
	// 43, data until 57, decompressed at 77.
	r.expect(t, map[stat.Counter]uint64{
		stat.ReadMetadataCycles: 27, stat.ReadQueueCycles: 0, stat.ReadBankCycles: 12,
		stat.ReadBusCycles: 17, stat.ReadDecompressCycles: 20, stat.ReadLatencyCycles: 76,
	})
}

// The order of causes in one gap, from every state of the channel: earlier causes take
// their cycles first, and no cycle is counted twice.
func TestGapIsDividedOnce(t *testing.T) {
	rnd := sim.NewRand(1, 1)
	for range 2000 {
		from := uint64(rnd.Intn(50))
		g := gap{from, from + uint64(rnd.Intn(50))}
		whole, sum := g.to-g.from, uint64(0)
		for range 4 {
			sum += g.until(uint64(rnd.Intn(120)))
		}
		if sum+g.to-g.from != whole {
			t.Fatalf("%d of %d cycles", sum+g.to-g.from, whole)
		}
	}
}
