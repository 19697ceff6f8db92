package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// reach is the number of bytes of one channel whose counts fit one metadata line at MAG 32.
const reach = 128 * mem.LineBytes

// play runs a script on one channel, one request at a time.
func play(t *testing.T, cfg Config, script []scripted) *rig {
	t.Helper()
	r := newRig(t, cfg, rigBytes)
	r.tap = probe.NewTap(1 << 16)
	r.control.env.Tap = r.tap
	r.check(cfg)
	for i := range script {
		script[i].at = sim.Cycle(i * 400)
	}
	r.slice[0].script = script
	r.run(sim.Cycle(len(script)*400 + 1000))
	r.laws(cfg)
	return r
}

func (r *rig) expect(t *testing.T, want map[stat.Counter]uint64) {
	t.Helper()
	for k, v := range want {
		if r.stats[k] != v {
			t.Errorf("%s is %d, want %d", stat.Describe(k).Name, r.stats[k], v)
		}
	}
}

func TestMetadataHitsAndMisses(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
	r := play(t, cfg, []scripted{readOf(base, 0), readOf(base+128, 1), readOf(base+reach-128, 2), readOf(base+reach, 3)})
	r.expect(t, map[stat.Counter]uint64{
		stat.MetadataAccesses: 4, stat.MetadataHits: 2, stat.MetadataMisses: 2, stat.MetadataReads: 2,
		stat.BurstsMetadata: 2, stat.BurstsRead: 16, stat.DRAMReadBytes: 18 * 32,
	})
}

// A miss adds the metadata line's own read before the block's: the row of the
// metadata is opened, read, and only then the block's commands start.
func TestMetadataMissIsSerial(t *testing.T) {
	latency := func(bytes int) sim.Cycle {
		cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
		cfg.Metadata.Bytes = bytes
		r := play(t, cfg, []scripted{readOf(base, 0)})
		return r.slice[0].replies[0].at
	}
	// ACT 12 + CL 12 + burst 2 for the metadata. It lies in the same bank as the
	// block, whose own row must be opened after it: the precharge waits for RAS
	// 28 after the first activate (2 cycles later than the data), then RP 12.
	if extra := latency(8192) - latency(0); extra != 28+12 {
		t.Errorf("a metadata miss costs %d cycles, want 40", extra)
	}
}

// Reads that need a metadata line already in progress wait for it; it is read once.
func TestMetadataMissesMerge(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
	r := newRig(t, cfg, rigBytes)
	for i := range 8 {
		r.slice[0].script = append(r.slice[0].script, readOf(base+uint64(i)*128, i))
	}
	r.run(2000)
	r.laws(cfg)
	r.expect(t, map[stat.Counter]uint64{stat.MetadataMisses: 8, stat.MetadataReads: 1})
	// Blocks 2k and 2k+1 share a row.
	last := map[uint32]uint32{}
	for _, tag := range order(r) {
		if last[tag/2] > tag {
			t.Errorf("the younger block of a row came first: %v", order(r))
		}
		last[tag/2] = tag
	}
}

// One set of two ways: a third line replaces the least recently used line; only lines
// that a write made dirty are written back.
func TestMetadataWritebacks(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
	cfg.Metadata.Bytes, cfg.Metadata.Ways = 64, 2
	line := patternOf(1, 2)
	r := play(t, cfg, []scripted{
		writeOf(base, line),         // miss, line 0 becomes dirty
		readOf(base+reach, 1),       // miss, line 1
		readOf(base+128, 2),         // hit
		readOf(base+2*reach, 3),     // miss, replaces line 1 (clean)
		readOf(base+3*reach, 4),     // miss, replaces line 0 (dirty)
		readOf(base+3*reach+128, 5), // hit
	})
	r.expect(t, map[stat.Counter]uint64{
		stat.MetadataHits: 2, stat.MetadataMisses: 4, stat.MetadataReads: 4, stat.MetadataWritebacks: 1,
		stat.DRAMWriteBytes: (2 + 1) * 32,
	})
}

// At a MAG of 16 bytes a metadata line takes two bursts; at 64 it takes one burst, which
// is larger than the line. Counts of 3 bits and 1 bit change its reach.
func TestMetadataAtOtherMAGs(t *testing.T) {
	for _, c := range []struct{ mag, bursts, blocks int }{{16, 2, 64}, {32, 1, 128}, {64, 1, 256}} {
		cfg := testConfig(t, 1, sameClock, byFirstByte{c.mag, 46, 20})
		r := play(t, cfg, []scripted{readOf(base, 0), readOf(base+uint64(c.blocks-1)*128, 1), readOf(base+uint64(c.blocks)*128, 2)})
		r.expect(t, map[stat.Counter]uint64{
			stat.MetadataReads: 2, stat.MetadataHits: 1, stat.BurstsMetadata: uint64(2 * c.bursts),
			stat.DRAMReadBytes: uint64(2*c.bursts*c.mag + 3*128),
		})
	}
}

