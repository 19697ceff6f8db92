package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// TestStreams: each launch of a program with streams waits for what CUDA's streams and events say.
func TestStreams(t *testing.T) {
	const args = "\ngrid: [1]\nblock: [32]\nargs: ['out:x:8']"
	for _, c := range []struct{ steps, want string }{
		{"{entry: a}, {entry: b}", "[[] []]"}, // no stream: one follows the other
		{"{entry: a, stream: s}, {entry: b, stream: s}", "[[] [0]]"},
		{"{entry: a, stream: s}, {entry: b, stream: t}", "[[] []]"},
		{"{entry: a, stream: s}, {entry: b, stream: t}, {entry: a}, {entry: a, stream: s}, {entry: b, stream: t}",
			"[[] [] [0 1] [2] [2]]"},
		{"{entry: a, stream: s}, {record: e, stream: s}, {entry: a, stream: s}, {wait: e, stream: t}, " +
			"{entry: b, stream: t}, {entry: b, stream: t}", "[[] [0] [0] [2]]"},
		{"{record: e, stream: s}, {wait: e, stream: t}, {entry: b, stream: t}", "[[]]"},
		{"{entry: a}, {record: e}, {wait: e, stream: t}, {entry: b, stream: t}", "[[] [0]]"},
		{"{fill: {buffer: x, value: 'u8:1'}, stream: s}, {copy: {data: AAEC, to: x}, stream: t}, {entry: a}",
			"[[] [] [0 1]]"},
		{"{loop: {rounds: 2, steps: [{entry: a, stream: s}, {entry: b, stream: t}]}}", "[[] [] [0] [1]]"},
	} {
		_, p := hostProgram(t, "launches: ["+c.steps+"]"+args)
		var got [][]int32
		for i := range p.Launches {
			got = append(got, p.Launches[i].After)
		}
		if fmt.Sprint(got) != c.want || p.Streams != strings.Contains(c.steps, "stream") {
			t.Errorf("%s: %v, want %s", c.steps, got, c.want)
		}
	}
}

// TestWrongStreams: what is wrong with a stream is named with the path and the line of its step.
func TestWrongStreams(t *testing.T) {
	for _, c := range []struct{ steps, want string }{
		{"- {entry: a, stream: s}\n- {record: e, stream: s}\n- {wait: e, stream: s}",
			`h.yaml:12:14: workload.ptx.launches[2].wait: stream "s" waits for itself: it recorded the event "e"`},
		{"- {entry: a, stream: s}\n- {wait: e, stream: s}\n- {record: e, stream: s}",
			`h.yaml:11:14: workload.ptx.launches[1].wait: stream "s" waits for itself: the event "e" is ` +
				`recorded in it, and not before`},
		{"- {entry: a, stream: s}\n- {wait: e, stream: t}\n- {record: e, stream: s}",
			`launches[1].wait: no step before this one records the event "e"`},
		{"- {entry: a, stream: s}\n- {record: e, stream: s}\n- {wait: e}", "launches[2].stream: the wait has no " +
			"stream"},
		{"- {loop: {rounds: 1, steps: [{entry: a, stream: s}]}, stream: s}",
			"launches[0].stream: a loop has no stream"},
		{"- {entry: a, record: e, stream: s}", "launches[0]: a step with 2 of entry, fill, copy, loop, record and " +
			"wait"},
	} {
		text := hostText("grid: [1]\nblock: [32]\nargs: ['out:x:8']\nlaunches:\n" + c.steps)
		_, err := authoring.ParseYAML("h.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.steps, err, c.want)
		}
	}
}
