// A poster of the run on show, for runs without a built poster: the result in words and
// numbers, as tools/build/embeddraw.go writes them.

import { wrapped } from "../drawing/text";
import { assets } from "../lib/assets";
import { metrics } from "../state/metrics";
import { tables } from "../protocol/tables";
import { given, headlineOf } from "../results/results";
import { labels } from "../protocol/scenario";
import type { Page } from "../state/page";

const STYLE =
  ":root{--paper:#fbfbf8;--ink:#1b1f24;--rule:#d8dad3;--muted:#5f656b;--accent:#0b6e99}" +
  "@media(prefers-color-scheme:dark){:root{--paper:#101418;--ink:#e6e8ea;--rule:#2c333a;--muted:#9aa3ab;--accent:#56b4dc}}" +
  'text{font-family:system-ui,"DejaVu Sans",sans-serif;fill:var(--ink);font-variant-numeric:tabular-nums}' +
  ".m{fill:var(--muted)}.e{text-anchor:end}.b{font-weight:600}.c{fill:var(--accent);font-weight:600}.paper{fill:var(--paper)}.r{stroke:var(--rule)}";
const LETTER = 0.58; // width of a letter divided by its size

export function posterOf(page: Page): string {
  const g = given(page);
  const names = labels(page.results.scenario);
  let body = "";
  const put = (x: number, y: number, size: number, kind: string, words: string): void => {
    body += `<text x="${x}" y="${y}" font-size="${size}" class="${kind}">${escaped(words)}</text>`;
  };
  put(28, 40, 17, "m", page.results.origin.shipped.title);
  let y = 78;
  for (const line of wrapped(headlineOf(page), 904 / (25 * LETTER))) {
    put(28, y, 25, "", line);
    y += 34;
  }
  y += 26;
  put(560, y, 19, "b e", "A");
  put(760, y, 19, "b e", "B");
  put(560, y + 24, 16, "m e", names.A);
  put(760, y + 24, 16, "m e", names.B);
  y += 34;
  const posterRows = new Set(tables.metrics.filter((m) => m.poster).map((m) => m.name));
  for (const m of metrics().values()) {
    if (!posterRows.has(m.key)) continue;
    const [a, b] = [g.A && m.value(g.A), g.B && m.value(g.B)];
    if (a === undefined || b === undefined) continue;
    body += `<path class="r" d="M28 ${y}h904"/>`;
    y += 36;
    put(28, y - 10, 19, "m", m.title);
    put(560, y - 10, 19, "e", m.text(a, g.A!));
    put(760, y - 10, 19, "e", m.text(b, g.B!));
    put(932, y - 10, 19, "c e", m.compare?.(a, b, g.A!, g.B!) ?? "");
  }
  const { A, B } = page.results;
  put(28, 582, 16, "m", `Burstscope ${assets.version} · results A ${A?.resultHash?.slice(0, 12) ?? "–"}, B ${B?.resultHash?.slice(0, 12) ?? "–"}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="600" viewBox="0 0 960 600" role="img"><style>${STYLE}</style><rect class="paper" width="100%" height="100%"/>${body}</svg>\n`;
}

function escaped(s: string): string {
  return s.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]!);
}
