package experiment

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/stat"
)

// streamText has two streams, whose kernels add to parts of x, an event between them, and a loop that ends when the
// host reads back the count. The link is that of the machine.
const streamText = `workload:
  ptx:
    source: |
      .version 7.0
      .target sm_50
      .address_size 64
      .visible .entry grow(.param .u64 x, .param .u32 by) {
        .reg .b32 %%r<9>; .reg .b64 %%a<3>; .reg .pred %%p;
        ld.param.u64 %%a0, [x]; ld.param.u32 %%r3, [by]; mov.u32 %%r4, 0;
        mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x; mad.lo.u32 %%r0, %%r1, 64, %%r0; mul.wide.u32 %%a2, %%r0, 4;
        add.u64 %%a0, %%a0, %%a2;
        L: ld.volatile.global.u32 %%r2, [%%a0]; add.u32 %%r2, %%r2, %%r3; st.volatile.global.u32 [%%a0], %%r2;
        add.u32 %%r4, %%r4, 1; setp.lt.u32 %%p, %%r4, 8; @%%p bra L;
        ret; }
    buffers: ["out:x:4096", "out:y:4096"]
    block: [64]
    grid: [4]
    launches:
      - {copy: {data: AQIDBAUGBwg=, to: x}, stream: s}
      - {entry: grow, stream: s, args: ["ptr:x", "u32:1"]}
      - {entry: grow, stream: t, args: ["ptr:y", "u32:2"]}
      - {record: half, stream: s}
      - {wait: half, stream: t}
      - {entry: grow, stream: t, args: ["ptr:x", "u32:4"]}
      - {entry: grow, stream: u, args: ["ptr:y+1024", "u32:8"]}
      - loop:
          rounds: 9
          steps:
            - {entry: grow, stream: s, args: ["ptr:y+2048", "u32:1"]}
            - {entry: grow, stream: t, args: ["ptr:x+2048", "u32:1"]}
          until: {buffer: y, offset: 2048, is: at-least, value: "u32:24"}
machine: {preset: %s, overrides: {hostLink: %s}}
memory: {codec: none, approximation: none}
`

// TestHostStreams: launches of different streams overlap and leave what the exact run leaves. Their figures add up to
// those of the run, for every counter, and a link to the host makes the copy and the read-backs take time.
func TestHostStreams(t *testing.T) {
	for _, gpu := range []string{"gtx480", "a100", "v100"} {
		cycles := map[string]uint64{}
		for _, link := range []string{"none", "pcie4", "pcie5", "nvlinkc2c"} {
			s, err := authoring.ParseYAML("s.yaml", []byte(fmt.Sprintf(streamText, gpu, link)))
			if err != nil {
				t.Fatal(err)
			}
			for k := 0; gpu == "v100" && k < len(smallTLB); k++ {
				path, value, _ := strings.Cut(smallTLB[k], "=")
				set(t, s, path, value)
			}
			plan, err := PlanOf(s)
			if err != nil {
				t.Fatal(err)
			}
			_, r := finish(t, plan)
			for i := range r.Outputs {
				if !bytes.Equal(r.Outputs[i], r.Exact[i]) {
					t.Errorf("%s, %s: output %d differs from the exact run", gpu, link, i)
				}
			}
			cycles[link] = r.Cycles
			sums := map[string]uint64{}
			per := r.PerLaunch()
			total := uint64(0)
			for i := range per.Launches {
				total += per.Launches[i].SpanCycles
				for name, n := range per.Launches[i].Stats {
					sums[name] += n
				}
			}
			for _, c := range stat.List() {
				name := stat.Describe(c).Name
				if stat.Adds(c) == stat.Sum && sums[name] != r.Stats[name] {
					t.Errorf("%s, %s: %s is %d over launches, %d of the "+
						"run", gpu, link, name, sums[name], r.Stats[name])
				}
			}
			checkKernelSpans(t, per)
			if total != r.Cycles {
				t.Errorf("%s, %s: %d cycles over launches, %d of the run", gpu, link, total, r.Cycles)
			}
			l := r.Launches
			if len(l) != 5+2*3 || link == "none" && l[2].Begin >= l[1].Begin+l[1].Cycles {
				t.Errorf("%s, %s: launches %+v", gpu, link, l)
			}
			// The kernel that stands for the writes of the copy runs behind the 6 microseconds of a link.
			if least := map[string]uint64{"gtx480": 4200, "a100": 8460, "v100": 6792}[gpu]; link != "none" &&
				l[1].Begin < least {
				t.Errorf("%s, %s: the copy is there in cycle %d, before %d", gpu, link, l[1].Begin, least)
			}
			if l[3].Begin < l[1].Begin+l[1].Cycles {
				t.Errorf("%s, %s: a launch begins in cycle %d, before its event", gpu, link, l[3].Begin)
			}
		}
		if !(cycles["none"] < cycles["nvlinkc2c"] && cycles["nvlinkc2c"] <= cycles["pcie5"] &&
			cycles["pcie5"] <= cycles["pcie4"]) {
			t.Errorf("%s: %v", gpu, cycles)
		}
	}
}

// checkKernelSpans: a kernel lasts from the begin of its first launch to the end of its last one, and no longer when
// launches overlap.
func checkKernelSpans(t *testing.T, per *PerLaunch) {
	t.Helper()
	for i := range per.Kernels {
		k := &per.Kernels[i]
		first, last := uint64(math.MaxUint64), uint64(0)
		for _, l := range per.Launches {
			if l.Entry == k.Entry {
				first, last = min(first, l.Begin), max(last, l.Begin+l.Cycles)
			}
		}
		if k.Begin != first || k.Cycles != last-first {
			t.Errorf("%s lasts %d cycles from %d on, its launches from %d to %d", k.Entry, k.Cycles, k.Begin, first, last)
		}
	}
}

// TestLinkWithoutStreams: a copy of the host's data and the values that it reads back take the link's time in a program
// without streams, too. There is nothing that a copy could overlap.
func TestLinkWithoutStreams(t *testing.T) {
	text := regexp.MustCompile(`(?m)^ +- \{(record|wait).*\n|, stream: \w`).ReplaceAllString(streamText, "")
	cycles := map[string]uint64{}
	for _, link := range []string{"none", "pcie5", "pcie4"} {
		s, err := authoring.ParseYAML("s.yaml", []byte(fmt.Sprintf(text, "gtx480", link)))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		_, r := finish(t, plan)
		cycles[link] = r.Cycles
		if r.Launches[0].Begin != 0 || link != "none" && r.Launches[1].Begin < 4200 {
			t.Errorf("%s: launches %+v", link, r.Launches[:2])
		}
	}
	// A copy, and two values that are read back; a third one comes after the last launch. The host looks at multiples
	// of 256 cycles.
	if d := cycles["pcie5"] - cycles["none"]; d < 3*4200-256 || d > 3*4200+256 || cycles["pcie4"] < cycles["pcie5"] {
		t.Errorf("%v", cycles)
	}
}
