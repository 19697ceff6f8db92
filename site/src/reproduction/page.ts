// The reproduction of the papers: a page of each, the ledger of claims, the figures, and sweeps in
// the page.

import "../../repro.css";
import { assets } from "../lib/assets";
import { button, byId, h, stepped, text } from "../lib/dom";
import { soon } from "../lib/turns";
import type { ReproHooks } from "./loader";
import { DATA_SETS, PAPERS, REPRO_SHOWS, type DataSet, type ReproShow } from "../state/reproduction";
import { DataError, papersOf, readIndex, readFigures, readLedger, readFormats, readSilicon, type Figure, type Index, type Ledger } from "./data";
import { FigureView } from "./figure";
import { FormatsView } from "./formats";
import { LedgerView, shortHash } from "./ledger";
import { PaperView } from "./paper";
import { SiliconView } from "./silicon";
import type { Page } from "../state/page";
import { SweepForm } from "./sweepform";
import { Store } from "../sweep/store";

window.burstscopeRepro = (page, hooks) => new Reproduction(page, hooks);

// A sweep is a part of its own.
const PAPERS_SHOWS: readonly ReproShow[] = REPRO_SHOWS.filter((show) => show !== "sweep");
const TITLES: Record<ReproShow, string> = { papers: "Papers", ledger: "Ledger", figures: "Figures", silicon: "Silicon", formats: "Formats", sweep: "Compare" };
const HEADS: Record<ReproShow, string> = {
  papers: "Five papers: their headline results and ours",
  ledger: "Statements of the papers and our verdicts",
  figures: "The figures of the papers, with our values",
  silicon: "Simulated times against those of a GPU",
  formats: "Today's number formats under all codecs",
  sweep: "Compare schemes, settings and machines on your program",
};

// CLAIMS are the parts that show committed results of claims.
const CLAIMS: readonly ReproShow[] = ["papers", "ledger", "figures"];

interface View {
  box: HTMLElement;
  draw(): void;
}

class Reproduction {
  private title = h("h1", {});
  private bar = h("div", { class: "tabbar" });
  private about = h("p", { class: "note", id: "repro-about" });
  private data = h("select", { id: "repro-data", "aria-label": "Inputs" });
  private tabs = new Map<ReproShow, HTMLButtonElement>();
  private stage = h("div", { id: "repro-stage", role: "tabpanel" });
  private index: Index | undefined;
  private ledgers = new Map<DataSet, Ledger>();
  private figures = new Map<DataSet, Map<string, Figure>>();
  private ledger: LedgerView;
  private paper: PaperView | undefined;
  private figure: FigureView | undefined;
  private silicon: SiliconView | undefined;
  private formats: FormatsView | undefined;
  private sweep: SweepForm | undefined;
  private store: Store;
  private readonly draw = soon(() => void this.paint());

  constructor(private page: Page, private hooks: ReproHooks) {
    this.store = new Store(assets.version);
    this.ledger = new LedgerView(page, (fragment) => hooks.openPoint(fragment));
    const list = h("div", { role: "tablist", "aria-label": "Parts of the reproduction" });
    for (const show of PAPERS_SHOWS) {
      const tab = button(TITLES[show], () => this.turn(show), { role: "tab", id: `repro-tab-${show}`, "aria-controls": "repro-stage" });
      this.tabs.set(show, tab);
      list.append(tab);
    }
    stepped(list, () => ({ ArrowRight: 1, ArrowLeft: -1 }), (step) => {
      const at = PAPERS_SHOWS.indexOf(page.settings.repro.show) + step;
      this.turn(PAPERS_SHOWS[(at + PAPERS_SHOWS.length) % PAPERS_SHOWS.length]!);
      this.tabs.get(page.settings.repro.show)!.focus();
    });
    this.data.addEventListener("change", () => {
      page.settings.repro.data = this.data.value as DataSet;
      page.emit("repro");
    });
    this.bar.append(list, h("label", { class: "inputs" }, this.data));
    byId("repro").append(h("div", { class: "repropage" }, this.title, this.bar, this.about, this.stage));
    page.on(["repro", "lists", "scenario", "theme"], this.draw);
    void this.load();
  }

  private turn(show: ReproShow): void {
    this.page.settings.repro.show = show;
    this.page.emit("repro");
  }

  private async load(): Promise<void> {
    try {
      const index = await readIndex();
      this.index = index;
      this.data.replaceChildren(...DATA_SETS.map((d) => h("option", { value: d }, d === "own" ? "inputs of each paper" : `${d} inputs: ${papersOf(index, d).join(", ")}`)));
      this.hooks.messages.clear("repro");
      this.page.status.repro.ready = true;
      this.draw();
    } catch (e) {
      this.fault(e, () => void this.load());
    }
  }

  // fault says once what is wrong with the data. The shown data stay.
  private fault(e: unknown, again: () => void): void {
    if (!(e instanceof DataError)) throw e;
    this.hooks.messages.show(
      "repro",
      { what: "The results of the reproduction could not be read:", where: `${e.message}.`, mend: "The simulator works without them. Build the page again or" },
      { label: "Try again", run: again },
    );
  }

