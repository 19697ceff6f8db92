package forms

func (c *catalog) warps() {
	c.text("shfl.sync.<<up,down,bfly,idx>>.b32 %y0|%y1, %x0, %x1, <<0,31,0x1f00,0x181f,0x1000,0x1c1f>>, -1;", "b32 pred", "b32 lane")
	c.text("shfl.sync.<<up,down,bfly,idx>>.b32 %y0|%y1, %x0, %x1, %x2, -1;", "b32 pred", "b32 lane amount")
	c.text("vote.sync.<<all,any,uni>>.pred %y0, <<,!>>%x0, -1;", "pred", "pred")
	c.text("vote.sync.ballot.b32 %y0, <<,!>>%x0, -1;", "b32", "pred")
	c.text("mov.u32 %y0, 7; setp.ne.b32 %y1, 0, 0; mov.u32 %t, %laneid; setp.lt.u32 %p, %t, 9; @%p vote.sync.<<all,any,uni>>.pred %y1, %x0, 0x1ff;", "b32 pred", "pred")
	for _, t := range []string{"b32 few", "b64 few64"} {
		w := words(t)
		c.text("match.any.sync."+w[0]+" %y0, %x0, -1;", "b32", w[1])
		c.text("match.all.sync."+w[0]+" %y0|%y1, %x0, -1;", "b32 pred", w[1])
		c.text("and."+w[0]+" %y2, %x0, 1; shr."+w[0]+" %y2, %y2, 1; match.all.sync."+w[0]+" %y0|%y1, %y2, -1;", "b32 pred "+w[0], w[1])
	}
	c.text("redux.sync.<<add,min,max>>.<<u32,s32>> %y0, %x0, -1;", "b32", "u32")
	c.text("redux.sync.<<and,or,xor>>.b32 %y0, %x0, -1;", "b32", "b32")
	c.text("mov.u32 %y0, 0; mov.u32 %t, %laneid; setp.gt.u32 %p, %t, 12; @%p redux.sync.<<add,min,max>>.s32 %y0, %x0, 0xffffe000;", "b32", "s32")
	c.text("mov.u32 %t, %laneid; mov.u32 %y0, 0; setp.gt.u32 %p, %t, 4; @%p activemask.b32 %y0;", "b32", "u32")
	c.text("mov.u32 %t, %laneid; mov.u32 %y0, 0; setp.ne.u32 %y1, 0, 0; setp.gt.u32 %p, %t, 4; @%p elect.sync %y0|%y1, 0xffffffe0;", "b32 pred", "u32")
	c.text("bar.warp.sync -1; movmatrix.sync.aligned.m8n8.trans.b16 %y0, %x0;", "b32", "b32")
	c.text("mov.u32 %y0, %<<laneid,lanemask_eq,lanemask_lt,lanemask_le,lanemask_gt,lanemask_ge,tid.x,tid.y,ntid.x,ctaid.x,nctaid.x>>;", "b32", "u32")
	c.text("mov.u32 %y0, WARP_SZ;", "b32", "u32")
	c.text("barrier.cta.red.<<and,or>>.pred %y0, 0, <<,!>>%x0; bar.sync 0;", "pred", "pred")
	c.text("barrier.cta.red.popc.u32 %y0, 0, <<,!>>%x0; bar.sync 0;", "u32", "pred")
}

