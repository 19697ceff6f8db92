//go:build !amd64

package mem

import "unsafe"

// Go code has no way to ask for memory ahead elsewhere, WebAssembly least of all.
const prefetches = false

func prefetch(unsafe.Pointer) {}
