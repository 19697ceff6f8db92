// Package plugintest builds small modules for tests, good ones and hostile ones.
package plugintest

import (
	"bytes"
	"fmt"
)

// Module is a module in parts. New gives one that fulfils the contract; tests change it.
type Module struct {
	Imports []byte            // the body of the import section; nil = none
	Table   []byte            // the body of the table section; nil = none
	Pages   byte              // of the memory
	Globals []byte            // the body of the global section; nil = none
	Element []byte            // the body of the element section; nil = none
	Start   []byte            // the body of the start section; nil = none
	Code    map[string][]byte // the body of each exported function, without locals and end
	Locals  map[string]int    // how many of 64 bits each has beside its parameters
	Extra   string            // another name of describe
	Text    string            // what describe returns
}

// Text is the description of New's module.
const Text = "name: toy\nsource: a test\nkind: lossless\nmhz: 1002\ncompressCycles: 1\ndecompressCycles: 1\n"

const textAt = 1024

// Const is i32.const.
func Const(v int) []byte { return append([]byte{0x41}, signed(int64(v))...) }

// New returns a module that keeps every block raw.
func New() *Module {
	return &Module{Pages: 1, Text: Text, Code: map[string][]byte{
		"describe": Const(textAt), "block": Const(0), "code": Const(128), "size": Const(1024), "encode": Const(1024), "decode": Const(0),
	}}
}

// names are the exports in their order, which numbers the functions.
var names = []string{"describe", "block", "code", "size", "encode", "decode", "train", "trained", "exact", "batch", "sizes", "_initialize"}

// Binary returns the module's bytes.
func (m *Module) Binary() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, body []byte) {
		out = append(append(append(out, id), unsigned(len(body))...), body...)
	}
	// Types: () -> i32, (i32) -> i32, () -> ().
	section(1, []byte{3, 0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 0, 0})
	if m.Imports != nil {
		section(2, m.Imports)
	}
	var functions, exports, code []byte
	n := 0
	for _, name := range names {
		body, ok := m.Code[name]
		if !ok {
			continue
		}
		functions = append(functions, map[string]byte{"decode": 1, "sizes": 1, "train": 2, "_initialize": 2}[name])
		exports = append(append(append(exports, unsigned(len(name))...), name...), 0, byte(n))
		locals := []byte{0}
		if many := m.Locals[name]; many > 0 {
			locals = append(append([]byte{1}, unsigned(many)...), 0x7e)
		}
		body = append(append(locals, body...), 0x0b)
		code = append(append(code, unsigned(len(body))...), body...)
		n++
	}
	section(3, append([]byte{byte(n)}, functions...))
	if m.Table != nil {
		section(4, m.Table)
	}
	section(5, []byte{1, 0, m.Pages})
	if m.Globals != nil {
		section(6, m.Globals)
	}
	exports = append(exports, "\x06memory\x02\x00"...)
	all := n + 1
	if m.Extra != "" {
		exports = append(append(append(exports, unsigned(len(m.Extra))...), m.Extra...), 0, 0)
		all++
	}
	section(7, append([]byte{byte(all)}, exports...))
	if m.Start != nil {
		section(8, m.Start)
	}
	if m.Element != nil {
		section(9, m.Element)
	}
	section(10, append([]byte{byte(n)}, code...))
	text := append([]byte(m.Text), 0)
	data := append(append([]byte{1, 0}, Const(textAt)...), 0x0b)
	section(11, append(append(data, unsigned(len(text))...), text...))
	return out
}

func unsigned(v int) []byte {
	var b []byte
	for ; v >= 128; v >>= 7 {
		b = append(b, byte(v)|128)
	}
	return append(b, byte(v))
}

func signed(v int64) []byte {
	var b []byte
	for {
		low := byte(v & 127)
		v >>= 7
		if v == 0 && low&64 == 0 || v == -1 && low&64 != 0 {
			return append(b, low)
		}
		b = append(b, low|128)
	}
}

// Recursion returns a module whose first size calls itself to a depth, each call with so many locals, which it needs after the
// call.
func Recursion(depth, locals int) []byte {
	m := New()
	m.Globals = append(append([]byte{1, 0x7f, 1}, Const(depth)...), 0x0b)
	m.Locals = map[string]int{"size": locals}
	var body []byte
	for i := range locals {
		body = append(body, 0x23, 0, 0xac, 0x21)
		body = append(body, unsigned(i)...) // of the depth
	}
	body = append(body, 0x23, 0, 0x04, 0x40, 0x23, 0, 0x41, 1, 0x6b, 0x24, 0, 0x10, 3, 0x1a, 0x0b) // if left > 0, call size
	body = append(body, 0x42, 0)
	for i := range locals {
		body = append(append(append(body, 0x20), unsigned(i)...), 0x85) // exclusive or
	}
	body = append(body, 0x1a)
	m.Code["size"] = append(body, Const(1024)...)
	return m.Binary()
}

