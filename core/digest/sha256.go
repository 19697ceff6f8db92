// Package digest is SHA-256 (FIPS 180-4), the identity of scenarios and results.
//
// Natively crypto/sha256 computes it, with the host's instructions for it, at 1,420 MB/s instead of 190
// (core/BENCHMARKS.md). In WebAssembly plain.go computes the same, because crypto/sha256
// includes the whole FIPS 140 module: 36 kB of the page's engine after brotli, and 33 MB of memory for an unused
// random generator. A shorter hash would detect accidents, but people exchange scenarios and could forge it.
package digest

// Hex returns the hash of b in hexadecimal digits.
func Hex(b []byte) string {
	h := New()
	h.Write(b)
	return h.Hex()
}
