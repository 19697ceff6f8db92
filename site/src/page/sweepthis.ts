// "Sweep this": a button beside each setting, which opens a sweep of that setting.

import { byId, h } from "../lib/dom";
import { soon } from "../lib/turns";
import { KNOBS } from "../protocol/scenario";
import { parametersOf, SCHEME } from "../reproduction/sweepvalues";
import type { Page } from "../state/page";

const CHART = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 13.5h12M3 10l3.5-4 3 2.5L13 3"/></svg>`;

export function startSweepThis(page: Page): void {
  const add = soon(addButtons); // some settings come with the engine's lists
  page.on(["lists"], add);
  add();
  byId("compare-codecs").dataset["sweep"] = SCHEME;
  document.addEventListener("click", (e) => {
    const path = e.target instanceof Element ? e.target.closest<HTMLElement>("[data-sweep]")?.dataset["sweep"] : undefined;
    if (path !== undefined) sweep(page, path);
  });
}

function addButtons(): void {
  for (const knob of KNOBS) {
    if (knob.path.startsWith("A.")) continue; // one button for both sides
    const field = document.getElementById(knob.id);
    if (!field) continue;
    const label = field.closest("label");
    // In the table of schemes the row begins with its name.
    let name: Element | null | undefined = label?.querySelector("span:not(.vh)");
    if (!label) for (name = field.previousElementSibling; name && name.localName !== "span"; ) name = name.previousElementSibling;
    if (!name || name.querySelector(".sweepthis")) continue;
    const words = name.textContent ?? "";
    if (label && !field.hasAttribute("aria-label")) field.setAttribute("aria-label", words);
    const button = h("button", { type: "button", class: "plain sweepthis", "data-sweep": knob.path.replace(/^B\./, ""), "aria-label": `Sweep ${words}`, title: `Vary ${words}, and plot what follows` });
    button.innerHTML = CHART;
    name.append(button);
  }
}

// sweep shows a sweep of a setting; of whole schemes it begins at once.
function sweep(page: Page, path: string): void {
  const values = parametersOf(page).find((p) => p.path === path)?.values ?? "";
  const both = path === "memory.mag" ? "1" : "";
  Object.assign(page.settings.repro, { vary: path, values, both, vary2: "", values2: "", begin: path === SCHEME });
  byId<HTMLDialogElement>("dialog").close();
  byId("to-sweep").click();
}
