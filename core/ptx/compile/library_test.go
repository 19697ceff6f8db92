package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

const libraryCalls = `
.extern .func (.param .bW r) malloc (.param .bW n);
.extern .func free (.param .bW p);
.extern .func (.param .b32 r) vprintf (.param .bW f, .param .bW a);
.extern .func __assertfail (.param .bW m, .param .bW f, .param .b32 l, .param .bW n, .param .bW s);
.entry k() {
	.param .bW a; .param .bW b; .param .b32 c;
	call (b), malloc, (a);
	call free, (b);
	call (c), vprintf, (a, b);
	call __assertfail, (a, b, c, a, b);
	ret;
}`

func libraryText(target string, bits int, body string) string {
	return fmt.Sprintf(".version 7.0\n.target %s\n.address_size %d\n", target, bits) +
		strings.ReplaceAll(body, ".bW", fmt.Sprintf(".b%d", bits))
}

// TestLibrary: the functions of CUDA's system have bodies for every target and both sizes of addresses. Their work
// belongs to the line that declares them.
func TestLibrary(t *testing.T) {
	for _, target := range []string{"sm_20", "sm_35", "sm_61", "sm_70", "sm_90"} {
		for _, bits := range []int{32, 64} {
			m, err := Load("k.ptx", []byte(libraryText(target, bits, libraryCalls)))
			if err != nil {
				t.Errorf("%s, %d bits: %v", target, bits, err)
				continue
			}
			k, err := Kernel(m, "k", func(string) uint64 { return 1 << 30 })
			if err != nil {
				t.Errorf("%s, %d bits: %v", target, bits, err)
				continue
			}
			var lines [16]int
			for i := range k.Code {
				lines[min(int(k.Code[i].Line), 15)]++
			}
			for line, n := range lines {
				if inLibrary := line >= 5 && line <= 8; inLibrary != (n > 4) {
					t.Errorf("%s, %d bits: line %d has %d instructions", target, bits, line, n)
				}
			}
			if len(k.Functions) != 5 {
				t.Errorf("%d functions, want the kernel and four of the library", len(k.Functions))
			}
		}
	}
}

// TestLibraryOnDemand: a program has no heap and no body that it does not use, and its own functions go first.
func TestLibraryOnDemand(t *testing.T) {
	declared, _, _ := strings.Cut(libraryCalls, ".entry")
	for _, c := range []struct {
		body    string
		globals int
	}{
		{declared + ".entry k() { ret; }", 0},
		{declared + ".entry k() { .param .b64 a; .param .b64 b; .param .b32 c; call (c), vprintf, (a, b); ret; }", 0},
		{declared + ".entry k() { .param .b64 a; call free, (a); ret; }", 3},
		{".func (.reg .b32 r) malloc(.reg .b32 n) { mov.b32 r, n; ret; }\n" +
			".entry k() { .reg .b32 %r; call (%r), malloc, (%r); ret; }", 0},
	} {
		m, err := Load("k.ptx", []byte(libraryText("sm_70", 64, c.body)))
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
		} else if n := len(m.Globals()); n != c.globals {
			t.Errorf("%s: %d variables, want %d", c.body, n, c.globals)
		}
	}
}

// TestLibraryRefused: declarations that are not CUDA's are refused where they stand, with what to write. The
// instructions of the library are not PTX.
func TestLibraryRefused(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{".extern .func vprintf(.param .b64 a, .param .b64 b);\n.entry k() { .param .b64 a; call vprintf, (a, a); ret; }",
			"k.ptx:4:15: vprintf is declared with other parameters than CUDA's: " +
				"write .extern .func (.param .b32 result) vprintf"},
		{".extern .func (.param .b64 r) malloc(.param .b32 n);\n" +
			".entry k() { .param .b64 a; .param .b32 n; call (a), malloc, (n); ret; }",
			"k.ptx:4:31: malloc is declared with other parameters than CUDA's"},
		{".entry k() { .reg .b64 %a; _print %a, %a; ret; }", "unsupported instruction _print"},
		{".entry k() { .reg .b64 %a; _fault %a; ret; }", "unsupported instruction _fault"},
		{".entry k() { .reg .b64 %a; .reg .b32 %l; _assert %a, %a, %l, %a; ret; }", "unsupported instruction _assert"},
		{".extern .func (.param .b64 r) malloc(.param .b64 n);\n.global .b64 p = malloc;\n.entry k() { ret; }",
			"address of external function malloc"},
	} {
		_, err := Load("k.ptx", []byte(libraryText("sm_70", 64, c.body)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
}

// TestAssertWithoutText: an assertion that passes no texts stays a trap.
func TestAssertWithoutText(t *testing.T) {
	body := ".extern .func __assertfail();\n.entry k() { call __assertfail, (); }"
	m, err := Load("k.ptx", []byte(libraryText("sm_70", 64, body)))
	if err != nil {
		t.Fatal(err)
	}
	k, err := Kernel(m, "k", nil)
	if err != nil || k.Code[0].Op != ptx.ControlTrap || k.Code[0].Imm != ptx.TrapAssert {
		t.Errorf("%v, %v", k, err)
	}
}
