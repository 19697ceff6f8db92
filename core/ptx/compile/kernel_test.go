package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// moduleHead begins a module.
const moduleHead = ".version 7.0\n.target sm_70\n.address_size 64\n"

// compileText compiles one kernel of a module.
func compileText(t *testing.T, src, entry string) *ptx.Kernel {
	t.Helper()
	m, err := Load("compile.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	k, err := Kernel(m, entry, func(string) uint64 { return 0xc0000000 })
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestLaunchValidate(t *testing.T) {
	k := compileText(t, moduleHead+".entry k(.param .u8 a, .param .align 8 .b8 b[12], .param .u16 c) .maxntid 128, 2 { ret; }\n"+
		".entry r() .reqntid 32, 4 { ret; }", "k")
	if got := fmt.Sprint(k.Params, k.ParamBytes); got != "[{a u8 0 1 1} {b b8 8 12 8} {c u16 20 2 2}] 22" {
		t.Errorf("parameters %s", got)
	}
	good := ptx.Launch{Kernel: k, Grid: [3]uint32{2, 3, 4}, Block: [3]uint32{100, 2, 1}, Params: make([]byte, 22)}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	if good.WarpsPerCTA() != 7 || good.CTAs() != 24 || good.CTAID(23) != [3]uint32{1, 2, 3} || good.CTAID(3) != [3]uint32{1, 1, 0} {
		t.Error("shape of the launch")
	}
	for _, c := range []struct {
		change func(l *ptx.Launch)
		want   string
	}{
		{func(l *ptx.Launch) { l.Grid[1] = 0 }, "every size must be at least 1"},
		{func(l *ptx.Launch) { l.Grid[2] = 65536 }, "grid (2,3,65536) is larger than"},
		{func(l *ptx.Launch) { l.Block = [3]uint32{1024, 2, 1} }, "more than 1024 threads"},
		{func(l *ptx.Launch) { l.Block = [3]uint32{1, 1, 65} }, "more than 64 in z"},
		{func(l *ptx.Launch) { l.Block = [3]uint32{1 << 31, 1 << 31, 4} }, "more than 1024 threads"},
		{func(l *ptx.Launch) { l.Block = [3]uint32{257, 1, 1} }, "compiled for at most 256 threads"},
		{func(l *ptx.Launch) { l.Params = l.Params[1:] }, "21 bytes of arguments; the parameters take 22"},
		{func(l *ptx.Launch) { l.DynamicSharedBytes = -1 }, "dynamic shared memory"},
		{func(l *ptx.Launch) { l.DynamicSharedBytes = 1 << 30 }, "dynamic shared memory"},
		{func(l *ptx.Launch) { l.Kernel = nil }, "without a kernel"},
		{func(l *ptx.Launch) {
			l.Kernel = compileText(t, moduleHead+".entry r() .reqntid 32, 4 { ret; }", "r")
			l.Params = nil
		}, "requires blocks of (32,4,1), not (100,2,1)"},
	} {
		l := good
		c.change(&l)
		if err := l.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestCompileUnknownKernel(t *testing.T) {
	m, err := Load("x.ptx", []byte(moduleHead+".entry a() { ret; } .func b() { ret; }"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b", "c"} {
		if _, err := Kernel(m, name, nil); err == nil || !strings.Contains(err.Error(), "its kernels are [a]") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRegistersPerThread counts what is live at once, not what is declared.
func TestRegistersPerThread(t *testing.T) {
	for _, c := range []struct {
		body string
		want int
	}{
		{"mov.u32 %r1, %tid.x; st.shared.u32 [0], %r1; mov.u32 %r2, %tid.y; st.shared.u32 [4], %r2;", 1},
		{"mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; st.shared.u32 [0], %r1; st.shared.u32 [4], %r2;", 2},
		{"mov.u64 %rd1, 7; mov.u32 %r2, %tid.y; st.shared.u64 [0], %rd1; st.shared.u32 [8], %r2;", 3},
		// Live around a loop, and a predicate that takes no register.
		{"mov.u32 %r1, %tid.x; mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra L; st.shared.u32 [0], %r1;", 2},
		// A guarded write keeps the old value alive.
		{"mov.u32 %r1, 1; setp.eq.u32 %p1, %r1, 1; mov.u32 %r2, 2; @%p1 mov.u32 %r1, %r2; st.shared.u32 [0], %r1;", 2},
	} {
		k := compileText(t, moduleHead+".entry k() { .reg .b32 %r<50>; .reg .b64 %rd<9>; .reg .pred %p<3>; .shared .b8 s[64]; "+c.body+" ret; }", "k")
		if k.RegistersPerThread != c.want {
			t.Errorf("%s: %d registers, want %d", c.body, k.RegistersPerThread, c.want)
		}
	}
}

// TestDependencies looks at what the scoreboard is told.
func TestDependencies(t *testing.T) {
	k := compileText(t, moduleHead+`.entry k() { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;
		mov.u32 %r1, %tid.x; mov.u64 %rd1, 64; setp.eq.u32 %p1, %r1, 3; @%p1 ld.global.u32 %r2, [%rd1];
		st.global.u32 [%rd1], %r2; add.u32 %r3, %r1, 5; st.global.v2.u32 [%rd1], {%r3, 7}; bar.sync 0; ret; }`, "k")
	load, store := &k.Code[3], &k.Code[4]
	if len(load.Writes) != 1 || len(load.Deps) != 3 || !load.IsMemory || !load.IsLoad || load.Class != ptx.ClassMemory {
		t.Errorf("load: %v %v", load.Deps, load.Writes)
	}
	if len(store.Writes) != 0 || len(store.Deps) != 2 || !overlap(store.Deps, load.Writes) || store.IsLoad || !store.IsMemory {
		t.Errorf("store: %v %v", store.Deps, store.Writes)
	}
	if add := &k.Code[5]; overlap(add.Deps, load.Deps[:0]) || len(add.Deps) != 2 || add.Class != ptx.ClassIntAdd {
		t.Errorf("add: %v", add.Deps)
	}
	if bar := &k.Code[7]; !bar.IsBarrier || len(bar.Deps) != 0 || bar.Class != ptx.ClassBarrier {
		t.Errorf("barrier: %v", bar.Deps)
	}
	for i := range k.Code {
		for _, id := range k.Code[i].Deps {
			if int(id) >= k.ScoreIDs {
				t.Errorf("id %d of %d", id, k.ScoreIDs)
			}
		}
	}
}

func TestPassesInOrder(t *testing.T) {
	m := syntax.Parse(&syntax.Reporter{}, "x.ptx", []byte(moduleHead+".entry k() { ret; }"))
	defer func() {
		if got := fmt.Sprint(recover()); got != "ptx: pass select cannot follow pass parse" {
			t.Errorf("panic %q", got)
		}
	}()
	selectFunction(&syntax.Reporter{}, &Module{Module: *m}, m.Functions[0], nil)
}

// A function may take the address of a parameter and index it; clang -O0 takes
// the address of every structure and leaves it.
func TestAddressOfParameter(t *testing.T) {
	text := moduleHead + ".func f(.param .align 4 .b8 p[9])\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r;\n" +
		"mov.b64 %rd1, p;\nld.param.b32 %r, [p+4];\nUSE\nret;\n}\n" +
		".entry k()\n{\n.param .align 4 .b8 a[9];\ncall f, (a);\nret;\n}\n"
	for _, c := range []struct {
		use   string
		local int
	}{{"", 0}, {"ld.param.b32 %r, [%rd1+4];", 16}, {"cvta.param.u64 %rd0, %rd1;\nld.b8 %r, [%rd0+8];", 16}} {
		if k := compileText(t, strings.Replace(text, "USE", c.use, 1), "k"); k.LocalBytes != c.local {
			t.Errorf("%q: %d bytes of local memory, want %d", c.use, k.LocalBytes, c.local)
		}
	}
}

func overlap(a, b []uint16) bool {
	return slices.ContainsFunc(a, func(x uint16) bool { return slices.Contains(b, x) })
}
