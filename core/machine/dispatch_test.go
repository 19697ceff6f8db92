package machine

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/stat"
)

// TestCTAInterval: the CTAs of an empty kernel start one after the other, an interval apart,
// on all SMs together, and every SM gets its share. Without an interval each SM starts one
// in a cycle, so the kernel is over sooner.
func TestCTAInterval(t *testing.T) {
	const ctas = 400
	cycles := func(millicycles int) uint64 {
		spec := mini()
		spec.CTAIntervalMillicycles = millicycles
		image, err := mem.NewImage(mem.DefaultBase, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		launch := &ptx.Launch{Kernel: kernelOf(t, ""), Grid: [3]uint32{ctas, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: make([]byte, 8)}
		m, err := New(spec, Job{Launches: []*ptx.Launch{launch}, Image: image, Scheme: codec.NewRaw(32)})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Run(); err != nil {
			t.Fatal(err)
		}
		if s := m.Stats(); s[stat.CTAs] != ctas {
			t.Fatalf("%d CTAs ran, want %d", s[stat.CTAs], ctas)
		}
		return uint64(m.Cycles())
	}
	free := cycles(0)
	for _, millicycles := range []int{10_000, 2_500, 25_000} {
		least := uint64(ctas-1) * uint64(millicycles) / 1000
		got := cycles(millicycles)
		// The last CTA ends some time after its start; the first read of the code comes from DRAM.
		if got < least || got > max(least, free)+free {
			t.Errorf("%d CTAs %d/1000 cycles apart take %d cycles, want %d and the time of one", ctas, millicycles, got, least)
		}
	}
	if few, many := cycles(1), cycles(10_000); few >= many || free > few {
		t.Errorf("%d cycles without an interval, %d with 1/1000 and %d with 10", free, few, many)
	}
}
