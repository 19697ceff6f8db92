package execute

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// hostTexture is the computation of a texture fetch on the host, on texels that are already numbers: the
// formulas of the CUDA C++ Programming Guide, with coordinates and weights rounded as on an H200.
type hostTexture struct {
	t      *ptx.Texture
	texels [][4]float64 // in rows
}

// at returns the texel at integer places.
func (h hostTexture) at(x, y int) [4]float64 {
	fold := func(i, n int) (int, bool) {
		inside := i >= 0 && i < n
		switch {
		case inside:
			return i, true
		case h.t.Address == ptx.AddressBorder || h.t.Height == 0 && !h.t.Array:
			return 0, false
		case h.t.Address == ptx.AddressWrap && h.t.Normalized:
			for i < 0 {
				i += n
			}
			return i % n, true
		case h.t.Address == ptx.AddressMirror && h.t.Normalized:
			for i < 0 || i >= n {
				if i < 0 {
					i = -i - 1
				} else {
					i = 2*n - 1 - i
				}
			}
			return i, true
		case i < 0:
			return 0, true
		}
		return n - 1, true
	}
	x, inX := fold(x, h.t.Width)
	y, inY := fold(y, max(h.t.Height, 1))
	if !inX || !inY {
		return [4]float64{}
	}
	return h.texels[y*h.t.Width+x]
}

// scaled is a coordinate in texels.
func (h hostTexture) scaled(x float32, n int) float64 {
	if !h.t.Normalized {
		return float64(x)
	}
	return math.Floor(math.Ldexp(float64(x), 21)) * float64(n) / (1 << 21)
}

// fetch returns the four channels, and how far a filter that rounds may be from each.
func (h hostTexture) fetch(x, y float32) (v, slack [4]float64) {
	fx, fy := h.scaled(x, h.t.Width), h.scaled(y, max(h.t.Height, 1))
	if !h.t.Linear {
		return h.at(int(math.Floor(fx)), int(math.Floor(fy))), slack
	}
	if h.t.Height == 0 {
		fy = 0 // the upper edge of the row
	}
	split := func(f float64) (int, float64) {
		i := math.Floor(f - 0.5)
		return int(i), math.Floor((f-0.5-i)*256 + 0.5)
	}
	i, a := split(fx)
	j, b := split(fy)
	upper, lower := math.Floor((256-a)*(256-b)/256+0.5), math.Floor(a*b/256+0.5)
	weights := [4]float64{upper, 256 - b - upper, b - lower, lower}
	for c := range v {
		for k, w := range weights {
			texel := h.at(i+k&1, j+k>>1)[c]
			v[c] += w / 256 * texel
			if w > 0 {
				slack[c] = max(slack[c], math.Abs(texel))
			}
		}
		switch h.t.Format {
		case ptx.TexelS8:
			v[c], slack[c] = max(v[c], -1), 1.0/32767
		case ptx.TexelF16:
			slack[c] = math.Ldexp(slack[c], -11) + math.Ldexp(1, -25)
		case ptx.TexelF32:
			slack[c] = math.Ldexp(slack[c], -24)
		case ptx.TexelS16:
			slack[c] = 1.0 / 32767
		default:
			slack[c] = 1.0 / 65535
		}
	}
	return v, slack
}

