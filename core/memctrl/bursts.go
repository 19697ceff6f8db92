package memctrl

import "github.com/burstscope/burstscope/core/mem"

// moveOnly removes the bursts of a raw block that hold none of the marked bytes. It returns
// the bytes that the other bursts hold.
func (p *pending) moveOnly(some mem.ByteMask, mag int) mem.ByteMask {
	touched := burstsOf(some, mag)
	for k := range p.placed.Parts {
		p.placed.Parts[k] &= touched
	}
	return maskOf(touched, mag)
}

// burstsOf returns a bit for each burst of a block that holds a marked byte.
func burstsOf(m mem.ByteMask, mag int) uint8 {
	if mag > 64 {
		mag = 64 // a burst of a whole block holds both halves
		m = mem.ByteMask{Lo: m.Lo | m.Hi}
	}
	var b uint8
	k, burst := 0, ^uint64(0)>>(64-mag)
	for _, half := range [...]uint64{m.Lo, m.Hi} {
		for at := 0; at < 64; at += mag {
			if half>>at&burst != 0 {
				b |= 1 << k
			}
			k++
		}
	}
	return b
}

// maskOf returns the bytes of the bursts whose bits are set.
func maskOf(bursts uint8, mag int) mem.ByteMask {
	var m mem.ByteMask
	if mag > 64 {
		if bursts != 0 {
			m = mem.FullMask
		}
		return m
	}
	burst := ^uint64(0) >> (64 - mag)
	for _, half := range [...]*uint64{&m.Lo, &m.Hi} {
		for at := 0; at < 64; at += mag {
			*half |= burst << at & -uint64(bursts&1)
			bursts >>= 1
		}
	}
	return m
}
