package rfvp

import (
	"math/rand/v2"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// twin is a slow and obvious predictor: maps and lists, one step of the paper after the
// other.
type twin struct {
	config  Config
	sets    map[int][]*twinRow // least recently used first
	follows map[int64]int64    // of DFCM: what came after a context
}

type twinRow struct {
	warp        uint8
	pc          uint32
	last        []uint64
	first, then []int64
	gap         []uint32
	all         [][]int64 // of each group: every stride
}

// added returns what the kind adds to the last value of a group.
func (w *twin) added(r *twinRow, g int) int64 {
	switch n := len(r.all[g]); w.config.Kind {
	case TwoDelta:
		return r.first[g]
	case Stride:
		if n > 0 {
			return r.all[g][n-1]
		}
	case DFCM:
		return w.follows[contextOf(r.all[g])]
	}
	return 0
}

// learn takes a stride in.
func (w *twin) learn(r *twinRow, g int, stride int64) {
	if stride == r.then[g] {
		r.first[g] = stride
	}
	r.then[g] = stride
	if w.config.Kind == DFCM {
		w.follows[contextOf(r.all[g])] = stride
	}
	r.all[g] = append(r.all[g], stride)
}

// contextOf is FS R-5 of the last three strides, the newest unshifted, in 11 bits.
func contextOf(strides []int64) (hash int64) {
	for age := range min(3, len(strides)) {
		bits := strides[len(strides)-1-age] & 0xffff
		hash ^= (bits%2048 ^ bits/2048) << (5 * age)
	}
	return hash % 2048
}

func (w *twin) set(a *Access, e int) int {
	return int(a.Form.PC+uint32(e)+uint32(a.Warp)) % (w.config.Entries / w.config.Ways)
}

// use finds a row and makes it the newest.
func (w *twin) use(a *Access, e int) *twinRow {
	list := w.sets[w.set(a, e)]
	for i, r := range list {
		if r.warp == a.Warp && r.pc == a.Form.PC+uint32(e) {
			w.sets[w.set(a, e)] = append(append(append([]*twinRow(nil), list[:i]...), list[i+1:]...), r)
			return r
		}
	}
	return nil
}

func (w *twin) holds(a *Access) bool {
	for e := range int(a.Form.Elements) {
		found := false
		for _, r := range w.sets[w.set(a, e)] {
			found = found || r.warp == a.Warp && r.pc == a.Form.PC+uint32(e)
		}
		if !found {
			return false
		}
	}
	return true
}

func (w *twin) predict(a *Access) (words [32]uint32, ok bool) {
	if !w.holds(a) {
		return words, false
	}
	for e := range int(a.Form.Elements) {
		r := w.use(a, e)
		if e == 0 {
			for i := range words {
				words[i] = r.gap[i*w.config.Groups/32]
			}
		}
		for lane := range 32 {
			if a.Lanes>>lane&1 == 0 {
				continue
			}
			g := lane * w.config.Groups / 32
			v := r.last[g]
			if !a.Form.Float {
				v = uint64(int64(v) + w.added(r, g))
			}
			at := int(a.Offset[lane])/4 + e*int(a.Form.Bytes)/4
			words[at] = uint32(v)
			if a.Form.Bytes == 8 {
				words[at+1] = uint32(v >> 32)
			}
		}
	}
	return words, true
}

func (w *twin) train(a *Access, line *mem.Line) {
	for e := range int(a.Form.Elements) {
		r := w.use(a, e)
		fresh := r == nil
		if fresh {
			n := w.config.Groups
			r = &twinRow{
				a.Warp, a.Form.PC + uint32(e),
				make([]uint64, n), make([]int64, n), make([]int64, n), make([]uint32, n), make([][]int64, n),
			}
			k := w.set(a, e)
			if w.sets[k] = append(w.sets[k], r); len(w.sets[k]) > w.config.Ways {
				w.sets[k] = w.sets[k][1:]
			}
		}
		for g := range w.config.Groups {
			r.gap[g] = word(line, g*32/w.config.Groups)
			lane := -1
			for l := 31; l >= 0; l-- {
				if a.Lanes>>l&1 != 0 && l*w.config.Groups/32 == g {
					lane = l
				}
			}
			if lane < 0 && fresh {
				for lane = 0; a.Lanes>>lane&1 == 0; lane++ {
				}
			}
			if lane < 0 {
				continue
			}
			at := int(a.Offset[lane])/4 + e*int(a.Form.Bytes)/4
			now := uint64(word(line, at))
			stride := int64(int32(uint32(now) - uint32(r.last[g])))
			if a.Form.Bytes == 8 {
				now |= uint64(word(line, at+1)) << 32
				stride = int64(now - r.last[g])
			}
			if int64(int16(stride)) != stride {
				stride = 0
			}
			if !fresh && !a.Form.Float {
				w.learn(r, g, stride)
			}
			r.last[g] = now
		}
	}
}

// TestPredictorAgainstTwin compares random streams of accesses.
func TestPredictorAgainstTwin(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, c := range []Config{
		paper, {Entries: 32, Ways: 1, Groups: 1}, {Entries: 40, Ways: 8, Groups: 32},
		{Kind: LastValue, Entries: 32, Ways: 4, Groups: 4},
		{Kind: Stride, Entries: 192, Ways: 4, Groups: 2}, {Kind: Stride, Entries: 40, Ways: 8, Groups: 32},
		{Kind: DFCM, Entries: 192, Ways: 4, Groups: 2}, {Kind: DFCM, Entries: 32, Ways: 1, Groups: 4},
	} {
		p, w := NewPredictor(c), &twin{c, map[int][]*twinRow{}, map[int64]int64{}}
		predicted := 0
		for step := range 20000 {
			forms := []Form{{0, 1, 4, false}, {16, 1, 4, true}, {32, 4, 4, false}, {48, 1, 8, false}, {64, 2, 8, true}}
			form, lanes := forms[rnd.IntN(len(forms))], rnd.Uint32()&rnd.Uint32()
			a := &Access{Warp: uint8(rnd.IntN(12)), Form: form, Lanes: lanes}
			if a.Lanes == 0 {
				a.Lanes = 1 << rnd.IntN(32)
			}
			size := int(a.Form.Elements) * int(a.Form.Bytes)
			for i := range a.Offset {
				a.Offset[i] = uint8(rnd.IntN(128/size) * size)
			}
			if rnd.IntN(2) == 0 {
				stride := uint32(rnd.IntN(3) * 7)
				line := lineOf(func(i int) uint32 { return uint32(step/500)*stride + uint32(i&1) })
				p.Train(a, line)
				w.train(a, line)
				continue
			}
			line := new(mem.Line)
			ok := p.Predict(a, line)
			want, wantOK := w.predict(a)
			if ok != wantOK {
				t.Fatalf("%+v step %d: predicted %v, want %v", c, step, ok, wantOK)
			}
			if !ok {
				continue
			}
			predicted++
			for i := range want {
				if word(line, i) != want[i] {
					t.Fatalf("%+v step %d: word %d is %#x, want %#x", c, step, i, word(line, i), want[i])
				}
			}
		}
		if predicted < 1000 {
			t.Errorf("%+v: only %d predictions", c, predicted)
		}
	}
}
