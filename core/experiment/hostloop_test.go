package experiment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/sim"
)

// hostLoopText is a host loop with a loop inside, so launches are left out in most rounds and at the end. step counts
// its launches and says whether rare runs in this round; rare takes that back. last runs at most once. Each kernel has
// its own grid.
const hostLoopText = `workload:
  ptx:
    source: |
      .version 7.0
      .target sm_50
      .address_size 64
      .visible .entry step(.param .u64 x, .param .u64 count, .param .u32 low, .param .u32 high) {
        .reg .b32 %%r<9>; .reg .b64 %%a<3>; .reg .pred %%p<3>;
        ld.param.u64 %%a0, [x]; ld.param.u64 %%a1, [count];
        mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x; mad.lo.u32 %%r0, %%r1, 64, %%r0; mul.wide.u32 %%a2, %%r0, 4;
        add.u64 %%a0, %%a0, %%a2; ld.global.u32 %%r2, [%%a0]; add.u32 %%r2, %%r2, 1; st.global.u32 [%%a0], %%r2;
        setp.ne.u32 %%p0, %%r0, 0; @%%p0 ret;
        atom.global.add.u32 %%r3, [%%a1], 1; ld.param.u32 %%r4, [low]; ld.param.u32 %%r5, [high];
        setp.ge.u32 %%p1, %%r3, %%r4; setp.lt.and.u32 %%p2, %%r3, %%r5, %%p1; selp.u32 %%r6, 1, 0, %%p2;
        st.global.u32 [%%a1+4], %%r6; ret; }
      .visible .entry rare(.param .u64 x, .param .u64 count) {
        .reg .b32 %%r<4>; .reg .b64 %%a<3>; ld.param.u64 %%a0, [x]; ld.param.u64 %%a1, [count];
        mov.u32 %%r0, %%tid.x; mul.wide.u32 %%a2, %%r0, 4; add.u64 %%a0, %%a0, %%a2; red.global.add.u32 [%%a0], 1000;
        mov.u32 %%r1, 0; st.global.u32 [%%a1+4], %%r1; ret; }
      .visible .entry last(.param .u64 x, .param .u64 count) {
        .reg .b32 %%r<4>; .reg .b64 %%a<3>; ld.param.u64 %%a0, [x]; ld.param.u64 %%a1, [count];
        mov.u32 %%r0, %%tid.x; mul.wide.u32 %%a2, %%r0, 4; add.u64 %%a0, %%a0, %%a2; red.global.add.u32 [%%a0], 3;
        red.global.add.u32 [%%a1], 10000; ret; }
    buffers: ["out:x:1024", "out:count:8"]
    block: [64]
    grid: [4]
    launches:
      - loop:
          rounds: %d
          steps:
            - {entry: step, args: ["ptr:x", "ptr:count", "u32:%d", "u32:%d"]}
            - loop:
                name: again
                rounds: 2
                while: {buffer: count, offset: 4, value: "u32:1"}
                steps: [{entry: rare, grid: [1], args: ["ptr:x", "ptr:count"]}]
          until: {buffer: count, is: at-least, value: "u32:%d"}
      - loop:
          name: tail
          rounds: 2
          while: {buffer: count, is: below, value: "u32:%d"}
          steps: [{entry: last, grid: [3], args: ["ptr:x", "ptr:count"]}]
`

// hostLoop is a shape of the program: how many rounds there may be, from which to which of them rare runs, after which
// the loop ends, and below which number of rounds last runs.
type hostLoop struct{ rounds, low, high, until, below int }

var hostLoops = map[string]hostLoop{
	"few":       {rounds: 12, low: 2, high: 5, until: 9, below: 100},
	"no rare":   {rounds: 8, low: 9, high: 9, until: 5, below: 0},
	"one round": {rounds: 8, low: 0, high: 9, until: 1, below: 100},
	// More launches than machine.MostLaunches. Most of them are left out, also the first ones of a kernel among those
	// without figures of their own.
	"few of many": {rounds: 400, low: 2, high: 5, until: 20, below: 100},
	"late":        {rounds: 400, low: 120, high: 125, until: 130, below: 100},
	"later":       {rounds: 400, low: 100, high: 103, until: 110, below: 200},
}

