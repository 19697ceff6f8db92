package experiment

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/scenario"
)

// copiesOf runs a program of Hopper on a small part of an H200, and calls look in the cycle of every nth burst that
// reads data.
func copiesOf(t *testing.T, program, data string, size, n int,
	look func(past *Past, e *probe.Event, c *execute.Copying)) {
	t.Helper()
	s := scenario.Default(program)
	s.Machine.Preset, s.Machine.Overrides = "h200", scenario.Overrides{"sms": 4, "controllers": 2}
	s.Workload.Size, s.Workload.Data = size, data
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	past, result := recorded(t, p, 1<<30, 20_000)
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
