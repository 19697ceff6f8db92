// Command burstscope runs scenarios and PTX programs on the simulated machines. It also
// measures files, makes figures and checks lessons. `burstscope help` lists its verbs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
)

// Exit statuses.
const (
	exitFault = 1 // the work could not be done
	exitUsage = 2 // the command line cannot be read
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// verb is one thing the command does.
type verb struct {
	name, summary string
	help          string
	do            func(args []string, out io.Writer) error
}

func verbs() []verb {
	return []verb{
		{"run", "run a scenario and print its figures", runHelp, runScenario},
		{"exec", "run a kernel of a PTX file on files", execHelp, execPTX},
		{"ptx", "check PTX files", ptxHelp, ptxVerb},
		{"codec", "compressed sizes of a file's blocks", codecHelp, codecVerb},
		{"scenario", "pack, unpack and check scenarios", scenarioHelp, scenarioVerb},
		{"workloads", "the shipped programs, their sizes and run times", workloadsHelp, workloadsVerb},
		{"requests", "traces of DRAM bursts for other simulators, and back", requestsHelp, requestsVerb},
		{"convert", "machines of GPGPU-Sim, DRAMsim3 and Ramulator 2", convertHelp, convertVerb},
		{"machine", "the machines, every value with its source", machineHelp, machineVerb},
		{"buddy", "target ratios of Buddy Compression for data or a program", buddyHelp, buddyVerb},
		{"fit", "whether a model fits into a GPU with a slower neighbour", fitHelp, fitVerb},
		{"scheme", "the groups of a memory scheme and every setting", schemeHelp, schemeVerb},
		{"loads", "which loads miss L1, and which may get predicted values", loadsHelp, loadsVerb},
		{"estimate", "what another memory scheme would do to the blocks of a run", estimateHelp, estimateVerb},
		{"noise", "how far a speedup moves although nothing was saved", noiseHelp, noiseVerb},
		{"why", "which predicted lines made an element of the output wrong", whyHelp, whyVerb},
		{"sweep", "run many scenarios and keep their results", sweepHelp, sweepVerb},
		{"claims", "which statements of the papers hold", claimsHelp, claimsVerb},
		{"figure", "draw a figure of the papers", figureHelp, figureVerb},
		{"paper", "claims, figures and text of a paper as a folder, and its page", paperHelp, paperVerb},
		{"artifact", "pack and check the artifact of a paper", artifactHelp, artifactVerb},
		{"correlate", "hold the simulator against a GPU", correlateHelp, correlateVerb},
		{"reproduce", "run and write all figures and claims", reproduceHelp(), reproduceVerb},
		{"lesson", "check lessons, and print their answers", lessonHelp, lessonVerb},
		{"grade", "grade the submissions of students", gradeHelp, gradeVerb},
		{"serve", "serve the page on this machine", serveHelp, serveVerb},
		{"bench", "simulated warp instructions per second", benchHelp, bench},
	}
}

// usageError reports a command line that cannot be read.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// run executes one command line and returns the exit status.
func run(args []string, out, errs io.Writer) (status int) {
	toOut, toErrs := &visibleText{to: out}, &visibleText{to: errs}
	out, errs = toOut, toErrs
	defer toOut.end()
	defer toErrs.end()
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errs, "internal error: %v: this is a fault of burstscope %s: please report it with the command line and what follows\n%s", r, experiment.Version, debug.Stack())
			status = exitFault
		}
	}()
	if len(args) == 0 {
		fmt.Fprint(errs, overview())
		return exitUsage
	}
	name := args[0]
	switch name {
	case "help", "-h", "-help", "--help":
		fmt.Fprint(out, help(args[1:]))
		return 0
	case "version", "--version":
		fmt.Fprintln(out, "burstscope", experiment.Version)
		return 0
	}
	v := find(name)
	if v == nil {
		fmt.Fprintf(errs, "unknown verb %q: burstscope %s: one of %s\n", name, name, strings.Join(verbNames(), ", "))
		return exitUsage
	}
	err := v.do(args[1:], out)
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, v.help)
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(errs, "%s\nsee: burstscope %s --help\n", usage.message, name)
		return exitUsage
	case errors.Is(err, errReported):
		return exitFault
	}
	fmt.Fprintln(errs, err)
	return exitFault
}

// errReported is returned by verbs whose output already says what is wrong.
var errReported = errors.New("faults were found")

func find(name string) *verb {
	for _, v := range verbs() {
		if v.name == name {
			return &v
		}
	}
	return nil
}

func verbNames() []string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

func help(args []string) string {
	if len(args) > 0 {
		if v := find(args[0]); v != nil {
			return v.help
		}
	}
	return overview()
}

func overview() string {
	var b strings.Builder
	b.WriteString("Burstscope simulates the memory system of a GPU under compression, burst by burst.\n\nusage: burstscope VERB ...\n\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  %-10s %s\n", v.name, v.summary)
	}
	b.WriteString("\nburstscope VERB --help explains a verb, with examples.\n")
	return b.String()
}
