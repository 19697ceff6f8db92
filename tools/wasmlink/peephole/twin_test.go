package peephole

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// twinProgram runs the functions of a module one after the other in one memory. It prints for each
// function what it returns, the stack pointer and a sum of the memory.
const twinProgram = `
const [file, count] = process.argv.slice(2);
const { f, memory, sp } = new WebAssembly.Instance(new WebAssembly.Module(require("fs").readFileSync(file))).exports;
const view = new BigInt64Array(memory.buffer);
let seed = 1n;
for (let i = 0; i < view.length; i++) view[i] = seed = BigInt.asIntN(64, seed * 6364136223846793005n + 1442695040888963407n);
for (let k = 0; k < count; k++) {
  const said = f(k);
  let sum = 0n;
  for (const word of view) sum = BigInt.asIntN(64, sum * 31n + word);
  console.log(k, said, sp.value, sum);
}
`

const (
	twinFunctions  = 400
	twinStatements = 25
	twinStack      = 30_000 // where the stack begins in the memory of 64 kB
)

// Random functions made of what Go's compiler writes do the same before and after.
func TestRandomProgramsDoTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "twin.js")
	if err := os.WriteFile(script, []byte(twinProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		module := randomModule(rand.New(rand.NewPCG(seed, 7)))
		short, err := Shorten(module)
		if err != nil {
			t.Fatal(err)
		}
		if len(short) > len(module)*9/10 {
			t.Errorf("seed %d: %d bytes become %d: the functions have nothing to shorten", seed, len(module), len(short))
		}
		var said [2]string
		for i, m := range [][]byte{module, short} {
			file := filepath.Join(dir, "twin.wasm")
			if err := os.WriteFile(file, m, 0o644); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("node", script, file, strconv.Itoa(twinFunctions)).CombinedOutput()
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, out)
			}
			said[i] = string(out)
		}
		if strings.Count(said[0], "\n") != twinFunctions {
			t.Fatalf("seed %d: the program says\n%s", seed, said[0])
		}
		for k, line := range strings.Split(said[0], "\n") {
			if short := strings.Split(said[1], "\n")[k]; short != line {
				t.Errorf("seed %d: function %q says %q when it is shortened", seed, line, short)
				break
			}
		}
	}
}

// randomModule exports a memory, the global stack pointer, and f, which calls the function whose
// number it gets.
func randomModule(r *rand.Rand) []byte {
	section := func(out []byte, kind byte, body ...byte) []byte {
		return append(code.AppendUnsigned(append(out, kind), len(body)), body...)
	}
	out := section([]byte(code.Header), 1, 1, 0x60, 1, 0x7f, 1, 0x7f) // a function of an i32 returns one
	types := code.AppendUnsigned(nil, twinFunctions+2)
	out = section(out, 3, append(types, make([]byte, twinFunctions+2)...)...)
	table := code.AppendUnsigned([]byte{1, 0x70, 0}, twinFunctions)
	out = section(out, 4, table...)
	out = section(out, 5, 1, 0, 1)
	pointer := append(code.AppendSigned([]byte{1, 0x7f, 1, code.OpI32Const}, twinStack), code.OpEnd)
	out = section(out, 6, pointer...)
	exports := append([]byte{3, 1, 'f', 0}, code.AppendUnsigned(nil, twinFunctions)...)
	exports = append(exports, 6, 'm', 'e', 'm', 'o', 'r', 'y', 2, 0, 2, 's', 'p', 3, 0)
	out = section(out, 7, exports...)
	elements := code.AppendUnsigned([]byte{1, 0, code.OpI32Const, 0, code.OpEnd}, twinFunctions)
	for k := range twinFunctions {
		elements = code.AppendUnsigned(elements, k)
	}
	out = section(out, 9, elements...)
	functions := code.AppendUnsigned(nil, twinFunctions+2)
	entry := func(locals []byte, content []code.Instruction) {
		functions = code.AppendUnsigned(functions, len(locals)+len(raw(content)))
		functions = append(append(functions, locals...), raw(content)...)
	}
	for range twinFunctions {
		g := &generator{r: r}
		entry([]byte{3, 1, 0x7f, 3, 0x7e, 1, 0x7f}, g.function())
	}
	call := code.Instruction{Op: code.OpCallIndirect, Raw: []byte{code.OpCallIndirect, 0, 0}}
	entry([]byte{0}, list{short(5), get(0), call, end})
	// The last function notes the stack pointer that it finds, and takes its address off.
	see := list{get(1), get(1), access(code.OpI32Store, 2, 8), get(1), short(8), add32, tee(1), global(0), short(0), ret}
	entry([]byte{1, 1, 0x7f}, on(stack, list{block}, see, list{plain(code.OpUnreachable), end, short(1), end}))
	return section(out, 10, functions...)
}

// generator writes a function. Local variables 2 to 4 have 64 bits, 5 and parameter 0 have 32.
type generator struct {
	r     *rand.Rand
	out   list
	depth int // of blocks
	frame int64
}

func (g *generator) put(in ...code.Instruction) { g.out = append(g.out, in...) }

