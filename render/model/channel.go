package model

import "github.com/burstscope/burstscope/core/probe"

// Burst is one burst of one MAG on a channel's data bus.
type Burst struct {
	Start    uint32
	Transfer int32 // index of its block's transfer, -1 for metadata
	Bank     uint8
	Index    uint8 // in its block
	Metadata bool
	Write    bool

	// Valid below channel.summed: running totals up to and including this burst,
	// and how much before Start it truly begins.
	data, metadata, saved, lossy uint32
	early                        float32
}

// begin is when the burst truly began.
func (b *Burst) begin() float64 { return float64(b.Start) - float64(b.early) }

func (b Burst) at() uint32 { return b.Start }

// Transfer is one block on its way over a channel: the row of cells.
type Transfer struct {
	Addr     uint64
	Start    uint32
	End      float64 // valid once the channel is summed
	Req      uint32
	Bits     uint16 // stored size, 0 = not known
	Fetched  uint8  // bursts it costs
	Seen     uint8  // bursts recorded so far
	Saved    uint8  // bursts it does not cost because it is compressed
	Bank     uint8
	Mode     probe.Mode
	FirstCut uint8 // first truncated symbol
	Cut      uint8 // truncated symbols
	Write    bool
}

func (t Transfer) at() uint32 { return t.Start }

// symbolsPerBlock: E2MC codes a 128-byte block as 64 symbols of 16 bits, and
// only such blocks are truncated.
const symbolsPerBlock = 64

// Approximated reports whether the burst with this index holds approximated
// symbols: those whose place in the block, by share of its symbols, lies in it.
func (t *Transfer) Approximated(index int) bool {
	if t.Mode != probe.ModeLossy {
		return false
	}
	if t.Cut == 0 { // the decompressor has not told yet
		return index == int(t.Fetched)-1
	}
	n := int(max(t.Fetched, 1))
	low, high := index*symbolsPerBlock/n, (index+1)*symbolsPerBlock/n
	return int(t.FirstCut) < high && int(t.FirstCut)+int(t.Cut) > low
}

// rowCommand is an activate or a precharge.
type rowCommand struct {
	cycle    uint32
	row      uint32
	bank     uint8
	activate bool
}

func (r rowCommand) at() uint32 { return r.cycle }

// refresh is a refresh command and the time in which its banks cannot be used.
type refresh struct {
	cycle  uint32
	length uint32 // base cycles
	bank   uint16 // probe.AllBanks for all
}

func (r refresh) at() uint32 { return r.cycle }

// queueLevel is the length of a queue as a request entered it.
type queueLevel struct {
	cycle  uint32
	length uint16
	write  bool
}

func (q queueLevel) at() uint32 { return q.cycle }

// coding is a block leaving the compressor or the decompressor.
type coding struct {
	addr          uint64
	cycle         uint32
	bits          uint16
	firstCut, cut uint8
	decompress    bool
}

func (c coding) at() uint32 { return c.cycle }

// lookup is a metadata cache lookup, with the totals up to it.
type lookup struct {
	cycle        uint32
	hits, misses uint32
}

func (l lookup) at() uint32 { return l.cycle }

type channel struct {
	bursts    []Burst
	transfers []Transfer
	rows      []rowCommand
	refreshes []refresh
	longest   uint32 // the longest refresh
	queue     []queueLevel
	codings   []coding
	lookups   []lookup
	length    float64 // of a burst in base cycles
	summed    int     // bursts whose running totals are valid
}

// searchBack is how many entries we look back for the other records of a block:
// more than any queue holds.
const searchBack = 256

