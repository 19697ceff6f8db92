package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
)

// printPTX prints "go" with a bell and a line's end, and asserts in the last thread.
const printPTX = `.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
.global .align 1 .b8 text[5] = {103, 111, 7, 10, 0};
.visible .entry k(.param .u32 last) {
	.reg .b64 %rd; .reg .b32 %r<3>; .reg .pred %p; .param .b64 a; .param .b64 b; .param .b32 c;
	mov.u64 %rd, text; cvta.global.u64 %rd, %rd; st.param.b64 [a], %rd; st.param.b64 [b], 0;
	call (c), vprintf, (a, b);
	ld.param.u32 %r1, [last]; mov.u32 %r2, %tid.x; setp.ne.u32 %p, %r1, %r2; @%p ret;
	st.param.b32 [c], 3; call __assertfail, (a, a, c, a, a);
	ret;
}
`

// TestExecPrints: the text of a program is in the report, without characters that steer a terminal, and in JSON as it
// is. It is there before a fault, too.
func TestExecPrints(t *testing.T) {
	kernel := filepath.Join(t.TempDir(), "k.ptx")
	if err := os.WriteFile(kernel, []byte(printPTX), 0o600); err != nil {
		t.Fatal(err)
	}
	exec := func(last string, more ...string) []string {
		return append([]string{"exec", kernel, "--entry", "k", "--block", "2", "--preset", "mini", "--arg", last}, more...)
	}
	const shown = "The program printed:\ngo\ufffd\ngo\ufffd\n"
	for _, more := range [][]string{nil, {"--functional"}} {
		if out := mustCall(t, exec("u32:9", more...)...); !strings.HasPrefix(out, shown+"\n") {
			t.Errorf("%v: %s", more, out)
		}
		var r experiment.Result
		out := mustCall(t, exec("u32:9", append(more, "--format", "json")...)...)
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Printed == nil || r.Printed.Text != "go\a\ngo\a\n" {
			t.Errorf("%v: %v: %s", more, err, out)
		}
		status, out, errs := call(exec("u32:1", more...)...)
		if status == 0 || !strings.HasPrefix(out, shown) || !strings.Contains(errs, "thread: [1,0,0] Assertion `go") {
			t.Errorf("%v: %d\n%s\n%s", more, status, out, errs)
		}
	}
}
