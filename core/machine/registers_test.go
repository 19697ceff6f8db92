package machine

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// registersMove lets two warp groups wait with setmaxnreg until the first one has given up its registers, after a
// loop.
const registersMove = `.version 8.3
.target sm_90a
.address_size 64
.visible .entry move(.param .u64 out) .maxntid 384 .maxnreg 168 {
	.reg .b64 %b, %x; .reg .b32 %t, %g, %r<4>; .reg .pred %p, %q; .shared .u32 word;
	ld.param.u64 %b, [out]; mov.u32 %t, %tid.x; shr.u32 %g, %t, 7; mul.wide.u32 %x, %t, 4; add.u64 %b, %b, %x;
	mov.u32 %r1, %ctaid.x; mul.wide.u32 %x, %r1, 1536; add.u64 %b, %b, %x;
	setp.eq.u32 %p, %g, 0; @%p bra PRODUCER;
	setmaxnreg.inc.sync.aligned.u32 232;
	ld.shared.u32 %r1, [word]; st.global.u32 [%b], %r1; bra END;
PRODUCER: mov.u32 %r0, 0;
LOOP: add.u32 %r0, %r0, 1; setp.lt.u32 %q, %r0, 300; @%q bra LOOP;
	st.shared.u32 [word], %r0; bar.sync 1, 128;
	setmaxnreg.dec.sync.aligned.u32 40;
END: ret;
}
`

// TestRegistersMoveInTheMachine: warps wait for registers on the machine too, and a state saved meanwhile goes on to
// the same end.
func TestRegistersMoveInTheMachine(t *testing.T) {
	module, err := compile.Load("move.ptx", []byte(registersMove))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "move", nil)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	const ctas = 3
	out, err := image.Alloc("out", ctas*1536)
	if err != nil {
		t.Fatal(err)
	}
	at := out.Base
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{ctas, 1, 1}, Block: [3]uint32{384, 1, 1},
		Params: binary.LittleEndian.AppendUint64(nil, at)}
	m, err := New(built("h100"), Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Advance(500); err != nil {
		t.Fatal(err)
	}
	twin := resumed(t, m)
	for _, m := range []*Machine{m, twin} {
		if err := m.Run(); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, ctas*1536)
		m.Read(at, got)
		for i := range ctas * 384 {
			want := uint32(300)
			if i%384 < 128 {
				want = 0
			}
			if v := binary.LittleEndian.Uint32(got[4*i:]); v != want {
				t.Fatalf("thread %d has %d, not %d", i, v, want)
			}
		}
	}
	if m.Cycles() != twin.Cycles() || m.Cycles() < 1500 {
		t.Errorf("%d cycles, from the saved state %d; the loop alone takes more than 1500", m.Cycles(), twin.Cycles())
	}
}

// resumed is another machine that goes on from the saved state of m.
func resumed(t *testing.T, m *Machine) *Machine {
	t.Helper()
	twin, err := m.Twin(nil)
	if err != nil {
		t.Fatal(err)
	}
	twin.Load(m.Save(nil))
	return twin
}
