package execute

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// bulkHead is the beginning of a kernel with two buffers: %a is the address of in, %b that of out, %t the thread, %s
// the address of 16 KiB of shared memory, %m that of an mbarrier, which waits for one arrival.
const bulkHead = `.version 8.6
.target sm_90a
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 out) {
.reg .b64 %a, %b, %x<9>; .reg .b32 %s, %m, %t, %n, %r<9>; .reg .f32 %f<9>; .reg .pred %p, %q, %g;
.shared .align 128 .b8 buffer[16384]; .shared .align 8 .b64 bar; .shared .align 8 .b64 other;
ld.param.u64 %a, [in]; ld.param.u64 %b, [out]; mov.u32 %t, %tid.x; mov.u32 %s, buffer; mov.u32 %m, bar;
setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared::cta.b64 [%m], 1; bar.sync 0;
`

const bulkBytes = 16384

// runBulk runs a body on so many threads, and returns out.
func runBulk(t *testing.T, body string, threads uint32, in, out []byte) ([]byte, error) {
	t.Helper()
	return runBulkWith(t, body, threads, in, out, FunctionalOptions{MaxWarpInstructions: 1 << 16})
}

// runBulkWith is runBulk with other bounds.
func runBulkWith(t *testing.T, body string, threads uint32, in, out []byte, o FunctionalOptions) ([]byte, error) {
	t.Helper()
	m, err := compile.Load("bulk.ptx", []byte(bulkHead+body+"\nret; }\n"))
	if err != nil {
		t.Fatalf("%v in\n%s", err, body)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	a, _ := image.Alloc("in", bulkBytes)
	b, _ := image.Alloc("out", bulkBytes)
	params := make([]byte, 16)
	writeBytes(params, 8, a.Base)
	writeBytes(params[8:], 8, b.Base)
	image.Write(a.Base, in)
	image.Write(b.Base, out)
	at := b.Base
	k := loadKernel(t, m, "test", image)
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{threads, 1, 1}, Params: params}
	_, err = RunFunctional(l, image, o)
	got := make([]byte, bulkBytes)
	image.Read(at, got)
	return got, err
}

// bulkCopies is a body in which each thread below a limit copies a block of its own to shared memory and back, at most
// 224 bytes. The first word of the input's block is its size.
const bulkCopies = `mul.lo.u32 %r0, %t, 256; add.u32 %r1, %r0, %s; cvt.u64.u32 %x0, %r0; add.u64 %x1, %a, %x0;
add.u64 %x2, %b, %x0; ld.global.u32 %n, [%x1]; setp.lt.u32 %g, %t, LIMIT;
@%g mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%m], %n; bar.sync 0;
@%g cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+16], [%x1+16], %n, [%m];
@%p mbarrier.arrive.shared::cta.b64 _, [%m];
W: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], 0; @!%q bra W;
fence.proxy.async.shared::cta; bar.sync 0;
cp.async.bulk.global.shared::cta.bulk_group [%x2+16], [%r1+16], %n;
cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;`

// TestBulkCopies copies blocks of random sizes to shared memory and back, some lanes alone.
func TestBulkCopies(t *testing.T) {
	r := rand.New(rand.NewSource(81))
	for range 30 {
		threads := uint32(1 + r.Intn(64))
		limit := r.Intn(66)
		in, out := make([]byte, bulkBytes), make([]byte, bulkBytes)
		r.Read(in)
		r.Read(out)
		want := bytes.Clone(out)
		for i := range int(threads) {
			n := 16 * r.Intn(15)
			binary.LittleEndian.PutUint32(in[256*i:], uint32(n))
			block := want[256*i+16 : 256*i+16+n]
			clear(block) // shared memory is zero where nothing was copied
			if i < limit {
				copy(block, in[256*i+16:])
			}
		}
		got, err := runBulk(t, strings.ReplaceAll(bulkCopies, "LIMIT", fmt.Sprint(limit)), threads, in, out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%d threads, of which %d copy: the output differs", threads, limit)
		}
	}
}

