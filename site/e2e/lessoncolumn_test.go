package e2e

import (
	"fmt"
	"testing"
)

// TestLessonIsOneColumn: at 1280 x 720, the size of a projector, the left of each step of the first lesson is one
// column that scrolls as a whole: the text, the task, the free settings, Run.
func TestLessonIsOneColumn(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&lesson=burst&step=1")
	p.size(1280, 720)
	p.wait(`S.lesson?.step === 1`)
	for step := range eval[int](p, `document.querySelectorAll("#lesson-steps option").length`) {
		eval[any](p, fmt.Sprintf(`(e => { e.value = "%d"; e.dispatchEvent(new Event("change")); })(
			document.getElementById("lesson-steps"))`, step+1))
		p.wait(fmt.Sprintf(`S.lesson?.step === %d`, step+1))
		p.settle()
		p.screenshot(fmt.Sprintf("lesson-burst-%d.png", step+1))
		faults := eval[[]string](p, `(column => {
			const seen = [...column.querySelectorAll("*")].filter(e => e.checkVisibility());
			const inner = seen.filter(e => e.scrollHeight > e.clientHeight + 1 && e.localName !== "select" &&
				["auto", "scroll"].includes(getComputedStyle(e).overflowY));
			const top = e => e.getBoundingClientRect().top;
			const task = "#lesson .question, #lesson .asked-prompt, #lesson .reveal";
			const order = ["#lesson .prose", task, "#knobs", "#run"]
				.map(s => column.querySelector(s)).filter(e => e?.checkVisibility());
			const wrong = order.slice(1).filter((e, i) => top(e) < top(order[i]));
			const last = order.at(-1);
			last.scrollIntoView();
			const box = last.getBoundingClientRect();
			return [...inner.map(e => (e.id || e.className) + " scrolls by itself"),
				...wrong.map(e => e.id + " stands too high"),
				...(top(last) < 0 || box.top > innerHeight ? [last.id + " cannot be reached"] : []),
				...(last.id === "run" && box.bottom > column.getBoundingClientRect().bottom ? ["Run is cut"] : []),
				...(column.scrollWidth > column.clientWidth ? ["the column is cut at the side"] : [])];
		})(document.getElementById("lesson-column"))`)
		if len(faults) > 0 {
			t.Errorf("step %d: %q", step+1, faults)
		}
	}
	// Outside of the lesson the settings stand where they did.
	eval[any](p, `document.getElementById("lesson-leave").click()`)
	p.wait(`S.lesson === undefined || S.lesson === null`)
	if !eval[bool](p, `document.querySelector("main > #knobs")?.checkVisibility()`) {
		t.Error("the settings did not come back to their place")
	}
}
