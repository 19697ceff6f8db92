package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
)

// metadataLocalBase is the address of a channel's burst counts in the channel's own
// address space. It lies after all data, and only its rows matter [ours].
const metadataLocalBase = 1 << 32

// metadataCache holds the burst counts of recently used blocks. Each channel stores the
// counts of its own blocks. The controller's channels share the cache, so the key of a
// line includes the channel.
type metadataCache struct {
	perfect    bool
	channels   uint64
	blockShift uint // blocks of a line, as a power of two
	ways       int
	sets       uint64
	sectors    int // of a line that share a tag, 1 = every one has its own
	// consecutive places the metadata of blocks that follow each other in memory; nil = in the block's own channel.
	consecutive *dram.AddressMap
	clock       uint64
	line        []metadataLine // by set, way and sector
}

// metadataLine is a line of the cache, or a sector of one.
type metadataLine struct {
	key     uint64 // 1 + (metadata line x channels + channel); 0 = empty
	used    uint64
	waiters waiter // first entry that waits for the line
	dirty   bool
	pending bool // being read
}

// waiter is an entry of a channel that waits for a line.
type waiter int32

const (
	noWaiter waiter = -1
	noLine   int32  = -1 // of the cache
)

func waiterOf(channel int, entry int16) waiter { return waiter(channel)<<16 | waiter(entry) }

func (w waiter) channel() int { return int(w >> 16) }
func (w waiter) entry() int16 { return int16(w) } // it is not negative

func (m *metadataCache) init(cfg *MetadataConfig, channels int, amap *dram.AddressMap) {
	*m = metadataCache{perfect: cfg.Bytes == 0, channels: uint64(channels)}
	if m.perfect {
		return
	}
	m.blockShift = uint(bits.Len(uint(metadataLineBytes*8/cfg.BitsPerBlock))) - 1
	m.ways = cfg.Ways
	m.sectors = max(1, cfg.LineSectors)
	if cfg.Consecutive {
		m.consecutive = amap
	}
	m.sets = uint64(cfg.Bytes / (metadataLineBytes * m.sectors) / cfg.Ways)
	m.line = make([]metadataLine, int(m.sets)*m.ways*m.sectors)
	for i := range m.line {
		m.line[i].waiters = noWaiter
	}
}

// key returns the key of the line that holds the count of the block at an address, which is numbered within its
// channel. Lines of consecutive blocks are divided among the channels as data are.
func (m *metadataCache) key(a mem.Addr, channel int, block uint64) uint64 {
	line := block >> m.blockShift
	if m.consecutive != nil {
		var local uint64
		channel, local = m.consecutive.Split(a / mem.LineBytes >> m.blockShift * metadataLineBytes)
		line = local / metadataLineBytes
	}
	return 1 + line*m.channels + uint64(channel)
}

// owner returns the channel of a key and the address of the line in it.
func (m *metadataCache) owner(key uint64) (channel int, local uint64) {
	key--
	return int(key % m.channels), metadataLocalBase + key/m.channels*metadataLineBytes
}

// find returns the line with a key, or found = false and the line to replace; -1 if all
// candidates are being read.
func (m *metadataCache) find(key uint64) (index int, found bool) {
	if m.sectors > 1 {
		return m.findSector(key)
	}
	set := int(key%m.sets) * m.ways
	victim := -1
	for i := set; i < set+m.ways; i++ {
		l := &m.line[i]
		if l.key == key {
			return i, true
		}
		if !l.pending && (victim < 0 || l.used < m.line[victim].used) {
			victim = i
		}
	}
	return victim, false
}

// findSector is find for lines of several sectors, each of which is read and written alone.
func (m *metadataCache) findSector(key uint64) (index int, found bool) {
	n := uint64(m.sectors)
	tag := m.tag(key)
	sector := int((key - 1) / m.channels % n)
	set := int(tag%m.sets) * m.ways * m.sectors
	victim, oldest := -1, uint64(0)
	for i := set; i < set+m.ways*m.sectors; i += m.sectors {
		line := m.line[i : i+m.sectors]
		same, busy, used := false, false, uint64(0)
		for k := range line {
			same = same || line[k].key != 0 && m.tag(line[k].key) == tag
			busy = busy || line[k].pending
			used = max(used, line[k].used)
		}
		if same {
			return i + sector, line[sector].key == key
		}
		if !busy && (victim < 0 || used < oldest) {
			victim, oldest = i+sector, used
		}
	}
	return victim, false
}

// tag numbers the line of a sector among the lines of all channels.
func (m *metadataCache) tag(key uint64) uint64 {
	key--
	return key/m.channels/uint64(m.sectors)*m.channels + key%m.channels
}

// replaced returns the lines or sectors that leave the cache if the sector of key is read to
// an index that find returned: none if its line is there already.
func (m *metadataCache) replaced(index int, key uint64) (from, to int) {
	if m.sectors == 1 {
		return index, index + 1
	}
	from = index - index%m.sectors
	for i := from; i < from+m.sectors; i++ {
		if k := m.line[i].key; k != 0 && m.tag(k) == m.tag(key) {
			return index, index
		}
	}
	return from, from + m.sectors
}

// dirty returns how many of them must be written back, and their channel.
func (m *metadataCache) dirty(index int, key uint64) (n, owner int) {
	from, to := m.replaced(index, key)
	for i := from; i < to; i++ {
		if m.line[i].dirty {
			owner, _ = m.owner(m.line[i].key)
			n++
		}
	}
	return n, owner
}

func (m *metadataCache) touch(index int) {
	m.clock++
	m.line[index].used = m.clock
}
