package fit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// words returns n entries whose words have a number of random bits; every tenth entry is noise.
func words(seed uint64, n, bits int) []byte {
	rnd := sim.NewRand(seed, 1)
	b := make([]byte, 0, n*mem.LineBytes)
	for entry := range n {
		for range mem.LineBytes / 4 {
			v := uint32(rnd.Uint64())
			if entry%10 != 9 {
				v &= 1<<bits - 1
			}
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	return b
}

// model returns a safetensors file of arrays a, b, ...
func model(arrays ...[]byte) []byte {
	var header, data strings.Builder
	for i, a := range arrays {
		fmt.Fprintf(&header, `,"%c":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}`, 'a'+i, len(a), data.Len(),
			data.Len()+len(a))
		data.Write(a)
	}
	text := "{" + header.String()[1:] + "}"
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(b, text...), data.String()...)
}

func read(t *testing.T, file []byte, sampleBytes int64) *Data {
	t.Helper()
	d := NewData(Settings{ThresholdPercent: 30, SampleBytes: sampleBytes})
	add(t, d, bytes.NewReader(file), int64(len(file)))
	return d
}

func add(t *testing.T, d *Data, r io.ReaderAt, size int64) {
	t.Helper()
	f, err := datafile.Open(r, size, datafile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Add(f, func(int) error { return nil }); err != nil {
		t.Fatal(err)
	}
}

func report(t *testing.T, d *Data) *profile.Report {
	t.Helper()
	r, err := d.Report()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The formula against a count of every sector of every entry.
func TestAnswerAgainstEveryEntry(t *testing.T) {
	arrays := [][]byte{words(1, 900, 3), words(2, 700, 12), words(3, 800, 32), make([]byte, 300*mem.LineBytes)}
	d := read(t, model(arrays...), 0)
	r := report(t, d)
	g := FindGPU("p100")
	for _, row := range d.Answer(g, r, 0).Rows {
		var ideal, overlapped, apart float64
		for i, a := range arrays {
			keep := map[string]int{"1": 4, "4/3": 3, "2": 2, "4": 1}[r.Allocations[i].Target]
			if r.Allocations[i].Target == "16" {
				keep = -1
			}
			dram, link := 0, 0
			for ; len(a) > 0; a = a[mem.LineBytes:] {
				line := mem.Line(a[:mem.LineBytes])
				sectors := (bpc.Codec{}.SizeBits(&line) + 255) / 256
				if line == (mem.Line{}) {
					sectors = 0
				}
				far := max(0, sectors-keep)
				if keep < 0 { // 16x: a sector of device memory, and the code behind the link
					dram, far = dram+32*min(sectors, 1), sectors
				} else {
					dram += 32 * min(sectors, keep)
				}
				if far > 0 {
					link += 32*far + row.Link.HeaderBytes
				}
			}
			n := len(arrays[i]) / mem.LineBytes
			local := (float64(dram) + float64(n)/2) / g.BytesPerSecond
			slow := float64(link) / (float64(row.Link.MBPerSecond) * 1e6)
			whole := float64(128*n) / (32 * 32 * 1.3e9) // 32 slices with 32 bytes a clock of 1.3 GHz
			ideal += float64(128*n) / g.BytesPerSecond
			overlapped += max(local, slow, whole)
			apart += max(local+slow, whole)
		}
		if math.Abs(row.Slowdown-overlapped/ideal) > 1e-9 || math.Abs(row.Apart-apart/ideal) > 1e-9 || row.Plain != 1 {
			t.Errorf("%s: %v, %v, %v, want %v, %v, 1", row.Link.Name, row.Slowdown, row.Apart, row.Plain, overlapped/ideal,
				apart/ideal)
		}
	}
}

// Data in proportion: a whole beyond the memory fits only compressed, or not at all, and its part without
// room crosses the link.
func TestWhatFits(t *testing.T) {
	d := read(t, model(words(1, 4000, 3)), 0) // 4x: a tenth of the entries need the link
	r, g := report(t, d), FindGPU("v100")
	for gb, want := range map[uint64][2]bool{20: {true, true}, 34: {true, true}, 35: {false, true}, 130: {false, true},
		136: {false, false}, 500: {false, false}} {
		a := d.Answer(g, r, gb*1e9)
		if [2]bool{a.FitsPlain, a.Fits} != want {
			t.Errorf("%d GB: fits plain %v, compressed %v (%d bytes)", gb, a.FitsPlain, a.Fits, a.NeedBytes)
		}
		out := max(0, 1-float64(g.MemoryBytes)/float64(gb*1e9))
		for _, row := range a.Rows {
			slower := g.BytesPerSecond / (1e6 * float64(row.Link.MBPerSecond))
			linked := out * (128 + float64(row.Link.HeaderBytes)) / 128 * slower
			if want := max(1-out, linked); math.Abs(row.Plain-want) > 1e-9 {
				t.Errorf("%d GB, %s: %v without compression, want %v", gb, row.Link.Name, row.Plain, want)
			}
		}
	}
	a := d.Answer(g, r, 0)
	if a.WholeBytes != 4000*128 || a.NeedBytes != 4000*32+2000 {
		t.Errorf("%d bytes need %d", a.WholeBytes, a.NeedBytes)
	}
	a.Only("pcie5")
	if len(a.Rows) != 1 || a.Rows[0].Link.Name != "pcie5" {
		t.Errorf("%v", a.Rows)
	}
}

// Every link and GPU names its sources, and the bandwidth of no link is below that of the one before.
func TestValuesHaveSources(t *testing.T) {
	last := 0
	for _, l := range Links() {
		if l.BandwidthSource == "" || l.HeaderSource == "" || l.MBPerSecond < last || FindLink(l.Name) == nil ||
			l.Channels < 1 {
			t.Errorf("%+v", l)
		}
		last = l.MBPerSecond
	}
	for _, name := range GPUNames() {
		g := FindGPU(name)
		if g == nil || g.MemorySource == "" || g.ClockSource == "" || g.MemoryBytes < 16<<30 || g.BytesPerSecond < 8e11 {
			t.Errorf("%s: %+v", name, g)
		}
	}
	if FindGPU("gtx480") != nil || FindLink("") != nil {
		t.Error("an unknown name has a row")
	}
}

// A sample takes all parts of the data alike, in whole chunks, and is bounded whatever the arrays are.
func TestSampleIsEven(t *testing.T) {
	const entries, wanted = 64 * 1000, 64 * 100
	s := NewSample(entries, wanted)
	lines := make([]mem.Line, 64*250)
	for array := range 4 {
		for i := range lines {
			binary.LittleEndian.PutUint32(lines[i][:], uint32(i))
		}
		s.Add(array, lines[:100])
		s.Add(array, lines[100:])
	}
	count := map[int32]int{}
	for i, of := range s.Of {
		count[of]++
		if at := binary.LittleEndian.Uint32(s.Lines[i][:]); i%64 > 0 && at != binary.LittleEndian.Uint32(s.Lines[i-1][:])+1 {
			t.Fatalf("entry %d follows another", at)
		}
	}
	if len(s.Lines) != wanted || count[0] != wanted/4 || count[3] != wanted/4 {
		t.Errorf("%d entries, %v", len(s.Lines), count)
	}
	if h := s.half(); len(h.Lines) != wanted/2 || h.Lines[64] != s.Lines[128] {
		t.Errorf("half has %d entries", len(h.Lines))
	}
	none := NewSample(entries, 0)
	if none.Add(0, lines); len(none.Lines) > 0 {
		t.Errorf("a sample of nothing has %d entries", len(none.Lines))
	}
	// Arrays of one entry, and every k-th large: the count of chunks misleads.
	s = NewSample(1<<20, 1024)
	for array := range 1 << 14 {
		n := 1
		if array%1024 == 0 {
			n = 64
		}
		s.Add(array, lines[:n])
	}
	if len(s.Lines) > 2048+64 {
		t.Errorf("%d entries of a sample of 1024", len(s.Lines))
	}
}

// scattered is words with the entries of noise at random places, so that all channels of a link carry some.
func scattered(seed uint64, n, bits int) []byte {
	b, noise := words(seed, n, 32), words(seed+9, n, 32)
	rnd := sim.NewRand(seed, 5)
	for entry := range n {
		if rnd.Intn(10) == 0 {
			copy(b[entry*mem.LineBytes:][:mem.LineBytes], noise[entry*mem.LineBytes:])
			continue
		}
		for i := entry * mem.LineBytes; i < (entry+1)*mem.LineBytes; i += 4 {
			binary.LittleEndian.PutUint32(b[i:], binary.LittleEndian.Uint32(b[i:])&(1<<bits-1))
		}
	}
	return b
}

// What holds up a read on P100: it has the bandwidth of the formula neither of DRAM, because its addresses are
// not hashed, nor from L2 to the SMs, because the inputs of its crossbars are queues. With a hash of the addresses
// and four times the crossbar the simulator agrees with DRAM and link alone.
func TestP100IsBoundByItsCrossbar(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	const tolerance = 0.07
	d := read(t, model(scattered(1, 32000, 3), scattered(2, 32000, 3)), 8<<20)
	r := report(t, d)
	slowdown := func(link string, overrides scenario.Overrides) (v float64) {
		st, err := newStream("p100", overrides, d.sample(), r)
		for v == 0 && err == nil {
			v, err = st.Step(FindLink(link), 1<<14)
		}
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	wide := scenario.Overrides{"addressHash": "both", "xbarMHz": int64(5200), "xbar.inputQueues": "voq"}
	free := FindGPU("p100")
	bound := *free
	free.L2BytesPerSecond *= 4
	for _, link := range []string{"pcie5", "nvlink2"} {
		a, b := d.Answer(free, r, 0), d.Answer(&bound, r, 0)
		a.Only(link)
		b.Only(link)
		if got, want := slowdown(link, wide), a.Rows[0].Slowdown; math.Abs(got/want-1) > tolerance {
			t.Errorf("%s: with a hash and a wide crossbar %v, DRAM and link alone give %v", link, got, want)
		}
		if got := b.Rows[0].Slowdown; link == "nvlink2" && (got < 1.05*a.Rows[0].Slowdown || slowdown(link, nil) < got) {
			t.Errorf("%s: %v with the crossbar of P100, which the simulator does not exceed", link, got)
		}
	}
}

// p100b keeps up with its DRAM: a read of 32 MB, from the first cycle to the last, has nine tenths of the peak. On
// p100, with the addresses and the crossbar of GPGPU-Sim's P100, it has less.
func TestP100bReachesItsDRAM(t *testing.T) {
	if testing.Short() {
		t.Skip("WebAssembly has to give the same results, and other tests hold it against them")
	}
	const size = 32 << 20
	share := func(gpu string) float64 {
		p, _ := streamProgram(map[string][]byte{layout.Targets()[0]: make([]byte, size)})
		st := &Stream{gpu: gpu}
		of := scheme.Default()
		of.Memory.Put("codec", system.None)
		plan := st.plan(&streamPart{program: p}, of)
		study, err := experiment.NewStudy(plan)
		if err != nil {
			t.Fatal(err)
		}
		run := study.Run(plan, experiment.Options{})
		for done := false; !done; {
			if done, err = run.Step(1 << 16); err != nil {
				t.Fatal(err)
			}
		}
		spec, err := preset.GPU(gpu)
		if err != nil {
			t.Fatal(err)
		}
		seconds := float64(run.Result().Cycles) / (float64(spec.CoreMHz) * 1e6)
		return size / seconds / float64(spec.PeakBytesPerSecond())
	}
	if got := share("p100b"); got < 0.9 || got > 1 {
		t.Errorf("p100b reads at %.3f of the peak of its DRAM", got)
	}
	if got := share("p100"); got > 0.85 {
		t.Errorf("p100 reads at %.3f of the peak of its DRAM", got)
	}
}

// The simulator agrees with what is known: data that do not compress take as long, and PCIe 4 delays data that need the
// link.
func TestStream(t *testing.T) {
	stream := func(d *Data) *Stream {
		st, err := d.Stream(FindGPU("p100"), report(t, d))
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	slowdown := func(st *Stream, link string) float64 {
		for {
			if v, err := st.Step(FindLink(link), 1<<14); v > 0 || err != nil {
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
		}
	}
	noise := stream(read(t, model(words(1, 32000, 32)), 4<<20))
	if v := slowdown(noise, "pcie4"); v < 0.9 || v > 1.15 {
		t.Errorf("noise: a slowdown of %v", v)
	}
	small := stream(read(t, model(words(2, 32000, 3)), 4<<20))
	slow, fast := slowdown(small, "pcie4"), slowdown(small, "nvlink4")
	if slow < 1.5*fast {
		t.Errorf("a tenth of the entries behind PCIe 4: %v, behind NVLink 4: %v", slow, fast)
	}
}

// zeros is a file that begins with some bytes and goes on with zeros.
type zeros struct{ start []byte }

func (z *zeros) ReadAt(b []byte, at int64) (int, error) {
	n := 0
	if at < int64(len(z.start)) {
		n = copy(b, z.start[at:])
	}
	clear(b[n:])
	return len(b), nil
}

// A file of 1 GB (64 MB where CI is not set) is read to its end in the sample's memory.
func TestLargeModelsAreStreamed(t *testing.T) {
	size := int64(1 << 30)
	if os.Getenv("CI") == "" || testing.Short() {
		size = 1 << 26
	}
	header := fmt.Sprintf(`{"a":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}`, size/4, size)
	z := &zeros{append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const sampleBytes = 1 << 20
	d := NewData(Settings{ThresholdPercent: 30, SampleBytes: sampleBytes})
	add(t, d, z, int64(len(z.start))+size)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("%d bytes of memory for a file of %d", grown, size)
	}
	if r := report(t, d); r.SizeBytes != uint64(size) || r.Allocations[0].Target != layout.Four.String() ||
		d.SampleBytes() != sampleBytes {
		t.Errorf("%+v, a sample of %d bytes", r, d.SampleBytes())
	}
}

// Parts of a model are further arrays; a second file of the same arrays is a snapshot.
func TestPartsAndSnapshots(t *testing.T) {
	d := read(t, model(words(1, 640, 3)), 64<<10)
	f := model(words(2, 640, 32))
	other := bytes.Replace(f, []byte(`"a"`), []byte(`"z"`), 1)
	add(t, d, bytes.NewReader(other), int64(len(other)))
	r := report(t, d)
	if len(r.Allocations) != 2 || r.Snapshots != 1 || r.Allocations[1].Name != "z" || r.SizeBytes != 2*640*128 {
		t.Fatalf("%+v", r)
	}
	if s := d.sample(); len(s.Lines) < 256 || len(s.Lines) > 640 || s.Of[len(s.Of)-1] != 1 {
		t.Errorf("a sample of %d entries, the last of array %d", len(s.Lines), s.Of[len(s.Of)-1])
	}
	d = read(t, model(words(1, 640, 3)), 64<<10)
	add(t, d, bytes.NewReader(f), int64(len(f)))
	if r = report(t, d); len(r.Allocations) != 1 || r.Snapshots != 2 || r.Allocations[0].Target != "1" {
		t.Errorf("%+v", r)
	}
}
