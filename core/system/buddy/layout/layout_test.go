package layout

import (
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// The sectors of every size under every target, as section III and figure 4 have them: at 2x
// the first two lie in device memory, the last two in buddy memory.
func TestSplit(t *testing.T) {
	want := map[Target][5][2]int{ // by sectors: device, buddy
		Plain:      {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}},
		One:        {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}},
		FourThirds: {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}},
		Two:        {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}},
		Four:       {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {1, 3}},
		Sixteen:    {{0, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}},
	}
	for target, byClass := range want {
		for n, w := range byClass {
			device, buddy := target.Split(n)
			if bits.OnesCount8(device) != w[0] || bits.OnesCount8(buddy) != w[1] || device&buddy != 0 {
				t.Errorf("target %s, %d sectors: device %b, buddy %b, want %v", target, n, device, buddy, w)
			}
		}
	}
	if device, buddy := Two.Split(4); device != 0b0011 || buddy != 0b1100 {
		t.Errorf("2x, four sectors: device %04b, buddy %04b", device, buddy)
	}
	var zero, one mem.Line
	one[127] = 1
	if Sectors(&zero, 1) != 0 || Sectors(&one, 1) != 1 {
		t.Error("an entry takes no sector if and only if it is zero")
	}
}

func TestTargetsAddUp(t *testing.T) {
	for target := Plain; target < Sixteen; target++ {
		if target.DeviceBytes()+uint64(target.BuddySectors())*SectorBytes != EntryBytes {
			t.Errorf("target %s loses bytes of an entry", target)
		}
	}
	if Sixteen.DeviceBytes()*16 != EntryBytes ||
		Sixteen.DeviceBytes()+uint64(Sixteen.BuddySectors())*SectorBytes < EntryBytes {
		t.Error("16x keeps 8 bytes in device memory and has room for the rest")
	}
}

// The fields of a page at their limits: every target and the largest slot survive packing,
// the next one is refused, and a page fits the spare bits of a page-table entry.
func TestPageFieldsAtTheirLimits(t *testing.T) {
	for size, offsetBits := range map[PageSize]int{Page64KB: 20, Page2MB: 16} {
		if size.OffsetBits() != offsetBits || offsetShift+offsetBits > SpareBits {
			t.Errorf("%s: %d bits of offset", PageSizes[size], size.OffsetBits())
		}
		for target := One; target < NumTargets; target++ {
			for _, offset := range []uint32{0, 1, 1<<offsetBits - 1} {
				p := Page{Compressed: true, Target: target, Offset: offset}
				packed, err := p.Pack(size)
				if err != nil || Unpack(packed) != p || packed>>(offsetShift+offsetBits) != 0 {
					t.Errorf("%s: %+v becomes %#x and %+v (%v)", PageSizes[size], p, packed, Unpack(packed), err)
				}
			}
			if _, err := (Page{Compressed: true, Target: target, Offset: 1 << offsetBits}).Pack(size); err == nil {
				t.Errorf("%s: slot %d is accepted", PageSizes[size], 1<<offsetBits)
			}
		}
		if packed, err := (Page{Target: Four, Offset: 1 << 30}).Pack(size); err != nil || packed != 0 ||
			Unpack(packed).Compressed {
			t.Errorf("a page that is not compressed has bits %#x (%v)", packed, err)
		}
		if _, err := (Page{Compressed: true, Target: Plain}).Pack(size); err == nil {
			t.Error("a compressed page without a target is accepted")
		}
	}
	// 16 bits reach the whole carve-out of 32 GB with pages of 2 MB at 4x; pages of 64 KB
	// need 21 (the paper has 20).
	if Four.SlotBytes(Page2MB)<<16 != 96<<30 || Four.SlotBytes(Page64KB)<<21 != 96<<30 {
		t.Errorf("slots of %d and %d bytes", Four.SlotBytes(Page2MB), Four.SlotBytes(Page64KB))
	}
}

