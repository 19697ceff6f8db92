package programs

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/workload"
)

// The programs of Buddy Compression need compilers, networks and data that cannot be had here. Each has a
// proxy [ours]: arrays whose entries compress as the paper describes or as such programs' data do,
// and sweeps that read and write them in the order of the program. One kernel serves all.
// What was tuned: the classes, until the ratio of eight sizes has the paper's means (2.51 and 1.85), and
// what the paper says of single programs. core/claim/BUDDY.md lists the claims that this decides.

// hpcProxy and dlProxy are the two groups of the paper; a data mode is a program.
var (
	hpcProxy = proxyDefinition("hpcproxy", "HPC programs (proxies)", 110, hpcProxies)
	dlProxy  = proxyDefinition("dlproxy", "Training of neural networks (proxies)", 111, dlProxies)
)

// proxy stands for one program.
type proxy struct {
	mode, paper, does string
	arrays            []proxyArray
	sweeps            []proxySweep
}

// proxyArray is an allocation.
type proxyArray struct {
	name   string
	share  int // of the memory, in percent
	mix    classes
	grain  uint // logarithm of the entries of a region, which are of one class; stripes
	churns bool // each step draws the classes of the entries that it writes anew
	empty  bool // zeros before the first write
}

// classes are up to four sizes of entries. The last takes what the limits leave.
type classes struct {
	bits   [4]uint32 // random bits of a word, noWord or noise
	limits [3]uint32 // of the classes, in 1/256
}

const (
	noWord  = 255 // words of zero
	noise   = 32  // words without a float's exponent
	stripes = 32  // grain: eight entries after each other have the classes
)

// The classes by the bytes of an entry under BPC: a word's random bits take a plane each.
const (
	bytes0, bytes8, bytes16, bytes32, bytes64, bytes80, bytes96, bytes128 = noWord, 0, 1, 5, 13, 17, 21, noise
)

// one is one class, and 1 entry in 256 of another.
func one(bits, rare uint32) classes {
	return classes{[4]uint32{bits, rare, rare, rare}, [3]uint32{255, 256, 256}}
}

// proxySweep is one kind of launch. Threads read four words of list and far taps times, and write four.
type proxySweep struct {
	list, far, out int
	taps           int
	entries        int // that the threads cover with four words each, in 1/1024 of the memory's
	apart          distance
	jump           int // share of far, in percent, within which a tap takes a random word; 0 = four words in order
	work           int // rounds of arithmetic
}

// distance is how far apart the taps of a thread are.
type distance uint8

const (
	next   distance = iota // as many elements as the launch has threads: one stretch of far
	spread                 // far in as many parts as there are taps
)

// proxySteps lie between the ten snapshots of a profile. Each is one launch; the sweeps take turns.
const proxySteps = 9

