package dram

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Peak bandwidth by arithmetic: channels x bytes a command clock x MHz, in MB/s.
func TestPeakBandwidthOfBoards(t *testing.T) {
	for _, c := range []struct {
		board              string
		spec               Spec
		channels, mhz      int
		megabytesPerSecond int
	}{
		{"GTX 480, 12 chips of 32 bits", GTX480(), 12, 924, 177_408},
		{"GTX 580, 12 chips of 32 bits", GTX580(), 12, 1002, 192_384},
		{"P100, 4 stacks of 8 channels", P100(), 32, 715, 732_160},
		{"V100, 4 stacks of 8 channels", V100(), 32, 850, 870_400},
		{"DRAMsim3's HBM2, one stack", HBM2_8Gb(), 8, 1000, 256_000},
		{"RTX 2060, 12 channels of 16 bits", GDDR6(), 12, 1750, 336_000},
		{"RTX 3090, 24 channels of 16 bits", GDDR6X(), 24, 1219, 936_192},
		{"RTX 4090, 24 channels of 16 bits", GDDR6X21(), 24, 1313, 1_008_384},
		{"Jetson AGX Orin, 16 channels of 16 bits", LPDDR5(), 16, 800, 204_800},
		{"A100, 5 stacks of 16 pseudo-channels", A100(), 80, 1215, 1_555_200},
		{"H100, 5 stacks of 32 pseudo-channels", H100(), 160, 1309, 3_351_040},
		{"H200, 6016 bits", H200(), 188, 1600, 4_812_800},
	} {
		if got := c.channels * c.spec.BytesPerCommandClock * c.mhz; got != c.megabytesPerSecond {
			t.Errorf("%s: %d MB/s, want %d", c.board, got, c.megabytesPerSecond)
		}
	}
}

// Nanoseconds survive a change of clock; what is clocks by nature stays.
func TestClockChangeKeepsNanoseconds(t *testing.T) {
	from := HBM2_8Gb()
	to := from.At(1000, 1215)
	for _, c := range []struct {
		symbol    string
		got, want int
	}{
		{"RCD", to.RCD, 18}, {"RAS", to.RAS, 42}, {"RFC", to.RFC, 316}, {"REFI", to.REFI, 4738},
		{"CCD", to.CCD, from.CCD}, {"CCDL", to.CCDL, from.CCDL}, {"burst", to.BurstBytes, from.BurstBytes},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.symbol, c.got, c.want)
		}
	}
	if same := from.At(1000, 1000); same.RCD != from.RCD || same.REFI != from.REFI {
		t.Error("the same clock changes values")
	}
}

// A pseudo-channel has half the bus and half the row of its channel, and the same
// times; bursts of four beats take two clocks in both.
func TestPseudoChannelIsHalfAChannel(t *testing.T) {
	whole, half := HBM2_8Gb(), HBM2_8Gb().PseudoChannel()
	w, h := resolve(t, whole, 64), resolve(t, half, 32)
	if h.BurstCycles != 2 || w.BurstCycles != 2 || h.RowBytes*2 != w.RowBytes || h.between != w.between {
		t.Errorf("whole %+v, half %+v", *w, *h)
	}
}

// Every value of every device has a symbol of its own, a unit, a meaning and a
// source; what GPGPU-Sim leaves out names where it comes from.
func TestEveryValueHasASource(t *testing.T) {
	for name, d := range devices() {
		for _, c := range Constants {
			if d.spec.SourceOf(c.Path) == "" {
				t.Errorf("%s: %s has no source", name, c.Path)
			}
		}
		exceptions := map[string]bool{}
		for _, e := range d.spec.Exceptions {
			if !slices.ContainsFunc(Constants, func(c Constant) bool { return c.Symbol == e.Symbol }) || exceptions[e.Symbol] {
				t.Errorf("%s: the source of %q, which is no constant or has two", name, e.Symbol)
			}
			exceptions[e.Symbol] = true
		}
	}
	s := GTX480().GDDR5Refresh(924)
	for _, c := range Constants {
		source := s.SourceOf(c.Path)
		if fromDRAMsim3 := strings.Contains(source, "DRAMsim3"); fromDRAMsim3 != strings.Contains(" FAW 32AW REFI RFC RFCPB RREFD ", " "+c.Symbol+" ") {
			t.Errorf("%s is from %s", c.Symbol, source)
		}
	}
	h100, h200 := H100(), H200()
	if a, b := h100.SourceOf("rfc"), h200.SourceOf("rfc"); a == b || !strings.Contains(b, "12 Gb") || h100.SourceOf("banks") != h200.SourceOf("banks") {
		t.Errorf("RFC of H100 and H200: %s; %s", a, b)
	}
}

// The bank groups of DRAMsim3's HBM2 map lie above the banks: blocks 8 KB apart in
// a channel's own space differ in the group, which is the low part of the bank.
func TestGroupBitsAboveBankBits(t *testing.T) {
	m, err := ParseAddressMap(MapHBM2_8Gb, 8, HashNone)
	if err != nil {
		t.Fatal(err)
	}
	for local, want := range map[uint64]uint8{0: 0, 2 << 10: 4, 4 << 10: 8, 8 << 10: 1, 16 << 10: 2, 26 << 10: 4 + 1 + 2} {
		if got := m.Place(local).Bank; got != want {
			t.Errorf("%#x lies in bank %d, want %d", local, got, want)
		}
	}
	if m.RowBytes() != 2048 || m.Banks() != 16 {
		t.Errorf("rows of %d bytes, %d banks", m.RowBytes(), m.Banks())
	}
}

// TestConstants: each constant has a path, a symbol and a name of its own, and each number of a Spec is one.
func TestConstants(t *testing.T) {
	seen := map[string]bool{}
	places := map[*int]bool{}
	var s Spec
	for _, c := range Constants {
		if c.Path == "" || c.Symbol == "" || c.What == "" || seen[c.Path] || seen["symbol "+c.Symbol] || (c.of != nil) != (c.High > 0) || (c.Unit == "") != (c.of == nil) {
			t.Errorf("%+v", c)
		}
		seen[c.Path], seen["symbol "+c.Symbol] = true, true
		if c.of != nil {
			places[c.of(&s)] = true
		}
	}
	for v, i := reflect.ValueOf(&s).Elem(), 0; i < v.NumField(); i++ {
		if n, ok := v.Field(i).Addr().Interface().(*int); ok && !places[n] {
			t.Errorf("%s is no constant", v.Type().Field(i).Name)
		}
	}
}
