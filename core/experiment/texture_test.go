package experiment

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload"
)

// oneGiB is a GPU of which only the memory counts.
var oneGiB = &parameter.GPU{MemoryBytes: 1 << 30}

// readTwice reads a texture by its name, and another one by the handle in an argument.
const readTwice = `.version 4.0
.target sm_30
.address_size 64
.global .texref image, unused;
.visible .entry read(.param .u64 out, .param .u64 table)
{
	.reg .u64 %o, %t; .reg .u32 %x, %y; .reg .b32 %v<4>; .reg .f32 %f<6>;
	ld.param.u64 %o, [out]; ld.param.u64 %t, [table];
	mov.u32 %x, %tid.x; mov.u32 %y, %ctaid.x;
	cvt.rn.f32.u32 %f0, %x; cvt.rn.f32.u32 %f1, %y;
	add.f32 %f0, %f0, 0f3F400000; add.f32 %f1, %f1, 0f3F000000;
	tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [image, {%f0, %f1}];
	tex.1d.v4.s32.s32 {%v0, %v1, %v2, %v3}, [%t, {%x}];
	mad.lo.u32 %x, %y, 64, %x; mad.wide.u32 %o, %x, 8, %o;
	st.global.v2.b32 [%o], {%f2, %v0};
	ret;
}
.visible .entry other() { .reg .b32 %v<4>; tex.1d.v4.s32.s32 {%v0, %v1, %v2, %v3}, [unused, {0}]; ret; }
`

// pixel is a wave with steps, so that its blocks compress to some bytes above a burst. It has 21 significant
// bits, so that a quarter between two pixels is exact.
func pixel(i int) float32 {
	return float32(math.Round(math.Sin(float64(i)*0.37)*100*(1<<14))/(1<<14) + float64(i%13))
}

// texturedProgram reads 64 x 16 points of a picture, a quarter to the right of each texel's
// centre, and of a table of 100 numbers.
func texturedProgram() *workload.Program {
	pixels, table := make([]byte, 4*64*16), make([]byte, 200)
	for i := range 64 * 16 {
		binary.LittleEndian.PutUint32(pixels[4*i:], math.Float32bits(pixel(i)))
	}
	for i := range 100 {
		binary.LittleEndian.PutUint16(table[2*i:], uint16(i-50))
	}
	return &workload.Program{
		Name: "read", File: "read.ptx", PTX: []byte(readTwice),
		Buffers: []workload.Buffer{
			{Name: "out", Bytes: 8 * 64 * 16, Output: true, Element: workload.ElementU32},
			{Name: "image", Bytes: uint64(len(pixels)), Init: pixels, Element: workload.ElementF32},
			{Name: "table", Bytes: 200, Init: table, Element: workload.ElementS16},
		},
		Launches: []workload.Launch{{Entry: "read", Grid: [3]uint32{16, 1, 1}, Block: [3]uint32{64, 1, 1}, Args: []workload.Arg{workload.BufferArg(0), workload.TextureArg(1)}}},
		Textures: []workload.Texture{
			{Texture: ptx.Texture{Name: "image", Width: 64, Height: 16, Format: ptx.TexelF32, Channels: 1, Linear: true}, Buffer: 1},
			{Texture: ptx.Texture{Name: "table", Width: 100, Format: ptx.TexelS16, Channels: 1}, Buffer: 2},
		},
	}
}

// TestTexturesOfAProgram: textures are bound by name and by argument, with the same bits with and
// without timing. Under lossy compression an image gives other texels if it may be approximated.
func TestTexturesOfAProgram(t *testing.T) {
	p := texturedProgram()
	want := make([]byte, p.Buffers[0].Bytes)
	for i := range 64 * 16 {
		left, right := pixel(i), pixel(i+1)
		if i%64 == 63 {
			right = left
		}
		binary.LittleEndian.PutUint32(want[8*i:], math.Float32bits(float32(0.75*float64(left)+0.25*float64(right))))
		binary.LittleEndian.PutUint32(want[8*i+4:], uint32(i%64-50))
	}
	l, err := load(p, 0, oneGiB)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := execute.RunFunctional(l.launches[0], l.image, execute.FunctionalOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := l.outputs(p, func(a mem.Addr, dst []byte) { l.image.Read(a, dst) }); !bytes.Equal(got[0], want) {
		t.Error("the functional run differs from the host")
	}
	_, r := finish(t, &Plan{Preset: "mini", Scheme: scheme.Default(), Program: p})
	if !bytes.Equal(r.Outputs[0], want) {
		t.Error("the machine differs from the host")
	}
	if r.Stats["textureAccesses"] == 0 || r.Stats["textureAccesses"] != r.Stats["textureHits"]+r.Stats["textureMisses"] {
		t.Errorf("%d accesses of the texture caches, %d hits, %d misses", r.Stats["textureAccesses"], r.Stats["textureHits"], r.Stats["textureMisses"])
	}
	for _, safe := range []bool{false, true} {
		p := texturedProgram()
		p.Buffers[1].Safe = safe
		s := scheme.Default()
		s.Memory.Put("codec", "e2mc16", "approximation", "tslc-opt", "threshold", 32)
		_, lossy := finish(t, &Plan{Preset: "mini", Scheme: s, Program: p})
		if changed := !bytes.Equal(lossy.Outputs[0], want); changed != safe || safe && lossy.Stats["blocksReadLossy"] == 0 {
			t.Errorf("safe %v: texels changed: %v, with %d lossy blocks", safe, changed, lossy.Stats["blocksReadLossy"])
		}
	}
}

// TestTexturesThatAreNotThere: a texture without its name, and a name without its texture.
func TestTexturesThatAreNotThere(t *testing.T) {
	for want, change := range map[string]func(p *workload.Program){
		"the program has no .texref picture, and no argument passes tex:picture": func(p *workload.Program) { p.Textures[0].Name = "picture" },
		"kernel read reads the texture image, which is not bound": func(p *workload.Program) {
			p.Textures, p.Launches[0].Args[1] = p.Textures[1:], workload.TextureArg(0)
		},
		"kernel other reads the texture unused, which is not bound": func(p *workload.Program) {
			p.Launches[0].Entry, p.Launches[0].Args = "other", nil
			p.Textures = p.Textures[:1]
		},
	} {
		p := texturedProgram()
		change(p)
		if _, err := load(p, 0, oneGiB); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
