// Package plugin is the contract of a codec that comes as a WebAssembly module: what it exports,
// what it may do, and how it is checked. README.md describes it for authors.
//
// A module is rewritten before it runs: it counts its own work in a global, and traps when
// its budget is spent. So every engine stops a module that does not end, at the same
// instruction and without a clock.
package plugin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

const (
	// MaxBytes bounds a module [ours]: the codecs of this program have 2 to 20 kB as modules.
	MaxBytes = 256 << 10
	// MaxPages bounds its memory: 16 pages of 64 kB are 1 MB.
	MaxPages = 16

	maxLocals     = 4096 // of a function [ours]
	maxParameters = 100  // [ours]
)

// FuelExport is the name of the global (i64) that holds the work left to a module, or why it was stopped.
const FuelExport = ownExports + "fuel"

// ownExports begins the names of what the rewriting adds, and of nothing else.
const ownExports = "burstscope."

// signature is the type of a function that the contract names.
type signature struct{ parameters, results string }

// Function is a function of the contract.
type Function uint8

const (
	Describe Function = iota
	BlockAddress
	CodeAddress
	Size
	Encode
	Decode
	Train
	Trained
	Exact
	Batch
	Sizes
	Initialize
	NumFunctions

	// What the rewriting adds, which takes and gives nothing: Save keeps the values of all globals, and ends the growth of the
	// memory; Restore gives the globals these values again. NumCalls is how many functions a host calls.
	Save     = NumFunctions
	Restore  = NumFunctions + 1
	NumCalls = NumFunctions + 2
)

// exports are the names and the types of the functions.
var exports = [NumFunctions]struct {
	name     string
	of       signature
	optional bool
}{
	Describe:     {"describe", signature{"", "i"}, false},
	BlockAddress: {"block", signature{"", "i"}, false},
	CodeAddress:  {"code", signature{"", "i"}, false},
	Size:         {"size", signature{"", "i"}, false},
	Encode:       {"encode", signature{"", "i"}, false},
	Decode:       {"decode", signature{"i", "i"}, false},
	Train:        {"train", signature{"", ""}, true},
	Trained:      {"trained", signature{"", "i"}, true},
	Exact:        {"exact", signature{"", "i"}, true},
	Batch:        {"batch", signature{"", "i"}, true},
	Sizes:        {"sizes", signature{"i", "i"}, true},
	Initialize:   {"_initialize", signature{"", ""}, true},
}

// String returns the name under which a module exports the function.
func (f Function) String() string {
	switch f {
	case Save:
		return ownExports + "save"
	case Restore:
		return ownExports + "restore"
	}
	return exports[f].name
}

// Module is a module that has been checked and rewritten.
type Module struct {
	Binary []byte // to be compiled; it imports nothing and counts its work
	has    [NumFunctions]bool
}

// Trains reports whether the module makes a code table of what it has seen.
func (m *Module) Trains() bool { return m.has[Train] }

// section numbers of the binary format.
const (
	sectionCustom = iota
	sectionType
	sectionImport
	sectionFunction
	sectionTable
	sectionMemory
	sectionGlobal
	sectionExport
	sectionStart
	sectionElement
	sectionCode
	sectionData
	sectionDataCount
)

// order is the place of a section: the count of data stands before the code.
var order = [...]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 10}

// parser reads a module once and writes its rewritten form.
type parser struct {
	reader
	out       []byte
	types     []signature
	functions []int   // their types
	entries   []entry // after the functions
	globals   int
	changing  []globalOf           // those that may change
	table     int                  // elements of the table
	joins     int                  // of locals at branches
	exports   map[string]signature // functions; memory has the form "memory"
	bodies    int
}

var header = []byte("\x00asm\x01\x00\x00\x00")

