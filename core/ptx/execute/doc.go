// Package execute runs decoded PTX instructions, one warp instruction at a time.
// Warp.Execute runs the next instruction and says which memory access, barrier or
// fence it asks for. The caller supplies timing and memory. RunFunctional is a
// caller without timing.
//
// Common operations have a loop over 32 lanes (word.go, long.go, float.go,
// double.go, compare.go). The others call the instruction's lane function for
// each lane.
//
// A register whose lanes hold base + column*x + row*y is kept as these three
// numbers (shape.go). Instructions on such registers run once for all lanes
// (shaped.go); without timing, so do their memory accesses (direct.go).
package execute