// TestBulkLarge copies a block of more than 32 lanes by one thread, in both forms of the destination, and from shared
// to shared memory.
func TestBulkLarge(t *testing.T) {
	r := rand.New(rand.NewSource(82))
	for _, size := range []int{16, 496, 512, 528, 4096, 8192} {
		for _, space := range []string{"cluster", "cta"} {
			in, out := make([]byte, bulkBytes), make([]byte, bulkBytes)
			r.Read(in)
			got, err := runBulk(t, fmt.Sprintf(`@!%%p bra END; add.u32 %%r1, %%s, 8192;
cp.async.bulk.prefetch.L2.global [%%a], %d;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%m], %d;
cp.async.bulk.shared::%s.global.mbarrier::complete_tx::bytes.L2::cache_hint [buffer], [%%a], %d, [%%m], %%x0;
W: mbarrier.test_wait.parity.shared::cta.b64 %%q, [%%m], 0; @!%%q bra W;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%m], %d;
cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%%r1], [buffer], %d, [%%m];
V: mbarrier.try_wait.parity.shared::cta.b64 %%q, [%%m], 1; @!%%q bra V;
cp.async.bulk.global.shared::cta.bulk_group [%%b+32], [%%r1], %d;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END:`, size, size, space, size, size, size, size), 33, in, out)
			if err != nil {
				t.Fatal(err)
			}
			copy(out[32:], in[:size])
			if !bytes.Equal(got, out) {
				t.Errorf("%d bytes to shared::%s: the output differs", size, space)
			}
		}
	}
}

// bulkReduction is a reduction of elements of a size.
type bulkReduction struct {
	word string
	size int
	f    func(old, b uint64) uint64
}

// bulkReductions are the operations on global memory, as the host computes them.
func bulkReductions() []bulkReduction {
	signed := func(v uint64, size int) int64 { return int64(v<<(64-8*size)) >> (64 - 8*size) }
	list := []bulkReduction{
		{"inc.u32", 4, func(old, b uint64) uint64 {
			if old >= b {
				return 0
			}
			return old + 1
		}},
		{"dec.u32", 4, func(old, b uint64) uint64 {
			if old == 0 || old > b {
				return b
			}
			return old - 1
		}},
		{"add.f32", 4, func(old, b uint64) uint64 {
			v := math.Float32frombits(uint32(old)) + math.Float32frombits(uint32(b))
			return uint64(math.Float32bits(v))
		}},
		{"add.f64", 8, func(old, b uint64) uint64 {
			return math.Float64bits(math.Float64frombits(old) + math.Float64frombits(b))
		}},
	}
	for _, half := range []ptx.Scalar{ptx.TypeF16, ptx.TypeBF16} {
		for word, f := range map[string]func(a, b float64) float64{ // the order decides nothing
			"add.noftz.": func(a, b float64) float64 { return a + b }, "min.": math.Min, "max.": math.Max} {
			list = append(list, bulkReduction{word + half.String(), 2, func(old, b uint64) uint64 {
				return nearHalf(half, f(halfValue(half, old), halfValue(half, b)), ptx.RoundNearest)
			}})
		}
	}
	for _, w := range []struct {
		name string
		size int
	}{{"u32", 4}, {"s32", 4}, {"u64", 8}, {"s64", 8}} {
		least := func(a, b uint64) bool {
			if w.name[0] == 's' {
				return signed(a, w.size) < signed(b, w.size)
			}
			return a < b
		}
		if w.name != "s64" {
			list = append(list, bulkReduction{"add." + w.name, w.size, func(old, b uint64) uint64 { return old + b }})
		}
		for _, greatest := range []bool{false, true} {
			word := map[bool]string{false: "min.", true: "max."}[greatest]
			list = append(list, bulkReduction{word + w.name, w.size, func(old, b uint64) uint64 {
				if least(b, old) != greatest {
					return b
				}
				return old
			}})
		}
	}
	for name, size := range map[string]int{"b32": 4, "b64": 8} { // the order decides nothing
		list = append(list, bulkReduction{"and." + name, size, func(old, b uint64) uint64 { return old & b }},
			bulkReduction{"or." + name, size, func(old, b uint64) uint64 { return old | b }},
			bulkReduction{"xor." + name, size, func(old, b uint64) uint64 { return old ^ b }})
	}
	return list
}