// Parse checks a module and rewrites it. The error says what is wrong and where.
func Parse(b []byte) (*Module, error) {
	if len(b) > MaxBytes {
		return nil, fmt.Errorf("the module has %d bytes; a codec may have %d", len(b), MaxBytes)
	}
	p := &parser{reader: reader{b: b}, exports: map[string]signature{}}
	if string(p.take(min(len(b), len(header)))) != string(header) {
		return nil, fmt.Errorf("it is not a WebAssembly module of version 1: it must begin with the bytes 00 61 73 6d 01 00 00 00")
	}
	p.out = slices.Clone(header)
	p.entries = entriesOf(b)
	last := 0
	for len(p.b) > 0 && p.err == nil {
		begin := p.at
		id := int(p.byte())
		size := p.number()
		if id >= len(order) {
			p.at = begin
			p.fail("section %d is unknown", id)
			break
		}
		body := p.part(size)
		if p.err != nil {
			break
		}
		if id == sectionCustom {
			continue // names and the like
		}
		if order[id] <= last {
			p.at = begin
			p.fail("section %d stands at the wrong place", id)
			break
		}
		// The global section must exist, for the fuel.
		if last < order[sectionGlobal] && order[id] > order[sectionGlobal] {
			p.globalSection(nil)
		}
		if last < order[sectionExport] && order[id] > order[sectionExport] {
			p.exportSection(nil)
		}
		last = order[id]
		p.section(id, &body)
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.finish()
}

func (p *parser) section(id int, body *reader) {
	begin := *body
	switch id {
	case sectionType:
		p.typeSection(body)
		begin.b = nil
	case sectionImport:
		if n := body.count("imports"); n > 0 {
			body.fail("the module imports %s.%s; a codec may import nothing", fault.Quote(body.name()), fault.Quote(body.name()))
		}
		begin.b = nil
	case sectionFunction:
		for range body.count("functions") {
			t := body.number()
			if t >= len(p.types) {
				body.fail("function %d has type %d of %d", len(p.functions), t, len(p.types))
				break
			}
			p.functions = append(p.functions, t)
		}
		p.functionSection(body)
		begin.b = nil
	case sectionMemory:
		p.memorySection(body)
		begin.b = nil
	case sectionGlobal:
		p.globalSection(body)
		begin.b = nil
	case sectionExport:
		p.exportSection(body)
		begin.b = nil
	case sectionCode:
		p.codeSection(body)
		begin.b = nil
	case sectionTable:
		p.tableSection(body)
	case sectionElement, sectionData:
		p.segments(body, id)
	case sectionStart:
		body.below("function", len(p.functions))
	default: // the count of data
		body.number()
	}
	if p.err == nil {
		p.err = body.err
	}
	if p.err == nil && len(body.b) > 0 {
		p.at = body.at
		p.fail("section %d has %d bytes too many", id, len(body.b))
	}
	if begin.b != nil {
		p.put(id, begin.b)
	}
}

// put appends a section to the rewritten module.
func (p *parser) put(id int, body []byte) {
	p.out = append(p.out, byte(id))
	p.out = appendNumber(p.out, len(body))
	p.out = append(p.out, body...)
}

// typeSection adds the types of the functions that the rewriting adds.
func (p *parser) typeSection(r *reader) {
	n := r.count("types")
	body := r.b
	defer func() {
		if r.err == nil {
			body = body[:len(body)-len(r.b)]
			added := []byte{typeFunc, 0, 0, typeFunc, 1, typeI32, 1, typeI32}
			p.put(sectionType, slices.Concat(appendNumber(nil, n+2), body, added))
		}
	}()
	for range n {
		if r.byte() != typeFunc {
			r.fail("type %d is not the type of a function", len(p.types))
		}
		values := func() string {
			text := ""
			n := r.count("values")
			if n > maxParameters {
				r.fail("type %d has %d values; a function of a codec has at most %d", len(p.types), n, maxParameters)
			}
			for range n {
				switch v := r.byte(); v {
				case typeI32:
					text += "i"
				case typeI64:
					text += "l"
				default:
					r.fail("type %d has a value of type %#x; a codec uses i32 and i64", len(p.types), v)
				}
			}
			return text
		}
		of := signature{values(), values()}
		if len(of.results) > 1 {
			r.fail("type %d has %d results; a function of a codec has at most one", len(p.types), len(of.results))
		}
		p.types = append(p.types, of)
	}
}

// memorySection bounds the memory, so that it cannot grow further.
func (p *parser) memorySection(r *reader) {
	if n := r.count("memories"); n != 1 {
		r.fail("the module has %d memories; a codec has one", n)
		return
	}
	flags, most := r.byte(), MaxPages
	first := r.number()
	if flags > 1 {
		r.fail("the memory is shared or has 64-bit addresses")
	} else if flags == 1 {
		if most = min(most, r.number()); most < min(first, MaxPages) {
			r.fail("the memory is larger at the start than it may become")
		}
	}
	if first > MaxPages {
		r.fail("the memory has %d pages of 64 kB at the start; a codec may have %d", first, MaxPages)
	}
	p.put(sectionMemory, appendNumber(appendNumber([]byte{1, 1}, first), max(first, most)))
}

// globalSection appends the global with the fuel. r is nil if the module has no globals.
func (p *parser) globalSection(r *reader) {
	var body []byte
	if r != nil {
		p.globals = r.count("globals")
		body = r.b
		for i := range p.globals {
			of := r.byte()
			if of != typeI32 && of != typeI64 {
				r.fail("a global has the type %#x; a codec uses i32 and i64", of)
			}
			if r.byte() == 1 {
				p.changing = append(p.changing, globalOf{len(p.changing), i, of})
			}
			r.constant(of)
		}
		if r.err != nil {
			return
		}
		body = body[:len(body)-len(r.b)]
	}
	out := append(appendNumber(nil, p.globals+ownGlobals+len(p.changing)), body...)
	add := func(of byte, value int64) {
		op := byte(opI32Const)
		if of == typeI64 {
			op = opI64Const
		}
		out = append(appendSigned(append(out, of, 1, op), value), opEnd)
	}
	add(typeI64, CallFuel)
	add(typeI32, stackBytes)
	add(typeI64, firstFuel)
	add(typeI32, 0)
	for _, g := range p.changing {
		add(g.of, 0)
	}
	p.put(sectionGlobal, out)
}

// functionSection adds the entries to the functions.
func (p *parser) functionSection(r *reader) {
	out := appendNumber(nil, len(p.functions)+len(p.entries)+ownFunctions)
	types := p.functions
	for _, e := range p.entries {
		if e.function >= len(p.functions) {
			r.fail("%s is function %d of %d", e.of, e.function, len(p.functions))
			return
		}
		types = append(types, p.functions[e.function])
	}
	for _, t := range append(types, len(p.types), len(p.types), len(p.types)+1) {
		out = appendNumber(out, t)
	}
	p.put(sectionFunction, out)
}

// entriesOf finds the exported functions of the contract, for which the functions and their types, which stand
// before the exports, need room. It leaves faults to Parse.
func entriesOf(b []byte) (list []entry) {
	r := reader{b: b[len(header):]}
	for len(r.b) > 0 {
		id := r.byte()
		section := reader{b: r.take(r.number())}
		if id != sectionExport {
			continue
		}
		for range section.count("exports") {
			name, kind, function := section.name(), section.byte(), section.number()
			if f := named(name); kind == 0 && f < NumFunctions && section.err == nil {
				list = append(list, entry{f, function})
			}
		}
		break
	}
	return list
}

// named returns the function with a name, NumFunctions if the contract has none.
func named(name string) Function {
	f := Function(0)
	for f < NumFunctions && exports[f].name != name {
		f++
	}
	return f
}

// Trains reports whether a module exports train, without a check of anything else.
func Trains(module string) bool {
	if len(module) < len(header) || len(module) > MaxBytes {
		return false
	}
	return slices.ContainsFunc(entriesOf([]byte(module)), func(e entry) bool { return e.of == Train })
}

// exportSection keeps the exports, with entries for the functions of the contract, and appends that of the fuel. r
// is nil if the module exports nothing.
func (p *parser) exportSection(r *reader) {
	n := 0
	var body []byte
	entries := len(p.functions) // the next one
	if r != nil {
		n = r.count("exports")
		for range n {
			name, kind := r.name(), r.byte()
			i := r.number()
			switch {
			case strings.HasPrefix(name, ownExports):
				r.fail("the module exports %s; names that begin with %s are reserved for the count of its work", fault.Quote(name), ownExports)
			case kind == 0 && i < len(p.functions):
				p.exports[name] = p.types[p.functions[i]]
				if named(name) < NumFunctions {
					i = entries
					entries++
				}
			case kind == 0:
				r.fail("%s is function %d of %d", fault.Quote(name), i, len(p.functions))
			case kind == 3 && i >= p.globals:
				r.fail("%s is global %d of %d", fault.Quote(name), i, p.globals)
			case kind == 2:
				p.exports[name] = memoryExport
			}
			if r.err != nil {
				return
			}
			body = appendExport(body, name, kind, i)
		}
	}
	body = appendExport(body, FuelExport, 3, p.fuel())
	body = appendExport(body, Save.String(), 0, p.own(0))
	body = appendExport(body, Restore.String(), 0, p.own(1))
	p.put(sectionExport, append(appendNumber(nil, n+3), body...))
}

func appendExport(b []byte, name string, kind byte, index int) []byte {
	b = append(appendNumber(b, len(name)), name...)
	return appendNumber(append(b, kind), index)
}

var memoryExport = signature{"memory", "memory"}

// finish checks that the module has what the contract names.
func (p *parser) finish() (*Module, error) {
	if p.bodies != len(p.functions) {
		return nil, fmt.Errorf("the module has %d functions and %d bodies", len(p.functions), p.bodies)
	}
	if p.exports["memory"] != memoryExport {
		return nil, fmt.Errorf("the module does not export its memory under the name memory")
	}
	for _, e := range exports {
		got, ok := p.exports[e.name]
		switch {
		case !ok && !e.optional:
			return nil, fmt.Errorf("the module does not export the function %s", e.name)
		case ok && got != e.of:
			return nil, fmt.Errorf("the function %s has the type %s; it must be %s", e.name, got, e.of)
		}
	}
	m := &Module{Binary: p.out}
	for f := range NumFunctions {
		_, m.has[f] = p.exports[f.String()]
	}
	switch {
	case m.has[Train] != m.has[Trained]:
		return nil, fmt.Errorf("the module exports only one of train and trained; a codec with a code table has both")
	case m.has[Batch] != m.has[Sizes]:
		return nil, fmt.Errorf("the module exports only one of batch and sizes; a codec that sizes many blocks in a call has both")
	}
	return m, nil
}

func (s signature) String() string {
	if s == memoryExport {
		return "memory"
	}
	words := func(text string) string {
		out := ""
		for i, c := range text {
			if i > 0 {
				out += ", "
			}
			out += map[rune]string{'i': "i32", 'l': "i64"}[c]
		}
		return "(" + out + ")"
	}
	return words(s.parameters) + " -> " + words(s.results)
}
