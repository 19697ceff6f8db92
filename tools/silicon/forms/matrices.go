package forms

import (
	"fmt"
	"strings"
)

// matrix adds an mma whose operands are d, a, b and c registers of the given kinds.
func (c *catalog) matrix(opcode, d string, nd int, a string, na int, b string, nb int, cc string, nc int) {
	var in []string
	list := func(n int, kind string) string {
		var names []string
		for range n {
			names = append(names, fmt.Sprintf("%%x%d", len(in)))
			in = append(in, kind)
		}
		return "{" + strings.Join(names, ", ") + "}"
	}
	var out, results []string
	for i := range nd {
		results = append(results, fmt.Sprintf("%%y%d", i))
		out = append(out, d)
	}
	element := func(letter, kind string) string { // integers may be any bits
		if kinds[letter+kind] != 0 {
			return letter + kind
		}
		return kind
	}
	text := opcode + " {" + strings.Join(results, ", ") + "}, " + list(na, element("m.", a)) + ", " +
		list(nb, element("m.", b)) + ", " + list(nc, element("c.", cc)) + ";"
	c.list = append(c.list, Form{Text: text, In: in, Out: out})
}

func (c *catalog) matrices() {
	const mma = "mma.sync.aligned."
	half := func(shape string, na, nb int) {
		c.matrix(mma+shape+".row.col.f32.f16.f16.f32", "f32", 4, "f16x2", na, "f16x2", nb, "f32", 4)
		c.matrix(mma+shape+".row.col.f16.f16.f16.f16", "f16x2", 2, "f16x2", na, "f16x2", nb, "f16x2", 2)
		c.matrix(mma+shape+".row.col.f32.bf16.bf16.f32", "f32", 4, "bf16x2", na, "bf16x2", nb, "f32", 4)
	}
	half("m16n8k8", 2, 1)
	half("m16n8k16", 4, 2)
	c.matrix(mma+"m16n8k4.row.col.f32.tf32.tf32.f32", "f32", 4, "tf32", 2, "tf32", 1, "f32", 4)
	c.matrix(mma+"m16n8k8.row.col.f32.tf32.tf32.f32", "f32", 4, "tf32", 4, "tf32", 2, "f32", 4)
	for _, t := range []string{"e4m3.e4m3", "e4m3.e5m2", "e5m2.e4m3", "e5m2.e5m2"} {
		w := strings.Split(t, ".")
		c.matrix(mma+"m16n8k32.row.col.f32."+t+".f32", "f32", 4, w[0]+"x4", 4, w[1]+"x4", 2, "f32", 4)
		c.matrix(mma+"m16n8k16.row.col.f32."+t+".f32", "f32", 4, w[0]+"x4", 2, w[1]+"x4", 1, "f32", 4)
		c.matrix(mma+"m16n8k32.row.col.f16."+t+".f16", "f16x2", 2, w[0]+"x4", 4, w[1]+"x4", 2, "f16x2", 2)
		c.matrix(mma+"m16n8k16.row.col.f16."+t+".f16", "f16x2", 2, w[0]+"x4", 2, w[1]+"x4", 1, "f16x2", 2)
	}
	for _, mode := range []string{"", ".rn", ".rz", ".rm", ".rp"} {
		c.matrix(mma+"m8n8k4.row.col"+mode+".f64.f64.f64.f64", "f64", 2, "f64", 1, "f64", 1, "f64", 2)
		c.matrix(mma+"m16n8k4.row.col"+mode+".f64.f64.f64.f64", "f64", 4, "f64", 2, "f64", 1, "f64", 4)
		c.matrix(mma+"m16n8k8.row.col"+mode+".f64.f64.f64.f64", "f64", 4, "f64", 4, "f64", 2, "f64", 4)
		c.matrix(mma+"m16n8k16.row.col"+mode+".f64.f64.f64.f64", "f64", 4, "f64", 8, "f64", 4, "f64", 4)
	}
	for _, sat := range []string{"", ".satfinite"} {
		for _, t := range []string{"u8.u8", "u8.s8", "s8.u8", "s8.s8"} {
			c.matrix(mma+"m8n8k16.row.col"+sat+".s32."+t+".s32", "s32", 2, "b32", 1, "b32", 1, "s32", 2)
			c.matrix(mma+"m16n8k16.row.col"+sat+".s32."+t+".s32", "s32", 4, "b32", 2, "b32", 1, "s32", 4)
			c.matrix(mma+"m16n8k32.row.col"+sat+".s32."+t+".s32", "s32", 4, "b32", 4, "b32", 2, "s32", 4)
		}
		for _, t := range []string{"u4.u4", "u4.s4", "s4.u4", "s4.s4"} {
			c.matrix(mma+"m8n8k32.row.col"+sat+".s32."+t+".s32", "s32", 2, "b32", 1, "b32", 1, "s32", 2)
			c.matrix(mma+"m16n8k32.row.col"+sat+".s32."+t+".s32", "s32", 4, "b32", 2, "b32", 1, "s32", 4)
			c.matrix(mma+"m16n8k64.row.col"+sat+".s32."+t+".s32", "s32", 4, "b32", 4, "b32", 2, "s32", 4)
		}
	}
	for _, op := range []string{"xor", "and"} {
		c.matrix(mma+"m8n8k128.row.col.s32.b1.b1.s32."+op+".popc", "s32", 2, "b32", 1, "b32", 1, "s32", 2)
		c.matrix(mma+"m16n8k128.row.col.s32.b1.b1.s32."+op+".popc", "s32", 4, "b32", 2, "b32", 1, "s32", 4)
		c.matrix(mma+"m16n8k256.row.col.s32.b1.b1.s32."+op+".popc", "s32", 4, "b32", 4, "b32", 2, "s32", 4)
	}
	for _, layout := range []string{"row.row", "row.col", "col.row", "col.col"} {
		c.matrix(mma+"m8n8k4."+layout+".f16.f16.f16.f16", "f16x2", 4, "f16x2", 2, "f16x2", 2, "f16x2", 4)
		c.matrix(mma+"m8n8k4."+layout+".f32.f16.f16.f16", "f32", 8, "f16x2", 2, "f16x2", 2, "f16x2", 4)
		c.matrix(mma+"m8n8k4."+layout+".f32.f16.f16.f32", "f32", 8, "f16x2", 2, "f16x2", 2, "f32", 8)
		// The manual leaves the fragments of wmma open. Those of m8n32k16 are not the device's.
		for _, shape := range []string{"m16n16k16", "m32n8k16"} {
			w := "wmma.mma.sync.aligned." + layout + "." + shape
			c.matrix(w+".f16.f16", "f16x2", 4, "f16x2", 8, "f16x2", 8, "f16x2", 4)
			c.matrix(w+".f32.f32", "f32", 8, "f16x2", 8, "f16x2", 8, "f32", 8)
			c.matrix(w+".f32.f16", "f32", 8, "f16x2", 8, "f16x2", 8, "f16x2", 4)
			c.matrix(w+".f16.f32", "f16x2", 4, "f16x2", 8, "f16x2", 8, "f32", 8)
			sizes := map[string][2]int{"m16n16k16": {4, 4}, "m32n8k16": {8, 2}}[shape]
			c.matrix(w+".f32.bf16.bf16.f32", "f32", 8, "bf16x2", sizes[0], "bf16x2", sizes[1], "f32", 8)
			for _, t := range []string{"s8", "u8"} {
				a, b := max(1, sizes[0]/2), max(1, sizes[1]/2)
				c.matrix(w+".s32."+t+"."+t+".s32", "s32", 8, "b32", a, "b32", b, "s32", 8)
				c.matrix(w+".s32."+t+"."+t+".s32.satfinite", "s32", 8, "b32", a, "b32", b, "s32", 8)
			}
		}
		c.matrix("wmma.mma.sync.aligned."+layout+".m16n16k8.f32.tf32.tf32.f32", "f32", 8, "tf32", 4, "tf32", 4, "f32", 8)
		c.matrix("wmma.mma.sync.aligned."+layout+".m8n8k4.f64.f64.f64.f64", "f64", 2, "f64", 1, "f64", 1, "f64", 2)
		c.matrix("wmma.mma.sync.aligned."+layout+".m8n8k4.rz.f64.f64.f64.f64", "f64", 2, "f64", 1, "f64", 1, "f64", 2)
	}
	for _, t := range []string{"s4", "u4"} {
		c.matrix("wmma.mma.sync.aligned.row.col.m8n8k32.s32."+t+"."+t+".s32", "s32", 2, "b32", 1, "b32", 1, "s32", 2)
	}
	c.matrix("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", "s32", 2, "b32", 1, "b32", 1, "s32", 2)
}
