package workload

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// Difference compares two contents of an output buffer, element by element.
type Difference struct {
	Elements  uint64 `json:"elements"`
	Different uint64 `json:"different"` // elements with other bytes
	// Largest is the largest distance of two finite values. NotFinite counts the different
	// elements where one value or both are NaN or infinite.
	Largest   float64 `json:"largest"`
	NotFinite uint64  `json:"notFinite"`
	First     uint64  `json:"first"` // index of the first different element
}

// Compare compares two contents of a buffer. It is no method: the linker keeps unused methods, and the page's engine
// does not compare.
func Compare(b *Buffer, x, y []byte) Difference {
	size := b.Element.Bytes()
	if len(x) != len(y) {
		panic(fmt.Sprintf("workload: output %q has %d and %d bytes", b.Name, len(x), len(y)))
	}
	d := Difference{Elements: uint64(len(x) / size)}
	for i := range len(x) / size {
		if string(x[i*size:(i+1)*size]) == string(y[i*size:(i+1)*size]) {
			continue
		}
		if d.Different == 0 {
			d.First = uint64(i)
		}
		d.Different++
		v, w := b.Element.value(x, i), b.Element.value(y, i)
		if badNumber(v) || badNumber(w) {
			d.NotFinite++
			continue
		}
		d.Largest = max(d.Largest, math.Abs(v-w))
	}
	return d
}

// TextOf writes element i of data with all its digits.
func TextOf(e Element, data []byte, i uint64) string {
	switch e {
	case ElementU64:
		return strconv.FormatUint(binary.LittleEndian.Uint64(data[8*i:]), 10)
	case ElementS64:
		return strconv.FormatInt(int64(binary.LittleEndian.Uint64(data[8*i:])), 10)
	case ElementF32, ElementF16, ElementBF16, ElementE4M3:
		return strconv.FormatFloat(e.value(data, int(i)), 'g', -1, 32)
	case ElementF64:
		return strconv.FormatFloat(e.value(data, int(i)), 'g', -1, 64)
	}
	return strconv.FormatFloat(e.value(data, int(i)), 'f', -1, 64)
}

// BitsOf writes the bits of element i of data in hexadecimal.
func BitsOf(e Element, data []byte, i uint64) string {
	var word [8]byte
	size := e.Bytes()
	copy(word[:], data[int(i)*size:(int(i)+1)*size])
	return fmt.Sprintf("0x%0*x", 2*size, binary.LittleEndian.Uint64(word[:]))
}
