// The knobs an author leaves free in an embed, as controls of their own beside the
// numbers. A change runs at once.

import type { Control } from "../state/control";
import { button, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { setKnob } from "../settings/knobs";
import { isHidden, isLocked, scenarioPath } from "../state/locks";
import { KNOBS, optionsOf, type Full, type Knob } from "../protocol/scenario";

const WORDS: Record<string, string> = {
  "workload.name": "kernel",
  "workload.size": "size",
  "workload.data": "data",
  "machine.preset": "machine",
  seed: "seed",
};

export function knobWords(path: string): string {
  const side = /^[AB]\./.exec(path)?.[0].slice(0, 1);
  const name = WORDS[path] ?? KNOBS.find((k) => k.path === path)?.title ?? path;
  return side ? `${side}: ${name}` : name;
}

// firstKnobs are those an author most likely wants free: what the scheme has.
export function firstKnobs(s: Full): string[] {
  return s.memory.approximation === "none" ? ["B.memory.codec"] : ["B.memory.threshold", "B.memory.mag"];
}

export function startEmbedKnobs(control: Control, place: HTMLElement, wanted: string[] | undefined): void {
  const { page } = control;
  const said = h("p", { class: "note", "aria-live": "polite" });
  const run = button("Run", () => control.run(), { class: "primary" });
  let shown = "";
  const fields = new Map<Knob, { label: HTMLElement; field: HTMLSelectElement | HTMLInputElement }>();

  const build = (): void => {
    const paths = wanted ?? firstKnobs(page.settings.scenario);
    if (paths.join() === shown) return;
    shown = paths.join();
    fields.clear();
    for (const path of paths) {
      const knob = KNOBS.find((k) => k.path === path || scenarioPath(k.path) === path);
      if (!knob) continue;
      const field = knob.kind === "choice" ? h("select") : h("input", { type: "number", min: knob.low ?? 0, max: knob.high ?? 64, step: 1 });
      field.addEventListener("change", () => {
        const { done, said: words } = setKnob(page, knob, field.value);
        text(said, words);
        page.emit("scenario");
        if (done) control.run();
      });
      fields.set(knob, { label: h("label", { class: "knob" }, h("span", {}, knobWords(knob.path)), field), field });
    }
    place.replaceChildren(...[...fields.values()].map((f) => f.label), h("div", { class: "buttons" }, run), said);
    const unknown = paths.filter((p) => !KNOBS.some((k) => k.path === p || scenarioPath(k.path) === p));
    if (wanted && unknown.length > 0) control.say("embed", "Part of the embed's settings could not be used:", `embed.knobs: there is no setting ${unknown.join(", ")}.`);
  };

  const draw = soon(() => {
    build();
    const s = page.settings.scenario;
    for (const [knob, { label, field }] of fields) {
      const path = scenarioPath(knob.path);
      label.hidden = isHidden(page, path);
      const value = knob.get(s);
      if (field instanceof HTMLSelectElement) {
        const options = optionsOf(knob, s, page.catalogue.lists);
        if (!options.some((o) => o.value === value)) options.push({ value, text: value });
        const signature = options.map((o) => `${o.value}\n${o.text}`).join("\r");
        if (field.dataset["filled"] !== signature) {
          field.dataset["filled"] = signature;
          field.replaceChildren(...options.map((o) => h("option", { value: o.value }, o.text)));
        }
      }
      field.value = value;
      field.disabled = (knob.idle?.(s) ?? false) || isLocked(page, path);
      field.title = isLocked(page, path) ? "fixed by the author" : "";
    }
  });
  page.on(["scenario", "lists", "results"], draw);
  build();
  draw();
}
