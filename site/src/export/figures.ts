// The figures that the reader can save, in light colours unless dark ones are asked for.

import type { Scene } from "../drawing/described";
import { inks } from "../drawing/inks";
import { figureFile } from "../drawing/figurefile";
import { DARK, LIGHT } from "../drawing/plot";
import { svgOf } from "../drawing/svg";
import { byId, ink, svg } from "../lib/dom";
import { hex } from "../lib/format";
import type { Picture } from "../lib/files";
import { SIDES } from "../protocol/protocol";
import { shortLines, stampLines, type Stamp } from "../links/stamp";
import type { Page } from "../state/page";

// Pictures are what the parts of the page can draw wherever they are asked to.
export interface Pictures {
  strips(width: number, height: number, cycle?: number): Scene;
  histogram(width: number, height: number): Scene | undefined;
  map(): Scene;
}

const WIDTH = 720;

interface Body {
  title: string;
  content: SVGElement; // drawn from 0, 0
  width: number;
  height: number;
}

export interface FigureKind {
  key: string;
  title: string;
  // make draws it, or returns undefined if there is nothing to draw.
  make(page: Page, pictures: Pictures): Body | undefined;
}

export const FIGURES: readonly FigureKind[] = [
  { key: "chart", title: "Memory chart", make: (page) => memoryChart(page) },
  { key: "bursts", title: "Bursts on the channels, at the cursor", make: (page, p) => strips(page, p) },
  { key: "above-mag", title: "Bytes above a multiple of MAG", make: (page, p) => histogram(page, p) },
  { key: "address-map", title: "Address map", make: (page, p) => addressMap(page, p) },
  { key: "breakdowns", title: "Cycles and energy by part", make: () => breakdowns() },
  { key: "bandwidth", title: "Bandwidth over time", make: (page) => bandwidth(page) },
];

// drawFigure makes one figure. The page takes the figure's colours while it is drawn, and
// gets its own back before the next paint.
export function drawFigure(kind: FigureKind, page: Page, pictures: Pictures, stamp: Stamp, dark: boolean): Picture | undefined {
  const root = document.documentElement;
  const was = root.dataset["theme"];
  root.dataset["theme"] = dark ? "dark" : "light";
  try {
    const body = kind.make(page, pictures);
    if (!body) return undefined;
    const about = [stamp.title, ...stampLines(stamp)];
    return figureFile(body.title, [{ ...body, title: "" }], shortLines(stamp), about, dark ? DARK : LIGHT);
  } finally {
    if (was === undefined) delete root.dataset["theme"];
    else root.dataset["theme"] = was;
  }
}

function memoryChart(page: Page): Body | undefined {
  if (!page.shows) return undefined;
  const chart = byId<SVGSVGElement>("chart");
  const { width, height } = chart.viewBox.baseVal;
  const scale = 1.5;
  return {
    title: byId("chart-title").textContent ?? "Memory chart",
    content: svg("g", {}, svg("g", { transform: `translate(8 8) scale(${scale})` }, ...inlined(chart))),
    width: width * scale + 16,
    height: height * scale + 8,
  };
}

function histogram(page: Page, pictures: Pictures): Body | undefined {
  const [width, height] = [WIDTH, 320];
  const scene = pictures.histogram(width, height);
  if (!scene) return undefined;
  const content = svgOf(scene, "above", inks());
  const side = page.settings.side;
  return { title: `Bytes above a multiple of MAG, ${side}: ${page.data.labels[side]}`, content, width, height };
}

function strips(page: Page, pictures: Pictures): Body | undefined {
  const t = page.data.topology.B ?? page.data.topology.A;
  if (!t?.channels || page.data.events.A.count + page.data.events.B.count === 0) return undefined;
  const banks = page.tab === "dram";
  const [width, height] = [WIDTH, 80 + (banks ? 26 * ((t.banks ?? 0) + 1) : 40 * t.channels)];
  const content = svgOf(pictures.strips(width, height), "strips", inks());
  const cycle = Math.round(page.settings.cycle).toLocaleString("en");
  const what = banks ? "The banks of a channel" : "Bursts on the channels' buses";
  return { title: `${what} up to cycle ${cycle}`, content, width, height };
}

// addressMap draws both sides beside each other, 64 blocks a row.
function addressMap(page: Page, pictures: Pictures): Body | undefined {
  const { A, B } = page.data.blocks;
  if (!A && !B) return undefined;
  const scene = pictures.map();
  const content = svgOf(scene, "map", inks());
  const what = { bursts: "bursts fetched", size: "compressed size", touches: "times fetched or written", mode: "how it is stored" }[page.settings.map];
  return { title: `Address map, 64 blocks of 128 B a row: ${what}, from ${hex((B ?? A)!.base)}`, content, width: scene.W, height: scene.H };
}

