//go:build unix

package command

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// TestLimitedDisk runs command lines in a process whose files may have at most 512
// bytes. Each fails with an error and leaves the earlier file unchanged.
func TestLimitedDisk(t *testing.T) {
	if args := os.Getenv("BURSTSCOPE_LIMITED"); args != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 512, Max: 512}); err != nil {
			os.Exit(99)
		}
		os.Exit(cli.Run(Verbs(), strings.Split(args, "\n"), os.Stdout, os.Stderr))
	}
	kernel := clitest.WriteTemp(t, "k.ptx", []byte(clitest.IncrementPTX))
	long := clitest.WriteTemp(t, "long.yaml", []byte("workload: {name: tp}\nnotes: "+strings.Repeat("x", 2000)+"\n"))
	for _, name := range []string{"pack.msgpack", "unpack.yaml", "exec.bin", "trace.json", "trace.json.gz"} {
		dir := t.TempDir()
		file := filepath.Join(dir, name)
		args := map[string][]string{
			"pack.msgpack": {"scenario", "pack", long, "--out", file},
			"unpack.yaml":  {"scenario", "unpack", long, "--out", file},
			"exec.bin":     {"exec", kernel, "--entry", "increment", "--grid", "2", "--block", "128", "--functional", "--arg", "out:" + file + ":1024", "u32:1"},
		}[name]
		if args == nil {
			args = clitest.Small("--trace", file)
		}
		if err := os.WriteFile(file, []byte("good"), 0o644); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(os.Args[0], "-test.run", "^TestLimitedDisk$")
		c.Env = append(os.Environ(), "BURSTSCOPE_LIMITED="+strings.Join(args, "\n"))
		var errs bytes.Buffer
		c.Stderr = &errs
		err := c.Run()
		var ended *exec.ExitError
		if !errors.As(err, &ended) || ended.ExitCode() != cli.ExitFault || !strings.Contains(errs.String(), "cannot write: "+file) || !strings.Contains(errs.String(), "limit on the size of files") {
			t.Errorf("%s: %v\n%s", name, err, errs.String())
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != "good" || len(clitest.NamesIn(t, dir)) != 1 {
			t.Errorf("%s holds %d bytes, beside it %v: %v", name, len(got), clitest.NamesIn(t, dir), err)
		}
	}
}

// A pipe in a store is not a result, and no verb waits for its writer.
func TestPipesInAStore(t *testing.T) {
	dir := t.TempDir()
	mustCall(t, clitest.SweepArgs(dir)...)
	whole := clitest.Contents(t, dir)
	var name string
	for name = range whole {
		break
	}
	path := filepath.Join(dir, experiment.Version, name)
	stray := filepath.Join(dir, experiment.Version, strings.Repeat("0", 64)+sweep.EntrySuffix)
	if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o644), syscall.Mkfifo(stray, 0o644)); err != nil {
		t.Skip("no pipes here:", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		status, out, errs := call("sweep", "merge", dir, "--store", t.TempDir())
		if status != cli.ExitFault || !strings.Contains(out, "3 results added, 0 known, 2 refused") || strings.Count(errs, "it is a pipe") != 2 {
			t.Errorf("merge: status %d\n%s%s", status, out, errs)
		}
		if out := mustCall(t, clitest.SweepArgs(dir)...); !strings.Contains(out, path+": it is a pipe and not a file") || !strings.Contains(out, "1 runs done, 3 were in the store") {
			t.Error(out)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("still waiting for a pipe after a minute")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != whole[name] {
		t.Errorf("the pipe was not replaced: %v", err)
	}
}
