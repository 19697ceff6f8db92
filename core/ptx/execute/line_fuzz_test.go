package execute

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// lineProgram is a program with its twin.
type lineProgram struct {
	text  string
	twin  *lineMachine
	input []byte
}

// newLineProgram makes a program of any bytes and runs the twin.
func newLineProgram(data []byte) *lineProgram { return newLineProgramFor("sm_100", data) }

// newLineProgramFor makes a program of the instructions that a target has.
func newLineProgramFor(target string, data []byte) *lineProgram {
	s := &lineSource{data: data, target: target}
	mode := s.next()
	r := rand.New(rand.NewSource(int64(s.next()) | int64(s.next())<<8))
	m := &lineMachine{threads: []int{64, 32, 48, 1}[mode&3]}
	parted := mode&4 != 0 // some threads jump over the program
	whole := m.threads%ptx.MaxLanes == 0 && !parted
	var input bytes.Buffer
	types := [lineClasses][]ptx.Scalar{linePred: {ptx.TypePred}, line8: {ptx.TypeU8}, line16: {ptx.TypeU16, ptx.TypeF16, ptx.TypeBF16}, line32: {ptx.TypeU32, ptx.TypeF32, ptx.TypeF16x2},
		line64: {ptx.TypeU64, ptx.TypeF64}}
	for i := range m.threads {
		m.active[i] = true
		for c := range lineClasses {
			for k := range lineRegisters[c] {
				v := randomValue(r, types[c][r.Intn(len(types[c]))])
				if c == line32 && mode&8 != 0 { // the same in all threads
					v = uint64(k) * 0x9e3779b1 & 0xffffffff
				}
				if c == linePred {
					v &= 1
				}
				m.value[c][k][i] = v
				var word [8]byte
				writeBytes(word[:], 8, v)
				input.Write(word[:])
			}
		}
	}
	registers := 0
	var b strings.Builder
	b.WriteString(".version 8.6\n.target " + target + "\n.address_size 64\n.global .align 16 .b8 g[4096];\n.visible .entry test(.param .u64 out, .param .u64 in) {\n")
	b.WriteString(".reg .pred %nan, %far; .reg .b32 %am, %t; .reg .b64 %to, %from, %off, %at_shared, %at_global, %at_local, %generic_shared, %generic_global, %generic_local;\n")
	b.WriteString(".shared .align 16 .b8 s[4096]; .local .align 16 .b8 l[64];\n")
	for c := range lineClasses {
		fmt.Fprintf(&b, ".reg .%s %s<8>;\n", lineTypes[c], linePrefix[c])
		registers += lineRegisters[c]
	}
	fmt.Fprintf(&b, "ld.param.u64 %%to, [out]; ld.param.u64 %%from, [in]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%off, %%t, %d; add.u64 %%to, %%to, %%off; add.u64 %%from, %%from, %%off;\n", 8*registers)
	b.WriteString(`mul.wide.u32 %off, %t, 64; mov.u64 %at_shared, s; add.u64 %at_shared, %at_shared, %off; cvta.shared.u64 %generic_shared, %at_shared;
mov.u64 %at_global, g; add.u64 %at_global, %at_global, %off; cvta.global.u64 %generic_global, %at_global; mov.u64 %at_local, l; cvta.local.u64 %generic_local, l;` + "\n")
	for k := 0; k < lineBytes; k += 8 { // a device does not clear them
		fmt.Fprintf(&b, "st.shared.b64 [%%at_shared+%d], 0; st.local.b64 [%%at_local+%d], 0;\n", k, k)
	}
	at := 0
	for c := range lineClasses {
		for k := range lineRegisters[c] {
			if name := lineName(c, k); c == linePred {
				fmt.Fprintf(&b, "ld.global.u32 %%am, [%%from+%d]; setp.ne.u32 %s, %%am, 0;\n", at, name)
			} else {
				fmt.Fprintf(&b, "ld.global.%s %s, [%%from+%d];\n", lineTypes[c], name, at)
			}
			at += 8
		}
	}
	if parted {
		b.WriteString("and.b32 %am, %t, 3; setp.eq.u32 %far, %am, 1; @%far bra END;\n")
		for i := range m.threads {
			m.active[i] = i&3 != 1
		}
	}
	for n := 0; s.more() && n < lineSteps; n++ {
		step := s.step(whole)
		g := s.next()
		guard := ""
		on := func(i int) bool { return m.active[i] }
		// The compiler of driver 580 writes the destination of a guarded set of 16-bit operands
		// where the guard is false, too.
		if g >= 128 && !(target == "sm_90" && strings.Contains(step.text, " set.")) {
			p, negated := g%lineRegisters[linePred], g&64 != 0
			guard = "@" + map[bool]string{true: "!"}[negated] + lineName(linePred, p)
			before := m.value[linePred][p] // the instruction may write its own guard
			on = func(i int) bool { return m.active[i] && (before[i] != 0) != negated }
		}
		if strings.Count(step.text, "@@") > 1 && guard != "" { // more than one instruction: the guard must last
			fmt.Fprintf(&b, "mov.pred %%far, %s; ", strings.TrimLeft(guard, "@!"))
			guard = guard[:len(guard)-len(strings.TrimLeft(guard, "@!"))] + "%far"
		}
		b.WriteString(strings.ReplaceAll(step.text, "@@", guard) + "\n")
		step.run(m, on)
	}
	b.WriteString("END:\n")
	at = 0
	for c := range lineClasses {
		for k := range lineRegisters[c] {
			if name := lineName(c, k); c == linePred {
				fmt.Fprintf(&b, "selp.b32 %%am, 1, 0, %s; st.global.u32 [%%to+%d], %%am;\n", name, at)
			} else {
				fmt.Fprintf(&b, "st.global.%s [%%to+%d], %s;\n", lineTypes[c], at, name)
			}
			at += 8
		}
	}
	// Shared and local memory go to the upper half of the output.
	fmt.Fprintf(&b, "ld.param.u64 %%to, [out]; mul.wide.u32 %%off, %%t, 128; add.u64 %%to, %%to, %%off; add.u64 %%to, %%to, %d;\n", 8*registers*m.threads)
	for k := 0; k < lineBytes; k += 8 {
		fmt.Fprintf(&b, "ld.shared.b64 %%off, [%%at_shared+%d]; st.global.b64 [%%to+%d], %%off; ld.local.b64 %%off, [%%at_local+%d]; st.global.b64 [%%to+%d], %%off;\n", k, k, k, 64+k)
	}
	b.WriteString("ret; }\n")
	return &lineProgram{b.String(), m, input.Bytes()}
}

