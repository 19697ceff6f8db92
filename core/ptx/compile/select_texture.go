package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// selectTex is tex with one or two coordinates, without mipmaps, samplers of their own,
// offsets and depth.
func selectTex(s *selector) {
	op := &ptx.TextureOp{}
	switch s.oneOf("1d", "2d") {
	case "1d":
		op.Dimensions = 1
	case "2d":
		op.Dimensions = 2
	}
	if op.Dimensions == 0 || !s.has("v4") || len(s.mods) != 2 {
		s.unsupported()
		return
	}
	op.Result = s.typedAs(ptx.TypeF32, ptx.TypeU32, ptx.TypeS32)
	op.Integer = s.typedAs(ptx.TypeS32, ptx.TypeF32) == ptx.TypeS32
	if n := len(s.st.Operands); n > 2 {
		what := "depths to compare with"
		if s.st.Operands[2].Kind == syntax.OperandVector {
			what = "offsets of texels"
		}
		s.fail(s.st.Operands[2].At, "unsupported operand of %s (%s)", s.text(), what)
	}
	if s.failed || !s.count(2, 2) {
		return
	}
	place := &s.st.Operands[1]
	results := s.elements(0, 4)
	if place.Kind != syntax.OperandAddress || len(place.List()) == 0 {
		s.fail(place.At, "%s: want a texture and coordinates in brackets: [texture, {x}]", s.text())
		return
	}
	if len(place.List()) > 1 {
		s.fail(place.List()[0].At, "unsupported sampler of %s (samplers apart from textures)", s.text())
		return
	}
	coordinates := s.coordinates(&place.List()[0], op.Dimensions)
	if s.failed {
		return
	}
	n := instruction(ptx.FamilyTexture, 0, ptx.ClassMemory)
	n.Texture, n.IsMemory, n.IsLoad = op, true, true
	s.textureHandle(&n, place)
	t := ptx.TypeF32
	if op.Integer {
		t = ptx.TypeS32
	}
	n.srcB(s.sourceOf(&coordinates[0], t, false))
	if op.Dimensions == 2 {
		n.srcC(s.sourceOf(&coordinates[1], t, false))
	}
	n.Vector = &ptx.VectorOp{Bytes: 4}
	for i := range results {
		v := s.destOf(&results[i], op.Result, false)
		n.Vector.Regs = append(n.Vector.Regs, v)
		n.write(v)
	}
	s.emit(n)
}

// coordinates returns the coordinates of a texture of some dimensions. Old compilers give four,
// of which the others are not read.
func (s *selector) coordinates(o *syntax.Operand, dimensions int) []syntax.Operand {
	list := []syntax.Operand{*o}
	if o.Kind == syntax.OperandVector {
		list = o.List()
	}
	if n := len(list); n < dimensions || n > 4 || n == 3 {
		s.fail(o.At, "%s takes %d coordinates, found %d", s.text(), dimensions, n)
	}
	return list
}

// textureHandle sets operand a of a node to the handle of the texture that o names: a .texref,
// a parameter of the kernel, or a register.
func (s *selector) textureHandle(n *node, o *syntax.Operand) {
	switch {
	case o.Sym == nil:
		s.fail(o.At, "%s: want the name or the handle of a texture", s.text())
		return
	case o.Value != 0:
		s.fail(o.At, "%s: a texture has no offset", s.text())
		return
	case o.Sym.Kind == syntax.SymbolRegister && o.Sym.Register.Type.Bits() == 32:
		handle := syntax.Operand{Kind: syntax.OperandName, At: o.At, Name: o.Name, Sym: o.Sym}
		n.srcA(s.sourceOf(&handle, ptx.TypeU32, false))
		return
	case o.Sym.Kind == syntax.SymbolRegister:
		handle := syntax.Operand{Kind: syntax.OperandName, At: o.At, Name: o.Name, Sym: o.Sym}
		n.srcA(s.sourceOf(&handle, ptx.TypeU64, false))
	case o.Sym.Kind == syntax.SymbolVariable && o.Sym.Variable.Texture && o.Sym.Variable.Space == ptx.SpaceGlobal:
		n.srcA(s.values.constant(2, s.layout.address(o.Sym.Variable)))
	case o.Sym.Kind == syntax.SymbolVariable && o.Sym.Variable.Texture && s.fn.Entry && s.isFormal(o.Sym.Variable):
		load := s.access(ptx.AccessLoad, ptx.TypeB64, 1, memoryMode{space: ptx.SpaceParam})
		handle := s.values.temporary(2)
		load.Imm = s.layout.address(o.Sym.Variable)
		load.Mem.Regs[0], load.Mem.Wide[0], load.Mem.Keep[0] = handle, true, ptx.FullMask
		load.Class, load.IsMemory, load.IsLoad, load.IsConstant = ptx.ClassMove, false, true, true
		s.emit(*load.write(handle))
		n.srcA(handle)
	case o.Sym.Kind == syntax.SymbolVariable && o.Sym.Variable.Texture:
		s.fail(o.At, "unsupported .texref as a parameter of a function: pass its handle as .b64")
	default:
		s.fail(o.At, "%s is not a texture", o.Name)
	}
	n.Flags |= ptx.FlagWideA
}
