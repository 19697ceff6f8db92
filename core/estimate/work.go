package estimate

import (
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/workload"
)

// Setting says under which scheme the blocks of a profile are coded.
type Setting struct {
	Scheme codec.Scheme
	// Online leaves blocks raw that move in the run's sample of probabilities.
	Online bool
	// Buffers are the program's: the first allocations, with the type of their values.
	Buffers []workload.Buffer
}

// Estimate is what a scheme would do to the traffic of a profile. Bursts have no metadata.
type Estimate struct {
	BlocksRead    uint64 `json:"blocksRead"`
	BlocksWritten uint64 `json:"blocksWritten"`
	// BurstsRead and BurstsWritten are of one MAG.
	BurstsRead    float64 `json:"burstsRead"`
	BurstsWritten float64 `json:"burstsWritten"`
	// BurstsBar is how far the sum of both may be off because only a sample of the blocks was coded:
	// two standard errors of the ratio estimator; 0 = all blocks were coded.
	BurstsBar float64 `json:"burstsBar"`
	RawRatio  float64 `json:"rawRatio"`
	Ratio     float64 `json:"ratio"` // after rounding to bursts
	// LossyShare is the share of the blocks moved that are approximated.
	LossyShare float64 `json:"lossyShare"`
	// AboveMAG counts the blocks that memory holds compressed at the end by how many bytes they end above a multiple
	// of the MAG (codec.BytesAboveMAG).
	AboveMAG []float64 `json:"aboveMAG"`
	// AboveSafe are the blocks of more than one burst that may be approximated. OneBurst blocks are part of
	// AboveMAG[0], and Cut blocks are approximated.
	AboveSafe []float64 `json:"aboveSafe"`
	OneBurst  float64   `json:"oneBurst"`
	Cut       float64   `json:"cut"`
	// StoredError is the error of the data that stand in memory, not of the program's output: over
	// the values of all contents that were stored in buffers that may be approximated, the mean of
	// |x-x'| / |x|, at most 1 each; 1 if x is 0 or not finite and x' is another value.
	StoredError  float64 `json:"storedError"`
	StoredValues float64 `json:"storedValues"` // how many values that is the mean of
	// Coded contents of Share of the blocks.
	Contents int     `json:"contents"`
	Share    float64 `json:"share"`
}

// Work is an estimate in progress.
type Work struct {
	profile *Profile
	setting Setting
	mag     int // index in mags
	regions []codec.Region
	next    int
	coded   []coded // of the versions up to next
	above   []uint64
	safe    []uint64
	one     uint64
	cut     uint64
	err     float64
	values  uint64
}

// coded is the outcome for a version.
type coded struct {
	bits   uint16
	bursts uint8
	lossy  bool
}

// Start begins an estimate. The profile must not change before its end.
func (p *Profile) Start(s Setting) (*Work, error) {
	w := &Work{profile: p, setting: s, mag: slices.Index(mags[:], s.Scheme.MAGBytes())}
	if w.mag < 0 {
		return nil, fmt.Errorf("estimate: bursts of %d bytes: want 16, 32 or 64", s.Scheme.MAGBytes())
	}
	w.above, w.safe = make([]uint64, s.Scheme.MAGBytes()+1), make([]uint64, s.Scheme.MAGBytes())
	w.coded = make([]coded, 0, len(p.list))
	w.regions = append(w.regions, codec.Region{})
	for _, a := range p.image.Allocations() {
		w.regions = append(w.regions, codec.Region{Safe: a.Safe, ThresholdBytes: a.ThresholdBytes})
	}
	return w, nil
}

// Step codes some contents and reports whether all are coded.
func (w *Work) Step(contents int) (done bool) {
	list := w.profile.list
	for end := min(len(list), w.next+contents); w.next < end; w.next++ {
		w.code(&list[w.next])
	}
	return w.next == len(list)
}

