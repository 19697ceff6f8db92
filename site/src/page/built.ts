// What the build computed of each scenario as it ships (tools/build/built.go): its result and its pictures. They are
// shown until the page has a run of that scenario.

import { asset, assets } from "../lib/assets";
import { byId, h, text } from "../lib/dom";
import { sentence } from "../lib/format";
import { loadScript } from "../lib/script";
import { complete } from "../protocol/scenario";
import type { Page } from "../state/page";
import type { Built } from "../state/results";
import type { Made } from "../state/run";

declare global {
  interface Window {
    burstscopeBuilt?: Record<string, Built>; // by the name of the scenario
  }
}

const scriptOf = (name: string): string => `built/${name}.js`;
const isBuilt = (name: string): boolean => assets.files[scriptOf(name)] !== undefined;

// builtOf names the shipped scenario that something is of, "" if it is of other settings or of none.
function builtOf({ scenario, origin }: Made): string {
  const { shipped, lesson, image } = origin;
  const same = lesson.name === "" && image === undefined && shipped.id === undefined && isBuilt(shipped.name);
  return same && JSON.stringify(complete(shipped.scenario)) === JSON.stringify(scenario) ? shipped.name : "";
}

const settingsOf = (page: Page): Made => ({ scenario: page.settings.scenario, origin: page.origin });

// startBuilt puts the result of the scenario on show where no run has one. named is the scenario of the link.
export function startBuilt(page: Page, named: string | undefined): void {
  const known = (window.burstscopeBuilt ??= {});
  const first = document.getElementById("built")?.textContent;
  if (first) {
    const built = JSON.parse(first) as Built;
    known[built.name] = built;
  }
  const asked = new Set<string>();
  const fetchBuilt = (name: string): void => {
    if (asked.has(name) || known[name] || !isBuilt(name)) return;
    asked.add(name);
    // Without it the page shows dashes and runs as usual.
    const come = (): void => (settle(), page.emit("figures")); // an interval may be of results on show
    loadScript(scriptOf(name)).then(come, () => asked.delete(name));
  };
  const settle = (): void => {
    const { results, run } = page;
    const name = page.linkWaits ? "" : builtOf(settingsOf(page));
    const { shipped } = page.settings;
    if (name === "" || (results.built?.name === name && results.origin.shipped === shipped)) return;
    // Results of a run stay, but for those that another run of the scenario replaces.
    if (results.ran && page.shows && !(results.of === "before" && run.phase === "running")) return;
    const built = known[name];
    if (!built) return fetchBuilt(name);
    results.takeBuilt(built, shipped);
    page.emit("results");
  };
  if (named) fetchBuilt(named);
  page.on(["scenario", "run"], settle);
  settle();
}

// startBuiltPicture shows the picture of the scenario on show, or that runs, until the live one is there; and why there
// is no picture.
export function startBuiltPicture(page: Page): void {
  const holder = byId("poster-figures");
  let shown: string | undefined;
  const draw = (): void => {
    const words = wordsOf(page);
    const name = page.linkWaits || page.tab !== "bursts" ? "" : builtOf(page.hasRun ? page.data : settingsOf(page));
    const old = holder.querySelector(".words");
    if (old) text(old, words);
    if (name === shown) return;
    shown = name;
    const said = h("p", { class: "words" }, words);
    if (name === "") return holder.replaceChildren(said);
    const image = h("img", { src: asset(`built/${name}.svg`), width: 960, height: 480, alt: "Blocks that both schemes read, and the bandwidth of the run", decoding: "async" });
    image.addEventListener("error", () => holder.replaceChildren(said));
    holder.replaceChildren(
      h("picture", { class: "built" }, h("source", { media: "(max-width: 700px)", srcset: asset(`built/${name}-narrow.svg`), width: 440, height: 420 }), image),
    );
  };
  page.on(["scenario", "results", "run", "tab"], draw);
  draw();
}

// wordsOf says why there is no picture.
function wordsOf(page: Page): string {
  const { run, data } = page;
  if (run.number > 0 && !page.hasRun) return "This has not run yet.";
  switch (run.phase) {
    case "error":
      return ["No picture: the run ended with an error.", sentence(data.fault?.what ?? ""), data.fault?.where && `(${data.fault.where})`].filter((x) => x).join(" ");
    case "cancelled":
      return "No picture: the run was cancelled.";
    case "done":
      return "The picture appears here in a few seconds, or when the pointer moves.";
    default:
      return "The picture appears here when the run begins.";
  }
}
