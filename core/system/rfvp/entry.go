package rfvp

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/ptx/approximate"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/system"
)

// name and title are the entry's; nameRates is that of the entry with rates of launches.
const (
	name      = "rfvp"
	nameRates = "rfvp-rates"
	title     = "RFVP"
)

// predicts reports whether a part predicts loads.
func predicts(p system.Part) bool { return p.Word("policy") == name || p.Word("policy") == nameRates }

// Entry is RFVP in the group of load misses: it predicts the values of approximate loads and drops their requests.
var Entry = system.Entry{
	Group: "loads", Name: name, Title: title, Place: "on load misses", About: "Rollback-free value prediction: a share of the misses of approximate loads is answered with predicted values and never fetched (RFVP, TACO 12(4)).",
	Settings: []system.Setting{
		{Name: "drop", Title: "drop rate", Unit: "thousandths", High: 1000, Default: 500, About: "Misses of approximate loads that are dropped, if the predictor has a row. RFVP's search starts at one half and studies 125 to 900 (sections 3.3 and 6.1)."},
		{Name: "which", Title: "approximate loads", Optional: true, Check: func(text string) error { _, err := approximate.Parse(text); return err }, Mend: approximate.Mend,
			About: "Loads that may get predicted values: marked, safe, all, or KERNEL:LINES and KERNEL:BUFFERS. Without it: the loads behind .pragma \"approximate\", or else those of safe buffers."},
		{Name: "force", Title: "force", Words: []string{"off", "on"}, About: "on: also loads whose values reach addresses, loop bounds or branches that cannot be if-converted."},
		{Name: "predictor", Title: "predictor", Words: KindNames[:], About: "two-delta adds a stride that came twice (section 4.1), stride the last one, dfcm the one that followed the last three before; last-value adds none; single-value has one value a row and none for gaps; zero is always 0 (figure 11)."},
		{Name: "entries", Title: "entries", Unit: "rows", Low: 32, High: 512, Default: 192, About: "Rows of an SM's predictor (section 4.2: 192)."},
		{Name: "ways", Title: "ways", Unit: "rows of a set", Low: 1, High: 32, Default: 4, About: "Rows that one look-up compares (section 4.2: 4)."},
		{Name: "groups", Title: "groups", Unit: "groups of threads", Numbers: []int{1, 2, 4, 8, 16, 32}, Default: 2, About: "Groups of a warp's threads with a value of their own (section 4.2: 2)."},
		{Name: "gaps", Title: "gaps", Words: GapNames[:], About: "Words of a predicted line that no thread reads get the first words of the last line (columns), or random bits (section 4.2)."},
		{Name: "requests", Title: "requests", Words: []string{"dropped", "sent"}, About: "sent: the request of a predicted line goes out all the same and trains the predictor (section 6.1, figure 8)."},
		{Name: "seed", Title: "seed", High: 1 << 30, Default: 1, About: "Seed of the random draws; every SM has a register of its own."},
	},
	Configure: configureRFVP, Report: func() system.Report { return new(Report) }, Approximates: true, Idle: idle,
}

// RatesEntry is RFVP in a program that sets its drop rate before launches.
var RatesEntry = withRates(Entry)

func withRates(e system.Entry) system.Entry {
	e.Name, e.Title = nameRates, "RFVP, rates of launches"
	e.About = "RFVP in a program that sets its drop rate itself (sections 2.3 and 3.3)."
	e.Settings = append(slices.Clip(e.Settings), system.Setting{
		Name: "rates", Title: "rates", Optional: true, Mend: mendRates,
		Check: func(text string) error { _, err := parseRates(text); return err },
		About: "Drop rates in place of the run's, such as KERNEL:250;KERNEL@4:900.",
	})
	return e
}

// idle says why no load got a predicted value.
func idle(p system.Part, r *system.Counts) string {
	switch {
	case r.Stats["predictedLanes"] > 0:
		return ""
	case r.Stats["approximateMisses"] == 0:
		return "did nothing: no load that may be predicted missed L1"
	case p.Int("drop") == 0 && p.Word("rates") == "":
		return "did nothing: its drop rate is 0"
	}
	return "did nothing: no request that it could drop had a trained row"
}

// predictor returns the predictor that a part describes.
func predictor(p system.Part) Config {
	c := Config{Entries: p.Int("entries"), Ways: p.Int("ways"), Groups: p.Int("groups")}
	for i, name := range KindNames {
		if p.Word("predictor") == name {
			c.Kind = Kind(i)
		}
	}
	for i, name := range GapNames {
		if p.Word("gaps") == name {
			c.Gaps = Gaps(i)
		}
	}
	return c
}

func configureRFVP(p system.Part, _ *parameter.GPU, job *machine.Job) error {
	which, err := approximate.Parse(p.Word("which"))
	if err != nil {
		return fault.At("loads.which", err.Error(), approximate.Mend)
	}
	list, err := which.Loads(&approximate.Program{Launches: job.Launches, Buffers: job.Image.Allocations()})
	if err != nil {
		return fault.At("loads.which", err.Error(), approximate.Mend)
	}
	found, ofLaunch := approximate.Table(job.Launches, list)
	loads := &Loads{OfLaunch: ofLaunch}
	for i := range found {
		l := &found[i]
		if p.Word("force") != "on" {
			if u := approximate.Check(l.Kernel, []int32{l.PC}); len(u) > 0 {
				return fault.At("loads.which", fmt.Sprintf("kernel %s: %s", l.Kernel.Name, u[0].Describe(l.Kernel)), "leave this load out, or set loads.force to on")
			}
		}
		op := l.Kernel.Code[l.PC].Mem
		form, ok := FormOf(uint32(l.Number)<<22|uint32(l.PC)<<4, int(op.Count), int(op.Bytes), l.Float())
		if !ok {
			return fault.At("loads.which", fmt.Sprintf("kernel %s: the load at %s has an element of %d bytes", l.Kernel.Name, l.Place(), op.Bytes), "leave it out: a row of the predictor holds 8 bytes")
		}
		loads.Forms = append(loads.Forms, form)
		loads.Places = append(loads.Places, Place{Kernel: l.Kernel, PC: l.PC})
	}
	rates, err := ratesOf(p.Word("rates"), job.Launches, Rate(p.Int("drop")))
	if err != nil {
		return fault.At("loads.rates", err.Error(), mendRates)
	}
	c := PolicyConfig{
		Predictor: predictor(p), Rates: rates, Fetch: p.Word("requests") == "sent", Seed: uint64(p.Int("seed")), Loads: loads,
	}
	job.Loads = func(e sm.LoadEnv) sm.LoadPolicy { return NewPolicy(c, e) }
	return nil
}
