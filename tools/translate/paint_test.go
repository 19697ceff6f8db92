package translate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// recorder stands for a canvas: it notes the box of all that is drawn, and with what.
const recorder = `
class Tile {
  constructor(w, h) { this.inks = new Set(); }
  getContext() {
    const inks = this.inks;
    return { scale() {}, fillRect() { inks.add(this.fillStyle); }, beginPath() {}, moveTo() {}, lineTo() {}, stroke() { inks.add(this.strokeStyle); }, arc() {}, fill() { inks.add(this.fillStyle); } };
  }
}
globalThis.OffscreenCanvas = Tile;
globalThis.DOMMatrix = class { scale() { return this; } };
class Recorder {
  marks = []; path = []; fillStyle = ""; strokeStyle = ""; globalAlpha = 1; lineWidth = 1; font = "";
  save() {} restore() {} setLineDash() {}
  note(x1, y1, x2, y2, style, words) { this.marks.push({ box: [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)], style, alpha: this.globalAlpha, words }); }
  fillRect(x, y, w, h) { this.note(x, y, x + w, y + h, this.fillStyle); }
  strokeRect(x, y, w, h) { const s = this.lineWidth / 2; this.note(x - s, y - s, x + w + s, y + h + s, this.strokeStyle); }
  beginPath() { this.path = []; }
  moveTo(x, y) { this.path.push([x, y]); }
  lineTo(x, y) { this.path.push([x, y]); }
  roundRect(x, y, w, h) { this.path.push([x, y], [x + w, y + h]); }
  end(style, s) { const xs = this.path.map((p) => p[0]), ys = this.path.map((p) => p[1]); this.note(Math.min(...xs) - s, Math.min(...ys) - s, Math.max(...xs) + s, Math.max(...ys) + s, style); }
  fill() { this.end(this.fillStyle, 0); }
  stroke() { this.end(this.strokeStyle, this.lineWidth / 2); }
  fillText(words, x, y) { this.note(x, y, x, y, this.fillStyle, this.font + words + this.textAlign); }
  createPattern(tile) { return { pattern: [...tile.inks].join(), setTransform() {} }; }
  drawImage() {}
}
`

// check paints each sample shape by shape, and says which shape the canvas shows
// elsewhere, in another colour, or not at all.
const check = `
let painted = 0;
const faults = [];
for (const name of samples()) {
  const scene = sampleScene(name);
  for (const shape of scene.Shapes) {
    if (shape.Kind === Raster) continue; // cells in the page are drawn one by one
    const pen = new Recorder();
    const one = new Scene(scene.W, scene.H, [shape]);
    paintOn(pen, one, sampleInk);
    const ink = sampleInk(shape.Colour, shape.Level);
    const say = (what) => faults.push(name + ": " + what + ": " + JSON.stringify(shape) + " as " + JSON.stringify(pen.marks));
    painted++;
    if (shape.Kind === Words) {
      const m = pen.marks[0];
      if (!m || m.style !== ink || !m.words.includes(shape.Size + "px") || !m.words.includes(shape.Text)) say("the text");
      continue;
    }
    if (pen.marks.length === 0) { if (shape.W > 2 && shape.H > 2) say("nothing"); continue; }
    if (pen.marks.some((m) => (m.style.pattern ?? m.style) !== ink || m.alpha !== shape.Alpha)) say("the colour");
    const s = shape.Kind === Line ? shape.Stroke / 2 : 0;
    const want = shape.Kind === Line
      ? [Math.min(shape.X, shape.W) - s, Math.min(shape.Y, shape.H) - s, Math.max(shape.X, shape.W) + s, Math.max(shape.Y, shape.H) + s]
      : [shape.X, shape.Y, shape.X + shape.W, shape.Y + shape.H];
    const got = [0, 1, 2, 3].map((i) => (i < 2 ? Math.min : Math.max)(...pen.marks.map((m) => m.box[i])));
    if (want.some((v, i) => Math.abs(v - got[i]) > (i % 2 === 1 ? 1 : 0.001))) say("the place");
  }
}
process.stdout.write(painted + " shapes painted\n" + faults.slice(0, 3).join("\n"));
`

// TestCanvasPaintsWhatIsDescribed holds the page's painter of canvases to the samples:
// every shape is at its place (on whole pixels across), in its colour and opacity.
func TestCanvasPaintsWhatIsDescribed(t *testing.T) {
	if err := Write(root); err != nil { // the painter imports it
		t.Fatal(err)
	}
	module, err := translate(filepath.Join(root, packageFolder), append(slices.Clone(described), "samples_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	drawing, err := filepath.Abs(filepath.Join(root, filepath.Dir(outputFile)))
	if err != nil {
		t.Fatal(err)
	}
	made := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: `import { paintOn } from "./canvas";` + string(module) + recorder + check, ResolveDir: drawing, Loader: api.LoaderTS},
		Bundle: true, Target: api.ES2022, Format: api.FormatESModule,
	})
	if len(made.Errors) > 0 {
		t.Fatalf("esbuild: %v", made.Errors)
	}
	program, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is missing. Install it: apt install nodejs, brew install node, or https://nodejs.org/")
	}
	file := filepath.Join(t.TempDir(), "paint.mjs")
	if err := os.WriteFile(file, made.OutputFiles[0].Contents, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var painted int
	if _, err := fmt.Sscanf(string(out), "%d shapes painted", &painted); err != nil || painted < 500 {
		t.Fatalf("%s", out)
	}
	if want := fmt.Sprintf("%d shapes painted\n", painted); string(out) != want {
		t.Errorf("%s", out)
	}
}
