package recipes

import (
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestMain lets a script call this test as the program itself.
// asProgram writes a script with the name of the program into a folder.
func asProgram(t *testing.T, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", calls.Program, self)
	if err := os.WriteFile(filepath.Join(dir, "burstscope"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// slurm is a cluster of two nodes on this machine, with files of its own.
type slurm struct {
	t     *testing.T
	dir   string
	nodes map[string]*exec.Cmd
}

// slurmConf describes two nodes with a core each, which are this host.
const slurmConf = `ClusterName=burstscope
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=%[3]d
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=%[2]s/munge.socket
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/%%n
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/%%n.pid
SlurmctldLogFile=%[2]s/slurmctld.log
SlurmdLogFile=%[2]s/%%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
JobRequeue=1
NodeName=node0 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[4]d CPUs=1 State=UNKNOWN
NodeName=node1 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[5]d CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`

// newSlurm starts a cluster, or skips the test.
func newSlurm(t *testing.T) *slurm {
	t.Helper()
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("SKIPPED: no job array ran under Slurm, because %s is missing; on Debian: apt install slurmctld slurmd slurm-client munge", name)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: no job array ran under Slurm, because only root may start its nodes")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	// A path of a socket has at most 108 bytes, fewer than some folders of tests.
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for _, name := range []string{"state", "node0", "node1"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := &slurm{t: t, dir: dir, nodes: map[string]*exec.Cmd{}}
	ports := make([]any, 0, 3)
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	s.write("slurm.conf", fmt.Sprintf(slurmConf, append([]any{host, dir}, ports...)...))
	s.write("munge.key", strings.Repeat("a key of this test alone ", 40))
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	asProgram(t, dir)
	return s
}

func (s *slurm) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// start starts a daemon that ends with the test.
func (s *slurm) start(name string, args ...string) *exec.Cmd {
	s.t.Helper()
	c := exec.Command(name, args...)
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return c
}

// startAll starts the daemons and waits for both nodes.
func (s *slurm) startAll() {
	s.t.Helper()
	in := func(name string) string { return filepath.Join(s.dir, name) }
	s.start("munged", "--foreground", "--force", "--socket="+in("munge.socket"), "--key-file="+in("munge.key"), "--pid-file="+in("munge.pid"), "--log-file="+in("munge.log"), "--seed-file="+in("munge.seed"))
	s.until("munged", func() bool { _, err := os.Stat(in("munge.socket")); return err == nil })
	s.start("slurmctld", "-D", "-f", in("slurm.conf"))
	for _, node := range []string{"node0", "node1"} {
		s.nodes[node] = s.start("slurmd", "-D", "-N", node, "-f", in("slurm.conf"))
		s.t.Cleanup(func() { s.killNode(node) })
	}
	s.until("two idle nodes", func() bool { return strings.Count(s.say("sinfo", "-h", "-N", "-o", "%T"), "idle") == 2 })
}

// slurmPatience bounds every wait: a test that hangs should say for what.
const slurmPatience = 3 * time.Minute

func (s *slurm) until(what string, there func() bool) {
	s.t.Helper()
	for end := time.Now().Add(slurmPatience); !there(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			var logs strings.Builder
			files, _ := filepath.Glob(filepath.Join(s.dir, "*.log"))
			for _, f := range files {
				text, _ := os.ReadFile(f)
				fmt.Fprintf(&logs, "%s:\n%s\n", filepath.Base(f), text[max(0, len(text)-2000):])
			}
			s.t.Fatalf("waited %v for %s\n%s\n%s", slurmPatience, what, s.say("squeue"), logs.String())
		}
	}
}

// say runs a command of Slurm and returns what it prints.
func (s *slurm) say(name string, args ...string) string {
	ctx, cancel := context.WithTimeout(s.t.Context(), slurmPatience)
	defer cancel()
	out, _ := exec.CommandContext(ctx, name, args...).CombinedOutput()
	return strings.TrimSpace(string(out))
}

// killNode kills a node's daemon and everything that it started, as a power cut would. Steps are no
// children of the daemon: they are found by the node's name in the environment of what they started.
func (s *slurm) killNode(node string) {
	doomed := map[int]bool{s.nodes[node].Process.Pid: true}
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for grown := true; grown; {
		grown = false
		for _, p := range processes {
			pid, _ := strconv.Atoi(filepath.Base(p))
			status, _ := os.ReadFile(p + "/stat")
			fields := strings.Fields(string(status[strings.LastIndexByte(string(status), ')')+1:]))
			environment, _ := os.ReadFile(p + "/environ")
			parent := 0
			if len(fields) > 1 {
				parent, _ = strconv.Atoi(fields[1])
			}
			if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent)); doomed[pid] && !doomed[parent] && strings.HasPrefix(string(name), "slurmstepd") {
				doomed[parent], grown = true, true
			}
			mine := doomed[parent] || strings.Contains(string(environment), "SLURMD_NODENAME="+node+"\x00") && strings.Contains(string(environment), s.dir)
			if mine && !doomed[pid] {
				doomed[pid], grown = true, true
			}
		}
	}
	// All stop before the first one dies: otherwise one of them would report the death of another.
	for _, signal := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
		for pid := range doomed {
			_ = syscall.Kill(pid, signal)
		}
	}
}

// readmeBlock returns the code of SWEEPS.md that contains words.
func readmeBlock(t *testing.T, words string) string {
	t.Helper()
	text, err := os.ReadFile("../SWEEPS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```[a-z]*\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(m[1], words) {
			return m[1]
		}
	}
	t.Fatalf("SWEEPS.md has no code with %s", words)
	return ""
}

