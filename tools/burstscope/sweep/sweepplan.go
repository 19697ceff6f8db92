package sweep

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// planned is how a sweep is to be divided.
type planned struct {
	args   []string // of the command line, from "plan" on
	shards int      // 0: as many as take about an hour each
}

// maxShards bounds the parts of a plan: the largest array that Slurm allows by default is
// 1,001 (slurm.conf, MaxArraySize), and this is an array of such arrays [ours].
const maxShards = 100_000

// secondsOfPart is what a part should take at most [ours]: a queue starts short jobs sooner, and a
// job that is killed loses less.
const secondsOfPart = 3600

// print says what a sweep would do, how long that should take on this machine, and how to start it
// as an array of jobs.
func (o *sweepOptions) print(jobs []*claim.Job, p planned, out io.Writer) error {
	all := batches(jobs)
	todo, done := o.missing(all, out)
	runs := 0
	for _, b := range todo {
		runs += len(b.jobs)
	}
	fmt.Fprintf(out, "%d runs to do, %d in the store %s\n", runs, done, o.Store.dir)
	if runs == 0 {
		return nil
	}
	begin := time.Now()
	c := newCosts()
	if err := c.calibrate(func() float64 { return time.Since(begin).Seconds() }); err != nil {
		return err
	}
	total := newSchedule(slices.Clone(todo), c, 1).total
	fmt.Fprintf(out, "%d simulations without compression are shared between them\n", len(todo))
	fmt.Fprintf(out, "%s core-hours, %.0f runs per core-hour: costs measured on another machine; %s takes %.2f times as long here\n",
		coreHours(total), float64(runs)/(total/3600), calibration, c.scale)
	shards := p.shards
	if shards == 0 {
		shards = int(math.Ceil(total / float64(o.Jobs) / secondsOfPart))
	}
	shards = max(1, min(shards, len(all), maxShards))
	longest := 0.0
	for i := range shards {
		part := *o
		part.shard, part.of = i, shards
		list, _ := part.missing(all, io.Discard)
		longest = max(longest, newSchedule(list, c, o.Jobs).longest)
	}
	fmt.Fprintf(out, "parts: %d, each with --jobs %d; the longest takes %s\n", shards, o.Jobs, cli.InMinutes(longest))
	command := "burstscope sweep " + p.command(o.Jobs)
	fmt.Fprintf(out, "\nSlurm:\n  sbatch --array=0-%d --cpus-per-task=%d --wrap '%s --checkpoint --shard $SLURM_ARRAY_TASK_ID/%d'\n", shards-1, o.Jobs, command, shards)
	fmt.Fprintf(out, "GNU parallel:\n  seq 0 %d | parallel -j 1 '%s --checkpoint --shard {}/%d'\n", shards-1, command, shards)
	return nil
}

// coreHours writes seconds as hours, with at least two digits that say something.
func coreHours(seconds float64) string {
	hours := seconds / 3600
	digits := 2
	for at := 0.1; hours < at && digits < 6; at /= 10 {
		digits++
	}
	return strconv.FormatFloat(hours, 'f', digits, 64)
}

// command is the sweep of the plan, without what differs between its parts. The words are quoted for a
// shell, inside single quotes.
func (p *planned) command(jobs int) string {
	var words []string
	for i := 0; i < len(p.args); i++ {
		name, _, joined := strings.Cut(strings.TrimLeft(p.args[i], "-"), "=")
		switch {
		case i == 0: // the word plan
		case strings.HasPrefix(p.args[i], "-") && slices.Contains([]string{"shards", "jobs", "shard"}, name):
			if !joined {
				i++
			}
		case strings.HasPrefix(p.args[i], "-") && slices.Contains([]string{"dry-run", "checkpoint", "quiet"}, name):
		default:
			words = append(words, cli.ShellWord(p.args[i]))
		}
	}
	return strings.Join(append(words, fmt.Sprintf("--jobs %d", jobs)), " ")
}
