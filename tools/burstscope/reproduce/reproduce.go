package reproduce

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/tools/burstscope/chart"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

const reproduceUsage = `usage: burstscope reproduce [--quick] [--paper P] [--out DIR] [--store DIR] [--jobs N]
                           [--as-is] [READING] [--format all|json]
       burstscope reproduce --further|--rows IDS [--paper P] [--out DIR] [--store DIR]
                            [--jobs N]
       burstscope reproduce --check N [--out DIR] [--store DIR] [--jobs N]

Makes the missing runs of the figures and the claims of SLC and E2MC, or with --paper
of one paper, on that paper's machine and inputs. It then writes every figure as SVG,
CSV and JSON, the claims as CSV and JSON, and a page of each reason for
which core rows do not hold (divergences/). One folder is for the inputs of the
suites, another for SLC on calibrated inputs; a reading with other inputs has one
folder. The JSON gives the runs and the formula behind each value; runs.json holds the
complete scenario of each run.
The same version writes the same bytes, from a filled store and from an empty one: a
run depends only on its scenario. Runs that differ only in their codec share one
simulation without compression; runs of one program share its exact output. The
longest runs come first. Expected time, progress and time left are on stderr.

Rows that a paper's folder lists under noise get an interval: their number again with
five seeds and five placements of the buffers, and what it would be if nothing were
saved. Rows that it lists under readings get their number under every other reading of
what the paper leaves open. --further makes only the runs of these two and adds them to
the files in --out, whose other numbers stay. --rows does the same for all of some rows.

--check writes nothing. It makes N runs of the files in --out again, spread over their
papers, programs and schemes, and names each whose result is another one. The same N
takes the same runs. Give a --store without results: a stored run is not made again.

`
const reproduceFlags = `
  --quick    only the part described above
  --paper    the figures and claims of one paper alone, such as LATTE
  --out      folder of the written files, default "reproduction"
  --store    folder of the results, default "results". A stopped reproduction
             continues from there. The name of a reading follows both defaults,
             unless it is the default reading
  --jobs     runs at a time, default one for each core
  --as-is    make no runs: values whose runs are not stored stay empty
  --further  only add the intervals and readings of rows to the files in --out
  --rows     only put these rows, such as LATTE-20,LATTE-83, into the files in --out again
  --check N  compare N runs with the files in --out; more than there are: all
  --format   all, or json: only the files that the page reads

` + sweep.ReadingHelp + `
examples:
  burstscope reproduce
  burstscope reproduce --quick
  burstscope reproduce --paper RFVP
  burstscope reproduce --paper BUDDY
  burstscope reproduce --machine gtx580v4 --data natural --sizes claim --online sample
  burstscope reproduce --format json --out assets/reproduction    # the page's data
  burstscope reproduce --paper LATTE --format json --out assets/reproduction/latte
  burstscope reproduce --check 60 --out assets/reproduction --store /tmp/again
`

func reproduceHelp() string { return reproduceUsage + quickHelp() + reproduceFlags }

// reproduction lists the figures and claims to write, for one mode of inputs or
// several.
type reproduction struct {
	store   *sweep.Store
	modes   []reproducedMode
	reading claim.Reading // of all modes, but for the data
	quick   bool          // only the runs of quickSizes and quickSettings
}

// ledger returns a ledger over results for a mode.
func (r *reproduction) ledger(results claim.Results, data claim.Data) *claim.Ledger {
	reading := r.reading
	reading.Data = data
	l := reading.Ledger(results)
	if r.quick {
		l = l.AtSizes(quickSizes)
	}
	return l
}

// reproducedMode is a folder of the output.
type reproducedMode struct {
	data    claim.Data
	figures []reproducedFigure
	papers  []string // of the claims
}

// claims returns the claims of the mode's papers.
func (m *reproducedMode) claims() []claim.Claim {
	return slices.DeleteFunc(claim.All(), func(c claim.Claim) bool { return !slices.Contains(m.papers, c.Paper) })
}

// reproducedFigure is a figure with its source text.
type reproducedFigure struct {
	*claim.Figure
	source []byte
}

