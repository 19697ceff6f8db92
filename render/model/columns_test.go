package model

import (
	"regexp"
	"strings"
	"testing"
)

func columnsScene() *Scene {
	s, c := &Scene{}, Columns{Caption: "blocks", Names: [2]string{"one", "other"}, PerBlock: 4, Size: 16, Cell: 14}
	c.Sides[0] = []Column{{Fetched: 4}, {Fetched: 3}}
	c.Sides[1] = []Column{{Fetched: 2, Lossy: true}, {Fetched: 3}}
	c.Draw(s, 10, 20, 100, 2)
	return s
}

// TestColumnsShowEveryBurst counts cells by form; the legend has one of each.
func TestColumnsShowEveryBurst(t *testing.T) {
	got := map[Kind]int{}
	for _, p := range columnsScene().Shapes {
		got[p.Kind]++
	}
	if got[Fill] != 1+4+3+3 || got[Hatch] != 1+2 || got[Dashed] != 1+1+2+1 {
		t.Errorf("%d fetched, %d lossy and %d saved, want 11, 3 and 5 with the legend", got[Fill], got[Hatch], got[Dashed])
	}
}

// TestColumnsStayInTheirRoom: a block of many small bursts is at most as high as one of four bursts.
func TestColumnsStayInTheirRoom(t *testing.T) {
	height := func(perBlock int) float64 {
		c := Columns{PerBlock: perBlock, Size: 15, Cell: 11, Sides: [2][]Column{{{Fetched: 1}}, {{Fetched: 1}}}}
		return c.Draw(&Scene{}, 0, 0, 400, 40)
	}
	if four, eight := height(4), height(8); eight > four {
		t.Errorf("blocks of 8 bursts end at %g, blocks of 4 at %g", eight, four)
	}
}

// TestCompactSVGHasTheSameBoxes: every rectangle of the SVG is a box in a path with the
// same look.
func TestCompactSVGHasTheSameBoxes(t *testing.T) {
	s := columnsScene()
	long, short := s.SVG("x", sampleInk), s.CompactSVG("x", sampleInk)
	if len(short) >= len(long) {
		t.Errorf("%d bytes, in full %d", len(short), len(long))
	}
	_, long, _ = strings.Cut(long, "</defs>")
	paths := map[string]string{}
	for _, m := range regexp.MustCompile(`<path d="([^"]*)" ([^>]*)/>`).FindAllStringSubmatch(short, -1) {
		paths[m[2]] += m[1]
	}
	boxes := regexp.MustCompile(`<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" ([^>]*)/>`).FindAllStringSubmatch(long, -1)
	for _, m := range boxes {
		if box := "M" + m[1] + " " + m[2] + "h" + m[3] + "v" + m[4] + "h-" + m[3] + "z"; !strings.Contains(paths[m[5]], box) {
			t.Errorf("no path with %s has the box %s", m[5], box)
		}
	}
	all := 0
	for _, d := range paths {
		all += strings.Count(d, "z")
	}
	if all != len(boxes) {
		t.Errorf("%d boxes in the paths, %d rectangles", all, len(boxes))
	}
	if strings.Count(short, "<text") != strings.Count(long, "<text") {
		t.Error("a text is missing")
	}
}
