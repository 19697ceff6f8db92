package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
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
	mustCall(t, sweepArgs(whole)...)
	line := strings.Replace(readmeBlock(t, "GNU parallel"), " sweep figures ", " "+strings.Join(sweepArgs(readme), " ")+" ", 1)
	plan := mustCall(t, append([]string{"sweep", "plan"}, append(sweepArgs(planned)[1:], "--shards", "3", "--jobs", "1")...)...)
	for store, line := range map[string]string{readme: line, planned: planLine(t, plan, "seq")} {
		inShell(t, line, "HOME="+t.TempDir())
		if !maps.Equal(contents(t, store), contents(t, whole)) {
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
	"Container":             {"name": "text", "image": "text", "command": "[]text", "resources": "ResourceRequirements", "volumeMounts": "[]VolumeMount"},
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

// TestKubernetesJob: the Job of SWEEPS.md has only fields that Kubernetes knows, its pods are numbered, and the commands of
// all pods together make the sweep.
func TestKubernetesJob(t *testing.T) {
	t.Parallel()
	text := readmeBlock(t, "kind: Job")
	job, err := authoring.ParseTree("SWEEPS.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
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
	for _, c := range []struct{ got, want string }{
		{at(t, job, "apiVersion").Text + " " + at(t, job, "kind").Text, "batch/v1 Job"},
		{at(t, job, "spec", "completionMode").Text, "Indexed"}, // Job.spec.completionMode: NonIndexed or Indexed
		{at(t, pod, "restartPolicy").Text, "OnFailure"},        // a Job takes OnFailure or Never
		{at(t, pod, "containers", 0, "volumeMounts", 0, "name").Text, at(t, pod, "volumes", 0, "name").Text},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	command := at(t, pod, "containers", 0, "command")
	pods, line := at(t, job, "spec", "completions").Text, at(t, command, 2).Text
	if at(t, command, 0).Text != "sh" || at(t, command, 1).Text != "-c" || !strings.Contains(line, "$JOB_COMPLETION_INDEX/"+pods+`"`) || !strings.Contains(line, " --jobs "+at(t, pod, "containers", 0, "resources", "requests", "cpu").Text+" ") ||
		!strings.Contains(line, " --store "+at(t, pod, "containers", 0, "volumeMounts", 0, "mountPath").Text+" ") {
		t.Fatalf("the command is %s", line)
	}
	whole, store := t.TempDir(), filepath.Join(t.TempDir(), "results")
	mustCall(t, sweepArgs(whole)...)
	small := strings.NewReplacer(" sweep figures ", " "+strings.Join(sweepArgs(store)[:len(sweepArgs(store))-2], " ")+" ", " /results ", " "+store+" ").Replace(line)
	// The server gives each pod its number.
	inShell(t, fmt.Sprintf("for i in $(seq 0 $((%s-1))); do JOB_COMPLETION_INDEX=$i sh -c '%s' || exit 1; done", pods, small))
	if !maps.Equal(contents(t, store), contents(t, whole)) {
		t.Errorf("the pods make another store: %s", small)
	}
}
