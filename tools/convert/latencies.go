package convert

import "strings"

// opcodes are the classes for the numbers of ptx_opcode_latency_KIND, in the order of cuda-sim.cc: ADD, MAX, MUL,
// MAD, DIV, and SHFL for integers. An empty name has no class.
var opcodes = []struct {
	kind, unit string
	classes    []string
}{
	{"int", "sp", []string{"intAdd", "intMax", "intMul", "intMad", "intDiv", "shuffle"}},
	{"fp", "sp", []string{"floatAdd", "floatMax", "floatMul", "floatMad", "floatDiv"}},
	{"dp", "dp", []string{"doubleAdd", "doubleMax", "doubleMul", "doubleMad", "doubleDiv"}},
	{"sfu", "sfu", []string{"special"}},
}

// latencies are the times of instructions. An initiation interval is that of one unit; a machine here has one unit of
// a kind for special functions and double precision, and one for each scheduler for the rest. Several units divide
// the interval.
func (r *gpgpusim) latencies() {
	units := r.units()
	for _, kind := range opcodes {
		latency, hasLatency := r.list("ptx_opcode_latency_" + kind.kind)
		initiation, hasInitiation := r.list("ptx_opcode_initiation_" + kind.kind)
		for i, class := range kind.classes {
			path := "sm.timing." + class
			if hasLatency && i < len(latency) {
				r.number(path+".latencyCycles", latency[i], r.from("ptx_opcode_latency_"+kind.kind), "")
			}
			if hasInitiation && i < len(initiation) {
				r.initiation(path, initiation[i], units, r.from("ptx_opcode_initiation_"+kind.kind))
			}
		}
	}
	if o, ok := r.options["ptx_opcode_latency_tesnor"]; ok { // as the option is spelt in the tested configurations
		r.used[o.name] = true
		if list := r.numbers(o, o.value(), 1); list != nil {
			r.number("sm.timing.matrix.latencyCycles", list[0], o.String(), "")
		}
	}
	r.direct("sm.timing.matrix.latencyCycles", "ptx_opcode_latency_tensor")
	if o, ok := r.options["ptx_opcode_initiation_tensor"]; ok {
		r.used[o.name] = true
		r.leave(o.String(), "it is the interval of wmma in one unit; sm.timing.matrix.initiationCycles is that of m16n8k16")
	}
	r.traceLatencies(units)
}

// units are how many units of a kind a unit here stands for: those of the same name in the timing of a class.
func (r *gpgpusim) units() map[string]int {
	schedulers := max(1, int(r.gpu.SM.Schedulers))
	special := max(1, r.oneOr("gpgpu_num_sfu_units", 1))
	double := r.oneOr("gpgpu_num_dp_units", 0)
	if double == 0 { // then the special-function unit executes it (shader.cc)
		double = special
	}
	// An ALU here is one of each scheduler.
	alu := max(1, r.oneOr("gpgpu_num_sp_units", schedulers)/schedulers)
	return map[string]int{"alu": alu, "special": special, "double": double}
}

func (r *gpgpusim) initiation(path string, cycles int, units map[string]int, from string) {
	n, note := units[r.gpu.Values().Find(path+".unit").Text()], ""
	if n > 1 {
		note = "of several units together"
	}
	r.number(path+".initiationCycles", max(1, divided(cycles, max(1, n))), from, note)
}

func (r *gpgpusim) list(name string) ([]int, bool) {
	o, ok := r.options[name]
	if !ok {
		return nil, false
	}
	r.used[name] = true
	list := r.numbers(o, o.value(), 1)
	return list, list != nil
}

// traceLatencies are those of Accel-Sim's trace.config: latency and initiation of a kind of instructions of SASS.
func (r *gpgpusim) traceLatencies(units map[string]int) {
	for _, k := range []struct{ kind, classes string }{
		{"int", "intAdd intMul intMad"}, {"sp", "floatAdd floatMul floatMad"}, {"dp", "doubleAdd doubleMul doubleMad"},
		{"sfu", "special divApprox"}, {"tensor", "matrix"},
	} {
		name := "trace_opcode_latency_initiation_" + k.kind
		list, ok := r.list(name)
		if !ok || len(list) < 2 {
			continue
		}
		for class := range strings.FieldsSeq(k.classes) {
			path := "sm.timing." + class
			r.number(path+".latencyCycles", list[0], r.from(name), "")
			if k.kind != "tensor" {
				r.initiation(path, list[1], units, r.from(name))
			}
		}
	}
}