// randomTexels returns the bytes of a texture in rows, and its texels as tex reads them as f32,
// or as integers.
func randomTexels(r *rand.Rand, t *ptx.Texture, integers bool) (data []byte, texels [][4]float64) {
	for range t.Width * max(t.Height, 1) {
		var texel [4]float64
		for c := range t.Channels {
			v := r.Uint32()
			n := t.Format.Bytes()
			word := binary.LittleEndian.AppendUint32(nil, v)
			var x float64
			switch t.Format {
			case ptx.TexelU8:
				x = float64(uint8(v)) / 255
			case ptx.TexelS8:
				if x = float64(int8(v)) / 127; !t.Linear { // the filter reads -128 as it is
					x = max(x, -1)
				}
			case ptx.TexelU16:
				x = float64(uint16(v)) / 65535
			case ptx.TexelS16:
				x = max(float64(int16(v))/32767, -1)
			case ptx.TexelF16:
				half := uint16(r.Intn(31)<<10 | r.Intn(1<<10) | r.Intn(2)<<15)
				binary.LittleEndian.PutUint16(word, half)
				exponent, fraction := int(half>>10&31), float64(half&0x3ff)
				if x = math.Ldexp(1024+fraction, exponent-25); exponent == 0 {
					x = math.Ldexp(fraction, -24)
				}
				if half>>15 == 1 {
					x = -x
				}
			case ptx.TexelF32:
				f := float32(r.NormFloat64())
				binary.LittleEndian.PutUint32(word, math.Float32bits(f))
				x = float64(f)
			case ptx.TexelU32:
				x = float64(v)
			case ptx.TexelS32:
				x = float64(int32(v))
			}
			if integers {
				switch t.Format {
				case ptx.TexelU8:
					x = float64(uint8(v))
				case ptx.TexelS8:
					x = float64(int8(v))
				case ptx.TexelU16:
					x = float64(uint16(v))
				case ptx.TexelS16:
					x = float64(int16(v))
				}
			} else {
				x = float64(float32(x))
			}
			texel[c] = x
			data = append(data, word[:n]...)
		}
		texels = append(texels, texel)
	}
	return data, texels
}

// textureKernel reads coordinates of each thread from in and writes the four results to out.
func textureKernel(dimensions int, result, coordinate, register string) string {
	list, read := "%c0", "ld.global.b32 %c0, [%rd3];"
	if dimensions == 2 {
		list, read = "%c0, %c1", "ld.global.v2.b32 {%c0, %c1}, [%rd3];"
	}
	return fmt.Sprintf(`.version 4.0
.target sm_30
.address_size 64
.global .texref image;
.visible .entry test(.param .u64 in, .param .u64 out, .param .u64 object, .param .texref given) {
	.reg .b64 %%rd<9>; .reg .u32 %%t; .reg .b32 %%v<4>, %%c<2>;
	mov.u32 %%t, %%tid.x; mad.wide.u32 %%rd3, %%t, 8, 0; ld.param.u64 %%rd1, [in]; add.u64 %%rd3, %%rd3, %%rd1;
	mad.wide.u32 %%rd4, %%t, 16, 0; ld.param.u64 %%rd2, [out]; add.u64 %%rd4, %%rd4, %%rd2; ld.param.u64 %%rd5, [object];
	mov.u64 %%rd6, image;
	%s
	tex.%dd.v4.%s.%s {%%v0, %%v1, %%v2, %%v3}, [%s, {%s}];
	st.global.v4.b32 [%%rd4], {%%v0, %%v1, %%v2, %%v3}; ret; }`, read, dimensions, result, coordinate, register, list)
}

// fetchAll runs textureKernel on coordinates and returns the results.
func fetchAll(t *testing.T, src string, texture ptx.Texture, data []byte, coordinates [][2]uint32) [][4]uint32 {
	t.Helper()
	m, err := compile.Load("texture.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(m, "test", func(name string) uint64 { return ptx.TextureHandle(0) })
	if err != nil {
		t.Fatal(err)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<28)
	texels, err := image.Alloc("texels", texture.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	texture.Base = texels.Base
	if texture.Array {
		data = texture.Tiled(data)
	}
	image.Write(texels.Base, data)
	in, _ := image.Alloc("in", uint64(8*len(coordinates)))
	out, _ := image.Alloc("out", uint64(16*len(coordinates)))
	var params []byte
	for i, c := range coordinates {
		image.Write(in.Base+uint64(8*i), binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, c[0]), c[1]))
	}
	for _, v := range []uint64{in.Base, out.Base, ptx.TextureHandle(0), ptx.TextureHandle(0)} {
		params = binary.LittleEndian.AppendUint64(params, v)
	}
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{uint32(len(coordinates)), 1, 1}, Params: params, Textures: []ptx.Texture{texture}}
	if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
		t.Fatal(err)
	}
	results := make([][4]uint32, len(coordinates))
	for i := range results {
		var b [16]byte
		image.Read(out.Base+uint64(16*i), b[:])
		for c := range results[i] {
			results[i][c] = binary.LittleEndian.Uint32(b[4*c:])
		}
	}
	return results
}

