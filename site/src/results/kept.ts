// The last runs of this visit: what each changed, and what came of it. A click brings one back, and
// any can be side A of the next.

import { button, byId, h } from "../lib/dom";
import { soon } from "../lib/turns";
import { change, percent, ratio } from "../lib/format";
import { valueOf } from "../state/metrics";
import { KNOBS, complete, labels, partsOf, type Full, type Shipped } from "../protocol/scenario";
import { isLocked } from "../state/locks";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";
import { SIDES } from "../protocol/protocol";
import type { Earlier } from "../state/results";
import { given } from "./results";

const MOST_RUNS = 8;

interface Kept {
  run: number;
  results: Earlier;
  changed: string;
  numbers: string;
}

export function startKept(page: Page, messages: Messages, run: () => void): void {
  const list = h("ol", { class: "kept" });
  const box = h("div", { class: "box deep", id: "kept", hidden: true }, h("div", { class: "boxhead" }, h("h2", {}, "Runs of this visit")), list);
  byId("accounts").before(box);
  const runs: Kept[] = [];
  const take = (): void => {
    const { results, run: latest } = page;
    if (latest.phase !== "done" || results.of !== "run" || !results.A || !results.B) return;
    const hash = (k: Kept["results"]): string => `${k.A?.resultHash} ${k.B?.resultHash} ${k.A?.scenarioHash} ${k.B?.scenarioHash}`;
    if (runs.some((k) => k.run === latest.number)) return;
    const before = runs[runs.length - 1];
    const same = runs.findIndex((k) => hash(k.results) === hash(results));
    if (same >= 0) runs[same]!.run = latest.number; // it ran again: nothing new
    else {
      const { A, B, scenario, origin } = results;
      runs.push({ run: latest.number, results: { A, B, scenario, origin }, changed: differences(before?.results.scenario, scenario, origin.shipped), numbers: numbersOf(page) });
      if (runs.length > MOST_RUNS) runs.shift();
    }
    draw();
  };
  page.recall = (scenario, image) => {
    const wanted = JSON.stringify(scenario);
    return [...runs].reverse().find((k) => JSON.stringify(k.results.scenario) === wanted && k.results.origin.image === image)?.results;
  };
  const show = (k: Kept): void => {
    const { settings } = page;
    if (page.run.held || isLocked(page, "scenario")) return;
    settings.shipped = k.results.origin.shipped;
    settings.scenario = structuredClone(k.results.scenario);
    page.ownImage = k.results.origin.image ?? page.ownImage;
    page.results.restore(k.results);
    page.emit("scenario");
    page.emit("results");
    run(); // the picture and the events come again; the numbers stand
  };
  const asA = (k: Kept): void => {
    if (page.run.held || isLocked(page, "compare.memory")) return;
    const { memory } = k.results.scenario;
    page.settings.scenario = { ...structuredClone(page.settings.scenario), compare: structuredClone({ memory, ...partsOf(k.results.scenario) }) };
    page.emit("scenario");
    run();
  };
  const draw = (): void => {
    box.hidden = runs.length < 2 || page.settings.lesson.name !== "";
    list.replaceChildren(...[...runs].reverse().map((k) => {
      const now = k.results.scenario === page.results.scenario || k.run === page.run.number;
      const back = h("button", { type: "button", class: "plain keptrun", "aria-current": now ? "true" : undefined }, h("b", {}, k.changed), h("span", {}, k.numbers));
      back.addEventListener("click", () => show(k));
      const a = button("its B as A", () => asA(k), { title: `${labels(k.results.scenario).B} of this run becomes side A` });
      return h("li", {}, back, a);
    }));
  };
  // A result that an earlier visit had otherwise is a fault of the simulator.
  const compare = (): void => {
    for (const side of SIDES) {
      const before = page.data.remembered[side];
      if (page.run.phase !== "done" || !before || before.resultHash === page.run.hashes[side]) continue;
      messages.show("kept", {
        what: `Side ${side} gave another result than the one kept from an earlier visit, which was shown before.`,
        where: "The new one is shown.",
        mend: "Please report this with the link of this page.",
      });
    }
  };
  page.on(["run"], compare);
  page.on(["run", "results"], soon(take));
  page.on(["scenario"], soon(draw));
}

// differences names what a run changed against the one before it, or against the scenario that it is of.
function differences(earlier: Full | undefined, s: Full, { title, scenario }: Shipped): string {
  const follows = earlier?.workload.name === s.workload.name;
  const before = follows ? earlier : complete(scenario);
  const said = KNOBS.filter((k) => k.get(before) !== k.get(s)).map((k) => `${k.path.replace("memory.", "").replace(/^workload\./, "")} ${k.get(s) || "none"}`);
  const overrides = JSON.stringify(before.machine.overrides) === JSON.stringify(s.machine.overrides) ? [] : ["values of the machine"];
  const program = JSON.stringify(before.workload.ptx) === JSON.stringify(s.workload.ptx) ? [] : ["your kernel"];
  const all = [...program, ...said, ...overrides];
  if (all.length === 0) return title;
  const words = all.length > 3 ? `${all.slice(0, 3).join(", ")}, …` : all.join(", ");
  return follows ? words : `${title.split(":")[0]}: ${words}`; // the rest of the title names other schemes
}

function numbersOf(page: Page): string {
  const { A, B } = given(page, true);
  if (!A || !B) return "";
  const [cyclesA, cyclesB, bytesA, bytesB] = [valueOf("cycles", A), valueOf("cycles", B), valueOf("dramBytes", A), valueOf("dramBytes", B)];
  const speedup = cyclesA && cyclesB ? `×${ratio(cyclesA / cyclesB)}` : "";
  const moved = bytesA && bytesB !== undefined ? `${change(bytesA, bytesB)} bytes` : "";
  const error = B.result.error === undefined ? "" : `error ${B.result.error === 0 ? "0" : percent(B.result.error)}`;
  return [speedup, moved, error].filter((x) => x !== "").join(" · ");
}
