package cache

import (
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/tape"
)

// Ways that were never written take no lines; a state brings back which lines there are and what
// they hold, whatever was written since.
func TestLinesComeWhenTheyAreWritten(t *testing.T) {
	const ways = 18*linePage + 3 // more than few
	s := newLineStore(ways)
	for w := range ways {
		if *s.read(w) != (mem.Line{}) {
			t.Fatalf("way %d is not zero", w)
		}
	}
	if len(s.pages) != 1 {
		t.Fatalf("%d pages for lines that were only read", len(s.pages))
	}
	written := []int{0, 7, 8, linePage, 9*linePage + 1, ways - 1}
	for i, w := range written {
		s.write(w)[5] = byte(i + 1)
	}
	if len(s.pages) != 1 || s.taken != uint32(len(written))+1 {
		t.Errorf("%d lines on %d pages for %d written", s.taken-1, len(s.pages), len(written))
	}
	tp := tape.NewTape()
	saved := tp.Save(s.state, nil)
	sum := tp.Sum(s.state)[0]
	for w := range ways {
		s.write(w)[5] = 99
	}
	if len(s.pages) != 19 || tp.Sum(s.state)[0] == sum {
		t.Errorf("%d pages for all ways", len(s.pages))
	}
	other := newLineStore(ways)
	for _, x := range []*lineStore{&s, &other} {
		tp.Load(x.state, saved)
		if x.taken != uint32(len(written))+1 || tp.Sum(x.state)[0] != sum {
			t.Errorf("%d lines after loading", x.taken-1)
		}
		for i, w := range written {
			if x.read(w)[5] != byte(i+1) {
				t.Errorf("way %d holds %d", w, x.read(w)[5])
			}
		}
		if *x.read(3) != (mem.Line{}) || *x.write(9) != (mem.Line{}) {
			t.Error("a line that was not saved is not zero")
		}
	}
}
