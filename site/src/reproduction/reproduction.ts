// The reproduction of the papers as the page sees it before it is opened: what a
// link says of it, and the way to its script, which is fetched when it is first opened.

import { asset } from "../lib/assets";
import { h } from "../lib/dom";
import type { Messages } from "../state/messages";
import type { Described } from "../protocol/protocol";
import type { Scenario } from "../protocol/scenario";
import type { Page } from "../state/state";

export const REPRO_SHOWS = ["ledger", "figures", "sweep"] as const;
export type ReproShow = (typeof REPRO_SHOWS)[number];
export const PAPERS = ["SLC", "E2MC", "LATTE", "BUDDY", "RFVP"] as const;
export const TIERS = ["T1", "T2", "T3"] as const;
// Verdicts as links write them, and as the ledger does.
export const VERDICTS = {
  holds: "holds",
  fails: "does not hold",
  calibrated: "input-calibrated",
  shown: "shown only",
  unmeasured: "not yet measured",
} as const;
export type VerdictKey = keyof typeof VERDICTS;
export const DATA_MODES = ["natural", "calibrated"] as const;
export type DataMode = (typeof DATA_MODES)[number];

export interface ReproSettings {
  open: boolean;
  show: ReproShow;
  data: DataMode;
  // Filters of the ledger, "" = all.
  paper: string;
  tier: string;
  verdict: string;
  q: string;
  sort: string; // "apart": rows furthest from the paper first; "": as in the table of claims
  figure: string;
  // The sweep of the reader's own: a path of the scenario and its values.
  vary: string;
  values: string;
  both: string; // "1": in scheme A too
}

export const FIRST_REPRO: ReproSettings = {
  open: false,
  show: "ledger",
  data: "natural",
  paper: "",
  tier: "",
  verdict: "",
  q: "",
  sort: "",
  figure: "SLC-7",
  vary: "memory.threshold",
  values: "4, 8, 12, 16",
  both: "",
};

// ReproTest is what tests read of the part.
export interface ReproTest {
  open: boolean;
  ready: boolean; // its data are read
  rows: number; // of the ledger, on show
  // The sweep under way or over last.
  sweep: "idle" | "running" | "paused" | "done" | "cancelled";
  points: number; // of it
  done: number; // of these, computed or known from before
  known: number; // of these, known from before
  cancelMilliseconds: number; // from asking until no worker works, of the latest cancel or pause
  same: number; // points of the figure on show computed here with the committed hash
  different: number;
}

export const FIRST_REPRO_TEST: ReproTest = {
  open: false, ready: false, rows: 0, sweep: "idle", points: 0, done: 0, known: 0, cancelMilliseconds: 0, same: 0, different: 0,
};

export interface ReproHooks {
  messages: Messages;
  describe(scenario: Scenario): Promise<Described>;
  // openPoint shows a scenario in the simulator and runs it.
  openPoint(fragment: string): void;
}

declare global {
  interface Window {
    burstscopeRepro?: (page: Page, hooks: ReproHooks) => void;
  }
}

// reproLoader fetches the part's script, once.
export function reproLoader(page: Page, hooks: ReproHooks): () => void {
  let asked = false;
  const load = (): void => {
    if (asked) return;
    asked = true;
    document.head.append(h("link", { rel: "stylesheet", href: asset("repro.css") }));
    const script = h("script", { src: asset("repro.js") });
    script.onload = () => {
      window.burstscopeRepro?.(page, hooks);
      page.emit("repro");
    };
    script.onerror = () => {
      asked = false;
      script.remove();
      hooks.messages.show("repro", { what: "The reproduction could not be loaded:", where: "repro.js.", mend: "The simulator works without it." }, { label: "Try again", run: load });
    };
    document.head.append(script);
  };
  return load;
}

// writeRepro gives the pairs of the fragment, and readers of them below.
export function writeRepro(s: ReproSettings): [string, string][] {
  if (!s.open) return [];
  const pairs: [string, string][] = [["repro", s.show]];
  for (const key of ["data", "paper", "tier", "verdict", "q", "sort", "figure", "vary", "values", "both"] as const) {
    if (s[key] !== FIRST_REPRO[key]) pairs.push([`repro.${key}`, s[key]]);
  }
  return pairs;
}

const LONGEST_TEXT = 200;

function wordOf(list: readonly string[], key: "show" | "data" | "paper" | "tier" | "verdict" | "sort"): (value: string, s: ReproSettings) => string | undefined {
  return (value, s) => {
    if (!list.includes(value)) return `it is one of ${list.join(", ")}`;
    Object.assign(s, { [key]: value });
    return undefined;
  };
}

function textOf(key: "q" | "figure" | "vary" | "values" | "both", form: RegExp, what: string): (value: string, s: ReproSettings) => string | undefined {
  return (value, s) => {
    if (value.length > LONGEST_TEXT || !form.test(value)) return what;
    s[key] = value;
    return undefined;
  };
}

// REPRO_KEYS read the pairs of a fragment; each answers what is wrong.
export const REPRO_KEYS: Record<string, (value: string, s: ReproSettings) => string | undefined> = {
  repro: (value, s) => {
    const wrong = wordOf(REPRO_SHOWS, "show")(value, s);
    if (!wrong) s.open = true;
    return wrong;
  },
  "repro.data": wordOf(DATA_MODES, "data"),
  "repro.paper": wordOf(PAPERS, "paper"),
  "repro.tier": wordOf(TIERS, "tier"),
  "repro.verdict": wordOf(Object.keys(VERDICTS), "verdict"),
  "repro.sort": wordOf(["apart"], "sort"),
  "repro.q": textOf("q", /./, `it is a text of at most ${LONGEST_TEXT} characters`),
  "repro.figure": textOf("figure", /^[A-Z0-9]+-[0-9]+$/, "it is the name of a figure, such as SLC-7"),
  "repro.vary": textOf("vary", /^[A-Za-z][\w.]*$/, "it is a path of the scenario, such as memory.threshold"),
  "repro.both": textOf("both", /^1$/, "it is 1 where scheme A varies too"),
  "repro.values": textOf("values", /./, `it is a list of values, at most ${LONGEST_TEXT} characters`),
};
