package experiment

import (
	"bytes"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// TestStoresOfAllPrograms: a buffer that a run of a program changes is one that the text of a kernel may store to, and
// so is each of its outputs. The text alone tells which of the others are inputs: no more are taken for outputs than
// the programs' authors know, but for those in mayStore.
func TestStoresOfAllPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("all programs take a while")
	}
	for _, name := range programs.Names() {
		s := scenario.Default(name)
		info, err := programs.Describe(name)
		if err != nil {
			t.Fatal(err)
		}
		s.Workload.Size = info.DefaultSize
		if len(info.Sizes) > 0 {
			s.Workload.Size = slices.Min(info.Sizes)
		}
		plan, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		p := plan.Program
		outputs := p.Outputs()
		for i := range p.Buffers {
			p.Buffers[i].Output = true
		}
		study, err := newStudy(plan)
		if err != nil {
			t.Fatal(err)
		}
		if err := study.RunFunctional(); err != nil {
			t.Fatal(err)
		}
		stored := make([]bool, len(p.Buffers))
		for i := range p.Launches {
			accesses := approximate.AccessesOf(study.loaded.launches[i].Kernel)
			for j, a := range p.Launches[i].Args {
				if a.Buffer >= 0 {
					stored[a.Buffer] = stored[a.Buffer] || accesses[j].Stores
				}
				if a.Value == nil {
					continue
				}
				for _, place := range a.Value.Places {
					stored[place.Buffer] = stored[place.Buffer] || accesses[j].Stores
				}
			}
		}
		for i := range p.Buffers {
			b := &p.Buffers[i]
			before := make([]byte, b.Bytes)
			copy(before, b.Init)
			changed := !bytes.Equal(before, study.exact[i])
			if changed && !stored[i] {
				t.Errorf("%s changes %s, which its text does not store to", name, b.Name)
			}
			if slices.Contains(outputs, i) && !stored[i] {
				t.Errorf("%s: the output %s is not one that its text stores to", name, b.Name)
			}
			if stored[i] && !changed && !slices.Contains(outputs, i) && !slices.Contains(mayStore[name], b.Name) {
				t.Errorf("%s: %s does not change, and its text may store to it", name, b.Name)
			}
		}
	}
}

// mayStore are buffers that a kernel can write to and does not in these runs.
var mayStore = map[string][]string{
	"backprop":  {"input_prev_weights"},    // the steps of weights that stay 0
	"bfs1":      {"d_updating_graph_mask"}, // it is cleared after each level
	"pagerank":  {"d_page_rank2"},          // of one iteration and the next
	"locktable": {"locks"},                 // all are free again at the end
	// Three blocks of the text have a register of one name each, for the addresses of three maps.
	"hoppergemm":      {"x", "w"},
	"hopperattention": {"query", "key", "value"},
}
