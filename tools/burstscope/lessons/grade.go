package lessons

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/burstscope/burstscope/assets/lessons"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

const gradeHelp = `usage: burstscope grade DIR|FILE [--lesson FILE]... [--format text|csv|json]

Grades the submissions that students exported from lessons: every file of DIR, one
row each, in the order of their names, or one FILE. The scenarios of a submission are run again
here; the figures in it are not trusted.

Each question has one mark: right, wrong, given (a text, to be read by a person) or
missing. status is ok, flagged (something differs from the new runs) or unreadable.
Flags name the difference: the digest (the file was changed after it was written),
the version, the lesson, a changed scenario, a result that differs from that of its
scenario, a prediction made after its run.

  --lesson FILE  a lesson of your own (.yaml, .json or .msgpack); submissions name it by
                 the file's name without its ending. May be repeated
  --format       text: a table; csv: a row for each submission; json: everything

The digest detects accidents, not fraud: it has no secret, so anybody who changes a
file can compute a new one. Invented results, other scenarios and late predictions
are detected all the same; answers copied from another student are not.

examples:
  burstscope grade submissions
  burstscope grade submissions --format csv > marks.csv
`

func gradeVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("grade", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "csv", "json")
	own := map[string]*scenario.Scenario{}
	flags.Func("lesson", "", func(file string) error {
		s, err := cli.LoadScenario(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if own[name] != nil {
			return fmt.Errorf("%s is given twice: submissions name a lesson by its file's name", name)
		}
		own[name] = s
		return nil
	})
	var folder string
	err := cli.Parse(flags, args, cli.OneWord(&folder, "folder"))
	if err != nil {
		return err
	}
	if folder == "" {
		return cli.Usagef("no folder: burstscope grade: name the folder with the submissions, or one of them")
	}
	reports, failed := gradeFolder(folder, own)
	if reports == nil {
		return failed
	}
	switch *format {
	case "json":
		err = cli.PrintJSON(out, map[string]any{"submissions": reports})
	case "csv":
		err = gradeCSV(out, reports)
	default:
		err = gradeText(out, reports)
	}
	return errors.Join(err, failed)
}

// shippedLesson returns the shipped lesson of a name, or nil.
func shippedLesson(name string) *scenario.Scenario {
	b := lessons.Packed(name)
	if b == nil {
		return nil
	}
	s, err := scenario.ParseMsgpack(b)
	if err != nil {
		panic(err) // a test reads them all
	}
	return s
}

// gradeFolder grades every entry of a folder, or one file. It reads only files of the folder
// itself: a link or a subfolder gets a row with the status unreadable.
func gradeFolder(folder string, own map[string]*scenario.Scenario) ([]lesson.Report, error) {
	entries, err := os.ReadDir(folder) // sorted by name
	if info, statErr := os.Stat(folder); statErr == nil && info.Mode().IsRegular() {
		entries, err = []fs.DirEntry{fs.FileInfoToDirEntry(info)}, nil
		folder = filepath.Dir(folder)
	}
	if err != nil {
		return nil, disk.Fault("cannot read", err)
	}
	known := map[string]*scenario.Scenario{}
	grader := lesson.Grader{Lesson: func(name string) *scenario.Scenario {
		if s := own[name]; s != nil {
			return s
		}
		if _, ok := known[name]; !ok {
			known[name] = shippedLesson(name)
		}
		return known[name]
	}}
	reports := []lesson.Report{}
	var failed []error
	for _, e := range entries {
		s, err := readSubmission(folder, e)
		if err == nil {
			err = fault.Guard(func() error { reports = append(reports, grader.Grade(e.Name(), s)); return nil })
		}
		if err != nil {
			reports = append(reports, lesson.Unreadable(e.Name(), err))
		}
		if p := (*fault.Panic)(nil); errors.As(err, &p) {
			failed = append(failed, fmt.Errorf("%s: %w", e.Name(), cli.OfPanic(p, "this submission")))
		}
	}
	return reports, errors.Join(failed...)
}

