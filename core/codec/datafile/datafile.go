// Package datafile reads the numbers in a file as 128-byte blocks: raw bytes,
// NumPy's .npy and .npz, .safetensors and their index, .onnx, .tflite, .pgm and .ppm, and .png. It streams,
// so that memory stays bounded for files of any size. It checks every statement of a header
// against the file. It refuses a file of another kind by name.
package datafile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/mem"
)

// Formats by name.
const (
	Raw         = "raw"
	NPY         = "npy"
	NPZ         = "npz"
	SafeTensors = "safetensors"
	ONNX        = "onnx"
	TFLite      = "tflite"
	PNM         = "pnm"
	PNG         = "png"
	Index       = "index" // of .safetensors files: model.safetensors.index.json
)

// Formats returns the names of all formats.
func Formats() []string { return []string{Raw, NPY, NPZ, SafeTensors, ONNX, TFLite, PNM, PNG, Index} }

// Error describes an error in a file and its place.
type Error struct {
	Offset int64 // in bytes from the start of the file
	What   string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.What) }

func faultAt(offset int64, format string, args ...any) error {
	return &Error{offset, fmt.Sprintf(format, args...)}
}

// Options give facts that a file does not hold. With the zero value the file's first bytes
// decide what it is; bytes that nothing is known about are read as raw 8-bit numbers.
type Options struct {
	// Name of the file. What it says must agree with the contents.
	Name   string
	Format string
	// Type of the elements and Offset of the first one, of raw files only.
	Type   Type
	Offset int64
	// Array names the only array to take of a file with several.
	Array string
	// Beside opens a file in the folder of an index, or of a model of ONNX whose tensors lie in other files. Neither can
	// be read without it.
	Beside opener
}

// opener opens a file of size bytes.
type opener func(name string) (src io.ReaderAt, size int64, err error)

// Array is one array of numbers in a file.
type Array struct {
	Name  string
	Type  Type
	Shape []int64
	Bytes int64 // as blocks are made of them: samples of pictures unpacked
	// Counted is the name that the file gives to a type without an own reading, such as
	// F4. Its elements are counted as bytes. It is "" for all other types.
	Counted string
	// Fortran is set if the first index of several is the one that runs fastest. The order
	// of elements in the file is their order in memory.
	Fortran bool

	// An array that the file holds without compression lies at offset of src. Units of
	// swap bytes are big-endian; 0 means that no bytes are swapped.
	src    io.ReaderAt
	offset int64
	swap   int
	// unpack returns a stream of exactly Bytes bytes, elements little-endian, of an array
	// that the file does not hold so.
	unpack func() (io.Reader, error)
}

// open returns a stream of exactly Bytes bytes, elements little-endian.
func (a *Array) open() (io.Reader, error) {
	if a.unpack != nil {
		return a.unpack()
	}
	r := io.Reader(io.NewSectionReader(a.src, a.offset, a.Bytes))
	if a.swap > 1 {
		r = newSwapper(r, a.swap)
	}
	return r, nil
}

// File is an opened file.
type File struct {
	Format string
	Arrays []Array  // with at least one element each
	Bytes  int64    // of all arrays
	Shards []string // files that an index has read, beside it
	Notes  []string // what somebody who measures the file must know
}

// Open reads the headers of a file of size bytes.
func Open(src io.ReaderAt, size int64, o Options) (*File, error) {
	if size == 0 {
		return nil, faultAt(0, "the file is empty: there is no block to measure")
	}
	format, err := formatOf(src, size, o)
	if err != nil {
		return nil, err
	}
	if format != Raw && (o.Type != NoType || o.Offset != 0) {
		return nil, faultAt(0, "a file of format %s states its element type and offset: leave both out, or read the file as raw", format)
	}
	var arrays []Array
	var shards, notes []string
	switch format {
	case Raw:
		arrays, err = openRaw(src, size, o)
	case NPY:
		arrays, err = openNPY(src, size)
	case NPZ:
		arrays, err = openNPZ(src, size)
	case SafeTensors:
		arrays, err = openSafeTensors(src, size)
	case ONNX:
		arrays, err = openONNX(src, size, o.Beside)
	case TFLite:
		arrays, err = openTFLite(src, size)
	case PNM:
		arrays, err = openPNM(src, size)
	case PNG:
		arrays, err = openPNG(src, size)
	case Index:
		arrays, shards, notes, err = openIndex(src, size, o.Beside)
	}
	if err != nil {
		return nil, err
	}
	f, err := pick(format, arrays, o.Array)
	if err != nil {
		return nil, err
	}
	f.Shards, f.Notes = shards, append(notes, f.notes()...)
	return f, nil
}

