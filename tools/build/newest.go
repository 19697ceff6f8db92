package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/burstscope/burstscope/assets/kernels"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// A release of Go may change what programs look like or what they compute. tryNewest builds the page's engine with the
// newest Go there is, and compares a run of it with the native one of the installed Go.

// triedScenario is what the engine runs, and triedSize its size: a second under node.
const (
	triedScenario = "vecadd"
	triedSize     = "65536"
)

// tryNewest says in one line what came out. Without a network or node, the line begins with "--- SKIP", as that of a test.
func tryNewest(root string, w io.Writer) error {
	newest, err := newestGo()
	if err != nil {
		fmt.Fprintf(w, "--- SKIP: the newest Go was not tried, because the module proxy does not say which it is: %v\n", err)
		return nil
	}
	if installed := runtime.Version(); version.Compare(installed, newest) >= 0 {
		newest = "local"
	}
	node, err := exec.LookPath("node")
	if err != nil {
		fmt.Fprintln(w, "--- SKIP: the newest Go was not tried, because node is missing")
		return nil
	}
	if err := os.Setenv("GOTOOLCHAIN", newest); err != nil { // for this program and all it starts
		return err
	}
	compiler, err := installed()
	if err != nil {
		fmt.Fprintf(w, "--- SKIP: the newest Go, %s, was not tried, because it cannot be fetched: %v\n", newest, err)
		return nil
	}
	cache := filepath.Join(root, ".cache")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	stage, err := os.MkdirTemp(cache, "newest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	p := newPatcher(compiler, true, func(line string) { fmt.Fprintln(w, line) })
	if err := errors.Join(bundle(root, stage), compileWasm(root, stage, "engine", p), packKernels(stage), p.copyGlue(stage)); err != nil {
		return err
	}
	sides, want, err := tried(root)
	if err != nil {
		return err
	}
	got, err := runStaged(node, stage, sides)
	if err != nil {
		return fmt.Errorf("the engine of %s: %w", compiler.Version, err)
	}
	if !maps.Equal(got, want) {
		return fmt.Errorf("the engine of %s has the results %v of %s, a native program of %s has %v", compiler.Version, got, triedScenario, runtime.Version(), want)
	}
	form := "patched and packed"
	if p.left {
		form = "as linked"
	}
	fmt.Fprintf(w, "the engine of %s, %s, has the results of a native program of %s: %s, size %s\n", compiler.Version, form, runtime.Version(), triedScenario, triedSize)
	return nil
}

// newestGo is the newest release of Go for this machine that the module proxy lists.
func newestGo() (string, error) {
	cmd := exec.Command("go", "list", "-m", "-versions", "-f", `{{join .Versions "\n"}}`, "golang.org/toolchain")
	var fault bytes.Buffer
	cmd.Stderr = &fault
	said, err := cmd.Output()
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(fault.String()), "\n")
		return "", fmt.Errorf("%s (%w)", line, err)
	}
	newest := newestOf(strings.Fields(string(said)), runtime.GOOS, runtime.GOARCH)
	if newest == "" {
		return "", fmt.Errorf("it lists no release for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return newest, nil
}

// newestOf is the newest release among versions of the module golang.org/toolchain, such as v0.0.1-go1.27.2.linux-amd64.
// Betas and release candidates are none.
func newestOf(versions []string, system, processor string) string {
	newest := ""
	for _, v := range versions {
		name, ok := strings.CutPrefix(v, "v0.0.1-")
		name, fits := strings.CutSuffix(name, "."+system+"-"+processor)
		if ok && fits && version.IsValid(name) && !strings.ContainsAny(name[len("go"):], "abcr") && (newest == "" || version.Compare(name, newest) > 0) {
			newest = name
		}
	}
	return newest
}

// tried are the two sides that the engine runs, as the page sends them, and the hashes of their native results.
func tried(root string) (sides map[string]json.RawMessage, hashes map[string]string, err error) {
	file := filepath.Join(root, "assets", "scenarios", triedScenario+".yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	s, err := authoring.ParseYAML(file, text)
	if err != nil {
		return nil, nil, err
	}
	if err := s.Set("workload.size", triedSize); err != nil {
		return nil, nil, err
	}
	other := *s
	if s.Compare != nil {
		other.Memory = s.Compare.Memory
	}
	sides, hashes = map[string]json.RawMessage{}, map[string]string{}
	for letter, side := range map[string]scenario.Scenario{"A": other, "B": *s} {
		side.Compare = nil
		plan, err := experiment.PlanOf(&side)
		if err != nil {
			return nil, nil, err
		}
		run, err := experiment.New(plan, experiment.Options{})
		if err != nil {
			return nil, nil, err
		}
		result, err := run.Finish()
		if err != nil {
			return nil, nil, err
		}
		sides[letter], hashes[letter] = authoring.ToJSON(&side), result.ResultHash
	}
	return sides, hashes, nil
}

// workerOfNode runs the page's engine worker in node: a folder that holds its files, the names of the kernels, and the sides.
const workerOfNode = `
const fs = require("fs"), path = require("path"), vm = require("vm");
const [folder, kernels, sides] = process.argv.slice(2);
const text = (name) => fs.readFileSync(path.join(folder, name), "utf8");
globalThis.self = globalThis;
globalThis.importScripts = (...names) => names.forEach((name) => vm.runInThisContext(text(name), name));
globalThis.addEventListener = () => {}; // an error that nobody handles ends node
globalThis.postMessage = (m) => {
  if (m.type === "error") { console.error(m.where + ": " + m.what); process.exit(1); }
  if (m.type === "done") { console.log(JSON.stringify(m.resultHashes)); process.exit(0); }
};
importScripts("engine-worker.js");
const wasm = new Blob([fs.readFileSync(path.join(folder, "engine.wasm"))]);
onmessage({ data: { exec: "wasm_exec.js", wasm, packed: false, build: "newest", kernels: JSON.parse(kernels) } });
onmessage({ data: { type: "run", run: 1, sides: JSON.parse(sides) } });
`

// runStaged runs the engine in a folder under node, and returns the hashes of both results.
func runStaged(node, stage string, sides map[string]json.RawMessage) (map[string]string, error) {
	names := map[string]string{}
	for _, name := range kernels.Names() {
		names[name] = "kernels/" + name + ".js"
	}
	places, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	given, err := json.Marshal(sides)
	if err != nil {
		return nil, err
	}
	script := filepath.Join(stage, "worker.cjs")
	if err := os.WriteFile(script, []byte(workerOfNode), 0o644); err != nil {
		return nil, err
	}
	cmd := exec.Command(node, "--stack-size=8192", script, stage, string(places), string(given))
	var fault bytes.Buffer
	cmd.Stderr = &fault
	said, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("node: %w\n%s", err, fault.Bytes())
	}
	hashes := map[string]string{}
	if err := json.Unmarshal(said, &hashes); err != nil {
		return nil, fmt.Errorf("node says %q: %w", said, err)
	}
	return hashes, nil
}
