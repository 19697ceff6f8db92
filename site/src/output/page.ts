// The values of every output in the tab Output: heat maps, a plot, the errors of both sides, the elements one by one,
// and files of NumPy.

import "../../output.css";
import { Charts } from "./charts";
import { ElementTable } from "./table";
import { binsOf, columnsOf, decoded, namedBits, npyOf, wordsOf, type Decoded } from "./values";
import type { OutputHooks } from "../engine/lateparts";
import { button, byId, h, text } from "../lib/dom";
import { fill, row } from "../lib/table";
import { save } from "../lib/files";
import { count, hex, visible } from "../lib/format";
import { soon } from "../lib/turns";
import { bytesOf, textOf, type Elements } from "../protocol/elements";
import { SIDES, type PerSide, type Side } from "../protocol/protocol";
import { owns } from "../state/owned";
import type { Page } from "../state/page";

window.burstscopeOutput = (page, hooks) => void new Workbench(page, hooks);

const MOST_COLUMNS = 16_384;

class Workbench {
  private which = h("select", { "aria-label": "Output" });
  private columns = h("input", {
    type: "number", min: 1, max: MOST_COLUMNS, "aria-label": "Elements in a row of the heat maps",
  });
  private rows = h("span");
  private saves = h("span", { class: "tools" });
  private worst = h("div", { class: "worst" });
  private words = h("p", { class: "words", role: "status" });
  private histogram = h("table", { class: "hist" });
  private charts = new Charts((i) => this.look(i));
  private table = new ElementTable((i) => this.look(i));
  private content = h("div", {},
    h("div", { class: "tools" }, this.which, h("label", {}, this.columns, this.rows), this.saves),
    this.worst,
    this.charts.maps,
    h("div", { class: "pair" }, this.charts.plot,
      h("figure", {}, h("figcaption", {}, h("b", {}, "Elements by their error")), this.histogram)),
    this.table.element,
  );
  private box = h("section", { id: "values", class: "workbench", "aria-label": "Values of the output" },
    this.words, this.content);
  private shown: Partial<PerSide<Decoded>> = {};
  private key = ""; // of what is shown, or asked for
  private shapes = new Map<string, number>(); // columns that the reader has chosen, by output
  private readonly draw = soon(() => void this.paint());

  constructor(
    private page: Page,
    private hooks: OutputHooks,
  ) {
    const panel = byId("panel-output");
    const why = panel.querySelector(".whybox");
    if (why) why.before(this.box);
    else panel.append(this.box);
    this.which.addEventListener("change", this.draw);
    this.columns.addEventListener("change", () => {
      const n = this.columns.valueAsNumber;
      if (Number.isInteger(n) && n >= 1 && n <= MOST_COLUMNS) this.shapes.set(this.which.value, n);
      this.show();
    });
    page.on(["output", "tab", "run", "results", "scenario"], this.draw);
    page.on(["theme"], () => this.show());
    new ResizeObserver(() => this.show()).observe(this.box);
    this.draw();
  }

  private async paint(): Promise<void> {
    const { page } = this;
    if (byId("panel-output").hidden) return;
    const { run, results, data } = page;
    const ended = run.phase === "done" && results.of === "run" && page.shows;
    const names = ended ? data.errors.B.map((e) => e.name) : [];
    this.content.hidden = true;
    this.worst.replaceChildren();
    owns(page, this.box);
    if (names.length === 0) {
      this.key = "";
      this.shown = {};
      return text(this.words, "Not run yet: the values of the output appear when the run has ended.");
    }
    if (names.join("\r") !== [...this.which.options].map((o) => o.value).join("\r")) {
      this.which.replaceChildren(...names.map((n) => h("option", { value: n }, visible(n))));
    }
    const key = `${run.number} ${results.key} ${this.which.value}`;
    if (key !== this.key) {
      this.key = key;
      this.shown = {};
      text(this.words, "Reading the output…");
      const answers = await Promise.all(SIDES.map((side) => this.hooks.elements(side, this.which.value)));
      if (key !== this.key) return;
      this.take(answers);
    } else if (this.shown.A && this.shown.B) this.show();
  }

