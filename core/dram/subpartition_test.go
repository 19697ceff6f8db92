package dram

import "testing"

// Twelve channels in turn are the sub-partitions of GPGPU-Sim 3.2.2's six channels: the same addresses meet in each, in
// the same banks, rows and columns.
func TestChannelsAreSubPartitions(t *testing.T) {
	theirs, err := ParseAddressMap(MapGTX480Rows4K, 6, HashNone)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := ParseAddressMap(MapGTX480v322, 12, HashNone)
	if err != nil {
		t.Fatal(err)
	}
	for a := uint64(0xc0000000); a < 0xc0000000+64<<20; a += 13 * 256 {
		chip, local := theirs.Split(a)
		there := theirs.Place(local)
		channel, local := ours.Split(a)
		here := ours.Place(local)
		place := Place{Row: there.Row, Column: there.Column, Bank: there.Bank >> 1}
		if channel != chip+6*int(there.Bank&1) || here != place {
			t.Fatalf("%#x: channel %d %+v, there %d %+v", a, channel, here, chip, there)
		}
	}
	if d := GTX480v322(); ours.RowBytes() != d.RowBytes || ours.Banks() != d.Banks {
		t.Errorf("rows of %d bytes in %d banks, the device has %d and %d", ours.RowBytes(), ours.Banks(), d.RowBytes, d.Banks)
	}
}
