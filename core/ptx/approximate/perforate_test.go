package approximate

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// loopsOfTheTests are loops over n elements of a: each adds the elements of the iterations that
// run, and stores the sum and its last index.
var loopsOfTheTests = map[string]string{
	"branch back": `mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u64 %rd1, %a;
L:
.pragma "nounroll";
.pragma "approximate"; ld.global.u32 %r1, [%rd1];
add.u32 %r3, %r3, %r1; add.u64 %rd1, %rd1, 4; add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, %r19;
@%p1 bra L; st.global.u32 [%out], %r3; st.global.u32 [%out+4], %r2;`,
	"branch out": `mov.u32 %r2, 0; mov.u32 %r3, 0;
L: mul.wide.u32 %rd1, %r2, 4;
add.u64 %rd1, %rd1, %a;
ld.global.u32 %r1, [%rd1];
mov.u32 %r4, %r3;
add.u32 %r3, %r4, %r1;
add.u32 %r2, %r2, 1;
setp.eq.u32 %p1, %r2, %r19;
@%p1 bra E;
bra.uni L;
E: st.global.u32 [%out], %r3;
st.global.u32 [%out+4], %r2;`,
	"test at the top, the last branch falls into it": `mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u64 %rd1, %a;
bra.uni H;
N: add.u32 %r2, %r2, 1;
add.u64 %rd1, %rd1, 4;
H: setp.ge.u32 %p1, %r2, %r19;
@%p1 bra E;
ld.global.u32 %r1, [%rd1];
setp.eq.u32 %p2, %r1, 0;
@%p2 bra N;
add.u32 %r3, %r3, %r1;
bra.uni N;
E: st.global.u32 [%out], %r3;
st.global.u32 [%out+4], %r2;`,
	"inner of two": `mov.u32 %r5, 0; mov.u32 %r3, 0;
O: mov.u32 %r2, 0; mov.u64 %rd1, %a;
L: ld.global.u32 %r1, [%rd1];
add.u32 %r3, %r3, %r1; add.u64 %rd1, %rd1, 4; add.u32 %r2, %r2, 1;
setp.ne.u32 %p1, %r2, %r19;
@%p1 bra L;
add.u32 %r5, %r5, 1;
setp.lt.u32 %p2, %r5, 1;
@%p2 bra O;
st.global.u32 [%out], %r3;
st.global.u32 [%out+4], %r2;`,
}

// textWith returns the text that kernelOf compiles.
func textWith(body string) string { return strings.Replace(kernelText, "BODY", body, 1) }

// TestSkippedIterations compares loops that skip with the sum over the iterations that a loop in Go does not skip.
func TestSkippedIterations(t *testing.T) {
	const n = 37
	for name, body := range loopsOfTheTests {
		text := textWith(body)
		k := compiled(t, text)
		launch := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}}
		for _, share := range []int{1, 125, 250, 333, 500, 750, 999} {
			p, err := Perforate(text, []*ptx.Launch{launch}, [][]int32{{firstLoad(k)}}, share)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			want, counter, elements := uint32(0), 0, make([]byte, 4*n)
			for i := range uint32(n) {
				value := i*i + 3
				binary.LittleEndian.PutUint32(elements[4*i:], value)
				if counter += share; counter >= 1000 {
					counter -= 1000
					continue
				}
				want += value
			}
			sum, last := ran(t, compiled(t, p.Text), elements, n)
			if sum != want || last != n {
				t.Errorf("%s, %d thousandths skipped: the sum is %d and the loop ends at %d; want %d and %d\n%s", name, share, sum, last, want, n, p.Text)
			}
			if strings.Count(p.Text, "\n") != strings.Count(text, "\n") {
				t.Errorf("%s: lines have moved", name)
			}
		}
	}
}

// ran executes a kernel in one thread, over elements in a; it returns the two words that it stores.
func ran(t *testing.T, k *ptx.Kernel, elements []byte, n uint32) (sum, last uint32) {
	t.Helper()
	image, err := mem.NewImage(mem.DefaultBase, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	params := make([]byte, k.ParamBytes)
	for i, name := range []string{"a", "b", "out"} {
		a, err := image.Alloc(name, uint64(len(elements)))
		if err != nil {
			t.Fatal(err)
		}
		image.Write(a.Base, elements)
		binary.LittleEndian.PutUint64(params[8*i:], a.Base)
	}
	binary.LittleEndian.PutUint32(params[24:], n)
	f, err := execute.NewFunctional(&ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Params: params}, image, execute.FunctionalOptions{MaxInstructions: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := f.Step(1 << 20); err != nil || !done {
		t.Fatalf("the kernel does not end: %v", err)
	}
	var words [8]byte
	image.Read(binary.LittleEndian.Uint64(params[16:]), words[:])
	return binary.LittleEndian.Uint32(words[:]), binary.LittleEndian.Uint32(words[4:])
}

// TestLoopsThatDoNotSkip: an error names kernel, line and reason.
func TestLoopsThatDoNotSkip(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"no loop", "ld.global.u32 %r1, [%a];\nst.global.u32 [%out], %r1;", "none of them is in a loop"},
		{"a barrier", "mov.u32 %r2, 0;\nL: ld.global.u32 %r1, [%a];\nbar.sync 0;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r19;\n@%p1 bra L;\nst.global.u32 [%out], %r1;",
			"kernel k: the loop around line 17 has a bar at line 18"},
		{"its end is loaded", "mov.u32 %r2, 0;\nL: ld.global.u32 %r1, [%a];\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra L;\nst.global.u32 [%out], %r1;",
			"kernel k: the loop around line 17 has no end that is computed without its loads in every iteration"},
		{"a step in one arm", "mov.u32 %r2, 0;\nL: ld.global.u32 %r1, [%a];\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r1, 7;\n@%p1 bra N;\nadd.u32 %r2, %r2, 1;\nN: setp.lt.u32 %p2, %r2, %r19;\n@%p2 bra L;\nst.global.u32 [%out], %r1;",
			"kernel k: the loop around line 17 has no end that"},
	} {
		k := kernelOf(t, c.body)
		_, err := Perforate(textWith(c.body), []*ptx.Launch{{Kernel: k}}, [][]int32{{firstLoad(k)}}, 500)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func compiled(t *testing.T, text string) *ptx.Kernel {
	t.Helper()
	m, err := compile.Load("k.ptx", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	k, err := compile.Kernel(m, "k", func(string) uint64 { return 0 })
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return k
}
