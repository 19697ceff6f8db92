package machine

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/tools/golden"
)

// chase follows pointers from the word at p: first warm times, then n times, and
// stores how many cycles the second part took.
const chaseSource = `.version 7.0
.target sm_50
.address_size 64
.visible .entry chase(.param .u64 p, .param .u64 out, .param .u32 warm, .param .u32 n)
{
	.reg .u64 %p, %o;
	.reg .u32 %n, %begin, %end, %i;
	.reg .pred %q;
	ld.param.u64 %p, [p];
	ld.param.u64 %o, [out];
	ld.param.u32 %n, [warm];
	mov.u32 %i, 0;
WARM:
	ld.global.u64 %p, [%p];
	add.u32 %i, %i, 1;
	setp.lt.u32 %q, %i, %n;
	@%q bra WARM;
	ld.param.u32 %n, [n];
	setp.eq.u64 %q, %p, 0;
	@%q bra END;
	mov.u32 %begin, %clock;
	mov.u32 %i, 0;
LOOP:
	ld.global.u64 %p, [%p];
	add.u32 %i, %i, 1;
	setp.lt.u32 %q, %i, %n;
	@%q bra LOOP;
	setp.eq.u64 %q, %p, 0;
	@%q bra END;
	mov.u32 %end, %clock;
	sub.u32 %end, %end, %begin;
	st.global.u32 [%o], %end;
END:
	ret;
}
`

