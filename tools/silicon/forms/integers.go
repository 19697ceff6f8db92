package forms

import "strings"

func (c *catalog) integers() {
	times("u16 s16 u32 s32 u64 s64", func(t string) {
		c.simple("{add,sub,mul.lo,mul.hi,div,rem,min,max}."+t, t, t+" "+t)
		c.simple("{mad.lo,mad.hi,sad}."+t, t, t+" "+t+" "+t)
		c.simple("shr."+t, t, t+" amount")
		if t[0] == 's' {
			c.simple("{abs,neg}."+t, t, t)
		}
	})
	for _, t := range []string{"u16 u32", "s16 s32", "u32 u64", "s32 s64"} {
		w := words(t)
		c.simple("mul.wide."+w[0], w[1], w[0]+" "+w[0])
		c.simple("mad.wide."+w[0], w[1], w[0]+" "+w[0]+" "+w[1])
	}
	c.simple("{add,sub}.sat.s32", "s32", "s32 s32")
	c.simple("{mad.hi.sat.s32,mad24.hi.sat.s32}", "s32", "s32 s32 s32")
	c.simple("mul24.{lo,hi}.{u32,s32}", "u32", "u32 u32")
	c.simple("mad24.{lo,hi}.{u32,s32}", "u32", "u32 u32 u32")
	times("b16 b32 b64", func(t string) {
		c.simple("{and,or,xor}."+t, t, t+" "+t)
		c.simple("{not,cnot}."+t, t, t)
		c.simple("{shl,shr}."+t, t, t+" amount")
	})
	c.simple("{and,or,xor}.pred", "pred", "pred pred")
	c.simple("not.pred", "pred", "pred")
	times("u16x2 s16x2", func(t string) {
		c.simple("{add,min,max}."+t, t, t+" "+t)
	})
	c.simple("{min,max}.relu.s16x2", "s16x2", "s16x2 s16x2")
	c.simple("{min,max}.relu.s32", "s32", "s32 s32")
}

func (c *catalog) bitFields() {
	times("b32 b64", func(t string) {
		c.simple("{popc,clz}."+t, "u32", t)
		c.simple("brev."+t, t, t)
		c.simple("bfi."+t, t, t+" "+t+" amount amount")
	})
	times("u32 s32 u64 s64", func(t string) {
		c.simple("bfind{,.shiftamt}."+t, "u32", t)
		c.simple("bfe."+t, t, t+" amount amount")
	})
	c.simple("bmsk.{clamp,wrap}.b32", "b32", "amount amount")
	c.simple("szext.{clamp,wrap}.u32", "u32", "u32 amount")
	c.simple("szext.{clamp,wrap}.s32", "s32", "s32 amount")
	c.text("and.b32 %t, %x1, 31; fns.b32 %y0, %x0, %t, %x2;", "b32", "b32 lane lane")
	c.text("and.b32 %t, %x1, 31; neg.s32 %u, %x2; fns.b32 %y0, %x0, %t, %u;", "b32", "b32 lane lane")
	c.simple("shf.{l,r}.{clamp,wrap}.b32", "b32", "b32 b32 amount")
	c.simple("prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}", "b32", "b32 b32 b32")
	c.text("lop3.b32 %y0, %x0, %x1, %x2, <<0,1,0x1e,0x6a,0x80,0x96,0xca,0xe8,0xfe,255>>;", "b32", "b32 b32 b32")
	c.text("lop3.<<or,and>>.b32 %y0|%y1, %x0, %x1, %x2, <<0x80,0x6a>>, %x3;", "b32 pred", "b32 b32 b32 pred")
	c.simple("dp4a.{u32,s32}.{u32,s32}", "u32", "b32 b32 u32")
	c.simple("dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "u32", "b32 b32 u32")
	times("b16 b32 b64 u16 u32 u64 s16 s32 s64", func(t string) {
		c.simple("selp."+t, t, t+" "+t+" pred")
		c.simple("slct."+t+".s32", t, t+" "+t+" s32")
		c.simple("slct{,.ftz}."+t+".f32", t, t+" "+t+" f32")
	})
	times("f32 f64", func(t string) {
		c.simple("selp."+t, t, t+" "+t+" pred")
		c.simple("slct."+t+".s32", t, t+" "+t+" s32")
		c.simple("slct{,.ftz}."+t+".f32", t, t+" "+t+" f32")
	})
	c.text("mov.b32 {%y0, %y1}, %x0;", "b16 b16", "b32")
	c.text("mov.b64 {%y0, %y1}, %x0;", "b32 b32", "b64")
	c.text("mov.b64 {%y0, %y1, %y2, %y3}, %x0;", "b16 b16 b16 b16", "b64")
	c.text("mov.b64 %y0, {%x0, %x1};", "b64", "b32 b32")
	c.text("mov.b32 %y0, {%x0, %x1};", "b32", "b16 b16")
}

// carries are chains of two instructions: what the first leaves in CC shows in the second.
func (c *catalog) carries() {
	times("u32 s32 u64 s64", func(t string) {
		set := "<<add,sub>>.cc.T %y0, %x0, %x1;"
		use := " <<addc,subc>>.T %y1, %x2, %x3;"
		replace := func(s string) string { return strings.ReplaceAll(s, "T", t) }
		few := "few"
		if strings.HasSuffix(t, "64") {
			few = "few64"
		}
		two, four := t+" "+t, t+" "+t+" "+t+" "+few
		c.text(replace(set+use), two, four)
		c.text(replace(set+" <<addc,subc>>.cc.T %y1, %x2, %x3; <<addc,subc>>.T %y2, %x4, %x5;"), two+" "+t, four+" "+t+" "+few)
		c.text(replace("mad.<<lo,hi>>.cc.T %y0, %x0, %x1, %x2; <<addc,subc>>.T %y1, %x3, %x4;"), two, t+" "+t+" "+t+" "+t+" "+few)
		c.text(replace("<<add,sub>>.cc.T %y0, %x0, %x1; madc.<<lo,hi>>.T %y1, %x2, %x3, %x4;"), two, two+" "+two+" "+t)
		c.text(replace("<<add,sub>>.cc.T %y0, %x0, %x1; madc.<<lo,hi>>.cc.T %y1, %x2, %x3, %x4; addc.T %y2, %x5, 0;"), two+" "+t, two+" "+two+" "+t+" "+t)
	})
}
