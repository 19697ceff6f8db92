// Package clitest has files and texts that tests of several commands use.
package clitest

import (
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/latte/policy"
	"github.com/burstscope/burstscope/core/system/rfvp"
	"github.com/burstscope/burstscope/core/workload"
)

// TensorFile writes a safetensors file of a smooth, a zero and a random tensor of 512 KB each.
func TensorFile(t *testing.T, name string, cut int) string {
	t.Helper()
	const bytes = 512 << 10
	header := fmt.Sprintf(`{"smooth":{"dtype":"I32","shape":[%d],"data_offsets":[0,%d]},"zeros":{"dtype":"I32","shape":[%d],"data_offsets":[%d,%d]},"noise":{"dtype":"I32","shape":[%d],"data_offsets":[%d,%d]}}`,
		bytes/4, bytes, bytes/4, bytes, 2*bytes, bytes/4, 2*bytes, 3*bytes)
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(b, header...)
	x := uint32(1)
	for i := range bytes / 4 {
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
	}
	b = append(b, make([]byte, bytes)...)
	for range bytes / 4 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return WriteTemp(t, name, b[:len(b)-cut])
}

// Table reads CSV that a verb printed.
func Table(t *testing.T, out string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return rows
}

// TensorsIn writes tensors of f16 as the format has them: a length, a header, the data.
func TensorsIn(t *testing.T, name, header string, data []byte) string {
	t.Helper()
	b := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, append(b, data...), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// IncrementPTX adds its second argument to each word, one thread a word.
const IncrementPTX = `.version 6.4
.target sm_70
.address_size 64

.visible .entry increment(.param .u64 data, .param .u32 addend)
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<5>;

	ld.param.u64 	%rd1, [data];
	ld.param.u32 	%r1, [addend];
	cvta.to.global.u64 	%rd2, %rd1;
	mov.u32 	%r2, %ctaid.x;
	mov.u32 	%r3, %ntid.x;
	mov.u32 	%r4, %tid.x;
	mad.lo.s32 	%r5, %r2, %r3, %r4;
	mul.wide.u32 	%rd3, %r5, 4;
	add.s64 	%rd4, %rd2, %rd3;
	ld.global.u32 	%r2, [%rd4];
	add.s32 	%r2, %r2, %r1;
	st.global.u32 	[%rd4], %r2;
	ret;
}
`

func Words(n int, f func(i int) uint32) []byte {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, f(i))
	}
	return b
}

// Halves gives every run one second, half a second with TSLC, and traffic of blocks
// of 40 bytes.
type Halves struct{}

func (Halves) Run(j *claim.Job) *experiment.Result {
	seconds := 1.0
	if j.Scenario.Memory.Approximation() != "none" {
		seconds = 0.5
	}
	counters := stat.Set{stat.DRAMReadBytes: 1, stat.BlocksReadLossless: 1, stat.BlockReadBits: 320, stat.BurstsSaved: 1, stat.L1Misses: 2, latte.L1PhaseSectors: 3, latte.L1PhaseRoomSectors: 4}
	for c := latte.L1RatioLines; c <= latte.L1RatioBitsSC; c++ {
		counters[c] = 1
	}
	phases := &latte.Phases{Launches: [][policy.NumModes]uint64{{policy.Low: 1}}, Plan: []string{"low"}}
	phases.Tolerance[9] = 1
	account := &energy.Account{Joules: seconds, EDP: seconds, Parts: []energy.Part{{Name: "static", Femtojoules: 1}}}
	predicted := &rfvp.Report{LoadLanes: 2, ApproximateLanes: 1, Loads: []rfvp.LoadCounted{{Tally: rfvp.Tally{Misses: 1}}}}
	loss := 0.01
	counters[storage.LinkReads], counters[stat.ControllerReads], counters[stat.MetadataHits], counters[stat.MetadataAccesses] = 1, 4, 1, 2
	account.Parts = append(account.Parts, energy.Part{Name: "dramRead", Femtojoules: 1})
	memory := &buddy.Report{SizeBytes: 2, DeviceBytes: 1, Entries: &buddy.EntrySizes{Snapshots: []profile.Counts{{1, 7: 1}}}}
	var launches []experiment.LaunchResult
	for range 9 {
		launches = append(launches, experiment.LaunchResult{Blocks: 4, Linked: 1})
	}
	for _, codec := range []string{"bdi+fpc", "zvc", "mpc", "fibonacci"} {
		memory.Entries.Codecs = append(memory.Entries.Codecs, buddy.CodecSizes{Codec: codec, Counts: profile.Counts{1, 7: 1}})
	}
	return &experiment.Result{
		BackingReport: memory, Launches: launches,
		Seconds: seconds, Elements: &workload.Elements{Outputs: 1}, Scheme: j.Scenario.Scheme, Stats: counters.Values(), L1Report: phases, Energy: account, LoadsReport: predicted, Loss: &loss,
	}
}

func (Halves) Traffic(*claim.Job) *experiment.Traffic {
	t := &experiment.Traffic{Blocks: 2, EntropyRatio16: 4}
	for _, codec := range []string{"bdi", "fpc", "cpack", "e2mc4", "e2mc8", "e2mc16", "e2mc32"} {
		bytes := make([]uint64, 129)
		bytes[40] = 2
		t.Codecs = append(t.Codecs, experiment.TrafficCodec{Codec: codec, Bits: 640, Bytes: bytes})
	}
	return t
}

func ParseTree(text string) (*scenario.Value, error) {
	return authoring.ParseTree("figure.yaml", []byte(text))
}

func WriteTemp(t *testing.T, name string, content []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Small is a run of a fraction of a second.
func Small(rest ...string) []string {
	return append([]string{"run", "vecadd", "--set", "workload.size=16384", "--set", "machine.preset=mini"}, rest...)
}

func ReadText(t *testing.T, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// SweepArgs is a sweep of four short runs.
func SweepArgs(store string, more ...string) []string {
	return append([]string{"sweep", "vecadd", "--set", "machine.preset=mini", "--set", "workload.size=16384",
		"--vary", "memory.codec=none,bdi", "--vary", "memory.mag=32,64", "--set", "memory.approximation=none", "--store", store}, more...)
}

// Contents of a store, by name.
func Contents(t *testing.T, store string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(store, experiment.Version, "*"))
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a running sweep has renamed it since it was listed
		}
		if err != nil {
			t.Fatal(err)
		}
		m[filepath.Base(f)] = string(b)
	}
	return m
}

// names of the files in a folder.
func NamesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// PlanLine is the line of a plan that begins a command.
func PlanLine(t *testing.T, plan, with string) string {
	t.Helper()
	for line := range strings.Lines(plan) {
		if strings.HasPrefix(line, "  "+with+" ") {
			return strings.TrimSpace(line)
		}
	}
	t.Fatalf("no line with %s in\n%s", with, plan)
	return ""
}
