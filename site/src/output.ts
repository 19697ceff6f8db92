// The program's output: exact, as it came out under the scheme, and the
// difference, pixel for pixel under one zoom.

import { byId, fitCanvas, h, ink, soon, text } from "./dom";
import { percent, significant } from "./format";
import type { Output } from "./protocol";
import { memoryLabel, memoryOf } from "./scenario";
import type { Page } from "./state";

const KINDS = ["exact", "got", "diff"] as const;
type Kind = (typeof KINDS)[number];
const MOST_ZOOM = 32;

export class OutputPanel {
  private canvases = new Map<Kind, HTMLCanvasElement>();
  private captions = new Map<Kind, HTMLElement>();
  private bitmaps = new Map<Kind, OffscreenCanvas>();
  private shown: Output | undefined;
  private zoom = 1; // 1 = the whole image
  private centre = { x: 0.5, y: 0.5 };
  private readout = h("p", { class: "readout" });
  private words = h("p", { class: "words" });
  private which = h("select", { "aria-label": "Output shown" });
  private out = h("button", { type: "button", "aria-label": "Zoom out" }, "−");
  private in = h("button", { type: "button", "aria-label": "Zoom in" }, "+");
  readonly draw = soon(() => this.paint());

  constructor(private page: Page) {
    const figures = h("div", { class: "figures" });
    for (const kind of KINDS) {
      const canvas = h("canvas", { role: "img", tabindex: 0 });
      const caption = h("figcaption", {});
      this.canvases.set(kind, canvas);
      this.captions.set(kind, caption);
      figures.append(h("figure", {}, canvas, caption));
      this.wire(canvas);
    }
    this.out.addEventListener("click", () => this.zoomBy(0.5));
    this.in.addEventListener("click", () => this.zoomBy(2));
    this.which.addEventListener("change", this.draw);
    byId("panel-output").append(
      h("div", { class: "tools" }, this.words, this.which, this.out, this.in),
      figures,
      this.readout,
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
    const o = list.find((x) => x.name === this.which.value) ?? list[0];
    panel.classList.toggle("none", !o);
    text(this.words, o ? this.summary(o) : this.noImage());
    this.in.disabled = !o || this.zoom >= MOST_ZOOM;
    this.out.disabled = !o || this.zoom <= 1;
    if (!o) {
      this.shown = undefined;
      return;
    }
    if (o !== this.shown) this.load(o);
    for (const kind of KINDS) this.paintOne(kind, o);
    const label = memoryLabel(memoryOf(this.page.data.scenario, side));
    text(this.captions.get("exact")!, "exact");
    text(this.captions.get("got")!, `${side}: ${label}`);
    const scale = o.diffScale && o.diffScale !== 1 ? `, × ${significant(o.diffScale)}` : "";
    text(this.captions.get("diff")!, `difference${scale}`);
  }

  private summary(o: Output): string {
    const r = this.page.results[this.page.settings.side];
    const name = `${o.name}, ${o.width} × ${o.height}`;
    if (this.page.resultsOf !== "run" || r?.error === undefined) return name;
    if (r.error === 0) return `${name}: every pixel is exact.`;
    return `${name}: ${r.errorMetric ?? "error"} ${percent(r.error)}.`;
  }

  private noImage(): string {
    const r = this.page.results[this.page.settings.side];
    if (this.page.test.phase === "running") return "The output comes when the side has finished.";
    if (r?.error === undefined) return "No output yet: run the scenario.";
    const error = r.error === 0 ? "it is exact" : `its error is ${percent(r.error)} (${r.errorMetric ?? "error"})`;
    return `This program's output is no image; ${error}.`;
  }

  private fillWhich(list: Output[]): void {
    this.which.hidden = list.length < 2;
    const signature = list.map((o) => o.name).join("\r");
    if (this.which.dataset["filled"] === signature) return;
    this.which.dataset["filled"] = signature;
    this.which.replaceChildren(...list.map((o) => h("option", { value: o.name }, o.name)));
  }

  private load(o: Output): void {
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
      this.bitmaps.set(kind, bitmap);
    }
  }

  // window is the part of the image on show, in pixels of the image.
  private window(o: Output): { x: number; y: number; w: number; h: number } {
    const w = o.width / this.zoom;
    const hgt = o.height / this.zoom;
    const x = Math.max(0, Math.min(o.width - w, this.centre.x * o.width - w / 2));
    const y = Math.max(0, Math.min(o.height - hgt, this.centre.y * o.height - hgt / 2));
    return { x, y, w, h: hgt };
  }

  private paintOne(kind: Kind, o: Output): void {
    const canvas = this.canvases.get(kind)!;
    canvas.style.aspectRatio = `${o.width} / ${o.height}`;
    const { g, width, height } = fitCanvas(canvas);
    const v = this.window(o);
    g.imageSmoothingEnabled = v.w > width * devicePixelRatio;
    g.drawImage(this.bitmaps.get(kind)!, v.x, v.y, v.w, v.h, 0, 0, width, height);
    g.strokeStyle = ink("rule");
    g.strokeRect(0.5, 0.5, width - 1, height - 1);
    canvas.setAttribute("aria-label", `${kind === "got" ? "approximated" : kind === "diff" ? "difference" : "exact"} image, zoom ${this.zoom}`);
  }

  private zoomBy(factor: number): void {
    this.zoom = Math.max(1, Math.min(MOST_ZOOM, this.zoom * factor));
    this.draw();
  }

  private panBy(dx: number, dy: number): void {
    const half = 0.5 / this.zoom;
    const keep = (x: number): number => Math.max(half, Math.min(1 - half, x));
    this.centre = { x: keep(this.centre.x + dx / this.zoom), y: keep(this.centre.y + dy / this.zoom) };
    this.draw();
  }

  private wire(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (e) => canvas.setPointerCapture(e.pointerId));
    canvas.addEventListener("pointermove", (e) => {
      const r = canvas.getBoundingClientRect();
      if (canvas.hasPointerCapture(e.pointerId) && e.buttons) this.panBy(-e.movementX / r.width, -e.movementY / r.height);
      this.tell((e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height);
    });
    canvas.addEventListener("dblclick", () => this.zoomBy(2));
    canvas.addEventListener("keydown", (e) => {
      const pan = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
      if (pan) this.panBy(pan[0]!, pan[1]!);
      else if (e.key === "+" || e.key === "=") this.zoomBy(2);
      else if (e.key === "-") this.zoomBy(0.5);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  private tell(fx: number, fy: number): void {
    const o = this.shown;
    if (!o || fx < 0 || fy < 0 || fx >= 1 || fy >= 1) return;
    const v = this.window(o);
    const x = Math.floor(v.x + fx * v.w);
    const y = Math.floor(v.y + fy * v.h);
    const i = y * o.width + x;
    text(this.readout, `pixel ${x}, ${y}: exact ${o.exact[i]}, here ${o.got[i]}`);
  }
}