// Err returns what ended the codec, nil if nothing did.
func (w *Work) Err() error { return codecs.FaultOf(w.setting.Scheme) }

func (w *Work) code(v *version) {
	r := w.profile.region(v.addr)
	line := v.line
	s := w.setting.Scheme.Store(&line, w.regions[r])
	w.coded = append(w.coded, coded{s.Bits, s.Bursts, s.Mode == probe.ModeLossy})
	if w.setting.Online && v.lateMoves() == 0 {
		return // it was never compressed, or memory would compress it at its next read
	}
	if v.current {
		w.count(&s, w.regions[r].Safe)
	}
	if w.regions[r].Safe && r > 0 && r <= len(w.setting.Buffers) {
		w.compare(&w.setting.Buffers[r-1], v, &line, s.Mode == probe.ModeLossy)
	}
}

// count adds a block that memory holds at the end.
func (w *Work) count(s *codec.Stored, safe bool) {
	mag := w.setting.Scheme.MAGBytes()
	bin := codec.BytesAboveMAG(int(s.LosslessBits), mag)
	w.above[bin]++
	switch {
	case int(s.LosslessBits) <= 8*mag:
		w.one++
	case safe && bin < mag:
		w.safe[bin]++
	}
	if s.Mode == probe.ModeLossy {
		w.cut++
	}
}

// compare adds the values of a block before and after.
func (w *Work) compare(b *workload.Buffer, v *version, got *mem.Line, lossy bool) {
	size := b.Element.Bytes()
	w.values += uint64(mem.LineBytes / size)
	if !lossy {
		return
	}
	for i := range mem.LineBytes / size {
		if at := i * size; string(v.line[at:at+size]) != string(got[at:at+size]) {
			w.err += relative(b.Value(v.line[:], i), b.Value(got[:], i))
		}
	}
}

func relative(x, y float64) float64 {
	d := math.Abs(x-y) / math.Abs(x)
	switch {
	case x == y:
		return 0 // zeros of either sign
	case d < 1:
		return d
	}
	return 1 // also where d is not a number
}

// moves counts, for one direction, the movements of a version or of a region.
type moves struct{ coded, raw float64 }

// movesOf splits reads and writes into coded and raw blocks.
func (w *Work) movesOf(reads, writes, repairs [2]uint64) (read, written moves) {
	if !w.setting.Scheme.Compressed() {
		return moves{raw: float64(reads[0] + reads[1])}, moves{raw: float64(writes[0] + writes[1])}
	}
	early, late := float64(reads[0]+repairs[0]), float64(reads[1]+repairs[1])
	if !w.setting.Online {
		return moves{coded: early + late}, moves{coded: float64(writes[0] + writes[1])}
	}
	return moves{late, early}, moves{float64(writes[1]), float64(writes[0])}
}

// lateMoves counts the movements after the sample of probabilities.
func (v *version) lateMoves() uint32 { return v.reads[1] + v.writes[1] + v.repairs[1] }

func wide(n [2]uint32) [2]uint64 { return [2]uint64{uint64(n[0]), uint64(n[1])} }

func (w *Work) movesOfVersion(v *version) (read, written moves) {
	return w.movesOf(wide(v.reads), wide(v.writes), wide(v.repairs))
}

// sums of the coded movements of a region's versions, in one direction.
type sums struct{ moves, bursts, bits, lossy float64 }

func (s *sums) add(n float64, c coded) {
	s.moves += n
	s.bursts += n * float64(c.bursts)
	s.bits += n * float64(c.bits)
	if c.lossy {
		s.lossy += n
	}
}

// directions are reads and writes.
const directions = 2

