package plugin

// immediates are what follows an opcode.
type immediates uint8

const (
	refused immediates = iota
	none
	blockType
	twoIndexes // a type and a table
	local      // the number of one, as in the next three
	global
	function
	label
	labels    // of br_table
	memoryArg // alignment and offset
	zeroByte  // the index of the only memory
	number32
	number64
)

// numbered are the words for what has a number.
var numbered = [...]string{local: "local", global: "global", function: "function"}

// opcodes has the instructions of WebAssembly 1.0 on integers, with sign extension. Floating
// point is not among them: the bits of its NaNs differ between engines, and a codec must give
// the same bits everywhere.
var opcodes = func() (t [256]immediates) {
	set := func(first, last int, im immediates) {
		for op := first; op <= last; op++ {
			t[op] = im
		}
	}
	set(0x00, 0x01, none)       // unreachable, nop
	set(0x02, 0x04, blockType)  // block, loop, if
	set(0x05, 0x05, none)       // else
	set(0x0b, 0x0b, none)       // end
	set(0x0c, 0x0d, label)      // br, br_if
	set(0x0e, 0x0e, labels)     // br_table
	set(0x0f, 0x0f, none)       // return
	set(0x10, 0x10, function)   // call
	set(0x11, 0x11, twoIndexes) // call_indirect
	set(0x1a, 0x1b, none)       // drop, select
	set(0x20, 0x22, local)      // local.get, local.set, local.tee
	set(0x23, 0x24, global)     // global.get, global.set
	set(0x28, 0x29, memoryArg)  // i32.load, i64.load
	set(0x2c, 0x37, memoryArg)  // loads of parts, i32.store, i64.store
	set(0x3a, 0x3e, memoryArg)  // stores of parts
	set(0x3f, 0x40, zeroByte)   // memory.size, memory.grow
	set(0x41, 0x41, number32)   // i32.const
	set(0x42, 0x42, number64)   // i64.const
	set(0x45, 0x5a, none)       // comparisons
	set(0x67, 0x8a, none)       // arithmetic
	set(0xa7, 0xa7, none)       // i32.wrap_i64
	set(0xac, 0xad, none)       // i64.extend_i32
	set(0xc0, 0xc4, none)       // sign extension
	return t
}()

const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opDrop         = 0x1a
	opSelect       = 0x1b
	opCall         = 0x10
	opCallIndirect = 0x11
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opI32LtS       = 0x48
	opI64LtS       = 0x53
	opI32Add       = 0x6a
	opI32Sub       = 0x6b
	opI64Add       = 0x7c
	opI64Mul       = 0x7e
	opI64ShrU      = 0x88
	opI64ExtendU   = 0xad // of i32
	opI64Sub       = 0x7d
	opBulk         = 0xfc // memory.copy and memory.fill; the other instructions after it are refused
	bulkCopy       = 10
	bulkFill       = 11
	noResult       = 0x40
)

// Types of values.
const (
	typeI32  = 0x7f
	typeI64  = 0x7e
	typeFunc = 0x60
	typeRef  = 0x70
)
