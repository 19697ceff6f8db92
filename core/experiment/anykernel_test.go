package experiment

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/scenario"
)

// kernelWriter writes a random legal kernel without races: a thread stores to places of its own, atomics on
// common places commute and return nothing, and shared memory is exchanged between barriers that
// all threads reach. So the outputs do not depend on time, and every lossless scheme on every machine has those of
// the functional run. Addresses are masked and loops counted, so that a kernel whose values are approximated stays legal too.
type kernelWriter struct {
	strings.Builder
	r       *rand.Rand
	threads int  // of the grid
	block   int  // threads of a CTA
	packed  bool // a thread's four words lie side by side, not one in each quarter of the buffer
	labels  int
	inside  int // nesting of branches
}

// Sizes of the kernels, in bytes or statements [ours]: they run in some thousand cycles.
const (
	anyInBytes     = 1 << 13
	anySumWords    = 64
	anyLocalWords  = 16
	anyTexels      = 256
	anyStatements  = 24
	anyRegisters   = 8
	anyMaxNesting  = 2
	anyMaxCTAs     = 6
	anyMaxLaunches = 3
)

// anyKernel is a program of the user with a random kernel.
func anyKernel(r *rand.Rand) *scenario.PTX {
	w := &kernelWriter{r: r, block: []int{1, 32, 33, 64, 96, 128, 200, 256}[r.Intn(8)], packed: r.Intn(2) == 0}
	grid := 1 + r.Intn(anyMaxCTAs)
	w.threads = grid * w.block
	in := w.data(anyInBytes)
	p := &scenario.PTX{
		File: "any.ptx", Entry: "k", Source: w.kernel(), Grid: []int{grid}, Block: []int{w.block}, Repeat: 1 + r.Intn(anyMaxLaunches), Safe: []int{0},
		Args: []scenario.Arg{
			{Spec: "in:data", Data: in, Element: "f32"}, {Spec: fmt.Sprintf("out:own:%d", 16*w.threads)}, {Spec: fmt.Sprintf("out:sum:%d", 4*anySumWords)},
		},
	}
	if strings.Contains(p.Source, ".texref") {
		p.Textures = []scenario.Texture{{Name: "texels", Data: w.data(4 * anyTexels), Format: "u32", Width: anyTexels}}
	}
	return p
}

// fullKernel is the first random kernel that uses every part of an SM.
func fullKernel() *scenario.PTX {
	for seed := int64(0); ; seed++ {
		p := anyKernel(rand.New(rand.NewSource(seed)))
		lacks := func(word string) bool { return !strings.Contains(p.Source, word) }
		if p.Block[0] > 64 && !slices.ContainsFunc([]string{"tex.1d", "ld.shared", "ld.local", "ld.const", "red.global", "atom.global", "div.", "f64", ".approx", "bra"}, lacks) {
			return p
		}
	}
}

// data is random bytes of one of the kinds that codecs know: zeros, small numbers, floats close to each other, noise.
func (w *kernelWriter) data(n int) []byte {
	b := make([]byte, n)
	kind := w.r.Intn(5)
	for i := 0; i < n; i += 4 {
		var v uint32
		switch k := kind; {
		case k == 0 || k == 4 && i/512%2 == 0:
		case k == 1:
			v = uint32(w.r.Intn(200))
		case k == 2:
			v = math.Float32bits(100 + w.r.Float32())
		default:
			v = w.r.Uint32()
		}
		binary.LittleEndian.PutUint32(b[i:], v)
	}
	return b
}

func (w *kernelWriter) put(format string, args ...any) { fmt.Fprintf(w, "\t"+format+";\n", args...) }

func (w *kernelWriter) pick(words ...string) string { return words[w.r.Intn(len(words))] }

// Registers of each kind.
func (w *kernelWriter) word() string   { return fmt.Sprintf("%%r%d", w.r.Intn(anyRegisters)) }
func (w *kernelWriter) float() string  { return fmt.Sprintf("%%f%d", w.r.Intn(anyRegisters)) }
func (w *kernelWriter) double() string { return fmt.Sprintf("%%d%d", w.r.Intn(4)) }
func (w *kernelWriter) long() string   { return fmt.Sprintf("%%l%d", w.r.Intn(4)) }

