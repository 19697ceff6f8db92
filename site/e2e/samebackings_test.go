package e2e

import (
	"testing"

	"github.com/burstscope/burstscope/core/stat"
)

// TestBackingsSameBits: a program has one result under every kind of backing, natively and as WebAssembly under node.
// The profile that chooses targets compares floating-point ratios, so a compiler that rounds otherwise would show here.
func TestBackingsSameBits(t *testing.T) {
	t.Parallel()
	cli := buildForNode(t)
	hashes := map[string]string{}
	for _, b := range []struct {
		name string
		link bool // sectors are read over the link
		set  []string
	}{
		{"buddy with targets of a profile", false, []string{"memory.codec=bpc", "backing.kind=buddy"}},
		{"buddy with a slow link", true, []string{"memory.codec=bpc", "backing.kind=buddy", "backing.targets=4", "backing.gbPerSecond=50"}},
		{"bandwidth", false, []string{"memory.codec=bpc", "backing.kind=bandwidth"}},
		{"pinned", true, []string{"memory.codec=none", "backing.kind=pinned"}},
	} {
		native := sameUnderNode(t, cli, "bfs1", append([]string{"workload.data=suite", "workload.size=2048", "machine.preset=mini",
			"memory.approximation=none"}, b.set...)...)
		if reads := native.Stats[stat.Describe(stat.BuddyReads).Name]; (reads > 0) != b.link {
			t.Errorf("backing %s reads the link %d times, which this test does not expect", b.name, reads)
		}
		if other, ok := hashes[native.ResultHash]; ok {
			t.Errorf("the backings %s and %s have one result: %s", other, b.name, native.ResultHash)
		}
		hashes[native.ResultHash] = b.name
	}
}
