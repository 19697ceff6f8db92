package experiment

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
)

// buddyRun returns a run of a small program on a P100, with every block checked.
func buddyRun(t *testing.T, program string, size int, set ...string) (*Run, error) {
	t.Helper()
	s := smallScenario(t, program, size, "p100", "bpc", set...)
	if err := s.Validate(); err != nil {
		return nil, err
	}
	p, err := PlanOf(s)
	if err != nil {
		return nil, err
	}
	p.Paranoid, p.CheckDRAM = true, true
	return New(p, Options{})
}

func buddyResult(t *testing.T, program string, size int, set ...string) *Result {
	t.Helper()
	r, err := buddyRun(t, program, size, set...)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Machine().Leaks(); err != nil {
		t.Error(err)
	}
	checkExact(t, r, res)
	return res
}

// TestBuddyRuns: under every kind of backing outputs are exact, and L2's misses are the blocks
// that device memory, buddy memory or a queued write served. A run in small steps is the same.
func TestBuddyRuns(t *testing.T) {
	for _, program := range []struct {
		name string
		size int
	}{{"bfs1", 2048}, {"vecadd", 16384}, {"dct", 64}} {
		if testing.Short() && program.name != "bfs1" {
			continue // WebAssembly only has to give the same results
		}
		for _, set := range [][]string{
			{"backing.kind=buddy"}, {"backing.kind=buddy", "backing.targets=1"}, {"backing.kind=buddy", "backing.targets=4"},
			{"backing.kind=buddy", "backing.targets=4/3", "backing.metadataKB=0"}, {"backing.kind=bandwidth"}, {"backing.kind=pinned", "memory.codec=none"},
			{"backing.kind=buddy", "backing.targets=4/3", "backing.neighbours=address"},
			{"backing.kind=bandwidth", "backing.neighbours=address", "backing.metadataKB=2"},
			{"backing.kind=unified", "backing.pageKB=4", "backing.fault=1", "memory.codec=none"},
		} {
			name := program.name + " " + strings.Join(set, " ")
			res := buddyResult(t, program.name, program.size, set...)
			s := res.Stats
			equal := func(law string, a, b uint64) {
				t.Helper()
				if a != b {
					t.Errorf("%s: %s: %d against %d", name, law, a, b)
				}
			}
			get := func(c stat.Counter) uint64 { return s[stat.Describe(c).Name] }
			equal("L2 misses + repairs = controller reads", get(stat.L2Misses)+get(stat.L2RepairFills), get(stat.ControllerReads))
			read := get(stat.BlocksReadRaw) + get(stat.BlocksReadLossless)
			equal("controller reads = blocks served + forwards", get(stat.ControllerReads), read+get(stat.ControllerForwards))
			equal("headers", get(stat.LinkHeaderBytes), 32*(2*get(storage.LinkReads)+get(storage.LinkWrites)+32*(get(storage.PageFaults)+get(storage.PagesWrittenBack))))
			equal("bytes of the link", get(stat.LinkOutBytes)+get(stat.LinkInBytes), get(stat.LinkHeaderBytes)+get(storage.LinkReadBytes)+get(storage.LinkWriteBytes)+4096*(get(storage.PageFaults)+get(storage.PagesWrittenBack)))
			equal("bursts x MAG = bytes", 32*(get(stat.BurstsRead)+get(stat.BurstsWritten)+get(stat.BurstsMetadata)), get(stat.DRAMReadBytes)+get(stat.DRAMWriteBytes))
			if strings.Contains(name, "bandwidth") && get(stat.LinkCycles) != 0 || strings.Contains(name, "pinned") && get(stat.BurstsRead) != 0 {
				t.Errorf("%s: %d cycles of a link, %d bursts of device memory", name, get(stat.LinkCycles), get(stat.BurstsRead))
			}
			r, err := buddyRun(t, program.name, program.size, set...)
			if err != nil {
				t.Fatal(err)
			}
			for done := false; !done; {
				if done, err = r.Step(37); err != nil {
					t.Fatal(err)
				}
			}
			if got := r.Result().ResultHash; got != res.ResultHash {
				t.Errorf("%s: in small steps the hash is %s, not %s", name, got, res.ResultHash)
			}
		}
	}
}

