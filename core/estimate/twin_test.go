package estimate

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// twin keeps every movement in a list, as it comes, and codes each of them anew.
type twin struct {
	image *mem.Image
	list  []movement
	order []mem.Addr // blocks, by their first movement
	last  map[mem.Addr]mem.Line
	read  map[mem.Addr]bool
}

type movement struct {
	addr  mem.Addr
	line  mem.Line // before compression
	mask  mem.ByteMask
	write bool
	early bool
	fill  bool // only compression makes this read
	fresh bool // the content was not in memory before
}

func (w *twin) content(a mem.Addr) (line mem.Line, known bool) {
	if line, known = w.last[a]; !known {
		w.image.ReadLine(a, &line)
	}
	return line, known
}

func (w *twin) note(m movement) {
	if _, ok := w.last[m.addr]; !ok {
		w.order = append(w.order, m.addr)
	}
	w.last[m.addr] = m.line
	w.list = append(w.list, m)
}

func (w *twin) Read(a mem.Addr, mask mem.ByteMask, early bool) {
	line, known := w.content(a)
	w.note(movement{addr: a, line: line, mask: mask, early: early, fresh: !known})
	w.read[a] = true
}

func (w *twin) Write(a mem.Addr, line *mem.Line, mask mem.ByteMask, early bool) {
	old, known := w.content(a)
	if !mask.Full() && !w.read[a] {
		w.note(movement{addr: a, line: old, mask: mem.FullMask, early: early, fill: true, fresh: !known})
		known = true
	}
	w.read[a] = false
	whole := old
	whole.Merge(line, mask)
	w.note(movement{addr: a, line: whole, mask: mask, write: true, early: early, fresh: !known || whole != old})
}

// estimate is the slow way to an Estimate of all blocks.
func (w *twin) estimate(s Setting) Estimate {
	mag := s.Scheme.MAGBytes()
	allocs := w.image.Allocations()
	e := Estimate{AboveMAG: make([]float64, mag+1), AboveSafe: make([]float64, mag), Share: 1}
	bits, stored, lossy, moved, wrong := 0.0, 0.0, 0.0, 0.0, 0.0
	region := func(a mem.Addr) (codec.Region, int) {
		i := w.image.Find(a)
		if i < 0 {
			return codec.Region{}, -1
		}
		return codec.Region{Safe: allocs[i].Safe, ThresholdBytes: allocs[i].ThresholdBytes}, i
	}
	pending := map[mem.Addr]bool{} // the content has not been compressed yet
	late := map[mem.Addr]bool{}
	for _, m := range w.list {
		r, k := region(m.addr)
		line := m.line
		st := s.Scheme.Store(&line, r)
		pending[m.addr] = pending[m.addr] || m.fresh
		late[m.addr] = !m.early
		if pending[m.addr] && r.Safe && !(s.Online && m.early) {
			delete(pending, m.addr)
			b := &s.Buffers[k]
			for i := range mem.LineBytes / b.Element.Bytes() {
				e.StoredValues++
				size := b.Element.Bytes()
				if string(m.line[i*size:(i+1)*size]) == string(line[i*size:(i+1)*size]) {
					continue // also values that are not numbers
				}
				if x, y := b.Value(m.line[:], i), b.Value(line[:], i); x != y {
					d := math.Abs(x-y) / math.Abs(x)
					if !(d < 1) {
						d = 1
					}
					wrong += d
				}
			}
		}
		compressed := s.Scheme.Compressed()
		if m.fill && !compressed {
			continue
		}
		bursts := 0.0
		switch {
		case !compressed, s.Online && m.early && !m.write: // of raw blocks, the wanted bytes are read
			for at := 0; at < mem.LineBytes; at += mag {
				piece := mem.ByteMask{}
				piece.Set(at, mag)
				if (mem.ByteMask{Lo: piece.Lo & m.mask.Lo, Hi: piece.Hi & m.mask.Hi}) != (mem.ByteMask{}) {
					bursts++
				}
			}
		case s.Online && m.early:
			bursts = float64(mem.LineBytes / mag)
		default:
			bursts = float64(st.Bursts)
		}
		moved++
		if !compressed || s.Online && m.early {
			bits += codec.RawBits
			stored += float64(mem.LineBytes / mag)
		} else {
			bits += float64(st.Bits)
			stored += float64(st.Bursts)
			if st.Mode == probe.ModeLossy {
				lossy++
			}
		}
		if m.write {
			e.BlocksWritten++
			e.BurstsWritten += bursts
		} else {
			e.BlocksRead++
			e.BurstsRead += bursts
		}
	}
	for _, a := range w.order {
		if s.Online && !late[a] {
			continue
		}
		r, _ := region(a)
		line := w.last[a]
		st := s.Scheme.Store(&line, r)
		bytes := (int(st.LosslessBits) + 7) / 8
		e.AboveMAG[codec.BytesAboveMAG(int(st.LosslessBits), mag)]++
		if bytes <= mag {
			e.OneBurst++
		} else if bytes < mem.LineBytes && r.Safe {
			e.AboveSafe[bytes%mag]++
		}
		if st.Mode == probe.ModeLossy {
			e.Cut++
		}
	}
	e.RawRatio, e.Ratio, e.LossyShare = moved*codec.RawBits/bits, moved*float64(mem.LineBytes/mag)/stored, lossy/moved
	e.StoredError = wrong / math.Max(1, e.StoredValues)
	return e
}

