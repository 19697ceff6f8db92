package programs

import (
	"slices"

	"github.com/burstscope/burstscope/core/workload"
)

func checkGridBarrier(_ *workload.Program, before, after [][]byte) error {
	a := readWords(before[0])
	for step := range gridBarrierSteps {
		b := make([]int32, len(a))
		for i := range a {
			b[i] = a[(i+len(a)-1)%len(a)] + 2*a[i] + a[(i+1)%len(a)] + int32(step)
		}
		a = b
	}
	return same("ring", readWords(after[0]), a)
}

// checkStreamK multiplies whole numbers, whose sums are exact.
func checkStreamK(p *workload.Program, before, after [][]byte) error {
	a, b := readFloats(before[0]), readFloats(before[1])
	n := int(p.Launches[0].Args[5].Bits)
	want := make([]int32, n*n)
	for i := range want {
		sum := 0.0
		for k := range n {
			sum += float64(a[i/n*n+k]) * float64(b[i%n*n+k])
		}
		want[i] = int32(sum)
	}
	var got []int32
	for _, v := range readFloats(after[2]) {
		got = append(got, int32(v))
	}
	return same("c", got, want)
}

func checkWorkQueue(p *workload.Program, before, after [][]byte) error {
	n, salts := uint32(p.Launches[0].Args[4].Bits), readWords(before[2])
	var want []int32
	for node := uint32(1); node <= n; node++ {
		for thread := range uint32(workQueueThreads) {
			v := node*64 + thread + uint32(salts[node-1])
			for range 4 + node%29 {
				v = v*1664525 + 1013904223
			}
			want = append(want, int32(v))
		}
	}
	return same("out", readWords(after[3]), want)
}

func checkRadixSort(_ *workload.Program, before, after [][]byte) error {
	want := readWords(before[0])
	slices.SortFunc(want, func(a, b int32) int {
		switch {
		case uint32(a) < uint32(b):
			return -1
		case uint32(a) > uint32(b):
			return 1
		}
		return 0
	})
	return same("keys", readWords(after[0]), want)
}

func checkLockTable(p *workload.Program, before, after [][]byte) error {
	buckets := uint32(p.Launches[0].Args[6].Bits)
	keys := readWords(before[0])
	sums, times, found := make([]int32, buckets), map[int32]int32{}, make([]int32, len(keys))
	for _, key := range keys {
		sums[uint32(key)*2654435761%buckets] += key
		times[key]++
	}
	for i, key := range keys {
		found[i] = times[key]
	}
	if err := same("sums", readWords(after[4]), sums); err != nil {
		return err
	}
	return same("found", readWords(after[5]), found)
}
