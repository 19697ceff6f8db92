package sweep

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/run"
)

const sweepHelp = `usage: burstscope sweep WHAT... [--store DIR] [--shard I/N] [--jobs N] [--dry-run]
                       [--checkpoint] [--quiet] [--format text|jsonl]
                       [--set path=value]... [--vary path=A,B,...]...
                       [--paper P] [--tier T] [READING]
       burstscope sweep plan WHAT... [--shards N] [--store DIR] [--jobs N] ...
       burstscope sweep merge DIR... [--store DIR]

Runs many scenarios on all cores and writes each result to its own file as soon as its
run ends. A run whose result is in the store is not made again, so a stopped sweep
continues where it was; of the runs in flight it loses nothing with --checkpoint. A result counts if its file
is whole, has its original digest, and belongs to the scenario of its name. The sweep
names each damaged file and makes its run again.
WHAT is one of
  claims      all runs that the claims of --paper and --tier need
  figures     all runs of all figures
  SLC-7 ...   the runs of a figure (see: burstscope figure --help)
  SCENARIO    a shipped scenario or a file, varied by --vary: every combination
plan runs nothing. It says how many runs are left, how many core-hours they should take
on this machine, whose speed it measures, and prints the lines that start them as an
array of jobs. A run that fails, even by a fault of burstscope, ends no other one: at the end
the sweep names it, and its exit status is 1. merge copies the results of other stores into --store. It names damaged files and
files that are not results, and copies all others.

  --store DIR        folder of the results, default "results", and the name of the
                     reading behind it unless it is the default one
  --vary path=A,B    values of a path of a scenario; the paths are those of run --set
  --set path=value   one value for all runs, set before --vary
  --shard I/N        part I of N, from 0: for arrays of jobs on a cluster. Any two
                     parts may run at once, into one store or into several
  --shards N         parts of the plan, default as many as take about an hour each
  --jobs N           runs at a time, default one for each core; no more than there are, nor
                     than 256 MB of free memory for each allow
  --dry-run          only list the runs to do
  --checkpoint       store the state of each run every minute, and at Ctrl-C or SIGTERM;
                     the same command of the same build continues there. Runs that
                     several others share, such as those that count symbols, begin anew
  --format jsonl     for other programs: standard output has a line of JSON for each
                     combination, in their order, with scenario, settings and the result
                     that run --format json prints; the progress goes to stderr
  --quiet            no progress on stderr
` + ReadingHelp + `
examples:
  burstscope sweep figures --store results
  burstscope sweep claims --paper SLC --data calibrated
  burstscope sweep dct --vary memory.mag=16,32,64 --vary memory.threshold=8,16
  burstscope sweep vecadd --vary memory.codec=none,bdi,mine.wasm
  burstscope sweep dct --vary memory.mag=32,64 --format jsonl > dct.jsonl
  burstscope sweep plan figures --jobs 4
  burstscope sweep figures --shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT
  burstscope sweep merge part0 part1 part2 --store results
`

// sweepOptions are the flags of a sweep.
type sweepOptions struct {
	Store     *Store
	shard, of int
	Jobs      int
	dryRun    bool
	sets      []cli.Assignment
	vary      []cli.Assignment
	points    []sweepPoint // the combinations, in their order
	paper     string
	tier      string
	reading   *claim.Reading
	Status    io.Writer       // of the expected time and the time left
	stop      <-chan struct{} // closed when the process is asked to end; nil: runs store no states
}

// stopped reports whether the process was asked to end.
func (o *sweepOptions) stopped() bool {
	select {
	case <-o.stop:
		return true
	default:
		return false // also without --checkpoint: a nil channel is never ready
	}
}

// NewSweep returns the options of a sweep without shards, on all cores.
func NewSweep(s *Store) *sweepOptions {
	return &sweepOptions{Store: s, of: 1, Jobs: runtime.NumCPU(), reading: &claim.Reading{}, Status: os.Stderr}
}

func sweepVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sweep", flag.ContinueOnError)
	o := NewSweep(nil)
	sets := cli.SetFlag(flags)
	dir := cli.FileFlag(flags, "store")
	flags.IntVar(&o.Jobs, "jobs", o.Jobs, "")
	flags.BoolVar(&o.dryRun, "dry-run", false, "")
	checkpoint := flags.Bool("checkpoint", false, "")
	shards := flags.Int("shards", 0, "")
	format := cli.FormatFlag(flags, "text", "jsonl")
	quiet := flags.Bool("quiet", false, "")
	flags.StringVar(&o.paper, "paper", "", "")
	flags.StringVar(&o.tier, "tier", "", "")
	o.reading = ReadingFlags(flags)
	flags.Func("shard", "", func(text string) (err error) { o.shard, o.of, err = parseShard(text); return err })
	flags.Func("vary", "", func(text string) error {
		path, values, err := scenario.Assignment(text)
		if err == nil {
			o.vary, err = cli.AppendOnce(o.vary, cli.Assignment{Path: path, Value: values})
		}
		return err
	})
	var words []string
	if err := cli.Parse(flags, args, func(w string) error { words = append(words, w); return nil }); err != nil {
		return err
	}
	o.Store, o.sets = OpenStore(StoreOf(*dir, o.reading)), *sets
	if *quiet {
		o.Status = io.Discard
	}
	for _, v := range o.vary {
		if _, err := cli.AppendOnce(o.sets, v); err != nil {
			return cli.Usagef("--set and --vary: burstscope sweep: %v", err)
		}
	}
	plan := len(words) > 0 && words[0] == "plan"
	if plan {
		words = words[1:]
	}
	switch {
	case !plan && *shards != 0:
		return cli.Usagef("--shards %d: burstscope sweep: it belongs to sweep plan; one part is --shard I/N", *shards)
	case *shards < 0 || *shards > maxShards:
		return cli.Usagef("--shards %d: burstscope sweep plan: give 1 to %d", *shards, maxShards)
	case len(words) == 0:
		return cli.Usagef("nothing to run: burstscope sweep: name claims, figures, a figure or a scenario")
	case o.Jobs < 1:
		return cli.Usagef("--jobs %d: burstscope sweep: give at least 1", o.Jobs)
	case words[0] == "merge":
		return mergeStores(out, o.Store, words[1:])
	case *format == "jsonl" && (plan || o.dryRun):
		return cli.Usagef("--format jsonl: burstscope sweep: it prints results, and neither plan nor --dry-run makes any")
	}
	jobs, err := o.collect(words)
	if err != nil {
		return err
	}
	if plan {
		return o.print(jobs, planned{args: args, shards: *shards}, out)
	}
	if *checkpoint && !o.dryRun {
		o.stop = run.Asked()
	}
	if *format == "jsonl" {
		return o.runRows(words, jobs, out)
	}
	return o.Run(jobs, out)
}

func mergeStores(out io.Writer, into *Store, from []string) error {
	if len(from) == 0 {
		return cli.Usagef("nothing to merge: burstscope sweep merge: name folders")
	}
	var faults []error
	for _, dir := range from {
		m, err := into.merge(dir)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		for _, name := range m.skipped {
			fmt.Fprintf(out, "%s: skipped, because no result has this name\n", name)
		}
		faults = append(faults, m.faults...)
		fmt.Fprintf(out, "%s: %d results added, %d known, %d refused, %d other files skipped\n", dir, m.added, m.known, len(m.faults), len(m.skipped))
	}
	return errors.Join(faults...)
}

// parseShard reads I/N.
func parseShard(text string) (shard, of int, err error) {
	i, n, ok := strings.Cut(text, "/")
	shard, errI := strconv.Atoi(i)
	of, errN := strconv.Atoi(n)
	if !ok || errI != nil || errN != nil || of < 1 || shard < 0 || shard >= of {
		return 0, 1, errors.New("write I/N with I from 0 to N-1, such as 0/4")
	}
	return shard, of, nil
}

// collect returns the jobs of the words without repeats, in their order.
func (o *sweepOptions) collect(words []string) ([]*claim.Job, error) {
	var jobs []*claim.Job
	for _, word := range words {
		switch {
		case word == "claims":
			claims, err := claim.Select(o.paper, o.tier)
			if err != nil {
				return nil, cli.Usagef("%s", err)
			}
			ledger := o.reading.Ledger(nil)
			for _, c := range claims {
				jobs = append(jobs, ledger.Jobs(c)...)
			}
		case word == "figures" || isFigure(word):
			names := []string{word}
			if word == "figures" {
				names = claim.FigureNames()
			}
			for _, name := range names {
				f, err := LoadFigure(name)
				if err != nil {
					return nil, err
				}
				list, err := FigureJobs(f, o.reading)
				if err != nil {
					return nil, err
				}
				jobs = append(jobs, list...)
			}
		default:
			s, err := cli.LoadScenario(word)
			if err != nil {
				return nil, err
			}
			varied, err := o.combinations(word, s)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, varied...)
		}
	}
	return Distinct(jobs), nil
}

func isFigure(word string) bool {
	source, _ := claim.FigureSource(word)
	return source != nil
}

// maxCombinations bounds a sweep [ours].
const maxCombinations = 100_000

