package perfetto_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/probe/perfetto"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/sim"
)

// event is one trace event of the Trace Event Format.
type event struct {
	Name *string        `json:"name"`
	Ph   string         `json:"ph"`
	Cat  string         `json:"cat"`
	TS   *float64       `json:"ts"`
	Dur  *float64       `json:"dur"`
	PID  *int           `json:"pid"`
	TID  *int           `json:"tid"`
	ID   *int           `json:"id"`
	S    string         `json:"s"`
	Args map[string]any `json:"args"`
}

type file struct {
	DisplayTimeUnit string            `json:"displayTimeUnit"`
	OtherData       map[string]string `json:"otherData"`
	TraceEvents     []event           `json:"traceEvents"`
	LeftOut         struct {
		Events           uint64
		FromMicroseconds float64
	} `json:"leftOut"`
}

// tolerance is how far two times may be apart that are equal in picoseconds: times of
// this size are not exact as float64.
const tolerance = 2e-6

// check reads a trace as a viewer does and fails where it breaks the format.
func check(t *testing.T, data []byte) *file {
	t.Helper()
	f := new(file)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		t.Fatal(err)
	}
	type track struct {
		pid, tid int
		name     string
	}
	type state struct {
		last, free float64
		open       []string
	}
	tracks := map[track]*state{}
	async := map[string]float64{}
	named := map[track]bool{}
	faults := 0
	fault := func(i int, format string, args ...any) {
		if faults++; faults <= 10 {
			t.Errorf("event %d: %s", i, fmt.Sprintf(format, args...))
		}
	}
	for i, e := range f.TraceEvents {
		if e.Name == nil || e.PID == nil || e.TID == nil || *e.Name == "" {
			fault(i, "no name, pid or tid")
			continue
		}
		if e.Ph == "M" {
			if e.TS != nil || len(e.Args) != 1 {
				fault(i, "metadata %s with %v", *e.Name, e.Args)
			}
			if *e.Name == "thread_name" {
				named[track{*e.PID, *e.TID, ""}] = true
			}
			continue
		}
		if e.TS == nil || *e.TS < 0 || math.IsInf(*e.TS, 0) {
			fault(i, "%s without a time", *e.Name)
			continue
		}
		at := track{*e.PID, *e.TID, ""}
		switch e.Ph {
		case "C":
			at.name = *e.Name
			for k, v := range e.Args {
				if n, ok := v.(float64); !ok || n < 0 {
					fault(i, "counter %s: %s = %v", *e.Name, k, v)
				}
			}
		case "b", "e":
			at.name = "async"
			key := fmt.Sprint(e.Cat, *e.Name, *e.PID, e.ID)
			if e.ID == nil || e.Cat == "" {
				fault(i, "a span beside the threads without id or category")
				continue
			}
			key = fmt.Sprint(e.Cat, *e.Name, *e.PID, *e.ID)
			from, begun := async[key]
			switch {
			case e.Ph == "b" && begun:
				fault(i, "%s begins twice", key)
			case e.Ph == "b":
				async[key] = *e.TS
			case !begun || *e.TS < from:
				fault(i, "%s ends before it begins", key)
			default:
				delete(async, key)
			}
			continue
		default:
			if !named[at] {
				fault(i, "%s on thread %v, which has no name", *e.Name, at)
				named[at] = true
			}
		}
		s := tracks[at]
		if s == nil {
			s = &state{}
			tracks[at] = s
		}
		if *e.TS < s.last {
			fault(i, "%s at %v after %v on %v", *e.Name, *e.TS, s.last, at)
		}
		s.last = *e.TS
		switch e.Ph {
		case "B":
			s.open = append(s.open, *e.Name)
		case "E":
			if len(s.open) == 0 {
				fault(i, "%s ends and nothing is open on %v", *e.Name, at)
				continue
			}
			if last := s.open[len(s.open)-1]; !strings.HasPrefix(last, *e.Name) {
				fault(i, "%s ends within %s on %v", *e.Name, last, at)
			}
			s.open = s.open[:len(s.open)-1]
			if *e.TS < s.free-tolerance {
				fault(i, "%s ends at %v within a slice until %v", *e.Name, *e.TS, s.free)
			}
		case "X":
			if e.Dur == nil || *e.Dur <= 0 {
				fault(i, "%s without a duration", *e.Name)
				continue
			}
			if *e.TS < s.free-tolerance {
				fault(i, "%s at %v while another lasts until %v on %v", *e.Name, *e.TS, s.free, at)
			}
			s.free = *e.TS + *e.Dur
		case "i":
			if e.S != "t" && e.S != "g" {
				fault(i, "%s with scope %q", *e.Name, e.S)
			}
		case "C":
		default:
			fault(i, "phase %q", e.Ph)
		}
	}
	for at, s := range tracks {
		if len(s.open) > 0 {
			t.Errorf("%v: %v never end", at, s.open)
		}
	}
	if len(async) > 0 {
		t.Errorf("%d requests never end", len(async))
	}
	return f
}

