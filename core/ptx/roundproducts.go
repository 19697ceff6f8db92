package ptx

// RoundProducts makes every fma.rn.f32 and mad.rn.f32 of the kernel round its
// product before it adds, as GPGPU-Sim computes them. No GPU does: PTX defines one
// rounding. It is for comparing outputs with those of that simulator bit by bit.
func (k *Kernel) RoundProducts() {
	for i := range k.Code {
		if in := &k.Code[i]; in.Family == FamilyFloat && in.Op == FloatFma {
			in.Op = FloatFmaRounded
		}
	}
}