// Unified memory that holds everything takes as long as device memory alone. With a half of the pages programs take longer, and
// with longer faults still longer; each page that comes is a packet of the link.
func TestUnifiedMemory(t *testing.T) {
	run := func(set ...string) *Result {
		return buddyResult(t, "bfs1", 2048, append([]string{"memory.codec=none"}, set...)...)
	}
	none, whole := run(), run("backing.kind=unified", "backing.share=100")
	if none.Cycles != whole.Cycles || whole.Stats["pageFaults"] != 0 || whole.Stats["linkCycles"] == 0 {
		t.Errorf("%d cycles, with unified memory that holds everything %d and %d faults", none.Cycles, whole.Cycles, whole.Stats["pageFaults"])
	}
	half, slow := run("backing.kind=unified", "backing.pageKB=4", "backing.fault=5"), run("backing.kind=unified", "backing.pageKB=4", "backing.fault=20")
	if half.Stats["pageFaults"] == 0 || half.Cycles < 2*none.Cycles || slow.Cycles < 2*half.Cycles {
		t.Errorf("%d cycles with everything, %d with a half of it and faults of 5 us, %d with 20 us", none.Cycles, half.Cycles, slow.Cycles)
	}
}

// A larger target takes less of the device and sends more to buddy memory; a slower link and a
// higher latency cost time; a target of 16x for all does not fit the carve-out.
func TestBuddyTargetsAndLink(t *testing.T) {
	last := -1.0
	for _, target := range []struct {
		name  string
		ratio float64
	}{{"1", 1}, {"4/3", 4.0 / 3}, {"2", 2}, {"4", 4}} {
		res := buddyResult(t, "bfs1", 2048, "backing.kind=buddy", "backing.targets="+target.name)
		if got := res.Metrics["capacityRatio"]; got != target.ratio {
			t.Errorf("target %s: a ratio of %v", target.name, got)
		}
		share := res.Metrics["buddyAccessShare"]
		if share < last || target.name == "1" && share != 0 {
			t.Errorf("target %s sends %v to buddy memory, the smaller one %v", target.name, share, last)
		}
		last = share
	}
	if last == 0 {
		t.Error("nothing goes to buddy memory at 4x")
	}
	cycles := func(set ...string) uint64 {
		return buddyResult(t, "bfs1", 2048, append([]string{"backing.kind=buddy", "backing.targets=4"}, set...)...).Cycles
	}
	fast, slow, late := cycles(), cycles("backing.gbPerSecond=2"), cycles("backing.latency=20")
	if slow <= fast || late <= fast {
		t.Errorf("%d cycles, with a slow link %d, with a late one %d", fast, slow, late)
	}
}

// A profile gives zeros and smooth data large targets and random data none, keeps to the
// threshold, and says which targets it chose.
func TestBuddyProfile(t *testing.T) {
	res := buddyResult(t, "dct", 64, "backing.kind=buddy")
	report := Reported[buddy.Report](res)
	if report == nil || len(report.Allocations) == 0 || res.Metrics["capacityRatio"] <= 1 {
		t.Fatalf("%+v", report)
	}
	naive := buddyResult(t, "dct", 64, "backing.kind=buddy", "backing.profile=naive")
	strict := buddyResult(t, "dct", 64, "backing.kind=buddy", "backing.threshold=0", "backing.profile=per-allocation")
	if naive.Metrics["capacityRatio"] > res.Metrics["capacityRatio"] || strict.Metrics["buddyAccessShare"] > res.Metrics["buddyAccessShare"] {
		t.Errorf("capacity %v, naive %v; buddy accesses %v, with a threshold of 0 %v", res.Metrics["capacityRatio"], naive.Metrics["capacityRatio"], res.Metrics["buddyAccessShare"], strict.Metrics["buddyAccessShare"])
	}
	if none := buddyResult(t, "dct", 64); none.BackingReport != nil || none.Stats["linkCycles"] != 0 || none.Stats["metadataAccesses"] == 0 {
		t.Errorf("without a backing: %+v", none.BackingReport)
	}
}

