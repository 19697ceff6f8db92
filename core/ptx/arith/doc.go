// Package arith computes PTX operations on one lane. Values are the bits of a
// register, zero-extended to 64 bits. The results are the same on every machine.
package arith