func (w *kernelWriter) label() string {
	w.labels++
	return fmt.Sprintf("L%d", w.labels)
}

func (w *kernelWriter) kernel() string {
	w.WriteString(".version 7.0\n.target sm_50\n.address_size 64\n")
	if w.r.Intn(3) == 0 {
		w.WriteString(".global .texref texels;\n")
	}
	fmt.Fprintf(w, ".const .align 4 .b8 table[64] = {1, 2, 3, 4, 5, 6, 7, 8};\n.visible .entry k(.param .u64 a0, .param .u64 a1, .param .u64 a2)\n{\n")
	fmt.Fprintf(w, "\t.shared .align 16 .b8 own[%d];\n\t.local .align 8 .b8 spill[%d];\n", 16*w.block, 4*anyLocalWords)
	fmt.Fprintf(w, "\t.reg .u32 %%r<%d>, %%t, %%i, %%x, %%y, %%v<4>; .reg .f32 %%f<%d>; .reg .f64 %%d<4>; .reg .u64 %%l<4>, %%in, %%out, %%sum, %%a, %%b; .reg .pred %%p;\n", anyRegisters, anyRegisters)
	w.put("ld.param.u64 %%in, [a0]")
	w.put("ld.param.u64 %%out, [a1]")
	w.put("ld.param.u64 %%sum, [a2]")
	w.put("mov.u32 %%x, %%ctaid.x")
	w.put("mov.u32 %%i, %%tid.x")
	w.put("mad.lo.u32 %%t, %%x, %d, %%i", w.block)
	for i := range anyRegisters {
		w.put("mad.lo.u32 %%r%d, %%t, %d, %d", i, w.r.Intn(9), w.r.Intn(100))
		w.put("cvt.rn.f32.u32 %%f%d, %%r%d", i, i)
	}
	for i := range 4 {
		w.put("cvt.u64.u32 %%l%d, %%r%d", i, i)
		w.put("cvt.rn.f64.u32 %%d%d, %%r%d", i, i)
	}
	for k := range anyLocalWords {
		w.put("st.local.u32 [spill+%d], %%r%d", 4*k, k%anyRegisters)
	}
	for range 3 + w.r.Intn(anyStatements) {
		w.statement()
	}
	w.store()
	w.WriteString("\tret;\n}\n")
	return w.String()
}

// statement writes one random statement. Those that need all threads stand outside of branches.
func (w *kernelWriter) statement() {
	n := 16
	if w.inside > 0 {
		n = 13
	}
	switch w.r.Intn(n) {
	case 0, 1, 2:
		w.load()
	case 3:
		w.store()
	case 4:
		w.integers()
	case 5:
		w.floats()
	case 6:
		w.spill()
	case 7:
		w.atomic()
	case 8:
		w.own()
	case 9:
		w.put("%s", w.pick("membar.gl", "membar.cta", "prefetch.global.L1 [%in]", "prefetch.global.L2 [%in+128]",
			"prefetch.global.L2::evict_last [%in+256]", "prefetchu.L1 [%in+4096]",
			"prefetch.local.L1 [spill]", "prefetch.L1 [%out]"))
	case 10:
		w.put("and.b32 %%x, %s, 3", w.word())
		w.put("mov.u64 %%a, table")
		w.put("mad.wide.u32 %%a, %%x, 4, %%a")
		w.put("ld.const.u32 %s, [%%a]", w.word())
	case 11, 12:
		w.branch()
	case 13:
		w.exchange()
	case 14:
		w.put("shfl.sync.bfly.b32 %s, %s, %d, 31, -1", w.word(), w.word(), w.r.Intn(32))
	default:
		if strings.Contains(w.String(), ".texref") {
			w.put("tex.1d.v4.u32.s32 {%%v0, %%v1, %%v2, %%v3}, [texels, {%s}]", w.word())
			w.put("add.u32 %s, %%v0, %%v3", w.word())
			return
		}
		w.put("bar.sync 0")
	}
}

