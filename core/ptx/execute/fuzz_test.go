package execute

import (
	"os"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// FuzzRun runs whatever compiles: it neither panics nor hangs.
func FuzzRun(f *testing.F) {
	f.Add(withOutput("mov.u32 %r0, 1;"))
	f.Add(randomFlow(newRand(1)))
	f.Add(randomFlow(newRand(2)))
	f.Add(".version 1.4\n.target sm_13\n.const .b8 x[4] = {1,2,0xFF(x),generic(x)+4};\n.entry a { exit; }")
	f.Add(matrixSeed)
	f.Add(textureKernel(1, "s32", "s32", "image"))
	f.Add(textureKernel(2, "f32", "f32", "%rd6"))
	for _, name := range []string{"compiled_O0.ptx", "compiled_O3.ptx"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		text := string(b)
		for i := 0; i+4000 < len(text); i += 9000 { // pieces mutate better than the whole
			f.Add(divergeHead + text[i:i+4000])
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		m, err := compile.Load("fuzz.ptx", []byte(src))
		if err != nil {
			return
		}
		for _, name := range m.Entries() {
			textures := m.Textures()
			k, err := compile.Kernel(m, name, func(name string) uint64 {
				if i := slices.Index(textures, name); i >= 0 {
					return ptx.TextureHandle(i % 2)
				}
				return 1 << 32
			})
			if err != nil {
				continue
			}
			if k.StaticSharedBytes > 1<<16 || k.LocalBytes > 1<<12 || k.RegisterSlots > 1<<12 {
				continue
			}
			l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{33, 1, 1}, Params: make([]byte, k.ParamBytes), Textures: []ptx.Texture{
				{Base: mem.DefaultBase, Width: 9, Format: ptx.TexelS16, Channels: 2},
				{Base: mem.DefaultBase, Width: 9, Height: 5, Format: ptx.TexelF32, Channels: 4, Linear: true, Normalized: true, Address: ptx.AddressMirror, Array: true},
			}}
			if l.Validate() != nil {
				continue
			}
			fuzzRun(t, l)
		}
	})
}
