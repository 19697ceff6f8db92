package scenario_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/scenario"
)

// textured is a program with a texture of its own data, and one that an argument passes.
func textured() *scenario.Scenario {
	s := scenario.Default("")
	s.Workload.PTX = &scenario.PTX{
		Source: `.version 4.0
.target sm_30
.address_size 64
.global .texref image;
.visible .entry k(.param .u64 out, .param .u64 table) { .reg .b64 %rd<2>; .reg .f32 %f<4>; .reg .b32 %r<4>;
	ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [table];
	tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [image, {0.5, 0.5}];
	tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, {3}];
	st.global.f32 [%rd0], %f0; st.global.u32 [%rd0+4], %r0; ret; }`,
		Entry: "k",
		Args:  []scenario.Arg{{Spec: "out:result:64"}, {Spec: "tex:numbers"}, {Spec: "in:numbers", Data: []byte{1, 2, 3, 4, 5, 6}}},
		Textures: []scenario.Texture{
			{Name: "image", Data: make([]byte, 4*3*5), Format: "f32", Width: 3, Height: 5, Filter: "linear", Address: "wrap", Coordinates: "normalized", Layout: "array"},
			{Name: "numbers", Buffer: "numbers", Format: "u8", Width: 6},
		},
	}
	return s
}

// TestTextures: textures keep their settings in every form, and become those of the program.
func TestTextures(t *testing.T) {
	s := textured()
	for y := range 5 {
		binary.LittleEndian.PutUint32(s.Workload.PTX.Textures[0].Data[4*3*y:], uint32(y))
	}
	back, err := scenario.ParseMsgpack(s.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	if back.Hash() != s.Hash() {
		t.Error("the packed form is another scenario")
	}
	for _, change := range []func(x *scenario.Texture){
		func(x *scenario.Texture) { x.Filter = "nearest" }, func(x *scenario.Texture) { x.Address = "mirror" }, func(x *scenario.Texture) { x.Layout = "" },
		func(x *scenario.Texture) { x.Data[0]++ }, func(x *scenario.Texture) { x.Height = 4 },
	} {
		other := textured()
		change(&other.Workload.PTX.Textures[0])
		if other.Hash() == textured().Hash() {
			t.Error("a texture's setting does not change the hash")
		}
	}
	p, err := back.Program()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Textures) != 2 || len(p.Buffers) != 3 || p.Textures[1].Buffer != 1 || p.Launches[0].Args[1].Bits != ptx.TextureHandle(1) {
		t.Fatalf("%+v", p.Textures)
	}
	image := &p.Textures[0]
	if !image.Linear || !image.Normalized || !image.Array || image.Address != ptx.AddressWrap || image.Format != ptx.TexelF32 || image.Channels != 1 {
		t.Errorf("%+v", image)
	}
	for y := range 5 {
		if got := binary.LittleEndian.Uint32(p.Buffers[image.Buffer].Init[image.Texel(0, y):]); got != uint32(y) {
			t.Errorf("row %d begins with %d", y, got)
		}
	}
}

// TestWrongTextures wants one fault for each wrong binding, with its path and how to mend it.
func TestWrongTextures(t *testing.T) {
	if err := textured().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(p *scenario.PTX, x *scenario.Texture)
		want   string
	}{
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Name = "" }, "textures[0].name: the texture has no name"},
		{func(p *scenario.PTX, x *scenario.Texture) { x.Name = "numbers" }, `textures[1].name: "numbers" is bound twice`},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Format = "f64" }, `textures[0].format: unknown format "f64"`},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Format = "" }, "textures[0].format: the value is missing"},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Filter = "cubic" }, `textures[0].filter: unknown filter "cubic"`},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Address = "repeat" }, `textures[0].address: unknown address "repeat"`},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Coordinates = "pixels" }, `textures[0].coordinates: unknown coordinates "pixels"`},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Layout = "tiled" }, `textures[0].layout: unknown layout "tiled"`},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Channels = 3 }, "textures[0].channels: a texel cannot have 3 channels"},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Width = 0 }, "textures[0].width: 0 is out of range"},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Width = 1 << 17 }, "textures[0].width: 131072 is out of range: use 1 to 65536 texels"},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Height = -1 }, "textures[0].height: -1 is out of range"},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Height = 6 }, "3 x 6 texels of 4 bytes take 72 bytes, and the buffer has 60"},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Data = nil }, "textures[0]: the texture has no memory"},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Buffer = "numbers" }, "textures[0].buffer: the texture has a buffer and data"},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Coordinates = "" }, "textures[0].address: wrap needs normalized coordinates"},
		{func(_ *scenario.PTX, x *scenario.Texture) { x.Format = "u32" }, "textures[0].filter: integers of 32 bits cannot be filtered"},
		{func(p *scenario.PTX, _ *scenario.Texture) { p.Textures[1].Buffer = "letters" }, `textures[1].buffer: no argument has a buffer "letters"`},
		{func(p *scenario.PTX, _ *scenario.Texture) { p.Textures[1].Layout = "array" }, "textures[1].layout: an array has contents of its own"},
		{func(p *scenario.PTX, _ *scenario.Texture) { p.Textures[1].Filter = "linear" }, "textures[1].filter: linear memory of one dimension cannot be filtered"},
		{func(p *scenario.PTX, _ *scenario.Texture) { p.Textures[1].Coordinates = "normalized" }, "textures[1].coordinates: linear memory of one dimension has no normalized"},
		{func(p *scenario.PTX, _ *scenario.Texture) { p.Textures[1].Address = "wrap" }, "textures[1].address: linear memory of one dimension reads zero outside"},
		{func(p *scenario.PTX, _ *scenario.Texture) { p.Textures[1].Width = 7 }, "7 x 1 texels of 1 bytes take 7 bytes, and the buffer has 6"},
		{func(p *scenario.PTX, _ *scenario.Texture) { p.Args[1].Spec = "tex:letters" }, `args[1].spec: there is no texture "letters"`},
		{func(p *scenario.PTX, _ *scenario.Texture) { p.Args[1].Spec = "tex:" }, "has no texture: write tex:NAME"},
	} {
		s := textured()
		c.change(s.Workload.PTX, &s.Workload.PTX.Textures[0])
		err := s.Validate()
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(strings.TrimSpace(err.Error()), "\n") {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
