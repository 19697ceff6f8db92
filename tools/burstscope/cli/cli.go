// Package cli is what all commands share: the list and its help, flags and words of a command line, scenarios that it
// names, and the form of numbers in tables.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
)

// Exit statuses.
const (
	ExitFault = 1 // the work could not be done
	ExitUsage = 2 // the command line cannot be read
)

// Verb is one thing the command does.
type Verb struct {
	Name, Summary string
	Help          string
	HelpOf        func() string // in place of Help, where it takes time to make
	Do            func(args []string, out io.Writer) error
}

// usageError reports a command line that cannot be read.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

// Usagef returns the error of a command line that cannot be read.
func Usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// ErrReported is returned by verbs whose output already says what is wrong.
var ErrReported = errors.New("faults were found")

// Run executes one command line of the verbs and returns the exit status.
func Run(verbs []Verb, args []string, out, errs io.Writer) (status int) {
	toOut, toErrs := &visibleText{to: out}, &visibleText{to: errs}
	out, errs = toOut, toErrs
	defer toOut.end()
	defer toErrs.end()
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errs, "internal error: %v: this is a fault of burstscope %s: "+
				"please report it with the command line and what follows\n%s", r, experiment.Version, debug.Stack())
			status = ExitFault
		}
	}()
	if len(args) == 0 {
		fmt.Fprint(errs, overview(verbs))
		return ExitUsage
	}
	name := args[0]
	switch name {
	case "help", "-h", "-help", "--help":
		fmt.Fprint(out, help(verbs, args[1:]))
		return 0
	case "version", "--version":
		fmt.Fprintln(out, "burstscope", experiment.Version)
		return 0
	}
	v, do := Find(verbs, name), func() error { return completion(verbs, args[1:], out) }
	switch {
	case v != nil:
		do = func() error { return v.Do(args[1:], out) }
	case name != "completion":
		fmt.Fprintf(errs, "unknown verb %q: burstscope %s: one of %s\n", name, name, strings.Join(Names(verbs), ", "))
		return ExitUsage
	}
	err := do()
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(out, help(verbs, args))
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(errs, "%s\nsee: burstscope %s --help\n", usage.message, name)
		return ExitUsage
	case errors.Is(err, ErrReported):
		return ExitFault
	}
	fmt.Fprintln(errs, err)
	return ExitFault
}

// Find returns the verb of a name, or nil.
func Find(verbs []Verb, name string) *Verb {
	for i := range verbs {
		if verbs[i].Name == name {
			return &verbs[i]
		}
	}
	return nil
}

// Names are the names of the verbs, in their order.
func Names(verbs []Verb) []string {
	var names []string
	for _, v := range verbs {
		names = append(names, v.Name)
	}
	return names
}

func help(verbs []Verb, args []string) string {
	if len(args) > 0 {
		if v := Find(verbs, args[0]); v != nil {
			if v.HelpOf != nil {
				return v.HelpOf()
			}
			return v.Help
		}
		if args[0] == "completion" {
			return completionHelp
		}
	}
	return overview(verbs)
}

func overview(verbs []Verb) string {
	var b strings.Builder
	b.WriteString("Burstscope simulates the memory system of a GPU under compression, burst by burst.\n\n" +
		"usage: burstscope VERB ...\n\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "  %-10s %s\n", v.Name, v.Summary)
	}
	b.WriteString("\nburstscope VERB --help explains a verb, with examples.\n")
	return b.String()
}