  private take(answers: Elements[]): void {
    const wrong = answers.find((a) => a.what !== "");
    if (wrong) return text(this.words, `${wrong.what.charAt(0).toUpperCase()}${wrong.what.slice(1)}.`);
    for (const a of answers) {
      const d = decoded(a);
      if (d) this.shown[a.side] = d;
    }
    this.show();
    const { A, B } = this.shown;
    const most = (d: Decoded): number => d.errors.each[d.errors.worst] ?? 0;
    if (A && B) this.look(Math.max(0, (most(A) > most(B) ? A : B).errors.worst));
  }

  private show(): void {
    const { A, B } = this.shown;
    if (!A || !B || byId("panel-output").hidden) return;
    this.content.hidden = false;
    const n = A.exact.length;
    const { element = "", address = 0, columns = 0 } = A.of;
    const wide = Math.min(this.shapes.get(A.of.name) ?? columnsOf(n, columns), MOST_COLUMNS);
    this.which.hidden = this.which.options.length < 2;
    this.columns.value = String(wide);
    text(this.rows, `columns × ${count(Math.ceil(n / wide))} rows`);
    text(this.words, `${visible(A.of.name)}: ${count(n)} elements of type ${element} from ${hex(address)}.`);
    this.worst.replaceChildren(...SIDES.map((side) => this.worstOf(side, this.shown[side]!)));
    this.fillSaves(element, n, columns);
    this.charts.draw(A, B, wide);
    this.fillHistogram(A, B);
    this.table.show(A, B);
  }

  private worstOf(side: Side, d: Decoded): HTMLElement {
    const { errors, exact, got, of } = d;
    const at = errors.worst;
    if (at < 0) return h("p", { "data-side": side }, `${side}: ${wordsOf(d)}.`);
    const addr = of.address! + at * bytesOf(of.element!);
    const distance = Number.isFinite(errors.each[at]!) ? `, ${textOf(errors.each[at]!)},` : "";
    const said = `${side}: ${wordsOf(d)}. The largest error${distance} is at element ${count(at)} (${hex(addr)}): ` +
      `exactly ${textOf(exact[at]!)}, here ${textOf(got[at]!)}.`;
    const block = button("Its block", () => this.hooks.pick(addr, side), { class: "block" });
    const go = h("button", { type: "button", class: "go", onclick: () => this.look(at) }, "Show it");
    const result = this.page.results[side];
    const why = result?.predicted && result.loss && side === this.page.settings.side &&
      h("button", { type: "button", "data-from": at, "data-each": 1, "data-name": of.name }, "Why?");
    return h("p", { "data-side": side }, said, go, block, why || undefined);
  }

  private fillSaves(element: string, n: number, image: number): void {
    const shape = image > 0 || this.shapes.has(this.which.value) ? Number(this.columns.value) : 0;
    const fits = shape > 0 && n % shape === 0;
    const sizes = fits ? [n / shape, shape] : [n];
    const saver = (words: string, name: string, data: Uint8Array): HTMLElement =>
      button(`${words}.npy`, () => save(npyOf(element, sizes, data), name), { "data-npy": words });
    const { results } = this.page;
    const name = (side: Side, what: string): string =>
      [
        "burstscope", results.origin.shipped.name, this.shown[side]!.of.name, `${what}${namedBits(element)}`,
        `${(results[side]?.resultHash ?? "").slice(0, 12)}.npy`,
      ].join("-").replace(/[^\w.-]+/g, "_");
    const { A, B } = this.shown;
    this.saves.replaceChildren("save ", saver("exact", name("A", "exact"), A!.of.exact!),
      saver("A", name("A", "A"), A!.of.got!), saver("B", name("B", "B"), B!.of.got!));
  }

  private fillHistogram(A: Decoded, B: Decoded): void {
    const bins = binsOf([A.errors, B.errors]);
    const most = Math.log1p(A.exact.length);
    const bar = (n: number): HTMLElement => {
      const width = `width: ${(100 * Math.log1p(n)) / most}%`;
      return h("td", {}, n > 0 && h("i", { style: width }), h("span", {}, n > 0 ? count(n) : "–"));
    };
    fill(this.histogram, ["error", "A", "B"], bins.map((b) => row({}, b.title, ...b.counts.map(bar))));
  }

  // look puts an element into the middle of all views.
  private look(i: number): void {
    const { A, B } = this.shown;
    if (!A || !B) return;
    const at = Math.max(0, Math.min(A.exact.length - 1, i));
    this.charts.look(at);
    this.table.look(at);
  }
}
