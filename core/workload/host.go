package workload

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/ptx"
)

// Module is a PTX module beside Program.PTX.
type Module struct {
	Name string
	File string // name of the PTX, for messages
	PTX  []byte
}

// Title is what the module's text is called.
func (m *Module) Title() string {
	if m.File == "" {
		return m.Name
	}
	return m.File
}

// ByValue is an argument of bytes, such as a structure. Places have the addresses of buffers in it.
type ByValue struct {
	Data   []byte
	Places []Place
	// Handles are the handles of textures in it.
	Handles []uint64
	// Exact says that the parameter must have as many bytes. Otherwise bytes of padding may follow, as
	// after the fields of a structure.
	Exact bool
}

// Place is an address in a structure: the address of a byte of a buffer.
type Place struct {
	At     int // in Data, 8 bytes
	Buffer int
	Offset uint64
}

// Bytes passes bytes by value.
func Bytes(v *ByValue) Arg { return Arg{Buffer: -1, Bytes: len(v.Data), Value: v} }

// TensorMap returns the 128 bytes of a tensor map of a buffer, from the offset that is its address on.
func TensorMap(m *ptx.TensorMap, buffer int) *ByValue {
	return &ByValue{Data: m.Encode(), Exact: true,
		Places: []Place{{At: ptx.TensorAddressAt, Buffer: buffer, Offset: m.Address}}}
}

// Check is a check of the host with its value in a buffer; load gives it the address.
type Check struct {
	ptx.Check
	Buffer int
	Offset uint64
	// Path and Message belong to an error that ends the program in place of a comparison.
	Path, Message string
}

// ModuleOf returns the file and text of a module: 0 is Program.PTX, then come Program.Modules.
func (p *Program) ModuleOf(i int) Module {
	if i == 0 {
		return Module{File: p.File, PTX: p.PTX}
	}
	return p.Modules[i-1]
}

// HostFile is the module of the kernels that fill and copy.
const HostFile = "host.ptx"

// HostModule has the kernels that fill and copy memory between launches. Drivers use kernels for it too: a
// thread writes an element, of the largest size that divides place and length. The loads are volatile, so that no
// scheme takes guessed values for them.
func HostModule() Module {
	text := ".version 7.0\n.target sm_70\n.address_size 64\n"
	for _, bytes := range []int{1, 2, 4, 8} {
		text += fmt.Sprintf(hostKernels, bytes, 8*bytes, registerBits(bytes))
	}
	return Module{Name: "host", File: HostFile, PTX: []byte(text)}
}

func registerBits(bytes int) int { return max(16, 8*bytes) }

// hostKernels has the element's bytes, its bits and the bits of its register.
const hostKernels = `
.visible .entry fill%[1]d(.param .u64 to, .param .u64 elements, .param .u64 value) {
	.reg .pred %%p;
	.reg .b32 %%r<4>;
	.reg .b64 %%rd<4>;
	.reg .b%[3]d %%v;
	mov.u32 %%r0, %%ctaid.x;
	mov.u32 %%r1, %%tid.x;
	mad.lo.u32 %%r2, %%r0, 256, %%r1;
	cvt.u64.u32 %%rd0, %%r2;
	ld.param.u64 %%rd1, [elements];
	setp.ge.u64 %%p, %%rd0, %%rd1;
	@%%p ret;
	ld.param.u64 %%rd2, [to];
	mad.lo.u64 %%rd2, %%rd0, %[1]d, %%rd2;
	ld.param.b%[2]d %%v, [value];
	st.global.b%[2]d [%%rd2], %%v;
	ret;
}
.visible .entry copy%[1]d(.param .u64 to, .param .u64 elements, .param .u64 from) {
	.reg .pred %%p;
	.reg .b32 %%r<4>;
	.reg .b64 %%rd<5>;
	.reg .b%[3]d %%v;
	mov.u32 %%r0, %%ctaid.x;
	mov.u32 %%r1, %%tid.x;
	mad.lo.u32 %%r2, %%r0, 256, %%r1;
	cvt.u64.u32 %%rd0, %%r2;
	ld.param.u64 %%rd1, [elements];
	setp.ge.u64 %%p, %%rd0, %%rd1;
	@%%p ret;
	ld.param.u64 %%rd2, [to];
	ld.param.u64 %%rd3, [from];
	mad.lo.u64 %%rd2, %%rd0, %[1]d, %%rd2;
	mad.lo.u64 %%rd3, %%rd0, %[1]d, %%rd3;
	ld.volatile.global.b%[2]d %%v, [%%rd3];
	st.global.b%[2]d [%%rd2], %%v;
	ret;
}
`

