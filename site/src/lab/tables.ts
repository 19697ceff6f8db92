// The tables of the lab: ratios under every codec, and the bounds of any code.

import { h } from "../lib/dom";
import { fill, row } from "../lib/table";
import { percent, ratio } from "../lib/format";
import type { LabDone } from "../protocol/lab";
import { LAB_MAGS, type LabSettings } from "../state/lab";
import type { Chosen } from "./charts";
import { aboveMAG, effectiveRatio, rawRatio, titleOf } from "./math";

// drawRatios fills the table of ratios under every codec; choose is told which codec the
// reader takes.
export function drawRatios(table: HTMLTableElement, { data, codec }: Chosen, { mag, threshold }: LabSettings, choose: (codec: string) => void): void {
  const columns: { title: string; about: string; of(k: typeof codec): number }[] = [
    { title: "raw", about: "bits before and after", of: (k) => rawRatio(k, data.blocks) },
    ...LAB_MAGS.map((m) => ({
      title: `MAG ${m}`,
      about: `bursts of ${m} bytes before and after`,
      of: (k: typeof codec) => effectiveRatio(k, data.blocks, m),
    })),
    { title: "cut", about: `bursts of ${mag} bytes, with blocks up to ${threshold} bytes above a multiple truncated`, of: (k) => effectiveRatio(k, data.blocks, mag, threshold) },
  ];
  const values = data.codecs.map((k) => columns.map((col) => col.of(k)));
  const best = columns.map((_, i) => Math.max(...values.map((row) => row[i]!)));
  const rows = data.codecs.map((k, r) => {
    const radio = h("input", { type: "radio", name: "lab-codec", value: k.name, checked: k === codec, "aria-label": titleOf(k.name) });
    radio.addEventListener("change", () => choose(k.name));
    const cells = values[r]!.map((v, i) => {
      const shown = i > 0 && i < columns.length - 1 && LAB_MAGS[i - 1] === mag;
      return h("td", { class: `${v === best[i] ? "best" : ""}${shown ? " on" : ""}` || undefined, "data-column": columns[i]!.title }, ratio(v));
    });
    const near = aboveMAG(k, mag, threshold).within / data.blocks;
    return row({ "data-codec": k.name, class: k === codec ? "on" : undefined }, h("label", {}, radio, titleOf(k.name)), ...cells,
      percent(near >= 0.001 ? near : Math.round(near * 1000) / 1000));
  });
  const focused = document.activeElement instanceof HTMLInputElement && table.contains(document.activeElement);
  const title = (words: string, about: string): HTMLElement => h("th", { scope: "col", title: about }, words);
  fill(
    table,
    ["codec", ...columns.map((c) => title(c.title, c.about)), title("near", "blocks within the threshold above a multiple of MAG")],
    rows,
    h("caption", {}, `Raw ratio, and effective ratios for bursts of each MAG. Cut: at ${mag} B, every block up to ${threshold} B above a multiple loses a burst. SLC can do this if the code consists of symbols and at most 16 are cut. Near: the share of such blocks. Bold: the best value of a column.`),
  );
  if (focused) table.querySelector<HTMLInputElement>("input:checked")?.focus();
}

// drawBounds fills the table of what the entropy of the data allows.
export function drawBounds(table: HTMLTableElement, d: LabDone): void {
  const rows = d.bounds.map((b) => row(
    {}, `${b.symbolBits}-bit symbols`, `${b.approximate ? "about " : ""}${b.bitsPerBlock.toFixed(1)} bits`,
    b.bitsPerBlock > 0 ? ratio(b.ratio) : "no limit",
  ));
  const caption = "The best ratio that the entropy of the symbols allows, with one codeword for each symbol";
  fill(table, ["bound", "a block", "ratio"], rows, h("caption", {}, caption));
}
