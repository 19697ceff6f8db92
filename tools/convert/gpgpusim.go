package convert

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// gpgpusim reads a gpgpusim.config of GPGPU-Sim 3 or 4, or of Accel-Sim, whose trace.config has options of latencies
// too.
type gpgpusim struct {
	*Machine
	options map[string]option
	used    map[string]bool
	fault   error
	name    string
}

// baseOf chooses the preset of a compute capability: the machine whose other values are nearest.
func baseOf(major, minor int) string {
	switch {
	case major >= 9:
		return "h100"
	case major == 8:
		return "a100"
	case major == 7 && minor >= 5:
		return "rtx2060"
	case major == 7:
		return "v100"
	case major >= 6:
		return "p100"
	}
	return "gtx480"
}

func readGPGPUSim(name string, text []byte, base string) (*Machine, error) {
	list, err := parseOptions(name, text)
	if err != nil {
		return nil, err
	}
	r := &gpgpusim{options: map[string]option{}, used: map[string]bool{}, name: name}
	for _, o := range list {
		r.options[o.name] = o
	}
	if base == "" {
		base = baseOf(r.oneOr("gpgpu_compute_capability_major", 2), r.oneOr("gpgpu_compute_capability_minor", 0))
	}
	if r.Machine, err = start("gpgpusim.config", base); err != nil {
		return nil, err
	}
	for _, part := range []func(){r.cores, r.pipeline, r.latencies, r.caches, r.memory, r.dram} {
		part()
		if r.fault != nil {
			return nil, r.fault
		}
	}
	r.rest(list)
	return r.Machine, nil
}

// rest says of the options that nothing has used why: they change no result, have no counterpart, or are not known.
func (r *gpgpusim) rest(list []option) {
	for _, o := range list {
		if r.used[o.name] {
			continue
		}
		if slices.ContainsFunc(withoutEffect, func(p string) bool { return strings.HasPrefix(o.name, p) }) {
			r.Quiet = append(r.Quiet, o.String())
			continue
		}
		why := "this converter does not know the option"
		for _, c := range noCounterpart {
			if strings.HasPrefix(o.name, c.prefix) {
				why = c.why
				break
			}
		}
		r.leave(o.String(), why)
	}
}

// withoutEffect are the beginnings of options that change no result in GPGPU-Sim either.
var withoutEffect = []string{
	"gpgpu_ptx_", "gpgpu_stack_size_limit", "gpgpu_heap_size_limit", "gpgpu_runtime", "gpgpu_memlatency_stat",
	"enable_ptx_file_line_stats", "visualizer_", "power_", "gpuwattch", "accelwattch", "trace_",
	"gpgpu_occupancy_sm_number",
	"gpgpu_compute_capability", "gpgpu_cuobjdump", "save_embedded_ptx", "gpgpu_experimental_lib_support", "gpgpu_max_",
	"gpgpu_deadlock_detect", "gpgpu_cflog_interval", "steady_", "aggregate_power_stats", "liveness_message_freq",
	"specialized_",
}

