package recipes

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// inShell runs a line with a program of the name burstscope in the path, and gives what it printed.
func inShell(t *testing.T, line string, environment ...string) {
	t.Helper()
	dir := t.TempDir()
	asProgram(t, dir)
	c := exec.Command("sh", "-c", line)
	c.Env = append(append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH")), environment...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// TestGNUParallel runs the line of SWEEPS.md and that of a plan with GNU parallel. The stores are that of one
// sweep. The name of one needs quotes.
func TestGNUParallel(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("parallel", "--version").Output(); err != nil || !strings.HasPrefix(string(out), "GNU parallel") {
		t.Skip("SKIPPED: no sweep ran under GNU parallel, because it is missing; on Debian: apt install parallel")
	}
	whole, readme, planned := t.TempDir(), filepath.Join(t.TempDir(), "results"), filepath.Join(t.TempDir(), "Ann's $results")
	mustCall(t, clitest.SweepArgs(whole)...)
	line := strings.Replace(readmeBlock(t, "GNU parallel"), " sweep figures ", " "+strings.Join(clitest.SweepArgs(readme), " ")+" ", 1)
	plan := mustCall(t, append([]string{"sweep", "plan"}, append(clitest.SweepArgs(planned)[1:], "--shards", "3", "--jobs", "1")...)...)
	for store, line := range map[string]string{readme: line, planned: clitest.PlanLine(t, plan, "seq")} {
		inShell(t, line, "HOME="+t.TempDir())
		if !maps.Equal(clitest.Contents(t, store), clitest.Contents(t, whole)) {
			t.Errorf("%s gives another store", line)
		}
	}
}

// jobFields are the fields of a Kubernetes Job that the one of SWEEPS.md uses, by type: a name in capitals is another row, []
// marks a list of them. Source: kubernetes/kubernetes, api/openapi-spec/v3/apis__batch__v1_openapi.json,
// io.k8s.api.batch.v1.Job and what it refers to. A server with strict validation refuses other names.
var jobFields = map[string]map[string]string{
	"Job":                   {"apiVersion": "text", "kind": "text", "metadata": "ObjectMeta", "spec": "JobSpec"},
	"ObjectMeta":            {"name": "text"},
	"JobSpec":               {"completions": "integer", "parallelism": "integer", "completionMode": "text", "template": "PodTemplateSpec"},
	"PodTemplateSpec":       {"spec": "PodSpec"},
	"PodSpec":               {"restartPolicy": "text", "containers": "[]Container", "volumes": "[]Volume"},
	"Container":             {"name": "text", "image": "text", "args": "[]text", "resources": "ResourceRequirements", "volumeMounts": "[]VolumeMount"},
	"ResourceRequirements":  {"requests": "Quantities"},
	"Quantities":            {"cpu": "integer"}, // a text or a number
	"VolumeMount":           {"name": "text", "mountPath": "text"},
	"Volume":                {"name": "text", "persistentVolumeClaim": "PersistentVolumeClaim"},
	"PersistentVolumeClaim": {"claimName": "text"},
}

// jobFaults are the fields of a value that its type does not have, and those of another kind.
func jobFaults(v *scenario.Value, kind string) (faults []string) {
	of, isList := strings.CutPrefix(kind, "[]")
	fields, isMap := jobFields[kind]
	switch {
	case isList && v.Kind == scenario.IsList:
		for i := range v.Items {
			faults = append(faults, jobFaults(&v.Items[i], of)...)
		}
	case isMap && v.Kind == scenario.IsMap:
		for i, key := range v.Keys {
			if fields[key] == "" {
				faults = append(faults, fmt.Sprintf("%s: %s has no field %s", v.Items[i].Where, kind, key))
				continue
			}
			faults = append(faults, jobFaults(&v.Items[i], fields[key])...)
		}
	case kind == "text" && v.Kind == scenario.IsText, kind == "integer" && v.Kind == scenario.IsInteger:
	default:
		faults = append(faults, fmt.Sprintf("%s: %s is not %s", v.Where, v.Describe(), kind))
	}
	return faults
}

// at is the value at a path of keys and numbers.
func at(t *testing.T, v *scenario.Value, path ...any) *scenario.Value {
	t.Helper()
	for _, step := range path {
		i, isNumber := step.(int)
		if !isNumber {
			i = slices.Index(v.Keys, step.(string))
		}
		if i < 0 || i >= len(v.Items) {
			t.Fatalf("%s: there is no %v", v.Where, step)
		}
		v = &v.Items[i]
	}
	return v
}

// jobTree is the Job of SWEEPS.md, and the arguments of its containers.
func jobTree(t *testing.T) (job *scenario.Value, args []string) {
	t.Helper()
	job, err := authoring.ParseTree("SWEEPS.md", []byte(readmeBlock(t, "kind: Job")))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range at(t, job, "spec", "template", "spec", "containers", 0, "args").Items {
		args = append(args, a.Text)
	}
	return job, args
}

// TestKubernetesJob: the Job of SWEEPS.md has only fields that Kubernetes knows, and its parts agree with each other.
func TestKubernetesJob(t *testing.T) {
	t.Parallel()
	text := readmeBlock(t, "kind: Job")
	job, args := jobTree(t)
	for _, f := range jobFaults(job, "Job") {
		t.Error(f)
	}
	for _, fields := range jobFields { // each name in it matters
		for name := range fields {
			bad, err := authoring.ParseTree("SWEEPS.md", []byte(strings.Replace(text, name+":", name+"s:", 1)))
			if err != nil || len(jobFaults(bad, "Job")) == 0 {
				t.Errorf("%ss is taken for %s (%v)", name, name, err)
			}
		}
	}
	pod := at(t, job, "spec", "template", "spec")
	pods := at(t, job, "spec", "completions").Text
	for _, c := range []struct{ got, want string }{
		{at(t, job, "apiVersion").Text + " " + at(t, job, "kind").Text, "batch/v1 Job"},
		{at(t, job, "spec", "completionMode").Text, "Indexed"}, // Job.spec.completionMode: NonIndexed or Indexed
		{at(t, pod, "restartPolicy").Text, "OnFailure"},        // a Job takes OnFailure or Never
		{at(t, pod, "containers", 0, "volumeMounts", 0, "name").Text, at(t, pod, "volumes", 0, "name").Text},
		{at(t, pod, "containers", 0, "image").Text, "burstscope:" + experiment.Version},
		{after(args, "--store"), at(t, pod, "containers", 0, "volumeMounts", 0, "mountPath").Text},
		{after(args, "--jobs"), at(t, pod, "containers", 0, "resources", "requests", "cpu").Text},
		{after(args, "--shard"), "$(JOB_COMPLETION_INDEX)/" + pods},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// after is the word behind another.
func after(words []string, word string) string {
	if i := slices.Index(words, word); i >= 0 && i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

// longArgs are nine runs, each of a second or so: a part can be killed in the middle.
var longArgs = []string{"dct", "--set", "workload.size=512", "--set", "memory.approximation=none",
	"--vary", "memory.mag=16,32,64", "--vary", "memory.codec=none,bdi,fpc"}

// A pod is killed while it works. The server starts it again with the same number, and the pods together make the sweep.
func TestKubernetesPodIsKilled(t *testing.T) {
	t.Parallel()
	_, args := jobTree(t)
	whole, store, dir := t.TempDir(), filepath.Join(t.TempDir(), "results"), t.TempDir()
	mustCall(t, append([]string{"sweep", "--store", whole}, longArgs...)...)
	asProgram(t, dir)
	// The image's entry point is the program; the server puts numbers into arguments. Two pods here, not 32.
	pod := func(index string) *exec.Cmd {
		var words []string
		for _, a := range args {
			switch a {
			case "figures":
				words = append(words, longArgs...)
			case "/results":
				words = append(words, store)
			default:
				words = append(words, strings.NewReplacer("$(JOB_COMPLETION_INDEX)", index, "/32", "/2").Replace(a))
			}
		}
		c := exec.Command(filepath.Join(dir, "burstscope"), words...)
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		return c
	}
	first := pod("0")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	wait(t, "a result of the first pod", func() bool { return len(clitest.Contents(t, store)) > 0 })
	if err := syscall.Kill(-first.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err == nil {
		t.Fatal("the pod had ended before it was killed")
	}
	for _, index := range []string{"0", "1"} {
		if out, err := pod(index).CombinedOutput(); err != nil {
			t.Fatalf("pod %s: %v\n%s", index, err, out)
		}
	}
	sameResults(t, store, whole)
}

// sameResults compares a store that processes have filled, some of which were killed, with that of one sweep.
func sameResults(t *testing.T, store, whole string) {
	t.Helper()
	got, want := clitest.Contents(t, store), clitest.Contents(t, whole)
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasPrefix(name, ".") }) // what a kill left half written
	if !maps.Equal(got, want) {
		t.Errorf("%d results, %d of one sweep, or other bits", len(got), len(want))
	}
}

// wait waits until something is there; a test that hangs should say for what.
func wait(t *testing.T, what string, there func() bool) {
	t.Helper()
	for end := time.Now().Add(slurmPatience); !there(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %v for %s", slurmPatience, what)
		}
	}
}