// Title says in words what the file is.
func (f *File) Title() string {
	switch f.Format {
	case Raw:
		return "raw bytes"
	case Index:
		return fmt.Sprintf("index of %d safetensors files", len(f.Shards))
	}
	return f.Format
}

// notes says which bytes were not taken apart.
func (f *File) notes() (list []string) {
	if f.Format == Raw {
		list = append(list, "read as raw bytes")
	}
	var types []string
	counted := 0
	for i := range f.Arrays {
		if c := f.Arrays[i].Counted; c != "" {
			counted++
			if name := fmt.Sprintf("%.16q", c); len(types) < maxTypesNamed && !slices.Contains(types, name) {
				types = append(types, name)
			}
		}
	}
	if counted > 0 {
		list = append(list, fmt.Sprintf("elements of type %s in %d of %d arrays are counted as bytes",
			strings.Join(types, ", "), counted, len(f.Arrays)))
	}
	return list
}

// maxTypesNamed bounds a note.
const maxTypesNamed = 4

// pick leaves out empty arrays and arrays that were not requested. It takes over the list.
func pick(format string, arrays []Array, name string) (*File, error) {
	f := &File{Format: format}
	wanted := func(a *Array) bool { return a.Bytes > 0 && (name == "" || a.Name == name) }
	if !slices.ContainsFunc(arrays, func(a Array) bool { return wanted(&a) }) {
		if name == "" {
			return nil, faultAt(0, "the file holds no elements: there is no block to measure")
		}
		const some = 20
		var names []string
		for i := range arrays[:min(len(arrays), some)] {
			names = append(names, arrays[i].Name)
		}
		if len(arrays) > some {
			names = append(names, "...")
		}
		return nil, faultAt(0, "no array %q with elements: the file has %s", name, strings.Join(names, ", "))
	}
	f.Arrays = slices.DeleteFunc(arrays, func(a Array) bool { return !wanted(&a) })
	for i := range f.Arrays {
		f.Bytes += f.Arrays[i].Bytes
	}
	return f, nil
}

// readAt fills b, or returns an error that names the part that was cut off.
func readAt(src io.ReaderAt, b []byte, offset int64, what string) error {
	n, err := src.ReadAt(b, offset)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return faultAt(offset+int64(n), "%s is cut off: the file has %d of its %d bytes", what, n, len(b))
	}
	return fmt.Errorf("reading %s: %w", what, err)
}

func openRaw(src io.ReaderAt, size int64, o Options) ([]Array, error) {
	t := o.Type
	if t == NoType {
		t = U8
	}
	if o.Offset < 0 || o.Offset >= size {
		return nil, faultAt(o.Offset, "elements cannot start here: the file has %d bytes", size)
	}
	n := size - o.Offset
	if n%int64(t.Bytes()) != 0 {
		return nil, faultAt(size, "%d bytes from byte %d are no whole number of %s elements of %d bytes: give another type or offset", n, o.Offset, t, t.Bytes())
	}
	return []Array{section(src, "", t, []int64{n / int64(t.Bytes())}, o.Offset, n, 0)}, nil
}

// section is an array that the file holds without compression.
func section(src io.ReaderAt, name string, t Type, shape []int64, offset, bytes int64, swap int) Array {
	return Array{Name: name, Type: t, Shape: shape, Bytes: bytes, src: src, offset: offset, swap: swap}
}