var hpcProxies = []proxy{
	{"palm", "351.palm", "weather stencil: sixteen planes at once", []proxyArray{
		{name: "wind", share: 50, mix: one(bytes64, bytes96), grain: 6},
		{name: "temperature", share: 25, mix: one(bytes80, bytes128), grain: 6},
		{name: "water", share: 25, mix: one(bytes0, bytes64), grain: 6},
	}, []proxySweep{{list: 2, far: 0, out: 1, taps: 16, entries: 36, apart: spread}}},
	{"ep", "352.ep", "random pairs and their counts: streams, half of the memory stays zero", []proxyArray{
		{name: "unused", share: 55, mix: one(bytes0, bytes0), grain: 6},
		{name: "counts", share: 28, mix: one(bytes16, bytes32), grain: 6},
		{name: "pairs", share: 17, mix: one(bytes128, bytes128), grain: 6},
	}, []proxySweep{{list: 1, far: 2, out: 1, taps: 6, entries: 90}, {list: 0, far: 0, out: 2, taps: 6, entries: 90}}},
	{"cg", "354.cg", "sparse matrix times vector: gathers of single words", []proxyArray{
		{name: "columns", share: 30, mix: one(bytes64, bytes80), grain: 4},
		{name: "values", share: 20, mix: one(bytes128, bytes128), grain: 4},
		{name: "vectors", share: 50, mix: one(bytes80, bytes96), grain: 6},
	}, []proxySweep{{list: 0, far: 2, out: 1, taps: 4, entries: 20, jump: 100}}},
	{"seismic", "355.seismic", "waves that spread over fields of zeros: a stencil on many planes", []proxyArray{
		{name: "velocity", share: 34, mix: one(bytes64, bytes80), grain: 6, empty: true},
		{name: "stress", share: 33, mix: one(bytes64, bytes80), grain: 6, empty: true},
		{name: "strain", share: 33, mix: one(bytes64, bytes80), grain: 6, empty: true},
	}, []proxySweep{
		{list: 1, far: 2, out: 0, taps: 6, entries: 116, apart: spread},
		{list: 2, far: 0, out: 1, taps: 6, entries: 116, apart: spread},
		{list: 0, far: 1, out: 2, taps: 6, entries: 116, apart: spread},
	}},
	{"sp", "356.sp", "line sweeps of a fluid solver (inferred: the text does not name it)", []proxyArray{
		{name: "fields", share: 70, mix: one(bytes64, bytes80), grain: 8},
		{name: "right", share: 22, mix: one(bytes80, bytes96), grain: 8},
		{name: "work", share: 8, mix: one(bytes128, bytes128), grain: 8},
	}, []proxySweep{{list: 1, far: 0, out: 1, taps: 6, entries: 90}, {list: 2, far: 1, out: 0, taps: 6, entries: 90}}},
	{"csp", "357.csp", "line sweeps of a fluid solver", []proxyArray{
		{name: "fields", share: 55, mix: one(bytes64, bytes80), grain: 8},
		{name: "masks", share: 28, mix: one(bytes16, bytes32), grain: 8},
		{name: "work", share: 17, mix: one(bytes128, bytes128), grain: 8},
	}, []proxySweep{{list: 1, far: 0, out: 2, taps: 6, entries: 90}, {list: 1, far: 2, out: 0, taps: 6, entries: 90}}},
	{"ilbdc", "360.ilbdc", "lattice Boltzmann: an index list, gathers of single words", []proxyArray{
		{name: "densities", share: 70, mix: one(bytes80, bytes96), grain: 6},
		{name: "neighbours", share: 30, mix: one(bytes64, bytes80), grain: 6},
	}, []proxySweep{{list: 1, far: 0, out: 1, taps: 5, entries: 16, apart: spread, jump: 20}}},
	{"bt", "370.bt", "small dense blocks: more arithmetic than traffic", []proxyArray{
		{name: "jacobians", share: 70, mix: classes{[4]uint32{bytes0, bytes64, bytes80, bytes80}, [3]uint32{192, 255, 256}}, grain: 3},
		{name: "fields", share: 30, mix: one(bytes64, bytes80), grain: 8},
	}, []proxySweep{{list: 1, far: 0, out: 1, taps: 3, entries: 80, work: 60}}},
	{"hpgmg", "FF_HPGMG", "multigrid on arrays of structures: stripes of eight entries", []proxyArray{
		{name: "level0", share: 80, mix: classes{[4]uint32{bytes0, bytes64, bytes80, bytes128}, [3]uint32{32, 128, 192}}, grain: stripes},
		{name: "level1", share: 20, mix: classes{[4]uint32{bytes0, bytes64, bytes80, bytes128}, [3]uint32{32, 128, 192}}, grain: stripes},
	}, []proxySweep{{list: 1, far: 0, out: 1, taps: 6, entries: 100}, {list: 0, far: 1, out: 0, taps: 5, entries: 100}}},
	{"lulesh", "FF_Lulesh", "shock hydrodynamics: few warps that follow lists of nodes", []proxyArray{
		{name: "unused", share: 22, mix: one(bytes0, bytes0), grain: 6},
		{name: "regions", share: 20, mix: one(bytes8, bytes16), grain: 6},
		{name: "nodes", share: 28, mix: one(bytes64, bytes80), grain: 6},
		{name: "elements", share: 16, mix: one(bytes80, bytes96), grain: 6},
		{name: "masses", share: 14, mix: one(bytes128, bytes128), grain: 6},
	}, []proxySweep{{list: 1, far: 2, out: 3, taps: 4, entries: 10, jump: 50}, {list: 1, far: 4, out: 2, taps: 4, entries: 10, jump: 50}}},
}

