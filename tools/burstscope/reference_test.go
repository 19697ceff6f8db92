package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
)

// referenceDir finds the recorded runs of GPGPU-Sim on the shelf beside the
// repository.
func referenceDir(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		found := filepath.Join(dir, "shared", "reference", "gpgpusim")
		if _, err := os.Stat(filepath.Join(found, "launch.json")); err == nil {
			return found
		}
		if dir == filepath.Dir(dir) {
			t.Skip("no recorded runs: ../shared/reference/gpgpusim is not beside this repository")
		}
	}
}

// recorded is a kernel of launch.json.
type recorded struct {
	PTX         string
	Entry       string
	Grid, Block []int
	Args        []struct {
		Kind, Type string
		Count      int
		Bytes      uint64
		Init       string
		Value      any
		DeviceAddr string `json:"device_addr"`
	}
	Outputs []struct {
		DeviceAddr string `json:"device_addr"`
		Hash       string `json:"fnv1a64_of_bytes"`
	}
}

// u01 is the input generator of the recorded runs.
func u01(i, seed uint32) float32 {
	x := i*2654435761 + seed
	x ^= x >> 16
	x *= 0x85ebca6b
	x ^= x >> 13
	x *= 0xc2b2ae35
	x ^= x >> 16
	return float32(x>>8) / (1 << 24)
}

// recordedCycles reads the cycles of the variant that is closest to ours: 32-byte
// atoms and an L2 that is empty at the start.
func recordedCycles(t *testing.T, dir string) map[string]string {
	f, err := os.Open(filepath.Join(dir, "gpgpusim.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	kernel, variant, cycles := slices.Index(rows[0], "kernel"), slices.Index(rows[0], "variant"), slices.Index(rows[0], "core_cycles")
	found := map[string]string{}
	for _, row := range rows[1:] {
		if row[variant] == "a32c" {
			found[row[kernel]] = row[cycles]
		}
	}
	return found
}

// TestRecordedKernels runs PTX that nvcc made on the recorded inputs: the outputs
// must be those GPGPU-Sim computed, bit by bit. It rounds the product of an fma
// before it adds, which no GPU does, so exec is told to do the same.
func TestRecordedKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	dir := referenceDir(t)
	b, err := os.ReadFile(filepath.Join(dir, "launch.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Kernels map[string]recorded }
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	cycles := recordedCycles(t, dir)
	for _, name := range []string{"vecadd", "saxpy_s2", "transpose_tiled", "matmul_tiled", "stencil5", "reduce", "stream", "l2stream"} {
		t.Run(name, func(t *testing.T) {
			k, ok := file.Kernels[name]
			if !ok {
				t.Fatal("no such kernel in launch.json")
			}
			args := []string{"exec", filepath.Join(dir, k.PTX), "--round-products", "--entry", k.Entry, "--preset", "gtx480", "--format", "json",
				"--grid", extentText(k.Grid), "--block", extentText(k.Block), "--arg"}
			specs, outputs := k.specs(t)
			var r experiment.Result
			if err := json.Unmarshal([]byte(mustCall(t, append(args, specs...)...)), &r); err != nil {
				t.Fatal(err)
			}
			for i, output := range outputs {
				got, err := os.ReadFile(output)
				if err != nil {
					t.Fatal(err)
				}
				h := fnv.New64a()
				h.Write(got)
				if sum := fmt.Sprintf("%016x", h.Sum64()); sum != k.Outputs[i].Hash {
					t.Errorf("output has hash %s, recorded is %s", sum, k.Outputs[i].Hash)
				}
			}
			t.Logf("%d cycles, GPGPU-Sim %s; %d warp instructions", r.Cycles, cycles[name], r.WarpInstructions)
		})
	}
}

func extentText(extent []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(extent), " ", ","), "[]")
}

// specs writes the inputs to files and returns the arguments, and the files the
// recorded outputs will be in.
func (k *recorded) specs(t *testing.T) (specs, outputs []string) {
	dir := t.TempDir()
	for i, a := range k.Args {
		if a.Kind == "scalar" {
			specs = append(specs, fmt.Sprintf("%s:%v", a.Type, a.Value))
			continue
		}
		in, out := filepath.Join(dir, fmt.Sprint("in", i)), ""
		for _, o := range k.Outputs {
			if o.DeviceAddr == a.DeviceAddr {
				out = filepath.Join(dir, fmt.Sprint("out", i))
				outputs = append(outputs, out)
			}
		}
		seed, ok := strings.CutPrefix(a.Init, "u01(i,")
		if !ok {
			specs = append(specs, fmt.Sprintf("out:%s:%d", out, a.Bytes))
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(seed, ")"))
		if err != nil {
			t.Fatal(err)
		}
		content := words(a.Count, func(i int) uint32 { return math.Float32bits(u01(uint32(i), uint32(n))) })
		if err := os.WriteFile(in, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if out == "" {
			specs = append(specs, "in:"+in)
		} else {
			specs = append(specs, "inout:"+in+":"+out)
		}
	}
	return specs, outputs
}
