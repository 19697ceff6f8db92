package microbench

import (
	"github.com/burstscope/burstscope/core/workload"
)

const emptyKernel = `.visible .entry empty()
{
	ret;
}
`

// RowLaunches is the number of launches of the row of empty kernels; see Overhead.
const RowLaunches = 65

// LaunchName names the benchmarks of empty kernels. Their size is the number of launches;
// LaunchData is the variant of one CTA.
const (
	LaunchName = "launch"
	LaunchData = "1 CTA"
)

// launches measure empty kernels: one alone, a row of them, and one of many CTAs.
func launches() []*Benchmark {
	empty := func(name string, size int, data, doc string, count int, ctas, threads uint32) *Benchmark {
		b := &Benchmark{Name: name, Size: size, Data: data, Unit: "ns", Doc: doc}
		b.program = func() *workload.Program {
			p := &workload.Program{PTX: module(target, emptyKernel), Buffers: []workload.Buffer{{Name: "unused", Bytes: 8}}}
			for range count {
				p.Launches = append(p.Launches, workload.Launch{Entry: "empty", Grid: line(ctas), Block: line(threads)})
			}
			return p
		}
		b.figure = func(o Observation) Figure { return Figure{Value: o.Nanoseconds} }
		return b
	}
	const doc = "an empty kernel alone, and a row of them"
	list := []*Benchmark{
		empty(LaunchName, 1, LaunchData, doc, 1, 1, 32),
		empty(LaunchName, 2, LaunchData, doc, 2, 1, 32),
		empty(LaunchName, 9, LaunchData, doc, 9, 1, 32),
		empty(LaunchName, RowLaunches, LaunchData, doc, RowLaunches, 1, 32),
	}
	for _, ctas := range []uint32{132, 1056, 2112, 16896, 135168} {
		list = append(list, empty("launch.ctas", int(ctas), "256 threads", "an empty kernel of many CTAs: what it costs to start and end them", 1, ctas, 256))
	}
	const row = 17
	return append(list, empty("launch.row", row, "1056 CTAs of 256 threads", "a row of empty kernels of many CTAs", row, 1056, 256))
}