// Estimate adds up what has been coded. The blocks of each region and direction stand for all of
// its movements; if the sample has none of them, all coded movements do.
func (w *Work) Estimate() Estimate {
	p := w.profile
	strata := make([][directions]sums, len(p.totals))
	var all sums
	for i, c := range w.coded {
		v := &p.list[i]
		read, written := w.movesOfVersion(v)
		for d, m := range [directions]moves{read, written} {
			strata[p.region(v.addr)][d].add(m.coded, c)
			all.add(m.coded, c)
		}
	}
	mag := float64(w.setting.Scheme.MAGBytes())
	blockBursts := mem.LineBytes / mag
	e := Estimate{Contents: len(w.coded), Share: p.share()}
	var blocks [directions]float64
	var bursts [directions]float64
	var bits, stored, lossy float64 // stored: bursts, with raw blocks as whole blocks
	for r := range p.totals {
		t := &p.totals[r]
		read, written := w.movesOf(t.reads, t.writes, t.repairs)
		for d, m := range [directions]moves{read, written} {
			s := strata[r][d]
			if s.moves == 0 {
				s = all
			}
			k := 0.0
			if s.moves > 0 {
				k = m.coded / s.moves
			}
			blocks[d] += m.coded + m.raw
			bursts[d] += k * s.bursts
			bits += k*s.bits + m.raw*codec.RawBits
			stored += k*s.bursts + m.raw*blockBursts
			lossy += k * s.lossy
		}
		w.addRaw(t, &bursts)
	}
	e.BlocksRead, e.BlocksWritten = uint64(blocks[0]), uint64(blocks[1])
	e.BurstsRead, e.BurstsWritten = bursts[0], bursts[1]
	moved := blocks[0] + blocks[1]
	e.RawRatio, e.Ratio = moved*codec.RawBits/math.Max(1, bits), moved*blockBursts/math.Max(1, stored)
	e.LossyShare = lossy / math.Max(1, moved)
	for _, n := range w.above {
		e.AboveMAG = append(e.AboveMAG, float64(n)/e.Share)
	}
	for _, n := range w.safe {
		e.AboveSafe = append(e.AboveSafe, float64(n)/e.Share)
	}
	e.OneBurst, e.Cut = float64(w.one)/e.Share, float64(w.cut)/e.Share
	e.StoredError, e.StoredValues = w.err/math.Max(1, float64(w.values)), float64(w.values)/e.Share
	e.BurstsBar = w.bar(strata)
	return e
}

// addRaw adds the bursts of a region's raw movements. In the sample of probabilities L2 keeps whole
// blocks, because they are compressed later.
func (w *Work) addRaw(t *total, bursts *[directions]float64) {
	blockBursts := uint64(mem.LineBytes / mags[w.mag])
	switch {
	case !w.setting.Scheme.Compressed():
		bursts[0] += float64(t.rawRead[0][w.mag] + t.rawRead[1][w.mag])
		bursts[1] += float64(t.rawWritten[0][w.mag] + t.rawWritten[1][w.mag])
	case w.setting.Online:
		bursts[0] += float64(t.rawRead[0][w.mag] + t.repairs[0]*blockBursts)
		bursts[1] += float64(t.writes[0] * blockBursts)
	}
}

// bar is two standard errors of the sum of bursts: the ratio estimator with blocks as clusters
// (Cochran, Sampling Techniques, sections 6.4 and 9A.1).
func (w *Work) bar(strata [][directions]sums) float64 {
	p, share := w.profile, w.profile.share()
	n := float64(len(p.current))
	if share == 1 || n < 2 {
		return 0
	}
	blocks := make([]float64, len(p.current))
	for i, c := range w.coded {
		v := &p.list[i]
		read, written := w.movesOfVersion(v)
		for d, m := range [directions]moves{read, written} {
			if s := strata[p.region(v.addr)][d]; s.moves > 0 {
				blocks[v.block] += m.coded * (float64(c.bursts) - s.bursts/s.moves)
			}
		}
	}
	squares := 0.0
	for _, b := range blocks {
		squares += b * b
	}
	return 2 * math.Sqrt((1-share)*squares*n/(n-1)) / share
}
