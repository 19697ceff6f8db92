// Package code reads and writes the code of WebAssembly modules, as Go's compiler and linker make it.
package code

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Header begins every module.
const Header = "\x00asm\x01\x00\x00\x00"

// ErrForm is the error for a module in an unknown form.
var ErrForm = errors.New("unknown form of a WebAssembly module")

// Unknown is the error for a byte of a module.
func Unknown(at int, what string) error { return fmt.Errorf("%w: byte %d: %s", ErrForm, at, what) }

// Opcodes of the WebAssembly core specification.
const (
	OpUnreachable     = 0x00
	OpNop             = 0x01
	OpBlock           = 0x02
	OpLoop            = 0x03
	OpIf              = 0x04
	OpElse            = 0x05
	OpEnd             = 0x0b
	OpBr              = 0x0c
	OpBrIf            = 0x0d
	OpBrTable         = 0x0e
	OpReturn          = 0x0f
	OpCall            = 0x10
	OpCallIndirect    = 0x11
	OpSelect          = 0x1b
	OpLocalGet        = 0x20
	OpLocalSet        = 0x21
	OpLocalTee        = 0x22
	OpGlobalGet       = 0x23
	OpGlobalSet       = 0x24
	OpFirstLoad       = 0x28
	OpI32Load         = 0x28
	OpI64Load         = 0x29
	OpI32Load8S       = 0x2c
	OpI32Load8U       = 0x2d
	OpI32Load16S      = 0x2e
	OpI32Load16U      = 0x2f
	OpI64Load8S       = 0x30
	OpI64Load8U       = 0x31
	OpI64Load16S      = 0x32
	OpI64Load16U      = 0x33
	OpI64Load32S      = 0x34
	OpI64Load32U      = 0x35
	OpFirstStore      = 0x36
	OpI32Store        = 0x36
	OpI64Store        = 0x37
	OpI32Store8       = 0x3a
	OpI32Store16      = 0x3b
	OpI64Store8       = 0x3c
	OpI64Store16      = 0x3d
	OpI64Store32      = 0x3e
	OpLastStore       = 0x3e
	OpMemorySize      = 0x3f
	OpMemoryGrow      = 0x40
	OpI32Const        = 0x41
	OpI64Const        = 0x42
	OpF32Const        = 0x43
	OpF64Const        = 0x44
	OpFirstPlain      = 0x45
	OpI32Eqz          = 0x45
	OpI32Eq           = 0x46
	OpI64Eqz          = 0x50
	OpI64Eq           = 0x51
	OpI32Add          = 0x6a
	OpI32Sub          = 0x6b
	OpI64Add          = 0x7c
	OpI64And          = 0x83
	OpI32Wrap         = 0xa7
	OpI64ExtendSigned = 0xac
	OpI64Extend       = 0xad
	OpLastPlain       = 0xc4
	OpPrefix          = 0xfc
)

// Instruction is one instruction of a function.
type Instruction struct {
	Op   byte
	Raw  []byte // all of it
	Imm  int64  // its first operand: an index, a depth, a constant or the offset of an access
	Next int    // of a table: the number of its targets
}

// Function is one entry of the code section.
type Function struct {
	Size    int // of the entry, with its length
	Locals  []byte
	Content []Instruction
}

// Read reads the code section from byte at to the end of module. first is where its
// first function begins.
func Read(module []byte, at int) (functions []Function, first int, err error) {
	count, n := binary.Uvarint(module[at:])
	if n <= 0 {
		return nil, 0, Unknown(at, "no number of functions")
	}
	at += n
	first = at
	for range count {
		size, n := binary.Uvarint(module[at:])
		if n <= 0 || size > uint64(len(module)-at-n) || !bytes.Equal(binary.AppendUvarint(nil, size), module[at:at+n]) {
			return nil, 0, Unknown(at, "a function whose length is not one number within its section")
		}
		end := at + n + int(size)
		f := Function{Size: n + int(size)}
		r := reader{module[:end], at + n}
		locals := r.at
		for range r.unsigned() {
			r.unsigned()
			r.skip(1)
		}
		if r.at > end {
			return nil, 0, Unknown(at, "a function that ends in its locals")
		}
		f.Locals = module[locals:r.at]
		depth := 0
		for r.at < end {
			begin := r.at
			in := r.instruction()
			if r.at > end || in.Op == 0 && r.at == begin {
				return nil, 0, Unknown(begin, "an instruction that Go's compiler does not write")
			}
			in.Raw = module[begin:r.at]
			switch {
			case in.Op >= OpBlock && in.Op <= OpIf:
				depth++
			case in.Op == OpEnd:
				depth--
			}
			f.Content = append(f.Content, in)
			if depth < 0 {
				break
			}
		}
		if depth != -1 || r.at != end {
			return nil, 0, Unknown(at, "a function whose last instruction does not end it")
		}
		functions = append(functions, f)
		at = end
	}
	if at != len(module) {
		return nil, 0, Unknown(at, "bytes that follow the last function")
	}
	return functions, first, nil
}