// noCounterpart are the beginnings of options for which no value of a machine stands, with the reason.
var noCounterpart = []struct{ prefix, why string }{
	{"gpgpu_TB_launch_latency", "CTAs start without a latency of their own"},
	{"gpgpu_simd_model", "warps diverge by the rules of PTX: there is no choice of a model"},
	{"gpgpu_pipeline_widths", "registers between stages of the pipeline are not modelled: sm.pipelineCycles has " +
		"their time"},
	{"gpgpu_operand_collector", "operand collectors are not modelled: sm.pipelineCycles has their time"},
	{"gpgpu_enable_specialized_operand_collector", "operand collectors are not modelled"},
	{"gpgpu_num_reg_banks", "banks of the register file are not modelled"},
	{"gpgpu_reg_", "ports and banks of the register file are not modelled"},
	{"gpgpu_sub_core_model", "units are shared by the schedulers of an SM, as the sum of the units"},
	{"gpgpu_dual_issue_diff_exec_units", "a second instruction of a cycle always goes to another unit (sm.issueWidth)"},
	{"gpgpu_tensor_core_avail", "matrix instructions run on every machine (sm.timing.matrix)"},
	{"gpgpu_num_tensor_core_units", "matrix instructions share the unit of sm.timing.matrix"},
	{"gpgpu_num_int_units", "integer instructions share the unit of sm.timing.intAdd"},
	{"gpgpu_shmem_limited_broadcast", "a broadcast takes one pass, as on hardware since compute capability 2.0"},
	{"gpgpu_shmem_warp_parts", "a warp's access to shared memory is one, as on hardware since compute capability 2.0"},
	{"gpgpu_shmem_size", "the other sizes of shared memory: sm.sharedBytes has that of gpgpu_shmem_size"},
	{"gpgpu_shmem_per_block", "a CTA may have all shared memory of an SM"},
	{"gpgpu_shmem_option", "shared memory has one size in a run: sm.sharedBytes"},
	{"gpgpu_unified_l1d_size", "L1 does not grow with unused shared memory"},
	{"gpgpu_adaptive_cache_config", "L1 does not grow with unused shared memory: sm.l1.sets and sm.l1.ways have the " +
		"given size"},
	{"gpgpu_l1_banks", "L1 takes one line a cycle"},
	{"gpgpu_l1_cache_write_ratio", "L1 writes through"},
	{"gpgpu_flush_l1_cache", "L1 is empty at each launch"},
	{"gpgpu_flush_l2_cache", "L2 keeps its lines between launches"},
	{"gpgpu_cache:dl1Pref", "the preferred sizes of L1 of a launch: a machine has one"},
	{"gpgpu_cache:dl2_texture_only", "L2 serves all requests"},
	{"gpgpu_n_cluster_ejection_buffer_size", "an SM takes every reply that arrives"},
	{"gpgpu_perf_sim_memcpy", "copies of the host do not pass L2"},
	{"gpgpu_registers_per_block", "a CTA may have all registers of an SM"},
	{"gpgpu_ignore_resources_limitation", "the limits of an SM always hold"},
	{"gpgpu_dram_burst_length", "see gpgpu_dram_buswidth"},
	{"gpgpu_mem_address_mask", "the masks of GPGPU-Sim: addressMap has the map that they lead to"},
	{"network_mode", "the crossbar is that of core/noc: one hop, virtual output queues if xbar.inputQueues says so"},
	{"inter_config_file", "no topology of intersim but the crossbar"},
	{"icnt_", "queues of the crossbar have the sizes of core/noc"},
	{"gpgpu_concurrent_kernel_sm", "one kernel runs at a time"},
	{"gpgpu_num_", "no unit of this kind"},
}

// one returns the only number of an option; ok is false without the option.
func (r *gpgpusim) one(name string) (n int, ok bool) {
	o, ok := r.options[name]
	if !ok {
		return 0, false
	}
	list := r.numbers(o, o.value(), 1)
	if len(list) == 0 {
		return 0, false
	}
	r.used[name] = true
	return list[0], true
}

func (r *gpgpusim) oneOr(name string, otherwise int) int {
	if n, ok := r.one(name); ok {
		return n
	}
	return otherwise
}

// numbers reads whole numbers between commas or colons; least is how many must be there. A fault ends the conversion.
func (r *gpgpusim) numbers(o option, text string, least int) []int {
	var list []int
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ':' || c == ' ' }) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || x < 0 || x > math.MaxInt32 {
			r.bad(o, fmt.Sprintf("%s is no number from 0 to %d", fault.Quote(word), math.MaxInt32))
			return nil
		}
		list = append(list, int(math.Round(x)))
	}
	if len(list) < least {
		r.bad(o, fmt.Sprintf("it has %d numbers, and %d are needed", len(list), least))
		return nil
	}
	return list
}

func (r *gpgpusim) bad(o option, what string) {
	if r.fault == nil {
		r.fault = fmt.Errorf("%s:%d: -%s: %s: correct the option, or delete its line", r.name, o.line, o.name, what)
	}
}

// direct gives a value the only number of an option.
func (r *gpgpusim) direct(path, name string) {
	if n, ok := r.one(name); ok {
		r.number(path, n, r.options[name].String(), "")
	}
}

func (r *gpgpusim) from(name string) string { return r.options[name].String() }

