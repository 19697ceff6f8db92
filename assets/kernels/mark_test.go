package kernels

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	approximations = regexp.MustCompile(`APPROXIMATE\(([^)]*)\)`)
	locations      = regexp.MustCompile(`^\s*\.loc\s+1 (\d+) (\d+)`)
	globalLoads    = regexp.MustCompile(`^(\s*)(ld\.global\..*)$`)
	leadingName    = regexp.MustCompile(`^\w+`)
	subscripted    = regexp.MustCompile(`(\w+)\[[^=]*\]\s*$`)
)

// mark puts .pragma "approximate" in front of the loads that APPROXIMATE names. The .loc
// directives give the place in the source; the pragma stands in the line of its load, so that
// lines keep their numbers. A comment of the source could do the same, but a compiler checks
// the spelling of a macro.
func mark(source, ptx string) (string, error) {
	lines := strings.Split(source, "\n")
	names := make([][]string, len(lines)+1) // by the number of the line
	found := make([][]string, len(lines)+1)
	for i, line := range lines {
		if m := approximations.FindStringSubmatch(line); m != nil {
			names[i+1] = strings.Split(strings.ReplaceAll(m[1], " ", ""), ",")
		}
	}
	out := strings.Split(ptx, "\n")
	line, column := 0, 0
	for i, text := range out {
		if m := locations.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1])
			column, _ = strconv.Atoi(m[2])
			continue
		}
		m := globalLoads.FindStringSubmatch(text)
		if m == nil || line == 0 || names[line] == nil {
			continue
		}
		if name := pointer(lines[line-1], column); slices.Contains(names[line], name) {
			out[i] = m[1] + `.pragma "approximate"; ` + m[2]
			found[line] = append(found[line], name)
		}
	}
	for i, list := range names {
		for _, name := range list {
			if !slices.Contains(found[i], name) {
				return "", fmt.Errorf("line %d: APPROXIMATE(%s) names no load from global memory", i, name)
			}
		}
	}
	return strings.Join(out, "\n"), nil
}

// pointer returns the name of what a load at a column reads. The column is that of the
// subscript, or of the operator of a compound assignment.
func pointer(line string, column int) string {
	if name := leadingName.FindString(line[column-1:]); name != "" {
		return name
	}
	if m := subscripted.FindStringSubmatch(line[:column-1]); m != nil {
		return m[1]
	}
	return ""
}

func TestMark(t *testing.T) {
	source := "x[i] *= y[z[i]]; APPROXIMATE(x, y)\nv = y[0];"
	ptx := "\t.loc\t1 1 11\n\tld.global.u32 %r1, [%z];\n\t.loc\t1 1 9\n\tld.global.f32 %f1, [%y];\n\t.loc\t1 1 6\n\tld.global.f32 %f2, [%x];\n" +
		"\t.loc\t1 2 5\n\tld.global.f32 %f3, [%y];"
	want := "\t.loc\t1 1 11\n\tld.global.u32 %r1, [%z];\n\t.loc\t1 1 9\n\t.pragma \"approximate\"; ld.global.f32 %f1, [%y];\n\t.loc\t1 1 6\n\t.pragma \"approximate\"; ld.global.f32 %f2, [%x];\n" +
		"\t.loc\t1 2 5\n\tld.global.f32 %f3, [%y];"
	if got, err := mark(source, ptx); err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if _, err := mark("v = x[i]; APPROXIMATE(z)\nv = y[0];", ptx); err == nil || !strings.Contains(err.Error(), "line 1: APPROXIMATE(z) names no load") {
		t.Errorf("a name without a load: %v", err)
	}
}
