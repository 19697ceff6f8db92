package scenario

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/argument"
)

// Texture binds memory to a .texref of the program, or to what an argument tex:NAME passes: the
// buffer of an argument, or data of its own.
type Texture struct {
	Name   string `msgpack:"name" yaml:"name" json:"name"`
	Buffer string `msgpack:"buffer,omitempty" yaml:"buffer,omitempty" json:"buffer,omitempty"`
	Data   Blob   `msgpack:"data,omitempty" yaml:"data,omitempty" json:"data,omitempty"`
	// Format is the type of a channel; Channels is 1 if it is left out.
	Format   string `msgpack:"format" yaml:"format" json:"format"`
	Channels int    `msgpack:"channels,omitempty" yaml:"channels,omitempty" json:"channels,omitempty"`
	Width    int    `msgpack:"width" yaml:"width" json:"width"`
	Height   int    `msgpack:"height,omitempty" yaml:"height,omitempty" json:"height,omitempty"`
	// What is left out is nearest, clamp, texels and linear.
	Filter      string `msgpack:"filter,omitempty" yaml:"filter,omitempty" json:"filter,omitempty"`
	Address     string `msgpack:"address,omitempty" yaml:"address,omitempty" json:"address,omitempty"`
	Coordinates string `msgpack:"coordinates,omitempty" yaml:"coordinates,omitempty" json:"coordinates,omitempty"`
	Layout      string `msgpack:"layout,omitempty" yaml:"layout,omitempty" json:"layout,omitempty"`
}

// The words of the settings of a texture; the first is the default.
var (
	textureFilters     = []string{"nearest", "linear"}
	textureCoordinates = []string{"texels", "normalized"}
	textureLayouts     = []string{"linear", "array"}
)

// maxTextures is the number of texture references that a kernel may have (CUDA C++ Programming
// Guide, technical specifications).
const maxTextures = 256

func (p *PTX) validateTextures(e *fault.Errors, path string) {
	if len(p.Textures) > maxTextures {
		e.Add(path, fmt.Sprintf("%d textures", len(p.Textures)), fmt.Sprintf("use at most %d", maxTextures))
		return
	}
	for i := range p.Textures {
		t, at := &p.Textures[i], fmt.Sprintf("%s[%d]", path, i)
		same := func(other Texture) bool { return other.Name == t.Name }
		if t.Name == "" {
			e.Add(at+".name", "the texture has no name", "give the name of a .texref, or the NAME of an argument tex:NAME")
		} else if slices.ContainsFunc(p.Textures[:i], same) {
			e.Add(at+".name", fault.Quote(t.Name)+" is bound twice", "bind it once")
		}
		if t.words(e, at) {
			t.validate(e, at, p.bufferBytes(t))
		}
	}
	for i := range p.Args {
		spec, err := argument.Parse(p.Args[i].Spec)
		if err == nil && spec.Kind == argument.Texture && p.textureIndex(spec.In) < 0 {
			e.Add(fmt.Sprintf("workload.ptx.args[%d].spec", i), "there is no texture "+fault.Quote(spec.In), "name one of workload.ptx.textures")
		}
	}
}

// words checks the settings that are words.
func (t *Texture) words(e *fault.Errors, at string) bool {
	ok := e.Word(at+".format", t.Format, ptx.TexelFormatNames)
	for _, w := range []struct {
		field, got string
		legal      []string
	}{
		{"filter", t.Filter, textureFilters}, {"address", t.Address, ptx.TextureAddressNames},
		{"coordinates", t.Coordinates, textureCoordinates}, {"layout", t.Layout, textureLayouts},
	} {
		ok = (w.got == "" || e.Word(at+"."+w.field, w.got, w.legal)) && ok
	}
	return ok
}

func (t *Texture) validate(e *fault.Errors, at string, bufferBytes uint64) {
	switch {
	case t.Buffer == "" && len(t.Data) == 0:
		e.Add(at, "the texture has no memory", "give data, or name the buffer of an argument")
		return
	case t.Buffer != "" && len(t.Data) > 0:
		e.Add(at+".buffer", "the texture has a buffer and data", "keep one of them")
		return
	case t.Buffer != "" && t.Layout == "array":
		e.Add(at+".layout", "an array has contents of its own, which no argument points to", "give data, or use layout linear")
		return
	case t.Buffer != "" && bufferBytes == 0:
		e.Add(at+".buffer", "no argument has a buffer "+fault.Quote(t.Buffer), "name one: in:NAME, out:NAME:BYTES or inout:NAME:NAME")
		return
	}
	rows := workload.Texture{Texture: t.bound()}
	rows.Array = rows.Array && rows.Height == 0 // data of two dimensions are in rows
	bytes := uint64(len(t.Data))
	if t.Buffer != "" {
		bytes = bufferBytes
	}
	rows.Check(bytes, func(field, message, mend string) { e.Add(at+"."+field, message, mend) })
}

// bound returns the texture without its place in memory.
func (t *Texture) bound() ptx.Texture {
	channels := t.Channels
	if channels == 0 {
		channels = 1
	}
	return ptx.Texture{
		Name: t.Name, Width: t.Width, Height: t.Height, Channels: channels,
		Format:  ptx.TexelFormat(max(0, slices.Index(ptx.TexelFormatNames, t.Format))),
		Address: ptx.TextureAddress(max(0, slices.Index(ptx.TextureAddressNames, t.Address))),
		Linear:  t.Filter == "linear", Normalized: t.Coordinates == "normalized", Array: t.Layout == "array",
	}
}

// bufferBytes returns the size of the buffer that a texture names, 0 if there is none.
func (p *PTX) bufferBytes(t *Texture) uint64 {
	for i, a := range p.Args {
		if spec, err := argument.Parse(a.Spec); err == nil && spec.IsBuffer() {
			if b := spec.Buffer(i, a.Data); b.Name == t.Buffer {
				return b.Bytes
			}
		}
	}
	return 0
}

func (p *PTX) textureIndex(name string) int {
	return slices.IndexFunc(p.Textures, func(t Texture) bool { return t.Name == name })
}

// bindTextures gives a program its textures, after the buffers of its arguments.
func (p *PTX) bindTextures(program *workload.Program) {
	for i := range p.Textures {
		t := workload.Texture{Texture: p.Textures[i].bound()}
		t.Buffer = slices.IndexFunc(program.Buffers, func(b workload.Buffer) bool { return p.Textures[i].Buffer != "" && b.Name == p.Textures[i].Buffer })
		if t.Buffer < 0 {
			data := []byte(p.Textures[i].Data)
			if t.Array {
				data = t.Tiled(data)
			}
			t.Buffer = len(program.Buffers)
			program.Buffers = append(program.Buffers, workload.Buffer{Name: t.Name, Bytes: uint64(len(data)), Init: data})
		}
		program.Textures = append(program.Textures, t)
	}
}