func (c *channel) add(at uint32, e *probe.Event, burstsPerBlock int) {
	switch e.Kind {
	case probe.KindRead, probe.KindWrite:
		c.addBurst(at, e, burstsPerBlock)
	case probe.KindActivate, probe.KindPrecharge:
		c.rows, _ = insert(c.rows, rowCommand{cycle: at, row: e.B, bank: uint8(e.A), activate: e.Kind == probe.KindActivate})
	case probe.KindRefresh:
		c.refreshes, _ = insert(c.refreshes, refresh{cycle: at, length: e.B, bank: uint16(min(e.A, probe.AllBanks))})
		c.longest = max(c.longest, e.B)
	case probe.KindQueue:
		c.queue, _ = insert(c.queue, queueLevel{cycle: at, length: uint16(min(e.B, 0xffff)), write: e.A != 0})
	case probe.KindMetadata:
		l := lookup{cycle: at}
		if n := len(c.lookups); n > 0 {
			l.hits, l.misses = c.lookups[n-1].hits, c.lookups[n-1].misses
			l.cycle = max(at, c.lookups[n-1].cycle)
		}
		if e.A == probe.ResultHit {
			l.hits++
		} else {
			l.misses++
		}
		c.lookups = append(c.lookups, l)
	case probe.KindCompress, probe.KindDecompress:
		c.addCoding(at, e)
	}
}

func (c *channel) addBurst(at uint32, e *probe.Event, burstsPerBlock int) {
	b := Burst{
		Start: at, Transfer: -1,
		Bank: uint8(e.A), Index: uint8(e.A >> 8),
		Metadata: e.B&1 != 0, Write: e.Kind == probe.KindWrite,
	}
	fetched, mode := uint8(e.A>>16), probe.Mode(e.A>>24)
	if !b.Metadata {
		b.Transfer = c.transferOf(e, b.Write)
		if b.Transfer < 0 {
			t := Transfer{
				Addr: e.Addr, Req: e.Req, Start: at,
				Fetched: fetched, Bank: b.Bank, Mode: mode, Write: b.Write,
			}
			if mode != probe.ModeRaw && int(fetched) < burstsPerBlock {
				t.Saved = uint8(burstsPerBlock - int(fetched))
			}
			if b.Write {
				t.take(c.codingOf(e.Addr, false))
			}
			b.Transfer = c.placeTransfer(t)
		}
		t := &c.transfers[b.Transfer]
		t.Seen++
	}
	var place int
	c.bursts, place = insert(c.bursts, b)
	c.summed = min(c.summed, place)
}

// transferOf finds the transfer a further burst belongs to, or -1.
func (c *channel) transferOf(e *probe.Event, write bool) int32 {
	if e.A>>8&0xff == 0 {
		return -1
	}
	for i := len(c.transfers) - 1; i >= 0 && i >= len(c.transfers)-searchBack; i-- {
		t := &c.transfers[i]
		if t.Addr == e.Addr && t.Req == e.Req && t.Write == write && t.Seen < t.Fetched {
			return int32(i)
		}
	}
	return -1
}

// placeTransfer keeps transfers in order of their first burst. Where one comes
// late, the bursts of those after it are told their new index.
func (c *channel) placeTransfer(t Transfer) int32 {
	var place int
	c.transfers, place = insert(c.transfers, t)
	if place == len(c.transfers)-1 {
		return int32(place)
	}
	for i := len(c.bursts) - 1; i >= 0 && i >= len(c.bursts)-8*searchBack; i-- {
		if c.bursts[i].Transfer >= int32(place) {
			c.bursts[i].Transfer++
		}
	}
	return int32(place)
}

func (c *channel) addCoding(at uint32, e *probe.Event) {
	v := coding{
		addr: e.Addr, cycle: at, bits: uint16(min(e.A&0xffffff, 0xffff)),
		firstCut: uint8(e.B >> 8), cut: uint8(e.B >> 16),
		decompress: e.Kind == probe.KindDecompress,
	}
	c.codings, _ = insert(c.codings, v)
	if !v.decompress {
		return
	}
	for i := len(c.transfers) - 1; i >= 0 && i >= len(c.transfers)-searchBack; i-- {
		if t := &c.transfers[i]; t.Addr == v.addr && !t.Write {
			t.take(&v)
			c.summed = min(c.summed, after(c.bursts, float64(t.Start)-1))
			return
		}
	}
}

// codingOf finds the latest (de)compression of a block, or nil.
func (c *channel) codingOf(addr uint64, decompress bool) *coding {
	for i := len(c.codings) - 1; i >= 0 && i >= len(c.codings)-searchBack; i-- {
		if v := &c.codings[i]; v.addr == addr && v.decompress == decompress {
			return v
		}
	}
	return nil
}