// Block and compressor latencies: a compressed read waits for the decompressor,
// a raw one does not.
func TestDecompressionLatency(t *testing.T) {
	at := func(first byte) sim.Cycle {
		cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
		cfg.Metadata.Bytes = 0
		r := newRig(t, cfg, rigBytes)
		r.image.WriteLine(base, patternOf(0, first))
		r.slice[0].script = []scripted{readOf(base, 0)}
		r.run(1000)
		return r.slice[0].replies[0].at
	}
	// Three bursts end one CCDL earlier than four.
	if raw, coded := at(0), at(3); coded != raw-3+20 {
		t.Errorf("raw %d, three bursts %d cycles: want %d", raw, coded, raw-3+20)
	}
}

// Latencies of a codec are times: a command clock of half the speed halves the cycles;
// with a clock that does not divide evenly they are rounded up.
func TestLatenciesOfCodecsAreTimes(t *testing.T) {
	for _, c := range []struct {
		commandMHz                 int
		decompress, latencyOfWrite uint64
	}{{1002, 20, 46}, {501, 10, 23}, {2004, 40, 92}, {924, 19, 43}, {1, 1, 1}} {
		cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
		cfg.Metadata.Bytes, cfg.CommandMHz = 0, c.commandMHz
		r := newRig(t, cfg, rigBytes)
		r.image.WriteLine(base, patternOf(0, 3))
		w := writeOf(base+nextRow, patternOf(1, 1))
		w.at = 500
		r.slice[0].script = []scripted{readOf(base, 0), w}
		commands := &firstAfter{from: 500}
		r.control.Watch(0, commands)
		r.run(1000)
		r.expect(t, map[stat.Counter]uint64{stat.ReadDecompressCycles: c.decompress})
		// Sent at 500, accepted at 501, compressed, scheduled from the next cycle on.
		if got := commands.at - 502; got != c.latencyOfWrite {
			t.Errorf("%d MHz: a write waits %d cycles for the compressor, want %d", c.commandMHz, got, c.latencyOfWrite)
		}
	}
}

// firstAfter records the first command from a cycle on.
type firstAfter struct{ from, at uint64 }

func (f *firstAfter) Command(_ dram.Command, _ int, _ uint32, at uint64) {
	if f.at == 0 && at >= f.from {
		f.at = at
	}
}

// A block from the host goes through the compressor at its first access, keeps its size
// until it is written, and loses symbols only in a safe region.
func TestFirstTouchAndMemory(t *testing.T) {
	for _, safe := range []bool{true, false} {
		cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
		cfg.Paranoid = true
		r := newRig(t, cfg, rigBytes)
		r.image.Allocations()[0].Safe = safe
		exact := patternOf(3, 0x81) // one burst, lossy where allowed
		r.image.WriteLine(base, exact)
		r.control.ResetBlocks()
		if _, known := r.control.Stored(base); known {
			t.Error("a block is known before its first access")
		}
		r.slice[0].script = []scripted{readOf(base, 0)}
		r.run(1000)
		stored, known := r.control.Stored(base)
		if !known || stored.Bursts != 1 || (stored.Mode == probe.ModeLossy) != safe {
			t.Errorf("safe %v: stored as %+v", safe, stored)
		}
		var now mem.Line
		r.image.ReadLine(base, &now)
		if (now != *exact) != safe || now != r.slice[0].replies[0].data {
			t.Errorf("safe %v: memory and the reply must hold the reconstructed block", safe)
		}
		r.image.WriteLine(base, patternOf(3, 0))
		r.control.Forget(base)
		if _, known := r.control.Stored(base); known {
			t.Error("a block that the host rewrote keeps its old size")
		}
	}
}

// wrong is a scheme that corrupts a byte of every block.
type wrong struct{ byFirstByte }

func (w wrong) Store(line *mem.Line, region codec.Region) codec.Stored {
	s := w.byFirstByte.Store(line, region)
	line[100]++
	return s
}

func TestParanoidModeCatchesLoss(t *testing.T) {
	for _, first := range []byte{1, 0x81} {
		cfg := testConfig(t, 1, sameClock, wrong{byFirstByte{32, 46, 20}})
		cfg.Paranoid = true
		r := newRig(t, cfg, rigBytes)
		r.image.WriteLine(base, patternOf(0, first))
		r.control.ResetBlocks()
		r.slice[0].script = []scripted{readOf(base, 0)}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("first byte %#x: a corrupted block went unnoticed", first)
				}
			}()
			r.run(1000)
		}()
	}
}

