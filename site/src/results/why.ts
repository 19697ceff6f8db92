// Why one side is sooner: one sentence with the largest differences, and the way from bytes over
// the bus and the stalls to cycles.

import { byId, h, text } from "../lib/dom";
import { makeTable, row } from "../lib/table";
import { soon } from "../lib/turns";
import { change, count, percent } from "../lib/format";
import { counter } from "../state/metrics";
import type { PerSide, Result } from "../protocol/protocol";
import type { Page } from "../state/page";
import { credited } from "./credited";
import { owns } from "../state/owned";
import { NOT_DISTINGUISHABLE, noiseOf } from "./interval";
import { onShow } from "./results";

const SMALL = 0.005; // a difference below half a percent says nothing
const MOST_REASONS = 3;

// Cause is a number whose change can make a run sooner or later.
interface Cause {
  more: string; // words behind "9 % more" or "9 % fewer"
  sooner: -1 | 1; // the sign of a change that makes the run sooner
  value(r: Result): number | undefined;
  points?: boolean; // a share, compared in points
}

function over(r: Result, a: string, b: string): number | undefined {
  const [x, y] = [counter(r, a), counter(r, b)];
  return x === undefined || !y ? undefined : x / y;
}

const CAUSES: readonly Cause[] = [
  { more: "cycles waiting for memory", sooner: -1, value: (r) => counter(r, "stallMemoryCycles") },
  { more: "bytes moved", sooner: -1, value: (r) => counter(r, "dramBytes") },
  { more: "row hits", sooner: 1, points: true, value: (r) => counter(r, "rowHitRate") },
  { more: "metadata hits", sooner: 1, points: true, value: (r) => counter(r, "metadataHitRate") },
  { more: "L1 hits", sooner: 1, points: true, value: (r) => counter(r, "l1HitRate") },
  { more: "L2 misses", sooner: -1, value: (r) => counter(r, "l2Misses") },
  { more: "time for a block read from DRAM", sooner: -1, value: (r) => over(r, "readLatencyCycles", "readBlocksServed") },
];

interface Reason {
  size: number; // signed
  words: string;
  helps: boolean;
}

function reasonOf(c: Cause, a: Result, b: Result, sooner: boolean): Reason | undefined {
  const [x, y] = [c.value(a), c.value(b)];
  if (x === undefined || y === undefined || (!c.points && x === 0)) return undefined;
  const size = c.points ? y - x : y / x - 1;
  if (!Number.isFinite(size) || Math.abs(size) < SMALL) return undefined;
  const how = c.more.startsWith("time") || c.more.endsWith("hits") ? (size > 0 ? "more" : "less") : size > 0 ? "more" : "fewer";
  const much = c.points ? `${(Math.abs(size) * 100).toFixed(1)} points ${size > 0 ? "more" : "fewer"}` : `${percent(Math.abs(size))} ${how}`;
  return { size, words: `${much} ${c.more}`, helps: Math.sign(size) === (sooner ? c.sooner : -c.sooner) };
}

// why explains the difference of two runs, or says that there is none.
export function why(names: PerSide<string>, a: Result, b: Result): string {
  const [x, y] = [counter(a, "cycles"), counter(b, "cycles")];
  if (!x || y === undefined) return "";
  const sooner = 1 - y / x;
  const found = CAUSES.map((c) => reasonOf(c, a, b, sooner >= 0)).filter((r) => r !== undefined);
  found.sort((p, q) => Math.abs(q.size) - Math.abs(p.size));
  const said = found.slice(0, MOST_REASONS);
  const asLong = x === y ? "as long" : "about as long";
  if (said.length === 0) {
    const alike = `none of the causes compared here differs by ${percent(SMALL)}`;
    if (Math.abs(sooner) >= SMALL) return `${names.B} finishes ${percent(Math.abs(sooner))} ${sooner > 0 ? "sooner" : "later"}, but ${alike}.`;
    return names.A === names.B ? `Both sides run ${names.A} and take ${asLong}: ${alike}.` : `${names.B} takes ${asLong} as ${names.A}: ${alike}.`;
  }
  if (Math.abs(sooner) < SMALL) return `${names.B} takes ${asLong} as ${names.A}, with ${list(said)}.`;
  const [helping, against] = [said.filter((r) => r.helps), said.filter((r) => !r.helps)];
  const bytes = Math.abs((counter(b, "dramBytes") ?? 0) / (counter(a, "dramBytes") || 1) - 1) < SMALL ? "bytes hardly change" : "";
  const although = against.length > 0 ? `, although it has ${list(against)}` : bytes ? `, although ${bytes}` : "";
  const because = helping.length > 0 ? `: ${list(helping)}` : "";
  return `${names.B} finishes ${percent(Math.abs(sooner))} ${sooner > 0 ? "sooner" : "later"}${because}${although}.`;
}

