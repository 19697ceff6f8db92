package dram

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// The address maps of the presets, in GPGPU-Sim's notation: channel = bits above
// the one named, modulo the channels; the quotient is joined to the bits below
// and read as row (R), bank (B), column (C) and byte (S), most significant first.
// Bits written G are the bank group; without G the lowest bank bits are.
const (
	// MapGTX480Rows4K is the string of GPGPU-Sim's SM2_GTX480; its columns span 4 KB.
	MapGTX480Rows4K = "dramid@8; 0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS"
	// MapGTX480 is the same with the 2 KB rows of the device: one column bit less.
	MapGTX480 = "dramid@8; 0000RRRR.RRRRRRRR.RBBBCCCB.CCSSSSSS"
	// MapGTX480v3 is the string of GPGPU-Sim 3.2.1's GTX480: rows of two chips, 4 KB.
	MapGTX480v3 = "dramid@8; 0000RRRR.RRRRRRRR.BBBBCCCC.CCSSSSSS"
	// MapGTX480v3x32 is the same with the 2 KB rows of one chip.
	MapGTX480v3x32 = "dramid@8; 000RRRRR.RRRRRRRR.RBBBBCCC.CCSSSSSS"
	// MapGTX480v322 is the string of GPGPU-Sim 3.2.2's GTX480, MapGTX480Rows4K, without its lowest bank bit: that bit
	// is the sub-partition there, and part of the channel here. Twelve channels in turn are six in turn, twice.
	MapGTX480v322 = "dramid@8; 00000RRR.RRRRRRRR.RBBBCCCC.CCSSSSSS"
	// MapP100 is the string of GPGPU-Sim's P100 configuration.
	MapP100 = "dramid@8; RRRR.RRRRRRRR.RBBBBCCC.CCCSSSSS"
	// MapV100 is the string of GPGPU-Sim's SM7_QV100.
	MapV100 = "dramid@8; RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS"
	// MapRTX2060 is the string of GPGPU-Sim's SM75_RTX2060.
	MapRTX2060 = "dramid@8; RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS"
	// MapGDDR5_8Gb_x32 is DRAMsim3's rochrababgco for one chip.
	MapGDDR5_8Gb_x32 = "dramid@8; RRRR.RRRRRRRR.BBBBCCCC.CCCSSSSS"
	// MapHBM2_8Gb is DRAMsim3's rorabgbachco: a channel keeps whole rows of 2 KB,
	// the bank group lies above the bank.
	MapHBM2_8Gb = "dramid@11; RRRRRRRR.RGGBBCCC.CCCSSSSS"
	// MapA100 is MapV100 for the 1 KB rows of a pseudo-channel [ours].
	MapA100 = "dramid@8; RRRR.RRRRRRRR.RRBBBCCB.CCCSSSSS"
	// MapHBM3 is the string of Accel-Sim's SM90_H200 for the 1 KB rows and 32 banks of a
	// pseudo-channel [ours].
	MapHBM3 = "dramid@8; RRRR.RRRRRRRR.RBBBBCCC.BCCSSSSS"
)

// Hash says how an AddressMap spreads addresses beyond plain bit fields. Every
// choice is invertible.
type Hash uint8

const (
	HashNone Hash = iota
	// HashBank: bank ^= low row bits (permutation-based interleaving; Zhang, Zhu,
	// Zhang, MICRO 2000), so equal strides do not meet in one bank.
	HashBank
	// HashChannel: the channel is rotated by a fold of the quotient, so strides
	// that are multiples of channels x 256 bytes do not meet in one channel [ours].
	HashChannel
	// HashBoth does both.
	HashBoth
)

// AddressMap maps device addresses to channels, banks, rows and columns.
type AddressMap struct {
	channels      uint64
	channelShift  uint // addresses below 1<<channelShift stay in one channel
	hash          Hash
	bank, column  field
	group         field // below the bank in the bank's number
	rowShift      uint
	bankMask      uint64
	columnBits    uint
	interleaveAnd uint64
}

// field gathers up to four runs of address bits into one number.
type field struct {
	run  [4]run
	runs int
}

type run struct {
	shift uint   // place of the run's lowest bit in the address
	mask  uint64 // bits of the run in the address
	at    uint   // place of the run's lowest bit in the number
}

// Place is a block's place inside its channel.
type Place struct {
	Row    uint32
	Column uint32 // byte offset in the row
	Bank   uint8
}

