package main

// Frequent Pattern Compression (Alameldeen and Wood, UW-Madison technical report 1500, 2004): each word of 32 bits has a
// prefix of three bits for its pattern, as core/codec/fpc has it.
const description = "name: fpc-plugin\n" +
	"source: UW-Madison TR-1500; latencies of E2MC (IPDPS 2017), table VI\n" +
	"kind: lossless\n" +
	"mhz: 1002\n" +
	"compressCycles: 6\n" +
	"decompressCycles: 10\n\x00"

const (
	zeroRun    = iota // followed by 3 bits: run length less 1
	signed4           // sign-extended nibble
	signed8           // sign-extended byte
	signed16          // sign-extended halfword
	highHalf          // halfword above a zero halfword
	signed8s          // two halfwords, each a sign-extended byte
	equalBytes        // four equal bytes
	raw
)

const (
	prefixBits = 3
	maxRun     = 8
)

// dataBits follow the prefix.
var dataBits = [8]int32{3, 4, 8, 16, 16, 16, 8, 32}

// classify returns the first pattern that holds for a word other than 0.
func classify(w uint32) uint32 {
	switch {
	case w+8 < 16:
		return signed4
	case w+0x80 < 0x100:
		return signed8
	case w+0x8000 < 0x10000:
		return signed16
	case w&0xffff == 0:
		return highHalf
	case uint16(w)+0x80 < 0x100 && uint16(w>>16)+0x80 < 0x100:
		return signed8s
	case w == w<<8|w>>24:
		return equalBytes
	}
	return raw
}

func sizeOf(block *[blockBytes / 4]uint32) int32 {
	bits, run := int32(0), int32(0)
	for _, w := range block {
		if w == 0 {
			if run == 0 {
				bits += prefixBits + dataBits[zeroRun]
			}
			if run++; run == maxRun {
				run = 0
			}
			continue
		}
		run = 0
		bits += prefixBits + dataBits[classify(w)]
	}
	return min(bits, rawBits)
}

//export encode
func encode() int32 {
	bits := sizeOf(&theBlock)
	if bits == rawBits {
		return bits
	}
	at := int32(0)
	for i := 0; i < len(theBlock); i++ {
		w := theBlock[i]
		if w == 0 {
			run := 1
			for run < maxRun && i+1 < len(theBlock) && theBlock[i+1] == 0 {
				run++
				i++
			}
			at = put(put(at, zeroRun, prefixBits), uint32(run-1), dataBits[zeroRun])
			continue
		}
		pattern := classify(w)
		data := w
		switch pattern {
		case highHalf:
			data = w >> 16
		case signed8s:
			data = w>>8&0xff00 | w&0xff
		}
		at = put(put(at, pattern, prefixBits), data, dataBits[pattern])
	}
	return at
}

//export decode
func decode(bits int32) int32 {
	at := int32(0)
	for i := 0; i < len(theBlock); i++ {
		if at+prefixBits > bits {
			return 1
		}
		pattern := get(at, prefixBits)
		at += prefixBits
		if at+dataBits[pattern] > bits {
			return 1
		}
		v := get(at, dataBits[pattern])
		at += dataBits[pattern]
		switch pattern {
		case zeroRun:
			for ; v > 0 && i+1 < len(theBlock); v-- {
				theBlock[i] = 0
				i++
			}
		case signed4:
			v = uint32(int32(v<<28) >> 28)
		case signed8:
			v = uint32(int32(v<<24) >> 24)
		case signed16:
			v = uint32(int32(v<<16) >> 16)
		case highHalf:
			v <<= 16
		case signed8s:
			v = uint32(int32(v<<16)>>24)<<16 | uint32(int32(v<<24)>>24)&0xffff
		case equalBytes:
			v *= 0x01010101
		}
		theBlock[i] = v
	}
	if at != bits {
		return 1
	}
	return 0
}