func readSubmission(folder string, e fs.DirEntry) (*lesson.Submission, error) {
	if !e.Type().IsRegular() {
		return nil, errors.New("not a file of this folder: links and folders are not followed")
	}
	b, err := cli.ReadPlain(filepath.Join(folder, e.Name()), lesson.MaxBytes)
	if err != nil {
		return nil, err
	}
	return lesson.Read(e.Name(), b)
}

// gradeCSV writes a row for each submission, with as many columns of steps as the
// longest lesson has.
func gradeCSV(out io.Writer, reports []lesson.Report) error {
	steps := 0
	for i := range reports {
		for _, m := range reports[i].Marks {
			steps = max(steps, m.Step)
		}
	}
	header := []string{"file", "student", "lesson", "program", "status", "score", "of", "answered", "asked"}
	for i := range steps {
		header = append(header, fmt.Sprintf("step%d", i+1), fmt.Sprintf("answer%d", i+1))
	}
	rows := [][]string{append(header, "flags")}
	for i := range reports {
		r := &reports[i]
		row := []string{r.File, r.Student, r.Lesson, r.Program, r.Status, strconv.Itoa(r.Score), strconv.Itoa(r.Of), strconv.Itoa(r.Answered), strconv.Itoa(r.Asked)}
		marks := make([]string, 2*steps)
		for _, m := range r.Marks {
			marks[2*m.Step-2], marks[2*m.Step-1] = string(m.State), m.Answer
		}
		row = append(append(row, marks...), strings.Join(r.Flags, "; "))
		for j := range row {
			row[j] = cell(row[j])
		}
		rows = append(rows, row)
	}
	w := csv.NewWriter(out)
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return w.Error()
}

// formulaSigns begin a formula in a spreadsheet. Programs set to Chinese, Japanese or
// Korean take the fullwidth forms for the same.
const formulaSigns = "=+-@\uff1d\uff0b\uff0d\uff20"

// cell keeps a spreadsheet from reading a student's text as a formula. Spreadsheets
// drop space and invisible characters before they look at the first sign.
func cell(text string) string {
	seen := strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) })
	sign, _ := utf8.DecodeRuneInString(seen)
	if !strings.ContainsRune(formulaSigns, sign) || decimal.MatchString(strings.TrimSpace(text)) {
		return text
	}
	return "'" + text
}

// decimal matches numbers, which are harmless with their sign.
var decimal = regexp.MustCompile(`^[+-]?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?$`)

func gradeText(out io.Writer, reports []lesson.Report) error {
	var b strings.Builder
	width := 4
	for i := range reports {
		width = max(width, len([]rune(plain(reports[i].File))))
	}
	width = min(width, 40)
	fmt.Fprintf(&b, "%-*s  %-10s %7s %9s  %s\n", width, "file", "status", "score", "answered", "steps")
	count := map[string]int{}
	for i := range reports {
		r := &reports[i]
		count[r.Status]++
		steps := make([]string, 0, len(r.Marks))
		for _, m := range r.Marks {
			steps = append(steps, signs[m.State])
		}
		score, answered := "-", "-"
		if r.Status != "unreadable" {
			score, answered = fmt.Sprintf("%d/%d", r.Score, r.Of), fmt.Sprintf("%d/%d", r.Answered, r.Asked)
		}
		line := fmt.Sprintf("%-*s  %-10s %7s %9s  %s  %s", width, plain(r.File), r.Status, score, answered, strings.Join(steps, " "), plain(r.Student))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		for _, f := range r.Flags {
			fmt.Fprintf(&b, "%-*s    %s\n", width, "", plain(f))
		}
	}
	fmt.Fprintf(&b, "\n%d submissions: %d ok, %d flagged, %d unreadable. + right, x wrong, t text to read, . missing\n",
		len(reports), count["ok"], count["flagged"], count["unreadable"])
	_, err := io.WriteString(out, b.String())
	return err
}

var signs = map[lesson.State]string{lesson.Right: "+", lesson.Wrong: "x", lesson.Given: "t", lesson.Missing: "."}

// plain replaces unprintable characters, which could control the terminal, by "?".
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