// TestBuddyRefuses: what cannot be is refused with its path and a way out.
func TestBuddyRefuses(t *testing.T) {
	for _, c := range []struct {
		set  []string
		want string
	}{
		{[]string{"backing.kind=buddy", "memory.codec=none"}, "memory.codec: backing buddy stores compressed entries, and there is no codec: set memory.codec to bpc"},
		{[]string{"backing.kind=pinned"}, "memory.codec: pinned host memory is not compressed"},
		{[]string{"backing.kind=unified"}, "memory.codec: unified memory is not compressed: set memory.codec to none"},
		{[]string{"backing.kind=unified", "memory.codec=none", "backing.share=0"}, "backing.share: 0 is out of range"},
		{[]string{"backing.kind=buddy", "memory.mag=64", "memory.threshold=16"}, "memory.codec: backing buddy divides entries into sectors of 32 bytes: set memory.mag to 32"},
		{[]string{"backing.kind=buddy", "memory.codec=e2mc16", "memory.probabilities=online"}, "memory.codec: backing buddy needs codes from the start of the run"},
		{[]string{"backing.kind=buddy", "backing.targets=3"}, `backing.targets: "3" is not a target ratio`},
		{[]string{"backing.kind=buddy", "backing.targets=nothing=2"}, `backing.targets: the program has no allocation "nothing": use one of`},
		{[]string{"backing.kind=buddy", "backing.targets=16"}, "backing.targets: the targets need"},
		{[]string{"backing.kind=buddy", "backing.threshold=101"}, "backing.threshold: 101 is out of range"},
		{[]string{"backing.kind=buddy", "backing.gbPerSecond=0"}, "backing.gbPerSecond: 0 is out of range"},
		{[]string{"backing.kind=buddy", "machine.preset=gtx480v3"}, "backing.kind: backing buddy needs an HBM2 preset such as p100: the controllers of gtx480v3 serve reads and writes from one queue"},
	} {
		r, err := buddyRun(t, "dct", 64, c.set...)
		if err == nil {
			_, err = r.Finish()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.set, err, c.want)
		}
	}
	// bfs1 has an allocation of 2,049 words: named, it is refused; under * it is padded.
	r, err := buddyRun(t, "bfs1", 2048, "backing.kind=buddy", "backing.targets=2")
	if err != nil {
		t.Fatal(err)
	}
	odd := ""
	for _, b := range r.Plan().Program.Buffers {
		if b.Bytes%128 != 0 {
			odd = b.Name
		}
	}
	if odd == "" {
		t.Fatal("bfs1 has no allocation with a part of an entry")
	}
	if r, err = buddyRun(t, "bfs1", 2048, "backing.kind=buddy", "backing.targets="+odd+"=2"); err == nil {
		_, err = r.Finish()
	}
	if err == nil || !strings.Contains(err.Error(), "not a multiple of an entry of 128 bytes") {
		t.Errorf("%s: %v", odd, err)
	}
}

// TestSavedBuddy: a machine that goes on from a saved state does the same, link included.
func TestSavedBuddy(t *testing.T) {
	savedBuddy(t, storage.LinkReads, "backing.kind=buddy", "backing.targets=4")
	savedBuddy(t, storage.PageFaults, "backing.kind=unified", "backing.pageKB=4", "backing.fault=1", "memory.codec=none")
}

func savedBuddy(t *testing.T, some stat.Counter, set ...string) {
	r, err := buddyRun(t, "bfs1", 2048, set...)
	if err != nil {
		t.Fatal(err)
	}
	for r.Machine() == nil || r.Machine().Now() < 3000 {
		if _, err := r.Step(500); err != nil {
			t.Fatal(err)
		}
	}
	m := r.Machine()
	twin, err := m.Twin(nil)
	if err != nil {
		t.Fatal(err)
	}
	twin.Load(m.Save(nil))
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	if err := twin.Run(); err != nil {
		t.Fatal(err)
	}
	if m.Digest() != twin.Digest() || m.Stats() != twin.Stats() || m.Stats()[some] == 0 {
		t.Errorf("the copy ends differently: %d and %d cycles", m.Cycles(), twin.Cycles())
	}
}