// wholeReproduction lists everything of SLC and E2MC in a reading: they have programs, machine and runs
// in common. The other papers have reproductions of their own (paperReproduction). Only SLC describes
// inputs to calibrate to; their rows stand with the suites' inputs.
func wholeReproduction(s *sweep.Store, reading claim.Reading) (*reproduction, error) {
	first := reproducedMode{data: claim.Data(reading.Word("data")), papers: []string{"SLC", "E2MC"}}
	calibrated := reproducedMode{data: claim.Calibrated, papers: []string{"SLC"}}
	var err error
	if first.figures, err = figuresOf(first.papers); err == nil {
		calibrated.figures, err = figuresOf(calibrated.papers)
	}
	if err != nil {
		return nil, err
	}
	r := &reproduction{store: s, reading: reading}
	switch first.data {
	case claim.Suite:
		r.modes = []reproducedMode{first, calibrated}
	case claim.Calibrated:
		r.modes = []reproducedMode{calibrated}
	default:
		r.modes = []reproducedMode{first}
	}
	return r, nil
}

func reproduceVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "all", "json")
	dir := cli.FileFlag(flags, "store")
	to := cli.FileFlag(flags, "out")
	paper := flags.String("paper", "", "")
	reading := sweep.ReadingFlags(flags)
	asIs := flags.Bool("as-is", false, "")
	quick := flags.Bool("quick", false, "")
	check := flags.Int("check", 0, "")
	further := flags.Bool("further", false, "")
	rows := flags.String("rows", "", "")
	jobs := flags.Int("jobs", runtime.NumCPU(), "")
	if err := cli.Parse(flags, args, func(w string) error { return cli.Usagef("unexpected word: %s: burstscope reproduce takes none", w) }); err != nil {
		return err
	}
	if *jobs < 1 {
		return cli.Usagef("--jobs %d: burstscope reproduce: give at least 1", *jobs)
	}
	if *paper != "" && *quick {
		return cli.Usagef("--quick with --paper: burstscope reproduce: give one of them")
	}
	s := sweep.OpenStore(sweep.StoreOf(*dir, reading))
	if *check != 0 {
		if *check < 0 || *asIs || *quick || *further || *rows != "" || *paper != "" || !reading.IsDefault() {
			return cli.Usagef("--check %d: burstscope reproduce: give the number of runs, and with it only --out, --store and --jobs", *check)
		}
		return checkWritten(cmp.Or(*to, "reproduction"), *check, s, *jobs, out)
	}
	r, err := wholeReproduction(s, *reading)
	if *paper != "" {
		*reading = reading.Of(strings.ToUpper(*paper))
		r, err = paperReproduction(s, *reading, strings.ToUpper(*paper))
	}
	if err != nil {
		return err
	}
	if *to == "" {
		*to = "reproduction"
		if !reading.IsDefault() {
			*to += "-" + reading.Label()
		}
	}
	if *further || *rows != "" {
		if *asIs || *quick || *further && *rows != "" || !inCommitted(reading, *paper) {
			return cli.Usagef("--further or --rows: burstscope reproduce: " +
				"give with one of them only --paper, --out, --store and --jobs")
		}
		var again []string
		if *rows != "" {
			again = strings.Split(*rows, ",")
		}
		return r.addFurther(*to, again, *jobs, out)
	}
	if *quick {
		r.quick, r.modes = true, r.modes[:1]
	}
	var failed error
	if !*asIs {
		if failed = r.run(*jobs, os.Stderr); !sweep.GoesOn(failed) {
			return failed
		}
	}
	return errors.Join(r.write(*to, *format == "all", out), failed)
}

// Jobs returns every needed run once.
func (r *reproduction) jobs() ([]*claim.Job, error) { return r.jobsOn(true) }

// jobsOn is jobs, or those of figures on their own input alone.
func (r *reproduction) jobsOn(allInputs bool) ([]*claim.Job, error) {
	var jobs []*claim.Job
	for _, m := range r.modes {
		for _, f := range m.figures {
			of := *f.Figure
			if !allInputs {
				of.Inputs = 0
			}
			_, list, err := r.ledger(nil, m.data).Draw(&of)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, list...)
		}
		ledger := r.ledger(nil, m.data)
		for _, paper := range m.papers {
			claims, err := claim.Select(paper, "")
			if err != nil {
				return nil, err
			}
			for _, c := range claims {
				jobs = append(jobs, ledger.Jobs(c)...)
			}
		}
	}
	if r.quick {
		own := r.reading.Word("machine")
		jobs = slices.DeleteFunc(jobs, func(j *claim.Job) bool { return !isQuick(j) || j.Scenario.Machine.Preset != own })
	}
	return sweep.Distinct(jobs), nil
}

