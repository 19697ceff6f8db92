package e2e

import (
	"strings"
	"testing"
)

// printing is a kernel whose threads print their number.
const printing = `.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[9] = {108, 97, 110, 101, 32, 37, 117, 10, 0};
.visible .entry say(.param .u64 to)
{
    .local .align 8 .b8 room[8];
    .reg .b32 %r<3>;
    .reg .b64 %d<6>;
    ld.param.u64 %d1, [to];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    st.global.u32 [%d3], %r1;
    st.local.u32 [room], %r1;
    mov.u64 %d4, room;
    cvta.local.u64 %d4, %d4;
    mov.u64 %d5, format;
    cvta.global.u64 %d5, %d5;
    {
        .param .b64 f;
        .param .b64 a;
        .param .b32 r;
        st.param.b64 [f], %d5;
        st.param.b64 [a], %d4;
        call.uni (r), vprintf, (f, a);
        ld.param.b32 %r2, [r];
    }
    ret;
}
`

// TestOutputHasWhatAKernelPrints: the tab Output shows the text of the run, and none of it once another program stands
// in the settings.
func TestOutputHasWhatAKernelPrints(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&kernel=edit&picture=plain")
	p.wait(`S.kernel.ready`)
	p.write(printing)
	p.argument("argument 0, contents", "zeros")
	p.argument("argument 0, elements", "32")
	eval[any](p, `(document.getElementById("kernel-grid").value = "1",
		document.getElementById("kernel-block").value = "3",
		document.getElementById("kernel-grid").dispatchEvent(new Event("input")))`)
	if s := p.runKernel(); s.Phase != "done" {
		t.Fatalf("%s: %v", s.Phase, s.Messages)
	}
	eval[any](p, press("tab-output")+`0`)
	p.wait(`S.tab === "output"`)
	p.settle()
	const box = `document.querySelector("#panel-output .printed")`
	got := eval[string](p, box+`.querySelector("pre").textContent`)
	if strings.TrimSpace(got) != "lane 0\nlane 1\nlane 2" {
		t.Errorf("the page shows %q", got)
	}
	p.screenshot("printed.png")
	eval[any](p, `(s => { s.value = "dct"; s.dispatchEvent(new Event("change", { bubbles: true })); })(
		document.getElementById("scenario"))`)
	p.settle()
	if eval[bool](p, box+`.checkVisibility() && `+box+`.textContent.includes("lane")`) {
		t.Error("the text of the kernel stands below another program")
	}
}
