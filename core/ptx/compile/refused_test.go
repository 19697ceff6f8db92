package compile

import (
	"slices"
	"strings"
	"testing"
)

// formOf is a module around a statement, which is its line 7.
func formOf(text string) string {
	return ".version 8.7\n.target sm_100a\n.address_size 64\n.extern .func elsewhere(.param .b64 a, .param .b64 b);\n.global .texref t; .global .b8 g[64]; .visible .entry k(.param .u64 p) {\n" +
		".shared .align 16 .b8 s[64]; .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .u32 %u<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b128 %x<9>; .reg .v4 .b32 %v<4>;\n" +
		"\t" + text + "\n\tret;\n}\n"
}

// TestIllegalForms wants forms that PTX does not have refused, at their place and
// with what to do about it; "" stands for any message.
func TestIllegalForms(t *testing.T) {
	for text, want := range map[string]string{
		// Operands of the wrong type.
		"add.f32 %r0, %f1, %u2;":               "%u2 is a .u32 register, but add.f32 takes .f32 here: declare it as .b32",
		"add.u32 %f0, %r1, %r2;":               "%f0 is a .f32 register",
		"mov.f32 %f0, %u1;":                    "%u1 is a .u32 register",
		"ld.global.f32 %u0, [%rd1];":           "%u0 is a .u32 register",
		"st.global.u32 [%rd1], %f0;":           "%f0 is a .f32 register",
		"fma.rn.f16 %h0, %h1, %h2, %u3;":       "%u3 has 32 bits, but fma.rn.f16 takes 16",
		"add.u32 %r0, %r1, 1.5;":               "takes .u32 here, not a floating-point number",
		"shl.b32 %r0, %r1, %rd2;":              "%rd2 has 64 bits",
		"setp.eq.u32 %r0, %r1, %r2;":           "%r0 is a .b32 register, but setp.eq.u32 takes .pred",
		"selp.b32 %r0, %r1, %r2, %r3;":         "%r3 is a .b32 register, but selp.b32 takes .pred",
		"ld.global.u32 %r0, [%f1];":            "%f1 cannot hold an address",
		"ld.global.u32 5, [%rd1];":             "want a register to write to",
		"mov.b32 %tid.x, %r0;":                 "want a register to write to",
		"mov.u32 %r0, %v1.q;":                  "has no element .q",
		"mov.u32 %r0, %x1.x;":                  "has no elements",
		"ld.global.b64 %x0, [%rd1];":           "want one register",
		"ld.global.v2.b64 %x0, [%rd1];":        "a 128-bit register needs the type .b128",
		"mov.b128 {%rd0, %rd1}, {%rd2, %rd3};": "want a register of 128 bits",
		// Roundings and approximations.
		"fma.f32 %f0, %f1, %f2, %f3;":       "the rounding is missing: say .rn, .rz, .rm or .rp",
		"div.f32 %f0, %f1, %f2;":            "say .rn, .rz, .rm or .rp, .approx or .full",
		"div.approx.f64 %d0, %d1, %d2;":     "",
		"sqrt.f32 %f0, %f1;":                "the rounding is missing",
		"rcp.approx.f64 %d0, %d1;":          "",
		"sin.f32 %f0, %f1;":                 "say .approx",
		"abs.rn.f32 %f0, %f1;":              "unsupported modifier .rn",
		"add.approx.f32 %f0, %f1, %f2;":     "unsupported modifier .approx",
		"add.sat.f64 %d0, %d1, %d2;":        "unsupported modifier .sat",
		"cvt.f32.f64 %f0, %d1;":             "want a rounding: .rn, .rz, .rm or .rp",
		"cvt.s32.f32 %r0, %f1;":             "want a rounding to an integer: .rni, .rzi, .rmi or .rpi",
		"cvt.rn.s32.f32 %r0, %f1;":          "want a rounding to an integer",
		"cvt.f32.s32 %f0, %r1;":             "want a rounding of floating-point numbers",
		"cvt.rn.u32.u32 %r0, %r1;":          "a conversion between integers does not round",
		"cvt.rn.e4m3x2.f32 %h0, %f1, %f2;":  "",
		"add.rn.f32x2 %r0, %r1, %r2;":       "%r1 has 32 bits",
		"fma.f32x2 %rd0, %rd1, %rd2, %rd3;": "the rounding is missing",
		// Modifiers that are missing or do not go together.
		"mul.u32 %r0, %r1, %r2;":                                          "want .lo, .hi or .wide",
		"mul24.u32 %r0, %r1, %r2;":                                        "want .lo or .hi",
		"shf.l.b32 %r0, %r1, %r2, %r3;":                                   ".clamp or .wrap",
		"setp.lo.s32 %p0, %r1, %r2;":                                      "",
		"ld.relaxed.u32 %r0, [%rd1];":                                     "need a scope",
		"ld.volatile.gpu.u32 %r0, [%rd1];":                                "need a scope",
		"ld.release.gpu.u32 %r0, [%rd1];":                                 "",
		"st.acquire.gpu.u32 [%rd1], %r0;":                                 "",
		"ld.global.wb.u32 %r0, [%rd1];":                                   "unsupported modifier .wb",
		"st.global.nc.u32 [%rd1], %r0;":                                   "unsupported modifier .nc",
		"ld.shared.nc.u32 %r0, [s];":                                      ".nc is legal on .global only",
		"ldu.shared.u32 %r0, [s];":                                        "ldu can only read .global",
		"ld.shared.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [s];": "unsupported instruction",
		"atom.shared.add.v2.f32 {%f0, %f1}, [s], {%f0, %f1};":             "unsupported instruction",
		"atom.global.min.v2.f32 {%f0, %f1}, [%rd1], {%f0, %f1};":          "unsupported instruction",
		"bar.sync 0, 33;":                                                 "a multiple of 32 up to 1024",
		"bar.warp.sync;":                                                  "takes 1 operands",
		"membar;":                                                         "want a scope",
		"fence.sc;":                                                       "want a scope",
		"match.any.b32 %r0, %r1, -1;":                                     "unsupported instruction",
		"match.any.sync.b32 %r0|%p0, %r1, -1;":                            "has no predicate",
		"redux.sync.add.f32 %f0, %f1, -1;":                                "unsupported instruction",
		"ret 5;":                                                          "takes no operands",
		"trap 1;":                                                         "takes 0 operands",
		"nanosleep %r0;":                                                  "a type is missing",
		"griddepcontrol;":                                                 "unsupported instruction",
		"prefetch.global [%rd1];":                                         "want the level of cache",
		"mbarrier.init.global.b64 [%rd1], 1;":                             "unsupported instruction",
		"mbarrier.arrive.parity.shared.b64 %rd0, [s];":                    "unsupported instruction",
		"lop3.and.b32 %r0, %r1, %r2, %r3, 1, %p1;":                        "want a result and a predicate, d|p",
		// Video instructions.
		"vadd.s32.s32.s32 %r0, %r1.b4, %r2;":            "%r1.b4: a part of a register is .b0 to .b3, .h0 or .h1 here",
		"vadd.s32.s32.s32.add %r0.b0, %r1, %r2, %r3;":   "a second operation writes all of %r0",
		"vadd.s32.s32.s32 %r0, %r1, %r2, %r3;":          "takes 3 operands, found 4",
		"vadd.s32.s32.s32 %r0.h0, %r1, %r2;":            "takes 4 operands, found 3",
		"vadd.s32.s32.s32.add %r0, %r1, %r2, %r3.h0;":   "%r3.h0: the third source is a whole register",
		"vset.s32.s32 %r0, %r1, %r2;":                   "want a comparison",
		"vset.s32.s32.lt.sat %r0, %r1, %r2;":            "unsupported modifier .sat",
		"vshl.u32.u32.s32.clamp %r0, %r1, %r2;":         "want .clamp or .wrap, and .u32 for the amount",
		"vmad.s32.s32.s32.po %r0, -%r1, %r2, %r3;":      "no operand can be negated with .po",
		"vmad.s32.s32.s32 %r0, -%r1, %r2, -%r3;":        "either the product or the third source can be negated",
		"vadd2.s32.s32.s32.sat.add %r0, %r1, %r2, %r3;": "a sum cannot be saturated",
		"vadd2.s32.s32.s32 %r0, %r1.h14, %r2, %r3;":     "%r1.h14: want .h and 2 digits from 0 to 3",
		"vadd4.s32.s32.s32 %r0.b01, %r1, %r2, %r3;":     "%r0.b01: want .b and descending digits below 4",
		"vadd4.s32.s32.s32 %r0, %r1, %r2;":              "takes 4 operands, found 3",
		"add.u32 %r0, %r1.b0, %r2;":                     "%r1 has no elements",
		"@%p1.b0 vadd.s32.s32.s32 %r0, %r1, %r2;":       "%p1 has no elements",
		// Barriers in memory, and numbers of registers.
		"mbarrier.try_wait.shared::cluster.b64 %p0, [%r0], %rd0;": "an mbarrier of another CTA",
		"mbarrier.init.shared::cluster.b64 [%r0], 1;":             "an mbarrier of another CTA",
		"mbarrier.arrive.shared::cluster.b64 %rd0, [%r0];":        "gives no state: want _",
		"mbarrier.arrive.noComplete.shared.b64 %rd0, [%r0];":      "takes 3 operands",
		"mbarrier.expect_tx.noComplete.shared.b64 [%r0], 16;":     "unsupported instruction",
		// Modifiers that have nothing to do with the others.
		"rcp.approx.rn.f32 %f0, %f1;":                               "an approximation has no rounding",
		"div.approx.rz.f32 %f0, %f1, %f2;":                          "an approximation has no rounding",
		"cvt.rn.rzi.s32.f32 %r0, %f1;":                              "there is one rounding",
		"cvt.rzi.ftz.s32.f64 %r0, %d1;":                             ".ftz is for conversions from or to .f32",
		"setp.eq.ftz.u32 %p0, %r1, %r2;":                            ".ftz is for .f32, .f16 and .f16x2",
		"slct.ftz.b32.s32 %r0, %r1, %r2, %r3;":                      ".ftz is for a third operand in .f32",
		"fma.f16 %h0, %h1, %h2, %h3;":                               "say .rn",
		"fma.f32.bf16 %f0, %h1, %h2, %f3;":                          "the rounding is missing",
		"fence.proxy.async.sys;":                                    "unsupported modifier .sys",
		"fence.proxy;":                                              "unsupported instruction fence.proxy",
		"fence.mbarrier_init.acq_rel.sys;":                          "goes with .release.cluster",
		"mbarrier.test_wait.release.cta.shared.b64 %p0, [s], %rd0;": "unsupported modifier .release",
		"mbarrier.arrive.acquire.cta.shared.b64 %rd0, [s];":         "unsupported modifier .acquire",
		"ld.mmio.global.u32 %r0, [%rd1];":                           ".mmio goes with .relaxed.sys",
		"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32.popc {%r0, %r1}, {%r2}, {%r3}, {%r0, %r1};": "unsupported",
		// Declarations.
		".reg .bf16 %zz;":                 "type .bf16 exists in instructions only: declare the name as .b16",
		".reg .v3 .b32 %zz;":              "a vector register has 2 or 4 elements",
		".reg .v2 .pred %zz;":             "there are no vectors of .pred registers",
		".reg .b32 %zz<99999999999>;":     "at most 16777216 can be declared at once",
		".shared .b8 zz[1<<60];":          "larger than",
		".local .b8 zz[-1];":              "larger than",
		".shared .b8 zz[];":               "zz has no size",
		".shared .b32 zz = 5;":            "only .global and .const variables may have an initial value",
		".local .b32 zz; .local .b64 zz;": "zz is already declared at line",
		// By name.
		// Wrong forms of tex.
		"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [g, {%f0, %f1}];":           "g is not a texture",
		"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t+4, {%f0, %f1}];":         "a texture has no offset",
		"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [16, {%f0, %f1}];":          "want the name or the handle of a texture",
		"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t];":                       "want a texture and coordinates in brackets",
		"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f0}];":                "takes 2 coordinates, found 1",
		"tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f0, %f1, %f2}];":      "takes 1 coordinates, found 3",
		"tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t, {%f0}];":                "%f0 is a .f32 register",
		"tex.1d.v4.s32.f32 {%f0, %f1, %f2, %f3}, [t, {%f0}];":                "%f0 is a .f32 register",
		"tex.1d.v4.f32.f32 {%f0, %f1}, [t, {%f0}];":                          "want a vector of 4 elements",
		"tex.1d.f32.f32 %f0, [t, {%f0}];":                                    "unsupported instruction tex.1d.f32.f32",
		"tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%h0, {%f0}];":              "%h0 has 16 bits",
		"ld.global.u32 %r0, [t];":                                            "t is a texture: read it with tex",
		"tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [g, {%f0, %f1}];":        "unsupported instruction tld4",
		"suld.b.1d.b32.trap %r0, [g, {%r1}];":                                "unsupported instruction suld",
		"sust.b.1d.b32.trap [g, {%r1}], %r0;":                                "unsupported instruction sust",
		"txq.width.b32 %r0, [g];":                                            "unsupported instruction txq",
		"istypep.texref %p0, %rd1;":                                          "unsupported instruction istypep",
		"wgmma.fence.sync.aligned;":                                          "needs sm_90a, but the module's .target is sm_100a",
		"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;": "unsupported instruction tcgen05.alloc",
		"multimem.red.relaxed.sys.global.add.f32 [%rd1], %f0;":               "unsupported instruction multimem.red",
		"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %x0;":  "unsupported instruction clusterlaunchcontrol",
		"atom.global.cas.b128 %x0, [%rd1], %x1, %x2;":                        "unsupported instruction atom.global.cas.b128",
		"alloca.u64 %rd0, %rd1;":                                             "unsupported instruction alloca",
		"stacksave.u64 %rd0;":                                                "unsupported instruction stacksave",
		"call elsewhere, (%rd0, %rd1);":                                      "unsupported: call of external function elsewhere",
	} {
		_, err := Load("form.ptx", []byte(formOf(text)))
		switch {
		case err == nil:
			t.Errorf("%s is accepted", text)
		case !strings.HasPrefix(err.Error(), "form.ptx:7:") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// instructions are those of the PTX ISA, versions 1.0 to 8.8, chapter Instruction Set.
const instructions = `abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call
clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence fma fns getctarank
griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min mma mov movmatrix mul mul24
multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl
shl shr sin slct sqrt st stackrestore stacksave stmatrix sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap
txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr
vsub vsub2 vsub4 wgmma wmma xor`

// TestRefusedList: what core/ptx/README.md lists as refused is refused by name, and every other
// instruction of PTX is supported.
func TestRefusedList(t *testing.T) {
	forms, why := refusals(t)
	refused := map[string]bool{}
	for i, text := range forms {
		name := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == ' ' || r == ';' })[0]
		refused[name] = true
		form, at := formOf(text), "form.ptx:7:"
		if strings.Contains(text, "kind::") { // these targets differ from each other
			form = strings.Replace(form, "sm_100a", "sm_120a", 1)
		}
		_, err := Load("form.ptx", []byte(form))
		if err == nil {
			t.Errorf("%s is accepted: take it out of the list", text)
		} else if m := err.Error(); !strings.HasPrefix(m, at) || !strings.Contains(m, "unsupported") || !strings.HasSuffix(m, " ("+why[i]+")") {
			t.Errorf("%s: %v; want the reason %q", text, err, why[i])
		}
	}
	for _, name := range strings.Fields(instructions) {
		if selectorOf(name) == nil && !refused[name] {
			t.Errorf("%s is neither supported nor in the list", name)
		}
	}
	for _, o := range opcodes {
		if !slices.Contains(strings.Fields(instructions), o.name) {
			t.Errorf("%s is no instruction of PTX", o.name)
		}
	}
}
