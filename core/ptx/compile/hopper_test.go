package compile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/golden"
)

// hopperForms are the instructions that came with sm_90, by the begin of their forms, and the tests of what they do.
var hopperForms = [][2]string{
	{"wgmma.mma_async.sp", "TestSparseMultiply TestGroupMultiply"},
	{"wgmma.mma_async", "TestGroupMultiply TestGroupFaults TestGroupTime"},
	{"wgmma.", "TestGroupFaults TestGroupLegal TestSanitizer"},
	{"mma.sp", "TestSparseMultiply TestSparseFaults"},
	{"stmatrix", "TestStmatrix"},
	{"mbarrier.", "TestMbarriers TestMbarrierObject TestAsyncFaults"},
	{"cp.async.mbarrier", "TestMbarriers"},
	{"cp.async.bulk.tensor", "TestTensorLoads TestTensorStores TestTensorBox TestTensorFaults"},
	{"cp.reduce.async.bulk.tensor", "TestTensorReductions"},
	{"cp.async.bulk.prefetch", "TestGrammar"},
	{"cp.async.bulk.commit_group", "TestSanitizer TestBulkReductions"},
	{"cp.async.bulk.wait_group", "TestSanitizer TestBulkReductions"},
	{"cp.async.bulk", "TestBulkCopies TestBulkLarge TestClusterMulticast TestBulkCopiesInTheMachine"},
	{"cp.reduce.async.bulk", "TestBulkReductions"},
	{"tensormap.", "TestTensormapReplace TestTensorMapRules"},
	{"prefetch.tensormap", "TestGrammar"}, {"prefetch.const.tensormap", "TestGrammar"},
	{"prefetch.param.tensormap", "TestGrammar"},
	{"st.async", "TestAsyncStores TestClustersInTheMachine TestSanitizer"},
	{"red.async", "TestAsyncReductions TestSanitizer"},
	{"mapa", "TestClusterRing"}, {"getctarank", "TestClusterRing"},
	{"barrier.cluster", "TestClusterRing TestClusterFaults TestClustersInTheMachine"},
	{"fence.proxy", "TestSanitizer TestOrders"}, {"membar.proxy", "TestGrammar"},
	{"fence.mbarrier_init", "TestSanitizer"},
	{"fence.acquire.sync_restrict", "TestGrammar"}, {"fence.release.sync_restrict", "TestGrammar"},
	{"elect", "TestVotesMatchesReductions"},
	{"setmaxnreg", "TestRegistersMove TestRegisterFaults TestRegistersMoveInTheMachine"},
	{"griddepcontrol", "TestGrammar"},
	{"clusterlaunchcontrol", ""}, {"multimem", ""}, {"st.bulk", ""},
}

// TestHopperTable writes the table of the forms of each instruction for sm_90a: how many the grammar has, how many
// compile, why the others do not, and which tests compare their results. TestGrammar fails for a form that is neither.
func TestHopperTable(t *testing.T) {
	type row struct {
		forms, supported int
		why              []string
	}
	rows := make([]row, len(hopperForms))
	for _, r := range grammarRules(t) {
		r.forms(func(form string) {
			i := slices.IndexFunc(hopperForms, func(h [2]string) bool { return strings.HasPrefix(form, h[0]) })
			if i < 0 {
				return
			}
			_, err := Load("form.ptx", []byte(grammarModule(form, "sm_90a")))
			rows[i].forms++
			if err == nil {
				rows[i].supported++
				return
			}
			_, why, listed := strings.Cut(strings.TrimSuffix(err.Error(), ")"), " (")
			if !listed {
				t.Errorf("%s: %v", form, err)
			} else if !slices.Contains(rows[i].why, why) {
				rows[i].why = append(rows[i].why, why)
			}
		})
	}
	var table [][]string
	tests := textOfTests(t, ".", "..", "../arith", "../execute", "../../machine", "../../sm")
	for i, h := range hopperForms {
		for _, test := range strings.Fields(h[1]) {
			if !strings.Contains(tests, "func "+test+"(") {
				t.Errorf("%s: there is no %s", h[0], test)
			}
		}
		if rows[i].forms == 0 {
			t.Errorf("the grammar has no form of %s", h[0])
		}
		table = append(table, []string{"`" + strings.TrimSuffix(h[0], ".") + "`", fmt.Sprint(rows[i].forms),
			fmt.Sprint(rows[i].supported), strings.Join(rows[i].why, ", "),
			strings.ReplaceAll(h[1], " ", ", ")})
	}
	golden.Table(t, "../README.md", "hopper", []string{"instruction", "forms", "run", "refused", "tests"}, table)
}

// textOfTests returns the sources of the tests in some folders.
func textOfTests(t *testing.T, folders ...string) string {
	var text strings.Builder
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d tests, %v", folder, len(files), err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(b)
		}
	}
	return text.String()
}
