package model

import (
	"math/rand/v2"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// generator makes records such as a machine could have written, for tests of
// what is drawn from them. It has queues and banks, but knows nothing of a
// program: its figures mean nothing.
type generator struct {
	r       *rand.Rand
	top     Topology
	events  []probe.Event
	lossy   int // of 100 blocks
	codec   bool
	now     []uint32 // per channel, when the bus is free
	row     []map[uint8]uint32
	nextReq uint32
}

const generatedBurst = 3 // base cycles

func testTopology() Topology {
	return Topology{
		SMs: 16, WarpsPerSM: 48, Slices: 12, Controllers: 6, Channels: 12, Banks: 16, MAGBytes: 32,
		PeakBytesPerCycle: 12 * 32.0 / generatedBurst,
		Allocations: []Allocation{
			{Name: "input", Base: 0x10000, Bytes: 1 << 20, Safe: true}, {Name: "output", Base: 0x110000, Bytes: 1 << 20, Safe: true},
		},
	}
}

// generate returns the records of blocks moved on every channel.
func generate(top Topology, seed uint64, blocks int, codec bool, lossy int) []byte {
	g := &generator{r: rand.New(rand.NewPCG(seed, 1)), top: top, codec: codec, lossy: lossy, nextReq: 1}
	g.now = make([]uint32, top.Channels)
	for c := range top.Channels {
		g.now[c] = uint32(200 + g.r.IntN(40))
		g.row = append(g.row, map[uint8]uint32{})
	}
	for b := range blocks {
		for c := range top.Channels {
			g.block(c, b)
		}
	}
	var out []byte
	for i := range g.events {
		out = g.events[i].Append(out)
	}
	return out
}

func (g *generator) emit(kind probe.Kind, at uint32, addr uint64, req uint32, unit int, a, b uint32) {
	g.events = append(g.events, probe.Event{Kind: kind, Cycle: sim.Cycle(at), Addr: addr, Req: req, Unit: uint16(unit), A: a, B: b})
}

// stored draws a size: mean about 70 bytes.
func (g *generator) stored() (bits int, bursts int, mode probe.Mode, first, cut uint32) {
	perBlock := LineBytes / g.top.MAGBytes
	if !g.codec {
		return 1024, perBlock, probe.ModeRaw, 0, 0
	}
	size := 32 + g.r.IntN(100)
	if size > 120 {
		return 1024, perBlock, probe.ModeRaw, 0, 0
	}
	over := size % g.top.MAGBytes
	if size > g.top.MAGBytes && over > 0 && over <= 16 && g.r.IntN(100) < g.lossy {
		return (size - over) * 8, size / g.top.MAGBytes, probe.ModeLossy, uint32(g.r.IntN(14)) * 4, 4
	}
	n := min((size+g.top.MAGBytes-1)/g.top.MAGBytes, perBlock)
	return size * 8, n, probe.ModeLossless, 0, 0
}

func (g *generator) block(c, b int) {
	sm, slot := g.r.IntN(g.top.SMs), g.r.IntN(32)
	req := g.nextReq
	g.nextReq++
	addr := g.top.Allocations[0].Base + uint64(b*g.top.Channels+c)*LineBytes
	bank := uint8(b / 6 % g.top.Banks)
	bits, bursts, mode, first, cut := g.stored()
	write := g.r.IntN(5) == 0

	start := g.now[c]
	if g.r.IntN(8) == 0 {
		start += uint32(g.r.IntN(14))
	}
	if row := uint32(b / 6); g.row[c][bank] != row+1 {
		g.emit(probe.KindPrecharge, start, addr, req, c, uint32(bank), row)
		g.emit(probe.KindActivate, start+4, addr, req, c, uint32(bank), row)
		g.row[c][bank] = row + 1
		start += 9
	}
	asked := start - uint32(90+g.r.IntN(60))
	meta := g.codec && g.r.IntN(30) == 0
	g.emit(probe.KindIssue, asked-6, addr, req, sm, uint32(slot)<<16|1, 7)
	g.emit(probe.KindL1, asked-4, addr, req, sm, probe.ResultMiss, 7)
	g.emit(probe.KindXbarRequest, asked, addr, req, sm<<8|c, 1, 0)
	result := uint32(probe.ResultMiss)
	if g.r.IntN(3) == 0 {
		g.emit(probe.KindL2, asked+10, addr+LineBytes*999, 0, c, probe.ResultHit, 0)
	}
	g.emit(probe.KindL2, asked+14, addr, req, c, result, 0)
	g.emit(probe.KindQueue, asked+24, addr, req, c, 0, uint32(8+g.r.IntN(20)))
	if g.codec {
		g.emit(probe.KindMetadata, asked+24, addr, req, c, map[bool]uint32{true: probe.ResultMiss, false: probe.ResultHit}[meta], 0)
	}
	if meta {
		g.emit(probe.KindRead, start, addr, req, c, uint32(bank)|1<<16, generatedBurst<<16|1)
		start += generatedBurst
	}
	kind := probe.KindRead
	codedAt := uint32(0)
	if write {
		kind = probe.KindWrite
		g.emit(probe.KindCompress, start-5, addr, req, c, uint32(bits)|uint32(mode)<<24, first<<8|cut<<16|uint32(bursts))
	}
	for i := range bursts {
		g.emit(kind, start, addr, req, c, uint32(bank)|uint32(i)<<8|uint32(bursts)<<16|uint32(mode)<<24, generatedBurst<<16)
		start += generatedBurst
	}
	g.now[c] = start
	if write {
		return
	}
	codedAt = start + 10
	if g.codec {
		g.emit(probe.KindDecompress, codedAt, addr, req, c, uint32(bits)|uint32(mode)<<24, first<<8|cut<<16|uint32(bursts))
	}
	g.emit(probe.KindXbarReply, codedAt+8, addr, req, sm<<8|c, 5, 0)
	g.emit(probe.KindReply, codedAt+22, addr, req, sm, codedAt+22-asked, 0)
	if g.r.IntN(40) == 0 {
		g.emit(probe.KindBarrier, codedAt+24, 0, 0, sm, uint32(slot)<<16, 0)
	}
}
