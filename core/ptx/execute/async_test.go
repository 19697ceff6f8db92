package execute

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// TestCopyAsync copies from global to shared memory and back with every width and
// every form of the source size, some lanes being switched off. The lanes that
// have no source hold an address that is not one.
func TestCopyAsync(t *testing.T) {
	for _, c := range []struct {
		bytes int
		text  string
		size  func(lane int) int // bytes of the source
	}{
		{4, "cp.async.ca.shared.global [%s], [%at], 4;", nil},
		{8, "cp.async.ca.shared::cta.global.L2::128B [%s], [%at], 8, 8;", nil},
		{16, "cp.async.cg.shared.global [%s], [%at], 16;", nil},
		{16, "cp.async.cg.shared.global.L2::64B [%s], [%at], 0x10, %n;", func(lane int) int { return lane % 17 }},
		{8, "cp.async.ca.shared.global [%s], [%at], 8, %n;", func(lane int) int { return min(lane%17, 8) }},
		{4, "cp.async.ca.shared.global [%s], [%at], 4, 2;", func(int) int { return 2 }},
		{8, "cp.async.ca.shared.global.L2::cache_hint [%s], [%at], 8, %n, %off;", func(lane int) int { return min(lane%17, 8) }},
		{16, "cp.async.ca.shared.global [%s], [%at], 16, %p;", func(lane int) int { return 16 * min(1, lane%17) }},
	} {
		nowhere := ""
		if c.size != nil && c.size(0) == 0 {
			nowhere = "@%p mov.b64 %at, 64;"
		}
		for _, guard := range []string{"", "@%g ", "@!%g "} {
			src := fmt.Sprintf(`.version 8.0
.target sm_80
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 out) {
.reg .b64 %%at, %%to, %%off; .reg .b32 %%t, %%s, %%n, %%v, %%m; .reg .pred %%p, %%g;
.shared .align 16 .b8 buffer[512];
ld.param.u64 %%at, [in]; ld.param.u64 %%to, [out]; mov.u32 %%t, %%tid.x;
mul.wide.u32 %%off, %%t, 16; add.u64 %%at, %%at, %%off; add.u64 %%to, %%to, %%off;
mov.u32 %%s, buffer; mad.lo.u32 %%s, %%t, 16, %%s;
mov.b32 %%v, 0x5a5a5a5a; st.shared.v4.b32 [%%s], {%%v, %%v, %%v, %%v};
rem.u32 %%n, %%t, 17; min.u32 %%n, %%n, %[1]d; setp.eq.u32 %%p, %%n, 0;
%[3]s
and.b32 %%m, %%t, 2; setp.ne.u32 %%g, %%m, 0;
%[2]s
cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all;
.reg .b32 %%x<4>;
ld.shared.v4.b32 {%%x0, %%x1, %%x2, %%x3}, [%%s]; st.global.v4.b32 [%%to], {%%x0, %%x1, %%x2, %%x3};
ret; }
`, c.bytes, guard+c.text, nowhere)
			m, err := compile.Load("async", []byte(src))
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			image, _ := mem.NewImage(mem.DefaultBase, 1<<16)
			in, _ := image.Alloc("in", 512)
			inBase := in.Base
			out, _ := image.Alloc("out", 512)
			outBase := out.Base
			data, want, got := make([]byte, 512), make([]byte, 512), make([]byte, 512)
			newRand(31).Read(data)
			image.Write(inBase, data)
			for i := range want {
				lane, at := i/16, i%16
				on := guard == "" || (lane&2 != 0) == (guard == "@%g ")
				size := c.bytes
				if c.size != nil {
					size = c.size(lane)
				}
				switch {
				case !on || at >= c.bytes:
					want[i] = 0x5a
				case at < size:
					want[i] = data[i]
				}
			}
			params := make([]byte, 16)
			writeBytes(params, 8, inBase)
			writeBytes(params[8:], 8, outBase)
			l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params}
			if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
				t.Fatalf("%s%s: %v", guard, c.text, err)
			}
			if image.Read(outBase, got); !bytes.Equal(got, want) {
				t.Errorf("%s%s: got\n%x\nwant\n%x", guard, c.text, got, want)
			}
		}
	}
}

