package datafile

import (
	"encoding/binary"
	"io"
)

// openTFLite reads the constant tensors of a model of TensorFlow Lite. Numbers of fields and of types come from
// tensorflow/tensorflow, tensorflow/compiler/mlir/lite/schema/schema.fbs; the format comes from google/flatbuffers,
// "FlatBuffer Internals".
func openTFLite(src io.ReaderAt, size int64) ([]Array, error) {
	f := &flatbuffer{src: src, size: size}
	model := f.pointer(0)
	buffers, bufferCount := f.vector(model, tfliteBuffers, 4)
	graphs, graphCount := f.vector(model, tfliteSubgraphs, 4)
	var list []Array
	taken := map[int64]bool{} // buffers: tensors that share one are one array
	for g := int64(0); g < graphCount && f.err == nil; g++ {
		tensors, n := f.vector(f.pointer(graphs+4*g), tfliteTensors, 4)
		for i := int64(0); i < n && f.err == nil; i++ {
			f.spend(tensors, 4)
			t := f.pointer(tensors + 4*i)
			number := int64(f.number(t, tfliteTensorBuffer, 4))
			if number >= bufferCount {
				f.failAt(t, "a tensor with buffer %d of %d", number, bufferCount)
				continue
			}
			if taken[number] {
				continue
			}
			if a, ok := f.tensor(t, f.pointer(buffers+4*number)); ok {
				taken[number] = true
				list = append(list, a)
			}
		}
	}
	return list, f.err
}

// Fields of tables.
const (
	tfliteSubgraphs, tfliteBuffers = 2, 4 // of Model
	tfliteTensors                  = 0    // of SubGraph

	tfliteShape, tfliteType, tfliteTensorBuffer = 0, 1, 2 // of Tensor
	tfliteName, tfliteSparsity                  = 3, 6

	tfliteData, tfliteOffset, tfliteSize = 0, 1, 2 // of Buffer
)

// tfliteTypes are the types of TensorType by their numbers.
var tfliteTypes = [...]struct {
	t    Type
	bits int64  // of an element that is counted as bytes
	name string // of such a type
}{
	{t: F32}, {t: F16}, {t: I32}, {t: U8}, {t: I64}, {}, {t: Bool}, {t: I16}, {t: C64}, {t: I8}, {t: F64}, {t: C128},
	{t: U64}, {}, {}, {t: U32}, {t: U16}, {U8, 4, "INT4"}, {t: BF16}, {U8, 2, "INT2"}, {U8, 4, "UINT4"}, {t: F8}, {t: F8},
}

// tensor returns a tensor whose buffer holds data. Strings, resources and variants are left out: they are no numbers.
func (f *flatbuffer) tensor(t, buffer int64) (a Array, ok bool) {
	data, bytes := f.vector(buffer, tfliteData, 1)
	if offset := f.number(buffer, tfliteOffset, 8); offset > 1 { // a large model has its data after its tables
		n := f.number(buffer, tfliteSize, 8)
		if offset > uint64(f.size) || n > uint64(f.size)-offset {
			f.failAt(buffer, "a buffer of %d bytes at byte %d of %d: the file is cut off or damaged", n, offset, f.size)
		}
		data, bytes = int64(offset), int64(n)
	}
	if f.err != nil || bytes == 0 {
		return a, false
	}
	kind := f.number(t, tfliteType, 1)
	if kind >= uint64(len(tfliteTypes)) {
		f.failAt(t, "a tensor of the type %d, which is unknown here", kind)
		return a, false
	}
	k := tfliteTypes[kind]
	if k.t == NoType {
		return a, false
	}
	at, length := f.vector(t, tfliteName, 1)
	name := make([]byte, f.spend(t, min(length, maxNameBytes)))
	f.read(name, at)
	at, length = f.vector(t, tfliteShape, 4)
	if length > maxDims {
		f.failAt(t, "tensor %.40q has %d dimensions: at most %d are read", name, length, maxDims)
		return a, false
	}
	shape := make([]int64, f.spend(t, 4*length)/4)
	for i := range shape {
		var b [4]byte
		f.read(b[:], at+4*int64(i))
		shape[i] = int64(int32(binary.LittleEndian.Uint32(b[:])))
	}
	bits := 8 * int64(k.t.Bytes())
	if k.bits > 0 {
		bits = k.bits
	}
	n, fits := count(shape, 1<<50)
	sparse := f.field(t, tfliteSparsity) != 0
	switch {
	case f.err != nil:
		return a, false
	case sparse && bytes*8%bits == 0:
		shape = []int64{bytes * 8 / bits} // the numbers that are not zero
	case !fits || (n*bits+7)/8 != bytes:
		f.failAt(t, "tensor %.40q has %d bytes, but its shape needs another number", name, bytes)
		return a, false
	}
	a = section(f.src, string(name), k.t, shape, data, bytes, 0)
	a.Counted = k.name
	return a, true
}

