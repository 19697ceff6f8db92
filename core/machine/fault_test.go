package machine

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// run runs a kernel body of 64 threads with a 256-byte buffer at %p and returns
// the machine's error.
func run(t *testing.T, spec *parameter.GPU, body string) (*Machine, error) {
	t.Helper()
	m := build(t, spec, body)
	return m, m.Run()
}

// build returns the machine of run before its start.
func build(t *testing.T, spec *parameter.GPU, body string) *Machine {
	t.Helper()
	k := kernelOf(t, body)
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	a, err := image.Alloc("buffer", 256)
	if err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(nil, a.Base)
	m, err := New(spec, Job{
		Launches: []*ptx.Launch{{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}, Params: params}},
		Image:    image, Scheme: codec.NewRaw(32),
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// kernelOf compiles a kernel of run.
func kernelOf(t *testing.T, body string) *ptx.Kernel {
	t.Helper()
	src := ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" +
		".reg .u64 %p, %a;\n.reg .u32 %t, %r;\n.reg .pred %q;\nld.param.u64 %p, [p];\nmov.u32 %t, %tid.x;\n" + body + "\nret;\n}\n"
	module, err := compile.Load("k.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestFaultsNameThePlace(t *testing.T) {
	spec := mini()
	spec.SM.WarpInstructionLimit = 10_000
	for _, c := range []struct{ name, body, want string }{
		{"runaway", "L: add.u32 %r, %r, 1;\nbra L;", "10000 instructions"},
		{"out of bounds", "mul.wide.u32 %a, %t, 8;\nadd.u64 %a, %a, %p;\nst.global.u32 [%a], %t;", "thread (32,0,0)"},
		{"misaligned", "add.u64 %a, %p, 2;\nld.global.u32 %r, [%a];", "align"},
		{"null", "mov.u64 %a, 0;\nst.global.u32 [%a], %t;", "0x0"},
	} {
		_, err := run(t, spec, c.body)
		var f *execute.Fault
		if !errors.As(err, &f) {
			t.Errorf("%s: %v is no fault of a thread", c.name, err)
			continue
		}
		if f.Kernel != "k" || f.Line < 11 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestBarrierDeadlockIsExplained(t *testing.T) {
	_, err := run(t, mini(), "setp.lt.u32 %q, %t, 32;\n@%q bar.sync 0;\n@!%q bar.sync 1;")
	if err == nil || !strings.Contains(err.Error(), "deadlock") || !strings.Contains(err.Error(), "2 warps at a barrier") {
		t.Errorf("%v", err)
	}
}

// Two lanes that store to one address: the highest lane wins, as documented.
func TestHighestLaneWins(t *testing.T) {
	m, err := run(t, mini(), "setp.lt.u32 %q, %t, 32;\n@%q st.global.u32 [%p], %t;")
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4)
	m.Read(mem.DefaultBase, b)
	if got := binary.LittleEndian.Uint32(b); got != 31 {
		t.Errorf("lane %d won", got)
	}
}

// Loads and stores of one thread to one address stay in program order all the way: each
// thread increments its own word many
// times through memory, while its warp's lines are evicted and refilled.
func TestThreadsSeeTheirOwnStores(t *testing.T) {
	m, err := run(t, mini(), `mul.wide.u32 %a, %t, 4;
add.u64 %a, %a, %p;
mov.u32 %r, 0;
st.global.u32 [%a], %r;
.reg .u32 %i, %v, %w;
mov.u32 %i, 0;
L: ld.global.u32 %v, [%a];
add.u32 %v, %v, 1;
st.global.u32 [%a], %v;
ld.global.u32 %w, [%a];
add.u32 %w, %w, 1;
st.global.u32 [%a], %w;
add.u32 %i, %i, 1;
setp.lt.u32 %q, %i, 50;
@%q bra L;`)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 256)
	m.Read(mem.DefaultBase, b)
	for i := 0; i < 64; i++ {
		if got := binary.LittleEndian.Uint32(b[4*i:]); got != 100 {
			t.Fatalf("thread %d counted to %d, want 100", i, got)
		}
	}
	if err := m.Leaks(); err != nil {
		t.Error(err)
	}
}

// Atomics of all threads to one word, with and without results, and a fence.
func TestAtomicsMeetInL2(t *testing.T) {
	m, err := run(t, mini(), `.reg .u32 %o;
atom.global.add.u32 %o, [%p], 1;
red.global.add.u32 [%p], %o;
membar.gl;
st.global.u32 [%p+128], %o;`)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4)
	m.Read(mem.DefaultBase, b)
	// 64 ones, and each of the values 0..63 or more that atom returned: those depend
	// on the order of the reds, but no update may be lost.
	if got := binary.LittleEndian.Uint32(b); got < 64+63*64/2 {
		t.Errorf("sum %d: updates were lost", got)
	}
	if err := m.Leaks(); err != nil {
		t.Error(err)
	}
}

func TestLocalMemory(t *testing.T) {
	m, err := run(t, mini(), `.local .align 8 .b8 buf[64];
.reg .u64 %l;
.reg .u32 %i, %v;
mov.u64 %l, buf;
mov.u32 %i, 0;
S: mul.wide.u32 %a, %i, 4;
add.u64 %a, %a, %l;
mad.lo.u32 %v, %t, 100, %i;
st.local.u32 [%a], %v;
add.u32 %i, %i, 1;
setp.lt.u32 %q, %i, 16;
@%q bra S;
and.b32 %i, %t, 14;
mul.wide.u32 %a, %i, 4;
add.u64 %a, %a, %l;
.reg .u64 %d;
ld.local.u64 %d, [%a];
shr.u64 %d, %d, 32;
cvt.u32.u64 %v, %d;
mul.wide.u32 %a, %t, 4;
add.u64 %a, %a, %p;
st.global.u32 [%a], %v;`)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 256)
	m.Read(mem.DefaultBase, b)
	for i := uint32(0); i < 64; i++ {
		if got, want := binary.LittleEndian.Uint32(b[4*i:]), i*100+i&14+1; got != want {
			t.Fatalf("thread %d read %d, want %d", i, got, want)
		}
	}
}
