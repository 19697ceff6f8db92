// Package argument reads the notation for one argument of a user's kernel.
package argument

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/workload"
)

// Kind says what an argument passes to a kernel.
type Kind uint8

const (
	Scalar    Kind = iota // a number
	Launch                // the number of the launch, from 0
	Texture               // the handle of a texture
	Formula               // a number that changes from launch to launch
	Pointer               // an address in a buffer
	Bytes                 // a file's bytes, by value
	Value                 // bytes by value, such as a structure
	TensorMap             // the 128 bytes of a tensor map
	In                    // a buffer that starts with contents
	Out                   // a buffer of zeros, read back at the end
	InOut                 // a buffer that starts with contents and is read back
	Scratch               // a buffer of zeros that nobody reads back
)

// Argument is a parsed SPEC, the notation for one kernel argument:
//
//	u32:5 s32:-1 u64:0x10 f32:2.5 ...   a number (also 8, 16 and 64 bits)
//	@launch  u64:@launch                 the launch number from 0, 32 bits or as named
//	u32:@i*2  f32:@ceil(n/4)  ...    a formula (package arithmetic) of launch, i (the round) and the names of loops
//	tex:NAME                             the handle of a texture
//	ptr:NAME  ptr:NAME+BYTES             the address of a buffer, or of a byte in it
//	ptr:A|B                              A in even rounds, B in odd ones
//	hex:00ff...  bytes:FILE              bytes by value
//	struct:{x=u32:5,p=ptr:NAME,...}      a structure by value (ByValue)
//	tensormap:NAME,dtype=f16,dims=40x20,box=24x12,...   a tensor map of a buffer (parseTensorMap)
//	in:FILE                              a buffer with FILE's contents
//	out:FILE:BYTES                       a buffer of BYTES zeros, written to FILE at the end
//	inout:FILE:OUTFILE                   a buffer with FILE's contents, written to OUTFILE
//	scratch:NAME:BYTES                   a buffer of BYTES zeros that is not read back
//
// In a scenario, Arg.Data holds the contents, and the names only name buffers.
type Argument struct {
	Kind Kind
	// Bits and Bytes are a scalar's value and width.
	Bits  uint64
	Bytes int
	// In and Out name the file that fills a buffer and the file that it is written to. In
	// also names a texture, and the buffer of a pointer.
	In, Out string
	// Type is the type of a formula, and Text the formula, the bytes in hexadecimal or the structure with its braces.
	Type, Text string
	// BufferBytes is the size of an out buffer; others have the size of their contents.
	BufferBytes uint64
}

// maxBufferBytes bounds one buffer of a user's program.
const maxBufferBytes = 1 << 30

var errSpec = errors.New("is not an argument: write u32:5, s32:-1, u64:5, f32:1.5, f64:1.5, @launch, tex:NAME, " +
	"ptr:NAME, in:FILE, out:FILE:BYTES, inout:FILE:OUTFILE, scratch:NAME:BYTES, bytes:FILE, hex:00ff, " +
	"struct:{...} or tensormap:NAME,...")

// Parse reads a SPEC.
func Parse(text string) (Argument, error) {
	if text == "@launch" {
		return Argument{Kind: Launch, Bytes: 4}, nil
	}
	head, rest, ok := strings.Cut(text, ":")
	if !ok {
		return Argument{}, fmt.Errorf("%s %w", fault.Quote(text), errSpec)
	}
	switch head {
	case "in":
		if rest == "" {
			return Argument{}, fmt.Errorf("%s has no file name: write in:FILE", fault.Quote(text))
		}
		return Argument{Kind: In, In: rest}, nil
	case "tex":
		if rest == "" {
			return Argument{}, fmt.Errorf("%s has no texture: write tex:NAME", fault.Quote(text))
		}
		return Argument{Kind: Texture, In: rest, Bytes: 8}, nil
	case "ptr", "bytes":
		if rest == "" {
			return Argument{}, fmt.Errorf("%s has no name: write %s:NAME", fault.Quote(text), head)
		}
		if head == "bytes" {
			return Argument{Kind: Bytes, In: rest}, nil
		}
		return Argument{Kind: Pointer, In: rest, Bytes: 8}, nil
	case "tensormap":
		return parseTensorMap(text, rest)
	case "hex", "struct":
		return parseValue(head, text, rest)
	case "out", "scratch":
		return parseSized(head, text, rest)
	case "inout":
		cut := strings.LastIndexByte(rest, ':')
		if cut <= 0 || cut == len(rest)-1 {
			return Argument{}, fmt.Errorf("%s lacks a file: write inout:FILE:OUTFILE", fault.Quote(text))
		}
		return Argument{Kind: InOut, In: rest[:cut], Out: rest[cut+1:]}, nil
	}
	return parseScalar(text, head, rest)
}

