// The program's output: exact, as it came out under the scheme, and the
// difference; above the whole images, below the same spot of each magnified,
// at first where the difference is largest.

import { button, byId, fitCanvas, h, ink, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { count, measure, percent, significant } from "../lib/format";
import type { Output } from "../protocol/protocol";
import { memoryLabel, memoryOf } from "../protocol/scenario";
import { owns } from "../state/owned";
import type { Page } from "../state/page";
import { ErrorStrip } from "./errorstrip";

const KINDS = ["exact", "got", "diff"] as const;
type Kind = (typeof KINDS)[number];
const SPANS = [128, 64, 32, 16, 8] as const; // pixels across the magnified spot
const FIRST_SPAN = 2;

interface Views {
  whole: HTMLCanvasElement;
  spot: HTMLCanvasElement;
  caption: HTMLElement;
  bitmap: OffscreenCanvas | undefined;
}

const dropped = (calls: number): string => (calls > 0 ? `\n(${count(calls)} more calls of printf had no room)` : "");

export class OutputPanel {
  private views = new Map<Kind, Views>();
  private shown: Output | undefined;
  private zoom = FIRST_SPAN; // index into SPANS
  private focus = { x: 0, y: 0 };
  private readout = h("p", { class: "readout" });
  private words = h("p", { class: "words" });
  private which = h("select", { "aria-label": "Output shown" });
  private out = button("−", () => this.magnify(-1), { "aria-label": "Magnify less" });
  private in = button("+", () => this.magnify(1), { "aria-label": "Magnify more" });
  private strip: ErrorStrip;
  private text = h("pre", { tabindex: 0 });
  private printed = h("details", { class: "printed", open: true }, h("summary", {}, "what it printed"), this.text);
  readonly draw = soon(() => this.paint());

  constructor(private page: Page) {
    const wholes = h("div", { class: "figures" });
    const spots = h("div", { class: "figures" });
    for (const kind of KINDS) {
      const whole = h("canvas", { role: "img", tabindex: 0 });
      const spot = h("canvas", { role: "img" });
      const caption = h("figcaption", {});
      this.views.set(kind, { whole, spot, caption, bitmap: undefined });
      wholes.append(h("figure", {}, whole, caption));
      spots.append(h("figure", {}, spot));
      this.wire(whole);
    }
    this.strip = new ErrorStrip(page);
    this.which.addEventListener("change", this.draw);
    byId("panel-output").append(
      h("div", { class: "tools" }, this.words, this.which, this.out, this.in),
      wholes,
      spots,
      this.readout,
      this.strip.box,
      this.printed,
    );
    page.on(["output", "tab", "theme", "run", "results"], this.draw);
    new ResizeObserver(this.draw).observe(byId("panel-output"));
  }

  private paint(): void {
    const panel = byId("panel-output");
    if (panel.hidden) return;
    const side = this.page.settings.side;
    const list = this.page.data.outputs[side];
    this.fillWhich(list);
    const printed = this.page.results.of === "run" ? this.page.results[side]?.printed : undefined;
    owns(this.page, this.printed);
    this.printed.hidden = !printed;
    text(this.text, printed ? printed.text + dropped(printed.droppedCalls ?? 0) : "");
    const o = list.find((x) => x.name === this.which.value) ?? list[0];
    panel.classList.toggle("none", !o);
    this.strip.draw(o?.name);
    text(this.words, o ? this.summary(o) : this.noImage());
    this.in.disabled = this.zoom === SPANS.length - 1;
    this.out.disabled = this.zoom === 0;
    if (!o) {
      this.shown = undefined;
      return;
    }
    if (o !== this.shown) this.load(o);
    const scale = o.diffScale && o.diffScale !== 1 ? `, × ${significant(o.diffScale)}` : "";
    const captions = { exact: "exact", got: `${side}: ${memoryLabel(memoryOf(this.page.data.scenario, side))}`, diff: `difference${scale}` };
    for (const kind of KINDS) {
      const v = this.views.get(kind)!;
      text(v.caption, captions[kind]);
      v.whole.setAttribute("aria-label", `${captions[kind]}, whole image. Arrow keys move the magnified spot.`);
      v.spot.setAttribute("aria-label", `${captions[kind]}, magnified`);
      this.paintWhole(v, o);
      this.paintSpot(v, o);
    }
    const i = this.focus.y * o.width + this.focus.x;
    panel.dataset["pixel"] = String(i); // for results/provenance.ts
    text(this.readout, `Pixel ${this.focus.x}, ${this.focus.y}: exact ${o.exact[i]}, here ${o.got[i]}. Point at an image to magnify a spot.`);
  }

  private summary(o: Output): string {
    const r = this.page.results[this.page.settings.side];
    const name = `${o.name}, ${o.width} × ${o.height}`;
    if (this.page.results.of !== "run" || r?.error === undefined) return name;
    if (r.error === 0) return `${name}: every pixel is exact. ${this.whyExact()}`;
    return `${name}: ${measure(r.errorMetric) || "error"} ${percent(r.error)}.`;
  }

  private noImage(): string {
    const r = this.page.results[this.page.settings.side];
    if (this.page.run.phase === "running") return "The output appears when the side has finished.";
    if (this.page.results.of !== "run" || r?.error === undefined) return "No output yet: run the scenario.";
    const error = r.error === 0 ? "it is exact" : `its error is ${percent(r.error)} (${measure(r.errorMetric) || "error"})`;
    return `This program's output is not an image; ${error}. ${r.error === 0 ? this.whyExact() : ""}`.trim();
  }

  // whyExact says why there is no error to see.
  private whyExact(): string {
    const { side } = this.page.settings;
    const approximates = memoryOf(this.page.data.scenario, side).approximation !== "none" || this.page.valueOf(side, "loads.drop") !== undefined;
    return approximates ? `Side ${side} approximates, but no changed value reached the output.` : `Side ${side} approximates nothing.`;
  }

  private fillWhich(list: Output[]): void {
    this.which.hidden = list.length < 2;
    const signature = list.map((o) => o.name).join("\r");
    if (this.which.dataset["filled"] === signature) return;
    this.which.dataset["filled"] = signature;
    this.which.replaceChildren(...list.map((o) => h("option", { value: o.name }, o.name)));
  }

  private load(o: Output): void {
    const another = this.shown?.width !== o.width || this.shown.height !== o.height;
    this.shown = o;
    for (const kind of KINDS) {
      const grey = o[kind];
      const image = new ImageData(o.width, o.height);
      for (let i = 0; i < grey.length; i++) {
        image.data[4 * i] = image.data[4 * i + 1] = image.data[4 * i + 2] = grey[i]!;
        image.data[4 * i + 3] = 255;
      }
      const bitmap = new OffscreenCanvas(o.width, o.height);
      bitmap.getContext("2d")!.putImageData(image, 0, 0);
      this.views.get(kind)!.bitmap = bitmap;
    }
    if (another) this.focus = { x: o.width >> 1, y: o.height >> 1 };
    const most = o.diff.reduce((m, v) => Math.max(m, v), 0);
    const at = o.diff.indexOf(most);
    if (most > 0) this.focus = { x: at % o.width, y: Math.floor(at / o.width) };
  }

  // spot is the magnified part of the image, in its pixels.
  private spot(o: Output): { x: number; y: number; size: number } {
    const size = Math.min(SPANS[this.zoom]!, o.width, o.height);
    const place = (at: number, most: number): number => Math.max(0, Math.min(most - size, Math.round(at - size / 2)));
    return { x: place(this.focus.x, o.width), y: place(this.focus.y, o.height), size };
  }

  private paintWhole(v: Views, o: Output): void {
    v.whole.style.aspectRatio = `${o.width} / ${o.height}`;
    const { g, width, height } = fitCanvas(v.whole);
    g.imageSmoothingEnabled = o.width > v.whole.width;
    g.imageSmoothingQuality = "high";
    g.drawImage(v.bitmap!, 0, 0, width, height);
    const s = this.spot(o);
    const scale = width / o.width;
    for (const [colour, line] of [["paper", 3], ["approx", 1.5]] as const) {
      g.strokeStyle = ink(colour);
      g.lineWidth = line;
      g.strokeRect(s.x * scale, s.y * scale, s.size * scale, s.size * scale);
    }
  }

  private paintSpot(v: Views, o: Output): void {
    const { g, width, height } = fitCanvas(v.spot);
    const s = this.spot(o);
    g.imageSmoothingEnabled = false;
    g.drawImage(v.bitmap!, s.x, s.y, s.size, s.size, 0, 0, width, height);
  }

  private magnify(step: number): void {
    this.zoom = Math.max(0, Math.min(SPANS.length - 1, this.zoom + step));
    this.draw();
  }

  private look(x: number, y: number): void {
    const o = this.shown;
    if (!o) return;
    this.focus = { x: Math.max(0, Math.min(o.width - 1, Math.floor(x))), y: Math.max(0, Math.min(o.height - 1, Math.floor(y))) };
    this.draw();
  }

  private wire(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointermove", (e) => {
      const r = canvas.getBoundingClientRect();
      if (this.shown) this.look(((e.clientX - r.left) / r.width) * this.shown.width, ((e.clientY - r.top) / r.height) * this.shown.height);
    });
    canvas.addEventListener("keydown", (e) => {
      const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
      const step = e.shiftKey ? 1 : 8;
      if (move) this.look(this.focus.x + move[0]! * step, this.focus.y + move[1]! * step);
      else if (e.key === "+" || e.key === "=") this.magnify(1);
      else if (e.key === "-") this.magnify(-1);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }
}
