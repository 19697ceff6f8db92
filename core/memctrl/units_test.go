package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// withUnits is a scheme with some units for 192.4 GB/s, 12 channels of the test's kind.
type withUnits struct {
	byFirstByte
	compressors, decompressors codec.Units
}

func (s withUnits) Timing() codec.Timing {
	t := s.byFirstByte.Timing()
	t.Compressors, t.Decompressors = s.compressors, s.decompressors
	return t
}

// Blocks of one burst arrive every 2 or 3 cycles. A channel with 5 decompressors, each
// busy for 40 cycles, delivers one block every 8 cycles; with 20 it delivers every block.
func TestDecompressorsCanBeTheLimit(t *testing.T) {
	end := func(decompressors codec.Units) (cycles uint64, r *rig) {
		cfg := testConfig(t, 1, sameClock, withUnits{byFirstByte{32, 46, 20}, codec.Units{}, decompressors})
		cfg.Metadata.Bytes = 0
		r, _, cycles = stream(t, cfg, 2000, false, 1)
		return cycles, r
	}
	fast, _ := end(codec.Units{Count: 12 * 20, PerBlock: 1, BusyCycles: 40})
	slow, r := end(codec.Units{Count: 12 * 20, PerBlock: 4, BusyCycles: 40})
	if fast > 2000*3+200 || slow < 2000*8 || slow > 2000*8+200 {
		t.Errorf("2000 blocks take %d cycles, with a quarter of the decompressors %d", fast, slow)
	}
	if mean := r.stats[stat.ReadDecompressCycles] / r.stats[stat.ReadBlocksServed]; mean < 40 {
		t.Errorf("a block is %d cycles in decompression, waiting included", mean)
	}
	pipelined, _ := end(codec.Units{})
	if pipelined > fast {
		t.Errorf("without a published throughput %d cycles, want %d at most", pipelined, fast)
	}
}

// A write is ready when a compressor has worked on it.
func TestCompressorsCanBeTheLimit(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, withUnits{byFirstByte{32, 46, 20}, codec.Units{Count: 12, PerBlock: 1, BusyCycles: 46}, codec.Units{}})
	cfg.Metadata.Bytes = 0
	r := newRig(t, cfg, rigBytes)
	for i := range 20 {
		r.slice[0].script = append(r.slice[0].script, writeOf(base+uint64(i)*128, patternOf(i, 1)))
	}
	commands := &firstAfter{from: 2 + 20*46}
	r.control.Watch(0, commands)
	r.run(4000)
	r.laws(cfg)
	if commands.at != commands.from {
		t.Errorf("the last of 20 writes is begun at %d, want %d", commands.at, commands.from)
	}
}

// Blocks get units in turn; the slow twin keeps one queue for each unit.
func TestUnitsAgainstQueues(t *testing.T) {
	rnd := sim.NewRand(1, 1)
	for range 200 {
		u := units{busyCycles: uint64(1 + rnd.Intn(30)), free: make([]uint64, 1+rnd.Intn(9))}
		queue := make([][]uint64, len(u.free)) // ends of the blocks of each unit
		at := uint64(0)
		for i := range 100 {
			at += uint64(rnd.Intn(6))
			q := &queue[i%len(queue)]
			want := at
			if n := len(*q); n > 0 && (*q)[n-1] > at {
				want = (*q)[n-1]
			}
			*q = append(*q, want+u.busyCycles)
			if got := u.begin(at); got != want {
				t.Fatalf("block %d begins at %d, want %d", i, got, want)
			}
		}
	}
}
