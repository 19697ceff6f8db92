package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"

	"github.com/burstscope/burstscope/core/scenario"
)

// keepDownloads lets a test read what the page saves, by name.
const keepDownloads = `(() => {
	window.saved = {};
	const click = HTMLAnchorElement.prototype.click;
	HTMLAnchorElement.prototype.click = function () {
		if (!this.download) return click.call(this);
		const name = this.download;
		fetch(this.href).then((r) => r.blob()).then((b) => {
			const reader = new FileReader();
			reader.onload = () => (window.saved[name] = reader.result.split(",")[1]);
			reader.readAsDataURL(b);
		});
	};
})()`

// save clicks a button of the dialog and returns the file that comes of it.
func (p *tab) save(button, name string) []byte {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`delete window.saved[%s]; document.getElementById(%s).click()`, quote(name), quote(button)))
	p.wait("window.saved[" + quote(name) + "]")
	data, err := base64.StdEncoding.DecodeString(eval[string](p, "window.saved["+quote(name)+"]"))
	if err != nil {
		p.t.Fatal(err)
	}
	return data
}

// TestExport: every file that leaves the simulator can be read by those it is for,
// and says which version, scenario and result it is of and how to come back.
func TestExport(t *testing.T) {
	t.Parallel()
	server := serve(t)
	p := open(t, server.URL+small+"&tab=mag&cycle=1300&picture=plain",
		command(cdpage.AddScriptToEvaluateOnNewDocument, cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: keepDownloads}))
	s := p.finish()
	p.wait(`document.querySelectorAll("#panel-mag rect").length > 8 && !document.getElementById("accounts").hidden`)
	eval[any](p, `document.getElementById("export").click()`)
	p.wait(`document.getElementById("export-csv")`)
	version := eval[string](p, "window.burstscope.version")
	marks := []string{"Burstscope " + version, s.ResultHashes["A"], s.ResultHashes["B"], server.URL + "/#v=1&s=dct&workload.size=128"}
	stamped := func(name string, data []byte) {
		t.Helper()
		for _, m := range marks {
			if !bytes.Contains(data, []byte(m)) {
				t.Errorf("%s does not say %s", name, m)
			}
		}
	}

	table := p.save("export-csv", "burstscope-dct.csv")
	stamped("CSV", table)
	reader := csv.NewReader(bytes.NewReader(table))
	reader.Comment = '#'
	rows, err := reader.ReadAll()
	if err != nil || len(rows) < 100 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	var cycles struct{ Cycles float64 }
	if err := json.Unmarshal(s.Results["B"], &cycles); err != nil {
		t.Fatal(err)
	}
	if got := rowOf(rows, "cycles"); got == nil || got[4] != fmt.Sprint(cycles.Cycles) {
		t.Errorf("cycles of B: %v, want %v", got, cycles.Cycles)
	}

	file := p.save("export-json", "burstscope-dct.json")
	var results struct {
		Program string
		Link    string
		A, B    struct{ ResultHash, ScenarioHash string }
	}
	if err := json.Unmarshal(file, &results); err != nil {
		t.Fatal(err)
	}
	if results.B.ResultHash != s.ResultHashes["B"] || results.A.ResultHash != s.ResultHashes["A"] || results.Program != marks[0] || !strings.HasPrefix(results.Link, marks[3]) {
		t.Errorf("JSON: %+v", results)
	}

	// Both forms of the scenario are the run that was shown.
	fromJSON, err := scenario.ParseJSON("saved", p.save("export-scenario-json", "burstscope-dct.scenario.json"))
	if err != nil {
		t.Fatal(err)
	}
	packed := p.save("export-scenario-msgpack", "burstscope-dct.msgpack")
	fromPacked, err := scenario.ParseMsgpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(packed, fromPacked.Canonical()) {
		t.Error("the page packs a scenario into other bytes than core/scenario")
	}
	for _, f := range []*scenario.Scenario{fromJSON, fromPacked} {
		if f.Hash() != results.B.ScenarioHash {
			t.Errorf("scenario %s, the run was of %s", f.Hash(), results.B.ScenarioHash)
		}
		stamped("the scenario's notes", []byte(f.Notes))
	}

	for _, figure := range []string{"chart", "bursts", "above-mag", "address-map", "breakdowns", "bandwidth"} {
		eval[any](p, fmt.Sprintf(`document.getElementById("export-figure").value = %q`, figure))
		picture := p.save("export-svg", "burstscope-dct-"+figure+".svg")
		stamped(figure, []byte(html.UnescapeString(string(picture))))
		if marks, err := drawing(picture); err != nil || marks < 5 {
			t.Errorf("%s: %d marks, %v", figure, marks, err)
		}
	}
	eval[any](p, `document.getElementById("export-figure").value = "chart"`)
	light := p.save("export-svg", "burstscope-dct-chart.svg")
	pixels := p.save("export-png", "burstscope-dct-chart.png")
	stamped("PNG", pixels)
	picture, err := png.Decode(bytes.NewReader(pixels))
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(`width="%d"`, picture.Bounds().Dx()/2); !bytes.Contains(light, []byte(want)) {
		t.Errorf("the PNG is %v, the SVG has no %s", picture.Bounds(), want)
	}
	eval[any](p, `document.getElementById("export-colours").value = "dark"`)
	if dark := p.save("export-svg", "burstscope-dct-chart.svg"); bytes.Equal(dark, light) || !bytes.Contains(dark, []byte("#101418")) {
		t.Error("the dark figure equals the light one")
	}
	if theme := eval[string](p, "document.documentElement.dataset.theme"); theme != "light" {
		t.Errorf("after drawing in dark the page is %s", theme)
	}

	eval[any](p, `document.getElementById("export-seconds").value = "1"`)
	p.wait(`!document.getElementById("export-webm").disabled`)
	film := p.save("export-webm", "burstscope-dct.webm")
	stamped("WebM", film)
	milliseconds, frames, err := readFilm(film)
	if err != nil || milliseconds != 1000 || len(frames) != 30 {
		t.Fatalf("%v ms, %d frames, %v", milliseconds, len(frames), err)
	}
	for i, at := range frames {
		if want := int(math.Round(float64(i) * 1000 / 30)); at != want {
			t.Errorf("frame %d at %d ms, want %d", i, at, want)
		}
	}
	// A player takes it.
	length := eval[float64](p, fmt.Sprintf(`new Promise((resolve, reject) => {
		const v = document.createElement("video");
		v.onloadeddata = () => resolve(v.videoWidth === 1280 ? v.duration : -1);
		v.onerror = () => reject(v.error.message);
		v.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(window.saved[%q]), c => c.charCodeAt(0))], {type: "video/webm"}));
	})`, "burstscope-dct.webm"))
	if length != 1 {
		t.Errorf("a player reads a length of %v s", length)
	}
}

