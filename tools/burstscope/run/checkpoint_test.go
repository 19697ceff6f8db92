package run

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// keeping returns a keeper that stores a run's state at every look at the clock. It is asked to end at
// the fourth look after there is a state.
func keeping(path string) *keeper {
	stop := make(chan struct{})
	looks, asked := 0, false
	k := NewKeeper(path, stop)
	k.Status, k.next, k.every, k.cycles = io.Discard, time.Unix(0, 0), 0, 1000
	k.now = func() time.Time {
		if _, err := os.Stat(path); err == nil {
			looks++
		}
		if looks >= 4 && !asked {
			asked = true
			close(stop)
		}
		return time.Unix(1, 0)
	}
	return k
}

func planFor(t *testing.T) *experiment.Plan {
	t.Helper()
	s, err := cli.LoadScenario("dct")
	if err != nil {
		t.Fatal(err)
	}
	s.Workload.Size = 256
	plan, err := experiment.PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestRunGoesOnFromItsState stops a run again and again. Each part goes on from the file of the
// one before, in a study of its own. The result is that of a run in one piece, and the file is gone.
func TestRunGoesOnFromItsState(t *testing.T) {
	plan := planFor(t)
	want, err := Finish(plan, NewMeter())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "dct.state")
	stops := 0
	for {
		study, err := experiment.NewStudy(plan)
		if err != nil {
			t.Fatal(err)
		}
		k := keeping(path)
		r, err := k.Resume(func(build string, from io.Reader) (*experiment.Run, error) {
			return study.Resume(plan, experiment.Options{}, build, from)
		})
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			if stops > 1 {
				t.Fatal("there is no state after two parts")
			}
			r = study.Run(plan, experiment.Options{})
		}
		got, err := k.Finish(r, nil)
		if errors.Is(err, ErrStopped) {
			if stops++; stops > 100 {
				t.Fatal("the run does not come forward")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got.ResultHash != want.ResultHash {
			t.Errorf("in %d parts: result %s, in one piece %s", stops+1, got.ResultHash, want.ResultHash)
		}
		break
	}
	if stops < 2 {
		t.Errorf("only %d stops", stops)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestUnusableState: a damaged state, or one of another scenario, is refused with what to do, and
// stays as it is.
func TestUnusableState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	plan := planFor(t)
	study, err := experiment.NewStudy(plan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keeping(path).Finish(study.Run(plan, experiment.Options{}), nil); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(good)
	changed[len(changed)/2] ^= 1
	for _, c := range []struct {
		name string
		b    []byte
		args []string
		want string
	}{
		{"changed", changed, nil, "cut or changed"},
		{"cut", good[:len(good)-1], nil, "cut or changed"},
		{"longer", append(bytes.Clone(good), '0'), nil, "cut or changed"},
		{"empty", nil, nil, "cut or changed"},
		{"another scenario", good, []string{"--set", "memory.threshold=8"}, "belongs to the scenario"},
		{"with a trace", good, []string{"--trace", filepath.Join(t.TempDir(), "x")}, "leave out one of them"},
	} {
		if err := os.WriteFile(path, c.b, 0o644); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"run", "dct", "--set", "workload.size=256", "--checkpoint", path}, c.args...)
		status, _, errs := call(args...)
		if status == 0 || !strings.Contains(errs, c.want) || c.args == nil && !strings.Contains(errs, "delete it to begin anew") {
			t.Errorf("%s: status %d: %s", c.name, status, errs)
		}
		if b, _ := os.ReadFile(path); !bytes.Equal(b, c.b) {
			t.Errorf("%s: the file was changed", c.name)
		}
	}
}
