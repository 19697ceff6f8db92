package wasmlink

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
	"github.com/burstscope/burstscope/tools/wasmlink/flow"
	"github.com/burstscope/burstscope/tools/wasmlink/peephole"
)

// jumping is a program with jumps of every kind: loops that cross, loops that are entered in the
// middle, and functions that go on inside loops after another goroutine, a panic or a larger stack.
const jumping = `package main

import (
	"os"
	"runtime"
	"strconv"
)

// tangled has loops that begin inside others and end after them.
func tangled(n int) int {
	i, s := 0, 0
a:
	i++
	if i%3 == 0 {
		goto b
	}
	s += i
c:
	s ^= i << 3
b:
	s = s*3 + 1
	if s%5 == 0 && i < n {
		goto a
	}
	i += 2
	if i%7 == 1 && i < n {
		goto c
	}
	if i < n {
		goto b
	}
	if i < 2*n {
		i += n
		goto a
	}
	return s & 0xffffff
}

// swap waits for another goroutine, or lets it run.
func swap(c chan int, k int) int {
	switch k % 4 {
	case 0:
		c <- k
		return <-c
	case 1:
		runtime.Gosched()
	case 2:
		return deep(k%60, &k)
	}
	return k
}

// deep needs a larger stack.
func deep(n int, p *int) int {
	var room [200]int
	for i := range room {
		room[i] = *p + i
	}
	if n == 0 {
		return room[*p&127]
	}
	x := room[n] & 1023
	return deep(n-1, &x) + room[199-n]
}

// nested goes on in all loops at three depths after it has been left.
func nested(c chan int, n int) (s int) {
outer:
	for i := 0; i < n; i++ {
		for j := i; j >= 0; j -= 2 {
			s += swap(c, i+j)
			for k := 0; ; k++ {
				switch {
				case k*j > 3*i:
					continue outer
				case k > 4:
					s ^= k
				case k == j:
					s += swap(c, s&1023)
					continue
				}
				if s&7 == k || k > 9 {
					break
				}
				s = s*5 + k
				s &= 0xfffff
			}
			s++
		}
		if i&1 == 0 {
			for range i {
				s += i
			}
			s -= swap(c, i)
		}
	}
	return s
}

// failing goes on after a panic, in a loop and after it.
func failing(c chan int, list []int) (s int) {
	defer func() {
		if e := recover(); e != nil {
			s = -s - len(e.(error).Error())
		}
	}()
	for i := 0; ; i++ {
		func() {
			defer func() { s += swap(c, i) }()
			for _, x := range list[:min(i, len(list))] {
				if x == i {
					return
				}
				s += x
			}
		}()
		s += list[i]
	}
}

func main() {
	c := make(chan int)
	go func() {
		for k := range c {
			c <- k*3 + 1
		}
	}()
	text := ""
	for n := range 40 {
		text += strconv.Itoa(n) + " " + strconv.Itoa(tangled(n)) + " " + strconv.Itoa(nested(c, n)) + " " + strconv.Itoa(failing(c, []int{n, 3, 1, 4, 1, 5}[:n%7%6])) + "\n"
	}
	os.Stdout.WriteString(text)
}
`

// A program says the same natively, as the linker writes it, and with its jumps rewritten.
func TestJumpsLeadToTheSame(t *testing.T) {
	t.Parallel()
	compiler, err := Installed()
	if err != nil {
		t.Fatal(err)
	}
	if !compiler.Known() {
		t.Skipf("SKIPPED: jumps are not rewritten: %s", compiler.Unknown())
	}
	dir := t.TempDir()
	source, wasm, native := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.wasm"), filepath.Join(dir, "main")
	if err := os.WriteFile(source, []byte(jumping), 0o644); err != nil {
		t.Fatal(err)
	}
	say := func(target []string, name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Env = append(os.Environ(), target...)
		said, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return strings.TrimSpace(string(said))
	}
	say(nil, "go", "build", "-o", native, source)
	say([]string{"GOOS=js", "GOARCH=wasm"}, "go", "build", "-o", wasm, source)
	want := say(nil, native)
	if strings.Count(want, "\n") != 39 {
		t.Fatalf("the program says:\n%s", want)
	}
	module, err := os.ReadFile(wasm)
	if err != nil {
		t.Fatal(err)
	}
	direct, err := flow.Direct(module, nil)
	if err != nil {
		t.Fatal(err)
	}
	short, err := peephole.Shorten(direct)
	if err != nil {
		t.Fatal(err)
	}
	if len(short) >= len(direct) {
		t.Errorf("%d bytes become %d", len(direct), len(short))
	}
	for name, patched := range map[string][]byte{"with its jumps rewritten": direct, "shortened too": short} {
		if err := os.WriteFile(wasm, patched, 0o755); err != nil {
			t.Fatal(err)
		}
		if got := say(nil, compiler.Wasm("go_js_wasm_exec"), wasm); got != want {
			t.Errorf("natively the program says\n%s\n%s\n%s", want, name, got)
		}
	}
	// A module without jumps in the known form is an error.
	for _, m := range []string{"", "nonsense", code.Header, string(direct), string(module[:len(module)/2])} {
		if _, err := flow.Direct([]byte(m), nil); !errors.Is(err, code.ErrForm) {
			t.Errorf("%d bytes: %v", len(m), err)
		}
	}
}
