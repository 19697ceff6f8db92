package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// recordings is the folder of the recorded runs of GPGPU-Sim; its README.md describes
// them.
var recordings = filepath.Join("..", "..", "..", "core", "machine", "testdata", "gpgpusim")

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

// TestRecordedKernels runs PTX that nvcc made on the recorded inputs: the outputs must
// equal those of GPGPU-Sim bit by bit. Unlike a GPU, GPGPU-Sim rounds the product of
// an fma before it adds, so exec gets --round-products.
func TestRecordedKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	b, err := os.ReadFile(filepath.Join(recordings, "launch.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Kernels map[string]recorded }
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vecadd", "saxpy_s2", "transpose_tiled", "matmul_tiled", "stencil5", "reduce", "stream", "l2stream"} {
		t.Run(name, func(t *testing.T) {
			k, ok := file.Kernels[name]
			if !ok {
				t.Fatal("no such kernel in launch.json")
			}
			args := []string{"exec", filepath.Join(recordings, k.PTX), "--round-products", "--entry", k.Entry, "--preset", "gtx480", "--format", "json",
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
			if len(outputs) == 0 {
				t.Error("no output was compared")
			}
		})
	}
}

func extentText(extent []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(extent), " ", ","), "[]")
}

// specs writes the inputs to files. It returns the arguments and the files for the
// outputs to compare.
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
		content := clitest.Words(a.Count, func(i int) uint32 { return math.Float32bits(u01(uint32(i), uint32(n))) })
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
