// Paints a described picture on a canvas.

import { Centre, Dashed, Dots, Fill, Hatch, Line, Outline, Right, Split, Words, type Scene, type Shape } from "./described";
import type { Inks } from "./inks";
import { fontOf } from "./text";

// Pen is a context of a canvas, in the document or not.
export type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const SLIT = 1.8; // what divides a Split, as in render/model/svg.go

export function paintOn(g: Pen, scene: Scene, inks: Inks): void {
  const patterns = new Map<string, CanvasPattern | string>();
  g.save();
  g.textBaseline = "alphabetic";
  for (const s of scene.Shapes) {
    const ink = inks(s.Colour, s.Level);
    g.globalAlpha = s.Alpha;
    g.fillStyle = g.strokeStyle = ink;
    g.lineWidth = s.Stroke;
    if (s.Kind === Words) write(g, s);
    else if (s.Kind === Line) stroke(g, s);
    else if (s.Kind === Hatch || s.Kind === Dots) {
      const key = `${s.Kind} ${ink}`;
      if (!patterns.has(key)) patterns.set(key, patternOf(g, s.Kind, ink));
      g.fillStyle = patterns.get(key)!;
      form(g, s);
    } else form(g, s);
  }
  g.restore();
}

function write(g: Pen, s: Shape): void {
  g.font = fontOf(s.Size, s.Bold);
  g.textAlign = s.Align === Centre ? "center" : s.Align === Right ? "right" : "left";
  g.fillText(s.Text, s.X, s.Y);
}

function stroke(g: Pen, s: Shape): void {
  g.beginPath();
  g.moveTo(s.X, s.Y);
  g.lineTo(s.W, s.H); // a line's other end
  g.stroke();
}

// form draws an upright rectangle: on whole pixels across, since lines must be sharp;
// along time where it is, since it moves.
function form(g: Pen, s: Shape): void {
  const [x, w] = [s.X, s.W];
  const y = Math.round(s.Y);
  const h = Math.max(1, Math.round(s.Y + s.H) - y);
  if (s.Radius > 0) {
    const inside = s.Kind === Outline ? s.Stroke / 2 : 0;
    g.beginPath();
    g.roundRect(x + inside, y + inside, w - 2 * inside, h - 2 * inside, Math.min(s.Radius, w / 2, h / 2));
    if (s.Kind === Outline) g.stroke();
    else g.fill();
    return;
  }
  if (s.Kind === Split && h > SLIT) {
    const half = (h - SLIT) / 2;
    g.fillRect(x, y, w, half);
    g.fillRect(x, y + half + SLIT, w, half);
  } else if (s.Kind === Fill || s.Kind === Split || s.Kind === Hatch || s.Kind === Dots) g.fillRect(x, y, w, h);
  if (s.Kind === Fill || s.Kind === Split || w <= 2 || h <= 2) return;
  if (s.Kind === Dashed) g.setLineDash([2, 2]);
  g.strokeRect(x + s.Stroke / 2, y + s.Stroke / 2, w - s.Stroke, h - s.Stroke);
  if (s.Kind === Dashed) g.setLineDash([]);
}

// patternOf makes the stripes or dots of render/model/svg.go.
function patternOf(g: Pen, kind: number, ink: string): CanvasPattern | string {
  const side = kind === Hatch ? 5 : 4;
  const scale = 4; // the tile is finer than a pixel, for screens that are
  const tile = new OffscreenCanvas(side * scale, side * scale);
  const t = tile.getContext("2d")!;
  t.scale(scale, scale);
  t.fillStyle = t.strokeStyle = ink;
  t.globalAlpha = kind === Hatch ? 0.16 : 0.22;
  t.fillRect(0, 0, side, side);
  t.globalAlpha = 1;
  t.beginPath();
  if (kind === Hatch) {
    t.lineWidth = 2.2;
    for (const d of [-side, 0, side]) {
      t.moveTo(d - 1, side + 1);
      t.lineTo(d + side + 1, -1);
    }
    t.stroke();
  } else {
    t.arc(side / 2, side / 2, 1.35, 0, 7);
    t.fill();
  }
  const pattern = g.createPattern(tile, "repeat");
  pattern?.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern ?? ink;
}
