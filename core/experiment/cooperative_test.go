package experiment

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

// TestCooperativeLaunch: a grid that must be resident together is refused if it is not, with the number of CTAs that
// fit. The same grid runs when it need not be.
func TestCooperativeLaunch(t *testing.T) {
	const source = ".version 7.0\n.target sm_50\n.address_size 64\n" +
		".visible .entry k() { .shared .b8 s[20000]; .reg .b32 %r; ld.shared.u32 %r, [s]; ret; }"
	for _, c := range []struct {
		preset, launch string
		ctas           int
		want           string
	}{
		// 48 KB of shared memory on each of 15 SMs: two CTAs of 20,000 bytes.
		{"gtx480", scenario.LaunchCooperative, 30, ""},
		{"gtx480", scenario.LaunchCooperative, 31,
			"has 31 CTAs, but gtx480 holds 30 of them at once: 2 on each of its 15 SMs, limited by shared memory"},
		{"gtx480", "", 31, ""},
		{"gtx480", "collective", 1, "launch"},
	} {
		s := scenario.Default("")
		s.Machine.Preset = c.preset
		s.Workload.PTX = &scenario.PTX{
			Source: source, Entry: "k", Grid: []int{c.ctas}, Block: []int{32}, Launch: c.launch,
		}
		err := s.Validate()
		if err == nil {
			var p *Plan
			if p, err = PlanOf(s); err == nil {
				_, err = NewStudy(p)
			}
		}
		if (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %d CTAs, %q: %v", c.preset, c.ctas, c.launch, err)
		}
	}
}
