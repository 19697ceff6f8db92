package e2e

import (
	"encoding/json"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/policy"
	"github.com/burstscope/burstscope/core/scenario"
)

// TestPoliciesSameBits: a program has one result under a policy of L1, natively and as WebAssembly under node. The first
// program runs under every policy, and each of the four others under every fourth. The sums of the controllers are floating-point numbers, so a compiler that rounds otherwise would show here.
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
			store := policy.Table[k].Name
			s := scenario.Default(p.name)
			args := []string{cli.program, "run", "vecadd", "--format", "json"}
			for _, set := range [][2]string{
				{"workload.name", p.name}, {"workload.data", p.data}, {"workload.size", strconv.Itoa(p.size)}, {"machine.preset", "gtx480v3"},
				{"memory.codec", "none"}, {"memory.approximation", "none"}, {"l1.store", store}, {"l1.phase", "64"}, {"l1.period", "4"},
			} {
				if err := s.Set(set[0], set[1]); err != nil {
					t.Fatal(err)
				}
				args = append(args, "--set", set[0]+"="+set[1])
			}
			plan, err := experiment.PlanOf(s)
			if err != nil {
				t.Fatal(err)
			}
			run, err := experiment.New(plan, experiment.Options{})
			if err != nil {
				t.Fatal(err)
			}
			native, err := run.Finish()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(cli.exec, args...)
			cmd.Dir = root
			var faults strings.Builder
			cmd.Stderr = &faults
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s under %s: %v\n%s", p.name, store, err, faults.String())
			}
			var node experiment.Result
			if err := json.Unmarshal(out, &node); err != nil {
				t.Fatal(err)
			}
			if native.ResultHash == "" || node.ResultHash != native.ResultHash || node.Error != 0 {
				t.Errorf("%s under %s: natively %s, under node %s with error %g", p.name, store, native.ResultHash, node.ResultHash, node.Error)
			}
			hashes[native.ResultHash] = true
		}
		if i == 0 && len(hashes) < 5 {
			t.Errorf("%s has %d results under %d policies, which tests little", p.name, len(hashes), len(policy.Table))
		}
	}
}
