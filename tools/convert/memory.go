package convert

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/mem"
)

// memory are L2, its queues and the controllers.
func (r *gpgpusim) memory() {
	if n, ok := r.one("gpgpu_n_mem"); ok {
		r.channels(n, r.from("gpgpu_n_mem"))
	}
	parts := max(1, r.oneOr("gpgpu_n_sub_partition_per_mchannel", 1))
	if c, ok := r.cache("gpgpu_cache:dl2"); ok {
		r.l2(c, parts, r.from("gpgpu_cache:dl2"))
	}
	r.direct("l2LatencyCycles", "rop_latency") // as GPGPU-Sim 3 has it
	r.direct("l2LatencyCycles", "gpgpu_l2_rop_latency")
	r.direct("controller.fixedLatencyCycles", "dram_latency")
	if o, ok := r.options["gpgpu_dram_partition_queues"]; ok {
		r.used[o.name] = true
		if q := r.numbers(o, o.value(), 4); q != nil {
			r.number("l2.requestQueuePackets", q[0], o.String(), "")
			r.number("l2.dramQueueBlocks", q[1], o.String(), "")
			r.number("l2.replyQueuePackets", q[3], o.String(), "")
		}
	}
	if n, ok := r.one("gpgpu_dram_return_queue_size"); ok && n > 0 {
		r.number("controller.returnQueueBlocks", n, r.from("gpgpu_dram_return_queue_size"), "")
	}
	r.schedule()
}

// channels divides the channels among controllers as the preset does, if that is possible: what a controller has
// once, such as its metadata cache, keeps its share.
func (r *gpgpusim) channels(n int, from string) {
	controllers := int(r.gpu.Controllers)
	if n%controllers != 0 || n/controllers > 16 || n < controllers {
		controllers = n
		for d := 2; controllers > 64 && d <= 16; d++ {
			if n%d == 0 {
				controllers = n / d
			}
		}
	}
	r.number("controllers", controllers, from, "")
	r.number("channels", n/max(1, controllers), from, "")
}

func (r *gpgpusim) l2(c cacheOption, parts int, from string) {
	if c.line != mem.LineBytes {
		r.leave(from, fmt.Sprintf("lines have %d bytes", mem.LineBytes))
		return
	}
	note := ""
	if parts > 1 {
		note = fmt.Sprintf("%d slices of a channel in one", parts)
	}
	r.number("l2.sets", c.sets*parts, from, note)
	r.number("l2.ways", c.ways, from, "")
	r.number("l2.mshrs", c.mshrs*parts, from, note)
	r.number("l2.merges", min(c.merges, 64), from, "")
	r.set("l2.sectorFill", map[bool]string{true: "on", false: "off"}[c.sectored], from, "")
	index, indexNote := indexOf(c.index)
	if index == "fermi" {
		index, indexNote = "fold", "Fermi's hash there, a fold here"
	}
	r.set("l2.index", index, from, indexNote)
	switch c.writeMiss {
	case "L", "N": // lazy fetch on read, or no allocation
		note := ""
		if c.writeMiss == "N" {
			note = "no line is taken there"
		}
		r.set("l2.writeMiss", "allocate", from, note)
	case "W", "F":
		r.set("l2.writeMiss", "fetch", from, "")
		r.number("l2.missQueueBlocks", max(4, c.missBlocks), from, "")
	}
}

// schedule is how reads and writes wait. GPGPU-Sim 4 keeps both in one queue unless it is told otherwise.
func (r *gpgpusim) schedule() {
	size, ok := r.one("gpgpu_frfcfs_dram_sched_queue_size")
	from := r.from("gpgpu_frfcfs_dram_sched_queue_size")
	if n, given := r.one("gpgpu_dram_scheduler"); given && n != 1 {
		r.leave(r.from("gpgpu_dram_scheduler"), "requests are served first-ready first-come-first-served")
	}
	separate := "dram_seperate_write_queue_enable" // spelt so
	if n, given := r.one(separate); given && n == 1 {
		r.set("controller.schedule", "drain", r.from(separate), "")
		if ok {
			r.number("controller.readQueueBlocks", size, from, "")
		}
		if o, given := r.options["dram_write_queue_size"]; given {
			r.used[o.name] = true
			if q := r.numbers(o, o.value(), 3); q != nil {
				r.number("controller.writeQueueBlocks", q[0], o.String(), "")
				r.number("controller.writeHighBlocks", q[1], o.String(), "")
				r.number("controller.writeLowBlocks", q[2], o.String(), "")
			}
		}
		return
	}
	r.used["dram_write_queue_size"] = true // of a queue that is off
	if !ok {
		return
	}
	r.set("controller.schedule", "joint", from, "one queue for reads and writes")
	if size == 0 {
		r.leave(from, "a queue has an end")
		return
	}
	r.number("controller.queueBlocks", size, from, "")
}

