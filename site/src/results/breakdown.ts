// Breakdowns: totals that are the sum of their parts, as stacked bars of both
// sides on one scale, with every part as a number that opens. A breakdown is made
// from groups of counters and shows those that a result has.

import { byId, h, svg, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { change, count, joules, percent, significant } from "../lib/format";
import { counter, type Given, type Term } from "../state/metrics";
import { SIDES, type PerSide, type Result } from "../protocol/protocol";
import { owns } from "../state/owned";
import { onShow } from "./results";
import type { Page } from "../state/page";

interface Part {
  key: string;
  label: string;
  formula: string;
  counters: string[];
  about: string;
  source: string;
  value(r: Result): number | undefined;
  terms?(r: Result): Term[];
  rest: boolean; // time in which nothing was done
}

interface Breakdown {
  key: string;
  title: string;
  about: string;
  unit: string;
  formula: string;
  counters: string[];
  parts: Part[];
  total(r: Result): number | undefined;
  text(v: number): string;
}

const WIDTH = 300;
const BAR = 13;
const COLOURS = 10;
const NAMED = 0.005; // of a bar: smaller parts are only in the table
const COUNTED = "counted by the simulator";

// Group is a breakdown by the names of its counters.
interface Group {
  key: string;
  title: string;
  about: string;
  unit: string;
  counters: RegExp;
  except?: string;
  strip: [RegExp, RegExp]; // the part of a counter's name that is dropped from the label
  totals: string[]; // counters whose sum equals the sum of the parts
  over?: string; // counter that divides the parts
  text(v: number): string;
  words: Record<string, string>; // the parts in order; others follow by name
  idle: readonly string[];
}

const GROUPS: readonly Group[] = [
  {
    key: "slots",
    title: "Warp schedulers",
    about: "Every cycle of every scheduler: what it did, or what the warp closest to issuing waited for.",
    unit: "scheduler cycles",
    counters: /^slot[A-Z]\w*$/,
    strip: [/^slot/, /$/],
    totals: ["schedulerCycles"],
    text: cycles,
    words: {
      slotIssued: "issued",
      slotUnit: "unit busy",
      slotQueue: "load/store queue full",
      slotShort: "short scoreboard",
      slotFetch: "instruction fetch",
      slotConstant: "constant cache",
      slotLong: "long scoreboard: L2, DRAM",
      slotBarrier: "barrier",
      slotExited: "warps exited",
      slotIdle: "no warp",
    },
    idle: ["slotIdle"],
  },
  {
    key: "bus",
    title: "DRAM data buses",
    about: "Every cycle of every channel's data bus: what it carried, or why it was empty.",
    unit: "DRAM cycles",
    counters: /^bus[A-Z]\w*Cycles$/,
    except: "busAheadCycles",
    strip: [/^bus/, /Cycles$/],
    totals: ["dramCycles", "busAheadCycles"],
    text: cycles,
    words: {
      busReadCycles: "read",
      busWriteCycles: "write",
      busTurnaroundCycles: "turnaround",
      busRefreshCycles: "refresh",
      busBankCycles: "banks: rows, distances",
      busIdleCycles: "no requests",
      busPendingCycles: "end of the run",
    },
    idle: ["busIdleCycles", "busPendingCycles"],
  },
  {
    key: "latency",
    title: "A block read from DRAM",
    about: "Mean time from the controller's acceptance of a read to its last byte, decompressed.",
    unit: "DRAM cycles a block",
    counters: /^read(Metadata|Queue|Bank|Bus|Decompress)Cycles$/,
    strip: [/^read/, /Cycles$/],
    totals: ["readLatencyCycles"],
    over: "readBlocksServed",
    text: (v) => significant(v),
    words: {
      readMetadataCycles: "metadata",
      readQueueCycles: "queue",
      readBankCycles: "row closed and opened",
      readBusCycles: "commands and data",
      readDecompressCycles: "decompression",
    },
    idle: [],
  },
];

function cycles(v: number): string {
  return v >= 1e6 ? `${significant(v / 1e6)}\u202fM` : count(v);
}

// breakdownOf makes a breakdown of a group where a result has its counters.
function breakdownOf(page: Page, group: Group): Breakdown | undefined {
  const stats = page.results.B?.stats ?? page.results.A?.stats ?? {};
  const known = Object.keys(group.words);
  const others = Object.keys(stats).filter((n) => group.counters.test(n) && n !== group.except && !known.includes(n));
  const found = [...known.filter((n) => stats[n] !== undefined), ...others.sort()];
  if (found.length === 0 || group.totals.some((n) => stats[n] === undefined)) return undefined;
  const divided = (v: number | undefined, r: Result): number | undefined => {
    if (v === undefined || group.over === undefined) return v;
    const by = counter(r, group.over);
    return by ? v / by : undefined;
  };
  const over = group.over === undefined ? "" : ` ÷ ${group.over}`;
  const also = group.over === undefined ? [] : [group.over];
  const parts = found.map((name) => ({
    key: name,
    label: group.words[name] ?? wordsOf(name, group.strip),
    formula: name + over,
    counters: [name, ...also],
    about: page.catalogue.counters[name]?.doc ?? "",
    source: COUNTED,
    value: (r: Result) => divided(counter(r, name), r),
    rest: group.idle.includes(name),
  }));
  return {
    key: group.key,
    title: group.title,
    about: group.about,
    unit: group.unit,
    formula: `${group.totals.join(" + ")}${over} = the sum of the parts`,
    counters: [...group.totals, ...also],
    parts,
    total: (r) => divided(group.totals.reduce((sum, n) => sum + (counter(r, n) ?? 0), 0), r),
    text: group.text,
  };
}

// wordsOf makes words of a counter's name.
function wordsOf(name: string, [before, after]: [RegExp, RegExp]): string {
  return name.replace(before, "").replace(after, "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

// energyOf breaks the energy of a run down into the parts of the machine.
function energyOf(page: Page): Breakdown | undefined {
  const sample = page.results.B?.energy ?? page.results.A?.energy;
  if (!sample) return undefined;
  const partOf = (r: Result, name: string) => r.energy?.parts.find((p) => p.name === name);
  const parts = sample.parts.map(({ name, title }) => ({
    key: name,
    label: title,
    formula: "the sum over all kinds of events: count × energy of one, or cycles × power ÷ clock",
    counters: [],
    about: `${title}: its share of the energy of the run.`,
    source: "“All values…” lists the energy of each event with its source",
    value: (r: Result) => partOf(r, name)?.femtojoules,
    terms: (r: Result) =>
      (partOf(r, name)?.terms ?? []).map((t) => ({
        name: t.counter,
        text: joules(t.femtojoules / 1e15),
        detail: `${count(t.count)} × ${t.path} (${count(t.value)})${t.source ? `; ${t.source}` : ""}`,
      })),
    rest: name === "static",
  }));
  return {
    key: "energy",
    title: "Energy",
    about: "The energy of the run, by part of the machine.",
    unit: "energy",
    formula: "the sum of the parts",
    counters: [],
    parts,
    total: (r) => r.energy?.totalFemtojoules,
    text: (v) => joules(v / 1e15),
  };
}

// startBreakdowns draws each breakdown in a turn of its own: all at once would hold up a slow phone.
export function startBreakdowns(page: Page): void {
  const box = byId("accounts");
  const makers = [...GROUPS.map((g) => () => breakdownOf(page, g)), () => energyOf(page)];
  const draws = makers.map((make) => {
    let section = nothing();
    box.append(section);
    return soon(() => {
      const b = page.shows ? make() : undefined;
      const shape = b ? b.parts.map((p) => p.key).join() : "";
      if ((section.dataset["shape"] ?? "") !== shape) {
        const fresh = b ? build(b) : nothing();
        fresh.dataset["shape"] = shape;
        section.replaceWith(fresh);
        section = fresh;
      }
      if (b) {
        define(page, b);
        fill(b, section, onShow(page));
      }
      owns(page, section);
      box.hidden = box.querySelector(".breakdown") === null;
    });
  });
  const all = (): void => draws.forEach((draw) => draw());
  page.on(["results", "lists", "scenario"], all);
  all();
}

function nothing(): HTMLElement {
  return h("section", { hidden: true });
}

// define makes the total and each part a figure that opens.
function define(page: Page, b: Breakdown): void {
  const figure = (key: string, title: string, p: Omit<Part, "key" | "label" | "rest">): void => {
    page.catalogue.figures.set(key, {
      key,
      title,
      formula: p.formula,
      counters: p.counters,
      about: p.about,
      source: p.source,
      value: (g) => p.value(g.result),
      text: b.text,
      ...(p.terms ? { terms: (g: Given) => p.terms!(g.result) } : {}),
    });
  };
  figure(b.key, b.title, {
    formula: b.formula,
    counters: b.counters,
    about: b.about,
    source: COUNTED,
    value: b.total,
    terms: (r) => b.parts.map((p) => ({ name: p.label, text: optional(p.value(r), b), detail: p.terms ? "" : p.about })),
  });
  for (const p of b.parts) figure(partKey(b, p), `${b.title}: ${p.label}`, p);
}

function optional(v: number | undefined, b: Breakdown): string {
  return v === undefined ? "–" : b.text(v);
}

function partKey(b: Breakdown, p: Part): string {
  return `${b.key}/${p.key}`;
}

function shade(p: Part, index: number): string {
  return p.rest ? "part rest" : `part p${index % COLOURS}`;
}

function number(metric: string): HTMLElement {
  return h("button", { type: "button", class: "num", "data-metric": metric }, "–");
}

function build(b: Breakdown): HTMLElement {
  const bar = (side: string): HTMLElement =>
    h("div", { class: "bar-of", "data-side": side },
      h("b", {}, side),
      svg("svg", { viewBox: `0 0 ${WIDTH} ${BAR}`, preserveAspectRatio: "none", role: "img" }),
      number(b.key),
    );
  const rows = b.parts.map((p, i) =>
    h("tr", { "data-part": p.key },
      h("th", { scope: "row" }, h("i", { class: `k ${shade(p, i)}` }, String(i + 1)), p.label),
      ...SIDES.map((side) =>
        h("td", { "data-side": side }, number(partKey(b, p)), h("small", { "data-share": side }, "")),
      ),
      h("td", { class: "change" }, ""),
    ),
  );
  const head = h("tr", {},
    h("th", { scope: "col" }, b.unit),
    ...SIDES.map((s) => h("th", { scope: "col" }, s)),
    h("th", { scope: "col" }, "B to A"),
  );
  return h("section", { class: "breakdown", "data-breakdown": b.key, "aria-label": b.title },
    h("h2", { title: b.about }, b.title, b.unit === b.key ? "" : h("small", {}, b.unit)),
    ...SIDES.map(bar),
    h("p", { class: "legend" }, ...b.parts.map((p, i) => h("span", { "data-legend": p.key }, h("i", { class: `k ${shade(p, i)}` }), p.label))),
    h("details", { class: "account" },
      h("summary", {}, `All ${b.parts.length} parts in numbers`),
      h("table", { class: "counts" }, h("thead", {}, head), h("tbody", {}, ...rows)),
    ),
  );
}

function fill(b: Breakdown, section: HTMLElement, both: Partial<PerSide<Given>>): void {
  const totals = SIDES.map((side) => (both[side] ? (b.total(both[side].result) ?? 0) : 0));
  const most = Math.max(1e-30, ...totals);
  SIDES.forEach((side, i) => {
    const g = both[side];
    const total = totals[i]!;
    const bar = section.querySelector(`.bar-of[data-side=${side}]`)!;
    let x = 0;
    const marks: SVGElement[] = [];
    const said: string[] = [];
    b.parts.forEach((p, k) => {
      const v = g && p.value(g.result);
      const share = v === undefined || total === 0 ? "" : percent(v / total);
      const row = section.querySelector(`tr[data-part="${p.key}"]`)!;
      text(row.querySelector(`[data-side=${side}] button`)!, optional(v, b));
      text(row.querySelector(`[data-share=${side}]`)!, share);
      if (!v) return;
      const w = (WIDTH * v) / most;
      marks.push(svg("rect", { class: shade(p, k), x, width: Math.max(w, 0.4), height: BAR }, svg("title", {}, `${p.label}: ${share}`)));
      x += w;
      said.push(`${p.label} ${share}`);
    });
    const plot = bar.querySelector("svg")!;
    plot.replaceChildren(...marks);
    plot.setAttribute("aria-label", `${side}: ${said.join(", ")}`);
    text(bar.querySelector("button")!, total === 0 ? "–" : b.text(total));
  });
  for (const p of b.parts) {
    section.querySelector<HTMLElement>(`[data-legend="${p.key}"]`)!.hidden = !SIDES.some((side) => both[side] && (p.value(both[side].result) ?? 0) >= NAMED * most);
    const [a, c] = SIDES.map((side) => both[side] && p.value(both[side].result));
    const words = a === undefined || c === undefined ? "" : change(a, c);
    text(section.querySelector(`tr[data-part="${p.key}"] .change`)!, words);
  }
}
