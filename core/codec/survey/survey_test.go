package survey

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/mem"
)

func open(t *testing.T, data []byte, o datafile.Options) *datafile.File {
	t.Helper()
	f, err := datafile.Open(bytes.NewReader(data), int64(len(data)), o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func corpusFile(lines []mem.Line) []byte {
	var data []byte
	for i := range lines {
		data = append(data, lines[i][:]...)
	}
	return data
}

// A survey says what sizing every block by hand says.
func TestAgainstBlocksByHand(t *testing.T) {
	lines := codectest.Corpus(30)
	names := codecs.Names()
	r, err := File(open(t, corpusFile(lines), datafile.Options{}), Params{Names: names})
	if err != nil {
		t.Fatal(err)
	}
	if r.Blocks != uint64(len(lines)) || r.PaddedBytes != 0 || r.BlocksPerCell != 1 || len(r.Codecs) != len(names) {
		t.Fatalf("%d blocks, %d bytes of padding, %d blocks a cell, %d codecs", r.Blocks, r.PaddedBytes, r.BlocksPerCell, len(r.Codecs))
	}
	for k, name := range names {
		c, err := codecs.ByName(name, lines)
		if err != nil {
			t.Fatal(err)
		}
		s := &r.Codecs[k]
		bits := 0
		bursts := map[int]int{}
		above := make([]uint64, 33)
		for i := range lines {
			size := c.SizeBits(&lines[i])
			bits += size
			for _, mag := range []int{16, 32, 64} {
				n := 128 / mag
				for n > 1 && size <= (n-1)*mag*8 {
					n--
				}
				bursts[mag] += n
			}
			switch n := (size + 7) / 8; {
			case n >= 128:
				above[32]++
			case n < 32:
				above[0]++
			default:
				above[n%32]++
			}
			if cell := s.Cells[i]; int(cell) != (size+7)/8 {
				t.Fatalf("%s, block %d: the map says %d bytes, size %d bits", name, i, cell, size)
			}
		}
		if s.Name != name || s.Blocks != r.Blocks || s.Bits != uint64(bits) || s.Ratio() != float64(len(lines)*1024)/float64(bits) {
			t.Errorf("%s: %d bits in %d blocks, ratio %v, want %d bits", s.Name, s.Bits, s.Blocks, s.Ratio(), bits)
		}
		for mag, n := range bursts {
			if s.Bursts(mag) != uint64(n) || s.EffectiveRatio(mag) != float64(len(lines)*128/mag)/float64(n) {
				t.Errorf("%s at MAG %d: %d bursts, want %d", name, mag, s.Bursts(mag), n)
			}
		}
		near := uint64(0)
		for bin, n := range s.AboveMAG(32) {
			if n != above[bin] {
				t.Errorf("%s: %d blocks %d bytes above, want %d", name, n, bin, above[bin])
			}
			if bin >= 1 && bin <= 16 {
				near += n
			}
		}
		if got := s.WithinThreshold(32, 16); got != near {
			t.Errorf("%s: %d blocks within 16 bytes, want %d", name, got, near)
		}
	}
}

// The map keeps its size: cells are joined, and their sum stays what it was.
func TestMapStaysBounded(t *testing.T) {
	lines := codectest.Corpus(100)
	trainer, err := codecs.NewTrainer("bpc")
	if err != nil {
		t.Fatal(err)
	}
	a, err := New([]string{"bpc"}, trainer, codecs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a.maxCells = 64
	for i := 0; i < len(lines); i += 7 {
		a.Add(lines[i:min(i+7, len(lines))])
	}
	s := &a.Sizes()[0]
	per := a.BlocksPerCell()
	if len(s.Cells) > 64 || len(s.Cells) <= 32 || per != 64 || (len(lines)+per-1)/per != len(s.Cells) {
		t.Fatalf("%d cells of %d blocks for %d blocks", len(s.Cells), per, len(lines))
	}
	c, err := codecs.ByName("bpc", nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, cell := range s.Cells {
		want := 0
		for i := k * per; i < min((k+1)*per, len(lines)); i++ {
			want += (c.SizeBits(&lines[i]) + 7) / 8
		}
		if int(cell) != want {
			t.Errorf("cell %d: %d bytes, want %d", k, cell, want)
		}
	}
	if n := testing.AllocsPerRun(20, func() { a.Add(lines[:50]) }); n != 0 {
		t.Errorf("adding blocks allocates %v times", n)
	}
}

// A fair coin has one bit of entropy, a constant none.
func TestEntropyBounds(t *testing.T) {
	data := make([]byte, 128*64)
	for i := range data {
		// Half of the 32-bit words are 0, half ffffffff.
		if i/4*2654435769>>7&1 == 1 {
			data[i] = 0xff
		}
	}
	ones := 0
	for i := 0; i < len(data); i += 4 {
		ones += int(data[i] & 1)
	}
	p := float64(ones) / float64(len(data)/4)
	h := -(p*math.Log2(p) + (1-p)*math.Log2(1-p))
	r, err := File(open(t, data, datafile.Options{}), Params{Names: []string{"e2mc16"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{128 * h, 64 * h, 32 * h} {
		if b := r.Bounds[i]; math.Abs(b.BitsPerBlock-want) > 1 || b.Approximate {
			t.Errorf("%d-bit symbols: %v bits a block, want %v", b.SymbolBits, b.BitsPerBlock, want)
		}
	}
	r, err = File(open(t, make([]byte, 1280), datafile.Options{}), Params{Names: []string{"cpackz"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Bounds[1].BitsPerBlock != 0 || r.Codecs[0].Bits != 0 || r.Codecs[0].EffectiveRatio(32) != 4 || math.IsInf(r.Codecs[0].Ratio(), 0) {
		t.Errorf("zeros: %+v, ratio %v", r.Bounds[1], r.Codecs[0].Ratio())
	}
}

func TestValues(t *testing.T) {
	floats := []float64{0, math.Copysign(0, -1), 1, math.NaN(), math.Inf(1), math.Inf(-1), -2.5, 5e-324}
	for _, c := range []struct {
		kind datafile.Type
		data []byte
	}{
		{datafile.F64, func() (b []byte) {
			for _, v := range floats {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			}
			return b
		}()},
		{datafile.F32, func() (b []byte) {
			for _, v := range floats[:7] {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
			}
			return binary.LittleEndian.AppendUint32(b, 1)
		}()},
		{datafile.F16, []byte{0, 0, 0, 0x80, 0, 0x3c, 1, 0x7c, 0, 0x7c, 0, 0xfc, 0, 0xc1, 1, 0}},
		{datafile.BF16, []byte{0, 0, 0, 0x80, 0x80, 0x3f, 0xc0, 0x7f, 0x80, 0x7f, 0x80, 0xff, 0x20, 0xc0, 1, 0}},
	} {
		data := append(c.data, make([]byte, 128-len(c.data))...)
		r, err := File(open(t, data, datafile.Options{Type: c.kind}), Params{Names: []string{"zvc"}})
		if err != nil {
			t.Fatal(err)
		}
		n := uint64(128 / c.kind.Bytes())
		if want := (Values{Elements: n, Zeros: n - 8 + 2, NaNs: 1, Infinites: 2}); r.Values != want {
			t.Errorf("%s: %+v, want %+v", c.kind, r.Values, want)
		}
	}
	r, err := File(open(t, []byte{1, 0, 0, 0, 0, 0, 0, 0}, datafile.Options{Type: datafile.I32}), Params{Names: []string{"zvc"}})
	if err != nil || r.Values.Zeros != 31 || r.PaddedBytes != 120 {
		t.Errorf("%v: %+v", err, r)
	}
}

func TestCancelAndProgress(t *testing.T) {
	f := open(t, make([]byte, 128*5000), datafile.Options{})
	var last, all int64
	p := Params{Names: []string{"bdi"}, Progress: func(done, of int64) bool {
		if done <= last {
			t.Errorf("progress from %d to %d", last, done)
		}
		last, all = done, of
		return true
	}}
	if _, err := File(f, p); err != nil || last != 10000 || all != 10000 {
		t.Errorf("%v after %d of %d", err, last, all)
	}
	p.Progress = func(done, _ int64) bool { return done < 6000 }
	if _, err := File(f, p); !errors.Is(err, ErrCancelled) {
		t.Errorf("%v, want it cancelled", err)
	}
	if _, err := File(f, Params{Names: []string{"zip"}}); err == nil {
		t.Error("an unknown codec accepted")
	}
}

// With more distinct words than can be counted, the frequent ones are still found.
func TestBoundedCountsKeepFrequentWords(t *testing.T) {
	exact, err := newTrainer([]string{"sc"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	bounded, err := newTrainer([]string{"sc"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	bounded.Bound(5000)
	for i := range uint32(4000) {
		line := codectest.WordsOf(func(k uint32) uint32 {
			if k < 16 {
				return k // frequent
			}
			return (i*32 + k) * 2654435769
		})
		exact.Count(line)
		bounded.Count(line)
	}
	a, b := exact.Histogram(32), bounded.Histogram(32)
	if b.Forgotten() == 0 || a.Forgotten() != 0 {
		t.Fatalf("%d and %d symbols forgotten", a.Forgotten(), b.Forgotten())
	}
	topA, _ := a.Top(16)
	topB, othersB := b.Top(16)
	for i := range topA {
		if topA[i] != topB[i] {
			t.Errorf("place %d: %+v, want %+v", i, topB[i], topA[i])
		}
	}
	if want := a.Total() - 16*4000; othersB != want {
		t.Errorf("%d other words, want %d", othersB, want)
	}
}
