package scheme

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
)

// TestRFVPIsChecked: settings that cannot be are refused with their path.
func TestRFVPIsChecked(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"ways", "5", "loads.entries: 192 rows are no whole number of sets of 5 ways"},
		{"which", "foo", `loads.which: "foo" selects no loads`},
		{"drop", "1001", "loads.drop: 1001 is out of range: use 0 to 1000 thousandths"},
		{"groups", "3", "loads.groups: 3 is out of range"},
		{"predictor", "magic", `loads.predictor: unknown predictor "magic"`},
		{"entries", "192", ""},
	} {
		s := Default()
		for _, set := range [][2]string{{"policy", "rfvp"}, {c.key, c.value}} {
			if err := s.Loads.Set(Find("loads"), set[0], set[1]); err != nil {
				t.Fatal(err)
			}
		}
		e := &fault.Errors{}
		s.Validate(e, "")
		g := &parameter.GPU{Name: "toy"}
		g.SM.L1Loads = true
		s.Check(g, e, "")
		if got := e.Error(); len(e.List) == 0 != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s, want %s", c.key, c.value, got, c.want)
		}
		g.SM.L1Loads = false
		e = &fault.Errors{}
		s.Check(g, e, "")
		if got := e.Error(); !strings.Contains(got, "loads.policy: global loads of toy bypass L1") {
			t.Errorf("on a machine whose loads bypass L1: %s", got)
		}
	}
}
