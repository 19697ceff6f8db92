// Paints a described picture on a canvas.

import { Centre, Dashed, Dots, Fill, Hatch, Line, Outline, Raster, Right, SlashCell, Split, Words, type Scene, type Shape } from "./described";
import type { Inks } from "./inks";
import { fontOf } from "./text";

// Pen is the context of a canvas, on the page or off it.
export type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const SLIT = 1.8; // height of the slit of a Split, as in render/model/svg.go

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
    else if (s.Kind === Raster) cells(g, s, inks);
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
  g.lineTo(s.W, s.H); // the line's end
  g.stroke();
}

// form draws a rectangle. Its height is rounded to whole pixels, so that lines are sharp;
// its place in time is not rounded, because it moves.
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

// cells draws a raster as one small image stretched over its place, and its slashes.
function cells(g: Pen, s: Shape, inks: Inks): void {
  const { Width, Height, Cells } = s.Picture;
  const tile = new OffscreenCanvas(Width, Height);
  const t = tile.getContext("2d")!;
  let before = "";
  for (const [i, c] of Cells.entries()) {
    if (c.Alpha === 0) continue;
    const ink = inks(c.Colour, c.Level / 255);
    if (ink !== before) t.fillStyle = before = ink;
    t.globalAlpha = c.Alpha / 255;
    t.fillRect(i % Width, Math.floor(i / Width), 1, 1);
  }
  const [left, right] = [Math.round(s.CropLeft * Width), Math.round((1 - s.CropRight) * Width)];
  if (right <= left) return;
  const [w, h] = [s.W / Width, s.H / Height];
  g.imageSmoothingEnabled = Math.min(w, h) < 1;
  g.drawImage(tile, left, 0, right - left, Height, s.X + left * w, s.Y, (right - left) * w, s.H);
  if (Math.min(w, h) < SlashCell) return;
  g.beginPath();
  for (const [i, c] of Cells.entries()) {
    if (!c.Slash || i % Width < left || i % Width >= right) continue;
    const [x, y] = [s.X + (i % Width) * w, s.Y + Math.floor(i / Width) * h];
    g.moveTo(x, y + h);
    g.lineTo(x + w, y);
  }
  g.stroke();
}

// patternOf makes the stripes or dots of render/model/svg.go.
function patternOf(g: Pen, kind: number, ink: string): CanvasPattern | string {
  const side = kind === Hatch ? 5 : 4;
  const scale = 4; // finer than a CSS pixel, for screens with a high resolution
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
  try {
    const pattern = g.createPattern(tile, "repeat");
    pattern?.setTransform(new DOMMatrix().scale(1 / scale));
    return pattern ?? ink;
  } catch {
    return ink; // a browser short of memory lost what was drawn on the tile
  }
}
