package memctrl

import "math/bits"

// metadataLocalBase is the address of a channel's burst counts in the channel's own
// address space. It lies behind all data, and only its rows matter [ours].
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
	clock      uint64
	line       []metadataLine
}

type metadataLine struct {
	key     uint64 // 1 + (metadata line x channels + channel); 0 = empty
	used    uint64
	waiters int16 // first entry that waits for the line
	dirty   bool
	pending bool // being read
}

func (m *metadataCache) init(cfg *MetadataConfig, channels int) {
	*m = metadataCache{perfect: cfg.Bytes == 0, channels: uint64(channels)}
	if m.perfect {
		return
	}
	m.blockShift = uint(bits.Len(uint(metadataLineBytes*8/cfg.BitsPerBlock))) - 1
	m.ways = cfg.Ways
	m.sets = uint64(cfg.Bytes / metadataLineBytes / cfg.Ways)
	m.line = make([]metadataLine, int(m.sets)*m.ways)
	for i := range m.line {
		m.line[i].waiters = none
	}
}

// key returns the key of the line that holds the count of a block, numbered within its
// channel.
func (m *metadataCache) key(channel int, block uint64) uint64 {
	return 1 + (block>>m.blockShift)*m.channels + uint64(channel)
}

// owner returns the channel of a key and the address of the line in it.
func (m *metadataCache) owner(key uint64) (channel int, local uint64) {
	key--
	return int(key % m.channels), metadataLocalBase + key/m.channels*metadataLineBytes
}

// find returns the line with a key, or found = false and the line to replace; -1 if all
// candidates are being read.
func (m *metadataCache) find(key uint64) (index int, found bool) {
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

func (m *metadataCache) touch(index int) {
	m.clock++
	m.line[index].used = m.clock
}
