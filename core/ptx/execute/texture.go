package execute

import (
	"math"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// TexelsMax is how many texels a lane may read: the square of a filtered texture.
const TexelsMax = 4

// Fetch is a texture instruction of a warp: what its lanes read, and what they have read. The
// texels of a lane are numbered left to right and down.
type Fetch struct {
	PC      int32
	Mask    uint32
	Texture int32 // of the launch
	Bytes   int32 // of a texel
	// Lanes[k] are the lanes that read texel k, at Addr[k]. The other lanes read zero.
	Lanes [TexelsMax]uint32
	Addr  [TexelsMax][ptx.MaxLanes]uint64
	// Right and Lower are the weights of the right column and of the lower row.
	Right, Lower [ptx.MaxLanes]uint16
	Texel        [ptx.MaxLanes][TexelsMax][16]byte
}

// texture finds the texels of a texture instruction. If the lanes name several textures, it
// takes one call for each.
func (w *Warp) texture(e *Env, in *ptx.Instr, mask uint32) Effect {
	if w.pending != 0 {
		mask = w.pending
		e.Lanes = bits.OnesCount32(mask)
	}
	if mask == 0 {
		w.advance()
		return EffectNone
	}
	if e.Fetch == nil {
		e.Fetch = new(Fetch)
	}
	f := e.Fetch
	first := bits.TrailingZeros32(mask) & 31
	wide := in.Flags&ptx.FlagWideA != 0
	handle := w.lane(in.A, wide, first)
	same := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if w.lane(in.A, wide, i) == handle {
			same |= 1 << i
		}
	}
	list := w.launch.Textures
	if handle-1 >= uint64(len(list)) {
		w.faultAt(w.PC, first, "%#x is not the handle of a texture: bind one, and pass its handle", handle)
		return EffectFault
	}
	t := &list[handle-1]
	if message := unfit(t, in.Texture); message != "" {
		w.faultAt(w.PC, first, "texture %s %s", t.Name, message)
		return EffectFault
	}
	*f = Fetch{PC: w.PC, Mask: same, Texture: int32(handle - 1), Bytes: int32(t.TexelBytes())}
	x, y := w.u32(in.B), w.u32(in.C)
	for m := same; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		f.lane(t, in.Texture, i, x[i], y[i])
	}
	if w.pending = mask &^ same; w.pending == 0 {
		w.advance()
	}
	return EffectTexture
}

// unfit says why an instruction cannot read a texture, "" if it can.
func unfit(t *ptx.Texture, o *ptx.TextureOp) string {
	switch {
	case o.Dimensions == 1 && t.Height > 0:
		return "has two dimensions: read it with tex.2d"
	case o.Dimensions == 2 && t.Height == 0:
		return "has one dimension: read it with tex.1d"
	case o.Result == ptx.TypeF32 && (t.Format == ptx.TexelU32 || t.Format == ptx.TexelS32):
		return "holds integers of 32 bits: read them as .u32 or .s32"
	case o.Result != ptx.TypeF32 && t.Format.IsFloat():
		return "holds floating-point numbers: read them as .f32"
	case o.Result != ptx.TypeF32 && t.Linear:
		return "is filtered: read it as .f32"
	}
	return ""
}

// lane finds the texels of one lane.
func (f *Fetch) lane(t *ptx.Texture, o *ptx.TextureOp, i int, x, y uint32) {
	var columns, rows [2]int
	count := 1
	if o.Integer {
		columns[0] = arith.PlaceWhole(t.Width, int(int32(x)))
		if o.Dimensions == 2 {
			rows[0] = arith.PlaceWhole(t.Height, int(int32(y)))
		}
	} else {
		columns[0], columns[1], f.Right[i] = arith.Texels(t, t.Width, math.Float32frombits(x))
		if o.Dimensions == 2 {
			rows[0], rows[1], f.Lower[i] = arith.Texels(t, t.Height, math.Float32frombits(y))
		}
		if t.Linear {
			count = 2 * o.Dimensions
			if o.Dimensions == 1 && t.Address == ptx.AddressBorder {
				// The filter reads at the upper edge of the only row: half of it is the border (H200).
				rows, f.Lower[i], count = [2]int{arith.Outside, 0}, arith.WeightOne/2, 4
			}
		}
	}
	for k := range count {
		column, row := columns[k&1], rows[k>>1]
		if column == arith.Outside || row == arith.Outside {
			continue
		}
		f.Lanes[k] |= 1 << i
		f.Addr[k][i] = t.Texel(column, row)
	}
}

// BindFetch writes the results of a texture instruction whose texels have been read.
func (w *Warp) BindFetch(f *Fetch) {
	in := &w.kernel.Code[f.PC]
	t := &w.launch.Textures[f.Texture]
	for c, r := range in.Vector.Regs {
		d := w.u32(r)
		for m := f.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			switch {
			case in.Texture.Result != ptx.TypeF32:
				d[i] = arith.TexelInteger(t, &f.Texel[i][0], c)
			case in.Texture.Integer && t.Linear: // places are whole: nothing to blend
				unfiltered := *t
				unfiltered.Linear = false
				d[i] = arith.TexelFloat(&unfiltered, &f.Texel[i], 0, 0, c)
			default:
				d[i] = arith.TexelFloat(t, &f.Texel[i], f.Right[i], f.Lower[i], c)
			}
		}
	}
}