// Run makes the runs that are not stored. Progress goes to status.
func (r *reproduction) run(jobs int, status io.Writer) error {
	list, err := r.jobs()
	if err != nil {
		return err
	}
	o := sweep.NewSweep(r.store)
	o.Jobs, o.Status = jobs, status
	return o.Run(list, status)
}

// The page reads these files. Figures have the format of claim.Drawing, claims that of
// claimsReport.
type (
	reproductionIndex struct {
		Version string `json:"version"`
		Digest  string `json:"digest"` // of all sources of the values
		// Lacking is the number of runs without a result; values that need them are empty
		// and name them.
		Lacking int `json:"lacking,omitempty"`
		// Reading is left out if the committed results have it.
		Reading *claim.Reading       `json:"reading,omitempty"`
		Figures []*indexedFigure     `json:"figures"`
		Claims  []claim.Data         `json:"claims"`
		files   map[string][]byte    // by path, to be written
		totals  []claims.ClaimsTotal // of Claims
		runs    int
	}
	indexedFigure struct {
		Name  string       `json:"name"`
		Paper string       `json:"paper"`
		Title string       `json:"title"`
		File  string       `json:"file"`
		Data  []claim.Data `json:"data"`
	}
	reproducedRuns struct {
		Version string                    `json:"version"`
		Runs    map[string]*reproducedRun `json:"runs"`
	}
	reproducedRun struct {
		Kind     string          `json:"kind"` // "run" or "traffic"
		Title    string          `json:"title"`
		Scenario json.RawMessage `json:"scenario"`
		Result   string          `json:"result,omitempty"` // hash; empty where it was not measured
		// Input means that only spreads of figures need the run, and no value, row or formula names it.
		Input bool `json:"input,omitempty"`
	}
	stampedFigure struct {
		*claim.Drawing
		Version string `json:"version"`
		Digest  string `json:"digest"`
	}
)

// write writes all files. The index comes last, because readers start from it.
func (r *reproduction) write(dir string, all bool, out io.Writer) error {
	index, err := r.files(all)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(index.files))
	for name := range index.files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := disk.WriteStored(filepath.Join(dir, filepath.FromSlash(name)), index.files[name]); err != nil {
			return err
		}
	}
	if err := disk.WriteStored(filepath.Join(dir, "index.json"), compactJSON(index)); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d figures and the claims in %s\n", len(index.Figures), dir)
	for i, total := range index.totals {
		fmt.Fprintf(out, "%s inputs: %s\n", index.Claims[i], total)
	}
	if index.Lacking > 0 {
		fmt.Fprintf(out, "%d of %d runs were not made: the values that need them are empty\n", index.Lacking, index.runs)
	}
	return nil
}

