package machine

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/stat"
)

// rotate turns a picture by a constant angle, as simpleTexture of the CUDA samples does, and
// adds a texel that depends on the one before. The lanes of a warp read two textures through
// handles.
const rotate = `.version 4.0
.target sm_30
.address_size 64
.global .texref picture, table;
.visible .entry rotate(.param .u64 out) {
	.reg .b64 %rd<5>; .reg .u32 %x, %y, %r, %v<4>; .reg .f32 %f<12>; .reg .pred %p;
	mov.u32 %x, %tid.x; mov.u32 %y, %ctaid.x; ld.param.u64 %rd1, [out];
	cvt.rn.f32.u32 %f0, %x; mul.f32 %f0, %f0, 0f3C800000; cvt.rn.f32.u32 %f1, %y; mul.f32 %f1, %f1, 0f3D000000;
	mul.f32 %f2, %f0, 0f3F5DB3D7; fma.rn.f32 %f2, %f1, 0fBF000000, %f2;
	mul.f32 %f3, %f1, 0f3F5DB3D7; fma.rn.f32 %f3, %f0, 0f3F000000, %f3;
	tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [picture, {%f2, %f3}];
	mul.f32 %f8, %f4, 0f42C80000; cvt.rzi.s32.f32 %r, %f8;
	tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [table, {%r}];
	add.u32 %v0, %v0, %v1;
	mov.u64 %rd2, picture; setp.lt.u32 %p, %x, 40; @%p tex.2d.v4.f32.s32 {%f9, _, _, _}, [%rd2, {%x, %y}];
	@%p add.f32 %f4, %f4, %f9;
	mad.lo.u32 %r, %y, 64, %x; mad.wide.u32 %rd3, %r, 8, %rd1;
	st.global.v2.b32 [%rd3], {%f4, %v0}; ret;
}
`

// textureJob is the program with its textures in a new image.
func textureJob(t *testing.T, array bool) (Job, mem.Addr) {
	t.Helper()
	module, err := compile.Load("rotate.ptx", []byte(rotate))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "rotate", func(name string) uint64 {
		if name == "table" {
			return ptx.TextureHandle(1)
		}
		return ptx.TextureHandle(0)
	})
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	textures := []ptx.Texture{
		{Name: "picture", Width: 50, Height: 40, Format: ptx.TexelF32, Channels: 1, Linear: true, Normalized: true, Address: ptx.AddressWrap, Array: array},
		{Name: "table", Width: 300, Format: ptx.TexelU16, Channels: 2},
	}
	for i := range textures {
		x := &textures[i]
		a, err := image.Alloc(x.Name, x.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		x.Base = a.Base
		var rows []byte
		for k := range x.Width * max(x.Height, 1) {
			rows = binary.LittleEndian.AppendUint32(rows, map[bool]uint32{true: math.Float32bits(float32(k%97) / 97), false: uint32(k * 2654435761)}[i == 0])
		}
		image.Write(a.Base, x.Tiled(rows))
	}
	out, err := image.Alloc("out", 8*64*16)
	if err != nil {
		t.Fatal(err)
	}
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{16, 1, 1}, Block: [3]uint32{64, 1, 1}, Params: binary.LittleEndian.AppendUint64(nil, out.Base), Textures: textures}
	return Job{Launches: []*ptx.Launch{l, l}, Image: image, Scheme: codec.NewRaw(32)}, out.Base
}

// TestTexturesInTheMachine: a program with textures gives the bytes of a run without timing on
// every preset, its counters add up, and a saved state goes on to the same end.
func TestTexturesInTheMachine(t *testing.T) {
	t.Parallel()
	for _, gpu := range presets() {
		for _, array := range []bool{false, true} {
			job, out := textureJob(t, array)
			want := make([]byte, 8*64*16)
			if _, err := execute.RunFunctional(job.Launches[0], job.Image, execute.FunctionalOptions{}); err != nil {
				t.Fatal(err)
			}
			job.Image.Read(out, want)

			job, out = textureJob(t, array)
			m, err := New(built(gpu), job)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.Advance(700); err != nil {
				t.Fatal(err)
			}
			twin := resumed(t, m)
			if m.Digest() != twin.Digest() {
				t.Errorf("%s: the loaded machine differs", gpu)
			}
			for _, m := range []*Machine{m, twin} {
				if err := m.Run(); err != nil {
					t.Fatal(gpu, err)
				}
				got := make([]byte, len(want))
				if m.Read(out, got); !bytes.Equal(got, want) {
					t.Errorf("%s, array %v: the machine's output differs from the functional run's", gpu, array)
				}
				if err := m.Leaks(); err != nil {
					t.Error(gpu, err)
				}
			}
			s := m.Stats()
			if m.Cycles() != twin.Cycles() || s != twin.Stats() {
				t.Errorf("%s: %d cycles, from the saved state %d", gpu, m.Cycles(), twin.Cycles())
			}
			if s[stat.TextureFetches] != 2*16*2*3 || s[stat.TextureHits] == 0 || s[stat.TextureMisses] == 0 {
				t.Errorf("%s: %d fetches, %d hits, %d misses", gpu, s[stat.TextureFetches], s[stat.TextureHits], s[stat.TextureMisses])
			}
			if s[stat.TextureAccesses] != s[stat.TextureHits]+s[stat.TextureMisses] || s[stat.TextureMerged] > s[stat.TextureHits] {
				t.Errorf("%s: %d accesses, %d hits (%d merged), %d misses", gpu, s[stat.TextureAccesses], s[stat.TextureHits], s[stat.TextureMerged], s[stat.TextureMisses])
			}
			if asked := s[stat.L1Misses] + s[stat.L1Writes] + s[stat.ConstantMisses] + s[stat.InstructionMisses] + s[stat.TextureMisses]; s[stat.XbarRequestPackets] != asked || s[stat.L1Accesses] != 0 {
				t.Errorf("%s: %d requests for %d misses and stores; %d accesses of L1", gpu, s[stat.XbarRequestPackets], asked, s[stat.L1Accesses])
			}
		}
	}
}

// TestTextureLatency: a chain of fetches that hit takes the latency of the preset each.
func TestTextureLatency(t *testing.T) {
	cycles := func(n int) uint64 {
		body := ""
		for range n {
			body += "tex.1d.v4.u32.s32 {%r, _, _, _}, [t, {%r}];\n"
		}
		src := ".version 4.0\n.target sm_30\n.address_size 64\n.global .texref t;\n.visible .entry k() { .reg .u32 %r; mov.u32 %r, 0;\n" + body + "ret; }"
		module, err := compile.Load("k.ptx", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		k, err := compile.Kernel(module, "k", func(string) uint64 { return ptx.TextureHandle(0) })
		if err != nil {
			t.Fatal(err)
		}
		image, err := mem.NewImage(mem.DefaultBase, 1<<24)
		if err != nil {
			t.Fatal(err)
		}
		a, err := image.Alloc("t", 64)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(withoutFetches(mini()), Job{Image: image, Scheme: codec.NewRaw(32), Launches: []*ptx.Launch{{
			Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Textures: []ptx.Texture{{Base: a.Base, Width: 16, Format: ptx.TexelU32, Channels: 1}},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Run(); err != nil {
			t.Fatal(err)
		}
		return uint64(m.Cycles())
	}
	if got, want := cycles(20)-cycles(10), 10*uint64(mini().SM.Texture.LatencyCycles+1); got != want {
		t.Errorf("10 dependent fetches take %d cycles, want %d", got, want)
	}
}
