package experiment

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload"
)

// A module variable may be initialised with the address of another variable, even of one
// declared later: the loader fills the address in.
func TestInitialValuesHoldAddresses(t *testing.T) {
	p := &workload.Program{
		Name: "pointer", File: "pointer.ptx", PTX: []byte(`.version 7.0
.target sm_50
.address_size 64
.visible .global .align 4 .u32 value = 77;
.visible .global .align 8 .u64 link[2] = {value, late};
.visible .global .align 4 .u32 late = 5;
.visible .entry pointer(.param .u64 out)
{
	.reg .u64 %o, %a;
	.reg .u32 %v, %w;
	ld.param.u64 %o, [out];
	ld.global.u64 %a, [link];
	ld.global.u32 %v, [%a];
	ld.global.u64 %a, [link+8];
	ld.global.u32 %w, [%a];
	add.u32 %v, %v, %w;
	st.global.u32 [%o], %v;
	ret;
}
`),
		Buffers: []workload.Buffer{{Name: "out", Bytes: 4, Output: true, Element: workload.ElementU32}},
		Launches: []workload.Launch{{Entry: "pointer", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1},
			Args: []workload.Arg{workload.BufferArg(0)}}},
	}
	_, res := finish(t, &Plan{Preset: "mini", Scheme: scheme.Default(), Program: p})
	if got := binary.LittleEndian.Uint32(res.Outputs[0]); got != 82 {
		t.Errorf("77 + 5 through two pointers is %d", got)
	}
}
