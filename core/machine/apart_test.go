package machine

import (
	"maps"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// observer sees blocks and does nothing. It minds their order, so a machine with it has one engine.
type observer struct{}

func (observer) Observe(*mem.Line) {}

var observers = map[bool]memctrl.Observer{true: observer{}}

// TestApartIsTogether: a machine whose parts have engines of their own has the same states and counters as one with a
// single engine, however the run is sliced, with crossbars and L2 slices in other clocks, with queues that are bounded
// after a pipeline, and with two launches.
func TestApartIsTogether(t *testing.T) {
	t.Parallel()
	bodies := map[string]string{
		"scattered lines": "mul.lo.u32 %r, %t, 4224;\nmov.u32 %t, %ctaid.x;\nmad.lo.u32 %r, %t, 128, %r;\nand.b32 %r, %r, 2097024;\ncvt.u64.u32 %a, %r;\nadd.u64 %a, %a, %p;\n" +
			"ld.global.u32 %r, [%a];\nadd.u32 %r, %r, 1;\nst.global.u32 [%a+128], %r;\nld.global.u32 %r, [%a+4096];\nadd.u32 %r, %r, 1;\nst.global.u32 [%a], %r;",
	}
	for what, body := range bodiesAhead {
		bodies[what] = body
	}
	for k, name := range []string{"mini", "gtx480", "gtx580b", "gtx480v3", "v100", "a100"} {
		for i, what := range slices.Sorted(maps.Keys(bodies)) {
			if name != "mini" && (testing.Short() || (i+k)%2 == 0) {
				continue // every body on half of the presets; in WebAssembly the work is the same
			}
			var events [2][]probe.Event
			play := func(together bool, slice sim.Cycle, tapped bool) (*Machine, []string) {
				spec := built(name)
				job := jobOf(t, spec, bodies[what], 1<<22, spec.SMs*2+3, 192)
				job.Launches = append(job.Launches, job.Launches[0])
				job.Observer = observers[together]
				if tapped {
					job.Tap = probe.NewTap(1 << 22)
				}
				m, err := New(spec, job)
				if err != nil {
					t.Fatal(err)
				}
				if m.apart.on == together {
					t.Fatalf("%s, %s: apart: %v", name, what, m.apart.on)
				}
				var states []string
				for at := slice; ; at += slice {
					done, err := m.Advance(at)
					if err != nil {
						t.Fatal(err)
					}
					if at%4200 == 0 || done {
						m.Settle()
						states = append(states, m.Digest())
					}
					if done || at >= 50_400 {
						if tapped {
							job.Tap.Take(func(e []probe.Event) { events[arith.Bit(together)] = slices.Clone(e) })
							if n := job.Tap.Dropped(); n > 0 {
								t.Fatalf("%d events too many", n)
							}
						}
						return m, states
					}
				}
			}
			one, want := play(true, 4200, false)
			if _, states := play(true, 4200, true); !slices.Equal(states, want) {
				t.Fatalf("%s, %s: a tap changes the states", name, what)
			}
			for i, slice := range []sim.Cycle{4200, 140} {
				m, got := play(false, slice, i == 1)
				if i == 1 && !slices.Equal(events[0], events[1]) {
					k := 0
					for k < min(len(events[0]), len(events[1])) && events[0][k] == events[1][k] {
						k++
					}
					t.Errorf("%s, %s, slices of %d: other events than with one engine, from number %d of %d and %d on", name, what, slice, k, len(events[0]), len(events[1]))
				}
				a, b := m.Stats(), one.Stats()
				for c := range a {
					if a[c] != b[c] {
						t.Errorf("%s, %s, slices of %d: %s is %d, with one engine %d", name, what, slice, stat.Describe(stat.Counter(c)).Name, a[c], b[c])
					}
				}
				for i := range min(len(got), len(want)) - 1 { // a run ends with a slice
					if got[i] != want[i] {
						t.Errorf("%s, %s, slices of %d: another state at cycle %d", name, what, slice, (i+1)*4200)
						break
					}
				}
			}
		}
	}
}