// fill writes operands: any whole numbers, and floats of moderate size.
func (c *bulkReduction) fill(r *rand.Rand, lists ...[]byte) {
	for _, b := range lists {
		if r.Read(b); !strings.Contains(c.word, "f") {
			continue
		}
		half := ptx.TypeF16
		if strings.HasSuffix(c.word, "bf16") {
			half = ptx.TypeBF16
		}
		for i := 0; i+c.size <= len(b); i += c.size {
			v := r.Float64()*200 - 100
			bits := math.Float64bits(v)
			switch c.size {
			case 2:
				bits = nearHalf(half, math.Trunc(v), ptx.RoundNearest)
			case 4:
				bits = uint64(math.Float32bits(float32(v)))
			}
			writeBytes(b[i:], uint8(c.size), bits)
		}
	}
}

// TestBulkReductions adds, compares and combines blocks in global memory with whole numbers and floats.
func TestBulkReductions(t *testing.T) {
	r := rand.New(rand.NewSource(83))
	for _, c := range bulkReductions() {
		in, out := make([]byte, bulkBytes), make([]byte, bulkBytes)
		c.fill(r, in, out)
		const size = 1040
		got, err := runBulk(t, fmt.Sprintf(`@!%%p bra END; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%m], %d;
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [buffer], [%%a], %d, [%%m];
cp.reduce.async.bulk.global.shared::cta.bulk_group.%s [%%b], [buffer], %d;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
END:`, size, size, c.word, size), 32, in, out)
		if err != nil {
			t.Fatalf("%s: %v", c.word, err)
		}
		for i := 0; i < size; i += c.size {
			writeBytes(out[i:], uint8(c.size), c.f(readBytes(out[i:], uint8(c.size)), readBytes(in[i:], uint8(c.size))))
		}
		if !bytes.Equal(got, out) {
			t.Errorf("%s: the output differs", c.word)
		}
	}
}

// TestAsyncFaults has what PTX leaves undefined: it is a fault that says what is wrong, where.
func TestAsyncFaults(t *testing.T) {
	const fetch = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
	for _, c := range [][2]string{
		{"mbarrier.arrive.shared.b64 %x0, [other];",
			"mbarrier.arrive: the mbarrier is not initialized (offset 0x"},
		{"mbarrier.test_wait.parity.shared.b64 %q, [other], 0;",
			"the mbarrier is not initialized"},
		{"mbarrier.inval.shared.b64 [%m]; mbarrier.arrive.shared.b64 _, [%m];",
			"the mbarrier is not initialized"},
		{"mbarrier.init.shared.b64 [%m], %r7;",
			"mbarrier.init: an mbarrier is for 1 to 1048575 arrivals, not 0"},
		{"mbarrier.arrive.shared.b64 _, [%m], 2;",
			"2 arrivals at an mbarrier that waits for 1"},
		{"mbarrier.arrive.shared.b64 _, [%m], %r7;",
			"an arrival counts for 1 or more, not 0"},
		{"mbarrier.arrive.noComplete.shared.b64 %x0, [%m], 1;",
			".noComplete, but this arrival completes the phase"},
		{"mbarrier.expect_tx.shared.b64 [%m], 1048575; mbarrier.expect_tx.shared.b64 [%m], 1;",
			"would wait for 1048576 bytes: the limit is 1048575"},
		{"mbarrier.arrive.shared.b64 %x0, [%m]; mbarrier.arrive.shared.b64 _, [%m]; " +
			"mbarrier.test_wait.shared.b64 %q, [%m], %x0;",
			"a phase 2 before"},
		{"mbarrier.arrive.shared.b64 _, [%m+4];",
			"misaligned access: 8 bytes"},
		{"mbarrier.arrive.b64 _, [%a];",
			"an mbarrier lies in shared memory"},
		{"mov.u32 %n, 24; " + fetch + "[%s], [%a], %n, [%m];",
			"the size, 24 bytes, is not a multiple of 16"},
		{fetch + "[%s+8], [%a], 32, [%m];",
			"is not a multiple of 16"},
		{fetch + "[%s], [%a+4], 32, [%m];",
			"is not a multiple of 16"},
		{fetch + "[%s], [%b+16352], 64, [%m];",
			"is outside of every allocation"},
		{fetch + "[%s+16368], [%a], 64, [%m];",
			"of shared memory, which has"},
		{"cp.async.bulk.global.shared::cta.bulk_group [%b+16368], [%s], 32;",
			"is outside of every allocation"},
	} {
		body, want := c[0], c[1]
		_, err := runBulk(t, "@!%p bra END; "+body+"\nEND:", 40, nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "CTA (0,0,0) warp 0 thread (0,0,0)") || !strings.HasPrefix(err.Error(), "test:9:") {
			t.Errorf("%s: %v, want %q in line 9", body, err, want)
		}
	}
}

