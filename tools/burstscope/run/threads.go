package run

import (
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/sim"
)

// threadsAsked is the value of --threads, 0 without it.
type threadsAsked int

// threadsFlag declares --threads.
func threadsFlag(flags *flag.FlagSet) *threadsAsked {
	var asked threadsAsked
	flags.Func("threads", "", func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > sim.MostThreads {
			return fmt.Errorf("want 1 to %d", sim.MostThreads)
		}
		asked = threadsAsked(n)
		return nil
	})
	return &asked
}

// give gives a plan its threads.
func (t threadsAsked) give(p *experiment.Plan) {
	if t > 0 {
		p.Threads = int(t)
	} else {
		p.UseThreads(min(runtime.GOMAXPROCS(0), sim.MostThreads))
	}
}

// explain says why a run kept to one thread, if several were asked for by name.
func (t threadsAsked) explain(status io.Writer, r *experiment.Result) {
	if t > 1 && r.OneThread != "" {
		fmt.Fprintf(status, "--threads %d: the run had one thread, because %s\n", t, r.OneThread)
	}
}