// No two entries share a byte of buddy memory, addresses stay inside the slots, and the order
// of a layout does not depend on the targets of others.
func TestBuddyAddressesAreApart(t *testing.T) {
	const base = 1 << 40
	allocs := []Allocation{
		{"a", 3 * 64 << 10, Four}, {"b", 128, FourThirds}, {"c", 64<<10 + 128, Two},
		{"d", 5 * 64 << 10, One}, {"e", 2 * 64 << 10, FourThirds}, {"f", 4 * 64 << 10, Plain},
	}
	l, err := NewLayout(allocs, Page64KB)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]string{}
	for i, a := range allocs {
		for k := range a.Bytes / EntryBytes {
			page, entry := k*EntryBytes/Page64KB.Bytes(), k%(Page64KB.Bytes()/EntryBytes)
			p := Page{Compressed: true, Target: a.Target, Offset: l.Offsets[i] + uint32(page)}
			at := p.BuddyAddress(base, Page64KB, entry)
			for range a.Target.BuddySectors() {
				if at < base || at+SectorBytes > base+l.EndBytes || at%SectorBytes != 0 {
					t.Fatalf("%s: entry %d lies at %#x", a.Name, k, at)
				}
				if other := seen[at]; other != "" {
					t.Fatalf("entry %d of %s shares %#x with %s", k, a.Name, at, other)
				}
				seen[at] = a.Name
				at += SectorBytes
			}
		}
	}
	if l.SizeBytes != l.DeviceBytes+uint64(len(seen))*SectorBytes {
		t.Errorf("%d bytes, %d in device memory, %d sectors of buddy memory", l.SizeBytes, l.DeviceBytes, len(seen))
	}
}

func TestLayoutRefuses(t *testing.T) {
	const page = 64 << 10
	for name, c := range map[string]struct {
		allocs []Allocation
		size   PageSize
		index  int
		want   string
	}{
		"part of an entry": {[]Allocation{{"a", 128, Two}, {"b", 100, Two}}, Page64KB, 1,
			"b has 100 bytes, not a multiple of an entry of 128"},
		"too many pages": {[]Allocation{{"a", page << 19, One}, {"b", page<<19 + page, One}}, Page64KB, 1,
			"more than 1048576 pages of 64KB"},
		"more than any memory": {[]Allocation{{"a", 1<<64 - 128, Two}}, Page64KB, 0, "more than 1048576 pages"},
		"offset of 2 MB pages": {[]Allocation{{"a", 2 << 20 << 16, Two}, {"b", 128, Two}}, Page2MB, 1,
			"b needs slot 65536 of buddy memory"},
		"beyond the carve-out": {[]Allocation{{"a", page, Four}, {"b", page, Sixteen}}, Page64KB, -1,
			"the carve-out of 3 device memories"},
		"all zero": {[]Allocation{{"a", page, Sixteen}}, Page64KB, -1, "the carve-out of 3 device memories"},
	} {
		_, err := NewLayout(c.allocs, c.size)
		f, ok := err.(*Fault)
		if !ok || f.Index != c.index || !strings.Contains(f.Message, c.want) || f.Mend == "" {
			t.Errorf("%s: %v, want %q for allocation %d", name, err, c.want, c.index)
		}
	}
	// 4x everywhere needs the whole carve-out and no more; a plain allocation may have any size.
	if l, err := NewLayout([]Allocation{{"a", 8 * page, Four}}, Page64KB); err != nil || l.Capacity() != 4 ||
		l.EndBytes != CarveOut*l.DeviceBytes {
		t.Errorf("4x: %+v, %v", l, err)
	}
	if l, err := NewLayout([]Allocation{{"a", 100, Plain}}, Page64KB); err != nil || l.Capacity() != 1 {
		t.Errorf("plain: %+v, %v", l, err)
	}
	if l, err := NewLayout(nil, Page2MB); err != nil || l.Capacity() != 1 {
		t.Errorf("nothing: %+v, %v", l, err)
	}
}

func TestParseTargets(t *testing.T) {
	r, err := ParseTargets(" in=4, out = 4/3 ,*=1")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Target{"in": Four, "out": FourThirds, "other": One} {
		if got, named := r.Of(name); got != want || named != (name != "other") {
			t.Errorf("%s has target %s, named %v", name, got, named)
		}
	}
	if !slices.Equal(r.Names(), []string{"in", "out"}) {
		t.Errorf("names %v", r.Names())
	}
	if r, err = ParseTargets("in=2"); err != nil {
		t.Fatal(err)
	}
	if got, _ := r.Of("other"); got != Plain {
		t.Errorf("an allocation without a rule has target %s", got)
	}
	if r, err = ParseTargets("16"); err != nil {
		t.Fatal(err)
	}
	if got, _ := r.Of("any"); got != Sixteen {
		t.Errorf("the target of all is %s", got)
	}
	for _, bad := range []string{"", "3", "a=", "=2", "a=2,a=4", "2,4", "a=2,,b=2", strings.Repeat("a=2,", 2000)} {
		if _, err := ParseTargets(bad); err == nil {
			t.Errorf("%.20q is accepted", bad)
		}
	}
	text := FormatTargets([]Allocation{{"x", 128, FourThirds}, {"y", 128, Plain}})
	if text != "x=4/3,y=plain" {
		t.Errorf("written as %s", text)
	}
}