func rowOf(rows [][]string, name string) []string {
	for _, r := range rows {
		if len(r) > 4 && r[1] == name {
			return r
		}
	}
	return nil
}

// drawing counts the marks of an SVG file that needs nothing outside itself: no style
// sheet, no class, no variable, no colour that SVG 1.1 does not know.
func drawing(data []byte) (marks int, err error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return marks, nil
		}
		if err != nil {
			return marks, err
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch e.Name.Local {
		case "rect", "path", "line", "circle", "text":
			marks++
		case "style", "script", "image", "foreignObject", "use":
			return marks, fmt.Errorf("it holds <%s>", e.Name.Local)
		}
		for _, a := range e.Attr {
			if a.Name.Local == "class" || a.Name.Local == "style" || a.Name.Local == "filter" || strings.Contains(a.Value, "var(") || strings.Contains(a.Value, "color(") || strings.Contains(a.Value, "rgba") || strings.Contains(a.Value, "NaN") {
				return marks, fmt.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
}

// readFilm reads the length and the times of the frames of a WebM file.
func readFilm(data []byte) (milliseconds float64, frames []int, err error) {
	var walk func(b []byte, cluster int) error
	walk = func(b []byte, cluster int) error {
		for len(b) > 0 {
			width := 1
			for b[0]&(0x80>>(width-1)) == 0 {
				width++
			}
			id := 0
			for _, x := range b[:width] {
				id = id<<8 | int(x)
			}
			if b[width] != 0x01 {
				return fmt.Errorf("element %x has a size of another form", id)
			}
			size := int(binary.BigEndian.Uint64(b[width:]) & (1<<56 - 1))
			body := b[width+8 : width+8+size]
			b = b[width+8+size:]
			switch id {
			case 0x18538067, 0x1549a966: // segment, info
				if err := walk(body, 0); err != nil {
					return err
				}
			case 0x1f43b675: // cluster; its timestamp comes first
				if err := walk(body, 0); err != nil {
					return err
				}
			case 0x4489:
				milliseconds = math.Float64frombits(binary.BigEndian.Uint64(body))
			case 0xe7:
				cluster = 0
				for _, x := range body {
					cluster = cluster<<8 | int(x)
				}
			case 0xa3:
				frames = append(frames, cluster+int(binary.BigEndian.Uint16(body[1:])))
			}
		}
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cut off: %v", r)
		}
	}()
	return milliseconds, frames, walk(data, 0)
}