// counts are the trace events of each name that begin or happen.
func (f *file) counts() map[string]int {
	n := map[string]int{}
	for _, e := range f.TraceEvents {
		if e.Ph != "E" && e.Ph != "e" {
			n[*e.Name]++
		}
	}
	return n
}

func plan(t *testing.T, text string) *experiment.Plan {
	t.Helper()
	s, err := scenario.ParseJSON("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func trace(t *testing.T, p *experiment.Plan, maxBytes int) ([]byte, perfetto.Summary, *experiment.Result) {
	t.Helper()
	study, err := experiment.NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	tr := study.Trace(p, maxBytes, func(b []byte) { out = append(out, b...) })
	for {
		done, err := tr.Step()
		if err != nil {
			t.Fatal(err)
		}
		if done {
			break
		}
	}
	return out, tr.Close(), tr.Run().Result()
}

const small = `{"version":1,"machine":{"preset":"%s"},"workload":{"name":"dct","size":%d},"memory":{"codec":"e2mc16","approximation":"tslc-opt"}}`

// TestFormat: on every preset a trace is one that viewers accept, and its slices
// are the commands, bursts and CTAs that the result counts.
func TestFormat(t *testing.T) {
	for _, preset := range preset.Names() {
		if testing.Short() && preset != "gtx580b" && preset != "h100" {
			continue // WebAssembly only has to give the same results
		}
		t.Run(preset, func(t *testing.T) {
			p := plan(t, fmt.Sprintf(small, preset, 64))
			data, sum, result := trace(t, p, 0)
			f := check(t, data)
			if sum.Bytes != len(data) || sum.Events != len(f.TraceEvents) || sum.LeftOut != 0 || f.LeftOut.Events != 0 {
				t.Errorf("%+v of %d bytes, %d events, %+v", sum, len(data), len(f.TraceEvents), f.LeftOut)
			}
			if f.OtherData["version"] != experiment.Version || f.OtherData["scenarioHash"] != p.ScenarioHash || p.ScenarioHash == "" || f.DisplayTimeUnit != "ns" {
				t.Errorf("stamped %v", f.OtherData)
			}
			n := f.counts()
			ctas, metadata := 0, n["read metadata"]+n["write metadata"]
			for name, k := range n {
				if strings.HasPrefix(name, "CTA ") {
					ctas += k
				}
			}
			// A burst has a slice on the bus and one on its bank.
			for _, c := range []struct {
				name     string
				got      int
				counters []string
				times    uint64
			}{
				{"reads", n["read"], []string{"burstsRead"}, 2},
				{"writes", n["write"], []string{"burstsWritten"}, 2}, // L2 holds all of this program's output
				{"metadata", metadata, []string{"burstsMetadata"}, 2},
				{"activates", n["activate"], []string{"activates"}, 1},
				{"CTAs", ctas, []string{"ctas"}, 1},
			} {
				want := uint64(0)
				for _, name := range c.counters {
					want += result.Stats[name] * c.times
				}
				if uint64(c.got) != want || want == 0 && c.name != "writes" {
					t.Errorf("%s: %d in the trace, %d counted", c.name, c.got, want)
				}
			}
			last := 0.0
			for _, e := range f.TraceEvents {
				if e.TS != nil {
					last = max(last, *e.TS)
				}
			}
			if want := result.Seconds * 1e6; last < want-0.01 || last > want*1.05+1 {
				t.Errorf("the trace ends at %v us, the run at %v us", last, want)
			}
		})
	}
}

// TestLink: a trace of a run with Buddy Compression has each packet of data on its channel of the link, and
// counts the entries in buddy memory up to their number at the end.
func TestLink(t *testing.T) {
	data, _, result := trace(t, plan(t, `{"version":2,"workload":{"name":"bfs1","size":2048},"machine":{"preset":"p100"},"memory":{"codec":"bpc"},"backing":{"kind":"buddy","targets":"4"}}`), 0)
	f := check(t, data)
	n := f.counts()
	if uint64(n["data in"]) != result.Stats["buddyReads"] || uint64(n["data out"]) != result.Stats["buddyWrites"] || n["data in"] == 0 {
		t.Errorf("%d packets in, %d out; counted %d and %d", n["data in"], n["data out"], result.Stats["buddyReads"], result.Stats["buddyWrites"])
	}
	last := 0.0
	for _, e := range f.TraceEvents {
		if e.Name != nil && *e.Name == "entries in buddy memory" {
			last = e.Args["overflowed"].(float64)
		}
	}
	if want := result.Stats["entriesOverflowed"] - result.Stats["entriesReturned"]; uint64(last) != want || want == 0 {
		t.Errorf("%v entries in buddy memory in the end, want %d", last, want)
	}
}

// TestBound: a trace keeps to its bound, is whole until it stops, and says where
// that is and how much is missing.
func TestBound(t *testing.T) {
	p := plan(t, fmt.Sprintf(small, "gtx580v4", 256))
	all, sum, result := trace(t, p, 0)
	if sum.Bytes <= perfetto.MinMaxBytes {
		t.Fatalf("only %d bytes: no bound can be tested", sum.Bytes)
	}
	data, cut, again := trace(t, p, perfetto.MinMaxBytes)
	if len(data) > perfetto.MinMaxBytes || len(data) < perfetto.MinMaxBytes*9/10 {
		t.Errorf("%d bytes with a bound of %d", len(data), perfetto.MinMaxBytes)
	}
	f := check(t, data)
	if cut.LeftOut == 0 || f.LeftOut.Events != cut.LeftOut || f.LeftOut.FromMicroseconds >= result.Seconds*1e6 {
		t.Errorf("%+v, the file says %+v", cut, f.LeftOut)
	}
	if result.ResultHash != again.ResultHash {
		t.Error("the bound changes the result")
	}
	same := 0
	for same < len(data) && data[same] == all[same] {
		same++
	}
	if same < len(data)/2 {
		t.Errorf("the bounded trace differs from the whole from byte %d on", same)
	}
	if twice, _, _ := trace(t, p, 0); !bytes.Equal(all, twice) {
		t.Error("two traces of one scenario differ")
	}
}

// TestRefresh: a refresh of all banks has a track of its own, one of a bank closes
// the bank's row and lies on its track.
func TestRefresh(t *testing.T) {
	var out []byte
	m := perfetto.Machine{Name: "test", SMs: 1, Slices: 1, Controllers: 1, Channels: 1, Banks: 2, MAGBytes: 32, CoreMHz: 1000, DRAMMHz: 500,
		ReadLatency: 10, WriteLatency: 2, Activate: 12, Precharge: 12, Bursts: 2}
	w := perfetto.New(m, perfetto.Stamp{Workload: "a \"name\"\n\\"}, 0, func(b []byte) { out = append(out, b...) })
	w.Add([]probe.Event{
		{Cycle: 100, Kind: probe.KindActivate, A: 1, B: 7, Addr: 0x1000},
		{Cycle: 144, Kind: probe.KindRead, A: 1 | 1<<16, B: 4 << 16, Addr: 0x1000},
		{Cycle: 300, Kind: probe.KindRefresh, A: 1, B: 50},
		{Cycle: 400, Kind: probe.KindRefresh, A: probe.AllBanks, B: 200},
	})
	w.Flush(sim.Cycle(200))
	w.Close(1000, nil)
	f := check(t, out)
	if f.OtherData["workload"] != "a \"name\"\n\\" {
		t.Errorf("workload %q", f.OtherData["workload"])
	}
	var got []string
	for _, e := range f.TraceEvents {
		if e.Ph != "M" && e.Ph != "C" && e.Ph != "i" {
			dur := 0.0
			if e.Dur != nil {
				dur = *e.Dur
			}
			got = append(got, fmt.Sprintf("%s %s %d %g %g", e.Ph, *e.Name, *e.TID, *e.TS, dur))
		}
	}
	want := []string{
		"B row 7 11 0.1 0", "X activate 11 0.1 0.024", "X read 11 0.124 0.004", "X read 1 0.144 0.004",
		"E row 7 11 0.3 0", "X refresh 11 0.3 0.05", "X refresh 2 0.4 0.2",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLaunches: each launch is a slice from its first to its last cycle, with its counters and metrics, which add up to
// those of the run. In a bounded trace the launches keep within the bound.
func TestLaunches(t *testing.T) {
	const many = `{"version":1,"workload":{"name":"bfs1","size":2048},"machine":{"preset":"mini"}}`
	for _, bound := range []int{0, perfetto.MinMaxBytes} {
		data, sum, result := trace(t, plan(t, many), bound)
		if bound > 0 && len(data) > bound {
			t.Errorf("%d bytes with a bound of %d", len(data), bound)
		}
		instructions, slices := 0.0, 0
		for _, e := range check(t, data).TraceEvents {
			if e.Ph != "X" || *e.PID != 1 || *e.TID != 2 {
				continue
			}
			l := result.Launches[slices]
			at := float64(l.Begin) / float64(result.Cycles) * result.Seconds * 1e6
			long := float64(l.Cycles) / float64(result.Cycles) * result.Seconds * 1e6
			off := max(math.Abs(*e.TS-at), math.Abs(*e.Dur-long)/2)
			if *e.Name != l.Entry || off > tolerance && bound == 0 {
				t.Errorf("launch %d: %s at %v us for %v, want %s at %v for %v",
					slices, *e.Name, *e.TS, *e.Dur, l.Entry, at, long)
			}
			if e.Args["ipc"] == nil || e.Args["staticFemtojoules"] == nil {
				t.Errorf("launch %d has figures %v", slices, e.Args)
			}
			instructions += e.Args["warpInstructions"].(float64)
			slices++
		}
		if whole := sum.LeftOut == 0; whole != (bound == 0) || slices == 0 ||
			whole && (slices != len(result.Launches) || uint64(instructions) != result.WarpInstructions) {
			t.Errorf("%d launches of %d, with %v instructions of %d",
				slices, len(result.Launches), instructions, result.WarpInstructions)
		}
	}
}
