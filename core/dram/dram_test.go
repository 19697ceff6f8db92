package dram

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

func resolve(t testing.TB, s Spec, mag int) *Timing {
	r, err := s.Resolve(mag)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// The derived constants as GPGPU-Sim prints them for this configuration.
func TestGTX480DerivedConstants(t *testing.T) {
	r := resolve(t, GTX480(), 32)
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"burst", r.BurstCycles, 2}, {"tRCDWR", r.Distance(Activate, Write, SameBank), 7}, {"tRTW", r.Distance(Read, Write, Anywhere), 12},
		{"tWTR", r.Distance(Write, Read, Anywhere), 11}, {"tWTP", r.Distance(Write, Precharge, SameBank), 18}, {"tCCD", r.CCDS, 2},
		{"tCCDL", r.Distance(Read, Read, SameGroup), 3}, {"tRTP", r.Distance(Read, Precharge, SameBank), 2},
	} {
		if c.got != c.want {
			t.Errorf("%s is %d cycles, want %d", c.name, c.got, c.want)
		}
	}
}

// A MAG of 16 bytes halves the bus time of a burst, 64 bytes doubles it.
func TestBurstTimeFollowsMAG(t *testing.T) {
	for mag, want := range map[int]uint64{16: 1, 32: 2, 64: 4} {
		if r := resolve(t, GTX480(), mag); r.BurstCycles != want || r.CCDS != want {
			t.Errorf("MAG %d: burst %d, CCD %d cycles, want %d", mag, r.BurstCycles, r.CCDS, want)
		}
	}
}

func TestSpecRefusesNonsense(t *testing.T) {
	for name, edit := range map[string]func(*Spec){
		"banks": func(s *Spec) { s.Banks = 12 }, "groups": func(s *Spec) { s.BankGroups = 3 },
		"rows": func(s *Spec) { s.RowBytes = 100 }, "refresh": func(s *Spec) { s.REFI, s.RFC = 10, 20 },
		"RCD": func(s *Spec) { s.RCD = 0 },
	} {
		s := GTX480()
		edit(&s)
		if _, err := s.Resolve(32); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	s := GTX480()
	if _, err := s.Resolve(24); err == nil {
		t.Error("MAG 24: no error")
	}
}

// A bank that is refreshed in its turn must be closed before the next one's turn, or the controller falls behind: each
// distance on the way there is held against the interval.
func TestRefreshOfEachBankHasTime(t *testing.T) {
	for name, edit := range map[string]func(*Spec, int){
		"RP": func(s *Spec, n int) { s.RP = n }, "RREFD": func(s *Spec, n int) { s.RREFD = n },
		"pbR2pbR": func(s *Spec, n int) { s.RREF = n }, "RRD_S": func(s *Spec, n int) { s.RRD = n },
		"RC": func(s *Spec, n int) { s.RC = n }, "WR": func(s *Spec, n int) { s.WR = n },
		"RAS": func(s *Spec, n int) { s.RAS = n }, "RTP": func(s *Spec, n int) { s.RTP = n },
	} {
		s := HBM3()
		if _, err := s.Resolve(32); err != nil {
			t.Fatal(err)
		}
		edit(&s, s.REFI/s.Banks)
		_, err := s.Resolve(32)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "longer REFI") {
			t.Errorf("%s as long as the time from one bank's refresh to the next's: %v", name, err)
		}
		s.Refresh = RefreshAllBanks
		if _, err := s.Resolve(32); err != nil {
			t.Errorf("%s, with all banks refreshed at once: %v", name, err)
		}
	}
}

func TestIllegalIssuePanics(t *testing.T) {
	ch := NewChannel(resolve(t, GTX480(), 32))
	ch.Issue(Activate, 0, 1, 0)
	defer func() {
		if recover() == nil {
			t.Error("a read one cycle early did not panic")
		}
	}()
	ch.Issue(Read, 0, 1, 11)
}

