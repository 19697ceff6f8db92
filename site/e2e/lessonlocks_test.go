package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/assets/lessons"
	"github.com/burstscope/burstscope/core/scenario"
)

// settable are the controls of settings that can be seen and used, by the path in the scenario.
const settable = `[...document.querySelectorAll("#knob-form [id^=knob-]:is(select, input)")].filter(e => e.checkVisibility() && !e.disabled).map(e => e.id)`

// A step of a lesson locks every setting that it does not free, whatever settings there are: also those of L1, load misses
// and backing, which the page learns from the engine.
func TestLessonsLockAllButTheFree(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := serve(t)
	for _, name := range []string{"burst", "error"} {
		s, err := scenario.ParseMsgpack(lessons.Packed(name))
		if err != nil {
			t.Fatal(err)
		}
		p := open(t, fmt.Sprintf("%s/#v=1&lesson=%s&step=1", server.URL, name))
		for i, step := range s.Lesson.Steps {
			eval[any](p, fmt.Sprintf(`location.hash = "#v=1&lesson=%s&step=%d"`, name, i+1))
			p.wait(fmt.Sprintf(`S.lesson?.step === %d && document.getElementById("knob-B-l1-store") !== null`, i+1))
			p.settle()
			for _, id := range eval[[]string](p, settable) {
				path := strings.ReplaceAll(strings.TrimPrefix(id, "knob-"), "-", ".")
				side, setting, _ := strings.Cut(path, ".")
				if !slices.ContainsFunc(step.Free, func(free string) bool {
					own := strings.TrimPrefix(free, "compare.")
					last := own[strings.LastIndex(own, ".")+1:]
					return (strings.HasPrefix(free, "compare.") == (side == "A") || side != "A" && side != "B") && (setting == last || setting == own || strings.HasPrefix(setting, own+".") || side == last)
				}) {
					t.Errorf("%s, step %d: %s can be set; free are %v", name, i+1, id, step.Free)
				}
			}
		}
	}
	// A link can lock everything, too.
	p := open(t, server.URL+small+"&lock=*")
	p.finish()
	p.wait(`document.getElementById("knob-B-l1-store") !== null && document.getElementById("knob-B-l1-store").disabled`)
	if list := eval[[]string](p, settable); len(list) > 0 {
		t.Errorf("lock=* leaves %v", list)
	}
	p.screenshot("lock-all.png")
}
