package machine

import (
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
)

// bodiesAhead are kernels whose SMs wait for everything that an SM can wait for.
var bodiesAhead = map[string]string{
	"loads and a barrier": "and.b32 %t, %t, 63;\n" + summing,
	"stores": ".reg .u32 %i;\nmov.u32 %i, 0;\nand.b32 %r, %t, 63;\nmul.wide.u32 %a, %r, 4;\nadd.u64 %a, %a, %p;\n" +
		"L: st.global.u32 [%a], %i;\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 20;\n@%q bra L;\nmembar.gl;\nst.global.u32 [%a], %t;",
	"atomics": ".reg .u32 %i;\nmov.u32 %i, 0;\nL: atom.global.add.u32 %r, [%p], %t;\nred.global.add.u32 [%p+128], %r;\n" +
		"add.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 6;\n@%q bra L;",
	"shared memory and divergence": ".reg .u32 %i;\n.shared .align 4 .b8 s[1024];\n.reg .u32 %b;\nmov.u32 %b, s;\nmul.lo.u32 %r, %t, 8;\nand.b32 %r, %r, 1020;\nadd.u32 %b, %b, %r;\n" +
		"and.b32 %i, %t, 7;\nL: st.shared.u32 [%b], %i;\nld.shared.u32 %r, [%b];\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 12;\n@%q bra L;\n" +
		"and.b32 %t, %t, 63;\nmul.wide.u32 %a, %t, 4;\nadd.u64 %a, %a, %p;\nst.global.u32 [%a], %r;",
}

// TestWorkingAheadIsTicking: SMs that work ahead give the same states, counters and events, in the
// same order, as SMs that tick in every cycle of their work, however the run is sliced, with CTAs
// that follow each other and two launches.
func TestWorkingAheadIsTicking(t *testing.T) {
	t.Parallel()
	type seen struct {
		cycle  sim.Cycle
		digest string
	}
	for _, name := range []string{"mini", "gtx480", "gtx580b", "v100"} {
		if testing.Short() && name != "mini" {
			continue // in WebAssembly the work is the same
		}
		for what, body := range bodiesAhead {
			play := func(ahead bool, slice sim.Cycle) (*Machine, []seen, []probe.Event, int) {
				spec := built(name)
				tap := probe.NewTap(1 << 20)
				job := build(t, spec, body).job
				job.Image = new(mem.Image)
				job.Image.CopyFrom(build(t, spec, body).job.Image)
				first := *job.Launches[0]
				first.Grid = [3]uint32{uint32(spec.SMs*2 + 3), 1, 1}
				first.Block = [3]uint32{192, 1, 1}
				job.Launches = []*ptx.Launch{&first, &first}
				job.Tap = tap
				m, err := New(spec, job)
				if err != nil {
					t.Fatal(err)
				}
				asked := 0
				for _, s := range m.sms {
					s.WorkAhead(m.apart.front, m.dispatcher, func() bool { asked++; return ahead })
				}
				var states []seen
				var events []probe.Event
				for at, next := sim.Cycle(0), sim.Cycle(0); ; {
					at += slice
					done, err := m.Advance(at)
					if err != nil {
						t.Fatal(err)
					}
					m.Settle()
					tap.Take(func(e []probe.Event) { events = append(events, e...) })
					if at >= next {
						states = append(states, seen{at, m.Digest()})
						next = at + 5000
					}
					if done || at > 200_000 {
						break
					}
				}
				return m, states, events, asked
			}
			slow, states, events, ticks := play(false, 1000)
			for _, slice := range []sim.Cycle{1000, 125} {
				m, got, list, asked := play(true, slice)
				if asked >= ticks {
					t.Errorf("%s, %s: %d of %d ticks: the SMs do not work ahead", name, what, asked, ticks)
				}
				if m.Stats() != slow.Stats() {
					t.Errorf("%s, %s, slices of %d: other counters", name, what, slice)
				}
				if m.Work() < slow.Work()*9/10 {
					t.Errorf("%s, %s: %d units of work, %d without working ahead", name, what, m.Work(), slow.Work())
				}
				for i := range min(len(got), len(states)) {
					if slice == 1000 && got[i] != states[i] {
						t.Errorf("%s, %s: another state at cycle %d", name, what, got[i].cycle)
						break
					}
				}
				byCycle := func(a, b probe.Event) int { return int(a.Cycle) - int(b.Cycle) }
				if slice != 1000 { // bursts are announced early, as far as the slice goes
					slices.SortStableFunc(events, byCycle)
					slices.SortStableFunc(list, byCycle)
				}
				if len(events) == 0 || slice == 1000 && !slices.Equal(list, events) || len(list) != len(events) {
					t.Errorf("%s, %s, slices of %d: other events", name, what, slice)
				}
			}
		}
	}
}

// TestNoWakeIsLostAhead: a grant can ask for a tick that its SM has worked ahead of by then. A packet sent after that work
// asks for a later tick, and the engine keeps only the earlier one: when it comes, the SM must find the packet. Here CTAs of
// one warp follow each other while the others wait for memory, and with a wake lost the machine ends in another state.
func TestNoWakeIsLostAhead(t *testing.T) {
	const body = "mov.u32 %r, %ctaid.x;\nmad.lo.u32 %t, %r, 64, %t;\nmul.wide.u32 %a, %t, 132;\nand.b64 %a, %a, 0xffff8;\nadd.u64 %a, %a, %p;\n" +
		"ld.global.u32 %r, [%a];\nadd.u32 %r, %r, 1;\nst.global.u32 [%a], %r;\nld.global.u32 %r, [%a+4096];\nadd.u32 %r, %r, 1;\nst.global.u32 [%a], %r;"
	for _, name := range []string{"mini", "gtx480"} {
		play := func(ahead bool) (end sim.Cycle, digest string) {
			spec := built(name)
			m, err := New(spec, jobOf(t, spec, body, 1<<21, spec.SMs*30, 32))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range m.sms {
				s.WorkAhead(m.apart.front, m.dispatcher, func() bool { return ahead })
			}
			for done := false; !done; {
				if end += 1000; end > 100_000 {
					t.Fatalf("%s: the machine does not end", name)
				}
				if done, err = m.Advance(end); err != nil {
					t.Fatal(err)
				}
			}
			m.Settle()
			return end, m.Digest()
		}
		end, digest := play(true)
		if slowEnd, slow := play(false); end != slowEnd || digest != slow {
			t.Errorf("%s: SMs that work ahead end in another state, about cycle %d, those that do not about %d", name, end, slowEnd)
		}
	}
}
