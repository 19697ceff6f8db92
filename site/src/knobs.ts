// The knobs: what can be set, kept in step with the scenario.

import { byId, h, soon, text } from "./dom";
import { checkKnob, fitWorkload } from "./permalink";
import { KNOBS, complete, mend, optionsOf, workloadInfo, type Knob } from "./scenario";
import { say } from "./messages";
import type { Page } from "./state";

type Field = HTMLSelectElement | HTMLInputElement;

export function startKnobs(page: Page, run: () => void, choose: (name: string) => void): void {
  for (const knob of KNOBS) {
    byId<Field>(knob.id).addEventListener("change", (e) => changed(page, knob, (e.target as Field).value));
  }
  byId<HTMLFormElement>("knob-form").addEventListener("submit", (e) => {
    e.preventDefault();
    run();
  });
  byId<HTMLSelectElement>("scenario").addEventListener("change", (e) => choose((e.target as HTMLSelectElement).value));
  byId("reset").addEventListener("click", () => {
    page.settings.scenario = complete(page.settings.shipped.scenario);
    page.ownImage = undefined;
    note("Every knob is as the scenario has it.");
    page.emit("scenario");
  });
  const drawer = byId("drawer");
  drawer.addEventListener("click", () => {
    const open = drawer.getAttribute("aria-expanded") !== "true";
    drawer.setAttribute("aria-expanded", String(open));
    byId("knobs").classList.toggle("open", open);
  });
  page.on(["scenario", "lists", "run", "results"], soon(() => drawKnobs(page)));
  drawKnobs(page);
}

function changed(page: Page, knob: Knob, value: string): void {
  const s = page.settings.scenario;
  const wrong = checkKnob(knob, value, s, page);
  if (wrong) {
    note(`${knob.path}: ${wrong}. It stays ${knob.get(s)}.`);
    page.emit("scenario");
    return;
  }
  knob.set(s, value);
  const said = mend(s, knob);
  if (knob.path === "workload.name") {
    fitWorkload(s, page);
    if (page.ownImage && !workloadInfo(page.lists, s.workload.name)?.image) {
      said.push("This program takes no image; yours is kept for those that do.");
    }
  }
  note(said.join(" "));
  page.emit("scenario");
}

function note(sentence: string): void {
  text(byId("knob-note"), sentence);
  if (sentence) say(sentence);
}

// stale tells whether the knobs differ from what the results on show were made with.
function stale(page: Page): boolean {
  return (
    page.resultsOf !== "nothing" &&
    (JSON.stringify(page.settings.scenario) !== JSON.stringify(page.resultScenario) ||
      (page.resultsOf === "run" && page.data.ownImage !== page.ownImage?.name))
  );
}

function drawKnobs(page: Page): void {
  const s = page.settings.scenario;
  for (const knob of KNOBS) {
    const field = byId<Field>(knob.id);
    if (field instanceof HTMLSelectElement) fillChoice(page, knob, field);
    const value = knob.get(s);
    if (field.value !== value) field.value = value;
  }
  for (const side of ["A", "B"] as const) {
    const m = side === "A" ? s.compare.memory : s.memory;
    const lossy = m.approximation !== "none";
    byId<Field>(`knob-${side}-threshold`).disabled = !lossy;
    byId<Field>(`knob-${side}-decodingWays`).disabled = m.codec === "none";
    byId<Field>(`knob-${side}-probabilities`).disabled = m.codec === "none";
  }
  fillScenarios(page);
  const image = workloadInfo(page.lists, s.workload.name)?.image ?? false;
  const name = byId("image-name");
  name.hidden = byId("image-drop").hidden = !page.ownImage;
  text(name, page.ownImage?.name ?? "");
  byId("image-choose").hidden = page.ownImage !== undefined;
  if (page.ownImage !== undefined && image) byId("knob-data-label").hidden = true;
  const running = page.test.phase === "running";
  byId<HTMLButtonElement>("cancel").disabled = !running;
  const differs = stale(page);
  byId("run").classList.toggle("attention", differs && !running);
  byId("reset").hidden = JSON.stringify(s) === JSON.stringify(complete(page.settings.shipped.scenario));
}

function fillChoice(page: Page, knob: Knob, field: HTMLSelectElement): void {
  const options = optionsOf(knob, page.settings.scenario, page.lists);
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
  const signature = page.shipped.map((x) => x.name).join("\r");
  if (select.dataset["filled"] !== signature) {
    select.dataset["filled"] = signature;
    select.replaceChildren(...page.shipped.map((x) => h("option", { value: x.name }, x.title)));
  }
  select.value = page.settings.shipped.name;
}
