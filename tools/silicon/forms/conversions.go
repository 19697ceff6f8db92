package forms

import "fmt"

var integerKinds = words("u8 u16 u32 u64 s8 s16 s32 s64")

// wide is the register that holds a kind in conversions: there is no arithmetic on 8 bits,
// so that compilers put them into registers of 16 and 32.
func wide(kind string) string {
	if kinds[kind] == 8 {
		return "b32"
	}
	return kind
}

// holds reports whether an integer type has all values of another, so that no conversion
// saturates.
func holds(d, a string) bool {
	if d[0] == a[0] {
		return kinds[d] >= kinds[a]
	}
	return d[0] == 's' && kinds[d] > kinds[a]
}

func (c *catalog) conversions() {
	for _, d := range integerKinds {
		for _, a := range integerKinds {
			sat := "{,.sat}"
			if holds(d, a) {
				sat = ""
			}
			c.simple("cvt"+sat+"."+d+"."+a, wide(d), wide(a))
			if kinds[d] < 32 {
				c.simple("cvt"+sat+"."+d+"."+a, "b64", wide(a))
			}
			if kinds[a] < 32 {
				c.simple("cvt"+sat+"."+d+"."+a, wide(d), "u64")
			}
		}
		times("f32 f64 f16 bf16", func(f string) {
			ftz, sat := "", "{,.sat}"
			if f == "f32" {
				ftz = "{,.ftz}"
			}
			if f == "bf16" {
				if sat = ""; kinds[d] == 8 { // the device has none
					return
				}
			}
			c.simple("cvt{.rni,.rzi,.rmi,.rpi}"+ftz+sat+"."+d+"."+f, wide(d), f)
			if kinds[d] < 32 && f != "bf16" {
				c.simple("cvt.rzi."+d+"."+f, "b64", f)
			}
			c.simple("cvt{.rn,.rz,.rm,.rp}"+sat+"."+f+"."+d, f, wide(d))
		})
	}
	c.simple("cvt{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32.f64", "f32", "f64")
	c.simple("cvt{,.ftz}{,.sat}.f64.f32", "f64", "f32")
	c.simple("cvt{,.rni,.rzi,.rmi,.rpi}{,.ftz}{,.sat}.f32.f32", "f32", "f32")
	c.simple("cvt{,.rni,.rzi,.rmi,.rpi}{,.sat}.f64.f64", "f64", "f64")
	c.simple("cvt{,.rni,.rzi,.rmi,.rpi}{,.sat}.f16.f16", "f16", "f16")
	c.simple("cvt{.rni,.rzi,.rmi,.rpi}.bf16.bf16", "bf16", "bf16")
	c.simple("cvt{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f16.f32", "f16", "f32")
	c.simple("cvt{.rn,.rz}{.relu,.satfinite,.relu.satfinite}.f16.f32", "f16", "f32")
	c.simple("cvt{.rn,.rz,.rm,.rp}{,.sat}.f16.f64", "f16", "f64")
	c.simple("cvt{,.ftz}{,.sat}.f32.f16", "f32", "f16")
	c.simple("cvt{,.sat}.f64.f16", "f64", "f16")
	c.simple("cvt{.rn,.rz}{,.relu,.satfinite,.relu.satfinite}.bf16.f32", "bf16", "f32")
	c.simple("cvt{.rm,.rp}.bf16.f32", "bf16", "f32")
	c.simple("cvt{.rn,.rz,.rm,.rp}.bf16.f64", "bf16", "f64")
	c.simple("cvt{.rn,.rz,.rm,.rp}.bf16.f16", "bf16", "f16")
	c.simple("cvt{,.ftz}.f32.bf16", "f32", "bf16")
	c.simple("cvt.f64.bf16", "f64", "bf16")
	c.simple("cvt{.rn,.rz,.rm,.rp}.f16.bf16", "f16", "bf16")
	for _, d := range []string{"f16x2", "bf16x2"} {
		c.simple("cvt{.rn,.rz}{,.relu,.satfinite,.relu.satfinite}."+d+".f32", d, "f32 f32")
	}
	c.simple("cvt{.rna,.rn,.rz,.rn.relu,.rz.relu,.rna.satfinite}.tf32.f32", "tf32", "f32")
	for _, d := range []string{"e4m3x2", "e5m2x2"} {
		c.simple("cvt.rn.satfinite{,.relu}."+d+".f32", d, "f32 f32")
		c.simple("cvt.rn.satfinite{,.relu}."+d+".f16x2", d, "f16x2")
		c.simple("cvt.rn{,.relu}.f16x2."+d, "f16x2", d)
	}
	c.simple("cvt.pack.sat.{u16,s16}.s32", "u32", "s32 s32")
	for _, t := range []string{"u8", "s8", "u4", "s4", "u2", "s2"} {
		c.simple(fmt.Sprintf("cvt.pack.sat.%s.s32.b32", t), "u32", "s32 s32 b32")
	}
}
