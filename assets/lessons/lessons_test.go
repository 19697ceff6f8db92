package lessons

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/lesson"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

var update = flag.Bool("update", false, "pack the lessons and write their keys anew")

func parse(t *testing.T, name string) *scenario.Scenario {
	t.Helper()
	s, err := authoring.ParseYAML(name+".yaml", Source(name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPackedLessonsAreCurrent(t *testing.T) {
	for _, name := range Names() {
		want := authoring.Marshal(parse(t, name))
		if *update {
			if err := os.WriteFile(name+".msgpack", want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !bytes.Equal(Packed(name), want) {
			t.Errorf("%s.msgpack is not what %s.yaml says: run go test ./assets/lessons -update", name, name)
		}
		if _, err := authoring.ParseMsgpack(Packed(name)); err != nil {
			t.Error(err)
		}
	}
}

// The list of names is the list of files.
func TestNames(t *testing.T) {
	found, err := fs.Glob(files, "*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		name, _, _ := strings.Cut(file, ".")
		if !slices.Contains(Names(), name) {
			t.Errorf("%s is not among the names", file)
		}
	}
	if Packed("../lessons/burst") != nil || Packed("nothing") != nil {
		t.Error("a file that does not ship was found")
	}
}

// What the lessons say is what their runs say: every question has one right answer,
// every condition of the text holds, every goal can be reached, and the words with
// their figures are those of the keys, which a person has read.
func TestLessonsAgreeWithTheirRuns(t *testing.T) {
	var runner lesson.Runner
	for _, name := range Names() {
		s := parse(t, name)
		keys, err := lesson.Check(s, &runner)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got := lesson.KeyText(s, keys)
		file := "keys/" + name + ".txt"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s: the words with their figures are not those of %s: read them, then run go test ./assets/lessons -update\n%s", name, file, got)
		}
	}
	t.Logf("%d runs", runner.Runs)
}

// What a lesson promises: 20 to 30 minutes, 6 to 9 steps, something to predict in most,
// something to set, and a reason after every answer.
func TestLessonsTeach(t *testing.T) {
	for _, name := range Names() {
		l := parse(t, name).Lesson
		if l.Minutes < 20 || l.Minutes > 30 || len(l.Steps) < 6 || len(l.Steps) > 9 || l.About == "" {
			t.Errorf("%s: %d minutes, %d steps", name, l.Minutes, len(l.Steps))
		}
		predicted, goals := 0, 0
		for i, step := range l.Steps {
			q := step.Question
			if q == nil {
				t.Errorf("%s, step %d asks nothing", name, i+1)
				continue
			}
			if q.Reveal == "" {
				t.Errorf("%s, step %d gives no reason", name, i+1)
			}
			if q.Kind == "goal" {
				goals++
			} else if q.Kind != "text" && q.Predicts() {
				predicted++
			}
		}
		if predicted < 4 || goals < 1 {
			t.Errorf("%s: %d predictions, %d goals", name, predicted, goals)
		}
	}
}