// The arrays of networks: dense weights, activations after ReLU, their gradients, and dense ones.
var (
	weights     = one(bytes128, bytes128)
	activations = classes{[4]uint32{bytes0, bytes16, bytes64, bytes128}, [3]uint32{90, 128, 236}}
	gradients   = classes{[4]uint32{bytes0, bytes64, bytes96, bytes128}, [3]uint32{77, 205, 236}}
	dense       = classes{[4]uint32{bytes64, bytes128, bytes128, bytes128}, [3]uint32{77, 256, 256}}
)

// network is the proxy of one network: shares of weights, activations, gradients and the fourth array.
func network(mode, paper, does string, shares [4]int, fourth proxyArray) proxy {
	fourth.share = shares[3]
	return proxy{mode, paper, does, []proxyArray{
		{name: "weights", share: shares[0], mix: weights, grain: 6},
		{name: "activations", share: shares[1], mix: activations, churns: true},
		{name: "gradients", share: shares[2], mix: gradients, churns: true},
		fourth,
	}, []proxySweep{
		{list: 3, far: 0, out: 1, taps: 6, entries: 100}, // forward
		{list: 1, far: 1, out: 2, taps: 6, entries: 100}, // backward
		{list: 2, far: 1, out: 0, taps: 2, entries: 100}, // update
	}}
}

var (
	denseArray = proxyArray{name: "inputs", mix: dense, churns: false}
	emptyArray = proxyArray{name: "workspace", mix: one(bytes0, bytes0), grain: 6}
	dlProxies  = []proxy{
		network("alexnet", "AlexNet", "weights of three dense layers", [4]int{60, 20, 12, 8}, denseArray),
		network("inceptionv2", "InceptionV2", "mostly activations", [4]int{5, 50, 30, 15}, denseArray),
		network("squeezenet", "SqueezeNet", "mostly activations", [4]int{4, 55, 25, 16}, denseArray),
		network("vgg16", "VGG16", "a workspace that stays zero", [4]int{20, 30, 25, 25}, emptyArray),
		network("resnet50", "ResNet50", "batch normalisation: many dense activations", [4]int{8, 30, 27, 35}, denseArray),
		network("biglstm", "BigLSTM", "weights of an embedding, whose gradients are mostly zero", [4]int{45, 15, 20, 20},
			proxyArray{name: "embedding", mix: classes{[4]uint32{bytes0, bytes128, bytes128, bytes128}, [3]uint32{205, 256, 256}}}),
	}
)

// proxyDefinition is a row of the table of workloads.
func proxyDefinition(name, title string, number uint64, list []proxy) definition {
	d := definition{
		info: Info{
			Name: name, Title: title, Sizes: []int{1, 4, 12, 48}, DefaultSize: 4, FullSize: 48, StudySize: 12, SizeLabel: "MB",
		},
		number: number, file: "proxy", metric: workload.MetricExact,
		size:  sizeRule{min: 1, max: 64, step: 1},
		build: func(r *request) ([]workload.Buffer, []workload.Launch) { return buildProxy(r, list) },
	}
	var doc strings.Builder
	doc.WriteString("Proxies of programs of Buddy Compression, not the programs: arrays that compress as theirs do, read and written in their order. The data are the program:")
	for i, p := range list {
		fmt.Fprintf(&doc, "%s`%s` (tuned to %s: %s)", map[bool]string{true: " ", false: ", "}[i == 0], p.mode, p.paper, p.does)
		d.info.DataModes = append(d.info.DataModes, p.mode)
	}
	doc.WriteString(".")
	d.info.Doc, d.info.TunedData = doc.String(), d.info.DataModes
	return d
}