// Shape is a module that calls itself, and whether the rules let it.
type Shape struct {
	Depth, Locals int
	Legal         bool
}

// Shapes are on both sides of what the stack of a module holds: a call takes at least 128 bytes and 16 for each local.
func Shapes() []Shape {
	return []Shape{
		{0, 4000, true}, {2, 4000, false}, {40, 4000, false}, {15, 400, true}, {60, 400, false}, {300, 400, false}, {60, 100, true},
		{1000, 100, false}, {200, 30, true}, {2500, 30, false}, {700, 1, true}, {9000, 0, false}, {1 << 30, 0, false},
	}
}

// Counting returns a module that keeps every block raw in each call but some: from one on, it gives 8 bits in all but every 256th.
func Counting(from int) []byte {
	m := New()
	m.Globals = []byte{1, 0x7f, 1, 0x41, 0, 0x0b}
	// count++; count > from && count % 256 != 0 ? 8 : 1024
	code := append([]byte{0x23, 0}, Const(1)...)
	code = append(code, 0x6a, 0x24, 0)
	code = append(append(code, Const(8)...), Const(1024)...)
	code = append(append(append(code, 0x23, 0), Const(from)...), 0x4a, 0x23, 0)
	code = append(append(code, Const(255)...), 0x71, 0x41, 0, 0x47, 0x71, 0x1b)
	m.Code["size"], m.Code["encode"] = code, code
	return m.Binary()
}

// Busy returns a module that keeps every block raw and takes some 7 million instructions to say so.
func Busy() []byte {
	m := New()
	m.Locals = map[string]int{"size": 1}
	code := []byte{0x03, 0x40, 0x20, 0, 0x42, 1, 0x7c, 0x22, 0, 0x42}
	code = append(append(code, signed(900_000)...), 0x53, 0x0d, 0, 0x0b)
	m.Code["size"] = append(code, Const(1024)...)
	return m.Binary()
}

// Growing returns a module that asks for memory at every block, and says 8 bits of it once it has got some.
func Growing() []byte {
	m := New()
	code := append(Const(1), 0x40, 0, 0x1a)
	code = append(append(code, Const(8)...), Const(1024)...)
	code = append(append(append(code, 0x3f, 0), Const(1)...), 0x4a, 0x1b)
	m.Code["size"] = code
	return m.Binary()
}

// Hostile is a module that must be refused, by Parse, at its start or at its first blocks.
type Hostile struct {
	Name   string
	Binary []byte
	Want   string // in the error
}

