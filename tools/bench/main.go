// Command bench prints one table of how fast the simulator is, natively and in
// WebAssembly, beside a widely used simulator on the same programs. It builds
// the command line tool twice, runs `bench --format json` in each, and divides. The
// program in WebAssembly gets the jumps and the shorter code of the page's engine
// (tools/wasmlink).
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/burstscope/burstscope/tools/wasmlink"
)

// anchors are the rates of GPGPU-Sim 4.2, in warp instructions per second of host time,
// with the GTX 480 configuration and full timing. They were measured on the two cores of
// core/BENCHMARKS.md; on a faster or slower machine the ratios differ.
var anchors = map[string]float64{
	"vecadd-262144": 16_400,
	"transpose-512": 17_400,
	"matmul-128":    30_300,
}

// speed is one object of `burstscope bench --format json`.
type speed struct {
	Name                      string  `json:"name"`
	WarpInstructionsPerSecond float64 `json:"warpInstructionsPerSecond"`
	TensorOperationsPerSecond float64 `json:"tensorOperationsPerSecond"`
}

func main() {
	wasmExec := flag.String("exec", "", "go_js_wasm_exec of the Go in use (default: found with go env)")
	flag.Parse()
	if err := run(os.Stdout, *wasmExec); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, wasmExec string) error {
	compiler, err := wasmlink.Installed()
	if err != nil {
		return err
	}
	if wasmExec == "" {
		wasmExec = compiler.Wasm("go_js_wasm_exec")
	}
	dir, err := os.MkdirTemp("", "burstscope-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	native, err := measure(filepath.Join(dir, "native"), nil, nil)
	if err != nil {
		return fmt.Errorf("natively: %w", err)
	}
	patch := wasmlink.Shorten
	if !compiler.Known() {
		patch = nil
		fmt.Fprintf(w, "NOT PATCHED: the program in WebAssembly: %s\n", compiler.Unknown())
	}
	wasm, err := measure(filepath.Join(dir, "wasm"), []string{"GOOS=js", "GOARCH=wasm"}, patch, wasmExec)
	if err != nil {
		return fmt.Errorf("in WebAssembly: %w", err)
	}
	return table(w, native, wasm)
}

// measure builds the command line tool for a target and runs its benchmarks. The words
// before the program run it, and patch changes it if it is not nil.
func measure(program string, target []string, patch func(module []byte) ([]byte, error), before ...string) ([]speed, error) {
	build := exec.Command("go", "build", "-trimpath", "-o", program, "./tools/burstscope")
	build.Env = append(os.Environ(), target...)
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	if patch != nil {
		module, err := os.ReadFile(program)
		if err == nil {
			module, err = patch(module)
		}
		if err == nil {
			err = os.WriteFile(program, module, 0o755)
		}
		if err != nil {
			return nil, err
		}
	}
	args := append(before, program, "bench", "--format", "json")
	cmd := exec.Command(args[0], args[1:]...)
	var faults strings.Builder
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, faults.String())
	}
	var speeds []speed
	if err := json.Unmarshal(out, &speeds); err != nil {
		return nil, fmt.Errorf("bench --format json: %w", err)
	}
	if len(speeds) == 0 {
		return nil, errors.New("bench --format json lists nothing")
	}
	return speeds, nil
}

// table prints millions of warp instructions per second, and of operations of the tensor cores.
func table(w io.Writer, native, wasm []speed) error {
	inWasm := map[string]speed{}
	for _, s := range wasm {
		inWasm[s.Name] = s
	}
	row := func(words ...any) {
		fmt.Fprintf(w, "%-20s %12s %12s %12s %12s %10s %10s %12s %12s\n", words...)
	}
	row("", "native", "wasm", "wasm/native", "GPGPU-Sim", "native", "wasm", "native", "wasm")
	row("program", "M instr/s", "M instr/s", "", "M instr/s", "ratio", "ratio", "M tensor op/s", "M tensor op/s")
	for _, s := range native {
		there, ok := inWasm[s.Name]
		if !ok || s.WarpInstructionsPerSecond <= 0 {
			return fmt.Errorf("%s: no figure to compare", s.Name)
		}
		anchor, ratios, tensors := "-", [2]string{"-", "-"}, [2]string{"-", "-"}
		for i, x := range []speed{s, there} {
			if a := anchors[s.Name]; a > 0 {
				anchor, ratios[i] = fmt.Sprintf("%.4f", a/1e6), fmt.Sprintf("%.0fx", x.WarpInstructionsPerSecond/a)
			}
			if n := x.TensorOperationsPerSecond; n > 0 {
				tensors[i] = fmt.Sprintf("%.0f", n/1e6)
			}
		}
		row(s.Name, fmt.Sprintf("%.2f", s.WarpInstructionsPerSecond/1e6), fmt.Sprintf("%.2f",
			there.WarpInstructionsPerSecond/1e6), fmt.Sprintf("%.2f",
			there.WarpInstructionsPerSecond/s.WarpInstructionsPerSecond), anchor, ratios[0], ratios[1], tensors[0],
			tensors[1])
	}
	return nil
}