  private async paint(): Promise<void> {
    const s = this.page.settings.repro;
    if (!s.open) return;
    text(this.title, HEADS[s.show]);
    for (const [show, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(show === s.show));
      tab.tabIndex = show === s.show ? 0 : -1;
    }
    this.bar.hidden = s.show === "sweep";
    if (s.show === "sweep") this.stage.removeAttribute("aria-labelledby");
    else this.stage.setAttribute("aria-labelledby", `repro-tab-${s.show}`);
    this.stage.setAttribute("role", s.show === "sweep" ? "group" : "tabpanel");
    this.data.hidden = this.about.hidden = !CLAIMS.includes(s.show);
    if (!this.index && !this.data.hidden) return;
    const view = await this.view(s.show).catch((e: unknown) => this.fault(e, this.draw));
    if (!view || this.page.settings.repro.show !== s.show) return;
    if (this.stage.firstElementChild !== view.box) this.stage.replaceChildren(view.box);
    view.draw();
    this.drawInputs();
    this.drawAbout();
  }

  private async view(show: ReproShow): Promise<View | undefined> {
    if (show === "sweep") return (this.sweep ??= new SweepForm(this.page, this.store, this.hooks.messages, this.hooks));
    if (show === "silicon") {
      this.silicon ??= new SiliconView(await readSilicon());
      this.hooks.messages.clear("repro");
      return this.silicon;
    }
    if (show === "formats") {
      this.formats ??= new FormatsView(this.page, await readFormats(), (fragment) => this.hooks.openPoint(fragment));
      this.hooks.messages.clear("repro");
      return this.formats;
    }
    if (!this.index) return undefined;
    if (show === "figures") return this.figureView(this.index);
    const set = this.set(this.index);
    const ledger = this.ledgers.get(set) ?? (await readLedger(set, this.index));
    this.ledgers.set(set, ledger);
    const figures = show === "papers" ? await this.figuresOf(this.index) : undefined;
    this.hooks.messages.clear("repro");
    if (figures) {
      this.paper ??= new PaperView(this.page, this.index);
      this.paper.show(ledger, figures);
      return this.paper;
    }
    this.ledger.show(ledger, this.index.runs);
    return this.ledger;
  }

  private async figuresOf(index: Index): Promise<Map<string, Figure>> {
    const set = this.set(index);
    const known = this.figures.get(set) ?? (await readFigures(set, index));
    this.figures.set(set, known);
    return known;
  }

  private async figureView(index: Index): Promise<View | undefined> {
    const s = this.page.settings.repro;
    const known = await this.figuresOf(index);
    this.hooks.messages.clear("repro");
    const figure = known.get(s.figure) ?? known.values().next().value;
    if (!figure) return undefined;
    if (figure.figure !== s.figure) {
      if (!index.figures.some((f) => f.name === s.figure)) {
        this.hooks.messages.show("figure", { what: `There is no figure “${s.figure}”.`, mend: `There are ${index.figures.map((f) => f.name).join(", ")}.` });
      }
      s.figure = figure.figure;
      this.page.emit("repro");
    }
    this.figure ??= new FigureView(this.page, index, this.store, this.hooks.messages, (fragment) => this.hooks.openPoint(fragment));
    this.figure.show(figure);
    return this.figure;
  }

  // sets are those that have the figure on show, or rows of the chosen paper. Few papers have results in more
  // than one.
  private sets(index: Index): readonly DataSet[] {
    const { show, figure } = this.page.settings.repro;
    const paper = this.page.settings.repro.paper || (show === "papers" && PAPERS[0]);
    if (show === "figures") return index.figures.find((f) => f.name === figure)?.sets ?? ["own"];
    return DATA_SETS.filter((d) => !paper || papersOf(index, d).includes(paper));
  }

  // set is the chosen one where it has results, and each paper's own elsewhere.
  private set(index: Index): DataSet {
    const { data } = this.page.settings.repro;
    return this.sets(index).includes(data) ? data : "own";
  }

  private drawInputs(): void {
    if (!this.index) return;
    const sets = this.sets(this.index);
    for (const option of this.data.options) option.disabled = !sets.includes(option.value as DataSet);
    this.data.value = this.set(this.index);
  }

  private drawAbout(): void {
    const { index } = this;
    if (!index) return;
    const s = this.page.settings.repro;
    const here = assets.version;
    const other = here !== index.version ? ` The engine of this page is version ${here}: results computed here are not comparable.` : "";
    const parts = index.parts.filter((p) => p.runs > (p.lacking ?? 0) && p.sets[this.set(index)]);
    const figure = s.show === "figures" ? this.figures.get(this.set(index))?.get(s.figure) : undefined;
    // The page of a paper has its machine and inputs beside its results.
    const machines = s.show === "papers" ? "" : figure
      ? `${figure.figure}: ${figure.machine}, ${figure.data} inputs. `
      : `Machines and inputs: ${parts.map((p) => `${p.sets[this.set(index)]!.papers.join(" and ")} ${p.machine}, ${p.sets[this.set(index)]!.data}`).join("; ")}. `;
    text(this.about, `${machines}Committed results of version ${index.version}, SHA-256 ${shortHash(figure?.digest ?? index.digest)}…; anyone with that version gets the same bits.${other}`);
  }
}
