package programs

import (
	"encoding/binary"
	"math"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// floats packs values in the device's byte order.
func floats(v []float32) []byte {
	b := make([]byte, 4*len(v))
	for i, f := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(f))
	}
	return b
}

// f32 makes a buffer of n floats; v may be nil for zeros.
func f32(name string, n int, v []float32) workload.Buffer {
	b := workload.Buffer{Name: name, Bytes: 4 * uint64(n), Element: workload.ElementF32}
	if v != nil {
		b.Init = floats(v)
	}
	return b
}

// words packs integers in the device's byte order.
func words(v []int32) []byte {
	b := make([]byte, 4*len(v))
	for i, w := range v {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(w))
	}
	return b
}

// s32 makes a buffer of n integers; v may be nil for zeros.
func s32(name string, n int, v []int32) workload.Buffer {
	b := workload.Buffer{Name: name, Bytes: 4 * uint64(n), Element: workload.ElementS32}
	if v != nil {
		b.Init = words(v)
	}
	return b
}

// u8 makes a buffer of bytes.
func u8(name string, n int, v []byte) workload.Buffer {
	return workload.Buffer{Name: name, Bytes: uint64(n), Element: workload.ElementU8, Init: v}
}

// args are buffers that a launch gets the addresses of.
type args []int

// over launches a kernel over n threads in CTAs of one size. Buffers come first, then
// numbers of 32 bits.
func over(entry string, n, threads int, buffers args, numbers ...int) workload.Launch {
	l := workload.Launch{Entry: entry, Grid: line(int(blocks(n, threads))), Block: line(threads)}
	for _, b := range buffers {
		l.Args = append(l.Args, workload.BufferArg(b))
	}
	for _, v := range numbers {
		l.Args = append(l.Args, workload.U32(uint32(v)))
	}
	return l
}

// generate returns n values of f.
func generate(n int, f func(i int) float32) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = f(i)
	}
	return v
}

// f32Of makes a buffer of n floats of f, which depends on nothing but i: parts are made side by side.
func (r *request) f32Of(name string, n int, f func(i int) float32) workload.Buffer {
	b := f32(name, n, nil)
	b.Init = make([]byte, b.Bytes)
	pieces(r.threads, n, func(from, to int) {
		for i := from; i < to; i++ {
			binary.LittleEndian.PutUint32(b.Init[4*i:], math.Float32bits(f(i)))
		}
	})
	return b
}

// pieces cuts n rows or elements into pieces and does them side by side. On one thread they are one piece.
func pieces(threads, n int, job func(from, to int)) {
	parts := 1
	if threads > 1 {
		parts = min(n, piecesOfThread*threads)
	}
	sim.Each(threads, parts, func(i int) { job(i*n/parts, (i+1)*n/parts) })
}

// piecesOfThread is more than one, because pieces of equal size take unequal time [ours].
const piecesOfThread = 8

// blocks returns how many groups of size cover n.
func blocks(n, size int) uint32 { return uint32((n + size - 1) / size) }

func line(n int) [3]uint32         { return [3]uint32{uint32(n), 1, 1} }
func square(x, y uint32) [3]uint32 { return [3]uint32{x, y, 1} }
