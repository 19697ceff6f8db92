// Package compile turns PTX text into kernels of decoded instructions. Load parses
// and checks a module; Kernel compiles one of its kernels.
//
// The passes run in this order, each in a file of its name: resolve, select, flow
// (blocks and post-dominators), uniformity (which values may be the same, or grow
// evenly, over the lanes), live (liveness and register slots), emit. phase.go
// enforces the order.
//
// To add an instruction, write a select function that reads its modifiers and
// makes a node, and name it in opcodes. If no loop over 32 lanes in package
// execute computes it, give the node a lane function of package arith.
package compile