function list(reasons: readonly Reason[]): string {
  const words = reasons.map((r) => r.words);
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

// STEPS lead from bytes to cycles.
const STEPS: readonly { title: string; unit: string; value(r: Result): number | undefined }[] = [
  { title: "bytes moved", unit: "bytes", value: (r) => counter(r, "dramBytes") },
  { title: "DRAM bus busy", unit: "DRAM cycles", value: (r) => counter(r, "dataBusBusyCycles") },
  { title: "stalls for memory", unit: "SM cycles", value: (r) => counter(r, "stallMemoryCycles") },
  { title: "cycles", unit: "core cycles", value: (r) => counter(r, "cycles") },
];

export function startWhy(page: Page): void {
  const words = h("span", {});
  const steps = h("details", { class: "account" });
  const link = h("a", { href: "#waterfall" }, "From bytes to cycles");
  const sentence = h("p", { id: "why", class: "note" }, words, " ", link);
  link.addEventListener("click", (e) => {
    e.preventDefault();
    steps.open = true;
    steps.scrollIntoView({ block: "nearest" });
    steps.querySelector("summary")!.focus({ preventScroll: true });
  });
  const body = h("tbody", {});
  steps.append(h("summary", {}, "From bytes to cycles"),
    h("p", { class: "note barkey" }, h("span", { class: "fall of-a", "aria-hidden": "true" }), "A ", h("span", { class: "fall", "aria-hidden": "true" }), "B, both on the scale of the larger. Each step follows from the one above. ",
      "How far the time moves with other inputs and places of the buffers stands below the headline."),
    makeTable({ class: "counts waterfall", id: "waterfall" }, ["step", "A", "B", "B against A"], body));
  byId("results-note").after(sentence, steps);
  const draw = (): void => {
    const { A, B } = onShow(page, true);
    owns(page, sentence, steps);
    const told = A && B && page.results.ran ? why(credited(page.results.scenario, page.results), A.result, B.result) : "";
    const inside = told !== "" && noiseOf(page)?.distinguishable === false;
    const said = inside ? `${told} The difference of time is ${NOT_DISTINGUISHABLE} from saving nothing.` : told;
    text(words, said);
    sentence.hidden = steps.hidden = said === "";
    // Until both sides of a run of this visit have ended, the room of this sentence is kept free.
    byId("results-note").classList.toggle("reserve", !(page.results.ran && A && B));
    if (!A || !B) return;
    body.replaceChildren(...STEPS.flatMap((step) => {
      const [a, b] = [step.value(A.result), step.value(B.result)];
      if (a === undefined || b === undefined) return [];
      const most = Math.max(a, b, 1);
      const bars = ([["fall of-a", a], ["fall", b]] as const).map(([name, v]) => {
        const bar = h("span", { class: name, "aria-hidden": "true" });
        bar.style.width = `${((100 * v) / most).toFixed(1)}%`;
        return bar;
      });
      const name = h("th", { scope: "row" }, step.title, h("small", {}, step.unit));
      return [row({}, name, count(a), count(b), h("td", {}, a === 0 ? "" : change(a, b), ...bars))];
    }));
  };
  page.on(["results", "run", "lists", "scenario"], soon(draw));
  draw();
}
