package experiment

import (
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/latte/policy"
	"github.com/burstscope/burstscope/core/system/testdata/tail"
)

// toyPolicies gives the table of schemes a policy for each codec that an L1 can have, as rows beside those of policy.Table.
func toyPolicies(t *testing.T) (names []string) {
	group := scheme.Find("l1")
	old := group.Entries
	t.Cleanup(func() { group.Entries = old })
	group.Entries = slices.Clone(old)
	for i := range codecs.Table {
		c := &codecs.Table[i]
		row := &policy.Row{Name: "toy-" + c.Name, Title: c.Title, About: "A toy.", Low: c.Name, New: policy.Find("static-bdi").New}
		entry, err := latte.EntryOf(row)
		if cannot := c.Over != "" || c.Trained() && c.Name != "sc" || c.Name == codecs.Null; cannot != (err != nil) {
			t.Errorf("%s in an L1: %v", c.Name, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "policy "+row.Name) || !strings.Contains(err.Error(), "codec "+c.Name) {
				t.Errorf("%v: want the policy and the codec", err)
			}
			continue
		}
		group.Entries = append(group.Entries, entry)
		names = append(names, c.Name)
	}
	return names
}

// TestEveryCodecInAnL1: a policy that compresses all lines with a codec needs a row and no more. For every codec the program
// executes the instructions of a run without compression, its output is exact, each hit decodes to the line's bytes, and
// compressions, decompressions and their energy are counted for this codec alone.
func TestEveryCodecInAnL1(t *testing.T) {
	names := toyPolicies(t)
	if len(names) != 16 {
		t.Errorf("%d codecs can be in an L1: %v", len(names), names)
	}
	counters := map[stat.Counter]bool{}
	for i := range codecs.Table {
		if l1 := codecs.Table[i].L1; l1 != nil {
			counters[latte.Compressions(l1)], counters[latte.Decompressions(l1)] = true, true
		}
	}
	_, plain := finish(t, l1Plan(t, "gtx480v3", "bfs1", 1024, "none"))
	for _, name := range names {
		plan := l1Plan(t, "gtx480v3", "bfs1", 1024, "toy-"+name)
		if d := plan.Scheme.L1.Int("lowDecompress"); d < 1 || plan.Scheme.L1.Int("lowCompress") < 1 {
			t.Errorf("%s: compression takes %d and decompression %d cycles", name, plan.Scheme.L1.Int("lowCompress"), d)
		}
		r, res := finish(t, plan)
		s := r.Machine().Stats()
		if s[stat.WarpInstructions] != plain.Stats["warpInstructions"] || res.Error != 0 {
			t.Errorf("%s: %d warp instructions, output error %g; without compression %d", name, s[stat.WarpInstructions], res.Error, plain.Stats["warpInstructions"])
		}
		if got := s[stat.L1Hits] + s[stat.L1Misses] + s[stat.L1Merged]; got != s[stat.L1Accesses] {
			t.Errorf("%s: %d accesses, %d outcomes", name, s[stat.L1Accesses], got)
		}
		l1 := codecs.Find(name).L1
		in, hits := latte.Compressions(l1), latte.Decompressions(l1)
		if s[in] == 0 || s[hits] == 0 || s[hits] != s[latte.L1Decompressions] || s[hits] > s[stat.L1Hits] {
			t.Errorf("%s: %d compressions, %d decompressions of %d, %d hits", name, s[in], s[hits], s[latte.L1Decompressions], s[stat.L1Hits])
		}
		for _, c := range stat.List() {
			if counters[c] && s[c] != 0 && c != in && c != hits {
				t.Errorf("%s: counter %s is %d", name, stat.Describe(c).Name, s[c])
			}
		}
		terms := map[string]uint64{}
		for _, part := range res.Energy.Parts {
			for _, term := range part.Terms {
				if strings.HasPrefix(term.Path, "codec.l1.") {
					terms[term.Path] += term.Femtojoules
				}
			}
		}
		if terms["codec.l1.compress"] == 0 || terms["codec.l1.decompress"] == 0 {
			t.Errorf("%s: energy of the codec: %v", name, terms)
		}
	}
}

// TestCountingWithNoCounterIsAnError: a codec without counters is refused before the run, and a part that counts with no
// counter all the same ends the run with an error.
func TestCountingWithNoCounterIsAnError(t *testing.T) {
	toyPolicies(t)
	l1 := codecs.Find("zvc").L1
	old := *l1
	t.Cleanup(func() { *l1 = old })
	run := func() error {
		r, err := New(l1Plan(t, "gtx480v3", "bfs1", 256, "toy-zvc"), Options{})
		for done := false; err == nil && !done; {
			done, err = r.Step(1 << 20)
		}
		return err
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	entries := scheme.Find("l1").Entries
	entry := &entries[slices.IndexFunc(entries, func(e system.Entry) bool { return e.Name == "toy-zvc" })]
	configure := entry.Configure
	entry.Configure = func(p system.Part, g *parameter.GPU, job *machine.Job) error {
		err := configure(p, g, job)
		make := job.L1
		job.L1 = func() (cache.Stores, error) {
			stores, err := make()
			l1.Place = 0 // after the check
			return stores, err
		}
		return err
	}
	if err := run(); err == nil || !strings.Contains(err.Error(), "counted with no counter") {
		t.Errorf("a run that counts with no counter: %v", err)
	}
	if err := run(); err == nil || !strings.Contains(err.Error(), "policy toy-zvc: codec zvc has no counters of an L1: give its row of codecs.Table") {
		t.Errorf("a codec without counters: %v", err)
	}
}

// TestAnL1PolicyWithANewCodec: a codec that nobody knows and a policy of it are a row each. The codec has counters of
// its own in L1, in the place that its row names, with energy and settings, and takes none of another codec.
func TestAnL1PolicyWithANewCodec(t *testing.T) {
	alone(t, "tail")
	before, group := codecs.Table, scheme.Find("l1")
	entries := group.Entries
	t.Cleanup(func() {
		codecs.Table, group.Entries = before, entries
		scheme.Charges = scheme.Count()
	})
	row := tail.Row()
	row.L1 = &codecs.L1{Title: "Tail", Key: "Tail", Text: "Tail", Place: 10}
	codecs.Table = append(before[:len(before):len(before)], row)
	scheme.Charges = scheme.Count()
	entry, err := latte.EntryOf(&policy.Row{
		Name: "static-tail", Title: "Tail", About: "A toy.", Low: "tail", New: policy.Find("static-bdi").New,
	})
	if err != nil {
		t.Fatal(err)
	}
	group.Entries = append(entries[:len(entries):len(entries)], entry)

	r, res := finish(t, l1Plan(t, "gtx480v3", "bfs1", 1024, "static-tail"))
	checkExact(t, r, res)
	in, out := res.Stats["l1CompressionsTail"], res.Stats["l1DecompressionsTail"]
	if orders, all := res.Stats["l1OrdersLow"], res.Stats["l1Decompressions"]; in == 0 || in > orders || out == 0 ||
		out != all || res.Stats["l1CompressionsBDI"] != 0 {
		t.Errorf("%d compressions of %d orders, %d decompressions of %d", in, orders, out, all)
	}
	if a, b := energyOf(res, "codec.l1.compress"), energyOf(res, "codec.l1.decompress"); a != 1000*in || b != 2000*out {
		t.Errorf("%d fJ for %d lines, %d fJ for %d", a, in, b, out)
	}
	row.L1.Place = 1
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "codecs bdi and tail have place 1 in L1") {
			t.Errorf("a place that BDI has: %q", text)
		}
	}()
	scheme.Count()
}
