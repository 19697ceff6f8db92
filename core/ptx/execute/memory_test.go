package execute

import (
	"fmt"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

func compileText(t *testing.T, src, entry string) *ptx.Kernel {
	t.Helper()
	m, err := compile.Load("memory.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(m, entry, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestLoadStoreTypes moves values of every type through global, shared and local
// memory, with registers as wide as the type or wider.
func TestLoadStoreTypes(t *testing.T) {
	var tests []instructionTest
	for _, typ := range []ptx.Scalar{ptx.TypeB8, ptx.TypeU8, ptx.TypeS8, ptx.TypeB16, ptx.TypeU16, ptx.TypeS16, ptx.TypeB32, ptx.TypeU32, ptx.TypeS32, ptx.TypeF32, ptx.TypeB64, ptx.TypeU64, ptx.TypeS64, ptx.TypeF64} {
		for _, wide := range []ptx.Scalar{ptx.TypeB16, ptx.TypeB32, ptx.TypeB64} {
			if wide.Bits() < typ.Bits() || typ.IsFloat() && wide.Bits() != typ.Bits() {
				continue
			}
			for _, space := range []string{"shared", "local"} {
				declare := fmt.Sprintf(".%s .align 8 .b8 m[1024]; .reg .b32 %%i; mov.u32 %%i, m;", space)
				if space == "shared" {
					declare += " mad.lo.u32 %i, %t, 8, %i;"
				}
				tests = append(tests, instructionTest{
					text: fmt.Sprintf("{ %s st.%s.b64 [%%i], -1; st.%s.%s [%%i], %%a; ld.%s.%s %%d, [%%i]; }",
						declare, space, space, typ, space, typ),
					result: wide, sources: []ptx.Scalar{wide},
					twin: func(v []uint64) uint64 { return typ.Extend(v[0]) & wide.Mask() },
				})
			}
		}
	}
	checkRounds(t, 21, tests)
}

func TestVectorAccess(t *testing.T) {
	checkRounds(t, 22, []instructionTest{
		{text: "{ .shared .align 16 .b8 m[4096]; .reg .b32 %i, %x<8>; mov.u32 %i, m; mad.lo.u32 %i, %t, 16, %i;" +
			" mov.b64 {%x0, %x1}, %a; mov.b64 {%x2, %x3}, %b; st.shared.v4.b32 [%i], {%x0, %x1, %x2, %x3};" +
			" ld.shared.v2.u32 {%x4, _}, [%i+8]; ld.shared.v2.u32 {_, %x5}, [%i]; mov.b64 %d, {%x4, %x5}; }",
			result: ptx.TypeB64, sources: []ptx.Scalar{ptx.TypeB64, ptx.TypeB64},
			twin: func(v []uint64) uint64 { return v[1]&0xffffffff | v[0]>>32<<32 }},
		{text: "{ .local .align 8 .b8 m[16]; .reg .b16 %x<4>; .reg .b32 %y; mov.b64 {%x0, %x1, %x2, %x3}, %a;" +
			" st.local.v4.u16 [m+8], {%x3, %x2, %x1, %x0}; ld.local.b64 %d, [m+8]; }",
			result: ptx.TypeB64, sources: []ptx.Scalar{ptx.TypeB64},
			twin: func(v []uint64) uint64 {
				return v[0]>>48 | v[0]>>32&0xffff<<16 | v[0]>>16&0xffff<<32 | v[0]&0xffff<<48
			}},
	})
}

// TestPieces checks that pieces of interleaved local memory put together what
// whole lines do.
func TestPieces(t *testing.T) {
	src := divergeHead + `.visible .entry test() { .reg .b64 %rd<4>; .reg .b16 %h<4>; .local .align 16 .b8 m[64];
		ld.local.v2.u64 {%rd1, %rd2}, [m]; st.local.v2.u64 [m+16], {%rd2, %rd1}; ld.local.s8 %h1, [m]; st.local.u16 [m+32], %h1; ret; }`
	m, err := compile.Load("pieces.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(m, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}
	c, w := NewCTA(l), NewWarp(k)
	c.Reset(l, [3]uint32{})
	w.Reset(l, c, 0)
	var e Env
	var line, back mem.Line
	for i := range line {
		line[i] = byte(i*37 + 200)
	}
	offset := [ptx.MaxLanes]uint8{3: 16, 9: 48}
	lanes := uint32(1<<3 | 1<<9)
	if w.Execute(&e) != EffectMemory || e.Access.Space != ptx.SpaceLocal || e.Access.Bytes != 16 || e.Access.Addr[9] != 0 {
		t.Fatalf("access %+v", e.Access)
	}
	for piece := 0; piece < 16; piece += 4 { // as 4-byte interleaving delivers it
		at := offset
		at[3] += uint8(piece)
		at[9] += uint8(piece)
		w.LoadPiece(e.Access.PC, lanes, piece, 4, &at, &line)
	}
	w.Execute(&e)
	for piece := 0; piece < 16; piece += 4 {
		at := offset
		at[3] += uint8(piece)
		at[9] += uint8(piece)
		var mask mem.ByteMask
		w.StorePiece(&e.Access, lanes, piece, 4, &at, &back, &mask)
		if mask.Count() != 8 {
			t.Errorf("%d bytes marked", mask.Count())
		}
	}
	for _, o := range []int{16, 48} {
		for b := range 16 {
			if back[o+b] != line[o+(b+8)%16] {
				t.Fatalf("byte %d of lane at %d: %x, want %x", b, o, back[o+b], line[o+(b+8)%16])
			}
		}
	}
	w.Execute(&e)
	line[16] = 0x85
	w.LoadPiece(e.Access.PC, 1<<3, 0, 1, &offset, &line)
	w.Execute(&e)
	var mask mem.ByteMask
	w.StorePiece(&e.Access, 1<<3, 0, 2, &offset, &back, &mask)
	if back[16] != 0x85 || back[17] != 0xff {
		t.Errorf("sign extension by a piece: %x %x", back[17], back[16])
	}
}

// TestStoreLine checks the mask and that the highest lane wins.
func TestStoreLine(t *testing.T) {
	m, err := compile.Load("store.ptx", []byte(divergeHead+`.visible .entry test(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %rd<4>;
		mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], %r1; st.global.u16 [%rd1+6], %r1; ret; }`))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(m, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: make([]byte, 8)}
	writeBytes(l.Params, 8, 0xc0000000)
	c, w := NewCTA(l), NewWarp(k)
	c.Reset(l, [3]uint32{})
	w.Reset(l, c, 0)
	var e Env
	var line mem.Line
	var mask mem.ByteMask
	for effect := EffectNone; effect != EffectExit; effect = w.Execute(&e) {
		if effect == EffectMemory {
			w.StoreLine(&e.Access, 0x00ffff00, &line, &mask)
		}
	}
	if mask != (mem.ByteMask{Lo: 0xcf}) || line[0] != 23 || line[6] != 23 {
		t.Errorf("mask %x, line %v", mask, line[:8])
	}
}

// TestGlobalVariables places variables of both address spaces, with addresses in
// their initial values.
func TestGlobalVariables(t *testing.T) {
	src := `.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 numbers[3] = {1, 2+3*4, (7 << 2) | 1};
.const .f32 pi = 3.25;
.const .align 8 .u64 where[2] = {numbers+4, generic(pi)};
.global .u8 low[4] = {0xFF(numbers), 0xFF00(numbers), 0xFF0000(numbers), 0xFF000000(numbers)};
.global .b8 empty[16];
.visible .entry test(.param .u64 out) {
	.reg .b64 %rd<8>; .reg .b32 %r<8>; .reg .f32 %f<2>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
	ld.const.u64 %rd3, [where]; ld.global.u32 %r2, [%rd3+4];
	ld.const.u64 %rd4, [where+8]; ld.f32 %f1, [%rd4]; cvt.rzi.u32.f32 %r3, %f1;
	ld.global.u32 %r4, [low]; mov.u64 %rd5, numbers; cvt.u32.u64 %r5, %rd5; setp.eq.u32 %p, %r4, %r5; selp.u32 %r4, 1000, 0, %p;
	ld.global.u32 %r6, [numbers+4]; add.u32 %r0, %r2, %r3; add.u32 %r0, %r0, %r4; add.u32 %r0, %r0, %r6;
	.reg .pred %p;
	st.global.u32 [%rd1], %r0; ret;
}`
	got, err := runWords(t, src, 32)
	if err != nil {
		t.Fatal(err)
	}
	if want := int32(29 + 3 + 1000 + 14); got[7] != want {
		t.Errorf("%d, want %d", got[7], want)
	}
}

// TestRowsOfInitialValues: as in C, zeros fill a row whose list is shorter, and a list without inner braces goes on
// from row to row.
func TestRowsOfInitialValues(t *testing.T) {
	for _, c := range []struct {
		declared string
		want     [8]int32
	}{
		{"v[2][3] = {{1, 2}, {3, 4, 5}}", [8]int32{1, 2, 0, 3, 4, 5}},
		{"v[][3] = {{1}, {2}}", [8]int32{1, 0, 0, 2}},
		{"v[][4] = {1, 2, 3, 4, 5}", [8]int32{1, 2, 3, 4, 5}},
		{"v[2][2][2] = {{{1}, {2, 3}}, {{}, {4}}}", [8]int32{1, 0, 2, 3, 0, 0, 4}},
		{"v[3][2] = {{1, 2}}", [8]int32{1, 2}},
	} {
		src := ".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 " + c.declared + ";\n" +
			".global .u32 rest[8];\n" +
			".visible .entry test(.param .u64 out) { .reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .pred %p;\n" +
			"ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; setp.gt.u32 %p, %r1, 5; @%p ret;\n" +
			"mul.wide.u32 %rd2, %r1, 4;\nmov.u64 %rd3, v; add.u64 %rd3, %rd3, %rd2; add.u64 %rd1, %rd1, %rd2;\n" +
			"ld.global.u32 %r2, [%rd3]; st.global.u32 [%rd1], %r2; ret; }"
		got, err := runWords(t, src, 32)
		if err != nil {
			t.Fatal(c.declared, err)
		}
		if want := c.want[:6]; !slices.Equal(got[:6], want) {
			t.Errorf("%s: %d, want %d", c.declared, got[:6], want)
		}
	}
}

// TestParameterAddresses reads parameters through pointers, as programs that index
// an array passed by value do.
func TestParameterAddresses(t *testing.T) {
	src := divergeHead + `.visible .entry test(.param .u64 out, .param .align 4 .b8 table[32]) { .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
		ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
		and.b32 %r2, %r1, 7; mul.wide.u32 %rd3, %r2, 4; mov.b64 %rd4, table; add.u64 %rd4, %rd4, %rd3; ld.param.u32 %r3, [%rd4];
		cvta.param.u64 %rd5, %rd4; isspacep.param %p1, %rd5; isspacep.global %p2, %rd5; ld.u32 %r4, [%rd5];
		mad.lo.u32 %r3, %r3, 1000, %r4; @!%p1 mov.u32 %r3, 0; @!%p2 mov.u32 %r3, 0; isspacep.const %p1, %rd5; @%p1 mov.u32 %r3, 0; st.global.u32 [%rd1], %r3; ret; }`
	m, err := compile.Load("param.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	out, _ := image.Alloc("out", 128)
	params := make([]byte, 40)
	writeBytes(params, 8, out.Base)
	for i := range 8 {
		writeBytes(params[8+4*i:], 4, uint64(i*i))
	}
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params}
	if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 128)
	image.Read(mem.DefaultBase, b)
	for i, got := range words32(b) {
		if k := int32(i % 8); got != k*k*1001 {
			t.Errorf("thread %d: %d, want %d", i, got, k*k*1001)
		}
	}
}

// TestCacheOperators checks what the caches are told.
func TestCacheOperators(t *testing.T) {
	for text, want := range map[string]ptx.CacheOperator{
		"ld.global.u32": ptx.CacheAll, "ld.global.ca.u32": ptx.CacheAll, "ld.global.cg.u32": ptx.CacheL2, "ld.global.cs.u32": ptx.CacheAll,
		"ld.global.lu.u32": ptx.CacheAll, "ld.global.cv.u32": ptx.CacheBypass, "ld.volatile.global.u32": ptx.CacheBypass,
		"ld.relaxed.gpu.global.u32": ptx.CacheBypass, "ld.acquire.sys.global.u32": ptx.CacheBypass, "ld.global.nc.u32": ptx.CacheReadOnly,
		"ld.weak.global.u32": ptx.CacheAll, "st.global.u32": ptx.CacheAll, "st.global.wb.u32": ptx.CacheAll, "st.global.cg.u32": ptx.CacheL2,
		"st.global.wt.u32": ptx.CacheAll, "st.volatile.u32": ptx.CacheBypass, "atom.add.u32": ptx.CacheBypass, "red.global.add.u32": ptx.CacheBypass,
	} {
		operands := " %r1, [%rd1];"
		switch text[:2] {
		case "st", "re":
			operands = " [%rd1], %r1;"
		case "at":
			operands = " %r1, [%rd1], %r1;"
		}
		k := compileText(t, divergeHead+".entry k() { .reg .b32 %r<2>; .reg .b64 %rd<2>; mov.u64 %rd1, 0xc0000000; "+text+operands+" ret; }", "k")
		l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}
		c, w := NewCTA(l), NewWarp(k)
		c.Reset(l, [3]uint32{})
		w.Reset(l, c, 0)
		var e Env
		w.Execute(&e)
		if effect := w.Execute(&e); effect != EffectMemory || e.Access.Operator != want || e.Access.Space != ptx.SpaceGlobal || e.Lanes != 32 {
			t.Errorf("%s: effect %v, operator %v, want %v", text, effect, e.Access.Operator, want)
		}
	}
}

// TestOrders: a release has a fence in front of its access, an acquire one after it, and each waits for no more than its
// scope asks.
func TestOrders(t *testing.T) {
	const all, release, acquire = ptx.FenceStores | ptx.FenceLoads | ptx.FenceForget, ptx.FenceStores | ptx.FenceLoads, ptx.FenceLoads | ptx.FenceForget
	const access, async = ^uint64(0), ptx.FenceStores | ptx.FenceAsyncShared | ptx.FenceAsyncGlobal
	for text, want := range map[string][]uint64{
		"st.release.gpu.global.u32 [%rd1], %r1;":                 {release, access},
		"st.release.sys.global.v4.f64 [%rd1], {%d, %d, %d, %d};": {release, access, access},
		"st.relaxed.gpu.global.u32 [%rd1], %r1;":                 {access},
		"st.release.cta.global.u32 [%rd1], %r1;":                 {ptx.FenceLoads, access}, // stores of one SM stay in order
		"ld.acquire.gpu.u32 %r1, [%rd1];":                        {access, acquire},
		"ld.acquire.cta.u32 %r1, [%rd1];":                        {access, ptx.FenceLoads},
		"ld.acquire.sys.shared.u32 %r1, [%rd1];":                 {access, ptx.FenceLoads},
		"ld.volatile.u32 %r1, [%rd1];":                           {access},
		"atom.acq_rel.sys.add.u32 %r1, [%rd1], %r1;":             {release, access, acquire},
		"atom.acquire.gpu.add.u32 %r1, [%rd1], %r1;":             {access, acquire},
		"atom.add.u32 %r1, [%rd1], %r1;":                         {access},
		"red.release.gpu.global.or.b32 [%rd1], %r1;":             {release, access},
		"fence.acq_rel.gpu;":                                     {all},
		"fence.sc.cta;":                                          {ptx.FenceLoads},
		"fence.acquire.sys;":                                     {acquire},
		"fence.release.cluster;":                                 {release},
		"fence.proxy.async;":                                     {async},
		"membar.gl;":                                             {all},
		"membar.cta;":                                            {ptx.FenceLoads},
	} {
		k := compileText(t, divergeHead+".entry k() { .reg .b32 %r<2>; .reg .f64 %d; .reg .b64 %rd<2>; mov.u64 %rd1, 0xc0000000; "+text+" ret; }", "k")
		var got []uint64
		for i := range k.Code {
			switch in := &k.Code[i]; {
			case in.Family == ptx.FamilyControl && in.Op == ptx.ControlFence:
				got = append(got, in.Imm)
			case in.IsMemory:
				got = append(got, access)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// TestFencesAreGuarded: the fence of an access that is switched off is switched off with it.
func TestFencesAreGuarded(t *testing.T) {
	for text, want := range map[string]Effect{
		"st.release.gpu.global.u32 [%rd1], %r1;":      EffectFence,
		"@%p st.release.gpu.global.u32 [%rd1], %r1;":  EffectNone,
		"@%p ld.acquire.gpu.global.u32 %r1, [%rd1];":  EffectNone,
		"@!%p ld.acquire.gpu.global.u32 %r1, [%rd1];": EffectMemory,
	} {
		k := compileText(t, divergeHead+".entry k() { .reg .pred %p; .reg .b32 %r<2>; .reg .b64 %rd<2>; mov.u64 %rd1, 0xc0000000; "+text+" ret; }", "k")
		l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}
		c, w := NewCTA(l), NewWarp(k)
		c.Reset(l, [3]uint32{})
		w.Reset(l, c, 0)
		var e Env
		w.Execute(&e)
		if effect := w.Execute(&e); effect != want {
			t.Errorf("%s: effect %v, want %v", text, effect, want)
		}
	}
}
