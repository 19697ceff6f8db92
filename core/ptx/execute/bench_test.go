package execute

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// bodies are the instructions measured one by one. %r, %f, %rd and %d hold values
// without a shape, %s and %sd addresses and numbers that have one.
var bodies = []struct{ name, text string }{
	{"add.s32", "add.s32 %r1, %r2, %r3;"},
	{"mad.lo.s32", "mad.lo.s32 %r1, %r2, %r3, %r4;"},
	{"shl.b32", "shl.b32 %r1, %r2, 2;"},
	{"div.u32", "div.u32 %r1, %r2, %r3;"},
	{"mul.wide.s32", "mul.wide.s32 %rd1, %r2, 4;"},
	{"add.s64", "add.s64 %rd1, %rd2, %rd3;"},
	{"add.f32", "add.f32 %f1, %f2, %f3;"},
	{"mul.f32", "mul.f32 %f1, %f2, %f3;"},
	{"fma.rn.f32", "fma.rn.f32 %f1, %f2, %f3, %f4;"},
	{"fma.rn.ftz.f32", "fma.rn.ftz.f32 %f1, %f2, %f3, %f4;"},
	{"fma.rn.f16x2", "fma.rn.f16x2 %r1, %f2, %f3, %f4;"},
	{"cvt.f32.bf16", "cvt.f32.bf16 %f1, %f2;"},
	{"min.f32", "min.f32 %f1, %f2, %f3;"},
	{"fma.rn.f64", "fma.rn.f64 %d1, %d2, %d3, %d2;"},
	{"ex2.approx.f32", "ex2.approx.f32 %f1, %f2;"},
	{"sin.approx.f32", "sin.approx.f32 %f1, %f2;"},
	{"rcp.approx.f32", "rcp.approx.f32 %f1, %f2;"},
	{"setp.lt.s32", "setp.lt.s32 %p1, %r2, %r3;"},
	{"setp.lt.f32", "setp.lt.f32 %p1, %f2, %f3;"},
	{"selp.b32", "selp.b32 %r1, %r2, %r3, %p2;"},
	{"mov.u32", "mov.u32 %r1, %r2;"},
	{"cvt.rn.f32.s32", "cvt.rn.f32.s32 %f1, %r2;"},
	{"cvt.rzi.s32.f32", "cvt.rzi.s32.f32 %r1, %f2;"},
	{"bfe.u32", "bfe.u32 %r1, %r2, 3, 5;"},
	{"lop3.b32", "lop3.b32 %r1, %r2, %r3, %r4, 0x96;"},
	{"shfl.sync.bfly", "shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;"},
	{"mma.m16n8k16.f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f5, %f6, %f7, %f8}, {%r2, %r3, %r4, %r2}, {%r3, %r4}, {%f5, %f6, %f7, %f8};"},
	{"mma.m16n8k32.s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r6, %r7, %r8, %r9}, {%r2, %r3, %r4, %r2}, {%r3, %r4}, {%r6, %r7, %r8, %r9};"},
	{"ldmatrix.x4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r6, %r7, %r8, %r9}, [s];"},
	{"bra.uni", "bra.uni L$; L$:"},
	{"ld.shared.f32", "ld.shared.f32 %f1, [%r5];"},
	{"st.shared.f32", "st.shared.f32 [%r5], %f2;"},
	{"ld.global.f32", "ld.global.f32 %f1, [%rd4];"},
	{"st.global.f32", "st.global.f32 [%rd4], %f2;"},
	{"@p add.s32", "@%p2 add.s32 %r1, %r2, %r3;"},
	{"add.s32 on shapes", "add.s32 %s1, %s2, %s3;"},
	{"mul.wide.s32 on shapes", "mul.wide.s32 %sd1, %s2, 4;"},
	{"setp.lt.s32 on shapes", "setp.lt.s32 %p1, %s2, 99;"},
	{"ld.shared.f32 on shapes", "ld.shared.f32 %f1, [%s5];"},
	{"ld.global.f32 on shapes", "ld.global.f32 %f1, [%sd4];"},
	{"st.global.f32 on shapes", "st.global.f32 [%sd4], %f2;"},
	{"MIX", `mul.wide.s32 %rd5, %r2, 4; add.s64 %rd6, %rd4, %rd5; ld.global.f32 %f5, [%rd4]; add.s32 %r6, %r2, %r3;
		mul.wide.s32 %rd7, %r2, 4; add.s64 %rd8, %rd4, %rd7; ld.global.f32 %f6, [%rd4]; fma.rn.f32 %f7, %f2, %f3, %f4;
		mul.f32 %f8, %f2, %f3; fma.rn.f32 %f9, %f2, %f3, %f4; ld.shared.f32 %f10, [%r5]; ld.shared.f32 %f11, [%r5];
		add.f32 %f12, %f2, %f3; fma.rn.f32 %f13, %f2, %f3, %f4; add.s32 %r7, %r2, 1; shl.b32 %r8, %r2, 2; and.b32 %r9, %r2, 31;
		mad.lo.s32 %r10, %r2, %r3, %r4; setp.lt.s32 %p1, %r2, %r3; bra.uni L$; L$:`},
}

