package experiment

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload"
)

// partOfH200 is a run of a program on a small part of an H200.
func partOfH200(t *testing.T, program, data string, size int) *Plan {
	t.Helper()
	s := scenario.Default(program)
	s.Machine.Preset, s.Machine.Overrides = "h200", scenario.Overrides{"sms": 4, "controllers": 2}
	s.Workload.Size, s.Workload.Data = size, data
	return mustPlan(t, s)
}

// copiesOf runs a program of Hopper on a small part of an H200, and calls look in the cycle of every nth burst that
// reads data.
func copiesOf(t *testing.T, program, data string, size, n int,
	look func(past *Past, e *probe.Event, c *execute.Copying)) {
	t.Helper()
	past, result := recorded(t, partOfH200(t, program, data, size), 1<<30, 20_000)
	_, list := seek(t, past, 0, past.Reached(), false)
	var bursts []probe.Event
	for _, e := range list {
		if e.Kind == probe.KindRead && e.B&1 == 0 {
			bursts = append(bursts, e)
		}
	}
	if uint64(len(bursts)) < result.Stats["dramReads"]/2 || len(bursts) < 2*n {
		t.Fatalf("%d bursts", len(bursts))
	}
	for i := 0; i < len(bursts); i += n {
		e := &bursts[i]
		seek(t, past, e.Cycle, e.Cycle, false)
		c := past.Machine().Copying(e.Req)
		if c == nil {
			t.Fatalf("%+v: no copy", e)
		}
		look(past, e, c)
	}
}

// TestCopiedBoxes: of bursts of hoppergemm, the words name the box, its place and its swizzle, the thread that issued
// the copy and its line, and the phase of the mbarrier, as the indices of the program have them: hoppergemm.cuh.
func TestCopiedBoxes(t *testing.T) {
	const n, tile, deep, stages, tileBytes, full = 256, 64, 32, 4, 4096, 40960
	boxes := map[string]int{}
	copiesOf(t, "hoppergemm", "outliers", n, 97, func(past *Past, e *probe.Event, c *execute.Copying) {
		image := past.Machine().Image()
		a := image.Allocations()[image.Find(e.Addr)]
		row, column := int(e.Addr-a.Base)/(2*n), int(e.Addr-a.Base)/2%n
		boxes[a.Name]++
		x, y := int(c.Issued.CTA[0]), int(c.Issued.CTA[1])
		k := int(c.Box.At[0]) / deep // the step
		want, end := "", "."
		switch a.Name {
		case "x":
			want = fmt.Sprintf("a box of %dx%d at (%d, %d), 4096 bytes of f16, by tensor map hopper_gemm_param_0 of x, "+
				"swizzle 64B, interleave none, to byte %#x of shared memory.", deep, tile, k*deep, row/tile*tile,
				k%stages*tileBytes)
			if x != row/tile {
				t.Errorf("row %d: CTA (%d, %d)", row, x, y)
			}
		case "w": // each CTA of a pair copies a half to both
			half := row % tile / (tile / 2)
			want = fmt.Sprintf("a box of %dx%d at (%d, %d), 2048 bytes of f16, by tensor map hopper_gemm_param_1 of w, "+
				"swizzle 64B, interleave none, to byte %#x of shared memory.", deep, tile/2, k*deep, row/(tile/2)*(tile/2),
				(stages+k%stages)*tileBytes+half*tileBytes/2)
			end = ", both in each CTA of the cluster that the mask 0x3 names."
			if x%2 != half || y != row/tile {
				t.Errorf("row %d: CTA (%d, %d)", row, x, y)
			}
		default:
			t.Fatalf("a burst of %s", a.Name)
		}
		// A block has the columns of two steps.
		if k != column/deep && k != column/deep+1 {
			t.Errorf("column %d: step %d", column, k)
		}
		want = fmt.Sprintf("Copy: thread (128,0,0) of CTA (%d,%d,0), warp 4, issued it in line %d of hoppergemm.ptx. It "+
			"moves %s It completes in phase %d (parity %d) of the mbarrier at byte %#x%s", x, y, c.Issued.Line, want, k/stages,
			k/stages%2, full+8*(k%stages), end)
		if got := past.Copied(e.Req); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		line := bytes.Split(past.run.plan.Program.PTX, []byte("\n"))[c.Issued.Line-1]
		if !bytes.Contains(line, []byte("cp.async.bulk.tensor.2d.shared::cluster.global")) {
			t.Errorf("line %d: %s", c.Issued.Line, line)
		}
	})
	if boxes["x"] == 0 || boxes["w"] == 0 {
		t.Errorf("bursts of buffers: %v", boxes)
	}
}

