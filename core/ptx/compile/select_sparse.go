package compile

import "github.com/burstscope/burstscope/core/ptx"

// sparseShapes are the shapes of mma.sp for each element of A (PTX ISA, "mma.sp").
var sparseShapes = [ptx.NumElements]string{
	ptx.ElementF16: "m16n8k16 m16n8k32", ptx.ElementBF16: "m16n8k16 m16n8k32", ptx.ElementTF32: "m16n8k8 m16n8k16",
	ptx.ElementE4M3: "m16n8k64", ptx.ElementE5M2: "m16n8k64",
	ptx.ElementS8: "m16n8k32 m16n8k64", ptx.ElementU8: "m16n8k32 m16n8k64",
	ptx.ElementS4: "m16n8k64 m16n8k128", ptx.ElementU4: "m16n8k64 m16n8k128",
}

// sparseMultiply is mma.sp d, a, b, c, metadata, selector. A holds the elements that are stored: half of K.
func (s *selector) sparseMultiply(ordered bool) {
	o := &ptx.MatrixOp{Saturate: s.has("satfinite"), Sparse: true, Ordered: ordered}
	w := s.shapeWords()
	if len(s.mods) > 0 { // .kind
		return
	}
	if len(w.types) != 4 || len(w.columns) != 2 {
		s.unsupported()
		return
	}
	d, a, b, c := w.types[0], w.types[1], w.types[2], w.types[3]
	if !among(sparseShapes[a], w.name) || !multiplicands(a, b) || !accumulators(a, c,
		d) || c != d || w.columns[0] || !w.columns[1] {
		s.unsupported()
		return
	}
	if !s.summed(a, o, false) {
		return
	}
	o.A, o.B = ptx.NewFragment('a', a, w.m, w.n, w.k/2), ptx.NewFragment('b', b, w.m, w.n, w.k)
	o.C, o.D = ptx.NewFragment('c', c, w.m, w.n, w.k), ptx.NewFragment('c', d, w.m, w.n, w.k)
	s.emitMultiply(o, [4]int{o.D.Registers(), o.A.Registers(), o.B.Registers(), o.C.Registers()})
}

// metadata sets the operands of mma.sp after C.
func (s *selector) metadata(n *node, o *ptx.MatrixOp) {
	n.srcE(s.source(4, ptx.TypeB32))
	layout, selectors := ptx.MetadataLayout(o.A.Element, o.A.Cols*o.A.Element.Bits()/8)
	o.Layout = uint8(layout)
	o.Selector = uint8(s.constantUpTo(&s.st.Operands[5], selectors-1, "the selector of the metadata"))
}