func (h hostLoop) plan(t *testing.T, set ...string) *Plan {
	t.Helper()
	text := fmt.Sprintf(hostLoopText, h.rounds, h.low, h.high, h.until, h.below)
	s, err := authoring.ParseYAML("h.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s.Machine.Preset = "mini"
	for i := 0; i < len(set); i += 2 {
		if err := s.Set(set[i], set[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// simulated are the launches that the host makes, by arithmetic.
func (h hostLoop) simulated() (entries []string, count int) {
	for count < min(h.rounds, h.until) {
		if entries = append(entries, "step"); count >= h.low && count < h.high {
			entries = append(entries, "rare")
		}
		count++
	}
	if count < h.below {
		entries, count = append(entries, "last"), count+3*64*10_000
	}
	return entries, count
}

// TestHostLoop: exactly the launches that the host makes are in the result; their figures, and those of their kernels,
// add up to the run; and the machine's output is the exact one.
func TestHostLoop(t *testing.T) {
	for name, h := range hostLoops {
		r, err := New(h.plan(t), Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Finish()
		if err != nil {
			t.Fatal(name, err)
		}
		want, count := h.simulated()
		var got []string
		for i := range res.Launches {
			got = append(got, res.Launches[i].Entry)
		}
		if !slices.Equal(got, want) || binary.LittleEndian.Uint32(res.Outputs[1]) != uint32(count) {
			t.Errorf("%s: count %d of %d, %d launches of %d: %v", name, res.Outputs[1], count, len(got), len(want), got)
			continue
		}
		if !slices.Equal(res.Outputs[0], res.Exact[0]) {
			t.Errorf("%s: the output differs from the exact one", name)
		}
		checkLaunches(t, r, res)
		kernels := map[string]uint64{}
		for _, entry := range want {
			kernels[entry]++
		}
		for _, k := range res.PerLaunch().Kernels {
			if kernels[k.Entry] != k.Launches {
				t.Errorf("%s: kernel %s has %d launches, want %d", name, k.Entry, k.Launches, kernels[k.Entry])
			}
			delete(kernels, k.Entry)
		}
		if len(kernels) > 0 {
			t.Errorf("%s: no figures of %v", name, kernels)
		}
	}
}

// TestHostLoopInSteps: steps of any size, and stored states in every part of the run, give the same result.
func TestHostLoopInSteps(t *testing.T) {
	for name, h := range hostLoops {
		if testing.Short() && name != "few" {
			continue
		}
		_, want := finish(t, h.plan(t))
		for _, step := range []uint64{1, 97, 256, 4099} {
			if step == 1 && name != "few" {
				continue
			}
			r, err := New(h.plan(t), Options{})
			for done := false; !done && err == nil; {
				done, err = r.Step(step)
			}
			if err != nil {
				t.Fatal(err)
			}
			got := r.Result()
			if got.ResultHash != want.ResultHash || !reflect.DeepEqual(got.PerLaunch(), want.PerLaunch()) {
				t.Errorf("%s: steps of %d change the result", name, step)
			}
		}
		r, err := New(h.plan(t), Options{})
		for done, n := false, 0; !done && err == nil; n++ {
			again := resumed(t, h.plan(t), stored(t, r, "this"))
			if again.Machine().Digest() != r.Machine().Digest() {
				t.Errorf("%s: cycle %d: the resumed machine has another state", name, r.Machine().Now())
			}
			got, fault := again.Finish()
			if fault != nil {
				t.Fatal(fault)
			}
			if got.ResultHash != want.ResultHash || !reflect.DeepEqual(got.PerLaunch(), want.PerLaunch()) {
				t.Errorf("%s: stored at cycle %d: another result", name, r.Machine().Now())
			}
			done, err = r.Step(want.Cycles/7 + 13)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestHostLoopPast: seeking gives the states, results and events of playing, also where the host looks at memory.
func TestHostLoopPast(t *testing.T) {
	for _, name := range []string{"few", "late"} {
		if testing.Short() && name != "few" {
			continue
		}
		p := hostLoops[name].plan(t)
		whole := play(t, p, 17, true)
		past, result := recorded(t, p, 64<<20, 2_000)
		if result.ResultHash != whole.result.ResultHash {
			t.Errorf("%s: keeping the past changes the result", name)
		}
		n := len(whole.cycles) - 1
		for k := range n {
			i := (k*5 + n - 1) % n
			to := whole.cycles[i]
			_, events := seek(t, past, to, to, k%3 == 2)
			if past.Machine().Digest() != whole.digests[i] {
				t.Fatalf("%s: cycle %d: another state than playing comes to", name, to)
			}
			if !reflect.DeepEqual(past.Result(), whole.partial[i]) {
				t.Errorf("%s: cycle %d: another result so far", name, to)
			}
			if len(events) > 0 {
				t.Errorf("%s: %d events in no time", name, len(events))
			}
		}
		var launches []uint32
		for _, e := range whole.events {
			if e.Kind == probe.KindLaunch {
				launches = append(launches, e.A)
			}
		}
		entries, _ := hostLoops[name].simulated()
		for i, launch := range launches {
			if got := p.Program.Launches[launch].Entry; got != entries[i] {
				t.Fatalf("%s: event %d starts %s, the host %s", name, i, got, entries[i])
			}
		}
	}
}

// TestHostLoopCancelled: a run that ends in the middle has the launches that began, and they add up.
func TestHostLoopCancelled(t *testing.T) {
	h := hostLoops["few"]
	_, want := finish(t, h.plan(t))
	for at := uint64(0); at < want.Cycles; at += want.Cycles/37 + 1 {
		r := simulating(t, h.plan(t), Options{})
		if err := r.machine.Reach(sim.Cycle(at)); err != nil {
			t.Fatal(err)
		}
		r.Cancel()
		part := r.Result()
		issued, ctas := uint64(0), uint64(0)
		for _, l := range part.PerLaunch().Launches {
			if l.Figures != nil {
				issued, ctas = issued+l.Stats["warpInstructions"], ctas+l.Stats["ctas"]
			}
		}
		if issued != part.WarpInstructions || ctas != part.Stats["ctas"] {
			t.Errorf("cycle %d: %d instructions and %d CTAs over launches, %d and %d of the run", at, issued, ctas,
				part.WarpInstructions, part.Stats["ctas"])
		}
	}
}

// TestHostLoopTrace: a trace names the launches that began, in their order, and is the same in any run.
func TestHostLoopTrace(t *testing.T) {
	h := hostLoops["few"]
	var first []byte
	for range 2 {
		study, err := NewStudy(h.plan(t))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		trace := study.Trace(h.plan(t), 0, func(p []byte) { b.Write(p) })
		for done := false; !done; {
			if done, err = trace.Step(); err != nil {
				t.Fatal(err)
			}
		}
		trace.Close()
		if first == nil {
			first = bytes.Clone(b.Bytes())
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Error("two traces of one run differ")
		}
	}
	entries, _ := h.simulated()
	for _, entry := range []string{"step", "rare", "last"} {
		n := 0
		for _, e := range entries {
			if e == entry {
				n++
			}
		}
		if got := bytes.Count(first, []byte(`"name":"`+entry+`"`)); got != n {
			t.Errorf("%d slices of %s, want %d", got, entry, n)
		}
	}
}