// TestCopyAsyncEnd: bytes past the size of the source are not read, so that they may
// lie outside of the allocation.
func TestCopyAsyncEnd(t *testing.T) {
	for size, want := range map[int]string{0: "", 3: "", 4: "", 5: "load of 5 bytes at 0x", 16: "load of 16 bytes at 0x", 99: "load of 16 bytes at 0x"} {
		m, err := compile.Load("async", []byte(fmt.Sprintf(`.version 8.0
.target sm_80
.address_size 64
.visible .entry test(.param .u64 in) {
.reg .b64 %%at; .reg .b32 %%s; .shared .align 16 .b8 buffer[512];
ld.param.u64 %%at, [in]; mov.u32 %%s, %%tid.x; mad.lo.u32 %%s, %%s, 16, buffer;
cp.async.ca.shared.global [%%s], [%%at+96], 16, %d;
ret; }
`, size)))
		if err != nil {
			t.Fatal(err)
		}
		image, _ := mem.NewImage(mem.DefaultBase, 1<<16)
		in, _ := image.Alloc("in", 100)
		params := make([]byte, 8)
		writeBytes(params, 8, in.Base)
		l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params}
		_, err = RunFunctional(l, image, FunctionalOptions{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d bytes of the last 4: %v, want %q", size, err, want)
		}
	}
}

// TestCopyAsyncRegisters: what a copy holds on its way counts as registers for as
// long as the copy takes, also under a guard.
func TestCopyAsyncRegisters(t *testing.T) {
	m, err := compile.Load("async", []byte(`.version 8.0
.target sm_80
.address_size 64
.visible .entry test(.param .u64 in) {
.reg .b64 %at; .reg .b32 %s, %t; .reg .pred %g; .shared .align 16 .b8 buffer[512];
ld.param.u64 %at, [in]; mov.u32 %t, %tid.x; mov.u32 %s, buffer; setp.lt.u32 %g, %t, 7;
`+strings.Repeat("@%g cp.async.cg.shared.global [%s], [%at], 16;\n", 8)+`ret; }
`))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(m, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	if k.RegistersPerThread > 8 { // two addresses of three words, and four words of data
		t.Errorf("%d registers", k.RegistersPerThread)
	}
}

// TestCopyAsyncRefused names the copies that are not supported or not legal.
func TestCopyAsyncRefused(t *testing.T) {
	const bulk = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
	for text, want := range map[string]string{
		"cp.async.cg.shared.global [%r], [%d], 8;":                                   "copies 4, 8 or 16 bytes",
		"cp.async.ca.shared.global [%r], [%d], 5;":                                   "copies 4, 8 or 16 bytes",
		"cp.async.ca.shared.global [%r], [%d], %r;":                                  "copies 4, 8 or 16 bytes",
		"cp.async.ca.shared.global.L2::cache_hint [%r], [%d], 4;":                    "takes 4 to 5 operands",
		"cp.async.ca.shared.global.L2::cache_hint [%r], [%d], 4, 4, %r;":             "%r has 32 bits",
		bulk + "[%r], [%d], 24, [%r];":                                               "moves a multiple of 16 bytes, not 24",
		"cp.async.bulk.shared::cta.bulk_group [%r], [%d], 16;":                       "want .shared::cluster.global or .shared::cta.global",
		"cp.async.mbarrier.arrive.global.b64 [%d];":                                  "unsupported instruction cp.async.mbarrier",
		"cp.async.bulk.wait_group %r;":                                               "want the number of groups that may be open, a constant",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%d], [%r], 16;": ".noftz belongs to .add of halves",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.s32 [%d], [%r], 16;": "unsupported instruction cp.reduce",
		"mbarrier.init.shared.b64 [%r], 0;":                                          "for 1 to 1048575 arrivals",
	} {
		_, err := compile.Load("async", []byte(".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry test() {\n.reg .b32 %r; .reg .b64 %d;\n"+text+"\nret; }\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
