package mem

import "testing"

// A prefetch is a hint: it makes no page resident, changes no byte, and minds no address.
func TestPrefetchChangesNothing(t *testing.T) {
	(*Image)(nil).Prefetch(0)
	m, err := NewImage(DefaultBase, 4<<20)
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.AllocSparse("a", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	m.Write(a.Base, []byte{1, 2, 3})
	sum, resident := m.Sum(), m.ResidentBytes()
	for _, at := range []Addr{0, m.Base() - LineBytes, m.Base(), a.Base, a.Base + 1<<19, m.Top() - LineBytes, m.Top(), m.Top() + 1<<30, ^Addr(0)} {
		m.Prefetch(at)
	}
	if m.Sum() != sum || m.ResidentBytes() != resident {
		t.Errorf("contents %x and %d resident bytes, before %x and %d", m.Sum(), m.ResidentBytes(), sum, resident)
	}
}
