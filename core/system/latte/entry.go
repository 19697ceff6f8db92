package latte

import (
	"fmt"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// extraLatency is LATTE-CC's figure 1: how much latency of hits the programs bear.
var extraLatency = system.Setting{Name: "extraLatency", Title: "extra latency", Unit: "cycles", High: 1000, About: "Cycles that every hit in L1 takes longer; LATTE-CC's figure 1 adds 2, 5, 9 and 14."}

// Delayed is an L1 without compression whose hits take longer.
var Delayed = system.Entry{
	Group: "l1", Name: "delayed", Title: "delayed", About: "L1 stores lines as they are, and its hits take longer.",
	Settings: []system.Setting{extraLatency}, Configure: configureDelay, Idle: func(p system.Part, r *system.Counts) string { return idle(nil, p, r) },
}

func configureDelay(p system.Part, g *parameter.GPU, _ *machine.Job) error {
	g.SM.L1.LatencyCycles += p.Int("extraLatency")
	return nil
}

// MaxTags bounds the tags of a set that one access compares [ours]: four for each way of an
// L1 with 64 ways, the most of any preset.
const MaxTags = 256

// dedicatedSets are powers of two, as the sets of an L1 are, so that a mode's sets are
// spread evenly and the last set belongs to no mode.
var dedicatedSets = []int{1, 2, 4, 8, 16, 32}

// entries are those of the group l1: an L1 whose hits take longer, and the policies of a compressed L1.
func entries() []system.Entry {
	list := []system.Entry{Delayed}
	for i := range policy.Table {
		e, err := EntryOf(&policy.Table[i])
		if err != nil {
			panic(err) // a row of the table cannot be
		}
		list = append(list, e)
	}
	return list
}

// EntryOf returns the entry of a policy. It is an error if a codec of the policy cannot be in an L1.
func EntryOf(row *policy.Row) (system.Entry, error) {
	settings, err := settingsOf(row)
	if err != nil {
		return system.Entry{}, fmt.Errorf("latte: policy %s: %w", row.Name, err)
	}
	e := system.Entry{
		Group: "l1", Name: row.Name, Title: row.Title, About: row.About, Settings: settings, Null: policy.Raw,
		Configure: func(p system.Part, g *parameter.GPU, job *machine.Job) error { return configure(row, p, g, job) },
		Report:    func() system.Report { return new(Phases) },
		Log:       keepPhases,
		Idle:      func(p system.Part, r *system.Counts) string { return idle(row, p, r) },
		HostBytes: func(p system.Part, g *parameter.GPU, machine uint64, logs bool) uint64 {
			return hostBytes(row, p, g, machine, logs)
		},
	}
	if row.Sampled {
		e.Place = "in L1"
	}
	if row.Planned {
		e.Search = search
	}
	return e, nil
}

// settingsOf are the values of LATTE-CC's section IV, and the switches of its limit
// studies.
func settingsOf(row *policy.Row) ([]system.Setting, error) {
	list := []system.Setting{
		{Name: "phase", Title: "phase", Unit: "accesses", Low: 16, High: 1 << 20, Default: 256, About: "L1 accesses of an experimental phase (LATTE-CC section IV-C3)."},
		{Name: "period", Title: "period", Unit: "phases", Low: 2, High: 1000, Default: 10, About: "Phases of a period: the first learns, the others follow (section IV-C3); SC changes its codes at the end."},
		{Name: "tags", Title: "tags", Unit: "for each way", Low: 1, High: 16, Default: 4, About: "Tags of a set for each way of an L1 without compression (section IV-A)."},
		{Name: "room", Title: "room", Words: []string{"miss", "fill"}, About: "When a line gets its room. miss: a whole line at the miss, of which a code keeps a part, so that raw is an L1 without compression. fill: what its code needs, when the data come."},
		{Name: "capacity", Title: "capacity", Words: []string{"on", "off"}, About: "off: compressed lines take the room of whole lines, so only their latency counts (section II-B)."},
		{Name: "ratios", Title: "ratios", Words: []string{"off", "on"}, About: "on: measure what each codec makes of every line that enters L1."},
		extraLatency,
	}
	if row.Sampled {
		list = append(list, system.Setting{Name: "dedicated", Title: "dedicated sets", Unit: "sets for each mode", Numbers: dedicatedSets, Default: 4, About: "Sets that belong to one mode while a policy learns (section IV-C3: 4 of 32)."})
	}
	if row.Planned {
		list = append(list, system.Setting{
			Name: "modes", Title: "modes", Optional: true, Check: func(text string) error { _, err := policy.ParsePlan(text); return err },
			Mend: "write none, low or high for each launch, with commas", About: "The mode of each launch; the fastest are searched if it is not given.",
		})
	}
	for m, word := range [policy.NumModes]string{policy.Low: "low", policy.High: "high"} {
		name := row.Codec(policy.Mode(m))
		if name == "" {
			continue
		}
		latencies, err := latencySettings(word, name)
		if err != nil {
			return nil, err
		}
		list = append(list, latencies...)
	}
	return list, nil
}

// latencySettings are the times that the codec of a mode takes in an L1.
func latencySettings(mode, name string) ([]system.Setting, error) {
	row, err := codecs.InL1(name)
	if err != nil {
		return nil, err
	}
	c, err := codecs.ByName(name, nil)
	if err != nil {
		return nil, err
	}
	info := c.Info()
	compress, decompress := info.L1()
	if compress.Cycles == 0 || decompress.Cycles == 0 {
		return nil, fmt.Errorf("codec %s states no latency: give its Info one for a memory controller or for an L1, with its source", name)
	}
	title := row.L1.Title
	return []system.Setting{
		{Name: mode + "Compress", Title: title + " compression", Unit: "cycles", High: codecs.MaxLatencyCycles, Default: compress.Cycles, About: "Cycles until a line that " + title + " has compressed can be read; its miss does not wait (" + compress.Source + ")."},
		{Name: mode + "Decompress", Title: title + " decompression", Unit: "cycles", High: codecs.MaxLatencyCycles, Default: decompress.Cycles, About: "Cycles that a hit on a line of " + title + " keeps its decompressor (" + decompress.Source + "); 0 shows what capacity alone is worth."},
	}, nil
}

func configure(row *policy.Row, p system.Part, g *parameter.GPU, job *machine.Job) error {
	c := CompressedConfig{
		Policy: row, TagFactor: p.Int("tags"), PhaseAccesses: p.Int("phase"), PeriodPhases: p.Int("period"), DedicatedSets: p.Int("dedicated"),
		Whole: p.Word("capacity") == "off", Reserve: p.Word("room") == "miss", Ratios: p.Word("ratios") == "on", Paranoid: job.Paranoid,
	}
	c.Compress = [policy.NumModes]int{policy.Low: p.Int("lowCompress"), policy.High: p.Int("highCompress")}
	c.Decompress = [policy.NumModes]int{policy.Low: p.Int("lowDecompress"), policy.High: p.Int("highDecompress")}
	if text := p.Word("modes"); text != "" {
		var err error
		if c.Plan, err = policy.ParsePlan(text); err != nil {
			return fault.At("l1.modes", err.Error(), "write none, low or high for each launch")
		}
	}
	job.L1 = func() (cache.Stores, error) { return NewCompressed(c) }
	return configureDelay(p, g, job)
}

// hostBytes are the logs of the SMs, and the machines of a search: the one that it works with, and the states that it keeps.
func hostBytes(row *policy.Row, p system.Part, g *parameter.GPU, machine uint64, logs bool) (n uint64) {
	if logs {
		n = uint64(g.SMs) * logBytes
	}
	if row.Planned && p.Word("modes") == "" {
		n += 2 * machine
	}
	return n
}

// idle says why a store of L1 changed nothing; row is nil for one without a policy.
func idle(row *policy.Row, p system.Part, r *system.Counts) string {
	switch {
	case r.Stats["l1Accesses"] == 0:
		return "did nothing: no load looked into L1"
	case r.Stats["l1Hits"] == 0:
		return "did nothing: no load hit L1"
	case p.Int("extraLatency") > 0:
	case row == nil:
		return "did nothing: it adds no cycles"
	case row.Name != policy.Raw && !compressedLines(row, r):
		return "did nothing: it compressed no line"
	}
	return ""
}

// compressedLines reports whether an L1 compressed a line, with either codec.
func compressedLines(row *policy.Row, r *system.Counts) bool {
	for m := range policy.NumModes {
		if c := codecs.Find(row.Codec(m)); c != nil && r.Stats[stat.Describe(Compressions(c.L1)).Name] > 0 {
			return true
		}
	}
	return false
}
