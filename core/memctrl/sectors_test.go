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

// Requests one after the other hit and miss in the sectored cache as in one of lists, and
// write back as many sectors.
func TestSectoredMetadataCache(t *testing.T) {
	cfg := testConfig(t, 2, sameClock, byFirstByte{32, 0, 0})
	cfg.Metadata = MetadataConfig{Bytes: 1024, Ways: 4, BitsPerBlock: 4, LineSectors: 4}
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
		hit, n := slow.use(channel, local/128, q.req.Write)
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
