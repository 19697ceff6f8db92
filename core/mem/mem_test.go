package mem

import (
	"bytes"
	"slices"
	"testing"
)

type rng uint64

func (r *rng) next() uint64 {
	*r = *r*6364136223846793005 + 1442695040888963407
	return uint64(*r >> 16)
}

func (m ByteMask) bit(i int) bool {
	if i < 64 {
		return m.Lo>>i&1 != 0
	}
	return m.Hi>>(i-64)&1 != 0
}

func TestByteMaskSet(t *testing.T) {
	for off := 0; off < LineBytes; off++ {
		for n := 0; off+n <= LineBytes; n++ {
			var m ByteMask
			m.Set(off, n)
			for i := 0; i < LineBytes; i++ {
				if m.bit(i) != (i >= off && i < off+n) {
					t.Fatalf("Set(%d,%d): bit %d is %v", off, n, i, m.bit(i))
				}
			}
			if m.Count() != n {
				t.Fatalf("Set(%d,%d): count %d", off, n, m.Count())
			}
		}
	}
}

func TestSectors(t *testing.T) {
	r := rng(1)
	for k := 0; k < 1000; k++ {
		m := ByteMask{r.next() & r.next() & r.next(), r.next() & r.next() & r.next()}
		var want uint8
		for i := 0; i < LineBytes; i++ {
			if m.bit(i) {
				want |= 1 << (i / SectorBytes)
			}
		}
		if got := m.Sectors(); got != want {
			t.Fatalf("%x: sectors %x, want %x", m, got, want)
		}
		if full := SectorMask(want); !full.Covers(m) || full.Sectors() != want {
			t.Fatalf("%x: sector mask %x", want, full)
		}
	}
}

func TestMerge(t *testing.T) {
	r := rng(2)
	for k := 0; k < 2000; k++ {
		var a, b, want Line
		for i := range a {
			a[i], b[i] = byte(r.next()), byte(r.next())
		}
		m := ByteMask{r.next() | r.next(), r.next() & r.next()}
		if k%7 == 0 {
			m = FullMask
		}
		for i := range want {
			want[i] = a[i]
			if m.bit(i) {
				want[i] = b[i]
			}
		}
		if a.Merge(&b, m); a != want {
			t.Fatalf("mask %x", m)
		}
	}
}

