// A paper on a page: what it is, its headline results beside ours in the order of the text, and its figures.

import { h } from "../lib/dom";
import type { Page } from "../state/page";
import { BY_RUNS, PAPERS, TIERS, type ReproSettings } from "../state/reproduction";
import { paletteOf } from "../state/theme";
import { sourceOf, type Claim, type Figure, type Index, type Ledger } from "./data";
import { claimRow, claimsTable, verdictKey } from "./ledger";
import { citation } from "./papers";
import { thumbnail } from "./thumbnail";

export class PaperView {
  readonly box = h("div", { class: "paperpage" });
  private ledger: Ledger | undefined;
  private figures: ReadonlyMap<string, Figure> = new Map();

  constructor(private page: Page, private index: Index) {}

  show(ledger: Ledger, figures: ReadonlyMap<string, Figure>): void {
    [this.ledger, this.figures] = [ledger, figures];
  }

  draw(): void {
    const { ledger } = this;
    const paper = this.page.settings.repro.paper || PAPERS[0];
    if (!ledger) return;
    const focused = this.box.contains(document.activeElement) && document.activeElement?.id;
    const rows = ledger.claims.filter((c) => c.paper === paper && isHeadline(c));
    const source = sourceOf(ledger, paper);
    const body = h("tbody", {}, ...rows.map((c) => claimRow(c, () => this.turn({ show: "ledger", row: c.id }))));
    const all = () => this.turn({ show: "ledger", paper, tier: "", verdict: "", q: "", row: "" });
    const figures = this.index.figures.filter((f) => f.paper === paper && this.figures.has(f.name));
    this.box.replaceChildren(
      h("div", { class: "tools", role: "group", "aria-label": "Paper" }, ...PAPERS.map((p) => {
        const pressed = { "aria-pressed": String(p === paper), onclick: () => this.turn({ paper: p }) };
        return h("button", { type: "button", id: `paper-${p}`, ...pressed }, p);
      })),
      citation(paper) ?? "",
      h("p", { id: "paper-summary" }, summary(rows),
        source && ` Machine and inputs: ${source.machine}, ${source.data}. `,
        h("button", { type: "button", class: "plain", onclick: all }, `All rows of ${paper}`)),
      claimsTable("paper-headlines", "apart", body),
      h("h2", { class: "figure-title" }, "Figures"),
      h("div", { class: "cards" }, ...figures.map((f) => this.card(f.name, f.title))),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  private card(figure: string, title: string): HTMLElement {
    const open = () => this.turn({ show: "figures", figure });
    const picture = thumbnail(this.figures.get(figure)?.panels[0], paletteOf(this.page));
    const of = { type: "button", "data-figure": figure, onclick: open };
    return h("button", of, picture, h("b", {}, figure), h("span", {}, title));
  }

  private turn(to: Partial<ReproSettings>): void {
    Object.assign(this.page.settings.repro, to);
    this.page.emit("repro");
  }
}

// isHeadline: a core result that the paper gives a number for, and that runs decide.
function isHeadline(c: Claim): boolean {
  return c.kind === "headline" && c.tier === TIERS[0] && BY_RUNS.includes(verdictKey(c.verdict));
}

function summary(rows: Claim[]): string {
  const [holds, inOrder, fails] = BY_RUNS.map((key) => rows.filter((c) => verdictKey(c.verdict) === key).length);
  const others = `${inOrder} hold in order but not in size, and ${fails} do not hold`;
  return `Of ${rows.length} headline results that runs decide, ${holds} hold, ${others}.`;
}