// expected is the output the twin has.
func (p *lineProgram) expected() []byte {
	var out bytes.Buffer
	var word [8]byte
	for i := range p.twin.threads {
		for c := range lineClasses {
			for k := range lineRegisters[c] {
				writeBytes(word[:], 8, p.twin.value[c][k][i])
				out.Write(word[:])
			}
		}
	}
	for i := range p.twin.threads {
		out.Write(p.twin.memory[0][i][:])
		out.Write(p.twin.memory[2][i][:])
	}
	return out.Bytes()
}

// orders are the ways to run a line program, as written and in the order of a scheduler that sees long loads, or any
// latencies, with few registers or many.
var orders = []struct {
	way  string
	late bool
	*compile.Schedule
}{
	{"at once", false, nil}, {"late", true, nil},
	{"scheduled", false, &compile.Schedule{Registers: 255, Latency: func(in *ptx.Instr) int {
		if in.IsLoad {
			return 300
		}
		return 4
	}}},
	{"scheduled, late", true, &compile.Schedule{Registers: 0, Latency: func(in *ptx.Instr) int {
		return 1 + int(in.Line*7+int32(in.Class))%60
	}}},
}

// check runs the program in all ways. All execute the same instructions.
func (p *lineProgram) check(t *testing.T) {
	t.Helper()
	m, err := compile.Load("line", []byte(p.text))
	if err != nil {
		t.Fatalf("%v\n%s", err, p.text)
	}
	want := p.expected()
	var written FunctionalResult
	for i, o := range orders {
		way := o.way
		image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
		in, _ := image.Alloc("in", uint64(len(p.input)))
		inBase := in.Base
		out, _ := image.Alloc("out", uint64(len(want)))
		outBase := out.Base
		image.Write(inBase, p.input)
		params := make([]byte, 16)
		writeBytes(params, 8, outBase)
		writeBytes(params[8:], 8, inBase)
		k := loadScheduled(t, m, "test", image, o.Schedule)
		l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{uint32(p.twin.threads), 1, 1}, Params: params}
		if o.late {
			r := &lateRunner{runner: newRunner(l, image, FunctionalOptions{})}
			r.run(t)
		} else if result, err := RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e6}); err != nil {
			t.Fatalf("%v\n%s", err, p.text)
		} else if i == 0 {
			written = result
		} else if result != written {
			t.Fatalf("%s: executes %+v, as written %+v\n%s", way, result, written, p.text)
		}
		got := make([]byte, len(want))
		image.Read(outBase, got)
		if !bytes.Equal(got, want) {
			p.differ(t, way, got, want)
		}
		a := image.Allocations()
		for i := range a {
			if a[i].Name != "g" {
				continue
			}
			global := make([]byte, p.twin.threads*lineBytes)
			image.Read(a[i].Base, global)
			for thread := range p.twin.threads {
				if part := global[thread*lineBytes : (thread+1)*lineBytes]; !bytes.Equal(part, p.twin.memory[1][thread][:]) {
					t.Fatalf("%s: thread %d has %x in global memory, want %x\n%s", way, thread, part, p.twin.memory[1][thread], p.text)
				}
			}
		}
	}
}

