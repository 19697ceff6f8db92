package lessons

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/burstscope/burstscope/assets/lessons"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const lessonHelp = `usage: burstscope lesson check LESSON...
       burstscope lesson key LESSON [--format text|json]

check  runs every step of a lesson and prints each contradiction between text and
       runs: a question without exactly one right answer, a condition that does not
       hold, a goal that its solution does not reach
key    the same, and prints the answer key: the right answer and the revealed text
       of every step, with the figures of the run

LESSON is a shipped name (burst, huffman, error, latency, predict, neighbour) or a file. assets/lessons/README.md
says how to write one.

examples:
  burstscope lesson key burst
  burstscope lesson check mine.yaml
`

func lessonVerb(args []string, out io.Writer) error {
	if len(args) == 0 {
		return cli.Usagef("no action: burstscope lesson: say check or key")
	}
	action := args[0]
	switch action {
	case "check", "key":
	case "-h", "-help", "--help":
		return flag.ErrHelp
	default:
		return cli.Usagef("unknown action: burstscope lesson %s: say check or key", action)
	}
	flags := flag.NewFlagSet("lesson "+action, flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "json")
	var names []string
	if err := cli.Parse(flags, args[1:], func(word string) error {
		names = append(names,
			word)
		return nil
	}); err != nil {
		return err
	}
	if len(names) == 0 || action == "key" && len(names) > 1 {
		return cli.Usagef("burstscope lesson %s: name a lesson: one of %s, or a file", action, strings.Join(lessons.Names(), ", "))
	}
	var runner lesson.Runner
	var failed error
	for _, name := range names {
		s, err := loadLesson(name)
		if err != nil {
			return err
		}
		var keys []lesson.Key
		err = fault.Guard(func() (err error) { keys, err = lesson.Check(s, &runner); return err })
		if p := (*fault.Panic)(nil); errors.As(err, &p) {
			err, runner = cli.OfPanic(p, "this lesson"), lesson.Runner{}
		}
		if err != nil {
			failed = cli.ErrReported
			fmt.Fprintf(out, "%s: %v\n", name, err)
		} else if action == "check" {
			fmt.Fprintf(out, "%s: ok, %d steps, %d minutes, hash %s\n", name, len(keys), s.Lesson.Minutes, s.LessonHash())
		}
		if action == "key" {
			err = printKey(out, *format, s, keys)
		}
		if err != nil && failed == nil {
			return err
		}
	}
	return failed
}

func loadLesson(name string) (*scenario.Scenario, error) {
	if s := shippedLesson(name); s != nil {
		return s, nil
	}
	s, err := cli.LoadScenario(name)
	if err == nil && s.Lesson == nil {
		err = errors.New(name + ": the scenario has no lesson: write its steps; see assets/lessons/README.md")
	}
	return s, err
}

func printKey(out io.Writer, format string, s *scenario.Scenario, keys []lesson.Key) error {
	if format == "json" {
		return cli.PrintJSON(out, map[string]any{"title": s.Lesson.Title, "minutes": s.Lesson.Minutes, "hash": s.LessonHash(), "steps": keys})
	}
	_, err := io.WriteString(out, lesson.KeyText(s, keys))
	return err
}
