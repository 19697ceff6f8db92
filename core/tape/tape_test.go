package tape

import (
	"strings"
	"testing"
)

// part has everything a list can name: padding, lists, what is shared, a hint.
type part struct {
	pair struct {
		small uint8
		large uint64
	}
	fixed [300]uint32
	list  []uint16
	shown *string
	ahead int
}

func (p *part) state(t *Tape) {
	Value(t, &p.pair)
	Values(t, p.fixed[:])
	t.Section()
	List(t, &p.list)
	Keep(t, &p.shown)
	t.Hint(func() { Value(t, &p.ahead) })
}

func example() *part {
	word := "shared"
	p := &part{list: []uint16{1, 2, 3}, shown: &word, ahead: 5}
	p.pair.small, p.pair.large = 7, 9
	p.fixed[299] = 11
	return p
}

func TestLoadGivesWhatWasSaved(t *testing.T) {
	p, tp := example(), NewTape()
	r := tp.Save(p.state, nil)
	word := p.shown
	p.list, p.pair.large, p.shown, p.ahead = append(p.list, 4, 5, 6, 7), 0, nil, 0
	p.fixed = [300]uint32{}
	longer := tp.Save(p.state, r)
	tp.Load(p.state, r)
	if p.pair.small != 7 || p.pair.large != 9 || p.fixed[299] != 11 || len(p.list) != 3 || p.list[2] != 3 || p.shown != word || p.ahead != 5 {
		t.Errorf("loaded %+v", p)
	}
	var empty part
	NewTape().Load(empty.state, longer)
	if len(empty.list) != 7 || empty.list[6] != 7 {
		t.Errorf("a list of %v", empty.list)
	}
}

// Unchanged pieces and zeros take almost no memory.
func TestRecordsShare(t *testing.T) {
	p, tp := example(), NewTape()
	first := tp.Save(p.state, nil)
	p.list[0] = 100
	second := tp.Save(p.state, first)
	if a, b := first.NewBytes(nil), second.NewBytes(first); b >= a || b < bitBytes {
		t.Errorf("%d bytes, then %d", a, b)
	}
	var zero part
	if n := tp.Save(zero.state, nil).NewBytes(nil); n >= pieceBytes {
		t.Errorf("zeros take %d bytes", n)
	}
	p.list[0] = 1
	tp.Load(p.state, second)
	if p.list[0] != 100 {
		t.Error("what was shared was written")
	}
}

func TestSums(t *testing.T) {
	sums := func(change func(*part)) []uint64 {
		p := example()
		change(p)
		return NewTape().Sum(p.state)
	}
	same := sums(func(*part) {})
	for name, c := range map[string]struct {
		change  func(*part)
		section int // that differs, -1 for none
	}{
		"a value":      {func(p *part) { p.pair.large++ }, 0},
		"an element":   {func(p *part) { p.fixed[0] = 1 }, 0},
		"a length":     {func(p *part) { p.list = append(p.list, 0) }, 1},
		"a hint":       {func(p *part) { p.ahead++ }, -1},
		"what is kept": {func(p *part) { p.shown = nil }, -1},
	} {
		for i, s := range sums(c.change) {
			if (s != same[i]) != (i == c.section) {
				t.Errorf("%s: section %d: %x and %x", name, i, s, same[i])
			}
		}
	}
}

// Nobody says what padding holds: it must not make a difference.
func TestPaddingDoesNotCount(t *testing.T) {
	l := NewTape()
	p := example()
	_ = l.Sum(p.state)
	found := 0
	for of, x := range l.layouts {
		for _, g := range x.padding {
			found += g.to - g.from
			if of.Kind().String() != "struct" {
				t.Errorf("%v has padding", of)
			}
		}
	}
	if found != 7 {
		t.Errorf("%d bytes of padding, want the 7 behind small", found)
	}
}

func TestPointersAreRefused(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "pointers") {
			t.Errorf("a pointer as plain state: %v", r)
		}
	}()
	var p *int
	NewTape().Save(func(t *Tape) { Value(t, &p) }, nil)
}

func TestForeignRecordIsRefused(t *testing.T) {
	p, tp := example(), NewTape()
	r := tp.Save(p.state, nil)
	defer func() {
		if recover() == nil {
			t.Error("a record of other components was loaded")
		}
	}()
	tp.Load(func(t *Tape) { p.state(t); Value(t, &p.ahead) }, r)
}

// TestSameRecords: records are the same if the state is, whether they share pieces or not, down to a bit and to the
// length of a list.
func TestSameRecords(t *testing.T) {
	tp := NewTape()
	list := make([]uint64, 3*pieceBytes/8)
	save := func(before *Record) *Record {
		return tp.Save(func(t *Tape) { List(t, &list) }, before)
	}
	list[0], list[200] = 1, 7
	first := save(nil)
	if !first.Same(save(first)) || !first.Same(save(nil)) {
		t.Error("equal states differ")
	}
	for i := range list {
		list[i] ^= 1 << (i % 64)
		if first.Same(save(first)) || first.Same(save(nil)) {
			t.Fatalf("a bit of element %d makes no difference", i)
		}
		list[i] ^= 1 << (i % 64)
	}
	if list = append(list, 0); first.Same(save(first)) {
		t.Error("a longer list is the same")
	}
}
