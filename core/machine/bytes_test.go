package machine

import (
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