// parseSized reads a buffer of zeros: out and scratch.
func parseSized(head, text, rest string) (Argument, error) {
	cut := strings.LastIndexByte(rest, ':')
	if cut <= 0 {
		return Argument{}, fmt.Errorf("%s lacks a name or a size: write %s:NAME:BYTES", fault.Quote(text), head)
	}
	n, err := strconv.ParseUint(rest[cut+1:], 0, 64)
	if err != nil || n == 0 || n > maxBufferBytes {
		return Argument{}, fmt.Errorf("%s: the size %s is not a number of bytes from 1 to %d", fault.Quote(text), fault.Quote(rest[cut+1:]), maxBufferBytes)
	}
	if head == "scratch" {
		return Argument{Kind: Scratch, In: rest[:cut], BufferBytes: n}, nil
	}
	return Argument{Kind: Out, Out: rest[:cut], BufferBytes: n}, nil
}

func parseScalar(text, head, rest string) (Argument, error) {
	bits, err := strconv.Atoi(head[min(1, len(head)):])
	known := err == nil && (bits == 8 || bits == 16 || bits == 32 || bits == 64)
	if !known || head[0] != 'u' && head[0] != 's' && head[0] != 'b' && (head[0] != 'f' || bits < 32) {
		return Argument{}, fmt.Errorf("%s %w", fault.Quote(text), errSpec)
	}
	s := Argument{Bytes: bits / 8}
	if rest == "@launch" {
		if head[0] == 'f' {
			return Argument{}, fmt.Errorf("%s: a launch number is a whole number: write u%d:@launch", fault.Quote(text), bits)
		}
		s.Kind = Launch
		return s, nil
	}
	if formula, ok := strings.CutPrefix(rest, "@"); ok {
		s.Kind, s.Type, s.Text = Formula, head, formula
		return s, CheckFormula(formula)
	}
	if s.Bits, err = number(head, rest); err != nil {
		return Argument{}, fmt.Errorf("%s: %s is not a number of type %s", fault.Quote(text), fault.Quote(rest), head)
	}
	return s, nil
}

// number returns the bits of a number of a type, such as u32.
func number(head, rest string) (n uint64, err error) {
	bits, _ := strconv.Atoi(head[1:])
	switch head[0] {
	case 'f':
		// A value that rounds to infinity is a mistake; the word inf is legal. So
		// strconv gets the width of the type.
		var f float64
		if f, err = strconv.ParseFloat(rest, bits); err == nil && bits == 32 {
			n = uint64(math.Float32bits(float32(f)))
		} else {
			n = math.Float64bits(f)
		}
	case 's':
		var i int64
		i, err = strconv.ParseInt(rest, 0, bits)
		n = uint64(i) & (^uint64(0) >> (64 - bits))
	default:
		n, err = strconv.ParseUint(rest, 0, bits)
	}
	return n, err
}

// Reads reports whether the argument has contents: a buffer's, or bytes by value.
func (s *Argument) Reads() bool { return s.Kind == In || s.Kind == InOut || s.Kind == Bytes }

// IsBuffer reports whether the argument passes a buffer.
func (s *Argument) IsBuffer() bool { return s.Kind >= In }

// Buffer returns the buffer of argument i.
func (s *Argument) Buffer(i int, data []byte) workload.Buffer {
	b := workload.Buffer{
		Name: s.In, File: s.Out, Bytes: uint64(len(data)), Init: data,
		Output: s.Kind == Out || s.Kind == InOut, Element: workload.ElementU32,
	}
	switch s.Kind {
	case Out:
		b.Name, b.Bytes = s.Out, s.BufferBytes
	case Scratch:
		b.Bytes = s.BufferBytes
	}
	if b.Name == "" {
		b.Name = fmt.Sprintf("argument %d", i+1)
	}
	if b.Bytes%4 != 0 {
		b.Element = workload.ElementU8
	}
	return b
}
