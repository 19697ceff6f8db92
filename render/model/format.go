package model

import (
	"math"
	"strconv"
)

// Count writes a number with a comma between thousands.
func Count(n int) string {
	if n < 0 {
		return "−" + Count(-n)
	}
	if n < 1000 {
		return strconv.Itoa(n)
	}
	low, zeros := n%1000, ""
	if low < 10 {
		zeros = "00"
	} else if low < 100 {
		zeros = "0"
	}
	return Count(n/1000) + "," + zeros + strconv.Itoa(low)
}

// fixed writes a number that is not negative with so many digits after the point;
// halves are rounded up.
func fixed(v float64, digits int) string {
	unit := 1
	for range digits {
		unit *= 10
	}
	n := int(math.Floor(v*float64(unit) + 0.5))
	if digits == 0 {
		return strconv.Itoa(n)
	}
	part := strconv.Itoa(n % unit)
	for k := unit / 10; k > 1 && n%unit < k; k /= 10 {
		part = "0" + part
	}
	return strconv.Itoa(n/unit) + "." + part
}

// narrow stands between a number and its unit: a thin space that no line breaks at.
const narrow = "\u202f"

// Share writes part of whole as a percentage: one digit below 10 %, none above.
func Share(part, whole int) string {
	if whole <= 0 {
		return "0" + narrow + "%"
	}
	p := 100 * float64(part) / float64(whole)
	if p > 0 && p < 9.95 {
		return fixed(p, 1) + narrow + "%"
	}
	return fixed(p, 0) + narrow + "%"
}

// ByteCount writes a size with the unit that keeps it below 1000.
func ByteCount(bytes float64) string {
	switch {
	case bytes < 1e3:
		return fixed(bytes, 0) + narrow + "B"
	case bytes < 1e6:
		return fixed(bytes/1e3, 1) + narrow + "kB"
	case bytes < 1e9:
		return fixed(bytes/1e6, 1) + narrow + "MB"
	}
	return fixed(bytes/1e9, 2) + narrow + "GB"
}

// Hex writes an address.
func Hex(addr uint64) string { return "0x" + strconv.FormatUint(addr, 16) }

// bytesOf rounds a size in bits up to bytes.
func bytesOf(bits uint16) int { return (int(bits) + 7) / 8 }

func plural(n int, one, many string) string {
	if n == 1 {
		return Count(n) + " " + one
	}
	return Count(n) + " " + many
}
