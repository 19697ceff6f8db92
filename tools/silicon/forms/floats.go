package forms

func (c *catalog) floats() {
	const rounding = "{,.rn,.rz,.rm,.rp}"
	const rounded = "{.rn,.rz,.rm,.rp}"
	c.simple("{add,sub,mul}"+rounding+"{,.ftz}{,.sat}.f32", "f32", "f32 f32")
	c.simple("{add,sub,mul}"+rounding+".f64", "f64", "f64 f64")
	c.simple("{fma,mad}"+rounded+"{,.ftz}{,.sat}.f32", "f32", "f32 f32 f32")
	c.simple("{fma,mad}"+rounded+".f64", "f64", "f64 f64 f64")
	c.simple("div"+rounded+"{,.ftz}.f32", "f32", "f32 f32")
	c.simple("div"+rounded+".f64", "f64", "f64 f64")
	c.simple("{rcp,sqrt}"+rounded+"{,.ftz}.f32", "f32", "f32")
	c.simple("{rcp,sqrt}"+rounded+".f64", "f64", "f64")
	c.simple("{neg,abs}{,.ftz}.f32", "f32", "f32")
	c.simple("{neg,abs}.f64", "f64", "f64")
	c.simple("{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f32", "f32", "f32 f32")
	c.simple("{min,max}.f64", "f64", "f64 f64")
	times("f32 f64", func(t string) {
		c.simple("copysign."+t, t, t+" "+t)
		c.simple("testp.{finite,infinite,number,notanumber,normal,subnormal}."+t, "pred", t)
	})
}

// approximations are the functions that the manual defines within a bound.
func (c *catalog) approximations() {
	c.simple("div.{approx,full}{,.ftz}.f32", "f32", "f32 f32")
	c.simple("{rcp,sqrt,rsqrt,sin,cos,lg2,ex2}.approx{,.ftz}.f32", "f32", "f32")
	c.simple("tanh.approx.f32", "f32", "f32")
	c.simple("{rcp.approx.ftz,rsqrt.approx,rsqrt.approx.ftz}.f64", "f64", "f64")
	c.simple("ex2.approx.f16", "f16", "f16")
	c.simple("tanh.approx.f16", "f16", "f16")
	c.simple("ex2.approx.ftz.bf16", "bf16", "bf16")
	c.simple("tanh.approx.bf16", "bf16", "bf16")
	c.simple("{ex2,tanh}.approx.f16x2", "f16x2", "f16x2")
	c.simple("{ex2.approx.ftz,tanh.approx}.bf16x2", "bf16x2", "bf16x2")
}

func (c *catalog) halves() {
	times("f16 f16x2", func(t string) {
		c.simple("{add,sub,mul}{,.rn}{,.ftz}{,.sat}."+t, t, t+" "+t)
		c.simple("fma.rn{,.ftz}{,.sat,.relu}."+t, t, t+" "+t+" "+t)
		c.simple("{neg,abs}{,.ftz}."+t, t, t)
		c.simple("{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}."+t, t, t+" "+t)
	})
	times("bf16 bf16x2", func(t string) {
		c.simple("{add,sub,mul}{,.rn}."+t, t, t+" "+t)
		c.simple("fma.rn{,.relu}."+t, t, t+" "+t+" "+t)
		c.simple("{neg,abs}."+t, t, t)
		c.simple("{min,max}{,.NaN}{,.xorsign.abs}."+t, t, t+" "+t)
	})
}

func (c *catalog) comparisons() {
	const ordered = "eq,ne,lt,le,gt,ge"
	const all = ordered + ",equ,neu,ltu,leu,gtu,geu,num,nan"
	each := func(t, list, ftz string) {
		c.simple("setp.{"+list+"}"+ftz+"."+t, "pred", t+" "+t)
		c.simple("set.{"+list+"}"+ftz+".{u32,s32,f32}."+t, "b32", t+" "+t)
		c.text("setp.<<lt,ne>>.<<and,or,xor>>."+t+" %y0|%y1, %x0, %x1, %x2;", "pred pred", t+" "+t+" pred")
		c.text("setp.<<lt,ne>>.<<and,or,xor>>."+t+" %y0|%y1, %x0, %x1, !%x2;", "pred pred", t+" "+t+" pred")
		c.text("set.<<eq,ge>>.<<and,or,xor>>.u32."+t+" %y0, %x0, %x1, %x2;", "b32", t+" "+t+" pred")
	}
	times("u16 u32 u64", func(t string) { each(t, ordered+",lo,ls,hi,hs", "") })
	times("s16 s32 s64", func(t string) { each(t, ordered, "") })
	times("b16 b32 b64", func(t string) {
		c.simple("setp.{eq,ne}."+t, "pred", t+" "+t)
		c.simple("set.{eq,ne}.{u32,s32,f32}."+t, "b32", t+" "+t)
	})
	each("f32", all, "{,.ftz}")
	each("f64", all, "")
	times("f16 bf16", func(t string) {
		ftz := "{,.ftz}"
		if t == "bf16" {
			ftz = ""
		}
		c.simple("setp.{"+all+"}"+ftz+"."+t, "pred", t+" "+t)
		c.simple("set.{"+all+"}"+ftz+".{u32,s32}."+t, "b32", t+" "+t)
		c.simple("set.{"+all+"}"+ftz+".{u16,s16,"+t+"}."+t, "b16", t+" "+t)
		pair := t + "x2"
		c.text("setp.<<"+all+">>"+map[bool]string{true: "<<,.ftz>>"}[ftz != ""]+"."+pair+" %y0|%y1, %x0, %x1;", "pred pred", pair+" "+pair)
		c.text("setp.<<lt,nan>>.<<and,or,xor>>."+pair+" %y0|%y1, %x0, %x1, %x2;", "pred pred", pair+" "+pair+" pred")
		c.simple("set.{"+all+"}"+ftz+"."+pair+"."+pair, "b32", pair+" "+pair)
		c.simple("set.{eq,ltu}"+ftz+".{u32,s32}."+pair, "b32", pair+" "+pair)
	})
}
