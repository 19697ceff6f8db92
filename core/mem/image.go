package mem

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"
)

// DefaultBase is the default start of allocations. GPGPU-Sim uses the same,
// which makes address maps comparable.
const DefaultBase Addr = 0xc000_0000

// MinBase is the lowest base accepted: below it lie the windows that give generic
// addresses access to shared and local memory.
const MinBase Addr = 0x1000_0000

// AllocationAlign is the alignment of every allocation in bytes, as cudaMalloc
// guarantees it. It is a multiple of the line, so no line has two owners.
const AllocationAlign = 256

const (
	pageShift = 16
	pageBytes = 1 << pageShift
)

// Allocation is a named range of device memory.
type Allocation struct {
	Name  string
	Base  Addr
	Bytes uint64
	// Safe marks data that may be approximated (the extended cudaMalloc of SLC,
	// section IV-C). ThresholdBytes is its threshold, 0 for the scheme's.
	Safe           bool
	ThresholdBytes int
	// Sparse marks memory of which little may be used.
	Sparse bool
}

// End returns the first address after the allocation.
func (a *Allocation) End() Addr { return a.Base + a.Bytes }

// Image is the contents of device memory: a range of pages from a base address,
// filled by a bump allocator. Pages are copied on the first write after a
// snapshot, so the memory of a snapshot grows with later writes only.
type Image struct {
	base   Addr
	next   Addr
	limit  uint64
	allocs []Allocation
	page   []*page
	owner  *owner
	// resident counts the pages that this image has been given or has written.
	resident int
	// generation counts the changes that make views of pages invalid.
	generation uint32
}

// owner identifies the one image that may write a page in place.
type owner struct{ _ byte }

type page struct {
	owner *owner
	data  [pageBytes]byte
}

// untouched stands for every page that was never written. It has no owner, so the
// first write copies it.
var untouched page

// NewImage returns an empty image that starts at base and holds at most
// limitBytes.
func NewImage(base Addr, limitBytes uint64) (*Image, error) {
	if base < MinBase || base%AllocationAlign != 0 {
		return nil, fmt.Errorf("mem: base address %#x: want a multiple of %d from %#x upwards", base, AllocationAlign, MinBase)
	}
	return &Image{base: base, next: base, limit: limitBytes, owner: new(owner)}, nil
}

// Alloc reserves size bytes of zeros at the next multiple of AllocationAlign.
func (m *Image) Alloc(name string, size uint64) (*Allocation, error) {
	at, err := m.Reserve(name, size)
	if err != nil {
		return nil, err
	}
	return m.add(name, at, size), nil
}

// Skip leaves a gap before the next allocation. Its bytes are zeros that no program reaches.
func (m *Image) Skip(size uint64) error {
	if size == 0 {
		return nil
	}
	_, err := m.Reserve("a gap", size)
	return err
}

// AllocSparse is Alloc for memory that may stay mostly unused: its pages are allocated
// at their first write.
func (m *Image) AllocSparse(name string, size uint64) (*Allocation, error) {
	at, err := m.extend(name, size)
	if err != nil {
		return nil, err
	}
	for m.missing() {
		m.page = append(m.page, &untouched)
	}
	a := m.add(name, at, size)
	a.Sparse = true
	return a, nil
}

func (m *Image) add(name string, at Addr, size uint64) *Allocation {
	m.allocs = append(m.allocs, Allocation{Name: name, Base: at, Bytes: size})
	return &m.allocs[len(m.allocs)-1]
}

// Reserve is Alloc for memory of the machine. For the program these addresses are
// outside of every allocation.
func (m *Image) Reserve(name string, size uint64) (Addr, error) {
	at, err := m.extend(name, size)
	if err != nil {
		return 0, err
	}
	for m.missing() {
		m.page = append(m.page, &page{owner: m.owner})
		m.resident++
	}
	return at, nil
}

// extend moves the end of the used range behind size further bytes.
func (m *Image) extend(name string, size uint64) (Addr, error) {
	at := (m.next + AllocationAlign - 1) &^ (AllocationAlign - 1)
	if size > m.limit || at+size-m.base > m.limit {
		return 0, fmt.Errorf("%s needs %d bytes, and %d of the %d bytes of device memory are in use: use a smaller program or a GPU with more memoryBytes",
			name, size, m.next-m.base, m.limit)
	}
	m.next = at + size
	return at, nil
}

// missing reports whether the used range is longer than its pages. A line is always
// whole, so the last page must exist for its padding too.
func (m *Image) missing() bool { return uint64(len(m.page))<<pageShift < m.next-m.base+LineBytes }

// ResidentBytes returns the memory of the pages that exist: those that have been written,
// and those that Alloc made.
func (m *Image) ResidentBytes() uint64 { return uint64(m.resident) << pageShift }

