// Two trees of a block: the code tree of the codewords that it uses, and the adder
// tree from which selective loss takes the node to cut.

import { h, svg } from "../lib/dom";
import { makeTable, row } from "../lib/table";
import type { Candidate, Decision, Structure } from "../protocol/explain";
import type { Selection } from "./select";

export const ROW = 22; // CSS pixels of a row of the table beside the tree
const STEP = 13;

interface Twig {
  zero?: Twig;
  one?: Twig;
  row?: number;
}

// codeTree draws the paths to the codewords used; a branch that no used codeword
// takes is a stub. Rows of a canonical code are in the order of its leaves.
export function codeTree(s: Structure): SVGElement {
  const root: Twig = {};
  s.rows.forEach((r, i) => {
    let at = root;
    for (const bit of r.cells[1]!) at = bit === "0" ? (at.zero ??= {}) : (at.one ??= {});
    at.row = i;
  });
  const depth = Math.max(1, ...s.rows.map((r) => r.cells[1]!.length));
  const width = depth * STEP + 16;
  let lines = "";
  let stubs = "";
  const leaves: SVGElement[] = [];
  const place = (t: Twig, level: number): number => {
    const x = level * STEP + 4;
    if (t.row !== undefined) {
      const y = (t.row + 0.5) * ROW;
      lines += `M${x} ${y}H${width}`;
      leaves.push(svg("circle", { cx: x, cy: y, r: 2.5 }));
      return y;
    }
    const kids = [t.zero, t.one].map((k) => (k ? place(k, level + 1) : undefined));
    const ys = kids.filter((y): y is number => y !== undefined);
    const y = ys.reduce((a, b) => a + b, 0) / ys.length;
    kids.forEach((k, bit) => {
      if (k !== undefined) lines += `M${x} ${y}V${k}H${x + STEP}`;
      else stubs += `M${x} ${y}v${bit === 0 ? -5 : 5}`;
    });
    return y;
  };
  if (s.rows.length > 0) place(root, 0);
  return svg(
    "svg",
    { class: "codetree", width, height: s.rows.length * ROW, viewBox: `0 0 ${width} ${s.rows.length * ROW}`, "aria-hidden": "true" },
    svg("path", { class: "stub", d: stubs }),
    svg("path", { class: "branch", d: lines }),
    ...leaves,
  );
}

const LEVELS: [number, string][] = [
  [1, "0"],
  [2, "1"],
  [4, "2"],
  [6, "2b"],
  [8, "3"],
  [12, "3b"],
  [16, "4"],
];
const SYMBOLS = 64;

function symbolNames(c: Candidate): string {
  return c.count === 1 ? `symbol ${c.first}` : `symbols ${c.first} to ${c.first + c.count - 1}`;
}

function candidateWords(c: Candidate): string {
  const verdict = c.chosen ? "cut" : c.reaches ? "frees enough, but is not the first" : "does not free enough";
  return `${symbolNames(c)}: ${c.cutBits} bits of code, ${c.totalBits} bits without; ${verdict}`;
}

// adderTree shows the sums of code lengths by which the node to cut is chosen.
export function adderTree(d: Decision, selection: Selection, symbolItems: (first: number, count: number) => number[]): HTMLElement {
  const list = d.candidates ?? [];
  const over = d.extraBits > 0 ? `, ${d.extraBits} bits above ${d.budgetBits} bits (${d.budgetBits / 8} B); threshold ${d.thresholdBits} bits (${d.thresholdBits / 8} B)` : "";
  const chosen = list.find((c) => c.chosen);
  const cut = chosen ? ` Cut: ${symbolNames(chosen)}, the first node in order that frees enough: ${chosen.cutBits} bits of code, which leaves ${chosen.totalBits}.` : "";
  const box = h("section", {}, h("h3", {}, "Adder tree"), h("p", {}, `${d.compBits} bits lossless${over} → ${d.rule}.${cut}`));
  if (list.length === 0) return box;
  const said = h("p", { class: "note" }, "Each cell is a node; its bar is the code of its symbols. Outlined: frees enough. Hatched: cut.");
  const levels = LEVELS.filter(([n]) => list.some((c) => c.count === n));
  const cell = 4.4;
  const high = 26;
  const left = 84;
  const most = Math.max(1, ...list.map((c) => c.cutBits / c.count));
  const picture = svg("svg", {
    class: "adders",
    viewBox: `0 0 ${left + SYMBOLS * cell + 2} ${levels.length * high + 2}`,
    role: "img",
    "aria-label": chosen ? `Adder tree; cut: ${candidateWords(chosen)}` : "Adder tree; nothing is cut",
  });
  picture.append(
    svg("defs", {}, svg("pattern", { id: "adder-hatch", width: 4, height: 4, patternUnits: "userSpaceOnUse", patternTransform: "rotate(-45)" }, svg("rect", { class: "stroke", width: 4, height: 2.2 }))),
  );
  levels.forEach(([n, name], row) => {
    const y = row * high + 2;
    picture.append(svg("text", { x: 0, y: y + 15 }, `level ${name}: ${n}`));
    for (const c of list.filter((x) => x.count === n)) {
      const x = left + c.first * cell;
      const w = c.count * cell - 0.8;
      const full = Math.min(1, c.cutBits / c.count / most);
      const bar = (high - 6) * full;
      const g = svg("g", { class: c.chosen ? "chosen" : c.reaches ? "reaches" : undefined },
        svg("rect", { class: "ground", x, y, width: w, height: high - 6 }),
        svg("rect", { class: "fill", x, y: y + high - 6 - bar, width: w, height: bar }),
      );
      if (c.count >= 4 && 7.5 * String(c.cutBits).length < w) {
        g.append(svg("text", { class: "mid", x: x + w / 2, y: y + 15 }, String(c.cutBits)));
      }
      g.addEventListener("pointerenter", () => (said.textContent = candidateWords(c)));
      g.addEventListener("click", () => selection.choose(symbolItems(c.first, c.count)));
      picture.append(g);
    }
  });
  const rows = list
    .filter((c) => c.reaches)
    .map((c) => row({}, h("td", {}, String(c.count)), `${c.first} to ${c.first + c.count - 1}`, String(c.cutBits), String(c.totalBits), c.chosen ? "cut" : ""));
  const numbers = makeTable({ class: "numbers" }, ["symbols", "from, to", "bits of code", "block without, bits", "chosen"], rows);
  box.append(h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": "Adder tree" }, picture), said,
    h("details", {}, h("summary", {}, `Nodes that free enough: ${rows.length} of ${list.length}`), numbers));
  return box;
}
