package dram

import "testing"

// TestGroupOf: channel and checker agree on which banks share a group. GPGPU-Sim 3.2.1
// has two groups of eight banks.
func TestGroupOf(t *testing.T) {
	v3 := GTX480()
	v3.BankGroups, v3.GroupOf = 2, GroupHigh
	tests := []struct {
		name          string
		spec          Spec
		first, second int
		same          bool
	}{
		{"low, neighbours", GTX480(), 0, 1, false},
		{"low, four apart", GTX480(), 1, 5, true},
		{"high, neighbours", v3, 0, 1, true},
		{"high, ends of a half", v3, 8, 15, true},
		{"high, across the halves", v3, 7, 8, false},
	}
	for _, v := range tests {
		timing, err := v.spec.Resolve(32)
		if err != nil {
			t.Fatal(err)
		}
		want := timing.CCDS
		if v.same {
			want = timing.Distance(Read, Read, SameGroup)
		}
		c := NewChannel(&timing)
		for i, bank := range []int{v.first, v.second} {
			c.Issue(Activate, bank, 1, uint64(i)*timing.Distance(Activate, Activate, Anywhere))
		}
		const at = 100
		c.Issue(Read, v.first, 1, at)
		if got := c.EarliestColumn(Read, v.second) - at; got != want {
			t.Errorf("%s: the channel reads bank %d %d clocks after bank %d, want %d", v.name, v.second, got, v.first, want)
		}
		for early := range uint64(2) {
			k := NewChecker(v.spec, 32)
			k.Command(Activate, v.first, 1, 0)
			k.Command(Activate, v.second, 1, timing.Distance(Activate, Activate, Anywhere))
			k.Command(Read, v.first, 1, at)
			k.Command(Read, v.second, 1, at+want-early)
			if legal := k.Err() == nil; legal != (early == 0) {
				t.Errorf("%s: a read %d clocks after the first: the checker says %v", v.name, want-early, k.Err())
			}
		}
	}
}
