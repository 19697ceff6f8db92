// The machine panel: every value of the machine of the knobs, with unit and
// source. Values may be overridden there.

import { h, text } from "../lib/dom";
import { makeTable, row } from "../lib/table";
import { FIXED, isLocked } from "../state/locks";
import { overrideOf } from "../links/permalink";
import type { Described, MachineField } from "../protocol/protocol";
import type { Full, Scenario } from "../protocol/scenario";
import { sideScenario } from "../protocol/scenario";
import type { Page } from "../state/page";

export type AskMachine = (scenario: Scenario) => Promise<Described>;

// machineDialog builds the body of the dialog.
export function machineDialog(page: Page, ask: AskMachine): HTMLElement[] {
  const filter = h("input", { type: "search", class: "wide", placeholder: "filter: dram, latency, GPGPU-Sim …", "aria-label": "Filter the values", id: "machine-filter" });
  const said = h("p", { class: "note", "aria-live": "polite", id: "machine-said" });
  const body = h("tbody", {});
  const list = makeTable({ class: "machine", id: "machine-table" }, ["value of", "value", "unit", "source"], body);
  let fields: MachineField[] = [];

  const show = (): void => {
    const words = filter.value.toLowerCase().split(/\s+/).filter((w) => w !== "");
    const found = fields.filter((f) => {
      const all = [f.path, f.value, f.unit, f.doc, f.source, f.formula, f.preset && "overridden", f.derived && "derived"].join(" ").toLowerCase();
      return words.every((w) => all.includes(w));
    });
    body.replaceChildren(...found.map((f) => rowOf(f, isLocked(page, "machine.overrides"), set)));
    const changed = fields.filter((f) => f.preset !== undefined).length;
    const own = changed === 0 ? "" : `, ${changed} overridden`;
    const fixed = isLocked(page, "machine.overrides") ? ` They are ${FIXED}.` : "";
    text(said, `${found.length} of ${fields.length} values of ${page.settings.scenario.machine.preset}${own}.${fixed}`);
  };

  const read = async (): Promise<void> => {
    const answer = await ask(sideScenario(page.settings.scenario, "B"));
    if (answer.fields) fields = answer.fields;
    show();
    const fault = answer.errors?.[0];
    if (fault) text(said, [fault.path, fault.message, fault.mend].filter(Boolean).join(": "));
  };

  // set overrides a value if the engine accepts it; otherwise it says why.
  const set = async (f: MachineField, value: string): Promise<void> => {
    const before = page.settings.scenario.machine;
    page.settings.scenario.machine = withOverride(page.settings.scenario, f, value.trim());
    const answer = await ask(sideScenario(page.settings.scenario, "B"));
    if (answer.errors?.length) page.settings.scenario.machine = before;
    else page.emit("scenario");
    if (answer.fields) fields = answer.fields;
    show();
    const fault = answer.errors?.[0];
    if (fault) text(said, `The value was not changed. ${[fault.path, fault.message, fault.mend].filter(Boolean).join(": ")}.`);
  };

  filter.addEventListener("input", show);
  void read();
  return [
    h("p", {}, "Every constant of the machine with its source. A new value applies with the next run; an empty field restores the preset's value."),
    filter,
    said,
    h("div", { class: "scroller" }, list),
  ];
}

function withOverride(s: Full, f: MachineField, value: string): Scenario["machine"] {
  const overrides = { ...s.machine.overrides };
  const own = f.preset ?? f.value;
  if (value === "" || value === own) delete overrides[f.path];
  else overrides[f.path] = overrideOf(value);
  const { preset } = s.machine;
  return Object.keys(overrides).length > 0 ? { preset, overrides } : { preset };
}

function rowOf(f: MachineField, locked: boolean, set: (f: MachineField, value: string) => Promise<void>): HTMLElement {
  const name = h("th", { scope: "row" }, h("code", {}, f.path), h("small", {}, f.doc));
  const overridden = f.preset !== undefined;
  const value = h("td", { class: "value" }, f.derived || locked ? f.value : field(f, set));
  if (overridden) value.append(h("small", {}, `preset ${f.preset}`));
  const source = f.formula ? `= ${f.formula}` : f.source;
  return row({ class: overridden ? "overridden" : f.derived ? "derived" : undefined }, name, value, f.unit,
    h("td", { class: "source" }, overridden ? `set here; preset: ${source}` : source));
}

function field(f: MachineField, set: (f: MachineField, value: string) => Promise<void>): HTMLElement {
  const label = { "aria-label": `${f.path}, ${f.unit}`, title: f.low !== undefined || f.high !== undefined ? `${f.low ?? 0} to ${f.high ?? ""}` : undefined };
  if (f.choices?.length) {
    const select = h("select", label, ...f.choices.map((c) => h("option", { value: c }, c)));
    select.value = f.value;
    select.addEventListener("change", () => void set(f, select.value));
    return select;
  }
  const input = h("input", { ...label, value: f.value, spellcheck: "false", autocomplete: "off" });
  input.addEventListener("change", () => void set(f, input.value));
  return input;
}