const benchHead = `.version 6.4
.target sm_70
.address_size 64
.visible .entry bench(.param .u64 buffer) {
	.reg .pred %p<4>; .reg .b32 %r<16>; .reg .f32 %f<16>; .reg .b64 %rd<16>; .reg .f64 %d<4>; .reg .b32 %s<6>; .reg .b64 %sd<6>;
	.shared .align 4 .b8 s[4096];
	ld.param.u64 %rd9, [buffer];
	mov.u32 %s2, %tid.x; add.s32 %s3, %s2, 5; shl.b32 %s4, %s2, 2; mov.u32 %s5, s; add.u32 %s5, %s5, %s4;
	cvt.u64.u32 %sd4, %s4; add.u64 %sd4, %sd4, %rd9;
	shfl.sync.bfly.b32 %r2, %s2, 0, 31, -1;
	mad.lo.u32 %r3, %r2, 7, 3;
	mov.u32 %r4, %laneid;
	cvt.rn.f32.u32 %f2, %r2; fma.rn.f32 %f2, %f2, 0f3EBD70A4, 0f3F800000;
	cvt.rn.f32.u32 %f3, %r3; mul.f32 %f3, %f3, 0f3C343958;
	mul.f32 %f4, %f2, %f3;
	cvt.f64.f32 %d2, %f2; cvt.f64.f32 %d3, %f3;
	mov.u32 %r5, s; shl.b32 %r11, %r2, 2; add.u32 %r5, %r5, %r11;
	cvt.u64.u32 %rd2, %r3; mov.u64 %rd3, 77; cvt.u64.u32 %rd4, %r11; add.u64 %rd4, %rd4, %rd9;
	setp.lt.u32 %p2, %r2, 19;
LOOP:
`

var headLines = int32(strings.Count(benchHead, "\n"))

// BenchmarkExecute measures ns per warp instruction, memory included.
func BenchmarkExecute(b *testing.B) {
	for _, body := range bodies {
		b.Run(body.name, func(b *testing.B) {
			var text strings.Builder
			text.WriteString(benchHead)
			for i := range 64 {
				text.WriteString(strings.ReplaceAll(body.text, "L$", fmt.Sprintf("L%d", i)) + "\n")
			}
			text.WriteString("bra.uni LOOP; }\n")
			m, err := compile.Load("bench.ptx", []byte(text.String()))
			if err != nil {
				b.Fatal(err)
			}
			image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
			buffer, _ := image.Alloc("buffer", 4096)
			k := loadKernel(b, m, "bench", image)
			params := make([]byte, 8)
			writeBytes(params, 8, buffer.Base)
			l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params}
			r := newRunner(l, image, FunctionalOptions{})
			r.group.Reset(l, [3]uint32{})
			w := r.warps[0]
			w.Reset(l, r.group, 0)
			r.env.image = image
			for w.Next().Line < headLines {
				w.Execute(&r.env)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				if w.Execute(&r.env) == EffectMemory {
					if err := r.access(0, w, &r.env.Access); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