// files makes all files but the index, which it returns.
func (r *reproduction) files(all bool) (*reproductionIndex, error) {
	jobs, err := r.jobs()
	if err != nil {
		return nil, err
	}
	own, err := r.jobsOn(false)
	if err != nil {
		return nil, err
	}
	runs := r.describe(jobs)
	for _, one := range runs.Runs {
		one.Input = true
	}
	for _, j := range own {
		runs.Runs[j.Key].Input = false
	}
	index := &reproductionIndex{Version: experiment.Version, files: map[string][]byte{}, runs: len(jobs)}
	if !r.reading.IsDefault() {
		index.Reading = &r.reading
	}
	results := described{r.store, runs}
	index.files["runs.json"] = compactJSON(runs)
	sum := digest.New()
	for _, m := range r.modes {
		for _, f := range m.figures {
			d, _, err := r.ledger(results, m.data).Draw(f.Figure)
			if err != nil {
				return nil, err
			}
			stamp := runs.stamp(f, d)
			sum.Write([]byte(stamp))
			base := string(m.data) + "/" + strings.ToLower(d.Name)
			index.add(d, m.data)
			index.files[base+".json"] = compactJSON(&stampedFigure{d, experiment.Version, stamp})
			if all {
				var table bytes.Buffer
				if err := claims.FigureCSV(&table, d); err != nil {
					return nil, err
				}
				index.files[base+".csv"], index.files[base+".svg"] = table.Bytes(), []byte(chart.Draw(d))
			}
		}
		report, err := claims.ReportOf(r.ledger(results, m.data), m.claims(), "")
		if err != nil {
			return nil, err
		}
		var used []string
		for _, o := range report.Outcomes {
			used = append(used, o.Keys()...)
		}
		report.Digest = runs.digest(claim.Source(m.papers...), used)
		sum.Write([]byte(report.Digest))
		index.Claims, index.totals = append(index.Claims, m.data), append(index.totals, report.Total)
		index.files[string(m.data)+"/claims.json"] = compactJSON(report)
		if all {
			var table bytes.Buffer
			if err := report.Csv(&table); err != nil {
				return nil, err
			}
			index.files[string(m.data)+"/claims.csv"] = table.Bytes()
			pages := divergenceFiles(report.Outcomes, runs, func(string) claim.Data { return m.data })
			for name, text := range pages {
				index.files[string(m.data)+"/divergences/"+name] = []byte(text)
			}
		}
	}
	for _, j := range jobs {
		if runs.Runs[j.Key].Result == "" {
			index.Lacking++
		}
	}
	index.Digest = sum.Hex()
	return index, r.store.Check()
}

// add puts a figure into the index.
func (x *reproductionIndex) add(d *claim.Drawing, data claim.Data) {
	at := slices.IndexFunc(x.Figures, func(f *indexedFigure) bool { return f.Name == d.Name })
	if at < 0 {
		at = len(x.Figures)
		x.Figures = append(x.Figures, &indexedFigure{Name: d.Name, Paper: d.Paper, Title: d.Title, File: strings.ToLower(d.Name) + ".json"})
	}
	x.Figures[at].Data = append(x.Figures[at].Data, data)
}

// describe lists every job with its scenario and result.
func (r *reproduction) describe(jobs []*claim.Job) *reproducedRuns {
	runs := &reproducedRuns{experiment.Version, map[string]*reproducedRun{}}
	for _, j := range jobs {
		one := &reproducedRun{Kind: "run", Title: j.String(), Scenario: authoring.ToJSON(j.Scenario)}
		if j.Traffic {
			one.Kind = "traffic"
			if t := r.store.Traffic(j); t != nil {
				one.Result = t.Hash()
			}
		} else if result := r.store.Run(j); result != nil {
			one.Result = result.ResultHash
		}
		runs.Runs[j.Key] = one
	}
	return runs
}

// described shows only the results of a store that belong to the reproduction, so
// that other results in the store do not change the files.
type described struct {
	store *sweep.Store
	runs  *reproducedRuns
}

func (d described) Run(j *claim.Job) *experiment.Result {
	if d.runs.Runs[j.Key] == nil {
		return nil
	}
	return d.store.Run(j)
}

func (d described) Traffic(j *claim.Job) *experiment.Traffic {
	if d.runs.Runs[j.Key] == nil {
		return nil
	}
	return d.store.Traffic(j)
}

// stamp is the digest of a figure. Spreads name no runs: that of a figure with spreads covers all runs of further
// inputs.
func (r *reproducedRuns) stamp(f reproducedFigure, d *claim.Drawing) string {
	keys := d.Runs
	if d.Inputs > 0 {
		for _, key := range slices.Sorted(maps.Keys(r.Runs)) {
			if r.Runs[key].Input {
				keys = append(slices.Clip(keys), key)
			}
		}
	}
	return r.digest(f.source, keys)
}

// digest covers a source text and the results of runs.
func (r *reproducedRuns) digest(source []byte, keys []string) string {
	h := digest.New()
	h.Write(fmt.Appendln(nil, r.Version, len(source)))
	h.Write(source)
	for _, key := range keys {
		result := ""
		if one := r.Runs[key]; one != nil {
			result = one.Result
		}
		h.Write(fmt.Appendln(nil, key, result))
	}
	return h.Hex()
}

// compactJSON is JSON in one line.
func compactJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("burstscope: " + err.Error()) // values are finite and keys are texts
	}
	return b.Bytes()
}
