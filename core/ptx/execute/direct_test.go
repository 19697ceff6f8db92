package execute

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// TestDirect runs single accesses of all lanes, usual and unusual, at once and in two
// steps as under timing, beside the long way. %k is the number of the element, with and without a shape.
func TestDirect(t *testing.T) {
	type access struct {
		index string // what makes %k of the lane in %t
		scale int    // bytes
		fault string // part of the message; "" if there is none
	}
	accesses := []access{
		{"mov.u32 %k, %t;", 4, ""},
		{"mov.u32 %k, 5;", 4, ""},                           // all lanes meet
		{"shr.u32 %k, %t, 1;", 4, ""},                       // pairs meet
		{"sub.s32 %k, 31, %t;", 4, ""},                      // backwards
		{"add.s32 %k, %t, 224;", 4, ""},                     // up to the end
		{"add.s32 %k, %t, 225;", 4, "outside|of shared"},    // the last lane is outside
		{"add.s32 %k, %t, 100000;", 4, "outside|of shared"}, // all are
		{"mov.u32 %k, %t;", 5, "misaligned"},
		{"mov.u32 %k, %t;", 2, "misaligned"},
		{"mad.lo.s32 %k, %t, 100, 5;", 4, "outside|of shared"},
		{"mul.lo.s32 %k, %t, -100;", 4, "outside|of shared"},
	}
	spaces := []struct{ name, address string }{
		{"global", "mul.wide.s32 %w, %k, SCALE; add.s64 %a, %b, %w;"},
		{"shared", "mul.wide.s32 %w, %k, SCALE; mov.u64 %a, s; add.s64 %a, %a, %w;"},
		{"shared", "mul.lo.s32 %k, %k, SCALE; mov.u32 %n, s; add.s32 %k, %k, %n;"},
	}
	for _, block := range [][3]uint32{{32, 1, 1}, {16, 2, 1}, {31, 1, 1}} {
		for _, c := range accesses {
			for s, space := range spaces {
				for _, blur := range []string{"", "shfl.sync.bfly.b32 %k, %k, 0, 31, -1;"} {
					for _, body := range []string{"ld.SPACE.f32 %f, [ADDR]; st.global.f32 [%o], %f;", "st.SPACE.u32 [ADDR], %t;", "@%p st.SPACE.u32 [ADDR], %v;"} {
						address := "%a"
						if s == 2 {
							address = "%k"
						}
						fault := c.fault
						if fault == "outside|of shared" {
							fault = strings.Split(fault, "|")[min(s, 1)]
						}
						if block[0] == 31 && c.index == "add.s32 %k, %t, 225;" || strings.HasPrefix(body, "@") && c.scale == 4 && c.index != "add.s32 %k, %t, 100000;" {
							fault = "?" // depends on the lanes that are off
						}
						text := strings.NewReplacer("SCALE", fmt.Sprint(c.scale), "SPACE", space.name, "ADDR", address).Replace(
							c.index + blur + space.address + body)
						checkDirect(t, text, block, fault, 0)
						checkDirect(t, text, block, fault, 1)
					}
				}
			}
		}
	}
}

func checkDirect(t *testing.T, text string, block [3]uint32, fault string, turn uint64) {
	t.Helper()
	m, err := compile.Load("direct", []byte(`.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 buffer, .param .u64 out) {
.reg .pred %p; .reg .b32 %t, %k, %n, %v; .reg .b64 %a, %b, %w, %o; .reg .f32 %f; .shared .align 4 .b8 s[1024];
ld.param.u64 %b, [buffer]; ld.param.u64 %o, [out]; mov.u32 %t, %laneid; mov.u32 %v, 77; setp.lt.u32 %p, %t, 20;
mul.wide.u32 %w, %t, 4; add.s64 %o, %o, %w;
`+text+"\nret; }\n"))
	if err != nil {
		t.Fatal(err)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	params := make([]byte, 16)
	for i := 1; i >= 0; i-- { // after the buffer there is nothing
		a, err := image.Alloc("buffer", 1024)
		if err != nil {
			t.Fatal(err)
		}
		writeBytes(params[8*i:], 8, a.Base)
		data := make([]byte, 1024)
		newRand(int64(i)).Read(data)
		image.Write(a.Base, data)
	}
	l := &ptx.Launch{Kernel: loadKernel(t, m, "k", image), Grid: [3]uint32{1, 1, 1}, Block: block, Params: params}
	got, _ := runTwins(t, l, image, turn)
	switch {
	case fault == "?":
	case fault == "" && got != nil:
		t.Errorf("%s: %v", text, got)
	case fault != "" && (got == nil || !strings.Contains(got.Error(), fault)):
		t.Errorf("%s: %v, want %q", text, got, fault)
	}
}