// TestCopiedBytes is the same of copies without a map: hopperrows copies whole rows.
func TestCopiedBytes(t *testing.T) {
	const pieceBytes = 4096 // hopperrows.cu
	copiesOf(t, "hopperrows", "softmax", 16, 501, func(past *Past, e *probe.Event, c *execute.Copying) {
		image := past.Machine().Image()
		a := image.Allocations()[image.Find(e.Addr)]
		if offset := e.Addr - a.Base; offset/pieceBytes != uint64(c.Issued.CTA[0]) {
			t.Errorf("byte %d of %s: CTA %v", offset, a.Name, c.Issued.CTA)
		}
		from := a.Name
		if c.Issued.CTA[0] > 0 {
			from = fmt.Sprintf("byte %d of %s", c.Issued.CTA[0]*pieceBytes, a.Name)
		}
		want := fmt.Sprintf("It moves %d bytes from %s to byte 0x0 of shared memory. It completes in phase 0 (parity 0) of "+
			"the mbarrier at byte 0x", pieceBytes, from)
		if got := past.Copied(e.Req); !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
	})
}

// storesOf runs a program, and calls look behind the cycle of every nth request of its copies with bytes for memory.
func storesOf(t *testing.T, p *Plan, n int,
	look func(past *Past, e *probe.Event, a *mem.Allocation, c *execute.Copying)) {
	t.Helper()
	past, _ := recorded(t, p, 1<<30, 20_000)
	_, list := seek(t, past, 0, past.Reached(), false)
	seen := 0
	for i := range list {
		e := &list[i]
		if e.Kind != probe.KindIssue {
			continue
		}
		launch := past.run.loaded.timed[0]
		if k := launch.Kernel.Code[e.B].Mem.Kind; k != ptx.AccessStore && k != ptx.AccessReduction {
			continue
		}
		if seen++; seen%n != 1 && n > 1 {
			continue
		}
		seek(t, past, e.Cycle+1, e.Cycle+1, false)
		c, image := past.Machine().Copying(e.Req), past.Machine().Image()
		if c == nil || !c.Stores {
			t.Fatalf("%+v: copy %+v", e, c)
		}
		look(past, e, &image.Allocations()[image.Find(e.Addr)], c)
	}
	if seen < 2*n {
		t.Fatalf("%d stores", seen)
	}
}

// TestStoredBoxes: the copies of hoppergemm's tiles to memory, as the indices of the program have them. Each request
// has 512 bytes of a tile of 64 rows, and the first thread of those that compute the tile issues the copy.
func TestStoredBoxes(t *testing.T) {
	const n, tile = 256, 64
	p := partOfH200(t, "hoppergemm", "outliers", n)
	storesOf(t, p, 5, func(past *Past, e *probe.Event, a *mem.Allocation, c *execute.Copying) {
		row, column := int(e.Addr-a.Base)/(2*n), int(e.Addr-a.Base)/2%n
		x, y := row/tile, column/tile
		if a.Name != "out" || c.Reduces {
			t.Fatalf("a store to %s, reduces: %v", a.Name, c.Reduces)
		}
		want := fmt.Sprintf("Copy: thread (0,0,0) of CTA (%d,%d,0), warp 0, issued it in line %d of hoppergemm.ptx. "+
			"It moves a box of %dx%d at (%d, %d), 8192 bytes of f16, by tensor map hopper_gemm_param_2 of out, swizzle none, "+
			"interleave none, from byte 0x8000 of shared memory.", x, y, c.Issued.Line, tile, tile, y*tile, x*tile)
		if got := past.Copied(e.Req); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		line := bytes.Split(past.run.plan.Program.PTX, []byte("\n"))[c.Issued.Line-1]
		if !bytes.Contains(line, []byte("cp.async.bulk.tensor.2d.global.shared::cta")) {
			t.Errorf("line %d: %s", c.Issued.Line, line)
		}
	})
}

// TestStoredBytes is the same without a map.
func TestStoredBytes(t *testing.T) {
	const pieceBytes = 4096 // hopperrows.cu
	p := partOfH200(t, "hopperrows", "softmax", 16)
	storesOf(t, p, 31, func(past *Past, e *probe.Event, a *mem.Allocation, c *execute.Copying) {
		cta := uint32(e.Addr-a.Base) / pieceBytes
		to := a.Name
		if cta > 0 {
			to = fmt.Sprintf("byte %d of %s", cta*pieceBytes, a.Name)
		}
		want := fmt.Sprintf("Copy: thread (0,0,0) of CTA (%d,0,0), warp 0, issued it in line %d of hopperrows.ptx. "+
			"It moves %d bytes to %s from byte 0x0 of shared memory.", cta, c.Issued.Line, pieceBytes, to)
		if got := past.Copied(e.Req); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	})
}