// differ names the first register or byte that differs.
func (p *lineProgram) differ(t *testing.T, way string, got, want []byte) {
	at := 0
	for i := range p.twin.threads {
		for c := range lineClasses {
			for k := range lineRegisters[c] {
				if !bytes.Equal(got[at:at+8], want[at:at+8]) {
					t.Fatalf("%s: %s of thread %d is %x, want %x\n%s", way, lineName(c, k), i, readBytes(got[at:], 8), readBytes(want[at:], 8), p.text)
				}
				at += 8
			}
		}
	}
	t.Fatalf("%s: shared or local memory differs\n%x, want\n%x\n%s", way, got[at:], want[at:], p.text)
}

// FuzzStraightLine makes programs of bytes and compares the interpreter with the
// twin.
func FuzzStraightLine(f *testing.F) {
	for seed := range int64(12) {
		f.Add(randomLine(seed, 40+20*int(seed)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		newLineProgram(data).check(t)
	})
}

func randomLine(seed int64, n int) []byte {
	data := make([]byte, n)
	newRand(seed).Read(data)
	return data
}

// TestStraightLine runs a fixed set of such programs, in each mode.
func TestStraightLine(t *testing.T) {
	n := int64(120)
	if testing.Short() {
		n = 20
	}
	for seed := range n {
		data := randomLine(100+seed, 300)
		data[0] = byte(seed)
		newLineProgram(data).check(t)
	}
	t.Logf("%d instructions to choose from", len(lineElementwise("sm_100")))
}

var writeCases = flag.String("write-cases", "", "write straight-line programs with their outputs to this file, for burstscope correlate semantics")

// TestWriteCases writes programs for a GPU, whose first target is sm_90.
func TestWriteCases(t *testing.T) {
	if *writeCases == "" {
		t.Skip("writes a file for a GPU: name it with -write-cases")
	}
	type run struct{ In, Out string }
	type program struct {
		Name          string
		Threads, CTAs int
		Cases         []run
		PTX           string
	}
	var file struct{ Tests []program }
	for seed := range int64(200) {
		data := randomLine(1000+seed, 300)
		data[0] = byte(seed)
		p := newLineProgramFor("sm_90", data)
		file.Tests = append(file.Tests, program{Name: fmt.Sprintf("line %d", seed), Threads: p.twin.threads, CTAs: 1, PTX: p.text,
			Cases: []run{{hex.EncodeToString(p.input), hex.EncodeToString(p.expected())}}})
	}
	text, err := json.Marshal(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*writeCases, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
