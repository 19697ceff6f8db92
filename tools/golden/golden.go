// Package golden keeps what tests write and compare: files, tables of documents between two markers, and numbers in
// sentences. A test computes the text and calls one function of this package. Usually the function compares; under
// Command, which runs all such tests, it writes. So a document never holds a number that somebody copied by hand.
package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Command writes every golden file and table again. A failure that wants it names it.
const Command = "./build.sh update"

// Studies does the same, and first runs the studies, which take minutes to hours.
const Studies = "./build.sh update all"

// Variable is the environment variable by which Command asks tests to write. Its value is "all" with the studies.
const Variable = "BURSTSCOPE_UPDATE"

// Updating reports whether tests are to write what they otherwise compare.
func Updating() bool { return os.Getenv(Variable) != "" }

// UpdatingStudies reports whether tests are to make the runs of their studies again as well.
func UpdatingStudies() bool { return os.Getenv(Variable) == "all" }

// writing guards documents: tests that run in parallel write parts of one.
var writing sync.Mutex

// File compares the bytes of a file, or writes them.
func File(t testing.TB, path string, want []byte) {
	t.Helper()
	if got, err := os.ReadFile(path); err == nil && bytes.Equal(got, want) {
		return
	} else if !Updating() {
		t.Errorf("%s %s: if the change is wanted, run %s", path, difference(got, want), Command)
		return
	}
	write(t, path, want)
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("wrote %s", path)
}

// difference says in a few words where two texts part.
func difference(got, want []byte) string {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return "differs first in the line " + quoted(a[i]) + ", which is now " + quoted(b[i])
		}
	}
	if len(a) < len(b) {
		return "lacks " + quoted(b[len(a)])
	}
	return "has one line too many, " + quoted(a[len(b)])
}

// quoted shows a line of text, or says that it is none.
func quoted(line []byte) string {
	const most = 200
	if bytes.IndexByte(line, 0) >= 0 {
		return "(not text)"
	}
	if len(line) > most {
		return `"` + string(line[:most]) + ` ..."`
	}
	return `"` + string(line) + `"`
}

// change hands a document to edit and writes what comes back, or, if nothing is to be written, reports the difference.
func change(t testing.TB, path string, edit func(document string) string) {
	t.Helper()
	writing.Lock()
	defer writing.Unlock()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := []byte(edit(string(b))); !bytes.Equal(b, want) {
		if Updating() {
			write(t, path, want)
		} else {
			t.Errorf("%s %s: if the change is wanted, run %s", path, difference(b, want), Command)
		}
	}
}

// within hands the text between the markers "<!-- NAME -->" and "<!-- end of NAME -->" of a document to edit, as change does.
func within(t testing.TB, path, name string, edit func(inside string) string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	change(t, path, func(document string) string {
		before, rest, begun := strings.Cut(document, begin)
		inside, after, ended := strings.Cut(rest, end)
		if !begun || !ended {
			t.Errorf("%s has no place for the table: it needs the lines <!-- %s --> and <!-- end of %s -->", path, name, name)
			return document
		}
		return before + begin + edit(inside) + end + after
	})
}

// Section compares or writes the text between the markers of its name.
func Section(t testing.TB, path, name, text string) {
	t.Helper()
	within(t, path, name, func(string) string { return text })
}

// Table compares or writes a table between the markers of its name. A row may have fewer cells than the header: people
// write the further ones, and they stay in the row that begins with the same cell. In short mode, in which a test
// measures only some rows, the table must contain these.
func Table(t testing.TB, path, name string, header []string, rows [][]string) {
	t.Helper()
	within(t, path, name, func(inside string) string {
		var old [][]string
		for line := range strings.Lines(inside) {
			old = append(old, cells(line))
		}
		rows := slices.Clone(rows)
		for i, row := range rows {
			rows[i] = completed(t, path, header, row, old)
		}
		if testing.Short() {
			for _, row := range rows {
				if !strings.Contains(inside, line(row)) {
					t.Errorf("%s lacks the row %q: run %s", path, line(row), Command)
				}
			}
			return inside
		}
		text := line(header) + strings.Repeat("|---", len(header)) + "|\n"
		for _, row := range rows {
			text += line(row)
		}
		return text
	})
}

// Rows compares or writes some rows of a table, where several tests measure one table. A row takes the place of the row
// that begins with the same cell, or becomes the last one.
func Rows(t testing.TB, path, name string, rows ...[]string) {
	t.Helper()
	within(t, path, name, func(inside string) string {
		for _, row := range rows {
			place := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(row[0]) + ` \|.*\n`)
			if at := place.FindStringIndex(inside); at != nil {
				inside = inside[:at[0]] + line(row) + inside[at[1]:]
			} else {
				inside += line(row)
			}
		}
		return inside
	})
}

// completed adds the cells that people write to a row.
func completed(t testing.TB, path string, header, row []string, old [][]string) []string {
	t.Helper()
	if len(row) == len(header) {
		return row
	}
	const open = "?"
	rest := make([]string, len(header)-len(row))
	for i := range rest {
		rest[i] = open
	}
	if i := slices.IndexFunc(old, func(o []string) bool { return len(o) == len(header) && o[0] == row[0] }); i >= 0 {
		copy(rest, old[i][len(row):])
	}
	for i, cell := range rest {
		if cell == open {
			t.Errorf("%s: write %q of the row %q by hand, in place of the question mark; %s adds the row", path, header[len(row)+i], row[0], Command)
		}
	}
	return slices.Concat(row, rest)
}

func cells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	list := strings.Split(line, "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

func line(cells []string) string { return ("| " + strings.Join(cells, " | ") + " |\n") }

// number is a number as documents write it.
var number = regexp.MustCompile(`[-+]?\d(?:[\d,]*\d)?(?:\.\d+)?`)

// Words compares or writes the numbers of a few words in a document. The words between the numbers find the place, which
// must be the only one.
func Words(t testing.TB, path, words string) {
	t.Helper()
	change(t, path, func(document string) string {
		if strings.Contains(document, words) {
			return document
		}
		var pattern strings.Builder
		at := 0
		for _, m := range number.FindAllStringIndex(words, -1) {
			pattern.WriteString(regexp.QuoteMeta(words[at:m[0]]) + number.String())
			at = m[1]
		}
		pattern.WriteString(regexp.QuoteMeta(words[at:]))
		places := regexp.MustCompile(pattern.String()).FindAllStringIndex(document, -1)
		if len(places) != 1 {
			t.Errorf("%s has %d places for %q, with any numbers: it needs one", path, len(places), words)
			return document
		}
		return document[:places[0][0]] + words + document[places[0][1]:]
	})
}
