package ptx

// RoundProducts makes every fma.rn.f32 and mad.rn.f32 of the kernel round its
// product before the addition, as GPGPU-Sim does. PTX defines one rounding, and GPUs
// round once. Use it to compare outputs with those of GPGPU-Sim bit by bit.
func (k *Kernel) RoundProducts() {
	for i := range k.Code {
		if in := &k.Code[i]; in.Family == FamilyFloat && in.Op == FloatFma {
			in.Op = FloatFmaRounded
		}
	}
}
