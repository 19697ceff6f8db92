package execute

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// runRegisterPool runs a body in a CTA of three warp groups; %g is the number of the group.
func runRegisterPool(t *testing.T, directives, body string) ([]uint32, error) {
	t.Helper()
	m, err := compile.Load("test.ptx", []byte(`.version 8.3
.target sm_90a
.address_size 64
.visible .entry test(.param .u64 out) `+directives+` {
.reg .b64 %b, %x; .reg .b32 %t, %g, %w, %r<9>; .reg .pred %p, %q; .shared .align 8 .b64 bar; .shared .u32 word;
ld.param.u64 %b, [out]; mov.u32 %t, %tid.x; shr.u32 %g, %t, 7; shr.u32 %w, %t, 5; mul.wide.u32 %x, %t, 4;
add.u64 %b, %b, %x; setp.eq.u32 %p, %g, 0; setp.eq.u32 %q, %t, 0;
`+body+"\nEND: ret; }\n"))
	if err != nil {
		t.Fatalf("%v in\n%s", err, body)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	out, _ := image.Alloc("out", 4096)
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{384, 1, 1},
		Params: binary.LittleEndian.AppendUint64(nil, out.Base)}
	_, err = RunFunctional(l, image, FunctionalOptions{MaxWarpInstructions: 1 << 16})
	words, b := make([]uint32, 384), make([]byte, 4*384)
	image.Read(out.Base, b)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words, err
}

// TestRegistersMove: groups that want more registers wait until another group has given up so many. The first group
// gives up its own after a long loop and a store, which the others must see.
func TestRegistersMove(t *testing.T) {
	const body = `@%p bra PRODUCER;
setmaxnreg.inc.sync.aligned.u32 232;
ld.shared.u32 %r1, [word]; st.global.u32 [%b], %r1; bra END;
PRODUCER: mov.u32 %r0, 0;
LOOP: add.u32 %r0, %r0, 1; setp.lt.u32 %q, %r0, 3000; @%q bra LOOP;
st.shared.u32 [word], %r0; bar.sync 1, 128;
setmaxnreg.dec.sync.aligned.u32 40;`
	got, err := runRegisterPool(t, ".maxntid 384 .maxnreg 168", body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 128; i < 384; i++ {
		if got[i] != 3000 {
			t.Fatalf("thread %d has gone on before the registers were free: %d", i, got[i])
		}
	}
	if got, err = runRegisterPool(t, ".maxntid 384 .maxnreg 232", body); err != nil || got[200] != 0 {
		t.Errorf("%v, %d: a warp that has its registers already does not wait", err, got[200])
	}
}

// TestRegistersOfTheLastWarp: what two groups wait for is there when the last warp of the third gives up its own.
func TestRegistersOfTheLastWarp(t *testing.T) {
	_, err := runRegisterPool(t, ".maxntid 384 .maxnreg 168", `setp.eq.u32 %p, %g, 2; @%p bra PRODUCER;
setmaxnreg.inc.sync.aligned.u32 240; bra END;
PRODUCER: setmaxnreg.dec.sync.aligned.u32 24;`)
	if err != nil {
		t.Fatal(err)
	}
}

// TestRegisterFaults: what PTX leaves undefined is a fault; a wait that cannot end is a deadlock with its numbers.
func TestRegisterFaults(t *testing.T) {
	const less, more = "setmaxnreg.dec.sync.aligned.u32 ", "setmaxnreg.inc.sync.aligned.u32 "
	for _, c := range []struct{ body, want string }{
		{more + "160;", "setmaxnreg.inc to 160 registers, but a thread has 168 already"},
		{less + "176;", "setmaxnreg.dec to 176 registers, but a thread has only 168"},
		{less + "96;\nbar.sync 0;\n" + less + "104;", "registers, but a thread has only 96"},
		{"@%q bra END;\n" + less + "40;", "31 threads of the warp execute setmaxnreg"},
		{"setp.eq.u32 %q, %w, 2; @%q bra END;\n" + less + "40;", "all four execute each"},
		{"setp.eq.u32 %q, %w, 2;\n@%q " + less + "48;\n@!%q " + less + "40;",
			"setmaxnreg to 48 registers, but warp 0 of the warp group executes it with 40"},
		{"@!%p bra END; setp.eq.u32 %q, %w, 2; @%q bra OTHER;\n" + less + "96; bar.sync 1, 96;\n" + less +
			"40; bra END; " +
			"OTHER: bar.sync 2, 128;", "warp 2 of the warp group has not executed the setmaxnreg before this one"},
		{"@!%p " + less + "160;\n@%p " + more + "256;", "deadlock: no warp of the CTA can go on: warp 0 waits at " +
			"setmaxnreg for 256 registers a thread: it has 168, and the CTA has 64 left"},
	} {
		_, err := runRegisterPool(t, ".maxntid 384 .maxnreg 168", c.body)
		var f *Fault
		if !errors.As(err, &f) || !strings.Contains(f.Message, c.want) {
			t.Errorf("%s: %v; want %q", c.body, err, c.want)
		}
	}
}

// TestRegistersAtStart: without .maxnreg each thread has what the SM has for it.
func TestRegistersAtStart(t *testing.T) {
	for _, c := range []struct {
		threads, known, least, registers, start, pool int
	}{{384, 168, 0, 0, 168, 2016}, {384, 0, 0, 0, 168, 2048}, {256, 0, 1, 0, 248, 2048}, {128, 0, 2, 0, 248, 1024},
		{256, 0, 0, 90, 90, 2048}} {
		l := &ptx.Launch{Kernel: &ptx.Kernel{MaxRegisters: c.known, MinCTAs: c.least}, Registers: c.registers,
			Block: [3]uint32{uint32(c.threads), 1, 1}}
		if start, pool := l.RegistersAtStart(); start != c.start || pool != c.pool {
			t.Errorf("%+v: %d of %d", c, start, pool)
		}
	}
}