// memory has accesses of all widths, atomic operations on a word of the thread's own and
// on words that a CTA shares.
func (c *catalog) memory() {
	for _, space := range []string{"global %mem", "shared %shared"} {
		w := words(space)
		s, at := "."+w[0], "["+w[1]+"]"
		for _, t := range []string{"u8", "s8", "b8", "u16", "s16", "b16"} {
			c.text("st"+s+".b64 "+at+", %x0; ld"+s+"."+t+" %y0, "+at+"; ld"+s+"."+t+" %y1, "+at+"; ld"+s+"."+t+" %y2, "+at+";", "b16 b32 b64", "b64")
			c.text("st"+s+"."+t+" "+at+", %x0; st"+s+"."+t+" ["+w[1]+"+8], %x1; ld"+s+".v2.b64 {%y0, %y1}, "+at+";", "b64 b64", "b32 b64")
		}
		for _, t := range []string{"u32", "s32", "b32", "f32"} {
			c.text("st"+s+".b64 "+at+", %x0; ld"+s+"."+t+" %y0, "+at+"; ld"+s+"."+t+" %y1, "+at+";", "b32 b64", "b64")
		}
		c.text("st"+s+".v2.b8 "+at+", {%x0, %x1}; ld"+s+".v2.u8 {%y0, %y1}, "+at+"; ld"+s+".b16 %y2, "+at+";", "b16 b16 b16", "b16 b16")
		c.text("st"+s+".v4.b8 "+at+", {%x0, %x1, %x0, %x1}; ld"+s+".b32 %y0, "+at+";", "b32", "b16 b16")
		c.text("st"+s+".v4.b16 "+at+", {%x0, %x1, %x0, %x1}; ld"+s+".b64 %y0, "+at+"; ld"+s+".v2.s16 {%y1, %y2}, "+at+";", "b64 b32 b32", "b16 b16")
		c.text("st"+s+".v4.b32 "+at+", {%x0, %x1, %x0, %x1}; ld"+s+".v2.b64 {%y0, %y1}, "+at+";", "b64 b64", "b32 b32")
		c.text("cvta"+s+".u64 %w, "+w[1]+"; st.b64 [%w], %x0; ld"+s+".b64 %y0, "+at+"; cvta.to"+s+".u64 %z, %w; sub.u64 %y1, %z, "+w[1]+";", "b64 b64", "b64")
		c.text("cvta"+s+".u64 %w, "+w[1]+"; isspacep.<<global,shared,local,const>> %y0, %w;", "pred", "u32")
		for _, kind := range []string{"atom", "red"} {
			c.atomics(kind, s, w[1])
		}
	}
	c.text(".local .align 8 .b8 room[16]; st.local.b64 [room], %x0; ld.local.b32 %y0, [room+4]; mov.u64 %w, room; cvta.local.u64 %w, %w; ld.u8 %y1, [%w+1]; isspacep.local %y2, %w;", "b32 b32 pred", "b64")
	c.text("st.global.b32 [%mem], %x0; bar.sync 0; cp.async.ca.shared.global [%shared], [%mem], 4; cp.async.commit_group; cp.async.wait_group 0; ld.shared.b64 %y0, [%shared];", "b64", "b32")
	c.text("st.global.b64 [%mem], %x0; bar.sync 0; cp.async.ca.shared.global [%shared], [%mem], 8; cp.async.wait_all; ld.shared.b64 %y0, [%shared];", "b64", "b64")
	c.text("st.global.v2.b64 [%mem], {%x0, %x0}; st.shared.v2.b64 [%shared], {%x0, %x0}; and.b32 %t, %x1, <<16,12,4,3,0>>; bar.sync 0; cp.async.cg.shared.global [%shared], [%mem], 16, %t; cp.async.wait_all; ld.shared.v2.b64 {%y0, %y1}, [%shared];", "b64 b64", "b64 b32")
	c.text("mbarrier.init.shared.b64 [%shared], 2; mbarrier.arrive.shared.b64 %w, [%shared]; mbarrier.test_wait.shared.b64 %y0, [%shared], %w; mbarrier.arrive.shared.b64 %z, [%shared]; mbarrier.test_wait.shared.b64 %y1, [%shared], %w; mbarrier.pending_count.b64 %y2, %w; mbarrier.pending_count.b64 %y3, %z; mbarrier.test_wait.parity.shared.b64 %y4, [%shared], 0; mbarrier.test_wait.parity.shared.b64 %y5, [%shared], 1; mbarrier.inval.shared.b64 [%shared];",
		"pred pred b32 b32 pred pred", "u32")
	c.text("mbarrier.init.shared.b64 [%shared], 3; mbarrier.arrive_drop.shared.b64 %w, [%shared]; mbarrier.arrive.shared.b64 %z, [%shared], 2; mbarrier.test_wait.shared.b64 %y0, [%shared], %w; mbarrier.arrive.shared.b64 %z, [%shared], 2; mbarrier.test_wait.shared.b64 %y1, [%shared], %z; mbarrier.pending_count.b64 %y2, %z;",
		"pred pred b32", "u32")
	c.text("st.shared.v4.b32 [%shared], {%x0, %x1, %x2, %x3}; bar.sync 0; mov.u32 %t, %laneid; mul.wide.u32 %w, %t, 16; mov.u32 %u, %tid.x; shr.u32 %u, %u, 5; mul.wide.u32 %z, %u, 2048; add.u64 %w, %w, %z; add.u64 %w, %all, %w; ldmatrix.sync.aligned.m8n8.x4<<,.trans>>.shared.b16 {%y0, %y1, %y2, %y3}, [%w];",
		"b32 b32 b32 b32", "b32 b32 b32 b32")
	c.text("mov.u32 %t, %laneid; mul.wide.u32 %w, %t, 16; mov.u32 %u, %tid.x; shr.u32 %u, %u, 5; mul.wide.u32 %z, %u, 2048; add.u64 %w, %w, %z; add.u64 %w, %all, %w; bar.sync 0; stmatrix.sync.aligned.m8n8.x4<<,.trans>>.shared.b16 [%w], {%x0, %x1, %x2, %x3}; bar.sync 0; ld.shared.v4.b32 {%y0, %y1, %y2, %y3}, [%shared];",
		"b32 b32 b32 b32", "b32 b32 b32 b32")
}

