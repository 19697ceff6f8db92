package memctrl

import (
	"testing"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// slowMetadata is a cache of lines with four sectors, as lists in order of use.
type slowMetadata struct {
	sets, ways, channels int
	set                  [][]slowLine // least recently used first
}

type slowLine struct {
	channel int
	line    uint64
	valid   [4]bool
	dirty   [4]bool
}

// use looks up the sector of a block and reports whether it was there and how many sectors
// had to be written back.
func (m *slowMetadata) use(channel int, block uint64, write bool) (hit bool, written int) {
	sector := block / 64 % 4
	line := block / 256
	n := int((line*uint64(m.channels) + uint64(channel)) % uint64(m.sets))
	list := m.set[n]
	for i := range list {
		if l := list[i]; l.channel == channel && l.line == line {
			hit = l.valid[sector]
			l.valid[sector] = true
			l.dirty[sector] = l.dirty[sector] || write
			m.set[n] = append(append(list[:i:i], list[i+1:]...), l)
			return hit, 0
		}
	}
	if len(list) == m.ways {
		for _, d := range list[0].dirty {
			if d {
				written++
			}
		}
		list = list[1:]
	}
	l := slowLine{channel: channel, line: line}
	l.valid[sector], l.dirty[sector] = true, write
	m.set[n] = append(list[:len(list):len(list)], l)
	return false, written
}

// consecutive returns the channel of the sector of a block of memory, and a block with this sector in it, if sectors
// hold blocks that follow each other in memory: they lie one behind the other in pieces of 256 bytes, as data do.
func (m *slowMetadata) consecutive(block uint64) (channel int, within uint64) {
	at := block / 64 * 32
	piece, channels := at/256, uint64(m.channels)
	return int(piece % channels), (piece/channels*256 + at%256) / 32 * 64
}

// Requests one after the other hit and miss in the sectored cache as in one of lists, and
// write back as many sectors. Sectors hold blocks of a channel, or blocks that follow each other in memory.
func TestSectoredMetadataCache(t *testing.T) {
	for _, consecutive := range []bool{false, true} {
		testSectoredMetadata(t, consecutive)
	}
}

func testSectoredMetadata(t *testing.T, consecutive bool) {
	cfg := testConfig(t, 2, sameClock, byFirstByte{32, 0, 0})
	cfg.Metadata = MetadataConfig{Bytes: 1024, Ways: 4, BitsPerBlock: 4, LineSectors: 4, Consecutive: consecutive}
	r := newRig(t, cfg, rigBytes)
	slow := &slowMetadata{sets: 2, ways: 4, channels: 2, set: make([][]slowLine, 2)}
	rnd := sim.NewRand(3, 3)
	var hits, misses, written uint64
	line := patternOf(1, 2)
	for i := range 3000 {
		a := base + uint64(rnd.Intn(rigBytes/128))*128
		if rnd.Intn(2) == 0 {
			a = base + (a-base)%(64<<10)
		}
		channel, local := cfg.Map.Split(a)
		q := readOf(a, i)
		if rnd.Intn(3) == 0 {
			q = writeOf(a, line)
		}
		q.at = sim.Cycle(i) * 300 // one at a time
		r.slice[channel].script = append(r.slice[channel].script, q)
		of, block := channel, local/128
		if consecutive {
			of, block = slow.consecutive(a / 128)
		}
		hit, n := slow.use(of, block, q.req.Write)
		if hit {
			hits++
		} else {
			misses++
		}
		written += uint64(n)
	}
	r.run(3000*300 + 2000)
	r.expect(t, map[stat.Counter]uint64{
		stat.MetadataHits: hits, stat.MetadataMisses: misses, stat.MetadataReads: misses, stat.MetadataWritebacks: written,
	})
	if hits < 300 || written < 100 {
		t.Errorf("only %d hits and %d sectors written back", hits, written)
	}
}

// Of 512 entries read in order, one for each sector misses. There are 32 sectors if each of 32 channels has one for its
// own 16 entries, and 8 if 64 entries in order share one. Requests that come together wait for the same 8, in whatever
// channel they are.
func TestEntriesInOrderShareSectors(t *testing.T) {
	for _, c := range []struct {
		consecutive, together bool
		reads                 uint64
	}{{false, false, 32}, {true, false, 8}, {false, true, 32}, {true, true, 8}} {
		cfg := testConfig(t, 32, coreOverDRAM, byFirstByte{32, 46, 20})
		cfg.Metadata = MetadataConfig{
			Bytes: 64 << 10, Ways: 4, BitsPerBlock: 4, LineSectors: 4, Consecutive: c.consecutive,
		}
		r := newRig(t, cfg, rigBytes)
		r.check(cfg)
		const entries, apart = 512, 400
		for i := range entries {
			a := base + uint64(i)*128
			q := readOf(a, i)
			if !c.together {
				q.at = sim.Cycle(i) * apart
			}
			to := r.slice[cfg.Map.Channel(a)]
			to.script = append(to.script, q)
		}
		r.run(entries*apart + 4000)
		r.laws(cfg)
		want := map[stat.Counter]uint64{stat.MetadataAccesses: entries, stat.MetadataReads: c.reads}
		if !c.together {
			want[stat.MetadataMisses] = c.reads
		}
		r.expect(t, want)
		for _, s := range r.slice {
			if len(s.replies) != entries/32 {
				t.Errorf("%+v: %d replies of a channel", c, len(s.replies))
			}
		}
	}
}

// A cache may have more sectors than 16 bits number.
func TestLargeMetadataCache(t *testing.T) {
	cfg := testConfig(t, 1, sameClock, byFirstByte{32, 46, 20})
	cfg.Metadata = MetadataConfig{Bytes: 4 << 20, Ways: 4, BitsPerBlock: 8, LineSectors: 4}
	sets := uint64(cfg.Metadata.Bytes / (4 * 4 * 32))
	a := base + (sets-1-base/(128*128)%sets)*(128*128) // it lies in the last set
	r := newRig(t, cfg, a-base+128)
	r.slice[0].script = []scripted{readOf(a, 0), readOf(a, 1)}
	r.slice[0].script[1].at = 2000
	r.run(4000)
	r.laws(cfg)
	r.expect(t, map[stat.Counter]uint64{stat.MetadataMisses: 1, stat.MetadataHits: 1})
	if at := r.control.metadata.line; at[len(at)-16].key == 0 {
		t.Error("the last set is empty")
	}
}

// Metadata that any channel may need take a controller that has all.
func TestConsecutiveMetadataNeedAllChannels(t *testing.T) {
	cfg := testConfig(t, 2, sameClock, byFirstByte{32, 0, 0})
	cfg.Channels, cfg.Metadata.Consecutive = 1, true
	if cfg.Validate() == nil {
		t.Error("one channel of two has metadata of both")
	}
}
