package programs

import (
	"slices"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// pageViewCount is PVC: PageViewCount of the Mars suite.
var pageViewCount = definition{
	info: Info{
		Name: "pageviewcount", Title: "Page views counted",
		Doc: "Each line of a web server's log becomes a pair: the hash of its address and the position of the address. The pairs are sorted, " +
			"and equal pairs are counted (PVC of E2MC). Each thread reads one line byte by byte. Data `log`: 4096 addresses by Zipf's law, clients " +
			"from 256 networks; `suite`: 1024 addresses of one site, a client and a cookie, all at random, as the generator of Mars writes. Nothing is approximated.",
		Sizes: []int{1 << 12, 1 << 14, 1 << 16}, DefaultSize: 1 << 14, FullSize: 1 << 20, SizeLabel: "lines",
		DataModes: []string{"log", Suite},
	},
	aliases: []string{"pvc"},
	number:  15, file: "pageview", metric: workload.MetricMissRate,
	size:  sizeRule{min: 32, max: 1 << 20, step: 1, powerOfTwo: true},
	build: buildPageViewCount,
}

// pageViewRank is PVR: PageViewRank of the Mars suite.
var pageViewRank = definition{
	info: Info{
		Name: "pageviewrank", Title: "Pages ranked by views",
		Doc: "Each line holds an address and its count. The lines become pairs, which are sorted with the largest count first (PVR of E2MC). " +
			"Data `counts`: counts by Zipf's law, lines in random order; `suite`: 1024 addresses of one site and a random " +
			"count of 31 bits, as the generator of Mars writes. Nothing is approximated.",
		Sizes: []int{1 << 12, 1 << 14, 1 << 16}, DefaultSize: 1 << 14, FullSize: 1 << 20, SizeLabel: "lines",
		DataModes: []string{"counts", Suite},
	},
	aliases: []string{"pvr"},
	number:  16, file: "pageview", metric: workload.MetricMissRate,
	size:  sizeRule{min: 32, max: 1 << 20, step: 1, powerOfTwo: true},
	build: buildPageViewRank,
}

const (
	pageViewThreads   = 256
	pageViewAddresses = 4096
	pageViewNetworks  = 256
	pageViewMostViews = 1000000 // of the first page; the k-th has 1/k of it
)

func buildPageViewCount(r *request) ([]workload.Buffer, []workload.Launch) {
	rnd := r.rand(0)
	text, lines, mapper := []byte(nil), []int32(nil), "pageview_map_addresses"
	if r.data == Suite {
		text, lines = marsLines(&rnd, r.size, marsVisit)
		mapper = "pageview_map_visits"
	} else {
		text, lines = accessLog(&rnd, r.size)
	}
	buffers, launches := sortedPairs(r.size, text, lines, mapper)
	buffers = append(buffers, s32("d_views", r.size, nil).AsOutput())
	return buffers, append(launches, workload.Launch{
		Entry: "pageview_reduce", Grid: line(int(blocks(r.size, pageViewThreads))), Block: line(pageViewThreads),
		Args: []workload.Arg{workload.BufferArg(2), workload.BufferArg(3), workload.U32(uint32(r.size))},
	})
}

func buildPageViewRank(r *request) ([]workload.Buffer, []workload.Launch) {
	rnd := r.rand(0)
	if r.data == Suite {
		text, lines := marsLines(&rnd, r.size, marsRank)
		return sortedPairs(r.size, text, lines, "pageview_map_ranks")
	}
	text, lines := viewCounts(&rnd, r.size)
	return sortedPairs(r.size, text, lines, "pageview_map_counts")
}

// sortedPairs maps n lines to pairs and sorts them, with one launch for every pass, as in
// Mars. n is a power of two.
func sortedPairs(n int, text []byte, lines []int32, mapper string) ([]workload.Buffer, []workload.Launch) {
	buffers := []workload.Buffer{
		u8("d_text", len(text), text),
		s32("d_lines", n, lines),
		s32("d_pairs", 2*n, nil).AsOutput(),
	}
	launches := []workload.Launch{{
		Entry: mapper, Grid: line(int(blocks(n, pageViewThreads))), Block: line(pageViewThreads),
		Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.U32(uint32(n))},
	}}
	return buffers, append(launches, sortLaunches(n)...)
}

