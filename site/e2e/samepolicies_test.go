package e2e

import (
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/policy"
)

// TestPoliciesSameBits: a program has one result under a policy of L1, natively and as WebAssembly under node. The first
// program runs under every policy, and each of the four others under every fourth. The sums of the controllers are
// floating-point numbers, so a compiler that rounds otherwise would show here.
func TestPoliciesSameBits(t *testing.T) {
	t.Parallel()
	cli := buildForNode(t)
	for i, p := range []struct {
		name, data string
		size       int
	}{{"bfs1", "suite", 2048}, {"kmeans", "connections", 2048}, {"floydwarshall", "suite", 64}, {"similarity", "suite", 64}, {"dijkstra", "suite", 64}} {
		if testing.Short() && i > 0 {
			break
		}
		hashes := map[string]bool{}
		for k := range policy.Table {
			if i > 0 && k%4 != i-1 {
				continue
			}
			native := sameUnderNode(t, cli, p.name, "workload.data="+p.data, fmt.Sprintf("workload.size=%d", p.size), "machine.preset=gtx480v3",
				"memory.codec=none", "memory.approximation=none", "l1.store="+policy.Table[k].Name, "l1.phase=64", "l1.period=4")
			hashes[native.ResultHash] = true
		}
		if i == 0 && len(hashes) < 5 || len(hashes) < 2 {
			t.Errorf("%s has %d results under its policies, which tests little", p.name, len(hashes))
		}
	}
}