// TestBulkLeavesOtherLanesAlone: one lane of a warp copies on a path of its own while the others wait for it, and their
// values stay what they are. A copy goes through registers of all lanes.
func TestBulkLeavesOtherLanesAlone(t *testing.T) {
	values := func(format string) (text string) {
		for i := range 24 {
			text += fmt.Sprintf(format, i, i)
		}
		return text
	}
	const expect, arrive = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], 512;",
		"mbarrier.arrive.shared::cta.b64 _, [%m];"
	for name, copy := range map[string]string{
		"bulk":      expect + "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%a], 512, [%m];",
		"reduction": "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [%b], [%s], 512;" + arrive,
		"tensor": expect + "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes " +
			"[%s], [%x1, {0}], [%m];",
		"tensor reduction": "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%x1, {0}], [%s];" + arrive,
	} {
		body := `.reg .b32 %v<24>; .reg .b32 %o; mov.u32 %o, other; add.u64 %x1, %a, 8192;
			@%p mbarrier.init.shared::cta.b64 [%o], 31; bar.sync 0;
			@!%p bra OTHERS;
			READY: mbarrier.try_wait.parity.shared::cta.b64 %q, [%o], 0; @!%q bra READY;
			` + copy + ` mov.u32 %n, 7; bra STORE;
			OTHERS: ` + values("mad.lo.u32 %%v%d, %%t, 3, %d;") + `
			mbarrier.arrive.shared::cta.b64 _, [%o];
			WAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], 0; @!%q bra WAIT;
			mov.u32 %n, 0;` + values("mad.lo.u32 %%n, %%v%d, %d, %%n;") + `
			STORE: mul.wide.u32 %x0, %t, 4; add.u64 %x0, %x0, %b; st.global.u32 [%x0+4096], %n;`
		in := bytes.Repeat([]byte{0x5a}, bulkBytes)
		m := ptx.TensorMap{Type: 2, Rank: 1, Address: mem.DefaultBase, Dims: [5]uint64{128},
			Box: [5]uint32{128}, ElementStrides: [5]uint32{1}}
		in = append(in[:8192], m.Encode()...)
		got, err := runBulk(t, body, 32, in, make([]byte, bulkBytes))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for lane := range uint32(32) {
			want := uint32(7)
			if lane > 0 {
				want = 0
				for i := range uint32(24) {
					want += (3*lane + i) * i
				}
			}
			if v := binary.LittleEndian.Uint32(got[4096+4*lane:]); v != want {
				t.Errorf("%s: lane %d has %d, not %d", name, lane, v, want)
			}
		}
	}
}