// ParseAddressMap reads a map in the notation of the constants above. Row bits
// continue upwards without limit. The lowest seven bits must be column and byte bits,
// so that a 128-byte block lies in one row of one bank.
func ParseAddressMap(text string, channels int, hash Hash) (AddressMap, error) {
	head, body, found := strings.Cut(text, ";")
	digits, named := strings.CutPrefix(strings.TrimSpace(head), "dramid@")
	shift, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || !named || !found {
		return AddressMap{}, fmt.Errorf("dram: address map %q: want \"dramid@<bit>; <fields>\"", text)
	}
	if channels < 1 || shift < 7 || shift > 30 {
		return AddressMap{}, fmt.Errorf("dram: address map %q for %d channels: want at least one channel and dramid between 7 and 30", text, channels)
	}
	m := AddressMap{channels: uint64(channels), channelShift: uint(shift), hash: hash, interleaveAnd: 1<<shift - 1}
	body = strings.ReplaceAll(strings.TrimSpace(body), ".", "")
	rowSeen := false
	for i := range body {
		at := uint(i)
		ok := true
		switch letter := body[len(body)-1-i]; letter {
		case 'S', 'C':
			ok = m.column.push(at) && !rowSeen
		case 'B':
			ok = m.bank.push(at) && at >= 7 && !rowSeen
		case 'G':
			ok = m.group.push(at) && at >= 7 && !rowSeen
		case 'R':
			if !rowSeen {
				rowSeen, m.rowShift = true, at
			}
		case '0':
			ok = rowSeen
		default:
			ok = false
		}
		if !ok {
			return AddressMap{}, fmt.Errorf("dram: address map %q: bit %d is not possible there: want rows on top, banks and groups above bit 6, C or S below, at most four runs of each", text, at)
		}
	}
	if !rowSeen || m.column.width() < 7 {
		return AddressMap{}, fmt.Errorf("dram: address map %q: want row bits and at least seven column and byte bits", text)
	}
	m.bankMask = 1<<(m.bank.width()+m.group.width()) - 1
	m.columnBits = m.column.width()
	return m, nil
}

func (f *field) width() uint {
	w := uint(0)
	for _, r := range f.run[:f.runs] {
		w += uint(bits.OnesCount64(r.mask))
	}
	return w
}

// push appends one address bit above the field's bits.
func (f *field) push(at uint) bool {
	w := f.width()
	if n := f.runs; n > 0 && f.run[n-1].mask>>(at-1)&1 != 0 {
		f.run[n-1].mask |= 1 << at
		return true
	}
	if f.runs == len(f.run) {
		return false
	}
	f.run[f.runs] = run{shift: at, mask: 1 << at, at: w}
	f.runs++
	return true
}

func (f *field) gather(a uint64) uint64 {
	v := uint64(0)
	for _, r := range f.run[:f.runs] {
		v |= a & r.mask >> (r.shift & 63) << (r.at & 63)
	}
	return v
}

func (f *field) scatter(v uint64) uint64 {
	a := uint64(0)
	for i := range f.runs {
		r := &f.run[i]
		a |= v >> r.at << r.shift & r.mask
	}
	return a
}

// Channels returns the number of channels.
func (m *AddressMap) Channels() int { return int(m.channels) }

// Banks returns the number of banks of a channel.
func (m *AddressMap) Banks() int { return int(m.bankMask) + 1 }

// RowBytes returns the size of a row of one bank.
func (m *AddressMap) RowBytes() int { return 1 << m.columnBits }

// Split returns the channel of a device address and its place in the channel's
// own address space, in which consecutive pieces of one channel are adjacent.
func (m *AddressMap) Split(a uint64) (channel int, local uint64) {
	piece := a >> m.channelShift
	q := piece / m.channels
	c := piece - q*m.channels
	if m.hash&HashChannel != 0 {
		c = (c + fold(q)) % m.channels
	}
	return int(c), q<<m.channelShift | a&m.interleaveAnd
}

// Channel returns the channel of a device address.
func (m *AddressMap) Channel(a uint64) int {
	c, _ := m.Split(a)
	return c
}

// Join is the inverse of Split.
func (m *AddressMap) Join(channel int, local uint64) uint64 {
	q, c := local>>m.channelShift, uint64(channel)
	if m.hash&HashChannel != 0 {
		c = (c + m.channels - fold(q)%m.channels) % m.channels
	}
	return (q*m.channels+c)<<m.channelShift | local&m.interleaveAnd
}

// fold mixes the bits of a quotient into a small number.
func fold(q uint64) uint64 { return (q ^ q>>4 ^ q>>9 ^ q>>15) & 0xffff }

// Place returns bank, row and column of a channel's own address.
func (m *AddressMap) Place(local uint64) Place {
	bank, row := m.RowOf(local)
	return Place{Row: row, Bank: bank, Column: uint32(m.column.gather(local))}
}

// RowOf is Place without the column.
func (m *AddressMap) RowOf(local uint64) (bank uint8, row uint32) {
	r, b := local>>m.rowShift, m.bank.gather(local)
	if m.group.runs > 0 {
		b = b<<m.group.width() | m.group.gather(local)
	}
	if m.hash&HashBank != 0 {
		b ^= r & m.bankMask
	}
	return uint8(b), uint32(r)
}

// Local is the inverse of Place.
func (m *AddressMap) Local(p Place) uint64 {
	bank := uint64(p.Bank)
	if m.hash&HashBank != 0 {
		bank ^= uint64(p.Row) & m.bankMask
	}
	return uint64(p.Row)<<m.rowShift | m.bank.scatter(bank>>m.group.width()) | m.group.scatter(bank) | m.column.scatter(uint64(p.Column))
}

// PieceBytes returns how many consecutive bytes stay in one channel.
func (m *AddressMap) PieceBytes() uint64 { return 1 << m.channelShift }
