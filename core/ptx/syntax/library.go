package syntax

import (
	_ "embed"
	"strconv"
	"strings"
)

// The functions that CUDA's system provides to a kernel without a body in its PTX (CUDA C++ Programming Guide,
// "Formatted Output", "Assertion", "Dynamic Global Memory Allocation"). Their texts are PTX with three instructions
// more: _print, _assert and _fault. The parser adds those that the module calls.

//go:embed library.ptx
var libraryText string

// libraryFunctions are the names, with how CUDA declares each; W is the size of an address in bits.
var libraryFunctions = [...]struct{ name, declared string }{
	{"vprintf", ".extern .func (.param .b32 result) vprintf (.param .bW format, .param .bW arguments);"},
	{"__assertfail", ".extern .func __assertfail (.param .bW message, .param .bW file, .param .b32 line, " +
		".param .bW function, .param .bW size);"},
	{"malloc", ".extern .func (.param .bW pointer) malloc (.param .bW bytes);"},
	{"free", ".extern .func free (.param .bW pointer);"},
}

// AssertFunction is what a failed assert of CUDA C++ calls; it does not return. Without parameters it is a trap.
const AssertFunction = "__assertfail"

// HeapBytes is the memory that malloc gives: the default of cudaLimitMallocHeapSize (CUDA C++ Programming Guide,
// "Heap Memory Allocation").
const HeapBytes = 8 << 20

// heapGrain is the size and alignment that malloc rounds to: the guide promises 16 bytes.
const heapGrain = 16

// addLibrary parses the bodies of the functions that the module declares without a body and calls.
func (p *parser) addLibrary() {
	called := p.calledLibrary()
	if len(called) == 0 || p.rep.Broken {
		return
	}
	text := strings.NewReplacer("{W}", strconv.Itoa(p.module.AddressBits), "{HEAP}", strconv.Itoa(HeapBytes),
		"{UNITS}", strconv.Itoa(HeapBytes/heapGrain)).Replace(libraryText)
	heap := false
	for _, fn := range called {
		declared := *fn
		if heap = heap || fn.Name == "malloc" || fn.Name == "free"; !p.sameFormals(fn) {
			continue
		}
		p.parseLibrary(section(text, fn.Name), declared.At)
		fn.Provided, fn.At = true, declared.At
	}
	if heap {
		first := len(p.module.Variables)
		p.parseLibrary(section(text, "heap"), called[0].At)
		for _, v := range p.module.Variables[first:] {
			v.Provided = true
		}
	}
}

// calledLibrary returns the functions of the library that the module calls and does not define.
func (p *parser) calledLibrary() (list []*Function) {
	for i := range libraryFunctions {
		sym := p.module.Root.Names[libraryFunctions[i].name]
		if sym == nil || sym.Kind != SymbolFunction || sym.Function.Defined || sym.Function.Entry {
			continue
		}
		if fn := sym.Function; p.calls(fn.Name) && (fn.Name != AssertFunction || len(fn.Params) > 0) {
			list = append(list, fn)
		}
	}
	return list
}

// calls reports whether a statement of the module calls a function by its name.
func (p *parser) calls(name string) bool {
	for _, fn := range p.module.Functions {
		for _, st := range fn.Code {
			if st.Opcode != "call" {
				continue
			}
			for i := range st.Operands {
				if st.Operands[i].Kind == OperandName && st.Operands[i].Name == name {
					return true
				}
			}
		}
	}
	return false
}

// sameFormals reports whether a declaration has the parameters and the result that CUDA gives the function, and
// reports it if not.
func (p *parser) sameFormals(fn *Function) bool {
	for i := range libraryFunctions {
		f := &libraryFunctions[i]
		if f.name != fn.Name {
			continue
		}
		declared := strings.ReplaceAll(f.declared, ".bW", ".b"+strconv.Itoa(p.module.AddressBits))
		q := &parser{rep: &Reporter{}, tokens: tokens{lexer: newLexer(&Reporter{}, declared)},
			module: &Module{Root: newScope(nil)}}
		q.scope = q.module.Root
		q.moduleItem()
		own := q.module.Functions[0]
		if sameSizes(fn.Params, own.Params) && sameSizes(fn.Returns, own.Returns) {
			return true
		}
		p.failed = false
		p.fail(fn.At, "%s is declared with other parameters than CUDA's: write %s", fn.Name, declared)
	}
	return false
}

func sameSizes(a, b []*Symbol) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if formalBytes(a[i]) != formalBytes(b[i]) {
			return false
		}
	}
	return true
}

func formalBytes(s *Symbol) uint64 {
	if s.Variable != nil {
		return s.Variable.Bytes
	}
	return uint64(s.Register.Type.Bytes())
}

// parseLibrary parses PTX of the library as a part of the module. Everything in it stands where the module declares
// the function, because that is the line of the user's text to which its work belongs.
func (p *parser) parseLibrary(text string, at Position) {
	p.tokens, p.next, p.failed = tokens{lexer: newLexer(p.rep, text)}, 0, false
	p.tokens.lexer.fixed = at
	for p.peek().kind != tokenEnd && !p.failed {
		p.moduleItem()
	}
}

// section returns the part of the library after the line "//- name", up to the next such line.
func section(text, name string) string {
	_, rest, _ := strings.Cut(text, "//- "+name+"\n")
	part, _, _ := strings.Cut(rest, "//- ")
	return part
}