func TestImageSnapshotsAreIndependent(t *testing.T) {
	m, err := NewImage(DefaultBase, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Alloc("a", 3*pageBytes+5)
	if err != nil {
		t.Fatal(err)
	}
	base := a.Base
	m.Write(base+100, []byte("before"))
	var s, s2 Image
	s.CopyFrom(m)
	m.Write(base+100, []byte("after "))
	s2.CopyFrom(m)
	s.Write(base+2*pageBytes-3, []byte("across"))
	read := func(m *Image, a Addr) string {
		b := make([]byte, 6)
		m.Read(a, b)
		return string(b)
	}
	if got := read(&s, base+100); got != "before" {
		t.Errorf("the snapshot reads %q", got)
	}
	if got := read(m, base+100); got != "after " {
		t.Errorf("the original reads %q", got)
	}
	if got := read(m, base+2*pageBytes-3); got != "\x00\x00\x00\x00\x00\x00" {
		t.Errorf("a write to the snapshot reached the original: %q", got)
	}
	if got := read(&s, base+2*pageBytes-3); got != "across" {
		t.Errorf("across a page: %q", got)
	}
	m.CopyFrom(&s)
	m.Write(base, []byte("x"))
	if got := read(&s, base); got[0] != 0 {
		t.Error("after a restore the original still owns the snapshot's pages")
	}
	if got := read(&s2, base+100); got != "after " {
		t.Errorf("the second snapshot reads %q", got)
	}
}

func TestImageLines(t *testing.T) {
	m, _ := NewImage(DefaultBase, 1<<20)
	a, _ := m.Alloc("a", 300)
	b, _ := m.Alloc("b", 1)
	if b.Base != a.Base+512 {
		t.Errorf("second allocation at %#x", b.Base)
	}
	var line Line
	copy(line[:], bytes.Repeat([]byte{7}, LineBytes))
	m.WriteLine(a.Base+256, &line)
	var got Line
	m.ReadLine(a.Base+256, &got)
	if got != line {
		t.Error("a line does not read back")
	}
	if i := m.Find(a.Base + 299); i != 0 {
		t.Errorf("last byte of a is in allocation %d", i)
	}
	if i := m.Find(a.Base + 300); i != -1 {
		t.Errorf("the byte behind a is in allocation %d", i)
	}
	if place := m.Place(a.Base + 299); place != "byte 299 of "+a.Name || m.Place(a.Base+300) != "" {
		t.Errorf("the last byte is %s, and there is one after it", place)
	}
	if _, err := m.Alloc("c", 1<<20); err == nil {
		t.Error("an allocation beyond the limit is accepted")
	}
	if _, err := NewImage(0x1000, 1<<20); err == nil {
		t.Error("a base inside the windows of generic addresses is accepted")
	}
}

func TestArenaReusesLines(t *testing.T) {
	a := NewArena(2)
	h, g := a.New(), a.New()
	a.Free(h)
	a.Free(g)
	if n := testing.AllocsPerRun(100, func() { a.Free(a.New()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if a.Live() != 0 {
		t.Errorf("%d live", a.Live())
	}
}

// TestSharesOfAPool: values made and freed in shares belong to the pool, each handle has its own value, which stays
// where it is, and what the shares need is made once.
func TestSharesOfAPool(t *testing.T) {
	p := NewPool[int](3)
	shares := []*Pool[int]{p.Share(1), p.Share(2), p.Share(MostShares - 1)}
	var live []Handle
	at := map[Handle]*int{}
	take := func(from *Pool[int], n int) {
		for range n {
			h := from.New()
			if at[h] != nil && at[h] != p.At(h) || slices.Contains(live, h) {
				t.Fatalf("%#x is in use, or has moved", h)
			}
			at[h] = from.At(h)
			*at[h] = int(h)
			live = append(live, h)
		}
	}
	made := 0
	for round := range 50 {
		p.Lend(shares)
		take(p, 5)
		for _, s := range shares {
			take(s, 40)
		}
		for i, h := range live {
			if *p.At(h) != int(h) {
				t.Fatalf("value of %#x: %d", h, *p.At(h))
			}
			shares[i%2].Free(h)
		}
		live = live[:0]
		p.TakeBack(shares)
		if p.Live() != 0 {
			t.Fatalf("%d live", p.Live())
		}
		if round == 10 {
			made = len(at)
		}
	}
	if len(at) != made {
		t.Errorf("after 50 rounds %d values, after 10 %d", len(at), made)
	}
}

// TestOwnPages: an image that owns its pages makes none when it is written, and its snapshot keeps the old bytes;
// memory that is used sparsely has pages that nobody can own yet.
func TestOwnPages(t *testing.T) {
	source, err := NewImage(DefaultBase, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	a, err := source.Alloc("a", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var m Image
	m.CopyFrom(source)
	if !m.Own(inTurn) {
		t.Error("a page is missing")
	}
	before := m.Generation()
	for at := a.Base; at < a.End(); at += LineBytes {
		m.WriteLine(at, &Line{0: 7})
	}
	if m.Generation() != before || m.ResidentBytes() != source.ResidentBytes() {
		t.Error("writing has made pages")
	}
	var line Line
	if source.ReadLine(a.Base, &line); line[0] != 0 {
		t.Error("the snapshot has the new bytes")
	}
	if _, err := source.AllocSparse("s", 1<<20); err != nil {
		t.Fatal(err)
	}
	if source.Own(inTurn) {
		t.Error("pages that nobody has used are owned")
	}
}

// inTurn does jobs one after the other, the last one first.
func inTurn(n int, job func(i int)) {
	for i := n - 1; i >= 0; i-- {
		job(i)
	}
}
