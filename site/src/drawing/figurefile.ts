// A figure as a file of its own: pictures below one another under a title, the stamp in the metadata and below them.

import { svg } from "../lib/dom";
import type { Picture } from "../lib/files";
import { type Palette, pictureOf, Plot, START } from "./plot";
import { wrapped } from "./text";

export interface Piece {
  title?: string;
  content: SVGElement; // drawn from 0, 0
  width: number;
  height: number;
  below?: string[];
}

const MARGIN = 16;
const LINE = 16;
const CHAR = 7; // width of a character of 12 px, at most on average

// figureFile writes foot below the pieces, where a link has no room.
export function figureFile(title: string, pieces: Piece[], foot: string[], stamp: string[], colours: Palette): Picture {
  const plot = new Plot(colours);
  const wide = Math.max(...pieces.map((p) => p.width));
  const width = Math.ceil(wide + 2 * MARGIN);
  let y = 0;
  const line = (said: string, more: Record<string, unknown> = {}): void => {
    for (const part of wrapped(said, wide / CHAR)) plot.words(MARGIN, (y += LINE), part, { ...START, ...more });
  };
  const bold = { "font-weight": 600, fill: colours.ink };
  y += MARGIN / 2;
  if (title) line(title, { ...bold, "font-size": 15 });
  for (const p of pieces) {
    y += LINE / 2;
    if (p.title) line(p.title, bold);
    y += LINE / 2;
    plot.draw("g", { transform: `translate(${MARGIN} ${y})` }, p.content);
    y += p.height;
    for (const said of p.below ?? []) line(said);
  }
  y += LINE / 2;
  for (const said of foot) line(said);
  const height = Math.ceil(y + MARGIN);
  // Programs that read it may not know the font of a page.
  const out = pictureOf(plot, width, height, { role: "img", "font-family": "Helvetica, Arial, sans-serif" });
  const about = [title, ...stamp].join("\n");
  out.prepend(svg("title", {}, title || stamp[0]), svg("desc", {}, about), svg("metadata", {}, about),
    svg("rect", { width, height, fill: colours.paper }));
  return { svg: new XMLSerializer().serializeToString(out), width, height };
}
