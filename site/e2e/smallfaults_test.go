package e2e

import (
	"strings"
	"testing"
)

// TestWordsStayWhole: the name of a scheme does not break at its hyphen.
func TestWordsStayWhole(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=dct&picture=plain")
	poll(p, `document.querySelectorAll("#headline .unbroken").length === 2`)
	// A word in one line has one box; a broken one has two.
	const boxes = `[...document.querySelectorAll("#headline .unbroken")].map(e => e.getClientRects().length).join()`
	for _, width := range []string{"120px", "230px", "333px"} {
		got := eval[string](p, `(document.getElementById("headline").style.width = "`+width+`", `+boxes+`)`)
		if got != "1,1" {
			t.Errorf("%s wide: boxes of E2MC-16 and TSLC-OPT: %s", width, got)
		}
	}
}

// TestHelpLinksTheGuides: a reader of the page finds the documents.
func TestHelpLinksTheGuides(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&s=tp&picture=plain")
	p.wait(`S.engineReady`)
	poll(p, `(document.getElementById("help").click(), document.querySelector("#dialog a[href='guides/']") !== null)`)
	if status := eval[int](p, `fetch("guides/").then(r => r.status)`); status != 200 {
		t.Errorf("the guides answer %d", status)
	}
}

// TestElementLoads: the element takes the values of embed.load, and says what is wrong with any other.
func TestElementLoads(t *testing.T) {
	t.Parallel()
	site := serveCounted(t, false)
	host := hostOf(t, site.URL, "", map[string]string{"/": hostPage(`<script src="SITE/burst-scope.js" defer></script>` +
		`<burst-scope id="now" scenario="vecadd" load="now"></burst-scope>` +
		`<burst-scope id="soon" scenario="vecadd" load="soon"></burst-scope>`)})
	p := openWatched(t, host.URL)
	poll(p, `document.getElementById("now").shadowRoot?.querySelector("iframe") !== null`)
	const soon = `document.getElementById("soon").shadowRoot`
	words := eval[string](p, soon+`.querySelector("p").textContent`)
	if !strings.Contains(words, `load="soon" is not known: use click, visible, now`) {
		t.Errorf("an unknown value says %q", words)
	}
	const now = `document.getElementById("now").shadowRoot`
	if eval[bool](p, soon+`.querySelector("iframe") !== null || `+now+`.querySelector(".box > p") !== null`) {
		t.Error("the unknown value loads, or the known one complains")
	}
}

const guideScript = `
import { columnsOf } from "./page/guide";

// 1280 pixels leave the picture 625; the columns are those of newFrame in render/model/frame.go.
same("at 625", columnsOf(625).map((c) => c.map(Math.round)), [[10, 130], [230, 380], [412, 615]]);
same("narrow", columnsOf(366).map((c) => c.map(Math.round)), [[6, 59], [78, 149], [154, 360]]);
`

// TestGuideRingsColumns: the rings of the guide enclose what they explain at any width.
func TestGuideRingsColumns(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, guideScript)
}
