package recipes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// daskCluster starts a scheduler and two workers of one thread, which have the package of a folder of packages and this
// test as the program. It returns the file that names the scheduler, and the workers.
func daskCluster(t *testing.T, python string, environment []string) (file string, workers [2]*exec.Cmd) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "scheduler.json")
	start := func(words ...string) *exec.Cmd {
		c := exec.Command(python, append([]string{"-m"}, words...)...)
		c.Dir, c.Env = dir, environment
		// A worker with all that it has started is one group: a machine that loses its power.
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL); _ = c.Wait() })
		return c
	}
	start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
		"--scheduler-file", file)
	wait(t, "the scheduler", func() bool { b, err := os.ReadFile(file); return err == nil && len(b) > 0 })
	for i := range workers {
		workers[i] = start("distributed.cli.dask_worker", "--scheduler-file", file, "--no-nanny", "--no-dashboard",
			"--nthreads", "1", "--host", "127.0.0.1", "--name", string(rune('a'+i)))
	}
	return file, workers
}

// TestDask runs the program of SWEEPS.md on Dask's distributed scheduler with two workers. One is killed while both
// work; its part runs again on the other one. The store is that of one sweep.
func TestDask(t *testing.T) {
	t.Parallel()
	python := pythonWith(t, "distributed")
	packages, program := t.TempDir(), t.TempDir()
	asProgram(t, program)
	if err := os.CopyFS(packages, os.DirFS(pythonFolder)); err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "PYTHONPATH="+packages, "BURSTSCOPE="+filepath.Join(program, "burstscope"))
	file, workers := daskCluster(t, python, environment)
	whole, store := t.TempDir(), filepath.Join(t.TempDir(), "results")
	mustCall(t, append([]string{"sweep", "--store", whole}, longArgs...)...)

	recipe := strings.NewReplacer(`"figures"`, `"`+strings.Join(longArgs, `", "`)+`"`, "/results", store,
		`Client("tcp://scheduler:8786")`, "Client(scheduler_file="+pythonText(file)+")\nclient.wait_for_workers(2)",
		"range(32)", "range(3)", "of=32", "of=3").Replace(readmeBlock(t, "dask.distributed"))
	c := exec.Command(python, "-c", recipe)
	c.Env = environment
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill() }()
	wait(t, "a result while both workers work", func() bool { return len(clitest.Contents(t, store)) > 0 })
	if err := syscall.Kill(-workers[0].Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if n := len(clitest.Contents(t, store)); n >= 9 {
		t.Fatalf("the worker was killed after the sweep, with %d results", n)
	}
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	sameResults(t, store, whole)
}