// chase returns the cycles of n dependent loads of one warp after warm ones, in a
// ring of the given number of words that lie strideBytes apart.
func chase(t *testing.T, spec *parameter.GPU, words int, strideBytes uint64, warm, n uint32) uint32 {
	t.Helper()
	module, err := compile.Load("chase.ptx", []byte(chaseSource))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "chase", nil)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<31)
	if err != nil {
		t.Fatal(err)
	}
	ring, err := image.Alloc("ring", uint64(words)*strideBytes)
	if err != nil {
		t.Fatal(err)
	}
	base := ring.Base
	for i := range uint64(words) {
		image.Write(base+i*strideBytes, binary.LittleEndian.AppendUint64(nil, base+(i+1)%uint64(words)*strideBytes))
	}
	out, err := image.Alloc("out", 4)
	if err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(nil, base)
	params = binary.LittleEndian.AppendUint64(params, out.Base)
	params = binary.LittleEndian.AppendUint32(params, warm)
	params = binary.LittleEndian.AppendUint32(params, n)
	m, err := New(spec, Job{
		Launches: []*ptx.Launch{{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params}},
		Image:    image, Scheme: codec.NewRaw(32),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	var b [4]byte
	m.Read(out.Base, b[:])
	return binary.LittleEndian.Uint32(b[:])
}

// TestUnloadedLatencies: one warp, one load at a time. From load to use, a hit in
// L1 takes the cycle of issue and L1's latency; one in L2 the way past L1, those
// there and back, the pipeline in front of L2, the reply's further flits and two
// cycles for issue and for L2.
func TestUnloadedLatencies(t *testing.T) {
	t.Parallel()
	recorded := recordedLatencies(t)
	var rows, ofDRAM [][]string
	for _, name := range presets() {
		spec, err := preset.GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		per := func(words int, stride uint64, warm, few, many uint32) float64 {
			return float64(chase(t, spec, words, stride, warm, many)-chase(t, spec, words, stride, warm, few)) / float64(many-few)
		}
		flits := int(mem.Flits(mem.LineBytes, spec.L2.FlitBytes))
		if spec.SM.L1.Sectored {
			flits = int(mem.Flits(mem.SectorBytes, spec.L2.FlitBytes))
		}
		clock := spec.XbarClock()
		further := (flits - 1) * int(clock.Den) / int(clock.Num) // core cycles for the reply's flits after the first
		l1 := per(32, mem.LineBytes, 32, 32, 288)
		sums := parameter.UnloadedLatencies(spec)
		if want := max(1+spec.SM.L1.LatencyCycles, chaseLoopCycles(spec)); l1 != float64(want) {
			t.Errorf("%s: a hit in L1 takes %.3f cycles, want %d", name, l1, want)
		}
		lines := min(spec.L2Bytes()/2, 4*spec.SM.L1.Bytes()) / mem.LineBytes
		if spec.SM.L1.Bytes() >= lines*mem.LineBytes {
			t.Fatalf("%s: L1 holds the ring that L2 should", name)
		}
		l2 := per(lines, mem.LineBytes, uint32(lines), 32, 288)
		if want := 2 + spec.SM.L1.PassCycles + spec.RequestLatencyCycles + spec.L2LatencyCycles + spec.ReplyLatencyCycles + further; l2 != float64(want) {
			t.Errorf("%s: a hit in L2 takes %.3f cycles, want %d", name, l2, want)
		}
		if l1 != float64(max(sums[0].Cycles, chaseLoopCycles(spec))) || l2 != float64(sums[2].Cycles) {
			t.Errorf("%s: described are %d and %d cycles", name, sums[0].Cycles, sums[2].Cycles)
		}
		row := per(2048, uint64(spec.Slices())*256, 1, 16, 272)
		conflict := per(66, uint64(spec.Slices())*65536, 1, 1, 64)
		shared := float64(spent(t, withoutFetches(spec), ".shared .align 4 .b8 buf[4];\nmov.u32 %r, buf;\nst.shared.u32 [buf], %r;\n", "ld.shared.u32 %r, [%r];\n", 10)) / 10
		rows = append(rows, []string{name, fmt.Sprintf("%.0f", l1), fmt.Sprintf("%.0f", shared), fmt.Sprintf("%.0f", l2)})
		if name == "gtx480v3" {
			for level, theirs := range map[float64]float64{l1: 22.992, l2: 133, row: 249.477, conflict: 267} {
				if math.Abs(level/theirs-1) > 0.002 {
					t.Errorf("%.3f cycles, GPGPU-Sim 3.2.1 %.3f", level, theirs)
				}
			}
			golden.Words(t, validation, fmt.Sprintf("%.1f cycles for a row hit and %.1f for a row conflict", row, conflict))
		}
		if name == "gtx480" {
			for _, l := range []struct {
				level     string
				ours      float64
				tolerance float64 // per cent: the largest difference seen is 1.31
			}{{"L1 hit", l1, 0}, {"shared memory", shared, 0}, {"L2 hit", l2, 0}, {"DRAM row hit (15 of 16)", row, 1.35}, {"DRAM row conflict", conflict, 1.35}} {
				theirs := recorded[l.level]
				off := 100 * (l.ours/theirs - 1)
				if math.Abs(off) > l.tolerance {
					t.Errorf("%s: %.3f cycles, GPGPU-Sim %.3f", l.level, l.ours, theirs)
				}
				if l.tolerance > 0 {
					ofDRAM = append(ofDRAM, []string{l.level, fmt.Sprintf("%.1f", l.ours), fmt.Sprintf("%.1f", theirs), fmt.Sprintf("%+.1f %%", off)})
				}
			}
		}
		t.Logf("%s: L1 %.3f, L2 %.3f, DRAM row hit %.3f, conflict %.3f", name, l1, l2, row, conflict)
	}
	golden.Table(t, validation, "latencies", []string{"preset", "L1", "shared", "L2", "source"}, rows)
	golden.Table(t, validation, "DRAM latencies", []string{"gtx480", "here", "GPGPU-Sim", "difference"}, ofDRAM)
}

// chaseLoopCycles is the time of a round of the chase without its load: an addition, a
// comparison that depends on it, and a branch that depends on that, with its fetch.
func chaseLoopCycles(s *parameter.GPU) int {
	add := int(s.SM.Timing[ptx.ClassIntAdd].LatencyCycles) + s.SM.PipelineCycles
	compare := add
	return add + compare + s.SM.Fetch.LatencyCycles + 3
}

// recordedLatencies are those that GPGPU-Sim has, by level, at 32-byte atoms.
func recordedLatencies(t *testing.T) map[string]float64 {
	t.Helper()
	rows := recordedRows(t, recordings, "latencies.csv")
	cycles := map[string]float64{}
	for _, row := range rows[1:] {
		if row[0] == "a32" {
			v, err := strconv.ParseFloat(row[3], 64)
			if err != nil {
				t.Fatal(err)
			}
			cycles[row[1]] = v
		}
	}
	return cycles
}
