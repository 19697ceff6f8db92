package experiment

import (
	"encoding/binary"
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

// TestGroupsOfCTAsWithoutAMachine: what no SM has room for is refused on a machine, with the number that fits, and runs
// without one.
func TestGroupsOfCTAsWithoutAMachine(t *testing.T) {
	const head = ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) "
	const barrier = "barrier.cluster.arrive; barrier.cluster.wait;"
	for _, c := range []struct {
		name, body, launch, want string
		cluster                  []int
		ctas, shared             int
	}{
		{name: "cluster", body: barrier, cluster: []int{8}, ctas: 16, shared: 40 << 10,
			want: "clusters of 8 CTAs, but gtx480 holds 4 at once: 1 on each of its 4 SMs, limited by shared memory"},
		{name: "cooperative", launch: scenario.LaunchCooperative, ctas: 40, shared: 40 << 10,
			want: "has 40 CTAs, but gtx480 holds 4 of them at once"},
	} {
		s := scenario.Default("")
		s.Machine.Preset, s.Machine.Overrides = "gtx480", scenario.Overrides{"sms": int64(4)}
		s.Workload.PTX = &scenario.PTX{
			Source: head + "{ .reg .u64 %a; ld.param.u64 %a, [out]; red.global.add.u32 [%a], 1; " + c.body + " ret; }",
			Entry:  "k", Grid: []int{c.ctas}, Block: []int{32}, Cluster: c.cluster, Shared: c.shared, Launch: c.launch,
			Args: []scenario.Arg{{Spec: "out:o:4"}},
		}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		p, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewStudy(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s on a machine: %v", c.name, err)
		}
		r, err := Functional(p, func(Progress) {})
		if err != nil {
			t.Errorf("%s without a machine: %v", c.name, err)
		} else if got := binary.LittleEndian.Uint32(r.Outputs[0]); got != uint32(32*c.ctas) {
			t.Errorf("%s: %d threads have added, of %d", c.name, got, 32*c.ctas)
		}
	}
}