// TestSlurmArray runs the README's job array on a real Slurm with two nodes. One node is killed in the
// middle; its tasks are queued again and run on the other node. The store is that of one sweep.
func TestSlurmArray(t *testing.T) {
	s := newSlurm(t)
	words := longArgs
	whole := t.TempDir()
	mustCall(t, append([]string{"sweep", "--store", whole}, words...)...)
	s.startAll()

	store := filepath.Join(s.dir, "results")
	script := strings.Replace(readmeBlock(t, "#SBATCH"), " figures ", " "+strings.Join(words, " ")+" ", 1)
	s.write("array.sh", script)
	t.Setenv("SCRATCH", s.dir)
	job := s.say("sbatch", "--parsable", "--array=0-2", "--cpus-per-task=1", "--output="+s.dir+"/task%a.log", filepath.Join(s.dir, "array.sh"))
	if _, err := strconv.Atoi(job); err != nil {
		t.Fatalf("sbatch: %s", job)
	}
	s.until("a result while node0 is at work", func() bool {
		return len(clitest.Contents(t, store)) > 0 && strings.Contains(s.say("squeue", "-h", "-t", "running", "-o", "%N"), "node0")
	})
	s.killNode("node0")
	if said := s.say("scontrol", "update", "NodeName=node0", "State=DOWN", "Reason=killed"); said != "" {
		t.Fatal(said)
	}
	s.until("a task to be queued again", func() bool { return strings.Contains(s.say("scontrol", "-o", "show", "job", job), "Restarts=1") })
	s.until("the end of the array", func() bool {
		s.say("scontrol", "update", "JobId="+job, "StartTime=now") // Slurm holds a task that failed for two minutes
		return s.say("squeue", "-h") == ""
	})
	got := clitest.Contents(t, store)
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasPrefix(name, ".") }) // what the kill left half written
	if want := clitest.Contents(t, whole); !maps.Equal(got, want) {
		logs, _ := filepath.Glob(s.dir + "/task*.log")
		for _, l := range logs {
			text, _ := os.ReadFile(l)
			t.Logf("%s:\n%s", filepath.Base(l), text)
		}
		t.Errorf("%d results of the array, %d of one sweep, or other bits", len(got), len(want))
	}
}