func (t *Transfer) take(v *coding) {
	if v != nil {
		t.Bits, t.FirstCut, t.Cut = v.bits, v.firstCut, v.cut
	}
}

// sum brings the running totals and the true times of all bursts up to date.
//
// Records are in whole base cycles, rounded up, but a burst of length L may
// begin between two. Where a burst began within the cycle in which the one
// before it ended, it followed at once, so it is put there; bursts that share a
// bus without a gap then all have the same length.
func (c *channel) sum() {
	for i := c.summed; i < len(c.bursts); i++ {
		b := &c.bursts[i]
		b.data, b.metadata, b.saved, b.lossy = 0, 0, 0, 0
		if i > 0 {
			p := &c.bursts[i-1]
			b.data, b.metadata, b.saved, b.lossy = p.data, p.metadata, p.saved, p.lossy
		}
		b.early = 0
		if i > 0 {
			if ahead := float64(b.Start) - (c.bursts[i-1].begin() + c.length); ahead > 0 && ahead < 1 {
				b.early = float32(ahead)
			}
		}
		if b.Metadata || b.Transfer < 0 {
			b.metadata++
			continue
		}
		b.data++
		t := &c.transfers[b.Transfer]
		if b.Index == 0 {
			b.saved += uint32(t.Saved)
			t.End = 0
		}
		t.End = max(t.End, b.begin()+c.length)
		if t.Approximated(int(b.Index)) {
			b.lossy++
		}
	}
	c.summed = len(c.bursts)
}

// extent is when the i-th burst is on the bus; it ends at the latest where the
// next begins. The channel must be summed.
func (c *channel) extent(i int) (begin, end float64) {
	begin = c.bursts[i].begin()
	end = begin + c.length
	if i+1 < len(c.bursts) {
		end = min(end, max(c.bursts[i+1].begin(), begin))
	}
	return begin, end
}

// Totals counts bursts.
type Totals struct{ Data, Metadata, Saved, Approximated int }

// Add adds o to t.
func (t *Totals) Add(o Totals) {
	t.Data += o.Data
	t.Metadata += o.Metadata
	t.Saved += o.Saved
	t.Approximated += o.Approximated
}

// totals counts the bursts that began at or before cycle.
func (c *channel) totals(cycle float64) Totals {
	c.sum()
	n := after(c.bursts, cycle)
	if n == 0 {
		return Totals{}
	}
	b := &c.bursts[n-1]
	return Totals{int(b.data), int(b.metadata), int(b.saved), int(b.lossy)}
}

// queueLength is how many block reads wait at cycle: the length recorded last,
// less the blocks that began to move since.
func (c *channel) queueLength(cycle float64) int {
	n := after(c.queue, cycle)
	for i := n - 1; i >= 0 && i >= n-searchBack; i-- {
		q := c.queue[i]
		if q.write {
			continue
		}
		length := int(q.length)
		for j := after(c.transfers, cycle) - 1; j >= 0 && c.transfers[j].Start > q.cycle && length > 0; j-- {
			if !c.transfers[j].Write {
				length--
			}
		}
		return length
	}
	return 0
}

// metadataHits returns hits and lookups up to cycle.
func (c *channel) metadataHits(cycle float64) (hits, lookups int) {
	n := after(c.lookups, cycle)
	if n == 0 {
		return 0, 0
	}
	l := c.lookups[n-1]
	return int(l.hits), int(l.hits + l.misses)
}

// transferAt returns the index of the last transfer that began at or before
// cycle, or -1.
func (c *channel) transferAt(cycle float64) int { return after(c.transfers, cycle) - 1 }

// openRow returns the row open in a bank at cycle.
func (c *channel) openRow(bank uint8, cycle float64) (row uint32, ok bool) {
	for i := after(c.rows, cycle) - 1; i >= 0; i-- {
		if c.rows[i].bank == bank {
			return c.rows[i].row, c.rows[i].activate
		}
	}
	return 0, false
}

// Totals counts the bursts of all channels up to cycle.
func (t *Timeline) Totals(cycle float64) Totals {
	sum := t.before
	for i := range t.channels {
		sum.Add(t.channels[i].totals(cycle))
	}
	return sum
}
