// A codec for Burstscope in Go, for TinyGo: Go's own compiler puts a runtime into a module that imports functions and
// uses floating point. Write a file like fpc.go beside this one, and compile the folder with
//
//	tinygo build -target wasm-unknown -gc none -scheduler none -panic trap -no-debug -opt 2 -o mine.wasm .
//
// With -gc none whatever would be allocated on the heap is an error, and a codec needs nothing there.
package main

import "unsafe"

const (
	blockBytes  = 128
	codeBytes   = 192
	rawBits     = 1024
	batchBlocks = 64
)

var (
	theBlock [blockBytes / 4]uint32 // words with their lowest byte first
	theCode  [codeBytes]byte        // the first bit is the highest of the first byte
	theBatch [batchBlocks][blockBytes / 4]uint32
	theSizes [batchBlocks]int32
)

//export describe
func describe() unsafe.Pointer { return unsafe.Pointer(unsafe.StringData(description)) }

//export block
func block() unsafe.Pointer { return unsafe.Pointer(&theBlock) }

//export code
func code() unsafe.Pointer { return unsafe.Pointer(&theCode) }

//export size
func size() int32 { return sizeOf(&theBlock) }

//export batch
func batch() unsafe.Pointer { return unsafe.Pointer(&theBatch) }

//export sizes
func sizes(n int32) unsafe.Pointer {
	for i := int32(0); i < n && i < batchBlocks; i++ {
		theSizes[i] = sizeOf(&theBatch[i])
	}
	return unsafe.Pointer(&theSizes)
}

// put writes the lowest bits of a value to the code at a bit, and get reads them.
func put(at int32, v uint32, bits int32) int32 {
	for bits--; bits >= 0; bits-- {
		mask := byte(0x80) >> (at & 7)
		theCode[at>>3] &^= mask
		if v>>bits&1 != 0 {
			theCode[at>>3] |= mask
		}
		at++
	}
	return at
}

func get(at, bits int32) (v uint32) {
	for ; bits > 0; bits-- {
		v = v<<1 | uint32(theCode[at>>3]>>(7-at&7)&1)
		at++
	}
	return v
}

func main() {}