func (g *generator) function() list {
	g.put(on(stack, list{block})...)
	for range twinStatements {
		g.statement()
	}
	for n := int64(2); n <= 4; n++ { // what is left in variables
		g.stackAddress(8 * n)
		g.put(get(n), access(code.OpI64Store, 3, 0))
	}
	for g.depth > 0 {
		g.depth--
		g.put(end)
	}
	if g.frame > 0 && g.r.IntN(2) == 0 {
		g.move(g.frame - 8)
		g.frame = 8
	}
	g.move(g.frame)
	g.put(get(5), ret, plain(code.OpUnreachable), end, short(1), end)
	return g.out
}

// call is how the compiler writes a call that may leave the function.
func (g *generator) call() {
	g.put(get(1), short(8), plain(code.OpI32Sub), tee(1), global(0), get(1), long(g.r.Int64()), access(code.OpI64Store, 3, 0), short(0))
	g.put(index(code.OpCall, twinFunctions+1), index(code.OpGlobalGet, 0), set(1), index(code.OpBrIf, int64(g.depth)))
}

// move takes n bytes off the stack, or puts them there.
func (g *generator) move(n int64) {
	g.put(get(1), short(n), add32, tee(1), global(0))
}

func (g *generator) statement() {
	r := g.r
	switch r.IntN(10) {
	case 9:
		g.call()
	case 0, 1, 2:
		g.address()
		if r.IntN(4) == 0 {
			g.short(3)
			g.put(access([]byte{code.OpI32Store, code.OpI32Store8, code.OpI32Store16}[r.IntN(3)], 0, r.Int64N(200)))
		} else {
			g.long(3)
			g.put(access([]byte{code.OpI64Store, code.OpI64Store8, code.OpI64Store16, code.OpI64Store32}[r.IntN(4)], 0, r.Int64N(200)))
		}
	case 3, 4:
		g.long(4)
		g.put(set(2 + r.Int64N(3)))
	case 5:
		g.short(4)
		g.put(set(5))
	case 6: // a jump under a condition out of open blocks
		if g.depth > 0 {
			g.short(3)
			g.put(branch, index(code.OpBr, r.Int64N(int64(g.depth)+1)), end)
		}
	case 7:
		if g.depth > 0 && r.IntN(2) == 0 {
			g.depth--
			g.put(end)
		} else {
			g.depth++
			g.put(block)
		}
	case 8:
		n := 2 + r.Int64N(3)
		switch {
		case r.IntN(2) == 0:
			g.put(get(n), set(n))
		case g.depth == 0: // every way comes by
			g.put(plain(code.OpNop))
			g.frame += 16
			g.move(-16)
		}
	}
}

// stackAddress is how the compiler writes an address on the stack.
func (g *generator) stackAddress(distance int64) {
	g.put(get(1), extend, long(distance), add, wrap)
}

func (g *generator) address() {
	switch g.r.IntN(4) {
	case 0:
		g.put(get(2+g.r.Int64N(3)), long(0x3fff), and, wrap)
	case 1:
		g.put(long(g.r.Int64N(20_000)), wrap)
	default:
		g.stackAddress(g.r.Int64N(1000) - 200)
	}
}

// long writes a value of 64 bits.
func (g *generator) long(depth int) {
	r := g.r
	if depth == 0 {
		if r.IntN(2) == 0 {
			g.put(get(2 + r.Int64N(3)))
		} else {
			g.put(long([]int64{0, 1, -1, 255, 1<<32 - 1, 1<<40 + 3, r.Int64()}[r.IntN(7)]))
		}
		return
	}
	switch r.IntN(6) {
	case 0, 1:
		g.address()
		g.put(access(code.OpI64Load+[]byte{0, 7, 8, 9, 10, 11, 12}[r.IntN(7)], 0, r.Int64N(300)))
	case 2:
		g.short(depth - 1)
		g.put([]code.Instruction{extend, plain(code.OpI64ExtendSigned)}[r.IntN(2)])
	case 3:
		g.long(depth - 1)
		g.put(long([]int64{255, 65535, 1<<32 - 1, 127, 3}[r.IntN(5)]), and)
	case 4:
		g.long(depth - 1)
		g.long(depth - 1)
		g.put(plain(code.OpI64Add + byte(r.IntN(3)))) // add, sub, mul
	default:
		g.long(0)
	}
}

// short writes a value of 32 bits.
func (g *generator) short(depth int) {
	r := g.r
	if depth == 0 {
		g.put(get([]int64{0, 5}[r.IntN(2)]))
		return
	}
	switch r.IntN(6) {
	case 0, 1:
		g.long(depth - 1)
		g.put(wrap)
	case 2:
		g.long(depth - 1)
		g.long(depth - 1)
		g.put(plain(code.OpI64Eq + byte(r.IntN(10))))
	case 3:
		g.short(depth - 1)
		g.put(eqz)
	case 4:
		g.long(depth - 1)
		g.put(eqz64)
	default:
		g.short(depth - 1)
		g.short(depth - 1)
		g.put(plain(code.OpI32Eq + byte(r.IntN(10))))
	}
}
