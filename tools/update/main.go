// Command update writes every golden file and every table between markers again: it finds the tests that compare them
// by package golden, and runs these with the variable that lets them write. Arguments are patterns of packages, as of
// the go command, for example ./core/ptx/...; "all" also runs the studies, which take hours.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/tools/golden"
)

func main() {
	if err := update(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "update:", err)
		os.Exit(1)
	}
}

func update(patterns []string, out io.Writer) error {
	value := "1"
	if slices.Contains(patterns, "all") {
		value = "all"
		patterns = slices.DeleteFunc(slices.Clone(patterns), func(p string) bool { return p == "all" })
		if err := reproduce(out); err != nil {
			return err
		}
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	folders, err := foldersOf(patterns)
	if err != nil {
		return err
	}
	var failed []string
	for _, folder := range folders {
		tests, err := writers(folder)
		if err != nil {
			return err
		}
		if len(tests) > 0 && !run(folder, tests, value, nil, out) {
			failed = append(failed, folder)
		}
		if strings.HasSuffix(filepath.ToSlash(folder), flagged.folder) {
			flags := []string{"-update"}
			if value == "all" {
				flags = append(flags, "-formats")
			}
			if !run(folder, flagged.tests, value, flags, out) {
				failed = append(failed, folder)
			}
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("tests fail in %s; their output stands above", strings.Join(failed, ", "))
	}
	return nil
}

// flagged are tests that have flags of their own for writing: the table of estimates, and those of the study of formats.
var flagged = struct {
	folder string
	tests  []string
}{"core/experiment", []string{"TestEstimatesOfAllPrograms", "TestFormatsStudy"}}

// foldersOf lists the folders of packages in the order of their names: assets come before what embeds them.
func foldersOf(patterns []string) ([]string, error) {
	c := exec.Command("go", append([]string{"list", "-f", "{{.Dir}}"}, patterns...)...)
	c.Stderr = os.Stderr
	b, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	folders := strings.Fields(string(b))
	slices.Sort(folders)
	return folders, nil
}

// telling is a line of a test's output that says what was written or left out.
var telling = regexp.MustCompile(`: wrote |^ *--- SKIP`)

// run runs the tests of a folder and shows what they wrote, or all that they say if one fails.
func run(folder string, tests []string, value string, flags []string, out io.Writer) bool {
	fmt.Fprintf(out, "== %s: %s\n", folder, strings.Join(tests, " "))
	pattern := "^(" + strings.Join(tests, "|") + ")$"
	args := []string{"test", "-v", "-count=1", "-vet=off", "-timeout=0", "-run", pattern, "."}
	c := exec.Command("go", append(args, flags...)...)
	c.Dir, c.Env = folder, append(os.Environ(), golden.Variable+"="+value)
	b, err := c.CombinedOutput()
	if err != nil {
		out.Write(b)
		return false
	}
	before := ""
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); before = lines.Text() {
		switch line := lines.Text(); {
		case strings.Contains(line, "--- SKIP"):
			fmt.Fprintf(out, "%s\n%s\n", line, before)
		case telling.MatchString(line):
			fmt.Fprintln(out, line)
		}
	}
	return true
}

// reproduction is the data of the page: the runs of the papers, with a folder for each paper beside the first three.
const reproduction = "assets/reproduction"

func reproduce(out io.Writer) error {
	papers := map[string]string{"": reproduction}
	indexes, err := filepath.Glob(filepath.Join(reproduction, "*", "index.json"))
	if err != nil {
		return err
	}
	for _, index := range indexes {
		folder := filepath.Dir(index)
		papers[strings.ToUpper(filepath.Base(folder))] = folder
	}
	for _, paper := range slices.Sorted(maps.Keys(papers)) {
		args := []string{"run", "./tools/burstscope", "reproduce", "--format", "json", "--out", papers[paper]}
		if paper != "" {
			args = append(args, "--paper", paper)
		}
		fmt.Fprintf(out, "== go %s\n", strings.Join(args, " "))
		c := exec.Command("go", args...)
		c.Stdout, c.Stderr = out, os.Stderr
		if err := c.Run(); err != nil {
			return err
		}
	}
	return nil
}