// TestTexturesAgainstTheHost reads textures of every format, filter, address mode and layout, and
// compares each result with the host's.
func TestTexturesAgainstTheHost(t *testing.T) {
	r := newRand(7)
	registers := []string{"image", "%rd5", "%rd6", "given"}
	for n := range 600 {
		texture := ptx.Texture{
			Name: "image", Width: 1 + r.Intn(40), Format: ptx.TexelFormat(r.Intn(8)), Channels: []int{1, 2, 4}[r.Intn(3)],
			Address: ptx.TextureAddress(r.Intn(4)), Linear: r.Intn(2) == 0, Normalized: r.Intn(2) == 0, Array: r.Intn(2) == 0,
		}
		dimensions := 1 + r.Intn(2)
		if dimensions == 2 {
			texture.Height = 1 + r.Intn(40)
		} else if !texture.Array { // linear memory
			texture.Linear, texture.Normalized = false, false
		}
		integers := !texture.Format.IsFloat() && (texture.Format.Bytes() == 4 || r.Intn(2) == 0)
		if integers {
			texture.Linear = false
		}
		wholePlaces := r.Intn(3) == 0
		data, texels := randomTexels(r, &texture, integers)
		host := hostTexture{&texture, texels}
		coordinates := make([][2]uint32, 64)
		want, slack := make([][4]float64, len(coordinates)), make([][4]float64, len(coordinates))
		for i := range coordinates {
			if wholePlaces {
				x, y := r.Intn(3*texture.Width)-texture.Width, r.Intn(3*max(texture.Height, 1))-texture.Height
				coordinates[i] = [2]uint32{uint32(x), uint32(y)}
				if dimensions == 1 {
					y = 0
				}
				if x >= 0 && x < texture.Width && y >= 0 && y < max(texture.Height, 1) { // otherwise zero
					want[i] = host.at(x, y)
				}
				for c := range want[i] {
					if !integers && texture.Format == ptx.TexelS8 {
						want[i][c] = max(want[i][c], -1)
					}
				}
				continue
			}
			x, y := float32(r.Float64()*3-1), float32(r.Float64()*3-1)
			if !texture.Normalized {
				x, y = x*float32(texture.Width), y*float32(max(texture.Height, 1))
			}
			if r.Intn(8) == 0 {
				x, y = float32(math.Floor(float64(x))), float32(math.Floor(float64(y)*2)/2)
			}
			coordinates[i] = [2]uint32{math.Float32bits(x), math.Float32bits(y)}
			if dimensions == 1 {
				y = 0
			}
			want[i], slack[i] = host.fetch(x, y)
		}
		result, coordinate := "f32", "f32"
		if integers {
			result = map[bool]string{true: "s32", false: "u32"}[texture.Format.IsSigned()]
		}
		if wholePlaces {
			coordinate = "s32"
		}
		src := textureKernel(dimensions, result, coordinate, registers[n%len(registers)])
		for i, got := range fetchAll(t, src, texture, data, coordinates) {
			for c := range got {
				bits := math.Float32bits(float32(want[i][c]))
				if integers {
					bits = uint32(int64(want[i][c]))
				}
				if got[c] == bits || slack[i][c] > 0 && math.Abs(float64(math.Float32frombits(got[c]))-want[i][c]) <= slack[i][c] {
					continue
				}
				t.Fatalf("%+v, tex.%dd.%s.%s at %#x: channel %d is %#x, want %#x", texture, dimensions, result, coordinate, coordinates[i], c, got[c], bits)
			}
		}
	}
}