// dramTimings are the names of gpgpu_dram_timing_opt (dram.cc) with the values that they give.
var dramTimings = []struct{ name, path string }{
	{"nbk", "banks"}, {"CCD", "ccd"}, {"RRD", "rrd"}, {"RCD", "rcd"}, {"RAS", "ras"}, {"RP", "rp"}, {"RC", "rc"}, {"CL",
		"cl"},
	{"WL", "wl"}, {"CDLR", "cdlr"}, {"WR", "wr"}, {"nbkgrp", "bankGroups"}, {"CCDL", "ccdl"}, {"RTPL", "rtp"},
}

// dram is the memory itself. GPGPU-Sim models neither refresh nor windows of activates, so the values of the preset go.
func (r *gpgpusim) dram() {
	if o, ok := r.options["gpgpu_dram_timing_opt"]; ok {
		r.used[o.name] = true
		r.timing(o)
	}
	if width, ok := r.one("gpgpu_dram_buswidth"); ok {
		// gpu-sim.cc: a channel has the chips of n_mem_per_ctrlr; the ratio is 2 by default.
		wide := width * max(1, r.oneOr("gpgpu_n_mem_per_ctrlr", 1))
		from := r.from("gpgpu_dram_buswidth")
		r.number("dram.bytesPerCommandClock", wide*r.oneOr("dram_data_command_freq_ratio", 2), from, "all chips of a channel")
		if length, ok := r.one("gpgpu_dram_burst_length"); ok {
			r.number("dram.burstBytes", wide*length, from, "all chips of a channel")
		}
	}
	if n, ok := r.one("dram_dual_bus_interface"); ok {
		r.set("dram.separateRowBus", map[bool]string{true: "on", false: "off"}[n == 1], r.from("dram_dual_bus_interface"), "")
	}
	if n, ok := r.one("dram_bnkgrp_indexing_policy"); ok { // dram.h: 0 the higher bits of a bank, 1 the lower ones
		r.set("dram.groupOf", map[bool]string{true: "low", false: "high"}[n == 1], r.from("dram_bnkgrp_indexing_policy"), "")
	}
	r.addresses()
}

func (r *gpgpusim) timing(o option) {
	text := o.value()
	given := map[string]int{}
	if strings.Contains(text, "=") {
		for part := range strings.SplitSeq(text, ":") {
			name, value, ok := strings.Cut(part, "=")
			if !ok {
				r.bad(o, "it is no list of name=number between colons")
				return
			}
			n := r.numbers(o, value, 1)
			if n == nil {
				return
			}
			given[name] = n[0]
		}
	} else { // the older form: the numbers in this order
		list := r.numbers(o, text, 8)
		for i := range min(len(list), len(dramTimings)) {
			given[dramTimings[i].name] = list[i]
		}
	}
	for _, t := range dramTimings {
		if n, ok := given[t.name]; ok {
			r.number("dram."+t.path, n, "-"+o.name+" "+t.name, "")
			delete(given, t.name)
		}
	}
	for _, name := range sorted(given) {
		r.leave(fmt.Sprintf("-%s %s=%d", o.name, name, given[name]), "this converter does not know the time")
	}
	for _, path := range []string{"faw", "aw32", "refi", "rcdwr", "rrdl", "cdlrl", "rtpl"} {
		r.number("dram."+path, 0, "-"+o.name, "GPGPU-Sim does not model it")
	}
}

// addresses are the map of addresses, and the hashes on it.
func (r *gpgpusim) addresses() {
	hash, from := "none", []string{}
	if n, ok := r.one("gpgpu_memory_partition_indexing"); ok { // addrdec.cc: 0 consecutive, 1 and later hash the channel
		from = append(from, r.from("gpgpu_memory_partition_indexing"))
		if n > 0 {
			hash = "channel"
		}
	}
	if n, ok := r.one("dram_bnk_indexing_policy"); ok { // dram.h: 0 linear, later ones hash the bank with the row
		from = append(from, r.from("dram_bnk_indexing_policy"))
		if n > 0 {
			hash = map[string]string{"none": "bank", "channel": "both"}[hash]
		}
	}
	if len(from) > 0 {
		note := ""
		if hash != "none" {
			note = "a hash of the same bits, another function"
		}
		r.set("addressHash", hash, strings.Join(from, ", "), note)
	}
	o, ok := r.options["gpgpu_mem_addr_mapping"]
	if !ok {
		return
	}
	r.used[o.name] = true
	text := strings.Join(strings.Fields(o.value()), "")
	head, fields, found := strings.Cut(text, ";")
	if !found || !strings.HasPrefix(head, "dramid@") {
		r.leave(o.String(), "the map must say the place of the channel: dramid@8;...")
		return
	}
	bare := strings.ReplaceAll(fields, ".", "")
	row := 1 << (strings.Count(bare, "C") + strings.Count(bare, "S"))
	r.number("dram.rowBytes", row, o.String(), "")
	r.set("addressMap", head+"; "+strings.TrimLeft(fields, "0."), o.String(), "")
	if banks := 1 << strings.Count(bare, "B"); banks != r.gpu.DRAM.Banks {
		r.number("dram.banks", banks, o.String(), "the banks of the map")
	}
}
