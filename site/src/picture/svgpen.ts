// A canvas context that writes SVG: the part of CanvasRenderingContext2D that the
// plain pictures of this page use, so that a figure is drawn by the code that draws
// the screen.

import { svg } from "../lib/dom";

const FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif";
// The one pattern of the pictures: what says "approximated" without colour.
const HATCH = "pen-hatch";

interface Look {
  fillStyle: string | CanvasPattern | CanvasGradient;
  strokeStyle: string | CanvasPattern | CanvasGradient;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textBaseline: string;
  textAlign: string;
  dash: number[];
  into: SVGElement;
}

export class SvgPen {
  fillStyle: Look["fillStyle"] = "#000";
  strokeStyle: Look["strokeStyle"] = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "12px sans-serif";
  textBaseline = "alphabetic";
  textAlign = "start";
  imageSmoothingEnabled = true;
  readonly root = svg("g");
  private dash: number[] = [];
  private path = "";
  private into = this.root;
  private saved: Look[] = [];
  private clips = 0;
  private defs = svg("defs");

  constructor(private name: string, approximated: string, paper: string) {
    this.root.append(this.defs);
    this.defs.append(
      svg(
        "pattern",
        { id: `${HATCH}-${name}`, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        svg("rect", { width: 5, height: 5, fill: approximated }),
        svg("rect", { width: 1.6, height: 5, fill: paper }),
      ),
    );
  }

  // context is the pen as the pictures know it.
  get context(): CanvasRenderingContext2D {
    return this as unknown as CanvasRenderingContext2D;
  }

  createPattern(): CanvasPattern {
    return {} as CanvasPattern; // any pattern is the hatch
  }

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textBaseline, textAlign, dash, into } = this;
    this.saved.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textBaseline, textAlign, dash, into });
  }

  restore(): void {
    const look = this.saved.pop();
    if (look) Object.assign(this, look);
  }

  beginPath(): void {
    this.path = "";
  }

  moveTo(x: number, y: number): void {
    this.path += `M${short(x)} ${short(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.path += `L${short(x)} ${short(y)}`;
  }

  rect(x: number, y: number, w: number, h: number): void {
    this.path += `M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}z`;
  }

  // arc draws whole circles only; the pictures have no others.
  arc(x: number, y: number, r: number): void {
    this.path += `M${short(x - r)} ${short(y)}a${r} ${r} 0 1 0 ${short(2 * r)} 0a${r} ${r} 0 1 0 ${short(-2 * r)} 0z`;
  }

  clip(): void {
    const id = `pen-clip-${this.name}-${++this.clips}`;
    this.defs.append(svg("clipPath", { id }, svg("path", { d: this.path })));
    const group = svg("g", { "clip-path": `url(#${id})` });
    this.into.append(group);
    this.into = group;
  }

  setLineDash(dash: number[]): void {
    this.dash = dash;
  }

  fill(): void {
    this.put("path", { d: this.path, fill: this.paint(this.fillStyle) });
  }

  stroke(): void {
    this.put("path", { d: this.path, fill: "none", ...this.line() });
  }

  fillRect(x: number, y: number, w: number, h: number): void {
    this.put("rect", { ...box(x, y, w, h), fill: this.paint(this.fillStyle) });
  }

  strokeRect(x: number, y: number, w: number, h: number): void {
    this.put("rect", { ...box(x, y, w, h), fill: "none", ...this.line() });
  }

  fillText(words: string, x: number, y: number): void {
    const [, weight, size] = /^(\d{3} |bold )?([\d.]+)px/.exec(this.font) ?? [];
    const px = Number(size ?? 12);
    const down = { top: 0.8 * px, middle: 0.35 * px }[this.textBaseline] ?? 0;
    const anchor = { center: "middle", end: "end", right: "end" }[this.textAlign];
    this.put("text", {
      x: short(x),
      y: short(y + down),
      fill: this.paint(this.fillStyle),
      "font-family": FONT,
      "font-size": px,
      "font-weight": weight?.trim(),
      "text-anchor": anchor,
    }).textContent = words;
  }

  private line(): Record<string, unknown> {
    return {
      stroke: this.paint(this.strokeStyle),
      "stroke-width": this.lineWidth,
      "stroke-dasharray": this.dash.length > 0 ? this.dash.join(" ") : undefined,
    };
  }

  private paint(style: Look["fillStyle"]): string {
    return typeof style === "string" ? style : `url(#${HATCH}-${this.name})`;
  }

  private put(tag: string, attrs: Record<string, unknown>): SVGElement {
    const e = svg(tag, { ...attrs, opacity: this.globalAlpha === 1 ? undefined : this.globalAlpha });
    this.into.append(e);
    return e;
  }
}

function box(x: number, y: number, w: number, h: number): Record<string, number> {
  // SVG has no negative sizes; the canvas draws them to the left and upwards.
  return { x: short(Math.min(x, x + w)), y: short(Math.min(y, y + h)), width: short(Math.abs(w)), height: short(Math.abs(h)) };
}

function short(v: number): number {
  return Math.round(v * 100) / 100;
}