// After the switch, blocks are stored with the new scheme: from their next read on (lazy
// oracle), or only after they are rewritten (strict) [A16].
func TestSchemeSwitch(t *testing.T) {
	for _, strict := range []bool{false, true} {
		cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
		cfg.StrictSwitch = strict
		r := newRig(t, cfg, rigBytes)
		r.check(cfg)
		counter := &countLines{}
		r.control.SetObserver(counter)
		for i := range 4 {
			r.image.WriteLine(base+uint64(i)*128, patternOf(i, 1))
		}
		r.control.ResetBlocks()
		r.control.SetScheme(byFirstByte{32, 46, 20}, 1000)
		q := []scripted{readOf(base, 0), readOf(base, 1), readOf(base+128, 2), writeOf(base, patternOf(9, 1)), readOf(base, 3)}
		for i := range q {
			q[i].at = sim.Cycle(500 + 1000*i)
		}
		r.slice[0].script = q
		r.run(10000)
		read := uint64(4 + 1 + 1 + 1) // raw before the switch, then one burst each
		if strict {
			read = 4 + 4 + 4 + 1
		}
		r.expect(t, map[stat.Counter]uint64{stat.BurstsRead: read, stat.BurstsWritten: 1, stat.MetadataAccesses: 4})
		if counter.lines != 5 {
			t.Errorf("the observer saw %d blocks, want 5", counter.lines)
		}
	}
}

type countLines struct{ lines int }

func (c *countLines) Observe(*mem.Line) { c.lines++ }

// There is one refresh an interval, whether the channel is busy or asleep.
func TestRefreshKeepsItsInterval(t *testing.T) {
	for name, gap := range map[string]int{"busy": 0, "now and then": 700, "mostly asleep": 20000} {
		cfg := testConfig(t, 1, sameClock, codec.NewRaw(32))
		cfg.DRAM.RFC, cfg.DRAM.REFI = 74, 3800
		r := newRig(t, cfg, rigBytes)
		r.check(cfg)
		n := 4000
		if gap > 0 {
			n = 40000/gap + 3
		}
		for i := range n {
			q := readOf(base+uint64(i%4096)*128, i)
			q.at = sim.Cycle(i * gap)
			r.slice[0].script = append(r.slice[0].script, q)
		}
		r.run(100000)
		r.laws(cfg)
		if got := r.stats[stat.Refreshes]; got != 100000/3800 {
			t.Errorf("%s: %d refreshes in 100000 cycles, want %d", name, got, 100000/3800)
		}
	}
}

// The event stream agrees with the counters.
func TestProbeEventsMatchCounters(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
	cfg.FirstChannel, cfg.Map = 1, mapOf(t, 2, dram.HashNone)
	cfg.Metadata.Bytes = 512
	r := newRig(t, cfg, rigBytes)
	r.control.env.Tap = probe.NewTap(1 << 20)
	rnd := sim.NewRand(1, 1)
	for i := range 2000 {
		a := base + 256 + uint64(rnd.Intn(2000))*512
		if i%4 == 0 {
			r.slice[0].script = append(r.slice[0].script, writeOf(a, patternOf(i, byte(i))))
		} else {
			q := readOf(a, i)
			q.req.Cause = uint32(i)
			r.slice[0].script = append(r.slice[0].script, q)
		}
	}
	r.run(200000)
	var n [256]uint64
	var metadata, compressed uint64
	r.control.env.Tap.Take(func(events []probe.Event) {
		for i := range events {
			e := &events[i]
			n[e.Kind]++
			if e.Unit != 1 {
				t.Fatalf("event of channel %d", e.Unit)
			}
			switch e.Kind {
			case probe.KindRead, probe.KindWrite:
				metadata += uint64(e.B & 1)
				index, count := e.A>>8&0xff, e.A>>16&0xff
				if index >= count || e.B>>16 != 2 {
					t.Fatalf("burst %d of %d for %d cycles", index, count, e.B>>16)
				}
			case probe.KindDecompress:
				compressed++
			}
		}
	})
	s := &r.stats
	if n[probe.KindRead]+n[probe.KindWrite] != s[stat.BurstsRead]+s[stat.BurstsWritten]+s[stat.BurstsMetadata] ||
		metadata != s[stat.BurstsMetadata] || n[probe.KindActivate] != s[stat.Activates] || n[probe.KindPrecharge] != s[stat.Precharges] ||
		n[probe.KindQueue] != 2000 || n[probe.KindMetadata] != s[stat.MetadataAccesses] || n[probe.KindCompress] != s[stat.ControllerWrites] {
		t.Errorf("events %v, counters %v", n, s.Values())
	}
	if compressed < s[stat.BlocksReadLossless]+s[stat.BlocksReadLossy] {
		t.Errorf("%d decompressions of %d compressed reads", compressed, s[stat.BlocksReadLossless]+s[stat.BlocksReadLossy])
	}
}