// traffic moves blocks of three allocations at random and shows them to a profile of most contents and to a twin.
func traffic(t *testing.T, seed uint64, most, movements int) (*Profile, *twin, []workload.Buffer) {
	t.Helper()
	image, err := mem.NewImage(mem.DefaultBase, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	corpus := codectest.Corpus(int(seed) + 2)
	rand := sim.NewRand(seed, 1)
	pick := func(n int) int { return int(rand.Uint64() % uint64(n)) }
	for i := range 3 {
		a, err := image.Alloc([]string{"a", "b", "c"}[i], 400*mem.LineBytes)
		if err != nil {
			t.Fatal(err)
		}
		a.Safe = i > 0
		if i == 2 {
			a.ThresholdBytes = 9
		}
		for at := a.Base; at < a.End(); at += mem.LineBytes {
			image.WriteLine(at, &corpus[pick(len(corpus))])
		}
	}
	buffers := []workload.Buffer{{Element: workload.ElementU8}, {Element: workload.ElementF32}, {Element: workload.ElementS16}}
	w := &twin{image: image, last: map[mem.Addr]mem.Line{}, read: map[mem.Addr]bool{}}
	n := 0
	p := NewProfile(image, false, func(*mem.Line) bool { return n < movements/3 })
	p.most = most
	for ; n < movements; n++ {
		a := image.Base() + mem.Addr(pick(image.Lines()))*mem.LineBytes
		early := n < movements/3
		mask := mem.FullMask
		if pick(3) == 0 {
			mask = mem.ByteMask{}
			mask.Set(pick(64), 1+pick(60))
		}
		if pick(3) > 0 {
			w.Read(a, mask, early)
			p.Read(a, mask)
			continue
		}
		line := corpus[pick(len(corpus))]
		w.Write(a, &line, mask, early)
		p.Write(a, &line, mask)
		var whole mem.Line
		image.ReadLine(a, &whole)
		whole.Merge(&line, mask)
		image.WriteLine(a, &whole)
	}
	return p, w, buffers
}

// settings are schemes of each kind, with codes from the corpus.
func settings(t *testing.T, buffers []workload.Buffer) map[string]Setting {
	t.Helper()
	counts, err := codecs.NewTrainer(codecs.All()...)
	if err != nil {
		t.Fatal(err)
	}
	corpus := codectest.Corpus(3)
	for i := range corpus {
		counts.Count(&corpus[i])
	}
	list := map[string]Setting{"none 16": {Scheme: codec.NewRaw(16)}, "none 64": {Scheme: codec.NewRaw(64)}}
	for name, o := range map[string]codecs.Options{"bdi": {MAGBytes: 32}, "e2mc16": {MAGBytes: 64}, "tslc-opt": {MAGBytes: 32, ThresholdBytes: 16}, "tslc-simp": {MAGBytes: 16, ThresholdBytes: 8}} {
		s, err := counts.Scheme(name, o)
		if err != nil {
			t.Fatal(err)
		}
		list[name] = Setting{Scheme: s}
		list[name+" online"] = Setting{Scheme: s, Online: true}
	}
	for name, s := range list {
		s.Buffers = buffers
		list[name] = s
	}
	return list
}

func work(t *testing.T, p *Profile, s Setting, slice int) Estimate {
	t.Helper()
	w, err := p.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	for !w.Step(slice) {
	}
	return w.Estimate()
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// TestAgainstTwin: with all blocks in the sample an estimate is what the twin computes.
func TestAgainstTwin(t *testing.T) {
	for seed := range uint64(4) {
		p, w, buffers := traffic(t, seed, MostVersions, 4000)
		for name, s := range settings(t, buffers) {
			got, want := work(t, p, s, 1+int(seed)*77), w.estimate(s)
			for _, x := range []struct {
				what      string
				got, want float64
			}{
				{"blocks read", float64(got.BlocksRead), float64(want.BlocksRead)},
				{"blocks written", float64(got.BlocksWritten), float64(want.BlocksWritten)},
				{"bursts read", got.BurstsRead, want.BurstsRead}, {"bursts written", got.BurstsWritten, want.BurstsWritten},
				{"raw ratio", got.RawRatio, want.RawRatio}, {"ratio", got.Ratio, want.Ratio}, {"approximated", got.LossyShare, want.LossyShare},
				{"error", got.StoredError, want.StoredError}, {"values", got.StoredValues, want.StoredValues},
				{"one burst", got.OneBurst, want.OneBurst}, {"cut", got.Cut, want.Cut}, {"share", got.Share, 1}, {"bar", got.BurstsBar, 0},
			} {
				if !near(x.got, x.want) {
					t.Errorf("seed %d, %s: %s: %v, twin %v", seed, name, x.what, x.got, x.want)
				}
			}
			for i := range want.AboveMAG {
				if got.AboveMAG[i] != want.AboveMAG[i] || i < len(want.AboveSafe) && got.AboveSafe[i] != want.AboveSafe[i] {
					t.Errorf("seed %d, %s: above MAG %v, twin %v", seed, name, got.AboveMAG, want.AboveMAG)
					break
				}
			}
		}
	}
}

// TestSample: a sample stays within its bound, is the same however the work is sliced, and its bursts lie
// within the bar about as often as two standard errors promise (95 %).
func TestSample(t *testing.T) {
	all, inside := 0, 0
	for seed := range uint64(12) {
		p, w, buffers := traffic(t, seed, 500, 3000)
		for name, s := range settings(t, buffers) {
			e, want := work(t, p, s, 1000), w.estimate(s)
			if len(p.list) > 500 || e.Share > 0.5 {
				t.Fatalf("%d contents, a share of %v", len(p.list), e.Share)
			}
			if again := work(t, p, s, 7); again.BurstsRead != e.BurstsRead || again.BurstsBar != e.BurstsBar || again.StoredError != e.StoredError {
				t.Errorf("seed %d, %s: slices of 7 give another estimate", seed, name)
			}
			if e.BlocksRead != want.BlocksRead || e.BlocksWritten != want.BlocksWritten {
				t.Errorf("seed %d, %s: totals are of the sample", seed, name)
			}
			miss := math.Abs(e.BurstsRead + e.BurstsWritten - want.BurstsRead - want.BurstsWritten)
			if !s.Scheme.Compressed() {
				if miss != 0 || e.BurstsBar != 0 {
					t.Errorf("seed %d, %s: raw bursts are off by %v with a bar of %v: they need no sample", seed, name, miss, e.BurstsBar)
				}
				continue
			}
			if all++; miss <= e.BurstsBar {
				inside++
			}
			if e.BurstsBar == 0 || e.BurstsBar > 0.2*(want.BurstsRead+want.BurstsWritten) {
				t.Errorf("seed %d, %s: a bar of %v around %v bursts", seed, name, e.BurstsBar, want.BurstsRead+want.BurstsWritten)
			}
		}
	}
	if share := float64(inside) / float64(all); share < 0.85 {
		t.Errorf("%d of %d estimates are within their bar", inside, all)
	}
}

func TestPieces(t *testing.T) {
	m := mem.ByteMask{}
	m.Set(15, 2)
	m.Set(127, 1)
	for bytes, want := range map[int]int{16: 3, 32: 2, 64: 2} {
		if got := pieces(m, bytes); got != want {
			t.Errorf("%d of %d bytes, want %d", got, bytes, want)
		}
		if got := pieces(mem.FullMask, bytes); got != mem.LineBytes/bytes {
			t.Errorf("a whole block: %d of %d bytes", got, bytes)
		}
	}
}

// TestRelative: an error counts at most 1, and one where the value is 0 or not finite counts 1.
func TestRelative(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct{ x, y, want float64 }{
		{4, 3, 0.25}, {-4, -3, 0.25}, {1, 9, 1}, {0, 0, 0}, {0, math.Copysign(0, -1), 0}, {0, 5, 1}, {nan, 1, 1}, {1, nan, 1}, {inf, 1, 1}, {1, inf, 1},
	} {
		if got := relative(c.x, c.y); got != c.want {
			t.Errorf("%v for %v: %v, want %v", c.y, c.x, got, c.want)
		}
	}
}

// TestCount: contents are counted as often as they moved, in proportion if they moved too often.
func TestCount(t *testing.T) {
	p, _, _ := traffic(t, 1, MostVersions, 2000)
	calls, want := uint64(0), uint64(0)
	p.Count(func(*mem.Line) { calls++ })
	for i := range p.list {
		want += p.list[i].moves()
	}
	if calls != want || want == 0 {
		t.Errorf("%d calls for %d moves", calls, want)
	}
	p.list[0].reads[1] += 100 * mostCounts
	calls = 0
	p.Count(func(*mem.Line) { calls++ })
	if calls < mostCounts/2 || calls > mostCounts {
		t.Errorf("%d calls, want at most %d and no less than half", calls, mostCounts)
	}
}
