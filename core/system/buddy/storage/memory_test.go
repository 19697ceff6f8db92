package storage

import (
	"encoding/binary"
	"math/bits"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
)

// allocationBytes is the size of each allocation of these tests: 64 entries.
const allocationBytes = 8192

// lineOf returns contents whose code takes the given number of sectors: a bit plane of noise
// takes 32 bits.
func lineOf(rnd *sim.Rand, sectors int) *mem.Line {
	var l mem.Line
	noise := []int{0, 3, 10, 18, 32}[sectors]
	for i := range 32 {
		binary.LittleEndian.PutUint32(l[4*i:], uint32(uint64(rnd.Uint32())&(1<<noise-1)))
	}
	if class, _ := encode(&l); class != sectors {
		panic("the code takes another number of sectors")
	}
	return &l
}

// slowBuddy keeps the sectors of every entry at their addresses in a device and in a
// carve-out, encoded. It computes the class of an entry from its code, and moves one sector
// after the other.
type slowBuddy struct {
	targets           []layout.Target
	place             *layout.Layout
	device, carveOut  map[uint64][layout.SectorBytes]byte
	deviceAt          []uint64 // first byte of each allocation
	class             map[mem.Addr]int
	bits              map[mem.Addr]int // of the code, for the decoder
	inDevice, inBuddy uint64           // sectors moved
}

const slowBase = 1 << 44 // GBBR

// places returns the addresses of an entry's sectors in both memories.
func (m *slowBuddy) places(alloc int, entry uint64) (device, carveOut []uint64) {
	t := m.targets[alloc]
	perPage := layout.Page64KB.Bytes() / layout.EntryBytes
	page := layout.Page{Compressed: t != layout.Plain, Target: t, Offset: m.place.Offsets[alloc] + uint32(entry/perPage)}
	at := m.deviceAt[alloc] + entry*t.DeviceBytes()
	for k := range max(1, t.DeviceBytes()/layout.SectorBytes) {
		device = append(device, at&^(layout.SectorBytes-1)+k*layout.SectorBytes)
	}
	if t.BuddySectors() > 0 {
		first := page.BuddyAddress(slowBase, layout.Page64KB, entry%perPage)
		for k := range t.BuddySectors() {
			carveOut = append(carveOut, first+uint64(k)*layout.SectorBytes)
		}
	}
	return device, carveOut
}

// encode returns the class of a line in sectors and its code.
func encode(line *mem.Line) (class int, code [layout.EntryBytes]byte) {
	if *line == (mem.Line{}) {
		return 0, code
	}
	var b codec.Block
	n := bpc.Codec{}.Encode(&b, line)
	if n > 96*8 {
		return 4, [layout.EntryBytes]byte(*line)
	}
	copy(code[:], b[:])
	return (n + 255) / 256, code
}

// pass moves the sectors of a class through both memories: into code if read, else from it.
func (m *slowBuddy) pass(alloc int, entry uint64, class int, code *[layout.EntryBytes]byte, read bool) {
	if class == 0 {
		return
	}
	device, carveOut := m.places(alloc, entry)
	move := func(memory map[uint64][layout.SectorBytes]byte, at uint64, part []byte, within int) {
		sector := memory[at]
		if read {
			copy(part, sector[within:])
		} else {
			copy(sector[within:], part)
			memory[at] = sector
		}
	}
	rest := code[:]
	if m.targets[alloc] == layout.Sixteen {
		at := m.deviceAt[alloc] + entry*8
		move(m.device, device[0], code[:8], int(at%layout.SectorBytes))
		m.inDevice++
		device, rest = nil, code[8:]
		for k := 0; k*layout.SectorBytes < class*layout.SectorBytes-8; k++ {
			move(m.carveOut, carveOut[k], rest[k*32:min(len(rest), k*32+32)], 0)
			m.inBuddy++
		}
		return
	}
	for k := range class {
		part := rest[k*layout.SectorBytes:][:layout.SectorBytes]
		if k < len(device) {
			move(m.device, device[k], part, 0)
			m.inDevice++
		} else {
			move(m.carveOut, carveOut[k-len(device)], part, 0)
			m.inBuddy++
		}
	}
}