// breakdowns redraws what stands in the panel: bars of both sides and their numbers.
function breakdowns(): Body | undefined {
  const content = svg("g", {});
  const wide = 520;
  let y = 0;
  for (const section of document.querySelectorAll<HTMLElement>("#accounts .breakdown")) {
    content.append(svg("text", { x: 0, y: y + 12, "font-weight": 600 }, section.querySelector("h2")?.textContent ?? ""));
    y += 20;
    for (const bar of section.querySelectorAll<HTMLElement>(".bar-of")) {
      const plot = bar.querySelector("svg")!;
      const scale = wide / plot.viewBox.baseVal.width;
      content.append(
        svg("text", { x: 0, y: y + 12, fill: colour(ink("muted")) }, bar.dataset["side"]),
        svg("g", { transform: `translate(24 ${y}) scale(${scale} 1.2)` }, ...inlined(plot)),
        svg("text", { x: 24 + wide + 10, y: y + 12 }, bar.querySelector("button")?.textContent ?? ""),
      );
      y += 22;
    }
    for (const row of section.querySelectorAll<HTMLElement>("tbody tr")) {
      const key = row.querySelector<HTMLElement>(".k")!;
      const numbers = SIDES.flatMap((side) => [`[data-side=${side}] button`, `[data-share=${side}]`]).map((s) => row.querySelector(s)?.textContent ?? "");
      content.append(
        svg("rect", { x: 24, y: y + 2, width: 12, height: 12, fill: colour(getComputedStyle(key).backgroundColor) }),
        svg("text", { x: 44, y: y + 12 }, `${key.textContent} ${row.querySelector("th")!.lastChild?.textContent ?? ""}`),
        ...numbers.map((n, i) => svg("text", { x: [350, 410, 520, 580][i], y: y + 12, "text-anchor": "end", fill: colour(ink(i % 2 === 0 ? "ink" : "muted")) }, n)),
      );
      y += 18;
    }
    y += 16;
  }
  return y === 0 ? undefined : { title: "Cycles and energy by part, A and B", content, width: 640, height: y };
}

function bandwidth(page: Page): Body | undefined {
  const paths = SIDES.map((side) => byId(`spark-${side.toLowerCase()}`).getAttribute("d") ?? "");
  if (paths.every((d) => d === "")) return undefined;
  const [left, height] = [24, 200];
  const content = svg("g", {});
  content.append(svg("path", { d: `M${left} ${height}h${WIDTH - left}`, stroke: colour(ink("rule")) }));
  SIDES.forEach((side, i) => {
    const stroke = colour(ink(`line-${side.toLowerCase()}`));
    content.append(
      // The curve of the timeline lies in 1000 by 40.
      svg("path", { d: scaled(paths[i]!, (WIDTH - left) / 1000, height / 40, left), fill: "none", stroke, "stroke-width": 1.4, "stroke-dasharray": side === "A" ? "5 3" : undefined }),
      svg("path", { d: `M${left + i * 240} ${height + 34}h24`, stroke, "stroke-width": 2, "stroke-dasharray": side === "A" ? "5 3" : undefined }),
      svg("text", { x: left + i * 240 + 32, y: height + 38 }, `${side}  ${page.data.labels[side]}`),
    );
  });
  content.append(
    svg("text", { x: left, y: height + 16 }, "cycle 0"),
    svg("text", { x: WIDTH, y: height + 16, "text-anchor": "end" }, `cycle ${Math.round(page.cycles).toLocaleString("en")}`),
  );
  return { title: "DRAM bandwidth over the run, both sides on one scale", content, width: WIDTH, height: height + 46 };
}

// scaled rewrites a path of M, L and pairs.
function scaled(d: string, sx: number, sy: number, dx: number): string {
  let even = false;
  return d.replace(/-?[\d.]+/g, (n) => {
    even = !even;
    return (even ? Number(n) * sx + dx : Number(n) * sy).toFixed(1);
  });
}

const PAINTS = ["fill", "stroke"] as const;
const PLAIN = [
  "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "text-anchor", "font-size", "font-weight", "letter-spacing",
] as const;

// inlined are copies of what an SVG of the page holds, with the styles that a style sheet gave them written out.
function inlined(from: SVGElement): SVGElement[] {
  const shown = [...from.children].filter((e) => getComputedStyle(e).display !== "none" || e.tagName === "defs");
  return shown.map((e) => styled(e as SVGElement));
}

function styled(e: SVGElement): SVGElement {
  const copy = e.cloneNode(false) as SVGElement;
  for (const a of ["class", "style", "role", "tabindex", "data-metric", "aria-label", "id"]) {
    if (a !== "id" || e.tagName !== "pattern") copy.removeAttribute(a);
  }
  const drawn = /^(rect|path|line|circle|text|polygon|polyline|ellipse)$/.test(e.tagName);
  if (drawn) {
    const style = getComputedStyle(e);
    for (const name of PAINTS) copy.setAttribute(name, colour(style.getPropertyValue(name)));
    for (const name of PLAIN) {
      const value = style.getPropertyValue(name).replace(/px/g, "");
      const usual = ["", "none", "normal"].includes(value) || (value === "1" && /opacity/.test(name));
      if (!usual) copy.setAttribute(name, value);
    }
  }
  for (const child of e.childNodes) {
    if (child instanceof SVGElement) {
      if (child.tagName !== "title") copy.append(styled(child));
    } else copy.append(child.cloneNode());
  }
  return copy;
}

// colour writes a computed colour the way every reader of SVG 1.1 knows.
function colour(css: string): string {
  const found = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/.exec(css);
  if (found) return `rgb(${found.slice(1, 4).map((x) => Math.round(255 * Number(x))).join(",")})`;
  const rgba = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(css);
  if (rgba) return rgba[4] === "0" ? "none" : `rgb(${rgba[1]},${rgba[2]},${rgba[3]})`;
  return css.replace(/^url\("#?(.*)"\)$/, (_, id: string) => `url(#${id.replace(/^.*#/, "")})`);
}
