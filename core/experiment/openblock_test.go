package experiment

import (
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// TestOpenBlock: a launch in a scenario that names no block takes .reqntid, or else .maxntid, or else one thread;
// with a list of launches and without one. A block that is named wins over .maxntid.
func TestOpenBlock(t *testing.T) {
	const text = `workload:
  ptx:
    source: |
      .version 7.8
      .target sm_80
      .address_size 64
      .visible .entry k(.param .u64 o) %s { .reg .b32 %%r<9>; .reg .b64 %%a<3>;
        ld.param.u64 %%a0, [o]; mov.u32 %%r0, %%ntid.x; mov.u32 %%r1, %%ntid.y; st.global.v2.u32 [%%a0], {%%r0,
        	%%r1}; ret; }
    %s
machine: {preset: a100}
memory: {codec: none, approximation: none}
`
	for _, c := range []struct {
		directive, block string
		want             [2]byte
	}{
		{".reqntid 32, 4", "", [2]byte{32, 4}},
		{".maxntid 96", "", [2]byte{96, 1}},
		{".reqntid 64 .maxntid 96", "", [2]byte{64, 1}},
		{"", "", [2]byte{1, 1}},
		{".maxntid 96", "block: [8, 2]", [2]byte{8, 2}},
	} {
		for _, host := range []string{
			`{entry: k, args: ["out:o:8"]}`, `{buffers: ["out:o:8"], launches: [{entry: k, args: ["ptr:o"]}]}`,
		} {
			if c.block != "" {
				host = "{" + c.block + ", " + host[1:]
			}
			host = host[1 : len(host)-1]
			s, err := authoring.ParseYAML("b.yaml", []byte(fmt.Sprintf(text, c.directive, lines4(host))))
			if err != nil {
				t.Fatal(err)
			}
			_, r := finish(t, mustPlan(t, s))
			if got := r.Outputs[0]; got[0] != c.want[0] || got[4] != c.want[1] {
				t.Errorf("%q, %q: a block of %d x %d, want %v", c.directive, host, got[0], got[4], c.want)
			}
		}
	}
}

// lines4 writes the keys of a flow map, without its braces, as lines below ptx.
func lines4(flow string) string {
	depth, out := 0, ""
	for _, r := range flow {
		switch {
		case r == '[' || r == '{':
			depth++
		case r == ']' || r == '}':
			depth--
		case r == ',' && depth == 0:
			out += "\n   "
			continue
		}
		out += string(r)
	}
	return out
}