func (m *slowBuddy) write(a mem.Addr, alloc int, entry uint64, line *mem.Line) {
	class, code := encode(line)
	if m.targets[alloc] == layout.Plain {
		class, code = 4, [layout.EntryBytes]byte(*line)
	}
	m.class[a], m.bits[a] = class, bpc.Codec{}.SizeBits(line)
	m.pass(alloc, entry, class, &code, false)
}

func (m *slowBuddy) read(t *testing.T, a mem.Addr, alloc int, entry uint64) mem.Line {
	var code [layout.EntryBytes]byte
	class := m.class[a]
	m.pass(alloc, entry, class, &code, true)
	var line mem.Line
	switch class {
	case 0:
		return line
	case 4:
		return code
	}
	var b codec.Block
	copy(b[:], code[:])
	if err := (bpc.Codec{}).Decode(&line, &b, m.bits[a]); err != nil {
		t.Fatalf("entry %#x: %v", a, err)
	}
	return line
}

// checkUse counts the entries of each allocation and compares.
func (m *slowBuddy) checkUse(t *testing.T, storage *Memory, bases []mem.Addr, allocs []layout.Allocation) {
	t.Helper()
	for i, got := range storage.use.use {
		var want EntryUse
		for a, class := range m.class {
			if m.targets[i] == layout.Plain || a < bases[i] || a >= bases[i]+mem.Addr(allocs[i].Bytes) {
				continue
			}
			in := min(class, max(1, int(m.targets[i].DeviceBytes()/layout.SectorBytes)))
			out := class - in
			if m.targets[i] == layout.Sixteen {
				out = class
			}
			want.Entries++
			want.DeviceSectors += uint64(in)
			want.BuddySectors += uint64(out)
			if out > 0 {
				want.Overflowed++
			}
		}
		if got != want {
			t.Fatalf("allocation %d of target %s: %+v, counted %+v", i, m.targets[i], got, want)
		}
	}
}

