// The controls of the settings (knobs), kept in step with the scenario.

import { byId, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { FIXED, drawLocks, isHidden, isLocked, keepLocked, lockedChange } from "../state/locks";
import { checkKnob, fitWorkload } from "../links/permalink";
import { KNOBS, complete, mend, optionsOf, workloadInfo, type Knob } from "../protocol/scenario";
import type { Side } from "../protocol/side";
import { drawSchemes, startSchemes } from "./schemes";
import { say } from "../state/messages";
import type { Page } from "../state/page";

// Letters of a label beside its fields; a longer one stands above them (tools/build/schemerows.go).
const MOST_IN_COLUMN = 14;

type Field = HTMLSelectElement | HTMLInputElement;

export function startKnobs(page: Page, run: () => void, choose: (name: string) => void): void {
  // On its way down: an event of a script may not come back up. The engine's lists make new knobs.
  const heard = (e: globalThis.Event): void => {
    const { id, value } = e.target as Field;
    const knob = KNOBS.find((k) => k.id === id);
    if (!knob) return;
    // The card of a system that was off shows its settings.
    const off = knob.get(page.settings.scenario) === "none";
    const more = (e.target as Element).closest(".card > .grid")?.nextElementSibling;
    if (off && more instanceof HTMLDetailsElement) more.open = true;
    changed(page, knob, value);
  };
  byId("knob-form").addEventListener("change", heard, true);
  startSchemes(page, (s, said) => {
    const fixed = lockedChange(page.settings.scenario, s, (path) => isLocked(page, path));
    if (!fixed) page.settings.scenario = s;
    note(fixed ? `${fixed} is ${FIXED}.` : said.join(" "));
    page.emit("scenario");
  });
  page.on(["lists"], addRows);
  byId<HTMLFormElement>("knob-form").addEventListener("submit", (e) => {
    e.preventDefault();
    run();
  });
  byId<HTMLSelectElement>("scenario").addEventListener("change", (e) => choose((e.target as HTMLSelectElement).value));
  byId("reset").addEventListener("click", () => {
    const own = complete(page.settings.shipped.scenario);
    keepLocked(page, own, page.settings.scenario);
    page.settings.scenario = own;
    if (!isLocked(page, "workload.image")) page.ownImage = undefined;
    note("All settings are the scenario's.");
    page.emit("scenario");
  });
  const drawer = byId("drawer");
  drawer.addEventListener("click", () => {
    const open = drawer.getAttribute("aria-expanded") !== "true";
    drawer.setAttribute("aria-expanded", String(open));
    byId("knobs").classList.toggle("open", open);
  });
  page.on(["scenario"], () => fillScenarios(page)); // at once: it names the numbers
  page.on(["scenario", "lists", "run", "results"], soon(() => drawKnobs(page)));
}

// addRows makes the controls of the knobs that the page's first document does not have (tools/build/schemerows.go),
// behind the others of their card: a row of A and B each. drawLocks shows those that say something; until its
// turn comes, all of them would make the page longer for a moment.
function addRows(): void {
  for (const knob of KNOBS) {
    if (document.getElementById(knob.id)) continue;
    const [side, group] = knob.path.split(".");
    const grid = document.querySelector<HTMLElement>(`[data-card="${group}"] details > .grid`);
    if (!grid) continue;
    const label = `${side}: ${knob.title ?? knob.path}. ${knob.about ?? ""}`;
    const field: Field =
      knob.kind === "choice"
        ? h("select", { id: knob.id, "aria-label": label })
        : knob.kind === "text"
          ? h("input", { id: knob.id, type: "text", spellcheck: "false", "aria-label": label })
          : h("input", { id: knob.id, type: "number", min: knob.low ?? 0, max: knob.high ?? 64, step: 1, "aria-label": label });
    field.hidden = true;
    if (side === "A") grid.append(h("span", { title: knob.about ?? "", class: (knob.title ?? knob.path).length > MOST_IN_COLUMN ? "long" : undefined, hidden: true }, knob.title ?? knob.path));
    grid.append(field);
  }
}

function changed(page: Page, knob: Knob, value: string): void {
  note(setKnob(page, knob, value).said);
  page.emit("scenario");
}

// setKnob is the one way to change a knob, for controls and messages. It refuses illegal
// values and fixed knobs, and then changes nothing.
export function setKnob(page: Page, knob: Knob, value: string): { done: boolean; said: string } {
  const before = page.settings.scenario;
  const stays = `It stays ${knob.get(before)}.`;
  const wrong = checkKnob(knob, value, before, page);
  if (wrong) return { done: false, said: `${knob.path}: ${wrong}. ${stays}` };
  const s = structuredClone(before);
  knob.set(s, value);
  const said = mend(s, knob);
  if (knob.path === "workload.name") {
    fitWorkload(s, page);
    if (page.ownImage && !workloadInfo(page.catalogue.lists, s.workload.name)?.image) {
      said.push("This program takes no image. Yours is kept for programs that do.");
    }
  }
  const fixed = lockedChange(before, s, (path) => isLocked(page, path));
  if (fixed) return { done: false, said: `${knob.path}: ${fixed} is ${FIXED}. ${stays}` };
  page.settings.scenario = s;
  return { done: true, said: said.join(" ") };
}

// turnKnob is a change of a knob by another control than its own.
export function turnKnob(page: Page, path: string, value: string): void {
  changed(page, KNOBS.find((k) => k.path === path)!, value);
}

// setLoads says which loads of a side may get predicted values; "" is none of them.
export function setLoads(page: Page, side: Side, which: string): void {
  const name = which === "" ? `${side}.loads.policy` : `${side}.loads.which`;
  changed(page, KNOBS.find((k) => k.path === name)!, which === "" ? "none" : which);
}

function note(sentence: string): void {
  text(byId("knob-note"), sentence);
  if (sentence) say(sentence);
}

// stale tells whether the settings differ from those of the shown results.
function stale(page: Page): boolean {
  return (
    page.results.of !== "nothing" && page.changed
  );
}

function drawKnobs(page: Page): void {
  const s = page.settings.scenario;
  for (const knob of KNOBS) {
    const field = byId<Field>(knob.id);
    field.disabled = knob.idle?.(s) ?? false;
    if (knob.absent) field.dataset["absent"] = String(knob.absent(s));
    if (field instanceof HTMLSelectElement) fillChoice(page, knob, field);
    const value = knob.get(s);
    if (field.value !== value) field.value = value;
  }
  fillScenarios(page);
  const image = workloadInfo(page.catalogue.lists, s.workload.name)?.image ?? false;
  const name = byId("image-name");
  name.hidden = byId("image-drop").hidden = !page.ownImage;
  text(name, page.ownImage?.name ?? "");
  byId("image-choose").hidden = page.ownImage !== undefined;
  if (page.ownImage !== undefined && image) byId("knob-data-label").hidden = true;
  drawLocks(page);
  drawSchemes(page);
  const running = page.run.phase === "running";
  byId<HTMLButtonElement>("cancel").disabled = !running;
  const differs = stale(page);
  byId("run").classList.toggle("attention", differs && !running);
  const own = complete(page.settings.shipped.scenario);
  keepLocked(page, own, s);
  byId("reset").hidden = JSON.stringify(s) === JSON.stringify(own);
}

function fillChoice(page: Page, knob: Knob, field: HTMLSelectElement): void {
  const options = optionsOf(knob, page.settings.scenario, page.catalogue.lists);
  const value = knob.get(page.settings.scenario);
  if (!options.some((o) => o.value === value) && value !== "") options.push({ value, text: value });
  const label = field.closest<HTMLElement>(".knob");
  if (label) label.hidden = options.length === 0;
  const signature = options.map((o) => `${o.value}\n${o.text}`).join("\r");
  if (field.dataset["filled"] === signature) return;
  field.dataset["filled"] = signature;
  field.replaceChildren(...options.map((o) => h("option", { value: o.value }, o.text)));
}

function fillScenarios(page: Page): void {
  const select = byId<HTMLSelectElement>("scenario");
  const option = (x: { name: string; title: string }): HTMLOptionElement => h("option", { value: x.name }, x.title);
  const kept = page.catalogue.shipped.filter((x) => x.id !== undefined);
  const more = [...kept, ...page.catalogue.listed.filter((x) => !kept.some((k) => k.name === x.name))];
  const signature = [...page.catalogue.shipped, ...more].map((x) => `${x.name}\n${x.title}`).join("\r");
  if (select.dataset["filled"] !== signature) {
    select.dataset["filled"] = signature;
    select.replaceChildren(...page.catalogue.shipped.filter((x) => x.id === undefined).map(option));
    if (more.length > 0) select.append(h("optgroup", { label: "Kept on this site" }, ...more.map(option)));
  }
  select.value = page.settings.shipped.name;
  select.closest<HTMLElement>(".pick")!.hidden = isHidden(page, "scenario");
}
