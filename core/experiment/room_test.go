package experiment

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
)

// TestNoRoomForACTA: a program whose CTAs are too large for the machine is refused, also by what counts its waves, with
// the presets that have room: each of them runs it.
func TestNoRoomForACTA(t *testing.T) {
	s := scenario.Default("hopperattention")
	s.Workload.Size = 128
	p := mustPlan(t, s)
	_, refused := NewStudy(p)
	_, counted := p.Fill()
	var list *fault.Errors
	if !errors.As(refused, &list) || counted == nil || counted.Error() != refused.Error() {
		t.Fatalf("%v, and by waves %v", refused, counted)
	}
	var names []string
	for _, x := range list.List[0].Fixes {
		names = append(names, x.Value)
		if err := s.Set(x.Path, x.Value); err != nil {
			t.Fatal(err)
		}
		if _, err := NewStudy(mustPlan(t, s)); err != nil {
			t.Errorf("%s has room, and says %v", x.Value, err)
		}
	}
	if !slices.Contains(names, "h200") || slices.Contains(names, "gtx580b") ||
		!strings.Contains(list.List[0].Mend, strings.Join(names, ", ")) {
		t.Errorf("%v, %s", names, list.List[0].Mend)
	}
}