// sortLaunches sorts the n pairs of buffer 2, with one launch for every pass.
func sortLaunches(n int) (launches []workload.Launch) {
	threads := min(pageViewThreads, n/2)
	for run := 2; run <= n; run *= 2 {
		for distance := run / 2; distance > 0; distance /= 2 {
			launches = append(launches, workload.Launch{
				Entry: "pageview_sort", Grid: line(n / 2 / threads), Block: line(threads),
				Args: []workload.Arg{workload.BufferArg(2), workload.U32(uint32(distance)), workload.U32(uint32(run))},
			})
		}
	}
	return launches
}

// accessLog writes n lines: date, time, client, address.
func accessLog(rnd *sim.Rand, n int) (text []byte, lines []int32) {
	// cumulative[k] is the share of views of the first k+1 addresses.
	cumulative := make([]float64, pageViewAddresses)
	sum := 0.0
	for k := range cumulative {
		sum += 1 / float64(k+1)
		cumulative[k] = sum
	}
	order := shuffled(rnd, pageViewAddresses)
	var networks [pageViewNetworks][3]int
	for i := range networks {
		networks[i] = [3]int{1 + rnd.Intn(223), rnd.Intn(256), rnd.Intn(256)}
	}
	second := 0
	for range n {
		lines = append(lines, int32(len(text)))
		second += rnd.Intn(3)
		text = append(text, "2010-11-02 "...)
		text = decimal(text, second/3600%24, 2)
		text = append(text, ':')
		text = decimal(text, second/60%60, 2)
		text = append(text, ':')
		text = decimal(text, second%60, 2)
		text = append(text, ' ')
		for _, part := range networks[rnd.Intn(pageViewNetworks)] {
			text = append(decimal(text, part, 1), '.')
		}
		text = append(decimal(text, 1+rnd.Intn(254), 1), ' ')
		k, _ := slices.BinarySearch(cumulative, float64(rnd.Float64()*sum))
		text = append(address(text, order[min(k, pageViewAddresses-1)]), '\n')
	}
	return text, lines
}

// viewCounts writes n lines: address, count.
func viewCounts(rnd *sim.Rand, n int) (text []byte, lines []int32) {
	for i, k := range shuffled(rnd, n) {
		lines = append(lines, int32(len(text)))
		text = append(address(text, i), ' ')
		text = append(decimal(text, 1+pageViewMostViews/(k+1), 1), '\n')
	}
	return text, lines
}

// marsLines writes n lines as the generator of Mars does: one of 1024 addresses, a tab,
// and the rest.
func marsLines(rnd *sim.Rand, n int, rest func(text []byte, rnd *sim.Rand) []byte) (text []byte, lines []int32) {
	for range n {
		lines = append(lines, int32(len(text)))
		text = append(text, "http://www.abcdefg.com/"...)
		text = append(decimal(text, rnd.Intn(1024), 1), ".html\t"...)
		text = append(rest(text, rnd), '\n')
	}
	return text, lines
}

// marsVisit appends a client, a tab and a cookie below 1000.
func marsVisit(text []byte, rnd *sim.Rand) []byte {
	for _, end := range []byte("...\t") {
		text = append(decimal(text, rnd.Intn(256), 1), end)
	}
	return decimal(text, rnd.Intn(1000), 1)
}

// marsRank appends a count of 31 bits.
func marsRank(text []byte, rnd *sim.Rand) []byte {
	return decimal(text, int(rnd.Uint32()>>1), 1)
}

// shuffled returns the numbers below n in random order.
func shuffled(rnd *sim.Rand, n int) []int {
	v := make([]int, n)
	for i := range v {
		j := rnd.Intn(i + 1)
		v[i], v[j] = v[j], i
	}
	return v
}

// decimal appends v with at least the given digits.
func decimal(text []byte, v, digits int) []byte {
	first := len(text)
	for ; v > 0 || digits > 0; v, digits = v/10, digits-1 {
		text = append(text, byte('0'+v%10))
	}
	slices.Reverse(text[first:])
	return text
}

var syllables = [...]string{"ba", "co", "de", "fi", "ga", "ho", "ki", "lo", "ma", "ne", "po", "ra", "si", "to", "vu", "za"}

// address appends the i-th address: each site has 16 pages, names have two to four
// syllables.
func address(text []byte, i int) []byte {
	text = append(text, "http://www."...)
	for site := i/16 + 16; site > 0; site /= 16 {
		text = append(text, syllables[site%16]...)
	}
	text = append(text, ".com/"...)
	text = append(text, syllables[i%16]...)
	text = append(text, syllables[i/4%16]...)
	return append(text, ".html"...)
}
