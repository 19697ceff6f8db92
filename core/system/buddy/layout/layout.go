package layout

import (
	"fmt"
	"math"
)

// Allocation is a range of memory with its target.
type Allocation struct {
	Name   string
	Bytes  uint64
	Target Target
}

// Layout says where the pages of allocations lie. Offsets[i] is the slot of the first page of
// allocation i; its other pages follow.
type Layout struct {
	Size    PageSize
	Offsets []uint32
	// SizeBytes are the sizes of all allocations together, DeviceBytes what they take of
	// device memory. EndBytes is the end of the slots in use in buddy memory.
	SizeBytes, DeviceBytes, EndBytes uint64
}

// Capacity is the ratio of the allocations' bytes to the bytes of device memory.
func (l *Layout) Capacity() float64 {
	if l.DeviceBytes == 0 {
		return 1
	}
	return float64(l.SizeBytes) / float64(l.DeviceBytes)
}

// Fault is an allocation that cannot be laid out.
type Fault struct {
	Index         int // of the allocation; -1 = all together
	Message, Mend string
}

func (f *Fault) Error() string { return f.Message + "; " + f.Mend }

// MaxPages bounds the pages of a layout: those that 20 bits number (section III).
const MaxPages = 1 << 20

// NewLayout gives every compressed page a slot in buddy memory. Allocations with small slots
// come first, so that all offsets stay small [ours].
func NewLayout(allocs []Allocation, size PageSize) (*Layout, error) {
	l := &Layout{Size: size, Offsets: make([]uint32, len(allocs))}
	var device, pages uint64 // in whole pages
	for i := range allocs {
		a := &allocs[i]
		if a.Target != Plain && a.Bytes%EntryBytes != 0 {
			return nil, &Fault{i, fmt.Sprintf("%s has %d bytes, not a multiple of an entry of %d bytes", a.Name, a.Bytes,
				EntryBytes), "give it whole entries, or the target plain"}
		}
		n := pagesOf(a.Bytes, size)
		if pages += n; n > MaxPages || pages > MaxPages {
			return nil, &Fault{i, fmt.Sprintf("with %s the allocations have more than %d pages of %s", a.Name, MaxPages,
				PageSizes[size]), "use pages of 2MB, or less data"}
		}
		l.SizeBytes += a.Bytes
		l.DeviceBytes += a.DeviceBytes()
		device += n * (size.Bytes() / EntryBytes * a.Target.DeviceBytes())
	}
	used := uint64(0)
	for sectors := 1; sectors <= EntrySectors; sectors++ {
		for i := range allocs {
			a := &allocs[i]
			if a.Target.BuddySectors() != sectors {
				continue
			}
			slot, n := a.Target.SlotBytes(size), pagesOf(a.Bytes, size)
			first := (l.EndBytes + slot - 1) / slot
			if n > 0 && (first+n-1)>>size.OffsetBits() != 0 {
				return nil, &Fault{i, fmt.Sprintf("%s needs slot %d of buddy memory, and a page-table entry for pages of %s has "+
					"%d bits for it", a.Name, first+n-1, PageSizes[size], size.OffsetBits()), "use a smaller target, or less data"}
			}
			l.Offsets[i] = uint32(first)
			l.EndBytes = (first + n) * slot
			used += n * slot
		}
	}
	if used > CarveOut*device {
		return nil, &Fault{-1, fmt.Sprintf("the targets need %d bytes of buddy memory, and the carve-out of %d device "+
			"memories has %d", used, CarveOut, CarveOut*device), "use smaller targets: a ratio of 4 in all fits"}
	}
	return l, nil
}

// pagesOf returns the pages of an allocation.
func pagesOf(bytes uint64, size PageSize) uint64 {
	if bytes > math.MaxUint64-size.Bytes() {
		return MaxPages + 1
	}
	return (bytes + size.Bytes() - 1) / size.Bytes()
}

// DeviceBytes returns the device memory of an allocation's entries.
func (a *Allocation) DeviceBytes() uint64 {
	if a.Target == Plain {
		return a.Bytes
	}
	return a.Bytes / EntryBytes * a.Target.DeviceBytes()
}
