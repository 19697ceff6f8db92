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
	Scalar  Kind = iota // a number
	Launch              // the number of the launch, from 0
	Texture             // the handle of a texture
	In                  // a buffer that starts with contents
	Out                 // a buffer of zeros, read back at the end
	InOut               // a buffer that starts with contents and is read back
)

// Argument is a parsed SPEC, the notation for one kernel argument:
//
//	u32:5 s32:-1 u64:0x10 f32:2.5 ...   a number (also 8, 16 and 64 bits)
//	@launch  u64:@launch                 the launch number from 0, 32 bits or as named
//	tex:NAME                             the handle of a texture
//	in:FILE                              a buffer with FILE's contents
//	out:FILE:BYTES                       a buffer of BYTES zeros, written to FILE at the end
//	inout:FILE:OUTFILE                   a buffer with FILE's contents, written to OUTFILE
//
// In a scenario, Arg.Data holds the contents, and the names only name buffers.
type Argument struct {
	Kind Kind
	// Bits and Bytes are a scalar's value and width.
	Bits  uint64
	Bytes int
	// In and Out name the file that fills a buffer and the file that it is written to. In
	// also names a texture.
	In, Out string
	// BufferBytes is the size of an out buffer; others have the size of their contents.
	BufferBytes uint64
}

// maxBufferBytes bounds one buffer of a user's program.
const maxBufferBytes = 1 << 30

var errSpec = errors.New("is not an argument: write u32:5, s32:-1, u64:5, f32:1.5, f64:1.5, @launch, tex:NAME, in:FILE, out:FILE:BYTES or inout:FILE:OUTFILE")

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
	case "out":
		return parseOut(text, rest)
	case "inout":
		cut := strings.LastIndexByte(rest, ':')
		if cut <= 0 || cut == len(rest)-1 {
			return Argument{}, fmt.Errorf("%s lacks a file: write inout:FILE:OUTFILE", fault.Quote(text))
		}
		return Argument{Kind: InOut, In: rest[:cut], Out: rest[cut+1:]}, nil
	}
	return parseScalar(text, head, rest)
}

func parseOut(text, rest string) (Argument, error) {
	cut := strings.LastIndexByte(rest, ':')
	if cut <= 0 {
		return Argument{}, fmt.Errorf("%s lacks a file or a size: write out:FILE:BYTES", fault.Quote(text))
	}
	n, err := strconv.ParseUint(rest[cut+1:], 0, 64)
	if err != nil || n == 0 || n > maxBufferBytes {
		return Argument{}, fmt.Errorf("%s: the size %s is not a number of bytes from 1 to %d", fault.Quote(text), fault.Quote(rest[cut+1:]), maxBufferBytes)
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
	switch head[0] {
	case 'f':
		// A value that rounds to infinity is a mistake; the word inf is legal. So
		// strconv gets the width of the type.
		var f float64
		if f, err = strconv.ParseFloat(rest, bits); err == nil && bits == 32 {
			s.Bits = uint64(math.Float32bits(float32(f)))
		} else {
			s.Bits = math.Float64bits(f)
		}
	case 's':
		var n int64
		n, err = strconv.ParseInt(rest, 0, bits)
		s.Bits = uint64(n) & (^uint64(0) >> (64 - bits))
	default:
		s.Bits, err = strconv.ParseUint(rest, 0, bits)
	}
	if err != nil {
		return Argument{}, fmt.Errorf("%s: %s is not a number of type %s", fault.Quote(text), fault.Quote(rest), head)
	}
	return s, nil
}

// IsBuffer reports whether the argument passes a buffer.
func (s *Argument) IsBuffer() bool { return s.Kind >= In }

// Buffer returns the buffer of argument i.
func (s *Argument) Buffer(i int, data []byte) workload.Buffer {
	b := workload.Buffer{
		Name: s.In, Bytes: uint64(len(data)), Init: data,
		Output: s.Kind != In, Element: workload.ElementU32,
	}
	if s.Kind == Out {
		b.Name, b.Bytes = s.Out, s.BufferBytes
	}
	if b.Name == "" {
		b.Name = fmt.Sprintf("argument %d", i+1)
	}
	if b.Bytes%4 != 0 {
		b.Element = workload.ElementU8
	}
	return b
}
