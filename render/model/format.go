package model

import (
	"fmt"
	"strconv"
)

// Count writes a number with a comma between thousands.
func Count(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "−", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Share writes part of whole as a percentage: one digit below 10 %, none above.
func Share(part, whole int) string {
	if whole <= 0 {
		return "0 %"
	}
	p := 100 * float64(part) / float64(whole)
	if p > 0 && p < 9.95 {
		return fmt.Sprintf("%.1f %%", p)
	}
	return fmt.Sprintf("%.0f %%", p)
}

// ByteCount writes a size with the unit that keeps it below 1000.
func ByteCount(bytes float64) string {
	switch {
	case bytes < 1e3:
		return fmt.Sprintf("%.0f B", bytes)
	case bytes < 1e6:
		return fmt.Sprintf("%.1f kB", bytes/1e3)
	case bytes < 1e9:
		return fmt.Sprintf("%.1f MB", bytes/1e6)
	}
	return fmt.Sprintf("%.2f GB", bytes/1e9)
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
