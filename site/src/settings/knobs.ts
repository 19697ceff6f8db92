// The controls of the settings (knobs), kept in step with the scenario.

import { byId, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { FIXED, drawLocks, isHidden, isLocked, keepLocked, lockedChange } from "../state/locks";
import { checkKnob, fitWorkload } from "../links/permalink";
import { KNOBS, complete, mend, optionsOf, workloadInfo, type Knob } from "../protocol/scenario";
import type { Side } from "../protocol/side";
import { say } from "../state/messages";
import type { Page } from "../state/page";

const MOST_IN_COLUMN = 14; // letters of a label beside its fields; a longer one stands above them

type Field = HTMLSelectElement | HTMLInputElement;

export function startKnobs(page: Page, run: () => void, choose: (name: string) => void): void {
  for (const { id } of KNOBS) byId<Field>(id).addEventListener("change", (e) => changedField(page, e.target as Field));
  page.on(["lists"], () => addRows(page));
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
// behind the others: a row of A and B each. drawLocks shows those that say something; until its
// turn comes, all of them would make the page longer for a moment.
function addRows(page: Page): void {
  const grid = document.querySelector<HTMLElement>(".schemes .grid")!;
  for (const knob of KNOBS) {
    if (document.getElementById(knob.id)) continue;
    const side = knob.path.slice(0, 1);
    const label = `${side}: ${knob.title ?? knob.path}. ${knob.about ?? ""}`;
    const field: Field =
      knob.kind === "choice"
        ? h("select", { id: knob.id, "aria-label": label })
        : knob.kind === "text"
          ? h("input", { id: knob.id, type: "text", spellcheck: "false", "aria-label": label })
          : h("input", { id: knob.id, type: "number", min: knob.low ?? 0, max: knob.high ?? 64, step: 1, "aria-label": label });
    field.addEventListener("change", () => changedField(page, field));
    field.hidden = true;
    if (side === "A") grid.append(h("span", { title: knob.about ?? "", class: (knob.title ?? knob.path).length > MOST_IN_COLUMN ? "long" : undefined, hidden: true }, knob.title ?? knob.path));
    grid.append(field);
  }
}

// changedField changes the knob of a control. The engine's lists make new knobs.
function changedField(page: Page, field: Field): void {
  changed(page, KNOBS.find((k) => k.id === field.id)!, field.value);
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
