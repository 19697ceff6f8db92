package e2e

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// ofStreams is a program whose launches of two streams overlap, as a person writes it for burstscope exec.
const ofStreams = `workload:
  ptx:
    source: |
      .version 7.0
      .target sm_70
      .address_size 64
      .visible .entry grow(.param .u64 x, .param .u32 by) {
        .reg .b32 %r<9>; .reg .b64 %a<3>; .reg .pred %p;
        ld.param.u64 %a0, [x]; ld.param.u32 %r3, [by]; mov.u32 %r4, 0;
        mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 64, %r0; mul.wide.u32 %a2, %r0, 4;
        add.u64 %a0, %a0, %a2;
        L: ld.volatile.global.u32 %r2, [%a0]; add.u32 %r2, %r2, %r3; st.volatile.global.u32 [%a0], %r2;
        add.u32 %r4, %r4, 1; setp.lt.u32 %p, %r4, 40; @%p bra L;
        ret; }
    buffers: ["out:x:1024", "out:y:1024"]
    block: [64]
    grid: [4]
    launches:
      - {entry: grow, stream: s, args: ["ptr:x", "u32:1"]}
      - {entry: grow, stream: t, args: ["ptr:y", "u32:2"]}
      - {entry: grow, stream: s, args: ["ptr:x", "u32:4"]}
      - {entry: grow, stream: t, args: ["ptr:y", "u32:8"]}
machine: {preset: v100}
memory: {codec: bdi}
`

// TestLaunchesOfStreams: a scenario in YAML that is dropped on the editor runs; its table of launches has those of both
// streams, which overlap, and a press on one selects its own span of time. On a phone and in the dark it fits, too.
func TestLaunchesOfStreams(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&kernel=edit&picture=plain")
	p.wait(`S.kernel.ready`)
	eval[any](p, fmt.Sprintf(`(e => {
		const carried = new DataTransfer();
		carried.items.add(new File([atob(%q)], "streams.yaml"));
		e.files = carried.files;
		e.dispatchEvent(new Event("change"));
	})(document.querySelector('#kernel input[type="file"]'))`, base64.StdEncoding.EncodeToString([]byte(ofStreams))))
	p.wait(`document.getElementById("kernel-host").value.includes("stream: t")`)
	p.wait(`S.kernel.ready`)
	if s := p.runKernel(); s.Phase != "done" {
		t.Fatalf("%s: %v", s.Phase, s.Messages)
	}
	eval[any](p, `document.getElementById("tab-launches").click()`)
	p.wait(`document.querySelectorAll("table.launches tbody button[data-launch]").length >= 4`)

	type span struct{ Begin, Cycles float64 }
	selected := func(launch int) span {
		eval[any](p, fmt.Sprintf(`document.querySelector('table.launches button[data-launch="%d"]').click()`, launch))
		p.settle()
		end := eval[float64](p, `Number(document.querySelector("#scrub").max)`)
		band := eval[[]float64](p, `["x", "width"].map(a =>
			Number(document.querySelector("#spark .spark-span").getAttribute(a)))`)
		return span{band[0] * end / 1000, band[1] * end / 1000}
	}
	first, second, third := selected(0), selected(1), selected(2)
	if second.Begin >= first.Begin+first.Cycles || third.Begin <= first.Begin || third.Cycles == 0 {
		t.Errorf("launches of two streams do not overlap: %v, %v, %v", first, second, third)
	}
	for _, scheme := range []string{"light", "dark"} {
		features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
		p.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}))
		for _, width := range []int64{1280, 390} {
			p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
				Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500}))
			p.settle()
			p.screenshot(fmt.Sprintf("launches-streams-%s-%d.png", scheme, width))
			if wide := eval[float64](p, `document.documentElement.scrollWidth`); wide > float64(width) {
				t.Errorf("%s: the page is %v px wide of %d", scheme, wide, width)
			}
		}
	}
}
