package compile

import (
	"errors"
	"os"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// FuzzLoad takes any text through all passes: they neither panic nor hang, and a
// report names places of the text.
func FuzzLoad(f *testing.F) {
	f.Add(".version 1.4\n.target sm_13\n.const .b8 x[4] = {1,2,0xFF(x),generic(x)+4};\n.entry a { exit; }")
	f.Add(moduleHead + `.global .texref a, b; .tex .u64 c;
		.func (.reg .pred %p, .reg .v2 .u32 %w) f(.reg .v2 .u32 %v, .reg .pred %q) { mov.u32 %w.x, %v.y; ret; }
		.entry k(.param .u64 p, .hidden .param .texref q) { .reg .b64 %rd; .reg .v4 .f32 %v; .reg .f32 %f; .reg .b32 %r; .reg .v2 .u32 %w; .reg .pred %p;
		tex.1d.v4.f32.s32 %v, [a, {%r}]; tex.2d.v4.f32.f32 {%f, _, %f, %f}, [q, {%f, 1.0, %f, %f}]; mov.u64 %rd, b; tex.1d.v4.u32.f32 {%r, %r, %r, %r}, [%rd, %f];
		call (%p, %w), f, (%w, %p); st.global.b32 [%rd], %r+4; }`)
	for _, style := range compiledStyles {
		f.Add(style.text)
	}
	for _, name := range []string{"compiled_O0.ptx", "compiled_O3.ptx"} {
		b, err := os.ReadFile("../execute/testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		text := string(b)
		for i := 0; i+4000 < len(text); i += 9000 { // pieces mutate better than the whole
			f.Add(moduleHead + text[i:i+4000])
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		at := func(string) uint64 { return 1 << 32 }
		m, err := Load("fuzz.ptx", []byte(src))
		if err != nil {
			checkPlaces(t, src, err)
			return
		}
		for _, v := range m.Globals() {
			m.InitialData(v, at)
		}
		for _, name := range m.Entries() {
			if _, err := Kernel(m, name, at); errors.As(err, new(syntax.Errors)) {
				checkPlaces(t, src, err)
			}
		}
	})
}
