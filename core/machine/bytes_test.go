package machine

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// TestStateBytes: the estimate is near what a machine really takes, on every preset,
// with a small and a large device memory.
func TestStateBytes(t *testing.T) {
	heap := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	for _, name := range presets() {
		for _, bytes := range []uint64{1 << 20, 64 << 20} {
			first := buildFor(t, built(name), "", bytes) // whose image and kernel the next one shares
			before := heap()
			job := first.job
			job.Image = new(mem.Image)
			job.Image.CopyFrom(first.job.Image)
			launch := *job.Launches[0]
			launch.Grid[0] = uint32(first.spec.SMs) // a CTA for each SM
			job.Launches = []*ptx.Launch{&launch}
			m, err := rebuild(first, job)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Run(); err != nil {
				t.Fatal(err)
			}
			took := heap() - before
			// The estimate is of a program that uses its memory; this one leaves nearly all of the caches unwritten.
			ways := m.spec.L2.Sets * m.spec.L2.Ways
			unwritten := cache.LinesBytes(ways, linesPerSlice(m.spec, bytes)) - cache.LinesBytes(ways, 0)
			unread := l1Bytes(m.spec, 0, bytes) - l1Bytes(m.spec, 0, 0)
			estimate := StateBytes(m.spec, 0, job.Launches, bytes) - uint64(m.spec.Slices())*unwritten - uint64(m.spec.SMs)*unread
			if ratio := float64(estimate) / float64(took); ratio < 0.8 || ratio > 1.25 {
				t.Errorf("%s with %d MB: estimated %d kB, took %d kB", name, bytes>>20, estimate>>10, took>>10)
			}
			runtime.KeepAlive(first)
			runtime.KeepAlive(m)
		}
	}
}

// TestReadSeesStores: the host reads what lies in L2, lines that are dirty in part and as a whole, from any byte to any
// other.
func TestReadSeesStores(t *testing.T) {
	const size, whole = 8192, 4096
	m := buildFor(t, mini(), "{ .reg .u64 %a, %o;\nmul.lo.u32 %r, %t, 3;\ncvt.u64.u32 %o, %r;\nadd.u64 %a, %p, %o;\n"+
		"or.b32 %r, %t, 1;\nst.global.u8 [%a], %r;\nmul.lo.u32 %r, %t, 4;\ncvt.u64.u32 %o, %r;\nadd.u64 %a, %p, %o;\n"+
		"st.global.u32 [%a+4096], %t;\n}", size)
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	want := make([]byte, size)
	for i := range 1024 {
		want[3*i] = byte(i | 1)
		want[whole+4*i], want[whole+4*i+1] = byte(i), byte(i>>8)
	}
	base := m.job.Image.Allocations()[0].Base
	in, full := 0, 0
	m.ForEachDirty(func(a mem.Addr, _ *mem.Line, dirty mem.ByteMask) {
		in++
		if dirty.Full() {
			full++
		}
	})
	if full == 0 || full == in {
		t.Errorf("of %d dirty lines %d are so as a whole: the test needs both", in, full)
	}
	for from := 0; from < size; from += 61 {
		for _, n := range []int{0, 1, 3, 127, 128, 129, 300, size - from} {
			got := make([]byte, min(n, size-from))
			m.Read(base+uint64(from), got)
			if !bytes.Equal(got, want[from:from+len(got)]) {
				t.Fatalf("%d bytes from byte %d differ", len(got), from)
			}
		}
	}
}
