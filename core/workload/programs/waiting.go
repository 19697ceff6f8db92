package programs

import "github.com/burstscope/burstscope/core/workload"

// The programs of waiting.cu, whose threads wait for each other [ours]. Their CTAs are few enough to be resident
// together on the presets, except on mini where a test says so.
const (
	waitingThreads = 256 // THREADS of waiting.cu
	waitingCTAs    = 12
	radixBins      = 16 // BINS
	radixPasses    = 8
)

var gridBarrier = definition{
	info: Info{
		Name: "gridbarrier", Title: "Grid barrier",
		Doc: "Smooths a ring of integers in 16 steps, in one cooperative launch: after each step, all threads of " +
			"the grid wait " +
			"for each other. Data `noise`: random numbers below 256; `wave`: slow waves.",
		Sizes: []int{1 << 12, 1 << 14, 1 << 16}, DefaultSize: 1 << 14, FullSize: 1 << 20, SizeLabel: "elements",
		DataModes: []string{"noise", "wave"},
	},
	number: 130, file: "waiting", metric: workload.MetricMissRate,
	size: sizeRule{min: 2, max: 1 << 20, step: 1}, build: buildGridBarrier,
}

const gridBarrierSteps = 16

// bufferArgs are arguments of buffers, and one after them.
func bufferArgs(last workload.Arg, buffers ...int) (args []workload.Arg) {
	for _, b := range buffers {
		args = append(args, workload.BufferArg(b))
	}
	return append(args, last)
}

func buildGridBarrier(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	buffers := []workload.Buffer{
		s32("ring", n, waitingInput(r, n)).AsOutput(), s32("other", n, nil), s32("arrived", 1, nil),
	}
	return buffers, []workload.Launch{{
		Entry: "grid_barrier", Grid: line(waitingCTAs), Block: line(waitingThreads), Cooperative: true,
		Args: append(bufferArgs(workload.U32(uint32(n)), 0, 1, 2), workload.U32(gridBarrierSteps)),
	}}
}

// waitingInput draws numbers below 256, or the waves of vecadd.
func waitingInput(r *request, n int) []int32 {
	rnd := r.rand(0)
	v := make([]int32, n)
	wave := profile(&rnd, n, 256, 4)
	for i := range v {
		if r.data == "wave" {
			v[i] = 128 + int32(127*wave[i])
		} else {
			v[i] = int32(rnd.Intn(256))
		}
	}
	return v
}

var streamK = definition{
	info: Info{
		Name: "streamk", Title: "Stream-K matrix product",
		Doc: "c = a b^T of square matrices of floats, whose steps are divided among 12 CTAs evenly (Osama et al., " +
			"Stream-K, PPoPP " +
			"2023). The CTA with the first step of a tile waits for CTAs with higher numbers. Data `whole`: whole " +
			"numbers from -8 to " +
			"7, so that sums are exact in any order.",
		Sizes: []int{64, 128, 256}, DefaultSize: 128, FullSize: 1024, SizeLabel: "rows and columns",
		DataModes: []string{"whole"},
	},
	number: 131, file: "waiting", metric: workload.MetricMRE,
	size: sizeRule{min: 16, max: 1024, step: 16}, build: buildStreamK,
}

func buildStreamK(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	matrix := func(array int) []float32 {
		rnd := r.rand(array)
		return generate(n*n, func(int) float32 { return float32(rnd.Intn(16)) - 8 })
	}
	buffers := []workload.Buffer{
		f32("a", n*n, matrix(0)).AsSafe(), f32("b", n*n, matrix(1)).AsSafe(), f32("c", n*n, nil).AsSafe().AsOutput(),
		f32("sums", waitingCTAs*waitingThreads, nil), s32("ready", waitingCTAs, nil),
	}
	return buffers, []workload.Launch{{
		Entry: "stream_k", Grid: line(waitingCTAs), Block: line(waitingThreads),
		Args: bufferArgs(workload.U32(uint32(n)), 0, 1, 2, 3, 4),
	}}
}

var workQueue = definition{
	info: Info{
		Name: "workqueue", Title: "Queue of work",
		Doc: "A persistent kernel: 12 CTAs take the nodes of a binary tree from a queue in device memory, compute " +
			"64 numbers for " +
			"each, and append its children. A CTA waits where no node stands in its place yet. Data `tree`: the " +
			"tree follows from " +
			"the number of nodes.",
		Sizes: []int{256, 1024, 4096}, DefaultSize: 1024, FullSize: 1 << 16, SizeLabel: "nodes",
		DataModes: []string{"tree"},
	},
	number: 132, file: "waiting", metric: workload.MetricMissRate,
	size: sizeRule{min: 1, max: 1 << 16, step: 1}, build: buildWorkQueue,
}

const workQueueThreads = 64