// Proxy returns the program and the data mode that stand for a program of Buddy Compression.
func Proxy(paper string) (name, data string, ok bool) {
	for _, d := range []*definition{&hpcProxy, &dlProxy} {
		list := hpcProxies
		if d == &dlProxy {
			list = dlProxies
		}
		for _, p := range list {
			if p.paper == paper {
				return d.info.Name, p.mode, true
			}
		}
	}
	return "", "", false
}

func buildProxy(r *request, list []proxy) (buffers []workload.Buffer, launches []workload.Launch) {
	const threads, entryWords = 128, 32
	var p *proxy
	for i := range list {
		if list[i].mode == r.data {
			p = &list[i]
		}
	}
	entries := r.size << 20 / (4 * entryWords)
	words := make([]int, len(p.arrays))
	for i := range p.arrays {
		a := &p.arrays[i]
		words[i] = entries * a.share / 100 / 8 * 8 * entryWords
		b := workload.Buffer{Name: a.name, Bytes: 4 * uint64(words[i]), Element: workload.ElementU32}
		if !a.empty {
			rnd := r.rand(i)
			b.Init = make([]byte, b.Bytes)
			for w := range words[i] {
				putWord(b.Init, w, a.mix.word(uint32(w), rnd.Uint32(), a.grain, 0))
			}
		}
		for _, s := range p.sweeps {
			b.Output = b.Output || s.out == i
		}
		buffers = append(buffers, b)
	}
	for step := range proxySteps {
		s := &p.sweeps[step%len(p.sweeps)]
		a := &p.arrays[s.out]
		entry, per := "stream", 4 // words of an element of far
		if s.jump > 0 {
			entry, per = "gather", 1
		}
		count := max(1, entries*s.entries/1024*entryWords/4/threads) * threads
		far, out := words[s.far]/per, words[s.out]/4
		count = min(count, out/threads*threads)
		// Stretches of far that a step has read are not read by the next.
		stride, first := count, step*count*s.taps
		if s.apart == spread {
			stride, first = far/s.taps, step/len(p.sweeps)*count
		}
		epoch := 0
		if a.churns {
			epoch = (step + 1) << 20
		}
		l := over(entry, count, threads, args{s.list, s.far, s.out}, words[s.list]/4, far, out,
			first, s.taps, stride, far*s.jump/100, s.work, int(a.mix.shares(a.grain)), int(a.mix.packed()), epoch)
		launches = append(launches, l)
	}
	return buffers, launches
}

func putWord(b []byte, at int, v uint32) {
	b[4*at], b[4*at+1], b[4*at+2], b[4*at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

// shares and packed are the kernel's parameters of these names. A limit of 256 is never reached by
// a byte; the class above it equals the one below.
func (m *classes) shares(grain uint) uint32 {
	s := uint32(grain) << 24
	for k, limit := range m.limits {
		s |= min(limit, 255) << (8 * k)
	}
	return s
}

func (m *classes) packed() (b uint32) {
	for k, bits := range m.bits {
		b |= bits << (8 * k)
	}
	return b
}

// word is a word of an array as the kernel writes it from a random number.
func (m *classes) word(at, x uint32, grain uint, epoch uint32) uint32 {
	entry := at / 32
	u := entry << 5 & 255
	if grain != stripes {
		u = proxyMixed(entry>>grain+epoch) & 255
	}
	k := 0
	for _, limit := range m.limits {
		if u >= min(limit, 255) {
			k++
		}
	}
	switch b := m.bits[k]; {
	case b == noWord:
		return 0
	case b > 23:
		return x
	default:
		return 0x3f800000 | x>>9&(^uint32(0)<<(23-b))
	}
}

// proxyMixed spreads the bits of a number (the constants are those of a search by Ettinger for low bias:
// hash prospector, lowbias32).
func proxyMixed(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}
