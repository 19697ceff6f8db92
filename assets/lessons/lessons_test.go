package lessons

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/lesson"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/tools/golden"
)

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
		golden.File(t, name+".msgpack", want)
		if _, err := authoring.ParseMsgpack(want); err != nil {
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
		golden.File(t, "keys/"+name+".txt", []byte(got)) // read the words with their figures before you write them
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

// busyWindow is the time before the cursor that the plain picture shows, about
// (site/src/timeline/timeline.ts).
const busyWindow = 96

// A lesson begins where something moves: at the cycle that its first step names, the buses of the
// side on show carry at least half of the bursts that they carry at most in such a window. The
// machine is on show.
func TestLessonsBeginAtABusyMoment(t *testing.T) {
	for _, name := range Names() {
		s := parse(t, name)
		run, err := steps.Of(s, 0)
		if err != nil {
			t.Fatal(err)
		}
		view := s.Lesson.Steps[0].View
		if view == nil || view.Tab != "bursts" || view.Cycle == 0 {
			t.Errorf("%s: the first step shows %+v: let it show the tab bursts at a busy cycle", name, view)
			continue
		}
		a, b := run.Sides()
		if view.Side == "A" {
			b = a
		}
		at := burstsBefore(t, b)
		most := slices.Max(at)
		if view.Cycle >= uint64(len(at)) || 2*at[view.Cycle] < most {
			best := slices.IndexFunc(at, func(n int) bool { return 4*n >= 3*most })
			t.Errorf("%s: the %d cycles before %d of %d do not carry half of %d bursts; those before %d carry three quarters", name, busyWindow, view.Cycle, len(at), most, best)
		}
	}
}

// burstsBefore counts for each cycle of a run the bursts, and packets on a link, that begin in the window before it.
func burstsBefore(t *testing.T, s *scenario.Scenario) []int {
	t.Helper()
	plan, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	tap := probe.NewTap(1 << 24)
	run, err := experiment.New(plan, experiment.Options{Tap: tap})
	if err != nil {
		t.Fatal(err)
	}
	var starts []int
	for done := false; !done; {
		if done, err = run.Step(1 << 14); err != nil {
			t.Fatal(err)
		}
		tap.Take(func(events []probe.Event) {
			for _, e := range events {
				switch e.Kind {
				case probe.KindRead, probe.KindWrite, probe.KindLink:
					starts = append(starts, int(e.Cycle))
				}
			}
		})
	}
	cycles := int(run.Result().Cycles)
	counts := make([]int, cycles+1)
	for _, c := range starts {
		for i := c; i < min(c+busyWindow, len(counts)); i++ {
			counts[i]++
		}
	}
	return counts
}
