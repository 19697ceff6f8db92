package claim

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/workload/programs"
)

// test ties a name in predicates to the test function that asserts it. A test of this
// package checks that the function exists.
type test struct{ name, folder, function string }

var tests = []test{
	{"slc.fig2_binning", "core/system/slc/tslc", "TestSLCFig2Binning"},
	{"slc.allocation_unchanged", "core/system/slc/tslc", "TestSLCAllocationUnchanged"},
	{"slc.mode_rule", "core/system/slc/tslc", "TestSLCModeRule"},
	{"slc.small_block_lossless", "core/system/slc/tslc", "TestSLCSmallBlockLossless"},
	{"slc.incompressible_raw", "core/system/slc/tslc", "TestSLCIncompressibleRaw"},
	{"slc.lowest_level_first_subblock", "core/system/slc/tslc", "TestSLCLowestLevelFirstSubblock"},
	{"slc.thr_ge_mag_always_lossy", "core/system/slc/tslc", "TestSLCThrGeMagAlwaysLossy"},
	{"e2mc.length_limit", "core/codec/e2mc", "TestE2MCLengthLimit"},
	{"e2mc.meta_11_uncompressed", "core/codec/e2mc", "TestE2MCMeta11Uncompressed"},
	{"e2mc.store_threshold_96", "core/codec/e2mc", "TestE2MCStoreThreshold96"},
	{"buddy.sector_split", "core/system/buddy/layout", "TestSplit"},
	{"buddy.no_realloc", "core/system/buddy/storage", "TestBuddySectorsOnRandomTraces"},
	{"rfvp.two_delta_update", "core/system/rfvp", "TestStrideIsLearntTwice"},
	{"rfvp.line_aligned_regions", "core/experiment", "TestRFVPLineAlignedRegions"},
	{"rfvp.drop_inserts_line", "core/experiment", "TestRFVPDropInsertsLine"},
	{"rfvp.undropped_is_normal_miss", "core/experiment", "TestDropRateZeroIsExact"},
	{"rfvp.nodrop_mode", "core/experiment", "TestRequestsAreSentAllTheSame"},
	{"latte.amat_uses_max0", "core/system/latte/policy", "TestLATTEAmatUsesMax0"},
	{"latte.eff_hit_latency", "core/system/latte/policy", "TestLATTEEffHitLatency"},
	{"latte.tolerance", "core/system/latte/policy", "TestLATTETolerance"},
	{"latte.hit_counter_window", "core/system/latte/policy", "TestLATTEHitCounterWindow"},
	{"latte.sc_rebuild_invalidate", "core/system/latte", "TestLATTEScRebuildInvalidate"},
}

func (s *session) test(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s: want the name of a test", b.Name())
	}
	name, _ := starlark.AsString(args[0])
	for _, t := range tests {
		if t.name == name {
			s.note("asserted by " + t.function + " of " + t.folder)
			return starlark.True, nil
		}
	}
	s.lack("test " + name + " does not exist")
	return starlark.False, nil
}

// regions is the number of buffers that a program marks as safe to approximate.
func (s *session) regions(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s: want a workload", b.Name())
	}
	id, _ := starlark.AsString(args[0])
	if n, known := s.safe[id]; known {
		return starlark.MakeInt(n), nil
	}
	w, err := s.reading.Workload(s.paper, id)
	if err != nil {
		s.lackError(err)
		return nothing, nil
	}
	info, err := programs.Describe(w.Name)
	if err != nil {
		return nil, err
	}
	p, err := programs.Build(w.Name, programs.Params{Size: info.Sizes[0], Data: w.Data})
	if err != nil {
		return nil, err
	}
	n := 0
	for i := range p.Buffers {
		if p.Buffers[i].Safe {
			n++
		}
	}
	s.safe[id] = n
	return starlark.MakeInt(n), nil
}
