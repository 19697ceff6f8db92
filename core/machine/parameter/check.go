package parameter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/noc"
)

// maxCacheBytes bounds the caches of a machine, because they hold real bytes [ours]: four
// times the caches of the largest preset.
const maxCacheBytes = 256 << 20

// Check lists the combinations of values that are not possible with bursts of magBytes.
func (s *GPU) Check(magBytes int) []Fault {
	var list []Fault
	add := func(bad bool, path, message, mend string) {
		if bad {
			list = append(list, Fault{path, message, mend})
		}
	}
	for _, c := range []struct {
		path string
		n    int
		what string
	}{
		{"sm.texture.sets", s.SM.Texture.Sets, "sets"},
		{"sm.fetch.cache.sets", s.SM.Fetch.Cache.Sets, "sets"}, {"sm.constant.cache.sets", s.SM.Constant.Cache.Sets, "sets"},
		{"sm.fetch.cache.lineBytes", s.SM.Fetch.Cache.LineBytes, "bytes"}, {"sm.constant.cache.lineBytes", s.SM.Constant.Cache.LineBytes, "bytes"},
	} {
		add(c.n&(c.n-1) != 0, c.path, fmt.Sprintf("%d %s", c.n, c.what), "use a power of two")
	}
	for _, c := range []struct {
		path  string
		index cache.Index
		sets  int
	}{{"sm.l1", s.SM.L1.Index, s.SM.L1.Sets}, {"l2", s.L2.Index, s.L2.Sets}} {
		add(c.index == cache.IndexFermi && c.sets&(c.sets-1) != 0, c.path+".sets",
			fmt.Sprintf("%d sets with %s.index fermi", c.sets, c.path),
			"use a power of two, or "+c.path+".index linear or fold")
	}
	constant := &s.SM.Constant
	add(constant.LaunchCycles > 0 && (constant.Cache.Sets > 0 || constant.LatencyCycles == 0), "sm.constant.launchCycles",
		"it has no effect with a constant cache, or where .param takes no cycles",
		"use 0, or sm.constant.cache.sets=0 and latencyCycles above 0")
	caches := s.SMs*(s.SM.L1.Bytes()+s.SM.Texture.Bytes()) + s.L2Bytes()
	add(caches > maxCacheBytes, "l2.sets", fmt.Sprintf("L1s, texture caches and L2 have %d bytes together", caches), fmt.Sprintf("use smaller ones: at most %d", maxCacheBytes))
	add(s.SM.Warps%s.SM.Schedulers != 0, "sm.warps", fmt.Sprintf("%d warps do not divide among %d schedulers", s.SM.Warps, s.SM.Schedulers), "use a multiple of sm.schedulers")
	add(s.SMs > noc.MaxPorts, "sms", fmt.Sprintf("a crossbar has at most %d ports", noc.MaxPorts), "use fewer SMs")
	add(s.Slices() > noc.MaxPorts, "channels", fmt.Sprintf("%d channels: a crossbar has at most %d ports", s.Slices(), noc.MaxPorts), "use fewer controllers or channels")
	add(s.L2.WriteMiss == cache.WriteFetch && s.L2.FarCycles > 0, "l2.farCycles",
		"L2 has no halves under l2.writeMiss fetch", "use 0, or l2.writeMiss allocate")
	add(s.L2.WriteMiss == cache.WriteFetch && s.L2.MissQueueBlocks < cache.MissQueueMin, "l2.missQueueBlocks",
		fmt.Sprintf("a store that misses L2 needs %d places under l2.writeMiss fetch", cache.MissQueueMin), fmt.Sprintf("use at least %d", cache.MissQueueMin))
	add(s.SM.L1.Local == cache.LocalBack && s.SM.L1.Sectored, "sm.l1.local", "an L1 with sectors writes local memory through", "use through, or set sm.l1.sectored to off")
	return slices.Concat(list, s.checkTLB(), s.checkMemory(magBytes))
}