// cores are the SMs and their clocks.
func (r *gpgpusim) cores() {
	if n, ok := r.one("gpgpu_n_clusters"); ok {
		per := r.oneOr("gpgpu_n_cores_per_cluster", 1)
		note := ""
		if per > 1 {
			note = fmt.Sprintf("%d SMs of a cluster share a port of the crossbar there; here each has its own", per)
		}
		r.number("sms", n*per, r.from("gpgpu_n_clusters"), note)
	}
	if o, ok := r.options["gpgpu_clock_domains"]; ok {
		r.used[o.name] = true
		clocks := r.numbers(o, o.value(), 4)
		if clocks == nil {
			return
		}
		note := ""
		if words := strings.Split(o.value(), ":"); slices.ContainsFunc(words, fractional) {
			note = "rounded to whole MHz"
		}
		for i, path := range []string{"coreMHz", "xbarMHz", "l2MHz", "dramMHz"} {
			if (path == "xbarMHz" || path == "l2MHz") && clocks[i] == clocks[0] {
				r.number(path, 0, o.String(), "0 = that of the SMs")
				continue
			}
			r.number(path, clocks[i], o.String(), note)
		}
	}
	r.direct("sm.ctas", "gpgpu_shader_cta")
	r.direct("sm.registers", "gpgpu_shader_registers")
	r.direct("sm.sharedBytes", "gpgpu_shmem_size")
	r.direct("sm.banks", "gpgpu_shmem_num_banks")
	r.direct("launchGapCycles", "gpgpu_kernel_launch_latency")
	if o, ok := r.options["gpgpu_shader_core_pipeline"]; ok {
		r.used[o.name] = true
		if list := r.numbers(o, o.value(), 2); list != nil && list[1] == 32 {
			r.number("sm.warps", list[0]/32, o.String(), "")
		} else if list != nil {
			r.leave(o.String(), "warps have 32 threads")
		}
	}
}

func fractional(word string) bool {
	_, after, found := strings.Cut(word, ".")
	return found && strings.Trim(after, "0") != ""
}

// pipeline is how an SM issues.
func (r *gpgpusim) pipeline() {
	r.direct("sm.schedulers", "gpgpu_num_sched_per_core")
	r.direct("sm.issueWidth", "gpgpu_max_insn_issue_per_warp")
	r.direct("sm.fetch.perCycle", "gpgpu_inst_fetch_throughput")
	// shader.cc of GPGPU-Sim 4: two cycles in the operand collector, three between registers of the pipeline, one until
	// the scoreboard is free; measured: 7 for an operation of one cycle.
	r.number("sm.pipelineCycles", 6, "GPGPU-Sim 4, shader.cc", "the stages beside the unit's, which no option states")
	if o, ok := r.options["gpgpu_scheduler"]; ok {
		r.used[o.name] = true
		kind, rest, _ := strings.Cut(o.value(), ":")
		switch kind {
		case "gto", "lrr":
			r.set("sm.policy", kind, o.String(), "")
		case "two_level_active":
			r.set("sm.policy", "two-level", o.String(), "")
			if list := r.numbers(o, rest, 1); list != nil {
				r.number("sm.activeWarps", list[0], o.String(), "")
			}
		default:
			r.leave(o.String(), "schedulers are gto, lrr and two-level")
		}
	}
	if n, ok := r.one("gpgpu_coalesce_arch"); ok {
		// abstract_hardware_model.cc: 13 coalesces into whole segments, later ones into sectors.
		r.set("sm.wholeSegments", map[bool]string{true: "on", false: "off"}[n == 13], r.from("gpgpu_coalesce_arch"), "")
	}
	for _, name := range []string{"gmem_skip_L1D", "gpgpu_gmem_skip_L1D"} { // of GPGPU-Sim 3, and of 4
		if n, ok := r.one(name); ok {
			r.set("sm.l1Loads", map[bool]string{true: "off", false: "on"}[n == 1], r.from(name), "")
		}
	}
	if n, ok := r.one("icnt_flit_size"); ok {
		r.number("sm.flitBytes", n, r.from("icnt_flit_size"), "")
		r.number("l2.flitBytes", n, r.from("icnt_flit_size"), "")
	}
	const around = "and the pipeline around it, measured on SM2_GTX480"
	if n, ok := r.one("gpgpu_smem_latency"); ok {
		r.number("sm.sharedLatency", n+5, r.from("gpgpu_smem_latency"), around)
	} else {
		r.direct("sm.sharedLatency", "smem_latency")
	}
	if n, ok := r.one("gpgpu_l1_latency"); ok {
		r.number("sm.l1.passCycles", n, r.from("gpgpu_l1_latency"), "the tags are at the end of it")
		r.number("sm.l1.latencyCycles", n+4, r.from("gpgpu_l1_latency"), around)
	}
}
