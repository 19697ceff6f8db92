package execute

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// groupKernel is a kernel around statements; the first of them is in line 10.
func groupKernel(body string) string {
	return `.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<20>; .reg .pred %p<4>; .shared .align 1024 .b8 s[4096];
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31;
	mov.b64 %rd2, 0x0000000800080000; mov.b64 %rd3, 0x0000000800080080;
` + body + "\n	ret;\n}\n"
}

// Operands of a legal operation: A lies from 0 on, B from 2048 on.
const (
	groupShape    = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
	groupMma      = groupShape + "{%f0, %f1, %f2, %f3}, %rd2, %rd3, 1, 1, 1, 0, 0;\n"
	groupMmaOther = groupShape + "{%f4, %f5, %f6, %f7}, %rd2, %rd3, 0, 1, 1, 0, 0;\n"
	groupMmaRegs  = groupShape + "{%f0, %f1, %f2, %f3}, {%r4, %r5, %r6, %r7}, %rd3, 0, 1, 1, 0;\n"
	groupCommit   = "wgmma.commit_group.sync.aligned;\n"
	groupWait     = "wgmma.wait_group.sync.aligned 0;\n"
	groupStore    = "st.global.f32 [%rd1], %f0;\n"
)

func runGroup(t *testing.T, body string, threads uint32) error {
	t.Helper()
	m, err := compile.Load("k.ptx", []byte(groupKernel(body)))
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<24)
	out, _ := image.Alloc("out", 4096)
	params := make([]byte, 8)
	writeBytes(params, 8, out.Base)
	l := &ptx.Launch{Kernel: loadKernel(t, m, "k", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{threads, 1, 1},
		Params: params}
	_, err = RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e5})
	return err
}

// groupFaults are misuses of wgmma.
var groupFaults = map[string]struct {
	body    string
	threads uint32
	line    int
	want    string
}{
	"no wait": {
		groupMma + groupCommit + groupStore,
		128, 12, "an accumulator of wgmma.mma_async in line 10",
	},
	"no commit": {
		groupMma + groupWait + groupStore,
		128, 12, "an accumulator of wgmma.mma_async in line 10",
	},
	"one group too many": {
		groupMma + groupCommit + groupCommit + "wgmma.wait_group.sync.aligned 2;\n" + groupStore,
		128, 14, "wait for it with wgmma.wait_group",
	},
	"written": {
		groupMma + groupCommit + "add.f32 %f3, %f9, %f9;\n" + groupWait,
		128, 12, "an accumulator",
	},
	"copy without a wait": {
		groupMma + groupCommit + "mov.f32 %f8, %f0;\nst.global.f32 [%rd1], %f8;\n" + groupWait,
		128, 13, "an accumulator",
	},
	"A written": {
		groupMmaRegs + groupCommit + "mov.b32 %r5, 1;\n" + groupWait,
		128, 12, "a part of A of wgmma.mma_async in line 10",
	},
	"A is an accumulator": {
		groupMma + strings.Replace(groupMmaRegs, "%r4", "%f1", 1) + groupCommit + groupWait,
		128, 11, "an accumulator",
	},
	"three warps": {
		groupMma,
		96, 10, "warp 0 is in no whole warp group",
	},
	"two warps too many": {
		groupMma,
		192, 10, "warp 4 is in no whole warp group",
	},
	"half a warp": {
		groupMma,
		112, 10, "16 threads of the warp execute an .aligned instruction",
	},
	"a warp has ended": {
		"setp.eq.u32 %p1, %r2, 3; @%p1 exit;\n" + groupMma,
		128, 11, "warp 3 of the warp group has ended",
	},
	"the first has ended": {
		"setp.eq.u32 %p1, %r2, 0; @%p1 exit;\n" + groupMma,
		128, 11, "warp 0 of the warp group has ended",
	},
	"other operation": {
		"setp.eq.u32 %p1, %r2, 2;\n@%p1 bra L;\n" + groupMma + "bra M;\nL: " +
			groupMma + "M: " + groupCommit + groupWait,
		128, 12, "warp 2 executes wgmma.mma_async in line 14",
	},
	"other descriptor": {
		"setp.eq.u32 %p1, %r2, 2; @%p1 add.u64 %rd3, %rd3, 1;\n" + groupMma + groupCommit + groupWait,
		128, 11, "the descriptor of B is",
	},
	"descriptor of a lane": {
		"setp.eq.u32 %p1, %r3, 7; @%p1 add.u64 %rd2, %rd2, 1;\n" + groupMma + groupCommit + groupWait,
		128, 11, "the descriptor of A is",
	},
	"scale-d of a lane": {
		"setp.eq.u32 %p1, %r3, 7;\n" + strings.Replace(groupMma, "%rd3, 1", "%rd3, %p1",
			1) + groupCommit + groupWait,
		128, 11, "scale-d differs",
	},
	"outside of the CTA": {
		"add.u64 %rd3, %rd3, 128;\n" + groupMma + groupCommit + groupWait,
		128, 11, "but the CTA has 4096 bytes",
	},
	"an offset too large": {
		"mov.b64 %rd2, 0x0000008000080000;\n" + groupMma + groupCommit + groupWait,
		128, 11, "the descriptor of A",
	},
	"bits without meaning": {
		"or.b64 %rd2, %rd2, 0x0010000000000000;\n" + groupMma + groupCommit + groupWait,
		128, 11, "bits 52 must be zero",
	},
	"metadata out of order": {
		strings.Replace(strings.Replace(groupMma, ".mma_async", ".mma_async.sp", 1), "k16", "k32", 1),
		128, 10, "must ascend",
	},
}

