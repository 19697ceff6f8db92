package programs

import "github.com/burstscope/burstscope/core/workload"

// scan is SCAN: the scan sample of the CUDA SDK.
var scan = definition{
	info: Info{
		Name: "scan", Title: "Prefix sum",
		Doc: "The exclusive prefix sum of integers: first of 1024 elements per CTA in shared memory, then of the sums of the CTAs, which are " +
			"then added to all elements (SCAN of E2MC). Data `runs`: flags of elements to keep, in runs of 20 on average, 3 of 10 set; their prefix " +
			"sums are the positions in a compacted array. `flags`: as many flags, independent of one another; `bytes`: random numbers below 256; `suite`: random numbers " +
			"of 31 bits, as in the SDK. E2MC scans flags.",
		Sizes: []int{1 << 14, 1 << 18, 1 << 20, 1 << 22}, DefaultSize: 1 << 20, FullSize: 1 << 24, SizeLabel: "elements",
		DataModes: []string{"runs", "flags", "bytes", Suite},
	},
	number: 14, file: "scan", metric: workload.MetricMissRate,
	size:  sizeRule{min: 4, max: 1 << 24, step: 4},
	build: buildScan,
}

const (
	scanThreads = 256 // THREADS of scan.cu
	scanCTA     = 4 * scanThreads
)

func buildScan(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	buffers := []workload.Buffer{
		s32("d_Input", n, scanInput(r, n)),
		s32("d_Output", n, nil).AsOutput(),
	}
	// Each level scans the sums of the previous level; the last level has one CTA.
	var launches, updates []workload.Launch
	in, out := 0, 1
	for {
		ctas := int(blocks(n, scanCTA))
		sums := len(buffers)
		padded := roundUp(ctas, 4) // the next level reads groups of four
		buffers = append(buffers, s32("d_Sums", padded, nil))
		launches = append(launches, workload.Launch{
			Entry: "scan_exclusive", Grid: line(ctas), Block: line(scanThreads),
			Args: []workload.Arg{workload.BufferArg(out), workload.BufferArg(in), workload.BufferArg(sums), workload.U32(uint32(n))},
		})
		if ctas == 1 {
			break
		}
		scanned := len(buffers)
		buffers = append(buffers, s32("d_ScannedSums", padded, nil))
		updates = append(updates, workload.Launch{
			Entry: "scan_update", Grid: line(ctas), Block: line(scanThreads),
			Args: []workload.Arg{workload.BufferArg(out), workload.BufferArg(scanned), workload.U32(uint32(n))},
		})
		in, out, n = sums, scanned, padded
	}
	for i := len(updates) - 1; i >= 0; i-- {
		launches = append(launches, updates[i])
	}
	return buffers, launches
}

// scanInput draws flags, 3 of 10 of which are set, or bytes. Runs have 12 ones or 28 zeros
// on average: 3 of 10 flags are set, and the mean over both kinds is 20.
func scanInput(r *request, n int) []int32 {
	rnd := r.rand(0)
	v := make([]int32, n)
	const onesRun, zerosRun = 12, 28
	var flag int32
	for i := range v {
		switch r.data {
		case "bytes":
			v[i] = int32(rnd.Intn(256))
		case Suite:
			v[i] = int32(rnd.Uint32() >> 1)
		case "flags":
			if rnd.Intn(10) < 3 {
				v[i] = 1
			}
		default:
			run := zerosRun
			if flag == 1 {
				run = onesRun
			}
			if rnd.Intn(run) == 0 {
				flag = 1 - flag
			}
			v[i] = flag
		}
	}
	return v
}
