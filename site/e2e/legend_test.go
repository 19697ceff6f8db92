package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// legendScript paints the legends of the pictures, mark by mark, and compares their words, colours and
// shapes with those of the page's own legends. INK stands for the colour.
const legendScript = `
import * as marks from "./drawing/marks";
import { Scene, burstMarks, cutMark, droppedMark, type mark } from "./drawing/described";
import { TOKENS } from "./drawing/inks";

const looks: Record<string, RegExp> = {
  fill: /^<rect [^>]*fill="INK"\/>/,
  dashed: /^<rect [^>]*stroke-dasharray="[^"]*" stroke="INK"/,
  hatch: /-hatch-\d+"[^]*rotate\(45\)"><rect [^>]*fill="INK"[^]*stroke="INK"/,
  dots: /-dots-\d+"[^]*<circle [^>]*fill="INK"[^]*stroke="INK"/,
  split: /^(<rect [^>]*fill="INK"\/>){2}/,
  slash: /^<rect [^>]*stroke="rule"[^>]*\/><line [^>]*stroke="INK"/,
  cross: /^(<line [^>]*stroke="INK"[^>]*\/>){2}/,
};
const page = Object.values(marks).filter((m): m is marks.Mark => typeof m === "object");
const pictured: [mark, string][] = [...burstMarks.map((m, i): [mark, string] => [m, ["fetched", "saved", "approximated", "metadata", "write"][i]!]), [cutMark, "cut"], [droppedMark, "dropped"]];
for (const [m, name] of pictured) {
  const twin = page.find((p) => p.name === name)!;
  const scene = new Scene();
  scene.W = 100; // as on a phone, where words are short
  scene.marks([m], 0, 0, 100, true);
  const markup: string = scene.SVG("m", (c: number) => TOKENS[c] ?? "none");
  same(name + "'s words", markup.replace(/<[^>]*>/g, ""), twin.words);
  same(name + "'s look", new RegExp(looks[twin.shape]!.source.replaceAll("INK", twin.ink)).test(markup), true);
}
same("every mark has a name of its own", new Set(page.map((m) => m.name)).size, page.length);
`

// TestLegendsShareTheirMarks: a mark of a legend in the page is that of the pictures; every shape has its
// rule, and no part of the page draws a swatch of its own for what has a mark.
func TestLegendsShareTheirMarks(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, legendScript)

	const src = "../src"
	rules := ""
	for _, name := range []string{"../style.css", "../l1.css"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rules += string(b)
	}
	for _, shape := range []string{"fill", "dashed", "hatch", "dots", "split", "slash", "stripes", "cross", "ring"} {
		if !strings.Contains(rules, ".k."+shape+" {") {
			t.Errorf("no rule draws the shape %s", shape)
		}
	}
	// What these show has no mark elsewhere: modes of an L1 by height, lines of a chart, numbered parts of
	// a bar, steps of a scale.
	own := []string{"k", "k order", "k whole", "k mode${m}${kind}", "k ${kind}", "k ${shade(p, i)}", "k ${side}"}
	swatch := regexp.MustCompile("class: [\"`](k( [^\"`]*)?)[\"`]")
	err := filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "drawing/marks.ts") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range swatch.FindAllStringSubmatch(string(b), -1) {
			if !slices.Contains(own, m[1]) {
				t.Errorf("%s draws %q beside the marks of drawing/marks.ts", path, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