// reader reads numbers; after the end at is beyond the length of b.
type reader struct {
	b  []byte
	at int
}

func (r *reader) skip(n int) { r.at += n }

func (r *reader) byte() byte {
	r.at++
	if r.at > len(r.b) {
		return 0
	}
	return r.b[r.at-1]
}

func (r *reader) unsigned() int64 {
	if r.at >= len(r.b) {
		r.at = len(r.b) + 1
		return 0
	}
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 {
		n = len(r.b) + 1
	}
	r.at += n
	return int64(v)
}

func (r *reader) signed() (v int64) {
	for shift := uint(0); ; shift += 7 {
		c := r.byte()
		v |= int64(c&0x7f) << shift
		if c < 0x80 {
			if shift < 57 && c&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
}

// instruction reads one instruction; it leaves at unchanged if it does not know it.
func (r *reader) instruction() Instruction {
	in := Instruction{Op: r.byte()}
	switch op := in.Op; {
	case op >= OpBlock && op <= OpIf, op == OpMemorySize, op == OpMemoryGrow:
		in.Imm = int64(r.byte())
	case op == OpBr, op == OpBrIf, op >= OpLocalGet && op <= OpGlobalSet:
		in.Imm = r.unsigned()
	case op == OpBrTable:
		in.Next = int(min(r.unsigned()+1, int64(len(r.b))))
		in.Imm = int64(r.at)
		for range in.Next {
			r.unsigned()
		}
	case op == OpCall:
		in.Imm = r.signed() // as Go's linker writes it
	case op == OpCallIndirect:
		in.Imm = r.unsigned()
		r.unsigned()
	case op >= OpFirstLoad && op <= OpLastStore:
		r.unsigned() // the alignment
		in.Imm = r.unsigned()
	case op == OpI32Const, op == OpI64Const:
		in.Imm = r.signed()
	case op == OpF32Const:
		r.skip(4)
	case op == OpF64Const:
		r.skip(8)
	case op == OpPrefix:
		switch sub := r.unsigned(); {
		case sub == 10: // memory.copy
			r.skip(2)
		case sub == 11: // memory.fill
			r.skip(1)
		case sub > 7: // above the saturating conversions
			return Instruction{}
		}
	case op <= 1, op == OpElse, op == OpEnd, op == OpReturn, op == 0x1a, op == 0x1b, op >= OpFirstPlain && op <= OpLastPlain:
	default:
		r.at--
		return Instruction{}
	}
	return in
}

// Targets are the targets of a table.
func (in *Instruction) Targets() []int {
	r := reader{in.Raw, 1}
	r.unsigned()
	list := make([]int, in.Next)
	for i := range list {
		list[i] = int(r.unsigned())
	}
	return list
}

// AppendUnsigned writes v as WebAssembly does.
func AppendUnsigned(b []byte, v int) []byte { return binary.AppendUvarint(b, uint64(v)) }

// AppendSigned writes v as WebAssembly does.
func AppendSigned(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

const sectionCode = 10

// Rewrite returns the module with other functions: content is the new content of a function, nil if it
// stays as it is. Functions have numbers from 0 on, without imported ones.
func Rewrite(module []byte, content func(number int, f *Function) []byte) ([]byte, error) {
	if len(module) < len(Header) || string(module[:len(Header)]) != Header {
		return nil, Unknown(0, "the file does not begin like a WebAssembly module")
	}
	out := []byte(Header)
	for at := len(Header); at < len(module); {
		size, n := binary.Uvarint(module[at+1:])
		body := at + 1 + n
		if n <= 0 || size > uint64(len(module)-body) {
			return nil, Unknown(at, "a section that is longer than the file")
		}
		end := body + int(size)
		if module[at] != sectionCode {
			out = append(out, module[at:end]...)
			at = end
			continue
		}
		functions, _, err := Read(module[:end], body)
		if err != nil {
			return nil, err
		}
		section := AppendUnsigned(nil, len(functions))
		for i := range functions {
			f := &functions[i]
			text := content(i, f)
			if text == nil {
				for _, in := range f.Content {
					text = append(text, in.Raw...)
				}
			}
			section = AppendUnsigned(section, len(f.Locals)+len(text))
			section = append(append(section, f.Locals...), text...)
		}
		out = AppendUnsigned(append(out, sectionCode), len(section))
		out = append(out, section...)
		at = end
	}
	return out, nil
}