// bufferBytes of input are read at a time.
const bufferBytes = 1 << 16

// Blocks streams an array, or all arrays of a file one after the other, as blocks.
// Every array begins a block, as an allocation would; its last block is filled up
// with zeros.
type Blocks struct {
	arrays []Array // still to be read
	r      *bufio.Reader
	opened bool  // r reads the first array
	left   int64 // bytes of the first array
	padded int64
}

// Blocks returns the blocks of all arrays.
func (f *File) Blocks() *Blocks { return &Blocks{arrays: f.Arrays} }

// Blocks returns the blocks of one array.
func (a Array) Blocks() *Blocks { return &Blocks{arrays: []Array{a}} }

// BlockCount returns how many blocks Blocks will give.
func (f *File) BlockCount() int64 {
	n := int64(0)
	for _, a := range f.Arrays {
		n += a.BlockCount()
	}
	return n
}

// BlockCount returns how many blocks the array fills.
func (a Array) BlockCount() int64 { return (a.Bytes-1)/mem.LineBytes + 1 }

// PaddedBytes returns how many bytes of zeros have been added.
func (b *Blocks) PaddedBytes() int64 { return b.padded }

// Next fills dst with blocks of one array and returns how many and the type of
// their elements; io.EOF comes with none, after the last.
func (b *Blocks) Next(dst []mem.Line) (n int, t Type, err error) {
	for !b.opened {
		if len(b.arrays) == 0 {
			return 0, NoType, io.EOF
		}
		stream, err := b.arrays[0].open()
		if err != nil {
			return 0, NoType, err
		}
		if b.r == nil {
			b.r = bufio.NewReaderSize(nil, bufferBytes)
		}
		b.r.Reset(stream)
		b.opened, b.left = true, b.arrays[0].Bytes
	}
	t = b.arrays[0].Type
	for n < len(dst) && b.left > 0 {
		want := min(b.left, mem.LineBytes)
		if _, err := io.ReadFull(b.r, dst[n][:want]); err != nil {
			return 0, t, b.fault(err)
		}
		clear(dst[n][want:])
		b.padded += mem.LineBytes - want
		b.left -= want
		n++
	}
	if b.left == 0 {
		// A stream that continues has a wrong size; a checksum is verified at the end.
		if _, err := b.r.ReadByte(); err != io.EOF {
			if err == nil {
				err = fmt.Errorf("the file has more data than the %d bytes that the header announces", b.arrays[0].Bytes)
			}
			return 0, t, b.fault(err)
		}
		b.opened, b.arrays = false, b.arrays[1:]
	}
	return n, t, nil
}

func (b *Blocks) fault(err error) error {
	a := b.arrays[0]
	at := ""
	if a.Name != "" {
		at = fmt.Sprintf("array %s: ", a.Name)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%sthe data are shorter than the %d bytes that the header announces", at, a.Bytes)
	}
	return fmt.Errorf("%s%w", at, err)
}

// swapper turns big-endian units into little-endian ones.
type swapper struct {
	r    io.Reader
	unit int
	rest []byte // read but not yet returned
	buf  []byte
}

func newSwapper(r io.Reader, unit int) *swapper {
	return &swapper{r: r, unit: unit, buf: make([]byte, bufferBytes)}
}

func (s *swapper) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		n, err := io.ReadFull(s.r, s.buf) // a multiple of any unit unless it is the end
		if n == 0 {
			return 0, err
		}
		s.rest = s.buf[:n]
		for i := 0; i+s.unit <= n; i += s.unit {
			for a, z := i, i+s.unit-1; a < z; a, z = a+1, z-1 {
				s.rest[a], s.rest[z] = s.rest[z], s.rest[a]
			}
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// count multiplies the sizes of a shape, or returns false above limit.
func count(shape []int64, limit int64) (int64, bool) {
	n := int64(1)
	for _, d := range shape {
		if d < 0 {
			return 0, false
		}
		if d == 0 {
			return 0, true
		}
	}
	for _, d := range shape {
		if n > limit/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}
