package sweep

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/burstscope/run"
)

// TestStoppedSweep stops a sweep in its runs. Made again, it goes on from their states, and its
// store equals that of a sweep in one piece.
func TestStoppedSweep(t *testing.T) {
	jobs := func(o *sweepOptions) []*claim.Job {
		o.sets = []cli.Assignment{{Path: "workload.size", Value: "512"}, {Path: "memory.approximation", Value: "none"}}
		o.vary = []cli.Assignment{{Path: "memory.codec", Value: "bdi,bpc"}}
		list, err := o.collect([]string{"dct"})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	whole, parts := t.TempDir(), t.TempDir()
	o := NewSweep(OpenStore(whole))
	if err := o.Run(jobs(o), io.Discard); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	for wait := 50 * time.Millisecond; ; wait += wait / 2 {
		o := NewSweep(OpenStore(parts))
		stop := make(chan struct{})
		o.stop, o.Jobs, o.Status = stop, 1, &said
		end := time.AfterFunc(wait, func() { close(stop) })
		err := o.Run(jobs(o), io.Discard)
		end.Stop()
		if err == nil {
			break
		}
		if !errors.Is(err, run.ErrStopped) || !strings.Contains(err.Error(), "left: the same command continues") {
			t.Fatal(err)
		}
	}
	if !strings.Contains(said.String(), "going on from") {
		t.Errorf("no run went on from a state: %q", said.String())
	}
	if want, got := clitest.Contents(t, whole), clitest.Contents(t, parts); len(want) != 2 || !maps.Equal(want, got) {
		t.Errorf("stores of %d and %d results differ", len(want), len(got))
	}
}
