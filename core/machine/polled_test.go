package machine

import (
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// TestSleepingIsPolling: SMs that sleep until something can change have the same counters at any cycle as SMs that the
// engine asks in each cycle. Loads and stores that go to 32 lines of one slice fill the crossbar's inputs, so
// that load/store units wait for it.
func TestSleepingIsPolling(t *testing.T) {
	scatter := "mul.lo.u32 %r, %t, 1056;\nand.b32 %r, %r, 0x1fff80;\nmul.wide.u32 %a, %r, 1;\nadd.u64 %a, %a, %p;\n" +
		"ld.global.u32 %r, [%a];\nadd.u32 %r, %r, 1;\nst.global.u32 [%a+64], %r;\nld.global.u32 %r, [%a+128];\nadd.u32 %r, %r, 1;\nst.global.u32 [%a], %r;"
	bodies := map[string]string{"scattered lines": scatter, "stores": bodiesAhead["stores"], "atomics": bodiesAhead["atomics"]}
	for _, name := range []string{"mini", "gtx480", "gtx580b", "v100"} {
		if testing.Short() && name != "mini" {
			continue // in WebAssembly the work is the same
		}
		for what, body := range bodies {
			open := func() *Machine {
				spec := built(name)
				m, err := New(spec, jobOf(t, spec, body, 1<<22, spec.SMs*2, 128))
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
			sleeping, polled := open(), open()
			for at, done := sim.Cycle(0), false; !done; {
				if at++; at > 30_000 {
					break
				}
				for id := range 1 + len(polled.sms) { // the dispatcher and the SMs come first
					polled.apart.front.Wake(sim.ID(id), at)
				}
				var err error
				if _, err = polled.Advance(at); err != nil {
					t.Fatal(err)
				}
				if done, err = sleeping.Advance(at); err != nil {
					t.Fatal(err)
				}
				if at%64 != 0 && !done {
					continue
				}
				for i, k := range sleeping.Counts() {
					if !slices.Equal(k.Counts, polled.Counts()[i].Counts) {
						t.Fatalf("%s, %s, cycle %d: other counts of the instructions", name, what, at)
					}
				}
				if a, b := sleeping.Stats(), polled.Stats(); a != b {
					for c := range a {
						if a[c] != b[c] {
							t.Fatalf("%s, %s, cycle %d: %s is %d for SMs that sleep, %d for SMs that are asked in each cycle", name, what, at, stat.Describe(stat.Counter(c)).Name, a[c], b[c])
						}
					}
				}
			}
			if n := sleeping.Stats()[stat.L1Blocked]; what == "scattered lines" && n == 0 {
				t.Errorf("%s: the crossbar refused nothing", name)
			}
			if s, p := sleeping.Ticks(), polled.Ticks(); s >= p {
				t.Errorf("%s, %s: %d ticks asleep, %d in each cycle", name, what, s, p)
			}
		}
	}
}
