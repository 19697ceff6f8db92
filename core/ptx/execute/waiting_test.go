package execute

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// inChain: each CTA waits until the CTA after it has written its number, and then writes the sum.
const inChain = divergeHead + `.visible .entry test(.param .u64 out) {
	.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r4, 0;
	mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
	add.u32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, %r2; @%p1 bra done;
wait:
	ld.volatile.global.u32 %r4, [%rd1+4]; setp.eq.u32 %p1, %r4, 0; @%p1 bra wait;
done:
	add.u32 %r4, %r4, 1; st.volatile.global.u32 [%rd1], %r4; ret; }`

func runChain(t *testing.T, src string, ctas uint32, opts FunctionalOptions) ([]int32, error) {
	t.Helper()
	m, err := compile.Load("test.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	out, _ := image.Alloc("out", uint64(ctas*4))
	params := make([]byte, 8)
	writeBytes(params, 8, out.Base)
	l := &ptx.Launch{
		Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{ctas, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params,
	}
	_, err = RunFunctional(l, image, opts)
	b := make([]byte, ctas*4)
	image.Read(out.Base, b)
	return words32(b), err
}

// TestCTAsThatWaitForLaterOnes run with them, as many as fit; more is an endless loop, and the fault says who reads
// what.
func TestCTAsThatWaitForLaterOnes(t *testing.T) {
	limit := FunctionalOptions{MaxWarpInstructions: 100_000, MaxCTAs: 12}
	for _, ctas := range []uint32{1, 2, 7, 12} {
		got, err := runChain(t, inChain, ctas, limit)
		if err != nil {
			t.Errorf("%d CTAs: %v", ctas, err)
		}
		for i, v := range got {
			if want := int32(ctas) - int32(i); v != want {
				t.Errorf("%d CTAs: %d has %d, want %d", ctas, i, v, want)
			}
		}
	}
	_, err := runChain(t, inChain, 13, limit)
	const want = "reads 0x0 at 0x"
	if err == nil || !strings.Contains(err.Error(), want) ||
		!strings.Contains(err.Error(), "(byte 4 of out) again and again") {
		t.Errorf("13 CTAs, of which 12 fit: %v", err)
	}
	forever := strings.Replace(inChain, "@%p1 bra wait;", "bra wait;", 1)
	if _, err := runChain(t, forever, 3, limit); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("an endless wait: %v", err)
	}
	// A long loop that reads many places is work: the CTAs come one after the other.
	work := strings.Replace(inChain, "ld.volatile.global.u32 %r4, [%rd1+4]; setp.eq.u32 %p1, %r4, 0; @%p1 bra wait;",
		"and.b32 %r5, %r4, 7; mul.wide.u32 %rd3, %r5, 4; ld.param.u64 %rd2, [out]; add.u64 %rd3, %rd3, %rd2;"+
			"ld.global.u32 %r6, [%rd3]; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 3000; @%p1 bra wait;", 1)
	got, err := runChain(t, work, 16, FunctionalOptions{MaxWarpInstructions: 300_000, MaxCTAs: 1})
	if err != nil || got[0] != 3001 {
		t.Errorf("work: %v %v", got, err)
	}
}
