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
