// Package ptx runs PTX programs one warp instruction at a time. A module is
// parsed, its names are resolved, instructions are selected, control flow gets
// its reconvergence points, registers get slots, and the result is an array of
// pre-decoded instructions. Warp.Execute runs one of them and tells the caller
// which memory access, barrier or fence it asks for; the caller supplies timing
// and memory. RunFunctional is such a caller without timing.
//
// The passes, in order, each in a file of its name: parse, resolve, select, flow
// (blocks and post-dominators), live (liveness and register slots), emit.
package ptx
