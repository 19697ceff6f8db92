package explain

import (
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
)

const (
	deltas    = codec.Words - 1
	bpcPlanes = 33 // bits of the difference of two signed words
	allOnes   = 1<<deltas - 1
)

// bpcBases are the codes of the first word that have a prefix of three bits.
var bpcBases = [4]struct {
	name string
	bits int
}{{"zero", 0}, {"fits 4 bits", 4}, {"fits 8 bits", 8}, {"fits 16 bits", 16}}

// bpc reads the first word and the codes of the planes, from plane 32 down.
func (w *walk) bpc() {
	w.item("word 0", 0, 4)
	base := uint32(0)
	if w.at < w.end && w.bitsAt(w.at, 1) == 1 {
		w.take(Code, "prefix", 1)
		w.mean("1", "the first word follows whole")
		base = uint32(w.take(Data, "first word", 32))
		w.mean(hex32(base), "the first word")
	} else {
		prefix := w.take(Code, "prefix", 3)
		b := bpcBases[prefix&3]
		w.mean(binaryOf(prefix, 3), "the first word: %s", b.name)
		if b.bits > 0 {
			base = uint32(signed(w.take(Data, "first word", b.bits), b.bits))
			w.mean(decimal(int64(int32(base))), "the first word, its sign extended")
		}
	}
	w.says("first word: %s", hex32(base))
	s := Structure{
		Kind: Planes, Title: "Bit planes", Columns: []string{"bit", "of the 31 differences (DBP)", "exclusive or with the plane above (DBX)", "code"},
		Note: "Column i belongs to the difference of words i and i+1, 33 bits with its sign on top. Smooth data leave most planes equal to the one above.",
	}
	var dbp [bpcPlanes]uint32
	above := uint32(0)
	for j := bpcPlanes - 1; j >= 0 && w.fault == nil; {
		w.item("", 0, 0)
		run, dbx, name := w.bpcPlane(above)
		if run > j+1 {
			w.fail("a run of %d planes from plane %d", run, j)
			return
		}
		it := &w.e.Items[w.last()]
		it.Name = fmt.Sprintf("plane %d", j)
		if run > 1 {
			it.Name = fmt.Sprintf("planes %d to %d", j, j-run+1)
		}
		w.says("%s", name)
		for range run {
			above ^= dbx
			dbp[j] = above
			s.Rows = append(s.Rows, Row{[]string{number(j), bitsOf(above, deltas), bitsOf(dbx, deltas), name}, []int{w.last()}})
			j--
		}
	}
	w.structure(s)
	w.word(0, base)
	for i := range deltas {
		d := uint32(0)
		for j := range 32 {
			d |= dbp[j] >> i & 1 << j
		}
		base += d
		w.word(i+1, base)
	}
}

// bpcPlane reads one code of table 2 of the paper: how many planes it is for, their
// exclusive or with the plane above, and its name.
func (w *walk) bpcPlane(above uint32) (run int, dbx uint32, name string) {
	n := 1
	peek := func(n int) bool { return w.at+n <= w.end && w.bitsAt(w.at+n-1, 1) == 0 }
	switch {
	case !peek(1):
	case !peek(2):
		n = 2
	case !peek(3):
		n = 3
	default:
		n = 5
	}
	code := w.take(Code, "code", n)
	bin := binaryOf(code, n)
	position := func() uint {
		at := uint(w.take(Data, "position", 5))
		w.mean(number(int(at)), "of the lowest one: differences are numbered from 0")
		return at
	}
	switch bin {
	case "1":
		w.mean(bin, "no pattern: the plane follows")
		dbx = uint32(w.take(Data, "plane", deltas))
		w.mean(hex32(dbx), "the exclusive or, difference 30 first")
		return 1, dbx, "as it is"
	case "01":
		w.mean(bin, "a run of planes equal to the one above")
		run = int(w.take(Data, "length", 5)) + 2
		w.mean(number(run), "length of the run, less 2")
		return run, 0, "run of zeros"
	case "001":
		w.mean(bin, "one plane equal to the one above")
		return 1, 0, "zero"
	case "00000":
		w.mean(bin, "the exclusive or is all ones")
		return 1, allOnes, "all ones"
	case "00001":
		w.mean(bin, "the plane itself is zero, the one above is not")
		return 1, above, "plane is zero"
	case "00010":
		w.mean(bin, "two neighbouring ones")
		return 1, 3 << position() & allOnes, "two ones"
	case "00011":
		w.mean(bin, "a single one")
		return 1, 1 << position() & allOnes, "single one"
	}
	w.fail("%s is not a code", bin)
	return 1, 0, ""
}

// mpc reads the bitmap and the residuals of the planes that differ.
func (w *walk) mpc() {
	w.item("bitmap", 0, 0)
	bitmap := uint32(w.take(Header, "bitmap", codec.Words))
	w.mean(hex32(bitmap), "a bit for each plane, plane 31 first: 1 if its residual is not zero")
	w.says("%d of 32 planes have a residual", bits.OnesCount32(bitmap))
	s := Structure{
		Kind: Planes, Title: "Transposed words", Columns: []string{"plane", "of the 32 differences", "residual"},
		Note: "Plane l holds bit l of the differences of neighbouring words, the first word with zero before it; column i is word i. A residual is a plane less the plane below it, as integers.",
	}
	var planes [codec.Words]uint32
	plane := uint32(0)
	for l := range planes {
		residual, items := "0", []int{0}
		if bitmap>>l&1 == 1 {
			w.item(fmt.Sprintf("plane %d", l), 0, 0)
			r := uint32(w.take(Data, "residual", 32))
			w.mean(hex32(r), "plane %d less plane %d", l, l-1)
			if l == 0 {
				w.mean(hex32(r), "plane 0 itself: none is below")
			}
			w.says("residual %s", hex32(r))
			plane += r
			residual, items = hex32(r), append(items, w.last())
		}
		planes[l] = plane
		s.Rows = append(s.Rows, Row{[]string{number(l), bitsOf(plane, codec.Words), residual}, items})
	}
	w.structure(s)
	last := uint32(0)
	for i := range codec.Words {
		d := uint32(0)
		for l, p := range planes {
			d |= p >> i & 1 << l
		}
		last += d
		w.word(i, last)
	}
}