// Allocations returns all allocations in address order. The slice may be edited
// in place (Safe, ThresholdBytes) until the run starts.
func (m *Image) Allocations() []Allocation { return m.allocs }

// Find returns the index of the allocation that holds address a, or -1.
func (m *Image) Find(a Addr) int {
	// An allocation of no bytes begins where the next one does: the last of them is meant.
	after, _ := slices.BinarySearchFunc(m.allocs, a+1, func(x Allocation, a Addr) int { return cmp.Compare(x.Base, a) })
	i := after - 1
	if i >= 0 && a < m.allocs[i].End() {
		return i
	}
	return -1
}

// Place names the byte of an allocation at an address, "" outside of all.
func (m *Image) Place(a Addr) string {
	i := m.Find(a)
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("byte %d of %s", a-m.allocs[i].Base, m.allocs[i].Name)
}

// Base and Limit of the used range; every line of every allocation lies between.
func (m *Image) Base() Addr { return m.base }
func (m *Image) Top() Addr  { return m.next }

// Lines returns how many line addresses the image spans, counted from Base.
func (m *Image) Lines() int { return int((m.next - m.base + LineBytes - 1) / LineBytes) }

// LineIndex returns the position of a's line counted from Base.
func (m *Image) LineIndex(a Addr) int { return int((a - m.base) / LineBytes) }

// ReadLine copies the line at address a (line aligned) into dst.
func (m *Image) ReadLine(a Addr, dst *Line) {
	o := a - m.base
	p := m.page[o>>pageShift]
	*dst = *(*Line)(p.data[o&(pageBytes-1):])
}

// Prefetch asks the host for the line at address a, which is read or written soon: it lies in a cache of the host less often than
// what the machine itself needs. A nil image has no lines.
func (m *Image) Prefetch(a Addr) {
	if !prefetches || m == nil {
		return
	}
	if o := a - m.base; o>>pageShift < uint64(len(m.page)) {
		prefetch(unsafe.Pointer(&m.page[o>>pageShift].data[o&(pageBytes-1)]))
	}
}

// WriteLine stores src at address a (line aligned).
func (m *Image) WriteLine(a Addr, src *Line) {
	o := a - m.base
	*(*Line)(m.writable(o >> pageShift).data[o&(pageBytes-1):]) = *src
}

func (m *Image) writable(i uint64) *page {
	p := m.page[i]
	if p.owner != m.owner {
		if p == &untouched {
			m.resident++
		}
		q := &page{owner: m.owner, data: p.data}
		m.page[i] = q
		m.generation++
		return q
	}
	return p
}

// Own gives the image each of its pages for itself, so that writing makes none until the next snapshot. It returns
// false if some have not been used yet (AllocSparse). The pages are copied by jobs 0 to n-1, which each does, in any
// order or side by side.
func (m *Image) Own(each func(n int, job func(i int))) bool {
	all := true
	var others []int
	for i, p := range m.page {
		if p == &untouched {
			all = false
		} else if p.owner != m.owner {
			others = append(others, i)
		}
	}
	each(len(others), func(k int) {
		p := &m.page[others[k]]
		*p = &page{owner: m.owner, data: (*p).data}
	})
	m.generation += uint32(len(others))
	return all
}

// View returns the memory of the page that holds address a, to read and, if write is true,
// to write, and the address where the page begins. It is valid until Generation changes.
func (m *Image) View(a Addr, write bool) (from Addr, data []byte) {
	i := (a - m.base) >> pageShift
	p := m.page[i]
	if write {
		p = m.writable(i)
	}
	return m.base + i<<pageShift, p.data[:]
}

// Generation changes whenever a page is replaced by a copy, or may have to be replaced
// before the next write.
func (m *Image) Generation() uint32 { return m.generation }

// Read copies len(dst) bytes from address a. The range must be inside the image.
func (m *Image) Read(a Addr, dst []byte) {
	for o := a - m.base; len(dst) > 0; {
		n := copy(dst, m.page[o>>pageShift].data[o&(pageBytes-1):])
		dst, o = dst[n:], o+uint64(n)
	}
}

// Write copies src to address a. The range must be inside the image.
func (m *Image) Write(a Addr, src []byte) {
	for o := a - m.base; len(src) > 0; {
		n := copy(m.writable(o >> pageShift).data[o&(pageBytes-1):], src)
		src, o = src[n:], o+uint64(n)
	}
}

// CopyFrom makes m a snapshot of src. Both share pages until one of them writes.
func (m *Image) CopyFrom(src *Image) {
	m.base, m.next, m.limit = src.base, src.next, src.limit
	m.allocs = append(m.allocs[:0], src.allocs...)
	m.page = append(m.page[:0], src.page...)
	m.resident = src.resident
	// Neither image may write a shared page in place.
	src.owner, m.owner = new(owner), new(owner)
	src.generation++
	m.generation++
}