// TestGroupFaults: each misuse of wgmma is a fault that names the line.
func TestGroupFaults(t *testing.T) {
	for name, c := range groupFaults {
		if name == "metadata out of order" {
			c.body = strings.Replace(c.body, "%rd3, 1", "%rd3, %r9, 0, 1", 1)
		}
		err := runGroup(t, c.body, c.threads)
		var f *Fault
		if !errors.As(err, &f) || f.Line != c.line || !strings.Contains(f.Message, c.want) {
			t.Errorf("%s: %v; want line %d, %q", name, err, c.line, c.want)
		}
	}
}

// TestGroupLegal: what compilers emit is no fault.
func TestGroupLegal(t *testing.T) {
	for name, body := range map[string]string{
		"plain":             groupMma + groupCommit + groupWait + groupStore,
		"same accumulators": groupMma + groupMma + groupCommit + groupWait + groupStore,
		"the older group": groupMma + groupCommit + groupMmaOther + groupCommit +
			"wgmma.wait_group.sync.aligned 1;\n" + groupStore + groupWait,
		"copies in between": groupMma + "mov.f32 %f8, %f0;\n" + strings.Replace(groupMma, "%f0", "%f8",
			1) + "mov.f32 %f0, %f8;\n" + groupCommit + groupWait + groupStore,
		"A twice": groupMmaRegs + groupMmaRegs + groupCommit + groupWait +
			"add.u32 %r4, %r4, 1;\n" + groupStore,
		"descriptors change": groupMma + "add.u64 %rd2, %rd2, 0; add.u64 %rd3, %rd3, 0;\n" + groupCommit + groupWait,
		"other registers": groupMma + groupCommit +
			"add.f32 %f9, %f10, %f11; add.u32 %r8, %r9, 1; st.global.f32 [%rd1], %f9;\n" + groupWait + groupStore,
		"never waited for": groupMma + groupCommit,
		"empty group":      groupCommit + groupWait + groupMma + groupCommit + groupWait + groupStore,
		"guarded store not run": groupMma + groupCommit +
			"setp.ne.u32 %p1, 0, 0; @%p1 st.global.f32 [%rd1], %f0;\n" + groupWait,
	} {
		if err := runGroup(t, body, 256); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGroupDeadlock: three warps of a group that wait for the fourth, which waits elsewhere, are named.
func TestGroupDeadlock(t *testing.T) {
	err := runGroup(t, "setp.eq.u32 %p1, %r2, 3; @%p1 bar.sync 0;\n"+groupMma+groupCommit+groupWait, 128)
	if want := "warp 0 waits for its warp group, line 11; "; err == nil || !strings.Contains(err.Error(),
		want) || !strings.Contains(err.Error(), "deadlock") {
		t.Errorf("%v; want %q", err, want)
	}
}

// TestGroupTileIsReadOnce: a warp that goes on may overwrite the tile; the others have multiplied with it already.
func TestGroupTileIsReadOnce(t *testing.T) {
	body := `shl.b32 %r4, %r1, 4; mov.b32 %r5, 0x3c003c00;
	st.shared.v4.b32 [%r4], {%r5, %r5, %r5, %r5}; setp.lt.u32 %p2, %r1, 16;
	@%p2 st.shared.v4.b32 [%r4+2048], {%r5, %r5, %r5, %r5};
	fence.proxy.async; bar.sync 0;
` + groupMmaOther + groupCommit + groupWait + `
	mov.b32 %r6, 0; st.shared.v4.b32 [%r4], {%r6, %r6, %r6, %r6};
	@%p2 st.shared.v4.b32 [%r4+2048], {%r6, %r6, %r6, %r6};
	setp.ne.f32 %p1, %f5, 0f41800000; @%p1 trap;`
	if err := runGroup(t, body, 128); err != nil {
		t.Error(err)
	}
}

// TestGroupRefused: forms that PTX does not have are refused with their place.
func TestGroupRefused(t *testing.T) {
	short := strings.NewReplacer("MMA", "wgmma.mma_async.sync.aligned", "SP", "wgmma.mma_async.sp.sync.aligned",
		"F4", "{%f0, %f1, %f2, %f3}", "R4", "{%r0, %r1, %r2, %r3}", "AB", "%rd2, %rd3")
	for text, want := range map[string]string{
		"wgmma.wait_group.sync.aligned 8;":                             "want a constant from 0 to 7",
		"wgmma.wait_group.sync.aligned %r1;":                           "want a constant from 0 to 7",
		"wgmma.fence.sync;":                                            "unsupported instruction",
		"MMA.m64n12k16.f32.f16.f16 F4, AB, 1, 1, 1, 0, 0;":             "no shape m64n12k16",
		"MMA.m64n264k16.f32.f16.f16 F4, AB, 1, 1, 1, 0, 0;":            "no shape m64n264k16",
		"MMA.m64n40k32.s32.s8.s8 F4, AB, 1;":                           "no shape m64n40k32",
		"MMA.m64n8k8.f32.f16.f16 F4, AB, 1, 1, 1, 0, 0;":               "no shape m64n8k8",
		"MMA.m32n8k16.f32.f16.f16 F4, AB, 1, 1, 1, 0, 0;":              "no shape m32n8k16",
		"MMA.m64n8k16.f16.bf16.bf16 {%r0, %r1}, AB, 1, 1, 1, 0, 0;":    "unsupported instruction",
		"MMA.m64n8k16.f32.f16.bf16 F4, AB, 1, 1, 1, 0, 0;":             "unsupported instruction",
		"MMA.m64n8k16.satfinite.f32.f16.f16 F4, AB, 1, 1, 1, 0, 0;":    "unsupported instruction",
		"MMA.m64n8k256.s32.b1.b1.xor.popc R4, AB, 1;":                  "unsupported",
		"SP.m64n8k512.s32.b1.b1.and.popc R4, AB, %r4, 0, 1;":           "unsupported",
		"MMA.m64n8k16.f32.f16.f16 F4, AB, 2, 1, 1, 0, 0;":              "scale-d is a constant from 0 to 1",
		"MMA.m64n8k16.f32.f16.f16 F4, AB, 1, 0, 1, 0, 0;":              "the factor of a matrix is 1 or -1",
		"MMA.m64n8k16.f32.f16.f16 F4, AB, 1, 1, 1, 2, 0;":              "of A is a constant from 0 to 1",
		"MMA.m64n8k16.f32.f16.f16 F4, R4, %rd3, 1, 1, 1, 0, 0;":        "takes 7 operands, found 8",
		"MMA.m64n8k8.f32.tf32.tf32 F4, AB, 1, 1, 1, 0, 0;":             "takes 6 operands, found 8",
		"MMA.m64n8k16.f32.f16.f16 {%f0, %f1, %f2}, AB, 1, 1, 1, 0, 0;": "want a vector of 4 elements",
		"MMA.m64n8k16.f32.f16.f16 F4, %r2, %rd3, 1, 1, 1, 0, 0;":       "%r2 has 32 bits",
		"MMA.m64n8k16.f32.f16.f16 F4, %rd2, R4, 1, 1, 1, 0, 0;":        "want a register or a constant here",
		"SP.m64n8k32.f32.f16.f16 F4, AB, %r0, 2, 1, 1, 1, 0, 0;":       "is a constant from 0 to 1",
		"SP.m64n8k64.s32.s8.s8 R4, AB, %r4, 1, 1;":                     "is a constant from 0 to 0",
		"MMA.m64n8k16.f32.f16.f16 F4, AB, %r1, 1, 1, 0, 0;":            "%r1 is a .b32 register, but",
		"MMA.m64n8k32.f32.e4m3.f16 F4, AB, 1, 1, 1;":                   "unsupported instruction",
		"SP.m64n8k32.f32.f16.f16 F4, R4, %rd3, %r4, 0, 1, 1, 1, 0, 0;": "takes 9 operands, found 10",
	} {
		_, err := compile.Load("k.ptx", []byte(groupKernel(short.Replace(text))))
		if err == nil || !strings.HasPrefix(err.Error(), "k.ptx:10:") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
	for _, target := range []string{"sm_90", "sm_80", "sm_100a"} {
		_, err := compile.Load("k.ptx", []byte(strings.Replace(groupKernel(groupMma), "sm_90a", target, 1)))
		if want := fmt.Sprintf("needs sm_90a, but the module's .target is %s",
			target); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
