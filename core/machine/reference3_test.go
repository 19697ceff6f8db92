package machine

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/tools/golden"
)

// recorded3 are the runs of GPGPU-Sim 3.2.1, by kernel and variant.
func recorded3(t *testing.T) map[string]map[string]uint64 {
	t.Helper()
	rows := recordedRows(t, "testdata/gpgpusim3", "runs.csv")
	runs := map[string]map[string]uint64{}
	for _, row := range rows[1:] {
		run := map[string]uint64{}
		for i, column := range rows[0] {
			run[column], _ = strconv.ParseUint(row[i], 10, 64)
		}
		runs[row[0]+" "+row[1]] = run
	}
	return runs
}

// machine3 builds a variant of gtx480v3 for a recorded launch.
func machine3(t *testing.T, variant string, l *launchOf) *Machine {
	t.Helper()
	spec := built("gtx480v3")
	set := func(path, value string) {
		if f := spec.Values().Find(path).Set(value); f != nil {
			t.Fatal(path, f.Message)
		}
	}
	switch variant {
	case "g3x8":
		set("dramMHz", "7392")
	case "g3x162":
		for path, value := range map[string]string{"dramMHz": "1497", "dram.rrd": "10", "dram.rcd": "19", "dram.ras": "45", "dram.rp": "19", "dram.rc": "65", "dram.cl": "19", "dram.wl": "6", "dram.cdlr": "8", "dram.wr": "19", "dram.rtp": "3"} {
			set(path, value)
		}
	}
	src, err := os.ReadFile(filepath.Join(recordings, l.PTX))
	if err != nil {
		t.Fatal(err)
	}
	return machineWith(t, spec, 64, src, l, l.Registers)
}

// The largest differences seen from GPGPU-Sim 3.2.1, in per cent, and a little more: 4.2
// of cycles (vecadd), 2.1 in the mean, 1.0 of flits (stencil5), 7.8 of the bytes written where
// they are few (matmul); and two lines read.
const (
	worstCycles3    = 4.5
	worstMean3      = 2.3
	worstFlits3     = 1.1
	worstWritten3   = 8
	worstReadBytes3 = 256
)

// TestRecordedKernels3 compares gtx480v3 with the kernels that GPGPU-Sim 3.2.1 ran, at
// three clocks of DRAM.
func TestRecordedKernels3(t *testing.T) {
	launches, recorded := recordedLaunches(t), recorded3(t)
	names := []string{"vecadd", "saxpy_s2", "transpose_tiled", "matmul_tiled", "stencil5", "reduce", "stream", "l2stream", "empty_g1", "empty_g1024"}
	if testing.Short() {
		names = []string{"transpose_tiled", "empty_g1024"}
	}
	sum, n := 0.0, 0
	var rows [][]string
	for _, name := range names {
		l := launches[name]
		for _, v := range []string{"g3", "g3x162", "g3x8"} {
			want, ok := recorded[name+" "+v]
			if !ok {
				continue
			}
			m := machine3(t, v, &l)
			if err := m.Run(); err != nil {
				t.Fatal(err)
			}
			s := m.Stats()
			off := difference(m.Cycles(), want["cycles"])
			sum, n = sum+math.Abs(off), n+1
			rows = append(rows, []string{name, clocks3[v], thousands(m.Cycles()), thousands(want["cycles"]), fmt.Sprintf("%+.1f %%", off),
				thousands(s[stat.DRAMReadBytes]), thousands(want["dramReadBytes"]), thousands(s[stat.DRAMWriteBytes]), thousands(want["dramWriteBytes"])})
			if math.Abs(off) > worstCycles3 {
				t.Errorf("%s, %s: %d cycles, GPGPU-Sim %d", name, v, m.Cycles(), want["cycles"])
			}
			if s[stat.WarpInstructions] != want["warpInstructions"] || math.Abs(difference(s[stat.XbarRequestFlits], want["requestFlits"])) > worstFlits3 || math.Abs(difference(s[stat.XbarReplyFlits], want["replyFlits"])) > worstFlits3 {
				t.Errorf("%s, %s: %d warp instructions, %d and %d flits, GPGPU-Sim %d, %d and %d", name, v, s[stat.WarpInstructions], s[stat.XbarRequestFlits], s[stat.XbarReplyFlits],
					want["warpInstructions"], want["requestFlits"], want["replyFlits"])
			}
			if d := int(s[stat.DRAMReadBytes]) - int(want["dramReadBytes"]); d < -worstReadBytes3 || d > worstReadBytes3 {
				t.Errorf("%s, %s: %d bytes read, GPGPU-Sim %d", name, v, s[stat.DRAMReadBytes], want["dramReadBytes"])
			}
			if w := want["dramWriteBytes"]; w != s[stat.DRAMWriteBytes] && math.Abs(difference(s[stat.DRAMWriteBytes], w)) > worstWritten3 {
				t.Errorf("%s, %s: %d bytes written, GPGPU-Sim %d", name, v, s[stat.DRAMWriteBytes], w)
			}
		}
	}
	golden.Table(t, validation, "kernels of 3.2.1", []string{"kernel", "DRAM", "cycles", "3.2.1", "difference", "bytes read", "3.2.1",
		"bytes written", "3.2.1"}, rows)
	if testing.Short() {
		return
	}
	golden.Words(t, validation, fmt.Sprintf("%.1f %% in the mean of these %d runs", sum/float64(n), n))
	if sum/float64(n) > worstMean3 {
		t.Errorf("mean error %.2f %%", sum/float64(n))
	}
}

// clocks3 names the DRAM of the variants.
var clocks3 = map[string]string{"g3": "924 MHz", "g3x162": "1,497 MHz, same times", "g3x8": "7,392 MHz"}
