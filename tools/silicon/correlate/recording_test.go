package correlate

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func sampleRows() []Row {
	return []Row{
		{Device: "NVIDIA H200", Driver: "580, CUDA 13.0", ComputeCapability: "9.0", ClockMHz: 1980, MemoryClockMHz: 3201,
			Case: Case{Program, "vecadd", 16384, "smooth"}, Launches: 1, Threads: 16384,
			Nanoseconds: 4000, LeastNs: 3900.5, GreatestNs: 4100, Cycles: 7920,
			OutputHash: "ab", OutputsEqual: "no", FirstDifference: `sum[3]: device "1", simulator 2`},
		{Device: "NVIDIA H200", Driver: "580, CUDA 13.0", ComputeCapability: "9.0", ClockMHz: 1980, MemoryClockMHz: 3201,
			Case: Case{Microbenchmark, "launch", 1, "1 CTA"}, Launches: 1, Threads: 32,
			Nanoseconds: 2656, LeastNs: 2656, GreatestNs: 2656, Cycles: 5258.88, Figure: 2656, Unit: "ns"},
	}
}

func written(t testing.TB, rows []Row) string {
	var b bytes.Buffer
	if err := WriteRecording(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestARecordingReadsBackAsWritten(t *testing.T) {
	rows, err := ReadRecording("r.csv", strings.NewReader(written(t, sampleRows())))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(rows, sampleRows()) {
		t.Errorf("read %+v", rows)
	}
}

func TestBadRecordingsAreNamedByLineAndColumn(t *testing.T) {
	good := written(t, sampleRows())
	lines := strings.SplitAfter(good, "\n")
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "r.csv: the file is empty"},
		{"header only", lines[0], "r.csv: there is no row"},
		{"another table", "program,size\nvecadd,1\n", "r.csv:1: the columns"},
		{"short row", good + "a,b\n", "r.csv:4: 2 fields: want 22"},
		{"kind", strings.Replace(good, "program,vecadd", "kernel,vecadd", 1), `r.csv:2: kind "kernel": want microbenchmark, program or suite`},
		{"size", strings.Replace(good, ",16384,smooth", ",-1,smooth", 1), `r.csv:2: size "-1": want a whole number`},
		{"clock", strings.Replace(good, "1980", "NaN", 1), `r.csv:2: clockMHz "NaN": want a number`},
		{"no time", strings.Replace(good, ",4000,", ",0,", 1), `r.csv:2: timeNs "0": want a number above 0`},
		{"order", strings.Replace(good, ",3900.5,", ",4050,", 1), `r.csv:2: timeNs "4000": want a number from leastNs to greatestNs`},
		{"figure", strings.Replace(good, ",2656,0,0,ns", ",0,0,0,ns", 1), `r.csv:3: figure "0": a microbenchmark has one above 0`},
		{"equal", strings.Replace(good, ",no,", ",maybe,", 1), `r.csv:2: outputsEqual "maybe": want yes, no or nothing`},
		{"twice", good + lines[2], "r.csv:4: microbenchmark/launch/1/1 CTA is already in line 3"},
		{"two faults", strings.Replace(strings.Replace(good, ",no,", ",maybe,", 1), "5258.88", "x", 1), `r.csv:3: cycles "x"`},
		{"quote", good + "\"", "r.csv: parse error on line 4"},
		{"long field", strings.Replace(good, "smooth", strings.Repeat("s", 1001), 1), "r.csv:2: data: 1001 bytes"},
		{"large", good + strings.Repeat("\n", MaxRecordingBytes), "r.csv: the file is larger than"},
	} {
		_, err := ReadRecording("r.csv", strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// FuzzReadRecording: what is read can be written, and reads back the same.
func FuzzReadRecording(f *testing.F) {
	f.Add(written(f, sampleRows()))
	f.Add(strings.Join(columns, ",") + "\n" + strings.Repeat(",", len(columns)-1) + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := ReadRecording("r.csv", strings.NewReader(text))
		if err != nil {
			return
		}
		first := written(t, rows)
		again, err := ReadRecording("r.csv", strings.NewReader(first))
		if err != nil {
			// Rounding to a thousandth may make a tiny number 0 or swap two near ones.
			return
		}
		if second := written(t, again); second != first {
			t.Errorf("%q, then %q", first, second)
		}
	})
}
