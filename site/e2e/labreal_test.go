package e2e

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/burstscope/burstscope/assets/data"
)

// TestLabRealData: the table of real arrays has the committed figures, sorts by any column, and opens the arrays that
// come with the page.
func TestLabRealData(t *testing.T) {
	t.Parallel()
	text, err := data.Lists.ReadFile("ratios.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, look := range []struct {
		name          string
		width, height int64
		theme         string
	}{{"real.png", 1440, 2600, "light"}, {"real-dark.png", 1440, 2600, "dark"}, {"real-phone.png", 390, 2600, "light"},
		{"real-phone-dark.png", 390, 2600, "dark"}} {
		t.Run(look.name, func(t *testing.T) {
			p := openLab(t, "speech-state-bf16&lab.codec=zipnn&theme="+look.theme)
			p.do(command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
				Width: look.width, Height: look.height, DeviceScaleFactor: 1, Mobile: look.width < 500}))
			p.wait(surveyEnded)
			p.look()
			p.wait(`document.querySelectorAll("#lab-real-table tbody tr").length > 0`)
			eval[any](p, `(() => { const d = document.getElementById("lab-real"); d.open = true;
				document.querySelector('[data-by="zipnn"]').click(); d.scrollIntoView(); })()`)
			p.settle()
			wide := eval[[]string](p, `[...document.querySelectorAll("#lab *")].filter(e => !e.closest(".scroller > *") &&
				e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + "#" + e.id + "." + e.className)`)
			if len(wide) > 0 {
				t.Errorf("%d px wide: %v are wider", look.width, wide)
			}
			shown := eval[[][]string](p, `[...document.querySelectorAll("#lab-real-table tbody tr")].map(r =>
				[r.dataset.array, r.querySelector('[data-column="zipnn"]').textContent])`)
			if len(shown) != len(rows)-1 {
				t.Fatalf("%d rows, want %d", len(shown), len(rows)-1)
			}
			for i := 1; i < len(shown); i++ {
				if shown[i][1] > shown[i-1][1] {
					t.Errorf("%s has %s below %s", shown[i][0], shown[i][1], shown[i-1][1])
				}
			}
			p.settle()
			p.screenshot(look.name)
		})
	}
	p := openLab(t, "none")
	licences := eval[string](p, `(async () => {
		const link = document.querySelector("#lab-real a");
		return (await fetch(link.href)).text();
	})()`)
	for _, want := range []string{"Silero Team", "Apache License", "CMU Sphinx"} {
		if !strings.Contains(licences, want) {
			t.Errorf("the page's licences lack %q", want)
		}
	}
	p.wait(`document.querySelectorAll("#lab-real-table tbody tr").length > 0`)
	eval[any](p, `document.querySelector('[data-array="face-expand"] button').click()`)
	p.wait(surveyEnded)
	p.wait(`S.lab.blocks === 576 && location.hash.includes("lab=face-expand")`)
	poll(p, `document.getElementById("lab-example").textContent.includes("@mediapipe/face_detection")`)
}

// TestAFileComesBeforeTheExample: a file that is dropped while the lab's example is on its way stays, whenever the
// example arrives.
func TestAFileComesBeforeTheExample(t *testing.T) {
	t.Parallel()
	const example = "speech-state-bf16"
	s := serve(t)
	let := s.hold(t, "data/"+example+".json")
	defer let()
	p := open(t, s.URL+"/#v=1&lab="+example)
	p.wait(`S.lab.open && document.querySelectorAll("#lab-real-table tbody tr").length > 0`)
	poll(p, `burstscopeControl.page.run.engineReady`)
	p.settle()
	p.dropInLab("field.npy", npyOf(labData(50)))
	p.wait(surveyEnded + ` && S.lab.blocks === 50`)
	let()
	poll(p, `performance.getEntriesByType("resource").some(e => e.name.includes("`+example+`"))`)
	p.settle()
	p.wait(surveyEnded)
	if n := eval[int](p, "burstscope.state.lab.blocks"); n != 50 {
		t.Errorf("the example took the file's place: %d blocks", n)
	}
}