// flatbuffer reads tables at their places. After the first error everything is zero.
type flatbuffer struct {
	src  io.ReaderAt
	size int64
	err  error
	// spent are the bytes of all names, shapes and places of tensors. A damaged file could point to one again and again.
	spent int64
}

// spend returns n if all that was spent so far fits into the file.
func (f *flatbuffer) spend(at, n int64) int64 {
	if f.spent += n; f.spent > f.size {
		f.failAt(at, "tables of %d bytes in a file of %d: the file is damaged", f.spent, f.size)
		return 0
	}
	return n
}

func (f *flatbuffer) failAt(at int64, format string, args ...any) {
	if f.err == nil {
		f.err = faultAt(at, format, args...)
	}
}

// read fills b from a place.
func (f *flatbuffer) read(b []byte, at int64) {
	if f.err != nil {
		clear(b)
		return
	}
	if at < 0 || at+int64(len(b)) > f.size {
		clear(b)
		f.failAt(min(max(at, 0), f.size), "a table points outside the file: it is cut off or damaged")
		return
	}
	if f.err = readAt(f.src, b, at, "a table"); f.err != nil {
		clear(b)
	}
}

func (f *flatbuffer) uint32(at int64) int64 {
	var b [4]byte
	f.read(b[:], at)
	return int64(binary.LittleEndian.Uint32(b[:]))
}

// pointer follows an offset that stands at a place.
func (f *flatbuffer) pointer(at int64) int64 { return at + f.uint32(at) }

// field returns the place of a field of a table, 0 if the table lacks it.
func (f *flatbuffer) field(table int64, field int) int64 {
	vtable := table - int64(int32(f.uint32(table)))
	var b [2]byte
	f.read(b[:], vtable)
	if at := 4 + 2*int64(field); at+2 <= int64(binary.LittleEndian.Uint16(b[:])) {
		f.read(b[:], vtable+at)
		if of := int64(binary.LittleEndian.Uint16(b[:])); of != 0 && f.err == nil {
			return table + of
		}
	}
	return 0
}

// number returns a field that is a number of some bytes, 0 if the table lacks it.
func (f *flatbuffer) number(table int64, field, bytes int) uint64 {
	at := f.field(table, field)
	if at == 0 {
		return 0
	}
	var b [8]byte
	f.read(b[:bytes], at)
	return binary.LittleEndian.Uint64(b[:])
}

// vector returns the place of the first element of a field that is a list, and how many there are.
func (f *flatbuffer) vector(table int64, field int, elementBytes int64) (at, n int64) {
	p := f.field(table, field)
	if p == 0 {
		return 0, 0
	}
	at = f.pointer(p)
	if n = f.uint32(at); n > (f.size-at-4)/elementBytes {
		f.failAt(at, "a list of %d elements in a file of %d bytes: the file is cut off or damaged", n, f.size)
		return 0, 0
	}
	return at + 4, n
}
