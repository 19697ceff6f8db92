package scenario_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/workload"
)

// hostText is a scenario with a program of two kernels, a and b, and the given rest of its ptx section.
func hostText(rest string) string {
	return "workload:\n  ptx:\n    source: |\n      .entry a(.param .u64 o){ ret; }\n      .entry b(.param .u64 " +
		"o){ ret; }\n    " + strings.ReplaceAll(strings.TrimSpace(rest), "\n", "\n    ") + "\n"
}

func hostProgram(t *testing.T, rest string) (*scenario.Scenario, *workload.Program) {
	t.Helper()
	s, err := authoring.ParseYAML("h.yaml", []byte(hostText(rest)))
	if err != nil {
		t.Fatalf("%s\n%v", rest, err)
	}
	p, err := s.Program()
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

// Each form of a host part makes the launches that it says.
func TestHostLaunches(t *testing.T) {
	for _, c := range []struct{ rest, want string }{
		{"launches: [{entry: a, grid: [1], block: [32]}, {entry: b, grid: [1], block: [32]}]\nargs: [{spec: " +
			"'out:o:128'}]",
			"a[0] b[0]"},
		{"launches: [{entry: a}, {entry: b}, {entry: a}]\ngrid: [2]\nblock: [64]\nargs: ['out:o:128']",
			"a[0] b[0] a[0]"},
		{"launches: [{entry: a, args: [{spec: 'out:o:128'}]}, {entry: b, args: [{spec: 'out:o:128'}]}]",
			"a[0] b[0]"},
		{"launches: [{entry: a, args: ['ptr:y']}, {entry: b, args: ['ptr:x']}]\nbuffers: ['out:x:8', 'scratch:y:8']",
			"a[1] b[0]"},
		{"launches: [{loop: {rounds: 3, steps: [{entry: a, args: ['ptr:x|y']}]}}]\nbuffers: ['out:x:8', 'out:y:8']",
			"a[0] a[1] a[0]"},
		{"launches: [{loop: {rounds: 2, name: k, steps: [{entry: a, args: ['ptr:x+@k*4']}]}}]\nbuffers: ['out:x:8']",
			"a[0] a[0+4]"},
		{"launches: [{loop: {values: [1, 2, 4], name: h, steps: [{entry: a, args: ['u64:@h*10']}]}}]\nbuffers: " +
			"['out:x:8']",
			"a(10) a(20) a(40)"},
		{"launches: [{entry: a, args: ['@launch']}, {fill: {buffer: x, value: 'u8:1'}}, {entry: b, args: " +
			"['@launch']}]\nargs: [out:x:8]",
			"a(0) fill8[0] b(1)"},
		{"launches: [{copy: {from: x, to: y, bytes: 4, toOffset: 4}}, {entry: a}]\nargs: ['out:x:8']\nbuffers: " +
			"['scratch:y:9']",
			"copy4[1+4] a[0]"},
		{"launches: [{copy: {data: AAEC, to: x, toOffset: 1}}, {entry: a}]\nargs: ['out:x:8']",
			"copy1[0+1] a[0]"},
		{"entry: a\nrepeat: 3\nargs: ['u64:@launch+5']",
			"a(5) a(6) a(7)"},
		{"repeat: 2\nlaunches: [{entry: a}, {entry: b}]\nargs: ['out:x:8']",
			"a[0] b[0] a[0] b[0]"},
		{"modules: [{name: m, source: '.visible .entry c(.param .u64 o){ ret; }'}]\nlaunches: [{entry: c}, " +
			"{entry: a}]\nargs: ['out:x:8']",
			"1:c[0] a[0]"},
	} {
		rest, want := c.rest, c.want
		s, p := hostProgram(t, rest)
		var got []string
		for _, l := range p.Launches {
			text := l.Entry
			if l.Module > 0 && !strings.HasPrefix(text, "fill") && !strings.HasPrefix(text, "copy") {
				text = fmt.Sprintf("%d:%s", l.Module, text)
			}
			if a := l.Args[0]; a.Buffer < 0 {
				text += fmt.Sprintf("(%d)", a.Bits)
			} else if a.Bits > 0 {
				text += fmt.Sprintf("[%d+%d]", a.Buffer, a.Bits)
			} else {
				text += fmt.Sprintf("[%d]", a.Buffer)
			}
			got = append(got, text)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s\n%s, want %s", rest, text, want)
		}
		packed := authoring.Marshal(s)
		for form, read := range map[string]func() (*scenario.Scenario, error){
			"msgpack": func() (*scenario.Scenario, error) { return scenario.ParseMsgpack(packed) },
			"YAML":    func() (*scenario.Scenario, error) { return authoring.ParseYAML("s", authoring.ToYAML(s)) },
			"JSON":    func() (*scenario.Scenario, error) { return scenario.ParseJSON("s", authoring.ToJSON(s)) },
		} {
			again, err := read()
			if err != nil || !bytes.Equal(again.Canonical(), packed) || again.Hash() != s.Hash() {
				t.Errorf("%s\n%s changes it: %v", rest, form, err)
			}
		}
	}
}

// Structures by value have the layout of C, unless a field has an offset.
func TestStructures(t *testing.T) {
	u32 := func(v ...uint32) []byte {
		var b []byte
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	for spec, want := range map[string][]byte{
		"struct:{a=u8:1, b=u32:2}":                      u32(1, 2),
		"struct:{a=u8:1, b=u64:2, c=u8:3}":              u32(1, 0, 2, 0, 3, 0),
		"struct:{u32:{1,2,3}}":                          u32(1, 2, 3),
		"struct:{s=struct:{u8:1,u16:2}, t=u32:3}":       u32(1|2<<16, 3),
		"struct:{x@8=u32:5, y@0=u32:6, z@4=s32:-1}":     u32(6, 0xffffffff, 5),
		"struct:{f=f32:1.5, p=ptr:o}":                   u32(0x3fc00000, 0, 0, 0),
		"struct:{hex:01 02 03 04, zeros:4, n=u32:@i+7}": u32(0x04030201, 0, 7),
		"hex:0a000000":                                  u32(10),
	} {
		_, p := hostProgram(t, "launches: [{entry: a, args: ['"+spec+"']}]\nbuffers: ['out:o:8']")
		v := p.Launches[0].Args[0].Value
		if v == nil || !bytes.Equal(v.Data, want) {
			t.Errorf("%s: %+v, want % x", spec, v, want)
		} else if strings.Contains(spec, "ptr") && (len(v.Places) != 1 || v.Places[0].At != 8) {
			t.Errorf("%s: addresses %+v", spec, v.Places)
		}
	}
}

// What is wrong with a host part is named with its path and line.
func TestHostFaults(t *testing.T) {
	for _, c := range []struct{ rest, want string }{
		{"launches: []\nargs: ['out:o:8']",
			"workload.ptx.entry: the kernel's name is missing"},
		{"launches:\n  - {fill: {buffer: o, value: 'u32:0'}}\nbuffers: ['out:o:8']",
			"workload.ptx.launches: no step launches a kernel: add a step with entry: NAME"},
		{"entry: a\nlaunches: [{entry: b}]",
			"workload.ptx.entry: the program has a kernel and a list"},
		{"launches:\n  - {entry: a, args: ['ptr:p']}\nbuffers: ['out:o:8']",
			`h.yaml:7:27: workload.ptx.launches[0].args[0].spec: there is no buffer "p": name one of o`},
		{"launches:\n  - {entry: a, args: ['ptr:o+9']}\nbuffers: ['out:o:8']",
			"launches[0].args[0].spec: byte 9 is not in the buffer"},
		{"launches:\n  - {entry: a, module: m}\nargs: ['out:o:8']",
			`h.yaml:7:28: workload.ptx.launches[0].module: there is no module "m"`},
		{"launches:\n  - {fill: {buffer: o, value: 'u32:0', bytes: 12}}\n  - {entry: a}\nargs: ['out:o:8']",
			"h.yaml:7:51: workload.ptx.launches[0].fill.bytes: 12 is out of range"},
		{"launches: [{fill: {buffer: o, value: 'u32:0', offset: 2, bytes: 4}}, {entry: a}]\nargs: ['out:o:8']",
			"4 bytes at 2 are not whole values of 4 bytes"},
		{"launches: [{fill: {buffer: o, value: 'ptr:o'}}, {entry: a}]\nargs: ['out:o:8']",
			"fill.value: want a number with its type"},
		{"launches: [{copy: {from: o, to: o, bytes: 6, toOffset: 2}}, {entry: a}]\nargs: ['out:o:8']",
			"copy: source and target overlap"},
		{"launches: [{copy: {from: o, to: q}}, {entry: a}]\nargs: ['out:o:8']\nbuffers: ['out:q:4']",
			"8 bytes do not fit after byte 0 of the buffer q"},
		{"launches: [{copy: {to: o}}, {entry: a}]\nargs: ['out:o:8']",
			"the copy has nothing to copy from"},
		{"launches: [{loop: {steps: [{entry: a}]}}]\nargs: ['out:o:8']",
			"loop.rounds: the loop has no bound"},
		{"launches: [{loop: {rounds: 2, steps: []}}]\nargs: ['out:o:8']",
			"loop.steps: the loop has no steps"},
		{"launches: [{loop: {rounds: 9, steps: [{entry: a}], until: {buffer: q, value: 'u8:0'}}}]\nargs: ['out:o:8']",
			`loop.until.buffer: there is no buffer "q"`},
		{"launches: [{loop: {rounds: 9, steps: [{entry: a}], until: {buffer: o, offset: 5, value: " +
			"'u32:0'}}}]\nargs: [out:o:8]",
			"loop.until.offset: 5 is out of range"},
		{"launches: [{loop: {rounds: 9, steps: [{entry: a}], until: {buffer: o, is: more, value: " +
			"'u8:0'}}}]\nargs: [out:o:8]",
			`unknown is "more"`},
		{"launches: [{loop: {rounds: 65536, steps: [{entry: a}]}}]\nargs: ['out:o:8']",
			"more than 65536 launches and rounds"},
		{"launches: [{loop: {rounds: 300, steps: [{loop: {rounds: 300, steps: [{entry: a}]}}]}}]\nargs: ['out:o:8']",
			"more than 65536 launches and rounds"},
		{"launches: [{entry: a, args: ['u32:@k']}]",
			`there is no loop "k" around the launch`},
		{"launches: [{entry: a, args: ['u8:@100*3']}]",
			"is 300, which does not fit into u8"},
		{"launches: [{entry: a, args: ['u32:@1/3']}]",
			"not a whole number: use floor or ceil"},
		{"launches: [{entry: a, grid: ['@0']}]\nargs: ['out:o:8']",
			"launches[0].grid[0]: 0 is out of range"},
		{"launches: [{entry: a, block: [2048]}]\nargs: ['out:o:8']",
			"the launch of a: block is [2048 1 1]"},
		{"launches: [{entry: a, fill: {buffer: o, value: 'u8:0'}}]\nargs: ['out:o:8']",
			"a step with 2 of entry, fill, copy, loop, record and wait"},
		{"launches: [{}]\nargs: ['out:o:8']",
			"a step with 0 of entry, fill, copy, loop, record and wait"},
		{"launches: [{fill: {buffer: o, value: 'u8:0'}, grid: [1]}]\nargs: ['out:o:8']",
			"only a launch has module, grid"},
		{"launches: [{entry: a, args: ['out:o:8']}, {entry: b, args: ['out:o:16']}]",
			`the buffer "o" is declared twice`},
		{"launches: [{entry: a, args: ['in:o']}]",
			`there is no buffer "o"`},
		{"launches: [{entry: a, args: ['struct:{x=u32:1,y@2=u16:2}']}]",
			`field "y": byte 2 belongs to field "x"`},
		{"launches: [{entry: a, args: ['struct:{x=f16:1}']}]",
			`"f16" is not a type`},
		{"buffers: ['u32:5']\nentry: a",
			"buffers[0].spec: \"u32:5\" is not a buffer"},
		{"modules: [{name: m, source: x}, {name: m, source: y}]\nentry: a",
			`modules[1].name: two modules have the name "m"`},
	} {
		rest, want := c.rest, c.want
		_, err := authoring.ParseYAML("h.yaml", []byte(hostText(rest)))
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "name is empty") {
			t.Errorf("%s\n%v, want %q", rest, err, want)
		}
	}
}

// FuzzHost: no text of a host part crashes, and what is accepted is stable.
func FuzzHost(f *testing.F) {
	f.Add("launches: [{loop: {rounds: 2, steps: [{entry: a, args: ['struct:{a=u8:1,p=ptr:x+@i}']}], until: " +
		"{buffer: x, value: 'u8:0'}}}]\nbuffers: ['out:x:8']")
	f.Add("launches: [{copy: {data: AAEC, to: x, toOffset: 1}}, {fill: {buffer: x, value: 'f32:1'}}, {entry: " +
		"a}]\nargs: ['out:x:8']")
	f.Fuzz(func(t *testing.T, rest string) {
		s, err := authoring.ParseYAML("f", []byte(hostText(rest)))
		if err != nil || s.Workload.PTX == nil {
			return
		}
		again, err := scenario.ParseMsgpack(s.Canonical())
		if err != nil || !bytes.Equal(again.Canonical(), s.Canonical()) {
			t.Fatalf("%q: %v", rest, err)
		}
	})
}
