package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// workflow is what these tests read of a file in .github/workflows.
type workflow struct {
	Name string
	On   struct {
		Push struct {
			Branches, Tags []string
		}
	}
	Permissions map[string]string
	Jobs        map[string]struct {
		RunsOn   string `yaml:"runs-on"`
		Timeout  int    `yaml:"timeout-minutes"`
		Strategy struct {
			Matrix struct{ OS []string }
		}
		Defaults struct {
			Run struct{ Shell string }
		}
		Steps []struct {
			Uses, Run string
			With      map[string]any
		}
	}
}

func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]workflow{}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var w workflow
		if err := yaml.Unmarshal(b, &w); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list[filepath.Base(name)] = w
	}
	return list
}

// usageLine is a verb of build.sh with what may follow it.
var usageLine = regexp.MustCompile(`(?m)^\./build\.sh (\w+)(.*?)  `)

// buildVerbs are the verbs that the help of build.sh names, and those that its case statement has.
func buildVerbs(t *testing.T) map[string]string {
	t.Helper()
	b, err := os.ReadFile("../../build.sh")
	if err != nil {
		t.Fatal(err)
	}
	verbs := map[string]string{}
	_, cases, _ := strings.Cut(string(b), "\ncase \"$verb\" in\n")
	for _, m := range usageLine.FindAllStringSubmatch(string(b), -1) {
		if !regexp.MustCompile(`(?m)^  ` + m[1] + `( \||\))`).MatchString(cases) {
			t.Errorf("the help of build.sh names %s, and no case has it", m[1])
		}
		verbs[m[1]] += m[2]
	}
	return verbs
}

// Workflows call build.sh and nothing else, with verbs and words that it has: what the forge does can be done on any
// machine.
func TestWorkflowsCallBuild(t *testing.T) {
	verbs := buildVerbs(t)
	runs := 0
	for name, w := range workflows(t) {
		if w.Name == "" || len(w.Permissions) == 0 || len(w.Jobs) == 0 {
			t.Errorf("%s: it has no name, jobs or permissions of its own", name)
		}
		for job, j := range w.Jobs {
			if j.Timeout == 0 {
				t.Errorf("%s: job %s may hang for six hours: give it timeout-minutes", name, job)
			}
			for _, s := range j.Steps {
				if s.Uses != "" && !regexp.MustCompile(`^[\w-]+/[\w-]+@v\d+$`).MatchString(s.Uses) {
					t.Errorf("%s: job %s uses %s: name an action and its version", name, job, s.Uses)
				}
				if s.Run == "" {
					continue
				}
				runs++
				words := strings.Fields(s.Run)
				if strings.ContainsAny(s.Run, ";|&\n`") || words[0] != "./build.sh" || len(words) < 2 {
					t.Errorf("%s: job %s runs %q: it must be one call of build.sh", name, job, s.Run)
					continue
				}
				after, ok := verbs[words[1]]
				if !ok {
					t.Errorf("%s: job %s runs %q: build.sh has no verb %s", name, job, s.Run, words[1])
				}
				if len(words) > 2 && !strings.Contains(after, words[2]) {
					t.Errorf("%s: job %s runs %q: the help of %s does not name %s", name, job, s.Run, words[1], words[2])
				}
			}
		}
	}
	if runs < 5 {
		t.Errorf("%d calls of build.sh", runs)
	}
}

// Every system of the programs is tested, and a release is made of a tag of this form only.
func TestWorkflowsCoverSystems(t *testing.T) {
	all := workflows(t)
	var systems []string
	newest := false
	for _, j := range all["test.yml"].Jobs {
		systems = append(append(systems, j.RunsOn), j.Strategy.Matrix.OS...)
		for _, s := range j.Steps {
			newest = newest || s.With["go-version"] == "stable"
		}
		if slices.Contains(j.Strategy.Matrix.OS, "windows-latest") && j.Defaults.Run.Shell != "bash" {
			t.Error("build.sh needs bash on Windows")
		}
	}
	for _, want := range []string{"ubuntu-latest", "macos-latest", "windows-latest"} {
		if !slices.Contains(systems, want) {
			t.Errorf("no test on %s", want)
		}
	}
	if !newest {
		t.Error("no test with the newest Go")
	}
	if tags := all["release.yml"].On.Push.Tags; len(tags) != 1 || !strings.HasPrefix(tags[0], "v[0-9]+") {
		t.Errorf("a release is made of the tags %v", tags)
	}
	if got := all["pages.yml"].On.Push.Branches; !slices.Equal(got, []string{"main"}) {
		t.Errorf("the page is of the branches %v", got)
	}
}

// A tag of another version than the sources state makes no release.
func TestTagIsTheVersion(t *testing.T) {
	for _, tag := range []string{"v9.9.9", "0.4.0", "main"} {
		err := release(options{root: "../..", out: t.TempDir(), tag: tag})
		if err == nil || !strings.Contains(err.Error(), "states version") {
			t.Errorf("%s: %v", tag, err)
		}
	}
}
