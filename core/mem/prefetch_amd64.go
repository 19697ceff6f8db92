package mem

import "unsafe"

const prefetches = true

// prefetch asks the host for the 128 bytes at p, and does not wait for them. It changes nothing but time.
//
//go:noescape
func prefetch(p unsafe.Pointer)