// load reads a place of the input: lanes side by side, apart, in one word, or anywhere.
func (w *kernelWriter) load() {
	switch w.r.Intn(4) {
	case 0:
		w.put("mov.u32 %%x, %%t")
	case 1:
		w.put("mul.lo.u32 %%x, %%t, %d", 1+w.r.Intn(70))
	case 2:
		w.put("mov.u32 %%x, %d", w.r.Intn(anyInBytes/16))
	default:
		w.put("add.u32 %%x, %s, %d", w.word(), w.r.Intn(64))
	}
	w.put("and.b32 %%x, %%x, %d", anyInBytes/16-1)
	w.put("mad.wide.u32 %%a, %%x, %d, %%in", []int{16, 16, 8, 4}[w.r.Intn(4)])
	at := w.pick("", "", ".ca", ".cg", ".cv", ".cs", ".lu", ".nc", ".L1::no_allocate", ".L1::evict_first",
		".L1::evict_last", ".L1::evict_unchanged",
		".L2::64B", ".L2::128B", ".L2::256B")
	policy := ""
	if w.r.Intn(4) == 0 && at != ".nc" {
		at, policy = at+".L2::cache_hint", w.pick(", 0x14f0000000000000", ", 0x1250000000000000", ", %l0")
	}
	switch w.r.Intn(6) {
	case 0:
		w.put("ld.global%s.u8 %%x, [%%a+%d]%s", at, w.r.Intn(4), policy)
		w.put("add.u32 %s, %s, %%x", w.word(), w.word())
	case 1:
		w.put("and.b64 %%a, %%a, -16")
		w.put("ld.global%s.v4.u32 {%%v0, %%v1, %%v2, %%v3}, [%%a]%s", at, policy)
		w.put("xor.b32 %s, %%v1, %%v2", w.word())
	case 2:
		w.put("and.b64 %%a, %%a, -8")
		w.put("ld.global%s.u64 %s, [%%a]%s", at, w.long(), policy)
	case 3:
		w.put("ld.global%s.f32 %s, [%%a]%s", at, w.float(), policy)
	default:
		w.put("ld.global%s.u32 %s, [%%a]%s", at, w.word(), policy)
	}
}

// place leaves the address of word k of the thread in %b.
func (w *kernelWriter) place(k int) {
	if w.packed {
		w.put("mad.wide.u32 %%b, %%t, 16, %%out")
		w.put("add.u64 %%b, %%b, %d", 4*k)
	} else {
		w.put("mad.wide.u32 %%b, %%t, 4, %%out")
		w.put("add.u64 %%b, %%b, %d", 4*k*w.threads)
	}
}

// store writes places of the thread's own.
func (w *kernelWriter) store() {
	k := w.r.Intn(4)
	if w.packed && k == 0 && w.r.Intn(2) == 0 {
		w.place(0)
		w.put("st.global.v4.u32 [%%b], {%s, %s, %s, %s}", w.word(), w.word(), w.word(), w.word())
		return
	}
	w.place(k)
	switch w.r.Intn(4) {
	case 0:
		w.put("st.global.u8 [%%b+%d], %s", w.r.Intn(4), w.word())
	case 1:
		w.put("st.global%s.f32 [%%b], %s", w.pick("", ".wb", ".cg", ".wt", ".cs", ".L1::no_allocate",
			".L1::evict_last"), w.float())
	default:
		w.put("st.global%s.u32 [%%b], %s", w.pick("", ".wb", ".cg", ".wt", ".cs", ".L1::no_allocate",
			".L1::evict_last"), w.word())
	}
}

// own reads a place of the thread's own, or changes it by an atomic that returns what was there.
func (w *kernelWriter) own() {
	w.place(w.r.Intn(4))
	if w.r.Intn(3) == 0 {
		w.put("atom.global.%s.u32 %s, [%%b], %s", w.pick("add", "exch", "max", "min"), w.word(), w.word())
		return
	}
	w.put("ld.global%s.u32 %s, [%%b]", w.pick("", ".cg"), w.word())
}

// atomic changes a common place in a way that does not depend on the order.
func (w *kernelWriter) atomic() {
	w.put("and.b32 %%x, %s, %d", w.word(), anySumWords-1)
	w.put("mad.wide.u32 %%a, %%x, 4, %%sum")
	w.put("red.global.add.u32 [%%a], %s", w.word())
}

