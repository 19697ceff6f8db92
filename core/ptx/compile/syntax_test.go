package compile

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// compiledStyles are modules as different compilers write them, with what their
// entries are called.
var compiledStyles = map[string]struct{ entries, text string }{
	"nvcc 4, 32-bit addresses": {"_Z1kPfi", `
	.version 3.2
	.target sm_20
	.address_size 32
	.extern .func  (.param .b32 func_retval0) vprintf
	(
		.param .b32 vprintf_param_0,
		.param .b32 vprintf_param_1
	)
	;
	.file	1 "a.cu", 1400000000, 1234
	.global .align 1 .b8 $str[12] = {72, 101, 108, 108, 111, 32, 37, 100, 10, 0};
	.weak .func  (.param .b32 func_retval0) cudaMalloc(
	.param .b32 cudaMalloc_param_0,
	.param .b32 cudaMalloc_param_1
)
{
	.reg .s32 	%r<2>;
	mov.u32 	%r1, 30;
	st.param.b32	[func_retval0+0], %r1;
	.loc 2 67 3
	ret;
}
.visible .entry _Z1kPfi(
	.param .u32 _Z1kPfi_param_0,
	.param .u32 _Z1kPfi_param_1
)
.maxntid 256, 1, 1
.minnctapersm 4
{
	.local .align 8 .b8 	__local_depot0[16];
	.reg .b32 	%SP;
	.reg .b32 	%SPL;
	.reg .pred 	%p<2>;
	.reg .s32 	%r<9>;
	.reg .f32 	%f<4>;
	mov.u32 	%SPL, __local_depot0;
	cvta.local.u32 	%SP, %SPL;
	ld.param.u32 	%r1, [_Z1kPfi_param_0];
	ld.param.u32 	%r2, [_Z1kPfi_param_1];
	cvta.to.global.u32 	%r3, %r1;
	.loc 1 5 1
	mov.u32 	%r4, %tid.x;
	setp.ge.s32	%p1, %r4, %r2;
	@%p1 bra 	BB0_2;
	shl.b32 	%r5, %r4, 2;
	add.s32 	%r6, %r3, %r5;
	ldu.global.f32 	%f1, [%r6];
	mul.f32 %f1, %f1, 0f40000000;
	st.global.f32 	[%r6], %f1;
BB0_2:
	.loc 1 8 2
	ret;
}
`},
	"clang, debug data": {"k", `.version 8.4
.target sm_80, debug
.address_size 64
.visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 st[24]) .reqntid 32, 1, 1 .maxnreg 64
.pragma "nounroll";
{
$L__func_begin0:
	.reg .b64 %rd<4>;
	.loc	1 3 0
	.loc 1 5 3, function_name $L__info_string0, inlined_at 1 7 9
	ld.param.u64 %rd1, [p];
$L__tmp0:
	.loc	1 3 0 prologue_end
	ret;
$L__func_end0:
}
	.file	1 "/tmp/k.cu"
	.section	.debug_str
	{
$L__info_string0:
	.b8 95,90,49,107,0
	}
	.section	.debug_abbrev
	{
.b8 1
.b32 .debug_info+5
.b64 $L__func_begin0
.b64 $L__func_end0-$L__func_begin0
	}
	.section	.debug_loc { .b8 0 }
	.section	.debug_macinfo {	}
@@DWARF .byte 0x2b, 0x00, 0x00
`},
	"module scope": {"", `.version 8.3
.target sm_90a, texmode_independent
.address_size 64
.extern .global .align 4 .u32 ext;
.common .global .u32 com;
.weak .global .align 8 .u64 wk[2] = {1, 2};
.visible .global .attribute(.managed) .align 4 .u32 man = 7;
.global .attribute(.unified(19,95)) .f32 uni;
.visible .const .align 4 .f32 tbl[2][2] = {{1.0, 2.0}, {0f40400000, 4}};
.global .u64 ptrs[3] = {wk, wk+8, generic(man)};
.global .s32 e1 = (1 << 4) | 3;
.global .u32 e2 = 5 > 3 ? 7 : 9;
.global .s64 e3 = -(.s64)5 + 2;
.global .align 1 .b8 msk[8] = {0xFF(wk), 0xFF00(wk), 0xFF0000(wk), 0xFF000000(wk), 0xFF00000000(wk), 0xFF(generic(wk)+4)};
.global .b16 halves[2] = {0x3c00, 0xbc00};
.global .f64 dd[2] = {0d3FF0000000000000, 1e-3};
.global .v4 .f32 vecs[2] = {{1.0,2.0,3.0,4.0},{5.0}};
.func (.reg .u32 ret) old (.reg .u32 a, .reg .u32 b) { add.u32 ret, a, b; ret; }
.func noret () .noreturn { exit; }
.func nothing { ret; }
.func .attribute(.unified(0xAB, 0xCD)) bar() { ret; }
`},
	"banks": {"k", `.version 2.0
.target sm_20
.address_size 32
.const[3] .u32 tab[4] = {1,2,3,4};
.extern .const[4] .u32 ext[];
.entry k () { .reg .u32 %r<3>; ld.const[3].u32 %r1, [tab+4]; ld.const.u32 %r2, [%r1]; ret; }
`},
}

func TestCompilerStyles(t *testing.T) {
	for name, c := range compiledStyles {
		m, err := Load("x", []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(m.Entries(), " "); got != c.entries {
			t.Errorf("%s: entries %s", name, got)
		}
		for _, entry := range m.Entries() {
			if _, err := Kernel(m, entry, func(string) uint64 { return mem.DefaultBase }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestNestedLaunch names what a kernel that launches kernels needs and this
// simulator does not have.
func TestNestedLaunch(t *testing.T) {
	src := `.version 6.4
.target sm_70
.address_size 64
.extern .func (.param .b64 func_retval0) cudaGetParameterBufferV2(.param .b64 a, .param .align 4 .b8 b[12], .param .align 4 .b8 c[12], .param .b32 d);
.extern .func (.param .b32 func_retval0) cudaLaunchDeviceV2(.param .b64 a, .param .b64 b);
.visible .entry child() { ret; }
.visible .entry parent() {
	.reg .b64 %rd<3>; .reg .b32 %r<3>; .param .b64 p0; .param .b64 p1; .param .b32 r;
	st.param.b64 [p0], %rd1; st.param.b64 [p1], 0;
	call.uni (r), cudaLaunchDeviceV2, (p0, p1);
	ret; }
`
	_, err := Load("nested.ptx", []byte(src))
	if err == nil || err.Error() != "nested.ptx:10:16: unsupported: call of external function cudaLaunchDeviceV2" {
		t.Error(err)
	}
}