// On 10,000 random traces every access moves the sectors that a memory of real sectors moves,
// and every read returns the bytes written last: classes grow and shrink, stale sectors stay
// behind, and no entry ever changes its place.
func TestBuddySectorsOnRandomTraces(t *testing.T) {
	cfg := fermi(t, 2)
	traces := 10000
	if testing.Short() {
		traces = 1000
	}
	grown, shrunk := 0, 0
	for trace := range traces {
		rnd := sim.NewRand(uint64(trace), 5)
		image, err := mem.NewImage(mem.DefaultBase, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		slow := &slowBuddy{device: map[uint64][32]byte{}, carveOut: map[uint64][32]byte{}, class: map[mem.Addr]int{},
			bits: map[mem.Addr]int{}}
		var allocs []layout.Allocation
		var bases []mem.Addr
		device := uint64(0)
		for i := range 3 {
			bytes := uint64(1+rnd.Intn(16)) * layout.EntryBytes
			a, err := image.AllocSparse("a", bytes)
			if err != nil {
				t.Fatal(err)
			}
			target := layout.Target(rnd.Intn(int(layout.NumTargets)))
			if i == 0 {
				target = layout.One // room in the carve-out
			}
			allocs = append(allocs, layout.Allocation{Name: "a", Bytes: bytes, Target: target})
			bases = append(bases, a.Base)
			slow.targets = append(slow.targets, target)
			slow.deviceAt = append(slow.deviceAt, device)
			device += bytes
		}
		if slow.place, err = layout.NewLayout(allocs, layout.Page64KB); err != nil {
			allocs[1].Target, allocs[2].Target = layout.Two, layout.Two
			slow.targets = []layout.Target{layout.One, layout.Two, layout.Two}
			if slow.place, err = layout.NewLayout(allocs, layout.Page64KB); err != nil {
				t.Fatal(err)
			}
		}
		m := NewMemory(&cfg, image, slow.targets)
		var inDevice, inBuddy uint64
		met, now := map[mem.Addr]bool{}, map[mem.Addr]entrySectors{}
		for step := range 40 {
			alloc := rnd.Intn(len(allocs))
			entry := uint64(rnd.Intn(int(allocs[alloc].Bytes / layout.EntryBytes)))
			a := bases[alloc] + entry*layout.EntryBytes
			channel, local := cfg.Map.Split(a)
			b := memctrl.Block{Addr: a, Channel: channel, Local: local}
			if m.Compressed(a) != (slow.targets[alloc] != layout.Plain) {
				t.Fatalf("trace %d: page of %#x is compressed: %v", trace, a, m.Compressed(a))
			}
			var p memctrl.Placed
			if before, written := slow.class[a]; !written || rnd.Intn(2) == 0 {
				line := lineOf(&rnd, rnd.Intn(5))
				slow.write(a, alloc, entry, line)
				if written && slow.class[a] > before {
					grown++
				} else if written && slow.class[a] < before {
					shrunk++
				}
				p = m.Write(b, line, mem.FullMask)
			} else {
				want := slow.read(t, a, alloc, entry)
				var line mem.Line
				if p = m.Read(b, &line); line != want {
					t.Fatalf("trace %d, step %d: entry %#x of target %s has other bytes", trace, step, a, slow.targets[alloc])
				}
			}
			inDevice += uint64(bits.OnesCount8(p.Parts[memctrl.InDevice]))
			inBuddy += uint64(bits.OnesCount8(p.Parts[memctrl.InLink]))
			if inDevice != slow.inDevice || inBuddy != slow.inBuddy {
				t.Fatalf("trace %d, step %d: target %s, class %d: %d and %d sectors moved, want %d and %d",
					trace, step, slow.targets[alloc], slow.class[a], inDevice, inBuddy, slow.inDevice, slow.inBuddy)
			}
			if e := m.use.last; m.use.changed {
				if e.first != !met[a] || e.before != now[a] || e.allocation != alloc {
					t.Fatalf("trace %d, step %d: entry %#x of allocation %d had %+v, change %+v", trace, step, a, alloc, now[a], e)
				}
				now[a] = e.now
			}
			met[a] = met[a] || slow.targets[alloc] != layout.Plain
		}
		slow.checkUse(t, m, bases, allocs)
	}
	if grown < traces || shrunk < traces {
		t.Errorf("only %d entries grew and %d shrank", grown, shrunk)
	}
}

// Entries of a packed allocation lie one after the other in each channel, inside the room of
// their allocation, and share no byte of the device.
func TestDeviceLocalPacksEntries(t *testing.T) {
	for _, hash := range []string{"plain", "hashed"} {
		cfg := hbm(t, 4)
		if hash == "plain" {
			cfg = fermi(t, 4)
		}
		image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
		var targets []layout.Target
		for k := range layout.NumTargets {
			image.Alloc("a", 8192+256*uint64(k))
			targets = append(targets, k)
		}
		m := NewMemory(&cfg, image, targets)
		type place struct {
			channel int
			byte    uint64
		}
		owner := map[place]mem.Addr{}
		for k, a := range image.Allocations() {
			for at := a.Base; at < a.End(); at += 128 {
				channel, local := cfg.Map.Split(at)
				got := m.DeviceLocal(memctrl.Block{Addr: at, Channel: channel, Local: local})
				if got%32 != 0 {
					t.Fatalf("%s: entry %#x lies at %#x", targets[k], at, got)
				}
				if targets[k] <= layout.One && got != local {
					t.Errorf("target %s moves %#x from %#x to %#x", targets[k], at, local, got)
				}
				if targets[k] == layout.Sixteen {
					continue // four entries share a sector
				}
				for i := range targets[k].DeviceBytes() {
					p := place{channel, got + i}
					if other, taken := owner[p]; taken {
						t.Fatalf("%s: entries %#x and %#x share byte %#x of channel %d", hash, at, other, got+i, channel)
					}
					owner[p] = at
				}
			}
		}
	}
}

// script fills a rig with random traffic over all targets and classes, and returns the
// bytes that each read must return.
func (r *rig) script(cfg memctrl.Config, requests int, seed uint64) map[uint32]mem.Line {
	rnd := sim.NewRand(seed, 9)
	entries := int(layout.NumTargets) * allocationBytes / 128
	flat, want := map[mem.Addr]mem.Line{}, map[uint32]mem.Line{}
	for i := range entries {
		a := base + uint64(i)*128
		flat[a] = *lineOf(&rnd, rnd.Intn(5))
		line := flat[a]
		r.image.WriteLine(a, &line)
	}
	r.control.ResetBlocks()
	now := sim.Cycle(0)
	for i := range requests {
		a := base + uint64(rnd.Intn(entries))*128
		now += sim.Cycle(rnd.Intn(8))
		q := readOf(a, i)
		switch {
		case rnd.Intn(10) < 4:
			line := lineOf(&rnd, rnd.Intn(5))
			flat[a] = *line
			q = writeOf(a, line)
			q.req.Tag, q.req.Ack = uint32(i), i%2 == 0
		case cfg.SectorFill && rnd.Intn(2) == 0:
			q.req.Mask = mem.ByteMask{}
			q.req.Mask.Set(32*rnd.Intn(4)+rnd.Intn(25), 8)
			want[uint32(i)] = flat[a]
		default:
			want[uint32(i)] = flat[a]
		}
		q.at = now
		s := r.slice[cfg.Map.Channel(a)]
		s.script = append(s.script, q)
	}
	return want
}

// Under random traffic every read returns the bytes of flat memory, the counters of device,
// link and metadata add up, and a run in pieces, or a copy of it, ends the same.
func TestBuddyTraffic(t *testing.T) {
	const until = 400000
	rounds := uint64(12)
	if testing.Short() {
		rounds = 4
	}
	for seed := range rounds {
		cfg := hbm(t, 2)
		cfg.SectorFill = seed%2 == 1
		cfg.Paranoid = seed%3 == 0
		cfg.Metadata = memctrl.MetadataConfig{Bytes: 1024, Ways: 2, BitsPerBlock: layout.MetadataBits, LineSectors: 4}
		if seed == 3 {
			cfg.Metadata.Bytes = 0
		}
		link := nvlink
		if seed == 2 {
			link.MBPerSecond = 5_000 // long queues
			cfg.ReadQueue, cfg.WriteQueue, cfg.ReturnQueue, cfg.MetadataQueue = 4, 4, 2, 4
			cfg.WriteHigh, cfg.WriteLow = 3, 1
		}
		r := newRig(t, cfg, link, nil)
		r.check(t, cfg)
		want := r.script(cfg, 3000, seed)
		r.run(until)
		got := 0
		for _, s := range r.slice {
			for _, x := range s.replies {
				got++
				exact := want[x.tag]
				if !cfg.SectorFill && x.data != exact {
					t.Fatalf("seed %d: read %d returned other bytes than flat memory holds", seed, x.tag)
				}
			}
		}
		s := &r.stats
		if got != len(want) || !r.control.Idle() || r.arena.Live() != 0 {
			t.Fatalf("seed %d: %d replies to %d reads, %d lines left over: %s", seed, got, len(want), r.arena.Live(),
				r.control.Waiting(0, until))
		}
		read := s[stat.BlocksReadRaw] + s[stat.BlocksReadLossless]
		written := s[stat.BlocksWrittenRaw] + s[stat.BlocksWrittenLossless]
		equal := func(law string, a, b uint64) {
			t.Helper()
			if a != b {
				t.Errorf("seed %d: %s: %d is not %d", seed, law, a, b)
			}
		}
		equal("reads = blocks read + forwards", s[stat.ControllerReads], read+s[stat.ControllerForwards])
		equal("blocks served", s[stat.ReadBlocksServed], read)
		parts := s[stat.ReadMetadataCycles] + s[stat.ReadQueueCycles] + s[stat.ReadBankCycles] + s[stat.ReadBusCycles]
		equal("latency by part", parts+s[stat.ReadDecompressCycles], s[stat.ReadLatencyCycles])
		equal("bytes of the link", s[stat.LinkOutBytes]+s[stat.LinkInBytes],
			s[stat.LinkHeaderBytes]+s[LinkReadBytes]+s[LinkWriteBytes])
		equal("headers", s[stat.LinkHeaderBytes], 32*(2*s[LinkReads]+s[LinkWrites]))
		equal("time of the link", s[stat.LinkCycles], 2*6*cfg.Clock.Local(until))
		equal("metadata lookups", s[stat.MetadataAccesses], s[stat.MetadataHits]+s[stat.MetadataMisses])
		equal("bytes of the device", s[stat.DRAMReadBytes]+s[stat.DRAMWriteBytes],
			32*(s[stat.BurstsRead]+s[stat.BurstsWritten]+s[stat.MetadataReads]+s[stat.MetadataWritebacks]))
		if s[stat.MetadataAccesses] == 0 || s[stat.MetadataAccesses] >= read+written || s[LinkReads] == 0 ||
			s[LinkWrites] == 0 {
			t.Errorf("seed %d: %d lookups for %d blocks, %d and %d buddy accesses", seed, s[stat.MetadataAccesses],
				read+written, s[LinkReads], s[LinkWrites])
		}
		if s[stat.LinkBusyCycles] > s[stat.LinkCycles] {
			t.Errorf("seed %d: the link is busy for %d of %d cycles", seed, s[stat.LinkBusyCycles], s[stat.LinkCycles])
		}

		cut := newRig(t, cfg, link, nil)
		cut.script(cfg, 3000, seed)
		cut.engine.Seal()
		rnd := sim.NewRand(seed, 3)
		for at := sim.Cycle(0); at < 9000; at += sim.Cycle(1 + rnd.Intn(300)) {
			cut.engine.Advance(at)
			cut.control.Settle(at)
		}
		twin := newRig(t, cfg, link, nil)
		twin.engine.Seal()
		twin.copyFrom(cut)
		for _, x := range []*rig{cut, twin} {
			x.engine.Advance(until)
			x.control.Settle(until)
			if x.digest() != r.digest() {
				t.Errorf("seed %d: a run in pieces, or its copy, ends differently", seed)
			}
		}
	}
}

// The sectors that a script of reads moves, one target and class at a time, by the rules of
// section III: device, link, and what the metadata alone answer.
func TestBuddyReadsOneByOne(t *testing.T) {
	for target := layout.Plain; target < layout.NumTargets; target++ {
		for class := range 5 {
			cfg := hbm(t, 1)
			cfg.Metadata = memctrl.MetadataConfig{Bytes: 8192, Ways: 4, BitsPerBlock: layout.MetadataBits, LineSectors: 4}
			r := newRig(t, cfg, nvlink, nil)
			rnd := sim.NewRand(uint64(class), 2)
			a := base + uint64(target)*allocationBytes
			line := lineOf(&rnd, class)
			r.image.WriteLine(a, line)
			r.control.ResetBlocks()
			r.slice[0].script = []scripted{readOf(a, 0)}
			r.run(4000)
			device, linked := target.Split(class)
			if target == layout.Plain {
				device = 0b1111
			}
			lookups, linkedReads := uint64(1), uint64(0)
			if target == layout.Plain {
				lookups = 0
			}
			if linked != 0 {
				linkedReads = 1
			}
			r.expect(t, map[stat.Counter]uint64{
				stat.BurstsRead: uint64(bits.OnesCount8(device)), LinkReadBytes: 32 * uint64(bits.OnesCount8(linked)),
				LinkReads: linkedReads, stat.MetadataAccesses: lookups, stat.MetadataReads: lookups,
			})
			if len(r.slice[0].replies) != 1 || r.slice[0].replies[0].data != *line {
				t.Errorf("target %s, class %d: replies %v", target, class, r.slice[0].replies)
			}
			wantBursts := uint8(max(1, class))
			if target == layout.Plain {
				wantBursts = 4
			}
			if s, ok := r.control.Stored(a); !ok || s.Bursts != wantBursts {
				t.Errorf("target %s, class %d: stored in %d bursts, known %v", target, class, s.Bursts, ok)
			}
			wantDecompress := uint64(11)
			if class == 4 || target == layout.Plain {
				wantDecompress = 0
			}
			if got := r.stats[stat.ReadDecompressCycles]; got != wantDecompress {
				t.Errorf("target %s, class %d: decompression takes %d cycles, want %d", target, class, got, wantDecompress)
			}
		}
	}
}

// An uncompressed entry moves only the sectors that are asked for, in both memories; a
// compressed one moves whole.
func TestBuddySectorsAskedFor(t *testing.T) {
	for _, c := range []struct {
		class, sector  int
		target         layout.Target
		device, linked uint64
	}{
		{4, 0, layout.Two, 1, 0}, {4, 3, layout.Two, 0, 1}, {3, 0, layout.Two, 2, 1}, {4, 1, layout.Four, 0, 1},
		{4, 2, layout.One, 1, 0}, {3, 2, layout.One, 3, 0}, {4, 2, layout.Sixteen, 1, 4}, {4, 2, layout.Plain, 1, 0},
	} {
		cfg := hbm(t, 1)
		cfg.SectorFill = true
		r := newRig(t, cfg, nvlink, nil)
		rnd := sim.NewRand(1, 2)
		a := base + uint64(c.target)*allocationBytes
		r.image.WriteLine(a, lineOf(&rnd, c.class))
		r.control.ResetBlocks()
		q := readOf(a, 0)
		q.req.Mask = mem.ByteMask{}
		q.req.Mask.Set(32*c.sector, 4)
		r.slice[0].script = []scripted{q}
		r.run(4000)
		if r.stats[stat.BurstsRead] != c.device || r.stats[LinkReadBytes] != 32*c.linked ||
			len(r.slice[0].replies) != 1 {
			t.Errorf("%+v: %d sectors of the device, %d bytes of buddy memory", c, r.stats[stat.BurstsRead],
				r.stats[LinkReadBytes])
		}
	}
}

// Every access of buddy memory is an event of the link; in each direction no more packets overlap than it has channels.
// The events of entries add up to the counters and to the entries that need buddy memory in the end.
func TestLinkEventsMatchCounters(t *testing.T) {
	cfg := hbm(t, 2)
	cfg.Metadata = memctrl.MetadataConfig{Bytes: 1024, Ways: 2, BitsPerBlock: layout.MetadataBits, LineSectors: 4}
	const channels = 3
	tap := probe.NewTap(1 << 20)
	link := nvlink
	link.Channels, link.MBPerSecond = channels, 20_000
	r := newRig(t, cfg, link, tap)
	r.script(cfg, 3000, 1)
	r.run(400000)
	var count [2]uint64
	open := [2]map[uint64]int{{}, {}}
	var met, overflowed, returned uint64
	tap.Take(func(events []probe.Event) {
		for i := range events {
			e := &events[i]
			if e.Kind == probe.KindEntry {
				before, now := e.A>>24, e.A>>16&0xff
				if e.A>>8&0xff == probe.EntryUnknown {
					met++
				}
				if now > 0 && before == 0 {
					overflowed++
				} else if now == 0 && before > 0 {
					returned++
				}
			}
			if e.Kind != probe.KindLink {
				continue
			}
			out := e.A & 1
			count[out]++
			if e.A>>8 != channels || e.B == 0 {
				t.Fatalf("%d channels, %d cycles", e.A>>8, e.B)
			}
			for c := uint64(2); c+2 < uint64(e.B); c++ { // whole DRAM cycles at both ends may be shared
				open[out][uint64(e.Cycle)+c]++
			}
		}
	})
	if s := &r.stats; count != [2]uint64{s[LinkReads], s[LinkWrites]} || count[0] == 0 || count[1] == 0 {
		t.Errorf("%v packets, %d reads and %d writes", count, s[LinkReads], s[LinkWrites])
	}
	r.expect(t, map[stat.Counter]uint64{EntriesMet: met, EntriesOverflowed: overflowed,
		EntriesReturned: returned})
	left := uint64(0)
	for _, u := range r.control.Storage().(*Memory).use.use {
		left += u.Overflowed
	}
	if left != overflowed-returned || returned == 0 || met < 200 {
		t.Errorf("%d entries met, %d overflowed, %d returned, %d need buddy memory", met, overflowed, returned, left)
	}
	for d := range open {
		for at, n := range open[d] {
			if n > channels {
				t.Fatalf("%d packets in cycle %d", n, at)
			}
		}
	}
}