func (w *kernelWriter) integers() {
	a, b, c := w.word(), w.word(), w.word()
	switch w.r.Intn(5) {
	case 0:
		w.put("or.b32 %%x, %s, 1", b)
		w.put("%s.u32 %s, %s, %%x", w.pick("div", "rem"), a, c)
	case 1:
		w.put("mad.lo.u32 %s, %s, %s, %s", a, b, c, w.word())
	case 2:
		w.put("%s.b32 %s, %s, %s", w.pick("and", "or", "xor"), a, b, c)
	case 3:
		w.put("mad.wide.u32 %s, %s, %s, %s", w.long(), b, c, w.long())
		w.put("cvt.u32.u64 %s, %s", a, w.long())
	default:
		w.put("%s.u32 %s, %s, %s", w.pick("add", "sub", "max", "min", "mul.lo", "mul.hi"), a, b, c)
	}
}

func (w *kernelWriter) floats() {
	a, b, c := w.float(), w.float(), w.float()
	switch w.r.Intn(5) {
	case 0:
		w.put("%s.f32 %s, %s", w.pick("sin.approx", "ex2.approx", "rsqrt.approx", "rcp.rn", "sqrt.rn"), a, b)
	case 1:
		w.put("div.%s.f32 %s, %s, %s", w.pick("rn", "approx"), a, b, c)
	case 2:
		w.put("fma.rn.f32 %s, %s, %s, %s", a, b, c, w.float())
	case 3:
		w.put("%s.f64 %s, %s, %s", w.pick("add", "mul", "div.rn", "max"), w.double(), w.double(), w.double())
		w.put("cvt.rn.f32.f64 %s, %s", a, w.double())
	default:
		w.put("%s.f32 %s, %s, %s", w.pick("add", "mul", "max"), a, b, c)
	}
	if w.r.Intn(2) == 0 {
		w.put("mov.b32 %s, %s", w.word(), a)
	}
}

// spill uses local memory at an address that depends on the lane.
func (w *kernelWriter) spill() {
	w.put("and.b32 %%x, %s, %d", w.word(), anyLocalWords/2-1)
	w.put("mov.u64 %%a, spill")
	w.put("mad.wide.u32 %%a, %%x, 8, %%a")
	switch w.r.Intn(4) {
	case 0:
		w.put("st.local.u32 [%%a], %s", w.word())
	case 1:
		w.put("st.local.u64 [%%a], %s", w.long())
	case 2:
		w.put("ld.local.u64 %s, [%%a]", w.long())
	default:
		w.put("ld.local.u32 %s, [%%a+4]", w.word())
	}
}

// exchange gives each thread the word of another one of its CTA, by shared memory.
func (w *kernelWriter) exchange() {
	step := []int{4, 4, 8, 12, 16}[w.r.Intn(5)]
	w.put("bar.sync 0")
	w.put("mov.u64 %%a, own")
	w.put("mad.wide.u32 %%b, %%i, %d, %%a", step)
	w.put("st.shared.u32 [%%b], %s", w.word())
	w.put("bar.sync 0")
	w.put("add.u32 %%x, %%i, %d", w.r.Intn(w.block))
	w.put("rem.u32 %%x, %%x, %d", w.block)
	w.put("mad.wide.u32 %%b, %%x, %d, %%a", step)
	w.put("ld.shared.u32 %s, [%%b]", w.word())
}

// branch writes a branch or a loop that depends on the data.
func (w *kernelWriter) branch() {
	if w.inside == anyMaxNesting {
		w.integers()
		return
	}
	w.inside++
	begin, end := w.label(), w.label()
	if w.r.Intn(2) == 0 || w.inside > 1 {
		w.put("and.b32 %%x, %s, %d", w.word(), 1<<w.r.Intn(6))
		w.put("setp.eq.u32 %%p, %%x, 0")
		w.put("@%%p bra %s", end)
		w.body()
	} else {
		w.put("and.b32 %%y, %s, 7", w.word())
		fmt.Fprintf(w, "%s:\n", begin)
		w.body()
		w.put("sub.u32 %%y, %%y, 1")
		w.put("setp.lt.s32 %%p, %%y, 1")
		w.put("@!%%p bra %s", begin)
	}
	fmt.Fprintf(w, "%s:\n", end)
	w.inside--
}

func (w *kernelWriter) body() {
	for range 1 + w.r.Intn(3) {
		w.statement()
	}
}