func buildWorkQueue(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	queue, salts, rnd := make([]int32, n), make([]int32, n), r.rand(0)
	queue[0] = 1
	for i := range salts {
		salts[i] = int32(rnd.Uint32())
	}
	buffers := []workload.Buffer{
		s32("queue", n, queue), s32("next", 2, []int32{0, 1}), s32("salts", n, salts),
		s32("out", n*workQueueThreads, nil).AsOutput(),
	}
	return buffers, []workload.Launch{{
		Entry: "work_queue", Grid: line(waitingCTAs), Block: line(workQueueThreads),
		Args: bufferArgs(workload.U32(uint32(n)), 0, 1, 2, 3),
	}}
}

var radixSort = definition{
	info: Info{
		Name: "radixsort", Title: "Radix sort",
		Doc: "Sorts keys of 32 bits in eight passes of four bits. In a pass, a CTA publishes how many keys of each " +
			"digit it has, " +
			"and looks back at the CTAs before it (Merrill and Garland, 2016). Data `uniform`: random keys; " +
			"`small`: keys below 65536.",
		Sizes: []int{1 << 12, 1 << 14, 1 << 16}, DefaultSize: 1 << 14, FullSize: 1 << 20, SizeLabel: "keys",
		DataModes: []string{"uniform", "small"},
	},
	number: 133, file: "waiting", metric: workload.MetricMissRate,
	size: sizeRule{min: 1, max: 1 << 20, step: 1}, build: buildRadixSort,
}

func buildRadixSort(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	tiles := int(blocks(n, waitingThreads))
	rnd := r.rand(0)
	keys := make([]int32, n)
	for i := range keys {
		keys[i] = int32(rnd.Uint32())
		if r.data == "small" {
			keys[i] &= 0xffff
		}
	}
	const states, starts, tickets = 2, 3, 4
	buffers := []workload.Buffer{
		s32("keys", n, keys).AsOutput(), s32("sorted", n, nil), s32("states", radixPasses*tiles*radixBins, nil),
		s32("starts", radixPasses*radixBins, nil), s32("tickets", radixPasses, nil),
	}
	var launches []workload.Launch
	for pass := range radixPasses {
		from, to := pass%2, 1-pass%2
		first := workload.BufferAt(starts, uint64(4*pass*radixBins))
		count, shift := workload.U32(uint32(n)), workload.U32(uint32(4*pass))
		launches = append(launches, workload.Launch{
			Entry: "radix_count", Grid: line(min(waitingCTAs, tiles)), Block: line(waitingThreads),
			Args: []workload.Arg{workload.BufferArg(from), first, count, shift},
		}, workload.Launch{
			Entry: "radix_pass", Grid: line(tiles), Block: line(waitingThreads),
			Args: []workload.Arg{workload.BufferArg(from), workload.BufferArg(to), first,
				workload.BufferAt(states, uint64(4*pass*tiles*radixBins)),
				workload.BufferAt(tickets, uint64(4*pass)), count, shift},
		})
	}
	return buffers, launches
}

var lockTable = definition{
	info: Info{
		Name: "locktable", Title: "Hash table with locks",
		Doc: "Puts keys into chains of a hash table, each bucket with a lock that lanes of a warp take one by one, " +
			"and then counts " +
			"how often each key is in the table. Data `uniform`: random keys, half as many different ones as there " +
			"are keys; `skewed`: " +
			"a quarter of the keys are the same.",
		Sizes: []int{1 << 10, 1 << 12, 1 << 14}, DefaultSize: 1 << 12, FullSize: 1 << 18, SizeLabel: "keys",
		DataModes: []string{"uniform", "skewed"},
	},
	number: 134, file: "waiting", metric: workload.MetricMissRate,
	size: sizeRule{min: 1, max: 1 << 18, step: 1}, build: buildLockTable,
}

func buildLockTable(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	buckets := n/4 + 1
	rnd := r.rand(0)
	keys := make([]int32, n)
	for i := range keys {
		keys[i] = int32(rnd.Intn(n/2 + 1))
		if r.data == "skewed" && rnd.Intn(4) == 0 {
			keys[i] = 7
		}
	}
	buffers := []workload.Buffer{
		s32("keys", n, keys), s32("locks", buckets, nil), s32("heads", buckets, nil), s32("nexts", n, nil),
		s32("sums", buckets, nil).AsOutput(), s32("found", n, nil).AsOutput(),
	}
	count, modulo := workload.U32(uint32(n)), workload.U32(uint32(buckets))
	grid, block := line(int(blocks(n, waitingThreads))), line(waitingThreads)
	return buffers, []workload.Launch{
		{Entry: "lock_insert", Grid: grid, Block: block, Args: append(bufferArgs(count, 0, 1, 2, 3, 4), modulo)},
		{Entry: "lock_find", Grid: grid, Block: block, Args: append(bufferArgs(count, 0, 2, 3, 5), modulo)},
	}
}
