package machine

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// TestEveryPresetIsLegal watches the DRAM of every preset, refreshed in every way
// that it can be.
func TestEveryPresetIsLegal(t *testing.T) {
	for _, name := range presets() {
		for _, override := range [][2]string{{"dram.refresh", "allBanks"}, {"dram.refresh", "perBank"}, {"controller.rowPolicy", "close"}, {"controller.rowPolicy", "adaptive"}} {
			s := built(name)
			if f := s.Override(override[0], override[1]); f != nil {
				t.Fatal(f)
			}
			if len(s.Check(32)) > 0 {
				continue // refreshing bank by bank needs RFCPB
			}
			m := touching(t, s)
			l := m.WatchLegality()
			if err := m.Run(); err != nil {
				t.Fatal(err)
			}
			if err := l.End(); err != nil || l.Commands() == 0 {
				t.Errorf("%s %v: %d commands: %v", name, override, l.Commands(), err)
			}
		}
	}
}

// TestIllegalIsSeen: commands that break another specification are reported.
func TestIllegalIsSeen(t *testing.T) {
	m := touching(t, mini())
	l := m.WatchLegality()
	slow := mini()
	slow.DRAM.RCD++
	l.channels = nil
	for i := range m.spec.Slices() {
		l.watch(i, slow.DRAM)
	}
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	if l.End() == nil {
		t.Error("reads a cycle too early were found legal")
	}
}

// touching builds a machine that runs touchKernel.
func touching(t *testing.T, s *parameter.GPU) *Machine {
	t.Helper()
	module, err := compile.Load("k.ptx", []byte(touchKernel))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = image.Alloc("buffer", 1<<16); err != nil {
		t.Fatal(err)
	}
	m, err := New(s, Job{Launches: []*ptx.Launch{{Kernel: k, Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{64, 1, 1}}}, Image: image, Scheme: codec.NewRaw(32)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
