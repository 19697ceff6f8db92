package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// An invalid program is not kept, so no link leads to it.
func TestProgramsAreChecked(t *testing.T) {
	const head = ".version 6.4\n.target sm_70\n.address_size 64\n"
	// Forty functions, each of which calls the one before twice: 2^40 paths.
	var calls strings.Builder
	calls.WriteString(head)
	for i := range 40 {
		fmt.Fprintf(&calls, ".func f%d() { ", i)
		if i > 0 {
			fmt.Fprintf(&calls, "call f%d; call f%d; ", i-1, i-1)
		}
		calls.WriteString("ret; }\n")
	}
	calls.WriteString(".visible .entry k() { call f39; ret; }\n")
	for name, c := range map[string]struct {
		source string
		status int
		words  string
	}{
		"good":       {emptyKernel, http.StatusCreated, ""},
		"no PTX":     {"hello", http.StatusUnprocessableEntity, "program:1:1"},
		"no kernel":  {head, http.StatusUnprocessableEntity, "workload.ptx.source"},
		"unresolved": {head + ".visible .entry k() { bra NOWHERE; }", http.StatusUnprocessableEntity, "NOWHERE"},
		"texture":    {head + ".visible .entry k() { suld.b.1d.b32.trap {a}, [t, {x}]; ret; }", http.StatusUnprocessableEntity, "unsupported"},
		"nested":     {head + ".visible .entry k() {" + strings.Repeat("{", 100000), http.StatusUnprocessableEntity, "nested"},
		"too long":   {head + strings.Repeat("\n", maxProgramBytes), http.StatusUnprocessableEntity, "at most 131072 are kept"},
		"many paths": {calls.String(), 0, ""},
	} {
		h, m := newHandler(t)
		begin := time.Now()
		r := ask(h, "POST", "/api/scenarios", strings.NewReader(string(withProgram(c.source).Canonical())), "Content-Type", typeMsgpack)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s: %v", name, took)
		}
		switch {
		case c.status == 0: // an answer in time is enough
		case c.status == http.StatusCreated:
			if r.StatusCode != c.status {
				t.Errorf("%s: %d %s", name, r.StatusCode, read(t, r))
			}
		default:
			refused(t, name, r, c.status, c.words)
			if m.puts > 0 {
				t.Errorf("%s: something was stored", name)
			}
		}
	}
}

// Compiling the largest program stays within the memory of a Worker, 128 MB.
func TestMemoryOfPrograms(t *testing.T) {
	head, line, end := ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n", "add.u32 %r1, %r2, %r3;\n", "ret;\n}\n"
	source := head + strings.Repeat(line, (maxProgramBytes-len(head)-len(end))/len(line)) + end
	h, _ := newHandler(t)
	var r *http.Response
	spent := allocated(func() {
		r = ask(h, "POST", "/api/scenarios", strings.NewReader(string(withProgram(source).Canonical())), "Content-Type", typeMsgpack)
	})
	t.Logf("%d bytes: %d bytes allocated", len(source), spent)
	if r.StatusCode != http.StatusCreated || spent > 40<<20 {
		t.Errorf("%d, %d bytes allocated", r.StatusCode, spent)
	}
}
