package series_test

import (
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/probe/series"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system/buddy"
)

func total[T uint32 | uint64](column []T) (sum uint64) {
	for _, v := range column {
		sum += uint64(v)
	}
	return sum
}

// tapped returns a run of a scenario with all of its events.
func tapped(t *testing.T, text string) (*experiment.Run, *probe.Tap) {
	t.Helper()
	s, err := scenario.ParseJSON("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	tap := probe.NewTap(1 << 22)
	run, err := experiment.New(p, experiment.Options{Tap: tap})
	if err != nil {
		t.Fatal(err)
	}
	return run, tap
}

// TestConservation: over a whole run the intervals add up to the counters of the
// result, however often they were joined, and the series stays small.
func TestConservation(t *testing.T) {
	run, tap := tapped(t, `{"version":1,"workload":{"name":"dct","size":512},"memory":{"codec":"e2mc16","approximation":"tslc-opt"}}`)
	var over *series.Series
	var err error
	for done := false; !done; {
		if done, err = run.Step(4096); err != nil {
			t.Fatal(err)
		}
		if over == nil && run.Machine() != nil {
			spec := run.Machine().Spec()
			over = series.New(spec.Slices(), spec.DRAM.Banks, 4, 0)
		}
		tap.Take(func(events []probe.Event) {
			if len(events) > 0 {
				over.Add(events)
			}
		})
	}
	stats := run.Result().Stats
	for _, c := range []struct {
		name string
		got  uint64
	}{
		{"burstsRead", total(over.Read)}, {"burstsWritten", total(over.Written)}, {"burstsMetadata", total(over.Metadata)},
		{"burstsSaved", total(over.Saved)}, {"activates", total(over.BankActivates)}, {"refreshes", total(over.Refreshes)},
	} {
		if c.got != stats[c.name] {
			t.Errorf("%s: %d over time, %d counted", c.name, c.got, stats[c.name])
		}
	}
	if all := total(over.BankBursts); all != stats["burstsRead"]+stats["burstsWritten"]+stats["burstsMetadata"] {
		t.Errorf("the banks moved %d bursts", all)
	}
	if over.Points > series.MostPoints || over.Points < series.MostPoints/2-1 || len(over.Read) != over.Points*over.Channels {
		t.Errorf("%d points of %d cycles, %d values", over.Points, over.IntervalCycles, len(over.Read))
	}
	if total(over.ReadQueue) == 0 || total(over.WriteQueue) == 0 {
		t.Errorf("queues %d, %d block cycles", total(over.ReadQueue), total(over.WriteQueue))
	}
}

// TestBuddyOverTime: the events of a run with Buddy Compression add up to the packets of the link and to the
// entries in buddy memory at the end, allocation by allocation, and nothing of it ever falls below zero.
func TestBuddyOverTime(t *testing.T) {
	run, tap := tapped(t, `{"version":2,"workload":{"name":"bfs1","size":2048},"machine":{"preset":"p100"},"memory":{"codec":"bpc"},"backing":{"kind":"buddy","targets":"4"}}`)
	result, err := run.Finish()
	if err != nil {
		t.Fatal(err)
	}
	spec, allocations := run.Machine().Spec(), len(buddy.ReportOf(run.Machine()).Allocations)
	over := series.New(spec.Slices(), spec.DRAM.Banks, 4, allocations)
	tap.Take(over.Add)
	last := (over.Points - 1) * allocations
	overflowed := uint64(0)
	for i, a := range buddy.ReportOf(run.Machine()).Allocations {
		if uint64(over.Met[last+i]) != a.Entries || uint64(over.Overflowed[last+i]) != a.Overflowed || a.UsedBytes > a.DeviceBytes {
			t.Errorf("%+v, over time %d of %d", a, over.Overflowed[last+i], over.Met[last+i])
		}
		overflowed += a.Overflowed
	}
	for k := range over.Met {
		if over.Overflowed[k] > over.Met[k] || k >= allocations && over.Met[k] < over.Met[k-allocations] {
			t.Fatalf("value %d: %d of %d entries in buddy memory", k, over.Overflowed[k], over.Met[k])
		}
	}
	if c := result.Stats; c["entriesOverflowed"]-c["entriesReturned"] != overflowed || overflowed == 0 {
		t.Errorf("%d entries in buddy memory, counted %d and %d", overflowed, c["entriesOverflowed"], c["entriesReturned"])
	}
	// Packets take whole base cycles, at least one, and cycles at both ends may be shared.
	busy, packets := total(over.LinkIn)+total(over.LinkOut), result.Stats["buddyReads"]+result.Stats["buddyWrites"]
	dram := result.Stats["linkBusyCycles"] * uint64(spec.CoreMHz) / uint64(spec.DRAMMHz)
	if busy > dram+2*packets || total(over.LinkIn) == 0 {
		t.Errorf("data on the link for %d cycles, packets for %d", busy, dram)
	}
}

// TestWaiting: a block counts in every interval it waits in, for as long as it
// does, before and after intervals are joined.
func TestWaiting(t *testing.T) {
	s := series.New(2, 4, 4, 0)
	s.Add([]probe.Event{
		{Cycle: 32, Kind: probe.KindQueue, Unit: 1, Addr: 128, Req: 5},
		{Cycle: 150, Kind: probe.KindRead, Unit: 1, Addr: 128, Req: 5, A: 3 | 0<<8 | 2<<16 | uint32(probe.ModeLossless)<<24},
		{Cycle: 200, Kind: probe.KindRead, Unit: 1, Addr: 128, Req: 5, A: 3 | 1<<8 | 2<<16 | uint32(probe.ModeLossless)<<24},
	})
	want := []uint64{32, 64, 64, 8}
	for i, v := range want {
		if got := s.ReadQueue[i*2+1]; got != v {
			t.Errorf("interval %d: %d block cycles, want %d", i, got, v)
		}
	}
	if s.Saved[3*2+1] != 2 || s.BankBursts[(3*2+1)*4+3] != 1 {
		t.Errorf("saved %v, bursts %v", s.Saved, s.BankBursts)
	}
	s.Add([]probe.Event{{Cycle: 64 * series.MostPoints, Kind: probe.KindRefresh, Unit: 0}})
	if s.IntervalCycles != 128 || s.Points != series.MostPoints/2+1 || s.ReadQueue[1] != 96 || s.ReadQueue[3] != 72 {
		t.Errorf("joined: %d points of %d cycles, %v", s.Points, s.IntervalCycles, s.ReadQueue[:4])
	}
}