// adders is a program of 4 warps: each lane adds a row of 128 bytes to a row of out, and the first lane adds a box of
// four rows of shared memory to sums.
func adders() *workload.Program {
	m := ptx.TensorMap{Type: 2, Rank: 2, Dims: [5]uint64{32, 16}, Strides: [4]uint64{128}, Box: [5]uint32{32, 4},
		ElementStrides: [5]uint32{1, 1}} // u32
	return &workload.Program{
		Name: "adders", File: "adders.ptx", PTX: []byte(`.version 8.6
.target sm_90a
.address_size 64
.visible .entry adders(.param .u64 out, .param .align 64 .b8 map[128]) {
.reg .b64 %o, %x, %m; .reg .b32 %t, %c, %s, %y; .reg .pred %p;
.shared .align 128 .b8 rows[4096];
ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %s, rows; mad.lo.u32 %s, %t, 128, %s;
st.shared.u32 [%s], %t; fence.proxy.async.shared::cta; bar.sync 0;
mad.lo.u32 %y, %c, 32, %t; mul.wide.u32 %x, %y, 128; add.u64 %x, %o, %x;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%x], [%s], 128;
mov.b64 %m, map; cvta.param.u64 %m, %m; shl.b32 %y, %c, 2; mov.u32 %c, 0; setp.eq.u32 %p, %t, 0;
@%p cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%m, {%c, %y}], [%s];
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
ret; }
`),
		Buffers: []workload.Buffer{{Name: "out", Bytes: 4 * 4096, Output: true, Element: workload.ElementU32},
			{Name: "sums", Bytes: 2048, Output: true, Element: workload.ElementU32}},
		Launches: []workload.Launch{{Entry: "adders", Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{32, 1, 1},
			Args: []workload.Arg{workload.BufferArg(0), workload.Bytes(workload.TensorMap(&m, 1))}}},
	}
}

// TestReducedCopies: so are reductions, of each lane and with a map, and those of the first burst that reads what they
// add to.
func TestReducedCopies(t *testing.T) {
	overrides := map[string]any{"sms": 4, "controllers": 2}
	p := &Plan{Preset: "h200", Overrides: overrides, Scheme: scheme.Default(), Program: adders()}
	words := func(at int, buffer string, line int) string {
		row := at / 128
		cta, lane, what := row/32, row%32, ""
		if buffer == "sums" {
			cta, lane = row/4, 0
			what = fmt.Sprintf("a box of 32x4 at (0, %d), 512 bytes of u32, by tensor map map of sums, swizzle none, "+
				"interleave none,", 4*cta)
		} else {
			place := "out"
			if at > 0 {
				place = fmt.Sprintf("byte %d of out", at)
			}
			what = "128 bytes into " + place
		}
		return fmt.Sprintf("Copy: thread (%d,0,0) of CTA (%d,0,0), warp 0, issued it in line %d of adders.ptx. It "+
			"reduces %s from byte %#x of shared memory.", lane, cta, line, what, lane*128)
	}
	requests := map[string]int{}
	storesOf(t, p, 1, func(past *Past, e *probe.Event, a *mem.Allocation, c *execute.Copying) {
		line := map[string]int{"out": 10, "sums": 12}[a.Name]
		if got, want := past.Copied(e.Req), words(int(e.Addr-a.Base), a.Name, line); got != want || !c.Reduces {
			t.Errorf("%s\nwant %s", got, want)
		}
		requests[a.Name]++
	})
	if requests["out"] != 4*32 || requests["sums"] != 16 {
		t.Errorf("requests %v", requests)
	}
	for place, want := range map[string]string{"out+4200": words(4096, "out", 10), "sums+640": words(640, "sums", 12)} {
		if text, err := WhyFetched(p, place); err != nil || !strings.HasSuffix(text, "\n"+want+"\n") ||
			!strings.Contains(text, " is read in cycle ") {
			t.Errorf("%s: %v, %s\nwant %s", place, err, text, want)
		}
	}
}

// TestWhyWritten: of a block that no burst reads, the words say which copy writes it.
func TestWhyWritten(t *testing.T) {
	text, err := WhyFetched(partOfH200(t, "hoppergemm", "outliers", 128), "out+16500")
	// Row 64, so CTA (1, 0).
	for _, want := range []string{"byte 16384 of out: no burst is read for it. Slice ",
		" of L2 has the first request in cycle ",
		"cp.async.bulk.tensor.2d.global.shared::cta", "\nCopy: thread (0,0,0) of CTA (1,0,0), warp 0, issued it in line ",
		"It moves a box of 64x64 at (0, 64), 8192 bytes of f16, by tensor map hopper_gemm_param_2 of out, ",
		"from byte 0x8000 of shared memory.\n"} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("no %q in %v\n%s", want, err, text)
		}
	}
	if _, err := WhyFetched(&Plan{Preset: "mini", Scheme: scheme.Default(), Program: counting("")}, "out"); err == nil ||
		!strings.Contains(err.Error(), "never accessed") {
		t.Errorf("a buffer that nobody uses: %v", err)
	}
}