// TestTextureWeights: the weights of a filter are multiples of 1/256, and 1 is among them.
func TestTextureWeights(t *testing.T) {
	texture := ptx.Texture{Width: 2, Format: ptx.TexelF32, Channels: 1, Linear: true, Array: true}
	data := binary.LittleEndian.AppendUint32(make([]byte, 4), math.Float32bits(256))
	var coordinates [][2]uint32
	xs := []float32{0.5, 0.5 + 1.0/256, 0.5 + 1.49/256, 0.5 + 1.5/256, 1, 1.5 - 0.51/256, 1.5 - 0.5/256, 1.5, 9, -9, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
	for _, x := range xs {
		coordinates = append(coordinates, [2]uint32{math.Float32bits(x)})
	}
	want := []float32{0, 1, 1, 2, 128, 255, 256, 256, 256, 0, 0, 256, 0}
	for i, got := range fetchAll(t, textureKernel(1, "f32", "f32", "image"), texture, data, coordinates) {
		if v := math.Float32frombits(got[0]); v != want[i] || got[3] != 0 {
			t.Errorf("at %v: %v, want %v", xs[i], v, want[i])
		}
	}
}

// TestTextureArrayLayout: an array is its texels in another order, in tiles of a line.
func TestTextureArrayLayout(t *testing.T) {
	for _, c := range []struct{ format, channels, width, height int }{{0, 1, 37, 11}, {2, 1, 16, 16}, {7, 1, 33, 5}, {7, 2, 7, 9}, {7, 4, 9, 9}} {
		x := ptx.Texture{Width: c.width, Height: c.height, Format: ptx.TexelFormat(c.format), Channels: c.channels, Array: true}
		seen := map[uint64]bool{}
		for y := range c.height {
			for i := range c.width {
				at := x.Texel(i, y)
				if seen[at] || at+uint64(x.TexelBytes()) > x.Bytes() || at%uint64(x.TexelBytes()) != 0 {
					t.Fatalf("%+v: texel %d, %d lies at %d", c, i, y, at)
				}
				seen[at] = true
			}
		}
		if x.Texel(0, 0)/128 != x.Texel(1, 1)/128 {
			t.Errorf("%+v: neighbours lie in two lines", c)
		}
	}
}

// TestTextureFaults: what cannot be read ends the run with one sentence.
func TestTextureFaults(t *testing.T) {
	for _, c := range []struct {
		text    string
		texture ptx.Texture
		want    string
	}{
		{"tex.1d.v4.f32.s32 {%f0, %f0, %f0, %f0}, [%rd0, {%r0}];", ptx.Texture{Width: 1}, "0x0 is not the handle of a texture"},
		{"mov.u64 %rd0, 2; tex.1d.v4.f32.s32 {%f0, %f0, %f0, %f0}, [%rd0, {%r0}];", ptx.Texture{Width: 1}, "0x2 is not the handle"},
		{"tex.1d.v4.f32.s32 {%f0, %f0, %f0, %f0}, [t, {%r0}];", ptx.Texture{Width: 1, Height: 1}, "texture grid has two dimensions: read it with tex.2d"},
		{"tex.2d.v4.f32.s32 {%f0, %f0, %f0, %f0}, [t, {%r0, %r0}];", ptx.Texture{Width: 1}, "texture grid has one dimension: read it with tex.1d"},
		{"tex.1d.v4.f32.s32 {%f0, %f0, %f0, %f0}, [t, {%r0}];", ptx.Texture{Width: 1, Format: ptx.TexelS32}, "holds integers of 32 bits: read them as .u32 or .s32"},
		{"tex.1d.v4.u32.s32 {%r0, %r0, %r0, %r0}, [t, {%r0}];", ptx.Texture{Width: 1, Format: ptx.TexelF16}, "holds floating-point numbers: read them as .f32"},
		{"tex.1d.v4.u32.f32 {%r0, %r0, %r0, %r0}, [t, {%f0}];", ptx.Texture{Width: 1, Linear: true, Array: true}, "is filtered: read it as .f32"},
	} {
		src := ".version 4.0\n.target sm_30\n.address_size 64\n.tex .u32 t;\n.visible .entry k() { .reg .b64 %rd0; .reg .b32 %r0; .reg .f32 %f0;\n" + c.text + " ret; }"
		m, err := compile.Load("x", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		k, err := compile.Kernel(m, "k", func(string) uint64 { return 1 })
		if err != nil {
			t.Fatal(err)
		}
		c.texture.Name, c.texture.Channels = "grid", 1
		image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
		l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Textures: []ptx.Texture{c.texture}}
		if _, err := RunFunctional(l, image, FunctionalOptions{}); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "6:") {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