func (c *catalog) atomics(kind, space, at string) {
	// The old value goes to y0, the new one to y1.
	add := func(op, t, operands string) {
		width := register(t)
		in, more := t+" "+t, "%x1"
		if operands == "2" {
			in, more = in+" "+t, "%x1, %x2"
		}
		if kind == "red" {
			c.text("st"+space+"."+width+" ["+at+"], %x0; red"+space+"."+op+" ["+at+"], "+more+"; ld"+space+"."+width+" %y0, ["+at+"];", t, in)
			return
		}
		c.text("st"+space+"."+width+" ["+at+"], %x0; atom"+space+"."+op+" %y0, ["+at+"], "+more+"; ld"+space+"."+width+" %y1, ["+at+"];", t+" "+t, in)
	}
	times("u32 s32 u64", func(t string) { add("<<add,min,max>>."+t, t, "") })
	add("<<min,max>>.s64", "s64", "")
	times("b32 b64", func(t string) { add("<<and,or,xor>>."+t, t, "") })
	add("<<inc,dec>>.u32", "u32", "")
	times("f32 f64", func(t string) { add("add."+t, t, "") })
	times("f16 f16x2 bf16 bf16x2", func(t string) { add("add.noftz."+t, t, "") })
	if kind == "atom" {
		times("b32 b64", func(t string) { add("exch."+t, t, "") })
		times("b16 b32 b64", func(t string) { add("cas."+t, t, "2") })
		few := "few"
		c.text("st"+space+".b32 ["+at+"], %x0; atom"+space+".cas.b32 %y0, ["+at+"], %x1, %x2; ld"+space+".b32 %y1, ["+at+"];", "b32 b32", few+" "+few+" b32")
	}
	if kind == "red" && space == ".shared" { // all threads of the CTA on one word
		c.text("red.shared.<<add,min,max>>.<<u32,s32>> [%all+8], %x0; bar.sync 0; ld.shared.b32 %y0, [%all+8];", "b32", "u32")
		c.text("red.shared.<<inc,dec>>.u32 [%all+8], 37; bar.sync 0; ld.shared.b32 %y0, [%all+8];", "b32", "u32")
	}
}