// combinations returns every combination of the varied values. The last path changes
// fastest.
func (o *sweepOptions) combinations(name string, s *scenario.Scenario) ([]*claim.Job, error) {
	total := 1
	for _, v := range o.vary {
		if total *= strings.Count(v.Value, ",") + 1; total > maxCombinations {
			return nil, cli.Usagef("more than %d combinations: burstscope sweep: give fewer values to --vary", maxCombinations)
		}
	}
	var jobs []*claim.Job
	for i := range total {
		list, rest := slices.Clone(o.sets), i
		for k := len(o.vary) - 1; k >= 0; k-- {
			values := strings.Split(o.vary[k].Value, ",")
			list = slices.Insert(list, len(o.sets), cli.Assignment{Path: o.vary[k].Path, Value: strings.TrimSpace(values[rest%len(values)])})
			rest /= len(values)
		}
		point := *s
		point.Compare = nil
		if err := cli.Apply(&point, list); err != nil {
			return nil, err
		}
		job := claim.NewJob(&point, false)
		jobs = append(jobs, job)
		o.points = append(o.points, sweepPoint{name, list, job})
	}
	return jobs, nil
}

// progress counts and reports the finished jobs of all workers. Lines of jobs go to out,
// and the time left to status.
type progress struct {
	mu                  sync.Mutex
	out, status         io.Writer
	now                 func() time.Time
	begin, next         time.Time
	plan                *schedule
	seconds             float64 // estimated, of the finished jobs
	done, todo, skipped int
	left                int // not done, because the process was asked to end
	failed              []string
}

// statusInterval is the time between two estimates of the time left [ours].
const statusInterval = 30 * time.Second

func (p *progress) report(j *claim.Job, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.seconds += p.plan.seconds[j]
	result := "done"
	if err != nil {
		result = "failed"
		p.failed = append(p.failed, fmt.Sprintf("%s: %v", j, err))
	}
	fmt.Fprintf(p.out, "%4d of %d  %s  %s  %s\n", p.done, p.todo, scenario.ShortHash(j.Key), j, result)
	if now := p.now(); p.done < p.todo && now.After(p.next) {
		p.next = now.Add(statusInterval)
		fmt.Fprintf(p.status, "%d of %d runs, %s left\n", p.done, p.todo, cli.InMinutes(p.plan.left(p.seconds, now.Sub(p.begin).Seconds())))
	}
}

// leave counts a run that is left for the next sweep.
func (p *progress) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left++
}

// missing returns the batches of the shard with their jobs that have no result in the store, and the
// number of the jobs that have one.
func (o *sweepOptions) missing(all []*batch, out io.Writer) (todo []*batch, skipped int) {
	for i, b := range all {
		if i%o.of != o.shard {
			continue
		}
		left := *b
		left.jobs = slices.DeleteFunc(slices.Clone(b.jobs), func(j *claim.Job) bool {
			there, fault := o.Store.Has(j.Key)
			if fault != nil {
				fmt.Fprintf(out, "%v: its run is made again\n", fault)
			}
			return there
		})
		skipped += len(b.jobs) - len(left.jobs)
		if len(left.jobs) > 0 {
			todo = append(todo, &left)
		}
	}
	return todo, skipped
}

// Run makes the runs that are not in the store, on all cores.
func (o *sweepOptions) Run(jobs []*claim.Job, out io.Writer) error {
	p := &progress{out: out, status: o.Status, now: time.Now}
	todo, skipped := o.missing(batches(jobs), out)
	p.skipped = skipped
	for _, b := range todo {
		p.todo += len(b.jobs)
	}
	if o.dryRun {
		for _, b := range todo {
			for _, j := range b.jobs {
				fmt.Fprintf(out, "%s  %s\n", scenario.ShortHash(j.Key), j)
			}
		}
		fmt.Fprintf(out, "%d runs to do, %d in the store\n", p.todo, p.skipped)
		return nil
	}
	disk.RemoveStale(o.Store.Folder())
	disk.RemoveStale(filepath.Dir(o.Store.statePath("any")))
	var err error
	o.Jobs = cli.Workers(o.Jobs, len(todo), o.Status)
	if p.plan, err = o.plan(todo, p.todo, o.Status); err != nil {
		return err
	}
	p.begin = p.now()
	p.next = p.begin.Add(statusInterval)
	exact := newExactOutputs(todo)
	queue := make(chan *batch)
	var workers sync.WaitGroup
	for range o.Jobs {
		workers.Go(func() {
			for b := range queue {
				o.runBatch(b, exact, p)
			}
		})
	}
	for _, b := range p.plan.batches {
		queue <- b
	}
	close(queue)
	workers.Wait()
	fmt.Fprintf(out, "%d runs done, %d were in the store, %d failed\n", p.done-len(p.failed), p.skipped, len(p.failed))
	_ = os.Remove(filepath.Dir(o.Store.statePath("any"))) // if no run left a state there
	if p.left > 0 {
		return fmt.Errorf("%w with %d runs left: the same command continues", run.ErrStopped, p.left)
	}
	if len(p.failed) > 0 {
		slices.Sort(p.failed)
		return failedRuns(p.failed)
	}
	return nil
}