func TestAddressMapIsInvertible(t *testing.T) {
	for _, text := range []string{MapGTX480, MapGTX480Rows4K, MapP100, MapV100, MapRTX2060, MapA100, MapGDDR5_8Gb_x32, MapHBM2_8Gb} {
		for _, channels := range []int{1, 3, 12, 32} {
			for hash := HashNone; hash <= HashBoth; hash++ {
				m, err := ParseAddressMap(text, channels, hash)
				if err != nil {
					t.Fatal(err)
				}
				checkBijection(t, &m, text, channels, hash)
			}
		}
	}
}

func checkBijection(t *testing.T, m *AddressMap, text string, channels int, hash Hash) {
	type where struct {
		channel int
		place   Place
	}
	seen := map[where]bool{}
	r := sim.NewRand(1, 1)
	base := uint64(0xc000_0000)
	for i := range 6000 {
		a := base + uint64(i)*128
		if i >= 3000 {
			a = (uint64(r.Uint32())<<4 | uint64(r.Intn(16))) &^ 127 // up to 64 GB
		}
		channel, local := m.Split(a)
		if channel < 0 || channel >= channels || m.Join(channel, local) != a {
			t.Fatalf("%s x%d hash %d: %#x -> channel %d local %#x -> %#x", text, channels, hash, a, channel, local, m.Join(channel, local))
		}
		p := m.Place(local)
		if m.Local(p) != local || int(p.Column)+128 > m.RowBytes() || int(p.Bank) >= m.Banks() {
			t.Fatalf("%s x%d hash %d: local %#x -> %+v -> %#x", text, channels, hash, local, p, m.Local(p))
		}
		if i < 3000 {
			w := where{channel, p}
			if seen[w] {
				t.Fatalf("%s x%d hash %d: two blocks at %+v", text, channels, hash, w)
			}
			seen[w] = true
		}
	}
}

// The GTX480 string by hand: channel is address/256 modulo 12, the quotient
// above the low 8 bits, then bits 8 and 13 to 15 are the bank.
func TestGTX480MapByHand(t *testing.T) {
	m, err := ParseAddressMap(MapGTX480Rows4K, 12, HashNone)
	if err != nil {
		t.Fatal(err)
	}
	const local = uint64(0x0123_0000 | 5<<13 | 9<<9 | 1<<8 | 0xc0)
	channel, got := m.Split((local>>8*12+7)<<8 | local&0xff)
	if channel != 7 || got != local {
		t.Fatalf("channel %d local %#x", channel, got)
	}
	if p := m.Place(local); p != (Place{Row: 0x123, Bank: 5<<1 | 1, Column: 9<<8 | 0xc0}) {
		t.Errorf("place %+v", p)
	}
	if m.RowBytes() != 4096 || m.Banks() != 16 {
		t.Errorf("rows of %d bytes, %d banks", m.RowBytes(), m.Banks())
	}
}

func TestAddressMapRefusesNonsense(t *testing.T) {
	for _, text := range []string{"", "dramid@8", "dramid@3; RRBBCCSSSSSSSS", "dramid@8; RRBBBBCC.CCCBSSSSS", "dramid@8; CCRRBBCCSSSSSS", "dramid@8; RRXCCSSSSSS", "dramid@8; BBCCCCSSSSSS"} {
		if _, err := ParseAddressMap(text, 12, HashNone); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func FuzzAddressMapInverse(f *testing.F) {
	f.Add(uint64(0xc0000000), uint8(12), uint8(0))
	f.Add(uint64(0xc0012345), uint8(7), uint8(3))
	f.Fuzz(func(t *testing.T, a uint64, channels, hash uint8) {
		a &= 1<<40 - 1
		m, err := ParseAddressMap(MapGTX480, int(channels)+1, Hash(hash&3))
		if err != nil {
			t.Fatal(err)
		}
		channel, local := m.Split(a)
		if back := m.Join(channel, m.Local(m.Place(local))); back != a {
			t.Errorf("%#x came back as %#x", a, back)
		}
	})
}

func BenchmarkSplitAndPlace(b *testing.B) {
	m, _ := ParseAddressMap(MapGTX480, 12, HashNone)
	var sum uint64
	for i := 0; b.Loop(); i++ {
		_, local := m.Split(0xc0000000 + uint64(i)*128)
		sum += uint64(m.Place(local).Bank)
	}
	_ = sum
}
