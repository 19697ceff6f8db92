// The sets of one L1: a row for each set, a cell for each sub-block of 32 bytes. Cells of one
// line have no gap between them.

import { fitCanvas, ink } from "../lib/dom";
import { count, significant } from "../lib/format";
import type { L1Sets } from "../protocol/l1";
import { MODE_INKS } from "./map";
import type { PhaseTable } from "./phases";

const LABEL = 52;
const TAGS = 64; // width of the number of tags
const HEAD = 20;
const MOST_CELL = 44;

interface Tag {
  blocks: number;
  mode: number;
  packed: boolean;
  data: boolean;
  taken: boolean;
  predicted: number;
}

function tagOf(byte: number, predicted: number): Tag {
  return { blocks: byte & 7, mode: (byte >> 3) & 3, packed: (byte & 32) !== 0, data: (byte & 64) !== 0, taken: (byte & 128) !== 0, predicted };
}

function setsOf(s: L1Sets): Tag[][] {
  const sets: Tag[][] = [];
  for (let i = 0; i < s.tags.length; i += s.tagsPerSet) sets.push(Array.from(s.tags.subarray(i, i + s.tagsPerSet), (byte, k) => tagOf(byte, s.predicted[i + k]!)));
  return sets;
}

// drawSets draws the sets. A code is as wide as the sub-blocks it takes; a line on order is an
// outline, and free room is empty. A predicted line has a cross in it, or a ring if it is as memory held it.
export function drawSets(canvas: HTMLCanvasElement, s: L1Sets, table: PhaseTable): void {
  const { g, width, height } = fitCanvas(canvas);
  const sets = setsOf(s);
  const lane = (height - HEAD) / sets.length;
  const cell = Math.min(MOST_CELL, (width - LABEL - TAGS) / s.subBlocks);
  const gap = lane > 6 ? 2 : 1;
  const [muted, rule, ...inks] = [ink("muted"), ink("rule"), ...MODE_INKS.map((name) => ink(name))];
  g.font = "12px system-ui, sans-serif";
  g.fillStyle = muted!;
  g.fillText(`${s.subBlocks} sub-blocks of 32 B`, LABEL, 13);
  g.fillText("tags", LABEL + cell * s.subBlocks + 8, 13);
  const every = Math.ceil(13 / lane);
  sets.forEach((tags, i) => {
    const y = HEAD + i * lane;
    const high = Math.max(lane - gap, 1);
    g.fillStyle = rule!;
    g.globalAlpha = 0.45;
    g.fillRect(LABEL, y, cell * s.subBlocks, high);
    g.globalAlpha = 1;
    let x = LABEL;
    for (const t of tags) {
      if (t.blocks === 0) continue;
      const wide = t.blocks * cell - 2;
      if (t.data) {
        g.fillStyle = inks[t.packed ? t.mode : 0]!;
        g.fillRect(x, y, wide, high);
        // The codec's initial tells codes apart without colour.
        if (t.packed && cell > 11 && lane > 11) {
          g.fillStyle = ink("paper");
          g.fillText(table.name(t.mode)[0]!, x + 3, y + high / 2 + 4);
        }
        if (t.predicted > 0) markPredicted(g, x + wide / 2, y + high / 2, Math.min(high, wide, 12), t.predicted > 1);
      } else {
        g.strokeStyle = muted!;
        g.strokeRect(x + 0.5, y + 0.5, wide - 1, Math.max(high - 1, 0.5));
      }
      x += t.blocks * cell;
    }
    if (i % every !== 0) return;
    g.fillStyle = muted!;
    g.textAlign = "right";
    g.fillText(i === 0 ? "set 0" : String(i), LABEL - 6, y + lane / 2 + 4);
    g.textAlign = "left";
    g.fillText(`${tags.filter((t) => t.taken).length} of ${s.tagsPerSet}`, LABEL + cell * s.subBlocks + 8, y + lane / 2 + 4);
  });
}

// markPredicted draws a cross or a ring in a square of the paper's colour.
function markPredicted(g: CanvasRenderingContext2D, x: number, y: number, size: number, wrong: boolean): void {
  g.fillStyle = ink("paper");
  g.fillRect(x - size / 2, y - size / 2, size, size);
  g.strokeStyle = ink("approx"); // as a dropped request in the picture
  g.lineWidth = size > 8 ? 1.5 : 1;
  const r = size / 2 - 1.5;
  g.beginPath();
  if (wrong) {
    g.moveTo(x - r, y - r);
    g.lineTo(x + r, y + r);
    g.moveTo(x + r, y - r);
    g.lineTo(x - r, y + r);
  } else {
    g.arc(x, y, Math.max(r, 0.5), 0, 2 * Math.PI);
  }
  g.stroke();
  g.lineWidth = 1;
}

// wordsOfSets says in words what the picture shows.
export function wordsOfSets(s: L1Sets, t: PhaseTable): string {
  const lines = setsOf(s).flat().filter((x) => x.data);
  const codes = t.used.filter((m) => m > 0).map((m) => {
    const packed = lines.filter((x) => x.packed && x.mode === m);
    const blocks = packed.reduce((sum, x) => sum + x.blocks, 0);
    return packed.length === 0 ? "" : `${count(packed.length)} as codes of ${t.name(m)} of ${significant((32 * blocks) / packed.length)} B on average`;
  });
  const kinds = codes.filter((c) => c !== "");
  const guessed = lines.filter((x) => x.predicted > 0);
  const wrong = guessed.filter((x) => x.predicted > 1).length;
  const predicted = guessed.length > 0 ? ` ${count(guessed.length)} ${guessed.length === 1 ? "is" : "are"} predicted, ${count(wrong)} of them with wrong bytes.` : "";
  return (
    `${s.side}, SM ${s.sm}, cycle ${count(s.cycle)}: L1 holds ${count(lines.length)} ${lines.length === 1 ? "line" : "lines"}${kinds.length > 0 ? `, ${kinds.join(" and ")}` : t.used.length > 1 ? ", none of them compressed" : ""}.${predicted}` +
    (t.used.length === 1 ? "" : s.held === s.room ? " As many fit without compression." : ` They are ${significant(s.held / s.room)} times what fits without compression.`)
  );
}

// rowsOfSets are the sets as rows of a table.
export function rowsOfSets(s: L1Sets): { head: string[]; rows: string[][] } {
  const rows = setsOf(s).map((tags, i) => {
    const lines = tags.filter((t) => t.data);
    return [String(i), lines.length, lines.filter((t) => t.packed).length, lines.filter((t) => t.predicted > 0).length, lines.filter((t) => t.predicted > 1).length, tags.reduce((sum, t) => sum + t.blocks, 0), tags.filter((t) => t.taken).length].map(String);
  });
  return { head: ["set", "lines", "compressed", "predicted", "predicted, wrong", `sub-blocks of ${s.subBlocks}`, `tags of ${s.tagsPerSet}`], rows };
}
