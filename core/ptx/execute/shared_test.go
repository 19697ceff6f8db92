package execute

import (
	"testing"
)

// TestSharedLayout: static variables of the kernel, of the module if used, and
// of functions it calls; dynamic ones after them.
func TestSharedLayout(t *testing.T) {
	src := divergeHead + `.shared .align 4 .b8 used[100]; .shared .b8 unused[1000]; .extern .shared .align 16 .b8 dynamic[];
	.func f() { .shared .align 8 .b8 inner[8]; ret; }
	.visible .entry test(.param .u64 out) { .reg .b32 %r<8>; .reg .b64 %rd<4>; .shared .b8 own[3];
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
	mov.u32 %r2, dynamic; mov.u32 %r3, used; call f; mov.u32 %r4, own; mad.lo.u32 %r0, %r2, 1000, %r3; mad.lo.u32 %r0, %r0, 1000, %r4;
	st.global.u32 [%rd1], %r0; ret; }`
	k := compileText(t, src, "test")
	// own at 0, used at 4, inner at 104, dynamic at 112.
	if k.StaticSharedBytes != 112 {
		t.Errorf("%d bytes", k.StaticSharedBytes)
	}
	got, err := runWords(t, src, 32)
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != 112*1000000+4*1000 {
		t.Errorf("places %d", got[0])
	}
}