// checkTLB checks the values of the translation, if it is on.
func (s *GPU) checkTLB() (list []Fault) {
	t := &s.TLB
	if !t.On {
		if t.ArithmeticCycles > 0 {
			list = append(list, Fault{"tlb.arithmeticCycles", "translating takes no time", "set tlb.on to on"})
		}
		return list
	}
	var unknown []string
	for _, v := range []struct {
		path string
		n    int
	}{
		{"tlb.l1.entries", t.L1.Entries}, {"tlb.l1.pageBytes", t.L1.PageBytes}, {"tlb.l1.misses", t.L1.Misses},
		{"tlb.l2.entries", t.L2.Entries}, {"tlb.l2.ways", t.L2.Ways}, {"tlb.l2.pageBytes", t.L2.PageBytes},
		{"tlb.l2.latencyCycles", t.L2.LatencyCycles}, {"tlb.walkers", t.Walkers}, {"tlb.walkCycles", t.WalkCycles},
	} {
		if v.n == 0 {
			unknown = append(unknown, v.path)
		}
	}
	if unknown != nil {
		return []Fault{{"tlb.on", "no measured TLB of " + s.Name + " is known: " + strings.Join(unknown, ", ") +
			" are 0",
			"set them, use a preset with a TLB, such as v100, or leave tlb.on off"}}
	}
	add := func(bad bool, path, message, mend string) {
		if bad {
			list = append(list, Fault{path, message, mend})
		}
	}
	for _, p := range []struct {
		path  string
		bytes int
	}{{"tlb.l1.pageBytes", t.L1.PageBytes}, {"tlb.l2.pageBytes", t.L2.PageBytes}} {
		add(p.bytes < mem.LineBytes || p.bytes&(p.bytes-1) != 0, p.path, fmt.Sprintf("a page of %d bytes", p.bytes),
			fmt.Sprintf("use a power of two from %d on", mem.LineBytes))
	}
	add(t.L2.PageBytes < t.L1.PageBytes, "tlb.l2.pageBytes", "an entry of the shared TLB covers less than one of an "+
		"SM's", fmt.Sprintf("use at least %d", t.L1.PageBytes))
	add(t.L2.Entries%t.L2.Ways != 0, "tlb.l2.ways", fmt.Sprintf("%d entries do not divide into sets of %d ways",
		t.L2.Entries, t.L2.Ways), "use a divisor of tlb.l2.entries")
	add(t.L2.LatencyCycles < 2, "tlb.l2.latencyCycles", "the shared TLB is a cycle away in each direction",
		"use at least 2")
	return list
}

// checkMemory asks the parts of the memory themselves.
func (s *GPU) checkMemory(magBytes int) []Fault {
	if err := s.DRAM.Validate(); err != nil {
		return []Fault{{"dram", trim(err), "change dram values so that they fit together"}}
	}
	if f := s.CheckMAG(magBytes); f != nil {
		return []Fault{*f}
	}
	m, err := dram.ParseAddressMap(s.AddressMap, s.Slices(), s.AddressHash)
	if err != nil {
		return []Fault{{"addressMap", trim(err), "correct the address map"}}
	}
	if m.Banks() != s.DRAM.Banks || m.RowBytes() != s.DRAM.RowBytes {
		return []Fault{{"addressMap", fmt.Sprintf("the map has %d banks with rows of %d bytes, the DRAM %d of %d", m.Banks(), m.RowBytes(), s.DRAM.Banks, s.DRAM.RowBytes),
			"change addressMap together with dram.banks and dram.rowBytes"}}
	}
	c := memctrl.Preset(s.DRAM, m, 0, s.Channels, s.DRAMClock(), int(s.DRAMMHz), codec.NewRaw(magBytes))
	s.Controller.Configure(&c)
	if err := c.Validate(); err != nil {
		return []Fault{{"controller", trim(err), "change controller values so that they fit together"}}
	}
	if s.MemoryBytes%mem.LineBytes != 0 {
		return []Fault{{"memoryBytes", "not a whole number of lines", fmt.Sprintf("use a multiple of %d", mem.LineBytes)}}
	}
	return nil
}

// CheckMAG returns the fault of bursts of magBytes on this DRAM, nil if it has none.
func (s *GPU) CheckMAG(magBytes int) *Fault {
	bus := s.DRAM.BytesPerCommandClock
	if bus <= 0 || magBytes%bus == 0 {
		return nil
	}
	return &Fault{"memory.mag", fmt.Sprintf("the DRAM of %s moves %d bytes a clock, so a burst of %d is not possible", s.Name, bus, magBytes), fmt.Sprintf("use a multiple of %d", bus)}
}

// trim drops the package's name from an error.
func trim(err error) string {
	text := err.Error()
	for i := range text {
		if text[i] == ' ' && i > 0 && text[i-1] == ':' {
			return text[i+1:]
		}
	}
	return text
}
