// The program's other text beside the one that is counted: CUDA beside PTX, or PTX beside CUDA. The
// lines that belong together are marked in both.

import { placesIn } from "./approximate";
import { h } from "../lib/dom";
import type { LineCounts, Source, SourceFile } from "../protocol/protocol";

const WIDE_ENOUGH = 600; // CSS pixels of the panel from which two texts can be read

export class Beside {
  readonly button = h("button", { type: "button", "aria-pressed": "true", title: "Show PTX and its source beside each other" }, "Beside each other");
  private body = h("tbody", {});
  private head = h("thead", {});
  readonly box = h("div", { class: "codebox beside", tabindex: 0, role: "region", "aria-label": "The program's other text" }, h("table", { class: "code" }, this.head, this.body));
  private wanted = true;
  private places: number[] = []; // line of the source by line of the PTX
  private placesOf: Source | undefined;
  private other: SourceFile | undefined;
  private rows: HTMLElement[] = [];
  private filled: unknown[] = [];

  constructor(
    private main: HTMLElement, // the box of the text that is counted
    changed: () => void,
  ) {
    this.button.addEventListener("click", () => {
      this.wanted = !this.wanted;
      this.button.setAttribute("aria-pressed", String(this.wanted));
      changed();
    });
    new ResizeObserver(() => {
      if (this.on !== !this.box.hidden) changed();
    }).observe(main.parentElement ?? main);
    for (const box of [main, this.box]) {
      box.addEventListener("click", (e) => {
        const row = (e.target as HTMLElement).closest("tr");
        const n = row ? [...row.parentElement!.children].indexOf(row) + 1 : 0;
        if (row?.parentElement?.localName === "tbody") this.link(n, box === main);
      });
    }
  }

  // on tells whether the other text is shown.
  get on(): boolean {
    return this.wanted && this.other !== undefined && (this.main.parentElement?.clientWidth ?? 0) >= WIDE_ENOUGH;
  }

  // show takes the program's texts and the one that is counted. cell makes the count of a line.
  show(source: Source | undefined, file: SourceFile | undefined, counts: LineCounts | undefined, measure: string, cell: (c: LineCounts, i: number | undefined) => HTMLElement): void {
    this.other = source?.files.find((f) => f !== file);
    this.button.hidden = this.other === undefined;
    this.box.hidden = !this.on;
    this.main.classList.toggle("paired", this.on);
    // The source stands left of its PTX, whichever is counted.
    this.box.classList.toggle("first", this.other?.language !== "ptx");
    if (this.placesOf !== source) {
      this.placesOf = source;
      this.places = placesIn(source);
    }
    const now = [this.other?.text, counts, measure, this.on];
    if (!this.on || now.every((x, i) => x === this.filled[i])) return;
    this.filled = now;
    const index = new Map(Array.from(counts?.line ?? [], (line, i) => [line, i]));
    const lines = this.other!.text.replace(/\n$/, "").split("\n");
    this.head.replaceChildren(h("tr", {}, h("th", { scope: "col" }, "line"), counts && h("th", { scope: "col", class: "on" }, measure), h("th", { scope: "col", class: "text" }, this.other!.language === "ptx" ? "PTX" : this.other!.name)));
    this.rows = lines.map((line, n) => h("tr", {}, h("th", { scope: "row" }, String(n + 1)), counts && cell(counts, index.get(n + 1)), h("td", { class: "text" }, line)));
    this.body.replaceChildren(...this.rows);
  }

  // link marks the lines that belong to a line of one of the texts, and brings the first into view.
  link(line: number, ofMain: boolean): void {
    if (!this.on) return;
    const ofPTX = (this.other?.language === "ptx") !== ofMain;
    const place = ofPTX ? (this.places[line - 1] ?? 0) : line;
    const linked = (ptx: boolean, n: number): boolean => place > 0 && (ptx ? this.places[n - 1] === place : n === place);
    const mainRows = [...this.main.querySelectorAll<HTMLElement>("tbody tr")];
    const otherPTX = this.other?.language === "ptx";
    mainRows.forEach((row, i) => row.classList.toggle("linked", linked(!otherPTX, i + 1)));
    this.rows.forEach((row, i) => row.classList.toggle("linked", linked(otherPTX, i + 1)));
    const [box, rows] = ofMain ? [this.box, this.rows] : [this.main, mainRows];
    const first = rows.find((row) => row.classList.contains("linked"));
    if (first) box.scrollTo({ top: first.offsetTop - box.clientHeight / 3, left: 0 });
  }
}
