package compile

import "strings"

// reasons says why an instruction, or one with a word, is refused. The list of README.md has an example of each, and
// TestGrammar finds every form of the PTX ISA that is refused without one. As a text it is small in the page's engine.
const reasons = "" +
	" alloca=local memory of a size that varies; stacksave=local memory of a size that varies;" +
	" stackrestore=local memory of a size that varies;" +
	" atom.b128=atomics of 128 bits;" +
	" clusterlaunchcontrol=CTAs that cancel others;" +
	" st.bulk=stores in bulk;" +
	" cp.cp_mask=masks of bytes; cp.tile::gather4=gathers and scatters of rows; cp.tile::scatter4=gathers and " +
	"scatters of rows;" +
	" cp.im2col::w=im2col along one dimension; cp.im2col::w::128=im2col along one dimension;" +
	" cp.cta_group::1=pairs of CTAs; cp.cta_group::2=pairs of CTAs; tensormap.swizzle_atomicity=other units of " +
	"swizzling;" +
	" cvt.rs=random rounding; cvt.ue8m0x2=scales of blocks; fma.oob=numbers that are out of bounds;" +
	" ldmatrix.m16n16=matrices of 8 bits and less; ldmatrix.m8n16=matrices of 8 bits and less;" +
	" stmatrix.m16n8=matrices of 8 bits and less;" +
	" mma.block_scale=scales of blocks;" +
	" mma.kind::f8f6f4=matrices of 8 bits and less;" +
	" tcgen05=matrices of several warps; multimem=memory of several GPUs;" +
	" istypep=types of handles; suld=surfaces; sust=surfaces; sured=surfaces; suq=surfaces;" +
	" tex.3d=three dimensions; tex.a1d=layers; tex.a2d=layers; tex.cube=cubes; tex.acube=cubes;" +
	" tex.2dms=several samples; tex.a2dms=several samples; tex.base=mipmaps; tex.level=mipmaps; tex.grad=mipmaps;" +
	" tex.f16=results of 16 bits; tex.f16x2=results of 16 bits; tld4=gathers of four texels; txq=queries of textures; "

// reasonOf returns why a word is refused; "" for one that is not.
func reasonOf(word string) string {
	_, rest, ok := strings.Cut(reasons, " "+word+"=")
	if !ok {
		return ""
	}
	reason, _, _ := strings.Cut(rest, ";")
	return reason
}

// refused fails for an instruction that stands in the list.
func (s *selector) refused() {
	reason := reasonOf(s.st.Opcode)
	for i := len(s.st.Mods) - 1; i >= 0 && reason == ""; i-- { // .bulk.tensor: the tensor says more
		reason = reasonOf(s.st.Opcode + "." + s.st.Mods[i].Text)
	}
	if reason != "" {
		s.fail(s.st.At, "unsupported instruction %s (%s)", s.text(), reason)
	}
}
