package draw

// Forms the shader knows, in custom.x of a vertex. custom.y and .z are half the
// width and height in device pixels, .w is the corner radius; stroke widths are
// in the fraction of the form so that one vertex says it all.
const (
	formFill = iota
	formOutline
	formDashed
	formHatch
	formDots
	formSplit
	formGlyph
)

// shaderSource draws one form per quad. srcPos is the place in the quad, counted
// from its centre, or for letters the place in the atlas. Edges are blended over
// one device pixel.
const shaderSource = `//kage:unit pixels
package main

var Scale float

func Fragment(dstPos vec4, srcPos vec2, color vec4, custom vec4) vec4 {
	form := floor(custom.x)
	if form == 6 {
		return color * imageSrc0UnsafeAt(srcPos).a
	}
	p := srcPos - imageSrc0Origin()
	half := custom.yz
	stroke := fract(custom.x) * 16
	q := abs(p) - half + custom.w
	d := length(max(q, 0)) + min(max(q.x, q.y), 0) - custom.w
	inside := clamp(0.5-d, 0, 1)
	edge := clamp(0.5-(abs(d+stroke/2)-stroke/2), 0, 1)
	if form == 0 {
		return color * inside
	}
	if form == 1 {
		return color * edge
	}
	if form == 2 {
		along := p.x
		if half.x-abs(p.x) < half.y-abs(p.y) {
			along = p.y
		}
		unit := 4 * Scale
		on := abs(fract(along/unit+0.25)-0.5) * unit
		return color * edge * clamp(unit/4-on+0.5, 0, 1)
	}
	if form == 3 {
		unit := 5 * Scale
		on := abs(fract((p.x+p.y)/unit)-0.5) * unit
		stripe := clamp(unit*0.31-on*0.7071*1.4142+0.5, 0, 1)
		return color * max(edge, inside*max(stripe, 0.16))
	}
	if form == 4 {
		unit := 4 * Scale
		cell := (fract(p/unit+0.5) - 0.5) * unit
		dot := clamp(1.35*Scale-length(cell)+0.5, 0, 1)
		return color * max(edge, inside*max(dot, 0.22))
	}
	slit := clamp(0.9*Scale-abs(p.y)+0.5, 0, 1)
	return color * inside * (1 - slit*0.85)
}
`
