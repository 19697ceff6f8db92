package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kept records the errors of a call that is to fail.
type kept struct {
	testing.TB
	errors []string
}

func (k *kept) Helper()             {}
func (k *kept) Logf(string, ...any) {}
func (k *kept) Errorf(format string, args ...any) {
	k.errors = append(k.errors, fmt.Sprintf(format, args...))
}

// check calls f twice, first to compare, then to write. It returns what the first call complained of and the file's text.
func check(t *testing.T, text string, f func(tb testing.TB, path string)) (complaint, written string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(Variable, "")
	k := &kept{TB: t}
	f(k, path)
	if b, _ := os.ReadFile(path); string(b) != text {
		t.Errorf("a comparison wrote %q", b)
	}
	t.Setenv(Variable, "1")
	f(&kept{TB: t}, path)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(Variable, "")
	again := &kept{TB: t}
	f(again, path)
	if len(k.errors) > 0 && len(again.errors) > 0 && !strings.Contains(k.errors[0], "place") && !strings.Contains(again.errors[0], "by hand") {
		t.Errorf("what was written is not accepted: %v", again.errors)
	}
	return strings.Join(k.errors, "\n"), string(b)
}

func expect(t *testing.T, complaint, wantComplaint, written, want string) {
	t.Helper()
	if (complaint == "") != (wantComplaint == "") || !strings.Contains(complaint, wantComplaint) {
		t.Errorf("complaint %q, want %q", complaint, wantComplaint)
	}
	if written != want {
		t.Errorf("wrote %q, want %q", written, want)
	}
}

func TestFile(t *testing.T) {
	file := func(tb testing.TB, path string) { File(tb, path, []byte("a\nb\n")) }
	complaint, written := check(t, "a\nc\n", file)
	expect(t, complaint, `differs first in the line "c", which is now "b": if the change is wanted, run ./build.sh update`, written, "a\nb\n")
	complaint, written = check(t, "a\nb\n", file)
	expect(t, complaint, "", written, "a\nb\n")
}

func TestSection(t *testing.T) {
	put := func(tb testing.TB, path string) { Section(tb, path, "x", "new\n") }
	complaint, written := check(t, "1\n<!-- x -->\nold\n<!-- end of x -->\n2\n", put)
	expect(t, complaint, Command, written, "1\n<!-- x -->\nnew\n<!-- end of x -->\n2\n")
	complaint, written = check(t, "nothing\n", put)
	expect(t, complaint, "needs the lines <!-- x --> and", written, "nothing\n")
}

// Cells that people write stay with their row; a new row asks for them.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("short tests compare some rows of a table")
	}
	put := func(tb testing.TB, path string) {
		Table(tb, path, "x", []string{"name", "n", "source"}, [][]string{{"a", "1"}, {"b", "2"}})
	}
	const begin, end = "<!-- x -->\n| name | n | source |\n|---|---|---|\n", "<!-- end of x -->\n"
	complaint, written := check(t, begin+"| gone | 3 | s |\n| b | 3 | book |\n"+end, put)
	expect(t, complaint, `write "source" of the row "a" by hand`, written, begin+"| a | 1 | ? |\n| b | 2 | book |\n"+end)
	complaint, written = check(t, begin+"| a | 1 | x |\n| b | 2 | book |\n"+end, put)
	expect(t, complaint, "", written, begin+"| a | 1 | x |\n| b | 2 | book |\n"+end)
}

func TestRows(t *testing.T) {
	put := func(tb testing.TB, path string) { Rows(tb, path, "x", []string{"b", "2"}, []string{"c", "3"}) }
	complaint, written := check(t, "<!-- x -->\n| a | 1 |\n| b | 1 |\n<!-- end of x -->\n", put)
	expect(t, complaint, Command, written, "<!-- x -->\n| a | 1 |\n| b | 2 |\n| c | 3 |\n<!-- end of x -->\n")
}

func TestWords(t *testing.T) {
	say := func(tb testing.TB, path string) { Words(tb, path, "takes 1,234.5 of 7 (+1.0 %)") }
	complaint, written := check(t, "It takes 3 of 12,000 (-20 %), twice.", say)
	expect(t, complaint, Command, written, "It takes 1,234.5 of 7 (+1.0 %), twice.")
	complaint, written = check(t, "It takes 3 or 12,000.", say)
	expect(t, complaint, "has 0 places", written, "It takes 3 or 12,000.")
	const twice = "takes 3 of 12 (+1 %) and takes 4 of 12 (+1 %)"
	complaint, written = check(t, twice, say)
	expect(t, complaint, "has 2 places", written, twice)
}
