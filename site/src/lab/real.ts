// Real arrays: what every codec makes of them, in a table that sorts by any column, and the arrays that come with the
// page.

import { asset } from "../lib/assets";
import { button, h, text } from "../lib/dom";
import { fill } from "../lib/table";
import { csvOf, hereLink, save } from "../lib/files";
import { bytes, percent, ratio } from "../lib/format";
import { titleOf } from "./math";

interface RealIndex {
  columns: string[]; // of assets/data/ratios.csv
  rows: (string | number)[][];
  arrays: string[]; // that come with the page
}

const MAG = "MAG32"; // ending of a column of effective ratios
const FIRST_CODEC = 13; // column

async function fetched<T>(name: string): Promise<T> {
  const answer = await fetch(asset(name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return (await answer.json()) as T;
}

export class RealPanel {
  readonly box = h("details", { class: "labreal", id: "lab-real" });
  private table = h("table", { class: "numbers", id: "lab-real-table" });
  private figure = h("select", { id: "lab-real-figure" },
    h("option", { value: "" }, "raw"),
    h("option", { value: MAG }, "bursts of 32 B"),
  );
  private index: RealIndex | undefined;
  private by = "id";
  private falls = false;
  ready = false; // the table has come, or will not

  constructor(private measure: (id: string) => void, known: () => void) {
    const csv = button("CSV", () => {
      if (!this.index) return;
      const rows = csvOf([`Burstscope, real arrays, ${hereLink()}`], this.index.columns, this.sorted());
      save(rows, "real-arrays.csv");
    }, { id: "lab-real-csv" });
    this.figure.addEventListener("change", () => this.draw());
    this.box.append(
      h("summary", {}, "Real data under every codec"),
      h("p", { class: "words" },
        "Weights, pictures and an acoustic model out of packages that anyone can fetch, and what the programs draw " +
          "in their place. Choose a heading to sort, and a name to measure the array here. ",
        h("a", { href: asset("data/licences.txt"), target: "_blank", rel: "noopener" }, "Authors and licences"),
      ),
      h("div", { class: "tools" }, h("label", {}, "ratio", this.figure), csv),
      h("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": "Table: real arrays and codecs" },
        this.table,
      ),
    );
    fetched<RealIndex>("data/index.json").then(
      (index) => {
        this.index = index;
        this.ready = true;
        this.draw();
        known();
      },
      () => {
        this.ready = true;
        text(this.box.querySelector("summary")!, "The table of real data could not be loaded.");
        known();
      },
    );
  }

  // arrays lists those that come with the page: names and titles.
  arrays(): { id: string; title: string }[] {
    return (this.index?.arrays ?? []).map((id) => ({ id, title: `${id}: ${this.of(id, "title")}` }));
  }

  // words says what an array is and where it comes from, "" if the page has none of that name.
  words(id: string): string {
    if (!this.index?.arrays.includes(id)) return "";
    const from = `${this.of(id, "package")} ${this.of(id, "version")} (${this.of(id, "licence")})`;
    return `${this.of(id, "title")}, ${this.of(id, "type")}, out of ${from}`;
  }

  // file returns an array as a file.
  async file(id: string): Promise<File> {
    const data = await fetched<string>(`data/${id}.json`);
    return new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], `${id}.safetensors`);
  }

  private of(id: string, column: string): string {
    const row = this.index?.rows.find((r) => r[0] === id);
    return String(row?.[this.index!.columns.indexOf(column)] ?? "");
  }

  // sorted returns the rows: numbers fall first, texts rise, and rows without a number are last.
  private sorted(): (string | number)[][] {
    const { columns, rows } = this.index!;
    const k = columns.indexOf(this.by);
    const turn = this.falls ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [x, y] = [a[k]!, b[k]!];
      if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
      return turn * (typeof x === "number" ? x - (y as number) : String(x).localeCompare(String(y)));
    });
  }

  private sort(by: string): void {
    const rows = this.index!.rows;
    const k = this.index!.columns.indexOf(by);
    const number = rows.some((r) => typeof r[k] === "number");
    this.falls = by === this.by ? !this.falls : number;
    this.by = by;
    this.draw();
    this.table.querySelector<HTMLElement>(`[data-by="${by}"]`)?.focus();
  }

  private draw(): void {
    const { index } = this;
    if (!index) return;
    const raw = index.columns.slice(FIRST_CODEC).filter((c) => !c.endsWith(MAG));
    const show: { column: string; title: string; write: (v: string | number) => string }[] = [
      { column: "type", title: "type", write: String },
      { column: "bytes", title: "size", write: (v) => bytes(Number(v)) },
      { column: "zeros", title: "zeros", write: (v) => percent(Number(v)) },
      ...raw.map((codec) => ({
        column: codec + this.figure.value,
        title: titleOf(codec),
        write: (v: string | number): string => ratio(Number(v)),
      })),
    ];
    const order = this.falls ? "descending" : "ascending";
    const head = (column: string, title: string): HTMLElement =>
      h("th", { scope: "col", "aria-sort": column === this.by ? order : undefined },
        h("button", { type: "button", class: "sort", "data-by": column, onclick: () => this.sort(column) }, title),
      );
    const firstRatio = show.length - raw.length;
    const at = (row: (string | number)[], column: string): string | number => row[index.columns.indexOf(column)]!;
    const rows = this.sorted().map((row) => {
      const id = String(row[0]);
      const values = show.map((s) => at(row, s.column));
      const most = Math.max(...values.slice(firstRatio).map(Number));
      const open = (): void => this.measure(id);
      const name = index.arrays.includes(id) ? h("button", { type: "button", class: "link", onclick: open }, id) : id;
      const from = `${String(at(row, "title"))}, ${String(at(row, "package"))} ${String(at(row, "version"))}`;
      return h("tr", { "data-array": id, class: at(row, "kind") === "generated" ? "made" : undefined },
        h("th", { scope: "row", title: from }, name),
        ...values.map((v, i) => {
          const isBest = i >= firstRatio && v === most && most > 1;
          return h("td", { class: isBest ? "best" : undefined, "data-column": show[i]!.column }, show[i]!.write(v));
        }),
      );
    });
    fill(
      this.table, [head("id", "array"), ...show.map((s) => head(s.column, s.title))], rows,
      h("caption", {}, "Bold: the best codec of an array. Codes are made from the array itself. " +
        "Grey: data that a program draws."),
    );
  }
}
