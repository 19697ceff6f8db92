package experiment

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload"
)

// counting is a kernel whose CTAs add to a number without an atomic, or with one.
func counting(add string) *workload.Program {
	return &workload.Program{
		Name: "counting", File: "counting.ptx", PTX: []byte(`.version 7.0
.target sm_50
.address_size 64
.visible .entry counting(.param .u64 out)
{
	.reg .u64 %o;
	.reg .u32 %v;
	ld.param.u64 %o, [out];
` + add + `
	ret;
}
`),
		Buffers: []workload.Buffer{{Name: "out", Bytes: 8, Output: true, Element: workload.ElementU32}},
		Launches: []workload.Launch{{Entry: "counting", Grid: [3]uint32{8, 1, 1}, Block: [3]uint32{1, 1, 1},
			Args: []workload.Arg{workload.BufferArg(0)}}},
	}
}

// A run that approximates nothing and has other outputs than the exact run is a finding, with place and values.
func TestARaceIsAFinding(t *testing.T) {
	const races = "ld.volatile.global.u32 %v, [%o+4];\n add.u32 %v, %v, 1;\n st.volatile.global.u32 [%o+4], %v;"
	_, res := finish(t, &Plan{Preset: "mini", Scheme: scheme.Default(), Program: counting(races)})
	f := res.Finding
	if f == nil {
		t.Fatal("no finding")
	}
	if f.Buffer != "out" || f.Element != 1 || f.Exact != "8" || f.Timed == "8" ||
		f.Different != 1 || f.Elements != 2 || f.Address%256 != 4 {
		t.Errorf("%+v", f)
	}
	both := "is " + f.Timed + " in this run and 8 in the exact run"
	for _, want := range []string{"races, or the machine is wrong", "out[1] at 0x", both} {
		if !strings.Contains(f.Text, want) {
			t.Errorf("no %q in %q", want, f.Text)
		}
	}
	_, res = finish(t, &Plan{Preset: "mini", Scheme: scheme.Default(), Program: counting("red.global.add.u32 [%o+4], 1;")})
	if res.Finding != nil {
		t.Errorf("atomics: %s", res.Finding.Text)
	}
	lossy := scheme.Default()
	lossy.Memory.Put("codec", "e2mc16", "approximation", "tslc-opt")
	if _, res = finish(t, &Plan{Preset: "mini", Scheme: lossy, Program: counting(races)}); res.Finding != nil {
		t.Errorf("with an approximation: %s", res.Finding.Text)
	}
}
