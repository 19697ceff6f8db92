package loads

import (
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system/rfvp/study"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const whyHelp = `usage: burstscope why PROGRAM|SCENARIO [--set path=value]... [--output NAME]
                      [--element N | --at X,Y] [--most N] [--within PERCENT]
       burstscope why PROGRAM|SCENARIO --block PLACE [--set path=value]...

Names the predicted lines (RFVP) that made an element of the output wrong. It replays
the run with some predicted lines exact and halves their list, about 20 runs for a
line. The first line is the one at which the element becomes wrong if all later lines
are exact. Then the search goes on with this line exact, until the element is right.
PROGRAM is one of burstscope workloads; it runs on gtx480v3 and predicts loads.

With --block it runs what burstscope run does, and names the instruction for which the
first burst of a block is read or, if none is, the one with the first request for it in
L2. If that is a copy of the copy unit (TMA), it also names the copy: box, tensor map, and
phase of the mbarrier.

  --set path=value   as in burstscope run
  --output NAME      a buffer of the program's output; without it the first
  --element N        counted from 0; without it the one with the largest error
  --at X,Y           an element of an output that is a picture
  --most N           lines to look for, default 3
  --within PERCENT   an error of this share of the element's error counts as right,
                     default 10; 0 is right to the bit
  --block PLACE      an address, or a buffer of the program and a byte: x, x+4096

examples:
  burstscope why matmul --set workload.size=64
  burstscope why sradupdate --set workload.size=64 --at 3,10
  burstscope why gaussian --set loads.drop=125 --most 1
  burstscope why hoppergemm --block w+4096 --set machine.preset=h200
`

// mostWhyLines bounds what --most takes: each line costs some twenty runs [ours].
const mostWhyLines = 100

func whyVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("why", flag.ContinueOnError)
	sets := cli.SetFlag(flags)
	output := flags.String("output", "", "")
	element := flags.Int("element", -1, "")
	at := flags.String("at", "", "")
	most := flags.Int("most", 3, "")
	within := flags.Float64("within", 10, "")
	block := flags.String("block", "", "")
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "program")); err != nil {
		return err
	}
	switch {
	case name == "":
		return cli.Usagef("no program: burstscope why: name a program of burstscope workloads, or a scenario")
	case *most < 1 || *most > mostWhyLines:
		return cli.Usagef("--most %d: burstscope why: give 1 to %d", *most, mostWhyLines)
	case !(*within >= 0 && *within < 100):
		return cli.Usagef("--within %g: burstscope why: give a share from 0 to below 100 per cent", *within)
	}
	given, others := false, ""
	flags.Visit(func(f *flag.Flag) {
		if given = given || f.Name == "element"; f.Name != "block" && f.Name != "set" {
			others = f.Name
		}
	})
	if *block != "" {
		if others != "" {
			return cli.Usagef("--block %s: burstscope why: give --block without --%s", *block, others)
		}
		return whyBlock(name, *block, *sets, out)
	}
	if given && (*element < 0 || *at != "") {
		return cli.Usagef("--element %d: burstscope why: give an element from 0 on, or --at alone", *element)
	}
	s, err := cli.ProgramOrScenario(name)
	if err != nil {
		return err
	}
	if err := study.Predicting(s); err != nil {
		return err
	}
	if err := cli.Apply(s, *sets); err != nil {
		return err
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return err
	}
	if *at != "" {
		if *element, err = pixelAt(plan, *output, *at); err != nil {
			return err
		}
	}
	w, err := study.ExplainElement(plan, &study.WhyQuestion{Output: *output, Element: *element, Most: *most, Within: *within / 100})
	if err != nil {
		return err
	}
	return printWhy(out, s, w)
}

// whyBlock says what the first burst of a block is read for, or who accesses it first.
func whyBlock(name, block string, sets []cli.Assignment, out io.Writer) error {
	s, err := cli.ScenarioWith(name, sets)
	if err != nil {
		return err
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return err
	}
	text, err := experiment.WhyFetched(plan, block)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text)
	return err
}

// pixelAt returns the element of a point of a picture.
func pixelAt(plan *experiment.Plan, output, at string) (int, error) {
	left, right, _ := strings.Cut(at, ",")
	x, errX := strconv.Atoi(left)
	y, errY := strconv.Atoi(right)
	if errX != nil || errY != nil {
		return 0, cli.Usagef("--at %q: burstscope why: give a column and a row, such as 3,10", at)
	}
	for _, i := range plan.Program.Outputs() {
		b := &plan.Program.Buffers[i]
		if output != "" && output != b.Name {
			continue
		}
		switch {
		case !b.IsImage():
			return 0, fmt.Errorf("--at: output %s is no picture: give --element", b.Name)
		case x < 0 || x >= b.Width || y < 0 || y >= b.Height:
			return 0, fmt.Errorf("--at %s: output %s is a picture of %d x %d: give 0,0 to %d,%d", at, b.Name, b.Width, b.Height, b.Width-1, b.Height-1)
		}
		return y*b.Width + x, nil
	}
	return 0, nil // the search names the outputs
}

// whole writes a number; a whole one without a power of ten.
func whole(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprintf("%g", v)
}

func printWhy(out io.Writer, s *scenario.Scenario, w *study.Why) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %d on %s: element %d of %s is %g, exactly %g\n", s.Workload.Name, s.Workload.Size, s.Machine.Preset, w.Element, w.Output, w.Got, w.Exact)
	fmt.Fprintf(&b, "%s predicted lines, of which %s gave a thread a wrong value; with all of them exact the element is %g\n", cli.Group(uint64(w.Predicted)), cli.Group(uint64(w.WrongLines)), w.AllExact)
	for i, c := range w.Causes {
		place := fmt.Sprintf("line %d of the PTX", c.Line)
		if c.File != "" {
			place += " (" + sourceOf(c.File, c.FileLine) + ")"
		}
		fmt.Fprintf(&b, "\n%d. predicted line %s, cycle %s: launch %d, %s, SM %d, warp slot %d\n", i+1, cli.Group(uint64(c.Number)), cli.Group(c.Cycle), c.Launch, c.Kernel, c.SM, c.Warp)
		fmt.Fprintf(&b, "   %s at %s; the line at byte %s of %s\n", c.Text, place, cli.Group(c.Offset), c.Buffer)
		fmt.Fprintf(&b, "   %d of %d lanes got wrong values; lane %d got %s, memory held %s\n", c.Wrong, c.Lanes, c.Lane, whole(c.Value), whole(c.Held))
		fmt.Fprintf(&b, "   with the lines before it as predicted and later ones exact, the element goes from %g to %g\n", c.Before, c.After)
	}
	b.WriteString("\n")
	switch right := fmt.Sprintf("an error within %g %% of the element's", 100*w.Within); {
	case w.Exact == w.Got:
		b.WriteString("the element is exact\n")
	case len(w.Causes) == 0:
		b.WriteString("predicted lines are not the reason: the element is wrong without them too\n")
	case w.Complete:
		fmt.Fprintf(&b, "with these exact and all others as predicted the element is right (%s)\n", right)
	default:
		fmt.Fprintf(&b, "more lines are needed before the element is right (%s): raise --most\n", right)
	}
	if w.Moved {
		b.WriteString("some replays took another number of cycles: a branch depends on predicted values\n")
	}
	fmt.Fprintf(&b, "%d runs\n", w.Replays)
	_, err := io.WriteString(out, b.String())
	return err
}
