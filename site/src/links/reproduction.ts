// The reproduction of the papers in a fragment: writes its pairs and reads them.

import { DATA_SETS, FIRST_REPRO, FORMAT_MACHINES, FORMAT_METRICS, MAGS, PAPERS, REPRO_SHOWS, type ReproSettings, TIERS, VERDICTS } from "../state/reproduction";

// writeRepro returns the pairs of the fragment.
export function writeRepro(s: ReproSettings): [string, string][] {
  if (!s.open) return [];
  const pairs: [string, string][] = [["repro", s.show]];
  for (const key of ["data", "paper", "tier", "verdict", "q", "sort", "row", "figure", "machine", "mag", "metric", "vary", "values", "both", "vary2", "values2"] as const) {
    if (s[key] !== FIRST_REPRO[key]) pairs.push([`repro.${key}`, s[key]]);
  }
  return pairs;
}

export const LONGEST_TEXT = 400;

export function wordOf(list: readonly string[], key: "show" | "data" | "paper" | "tier" | "verdict" | "sort" | "machine" | "mag" | "metric"): (value: string, s: ReproSettings) => string | undefined {
  return (value, s) => {
    if (!list.includes(value)) return `use one of ${list.join(", ")}`;
    Object.assign(s, { [key]: value });
    return undefined;
  };
}

export function textOf(key: "q" | "row" | "figure" | "vary" | "values" | "both" | "vary2" | "values2", form: RegExp, what: string): (value: string, s: ReproSettings) => string | undefined {
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
  "repro.data": wordOf(DATA_SETS, "data"),
  "repro.paper": wordOf(PAPERS, "paper"),
  "repro.tier": wordOf(TIERS, "tier"),
  "repro.verdict": wordOf(Object.keys(VERDICTS), "verdict"),
  "repro.sort": wordOf(["apart"], "sort"),
  "repro.machine": wordOf(FORMAT_MACHINES, "machine"),
  "repro.mag": wordOf(MAGS, "mag"),
  "repro.metric": wordOf(FORMAT_METRICS, "metric"),
  "repro.q": textOf("q", /./, `use a text of at most ${LONGEST_TEXT} characters`),
  "repro.row": textOf("row", /^[A-Z0-9]+-[0-9a-z]+$/, "use the name of a row, such as SLC-37"),
  "repro.figure": textOf("figure", /^[A-Z0-9]+-[0-9a-z]+$/, "use the name of a figure, such as SLC-7"),
  "repro.vary": textOf("vary", /^[A-Za-z][\w.]*$/, "use a path of the scenario, such as memory.threshold"),
  "repro.vary2": textOf("vary2", /^[A-Za-z][\w.]*$/, "use a path of the scenario, such as memory.mag"),
  "repro.values2": textOf("values2", /./, `use a list of values, at most ${LONGEST_TEXT} characters`),
  "repro.both": textOf("both", /^1$/, "use 1 to vary scheme A too"),
  "repro.values": textOf("values", /./, `use a list of values, at most ${LONGEST_TEXT} characters`),
};
