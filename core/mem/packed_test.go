package mem

import (
	"math/rand/v2"
	"testing"
)

// Packing and unpacking in any order gives what was there, and the image goes on
// being written.
func TestPackedIsWhatWasThere(t *testing.T) {
	m, err := NewImage(DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Alloc("data", 3<<pageShift); err != nil {
		t.Fatal(err)
	}
	if _, err := m.AllocSparse("sparse", 4<<pageShift); err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	write := func(m *Image, n int) {
		for range n {
			m.Write(m.base+chance.Uint64N(5<<pageShift-8), []byte{byte(chance.Uint32()), 0, 7})
		}
	}
	var packed []*Packed
	var copies []*Image
	var resident []uint64
	for i := range 12 {
		if i != 6 { // nothing at all happens once
			write(m, 40)
		}
		var before *Packed
		if i > 0 {
			before = packed[i-1]
		}
		packed = append(packed, m.Pack(before))
		c := new(Image)
		c.CopyFrom(m)
		resident = append(resident, m.ResidentBytes())
		copies = append(copies, c)
	}
	if n := packed[6].NewBytes(packed[5]); n > 8*len(packed[6].pages) {
		t.Errorf("an unchanged image takes %d bytes", n)
	}
	if a, b := packed[11].NewBytes(nil), packed[11].NewBytes(packed[10]); b >= a || b == 0 {
		t.Errorf("%d bytes alone, %d beside the one before", a, b)
	}
	to := new(Image)
	to.CopyFrom(m)
	var have *Unpacked
	for k := range 60 {
		i := int(chance.Uint64N(12))
		have = to.Unpack(packed[i], have)
		if to.Sum() != copies[i].Sum() {
			t.Fatalf("try %d: unpacked %d is not what was packed", k, i)
		}
		if got := to.ResidentBytes(); got != resident[i] {
			t.Fatalf("try %d: unpacked %d has %d bytes of pages, want %d", k, i, got, resident[i])
		}
		write(to, k%4)
	}
	if m.Sum() != copies[11].Sum() {
		t.Error("the image that was packed has changed")
	}
}

// Pages of a sparse allocation come when they are written.
func TestSparseAllocation(t *testing.T) {
	m, err := NewImage(DefaultBase, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.AllocSparse("local memory", 4<<30)
	if err != nil {
		t.Fatal(err)
	}
	if n := m.ResidentBytes(); n != 0 {
		t.Errorf("%d bytes before the first write", n)
	}
	m.Write(a.Base+pageBytes-1, []byte{1, 2})
	var line, far Line
	m.ReadLine(a.Base+pageBytes, &line)
	m.ReadLine(a.End()-LineBytes, &far)
	if line[0] != 2 || far != (Line{}) || m.ResidentBytes() != 2*pageBytes {
		t.Errorf("read %d and %v, %d bytes of pages", line[0], far, m.ResidentBytes())
	}
	var c Image
	c.CopyFrom(m)
	c.Write(a.Base+5*pageBytes, []byte{3})
	if m.ResidentBytes() != 2*pageBytes || c.ResidentBytes() != 3*pageBytes || untouched.data != (page{}).data {
		t.Errorf("a copy with a page more: %d and %d bytes", m.ResidentBytes(), c.ResidentBytes())
	}
}