// List returns hostile modules of every kind.
func List() []Hostile {
	with := func(change func(*Module)) []byte {
		m := New()
		change(m)
		return m.Binary()
	}
	body := func(name string, code ...byte) []byte {
		return with(func(m *Module) { m.Code[name] = code })
	}
	join := func(parts ...[]byte) (b []byte) {
		for _, p := range parts {
			b = append(b, p...)
		}
		return b
	}
	short := func(m *Module) { m.Code["size"], m.Code["encode"] = Const(8), Const(8) }
	const lossy = "name: toy\nsource: a test\nkind: lossy\nmhz: 1002\ncompressCycles: 1\ndecompressCycles: 1\n"
	many := func(sizes []byte) []byte {
		return with(func(m *Module) { m.Code["sizes"], m.Code["batch"] = sizes, Const(8192) })
	}
	const hidden = 4096
	const remembers = "decode gave other bytes in an instance that has not encoded this block"
	move, load32, store32, load64, store64 := []byte{0xfc, 10, 0, 0}, []byte{0x28, 2, 0}, []byte{0x36, 2, 0}, []byte{0x29, 3, 0}, []byte{0x37, 3, 0}
	copied := func(to, from, n int) []byte { return join(Const(to), Const(from), Const(n), move) }
	// remember puts code before what encode and decode do.
	remember := func(m *Module, encode, decode []byte) {
		m.Code["encode"], m.Code["decode"] = join(encode, m.Code["encode"]), join(decode, m.Code["decode"])
	}
	good := New().Binary()
	loop := []byte{0x03, 0x40, 0x0c, 0x00, 0x0b, 0x00}
	// What the rewriting adds has the numbers after those of the module: it must not be able to name them.
	most := []byte{0x42, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0} // i64.const
	oneTable := []byte{1, 0x70, 0, 1}
	return []Hostile{
		{"imports", with(func(m *Module) { m.Imports = []byte("\x01\x03env\x04time\x00\x00") }), `imports "env"."time"`},
		{"imports what a terminal obeys", with(func(m *Module) { m.Imports = []byte("\x01\x04\x1b[2J\x05a\xe2\x80\xaeb\x00\x00") }), `imports "\x1b[2J"."a\u202eb"`},
		{"exports a name of the count", with(func(m *Module) { m.Extra = "burstscope.save" }), `exports "burstscope.save"`},
		{"not a module", []byte("MZ"), "not a WebAssembly module"},
		{"empty", nil, "not a WebAssembly module"},
		{"cut", good[:len(good)-9], "announced"},
		{"too long", append(good, make([]byte, 1<<20)...), "a codec may have"},
		{"no encode", with(func(m *Module) { delete(m.Code, "encode") }), "does not export the function encode"},
		{"train without trained", with(func(m *Module) { m.Code["train"] = []byte{} }), "only one of train and trained"},
		{"too much memory", with(func(m *Module) { m.Pages = 17 }), "17 pages"},
		{"floating point", body("size", 0x43, 0, 0, 0, 0, 0xa8), "the instruction 0x43"},
		{"threads", body("size", 0xfe, 0x10, 2, 0), "the instruction 0xfe"},
		{"SIMD", body("size", 0xfd, 0x0c), "the instruction 0xfd"},
		{"invalid code", body("size", 0x6a), "not valid WebAssembly"},
		{"start function", with(func(m *Module) { m.Start, m.Code["_initialize"] = []byte{6}, loop }), "its start function trapped or did not end within 10000000 instructions"},
		{"loops at the start", body("describe", loop...), "describe: it did not end within"},
		{"loops in size", body("size", loop...), "size: it did not end within"},
		{"loops over calls", body("size", join([]byte{0x03, 0x40, 0x10, 1, 0x1a, 0x0c, 0, 0x0b}, Const(0))...), "size: it did not end within"},
		{"gives itself work in the local", body("size", join([]byte{0x03, 0x40}, most, []byte{0x21, 0, 0x0c, 0, 0x0b, 0})...), "local 0 is used; there are 0"},
		{"gives itself work in the global", body("size", join(most, []byte{0x24, 0}, Const(1024))...), "global 0 is used; there are 0"},
		{"leaves a function past the count", body("size", join(Const(1024), []byte{0x0c, 1})...), "label 1 is used; there are 1"},
		{"leaves a function past the count by a table", body("size", join(Const(1024), Const(0), []byte{0x0e, 1, 0, 1})...), "label 1 is used; there are 1"},
		{"calls its entry", body("size", join([]byte{0x03, 0x40, 0x10, 6, 0x1a, 0x0c, 0, 0x0b}, Const(0))...), "function 6 is used; there are 6"},
		{"its entry in a table", with(func(m *Module) {
			m.Table, m.Element = oneTable, join([]byte{1, 0}, Const(0), []byte{0x0b, 1, 6})
			m.Code["size"] = join([]byte{0x03, 0x40}, Const(0), []byte{0x11, 0, 0, 0x1a, 0x0c, 0, 0x0b}, Const(0))
		}), "function 6 is used; there are 6"},
		{"starts at an entry", with(func(m *Module) { m.Start = []byte{6} }), "function 6 is used; there are 6"},
		{"elements outside the table", with(func(m *Module) { m.Table, m.Element = oneTable, join([]byte{1, 0}, Const(5), []byte{0x0b, 1, 3}) }), "elements 5 to 5 of a table with 1"},
		{"two tables", with(func(m *Module) { m.Table = []byte{2, 0x70, 0, 1, 0x70, 0, 1} }), "the module has 2 tables"},
		{"a table of references", with(func(m *Module) { m.Table = []byte{1, 0x6f, 0, 1} }), "the type 0x6f"},
		{"a floating-point global", with(func(m *Module) { m.Globals = []byte{1, 0x7d, 0, 0x43, 0, 0, 0, 0, 0x0b} }), "the type 0x7d"},
		{"takes long to compile", body("size", join(bytes.Repeat([]byte{0x03, 0x40, 0x41, 0, 0x0d, 0, 0x0b}, 20_000), Const(1024))...), "too many branches"},
		{"describes itself elsewhere when called again", with(func(m *Module) {
			m.Globals = []byte{1, 0x7f, 1, 0x41, 0, 0x0b}
			m.Code["describe"] = join([]byte{0x23, 0}, Const(1), []byte{0x6a, 0x24, 0, 0x23, 0}, Const(1023), []byte{0x6a})
		}), "describe() gives 0x400, and 0x401 when it is called again"},
		{"calls itself", body("size", 0x10, 3), "size: it"},
		{"traps", body("encode", 0x00), "encode: it trapped"},
		{"reads outside", body("size", join(Const(-4), []byte{0x28, 2, 0})...), "size: it trapped"},
		{"grows", body("size", join(Const(100), []byte{0x40, 0})...), "size returned -1"},
		{"block outside", body("block", Const(1<<20)...), "must be addresses"},
		{"block in code", body("code", Const(64)...), "overlap"},
		{"a size too large", body("size", Const(1025)...), "size returned 1025"},
		{"a negative size", body("size", Const(-1)...), "size returned -1"},
		{"lies about sizes", body("size", Const(8)...), "size says 8 bits of a block, encode 1024"},
		{"loses the block", with(short), "decode does not give the block"},
		{"changes the block", body("size", join(Const(0), Const(77), []byte{0x36, 2, 0}, Const(1024))...), "changed the block"},
		{"refuses its code", with(func(m *Module) { short(m); m.Code["decode"] = Const(3) }), "decode refused a code of 8 bits with the status 3"},
		// decode counts its calls in a cell of its own and writes the count to the block.
		{"decodes differently", with(func(m *Module) {
			short(m)
			load := join(Const(512), []byte{0x28, 2, 0})
			m.Code["decode"] = join(Const(512), load, Const(1), []byte{0x6a, 0x36, 2, 0}, Const(0), load, []byte{0x36, 2, 0}, Const(0))
		}), "two results for one code"},
		{"loops in train", with(func(m *Module) { m.Code["train"], m.Code["trained"] = loop, Const(0) }), "train: it did not end within 100000"},
		{"loops in trained", with(func(m *Module) { m.Code["train"], m.Code["trained"] = nil, loop }), "trained: it did not end within 50000000"},
		{"refuses its counts", with(func(m *Module) { m.Code["train"], m.Code["trained"] = nil, Const(5) }), "trained refused the counts"},
		{"exact without loss", with(func(m *Module) { m.Code["exact"] = Const(1024) }), "only a lossy codec"},
		{"loses the exact block", with(func(m *Module) { short(m); m.Text, m.Code["exact"] = lossy, Const(8) }), "does not give the block that exact has encoded"},
		{"sizes without batch", with(func(m *Module) { m.Code["sizes"] = Const(0) }), "only one of batch and sizes"},
		{"batch outside", with(func(m *Module) { m.Code["sizes"], m.Code["batch"] = Const(0), Const(65536-8191) }), "batch() must be an address"},
		{"sizes outside", many(Const(-4)), "no address of"},
		{"lies about many sizes", many(Const(4096)), "sizes says 0 bits of a block, encode 1024"},
		{"loops in sizes", many(loop), "sizes: it did not end within"},
		{"decodes from a hidden copy", with(func(m *Module) { short(m); remember(m, copied(hidden, 0, 128), copied(0, hidden, 128)) }), remembers},
		{"decodes from a base in its memory", with(func(m *Module) {
			m.Code["size"] = Const(120 * 8)
			m.Code["encode"] = join(copied(128, 8, 120), Const(hidden), Const(0), load64, store64, Const(120*8))
			m.Code["decode"] = join(copied(8, 128, 120), Const(0), Const(hidden), load64, store64, Const(0))
		}), remembers},
		{"decodes from a base in a global", with(func(m *Module) {
			m.Globals = []byte{1, 0x7e, 1, 0x42, 0, 0x0b}
			m.Code["size"] = Const(120 * 8)
			m.Code["encode"] = join(copied(128, 8, 120), Const(0), load64, []byte{0x24, 0}, Const(120*8))
			m.Code["decode"] = join(copied(8, 128, 120), Const(0), []byte{0x23, 0}, store64, Const(0))
		}), remembers},
		{"decodes from a table by the first byte", with(func(m *Module) {
			short(m)
			slot := func(of int) []byte {
				return join(Const(hidden), Const(of), []byte{0x2d, 0, 0}, Const(7), []byte{0x74, 0x6a})
			}
			remember(m, join(slot(0), Const(0), Const(128), move, Const(128), Const(0), []byte{0x2d, 0, 0, 0x3a, 0, 0}), join(Const(0), slot(128), Const(128), move))
		}), remembers},
		{"refuses a code that it has not made", with(func(m *Module) {
			short(m)
			remember(m, join(Const(hidden), Const(1), []byte{0x36, 2, 0}, copied(hidden+8, 0, 128)), copied(0, hidden+8, 128))
			m.Code["decode"] = join(m.Code["decode"][:len(m.Code["decode"])-2], Const(hidden), []byte{0x28, 2, 0, 0x45})
		}), remembers},
		{"an exact code from a hidden copy", with(func(m *Module) {
			m.Text = lossy
			m.Code["exact"] = join(copied(hidden, 0, 128), Const(8))
			m.Code["decode"] = join(copied(0, hidden, 128), Const(0))
		}), remembers},
		{"a lossy code from a hidden copy", with(func(m *Module) { short(m); m.Text = lossy; remember(m, copied(hidden, 0, 128), copied(0, hidden, 128)) }), remembers},
		{"a size of the block before", with(func(m *Module) {
			m.Globals = []byte{1, 0x7f, 1, 0x41, 0x80, 0x08, 0x0b} // 1024
			m.Code["size"] = join([]byte{0x23, 0}, Const(8), []byte{0x24, 0})
		}), "size says 8 bits of a block after others, and 1024 in an instance"},
		{"a size and a code of the block before", with(func(m *Module) {
			m.Globals = []byte{1, 0x7f, 1, 0x41, 0x80, 0x08, 0x0b}
			m.Code["size"] = join([]byte{0x23, 0}, Const(8), []byte{0x24, 0})
			m.Code["encode"] = m.Code["size"]
		}), "size says 8 bits of a block after others, and 1024 in an instance"},
		{"a size of how many were before", with(func(m *Module) {
			m.Code["size"] = join(Const(hidden), Const(hidden), load32, Const(1), []byte{0x6a}, store32, Const(1025), Const(hidden), load32, []byte{0x6b})
		}), "bits of a block after others, and 1024 in an instance"},
		{"sizes of blocks before", with(func(m *Module) {
			m.Globals = []byte{1, 0x7f, 1, 0x41, 0x80, 0x08, 0x0b}
			m.Code["batch"] = Const(8192)
			m.Code["sizes"] = join(Const(4096), []byte{0x23, 0}, store32, Const(0), []byte{0x24, 0}, Const(4096))
		}), "sizes says 0 bits of a block after others, and 1024 in an instance"},
		{"nested calls with few locals", Recursion(2500, 30), "need more than 262144 bytes of stack"},
		{"nested calls with many locals", Recursion(40, 4000), "need more than 262144 bytes of stack"},
		{"nested calls", Recursion(9000, 0), "need more than 262144 bytes of stack"},
		{"fills much", with(func(m *Module) {
			m.Pages = 16
			m.Code["size"] = join([]byte{0x03, 0x40}, Const(1<<16), Const(0), Const(15<<16), []byte{0xfc, 11, 0, 0x0c, 0, 0x0b, 0})
		}), "size: it did not end within"},
		{"fills a megabyte two hundred times", with(func(m *Module) {
			m.Pages = 16
			m.Code["size"] = join(bytes.Repeat(join(Const(1<<16), Const(0), Const(15<<16), []byte{0xfc, 11, 0}), 200), Const(1024))
		}), "size: it did not end within"},
		{"copies much", with(func(m *Module) {
			m.Pages = 16
			m.Code["size"] = join([]byte{0x03, 0x40}, Const(1<<16), Const(1<<17), Const(14<<16), []byte{0xfc, 10, 0, 0, 0x0c, 0, 0x0b, 0})
		}), "size: it did not end within"},
		{"no name", with(func(m *Module) { m.Text = "kind: lossless\n" }), "does not give name"},
		{"a wrong key", with(func(m *Module) { m.Text = "nome: toy\n" }), `line 1: "nome: toy"`},
		{"a large tag", with(func(m *Module) { m.Text = Text + "tagBits: 129\n" }), "from 0 to 128"},
		{"units without throughput", with(func(m *Module) { m.Text = Text + "compressors: 10\n" }), "compressors need compressGBps"},
		{"no text", with(func(m *Module) { m.Code["describe"] = Const(1 << 17) }), "zero byte at its end"},
		{"text without end", with(func(m *Module) { m.Text = fmt.Sprintf("name: %05000d", 0) }), "zero byte at its end"},
		{"control characters", with(func(m *Module) { m.Text = "name: a\x1b[31m\n" }), "printable"},
	}
}