const hostBlock = 256

// FillLaunch returns the launch of module number module that fills bytes of a buffer with a value of 1, 2, 4 or 8
// bytes.
func FillLaunch(module, buffer int, offset, bytes uint64, value Arg) Launch {
	pattern := value.Bits
	for n := value.Bytes; n < 8; n *= 2 {
		pattern |= pattern << (8 * n)
	}
	width := elementBytes(8, offset, bytes)
	return hostLaunch("fill", module, width, BufferAt(buffer, offset), bytes, U64(pattern))
}

// CopyLaunch returns the launch that copies bytes from one buffer to another.
func CopyLaunch(module, from int, fromOffset uint64, to int, toOffset, bytes uint64) Launch {
	width := elementBytes(8, fromOffset|toOffset, bytes)
	return hostLaunch("copy", module, width, BufferAt(to, toOffset), bytes, BufferAt(from, fromOffset))
}

// elementBytes is the largest power of two up to most that divides all offsets and the length.
func elementBytes(most int, offset, bytes uint64) int {
	for (offset|bytes)%uint64(most) != 0 {
		most /= 2
	}
	return most
}

func hostLaunch(entry string, module, width int, to Arg, bytes uint64, last Arg) Launch {
	n := bytes / uint64(width)
	grid := uint32((n + hostBlock - 1) / hostBlock)
	block := uint32(min(hostBlock, (n+31)/32*32))
	return Launch{
		Entry: fmt.Sprintf("%s%d", entry, width), Module: module,
		Grid: [3]uint32{grid, 1, 1}, Block: [3]uint32{block, 1, 1}, Args: []Arg{to, U64(n), last},
	}
}

// validateHost checks what the host adds to launches.
func (p *Program) validateHost(fault func(string, ...any)) {
	for i := range p.Modules {
		if len(p.Modules[i].PTX) == 0 {
			fault("modules[%d]: ptx is empty: give the text of a PTX module", i)
		}
	}
	for i := range p.Launches {
		if m := p.Launches[i].Module; m < 0 || m > len(p.Modules) {
			fault("launches[%d]: module %d, want 0 to %d", i, m, len(p.Modules))
		}
		for _, before := range p.Launches[i].After {
			if before < 0 || int(before) >= i {
				fault("launches[%d]: it waits for launch %d, want an earlier one", i, before)
			}
		}
	}
	for i := range p.Checks {
		c := &p.Checks[i]
		switch {
		case c.Before < 0 || c.Before > len(p.Launches) || i > 0 && c.Before < p.Checks[i-1].Before:
			fault("checks[%d]: before launch %d: want an ascending list, at most %d", i, c.Before, len(p.Launches))
		case c.Message != "":
		case c.Buffer < 0 || c.Buffer >= len(p.Buffers) || c.Offset > p.Buffers[c.Buffer].Bytes ||
			p.Buffers[c.Buffer].Bytes-c.Offset < uint64(c.Type.Bytes()):
			fault("checks[%d]: %d bytes at %d of buffer %d are not in a buffer", i, c.Type.Bytes(), c.Offset, c.Buffer)
		case c.To < c.Before || c.Next <= i || c.Next > len(p.Checks) || c.Next < len(p.Checks) &&
			p.Checks[c.Next].Before < c.To:
			fault("checks[%d]: to launch %d and check %d, which do not follow it", i, c.To, c.Next)
		}
	}
}

func (v *ByValue) validate(buffers int, report func(message string)) {
	if len(v.Data) == 0 || len(v.Data) > maxParameterBytes {
		report(fmt.Sprintf("%d bytes by value, want 1 to %d", len(v.Data), maxParameterBytes))
	}
	for _, p := range v.Places {
		if p.Buffer < 0 || p.Buffer >= buffers || p.At < 0 || p.At+8 > len(v.Data) {
			report(fmt.Sprintf("the address of buffer %d at byte %d of %d", p.Buffer, p.At, len(v.Data)))
		}
	}
}

// Pack returns the bytes of an argument with the addresses of the program's buffers.
func (v *ByValue) Pack(buffers []uint64) []byte {
	data := append([]byte(nil), v.Data...)
	for _, p := range v.Places {
		binary.LittleEndian.PutUint64(data[p.At:], buffers[p.Buffer]+p.Offset)
	}
	return data
}
