// The host part of a program: its list of launches as the page shows it, and its text.

import { h } from "../lib/dom";
import type { Argument, Condition, HostStep, OwnProgram } from "../protocol/kernel";

// HOST_KEYS are the parts of a program that the form has no controls for. The text of the host part holds them.
const HOST_KEYS = ["modules", "buffers", "launches"] as const;

// isHosted tells whether a program has a list of launches, or arguments that the form cannot show.
export function isHosted(p: OwnProgram): boolean {
  const own = /^(ptr|struct|hex|bytes|scratch):|:@(?!launch$)/;
  return HOST_KEYS.some((k) => (p[k]?.length ?? 0) > 0) || (p.args ?? []).some((a) => own.test(a.spec));
}

const spec = (a: Argument | string): string => (typeof a === "string" ? a : a.spec);

function condition(c: Condition): string {
  const words: Record<string, string> = { equal: "is", "not-equal": "is not", below: "is below",
    "at-least": "is at least" };
  return `${c.buffer}${c.offset === undefined ? "" : `+${c.offset}`} ${words[c.is ?? "equal"] ?? c.is} ${c.value}`;
}

// stepWords says what a step does, in a line.
export function stepWords(s: HostStep): string {
  if (s.fill) return `fill ${s.fill.buffer} with ${s.fill.value}`;
  if (s.copy) return `copy ${s.copy.from ?? "data"} to ${s.copy.to}`;
  if (s.loop) {
    const { rounds, values, while: during, until } = s.loop;
    const bound = `${during || until ? "at most " : ""}${rounds} rounds`;
    const turns = values ? `for ${s.loop.name ?? "i"} in ${values.join(", ")}` : bound;
    return [`loop: ${turns}`, during && `while ${condition(during)}`, until &&
      `until ${condition(until)}`].filter(Boolean).join(", ");
  }
  const extent = (name: string, n?: readonly (number | string)[]): string => (n ? ` ${name} ${n.join(" × ")}` : "");
  const args = s.args?.length ? ` (${s.args.map(spec).join(", ")})` : "";
  const kernel = `${s.module ? `${s.module}: ` : ""}${s.entry ?? "?"}`;
  return `${kernel}${extent("grid", s.grid)}${extent("block", s.block)}${args}`;
}

function list(steps: readonly HostStep[]): HTMLElement {
  return h("ol", { class: "khost" },
    ...steps.map((s) => h("li", {}, stepWords(s), ...(s.loop ? [list(s.loop.steps)] : []))));
}

// HostPart shows the launches of a program and lets the reader edit them as JSON.
export class HostPart {
  private steps = h("div", { id: "kernel-launches" });
  private text = h("textarea", { id: "kernel-host", rows: 12, spellcheck: false, "aria-label": "Host part, as JSON" });
  readonly element = h("div", { hidden: true }, h("h2", {}, "Launches"), this.steps,
    h("details", {}, h("summary", {}, "Edit the host part"), this.text));
  private data: Record<string, string> = {}; // base64 by place, which the text leaves out

  constructor(changed: () => void) {
    this.text.addEventListener("input", changed);
  }

  // show takes a program, or hides itself for one that the form shows.
  show(p: OwnProgram | undefined): void {
    this.element.hidden = p === undefined;
    if (!p) return;
    const { source: _source, file: _file, ...rest } = p;
    this.steps.replaceChildren(list(p.launches ?? [{ entry: p.entry ?? "", args: p.args ?? [] }]));
    this.data = {};
    let n = 0;
    this.text.value = JSON.stringify(rest, (key, value: unknown) => {
      if (typeof value !== "string" || value.length < 200 || (key !== "data" && key !== "source")) return value;
      const name = `(${key} ${++n}: ${value.length} characters)`;
      this.data[name] = value;
      return name;
    }, 1);
  }

  // program is the program with an edited host part. It throws what is wrong with the text, with its line.
  program(source: string, file: string): OwnProgram {
    let edited: Omit<OwnProgram, "source" | "file">;
    try {
      edited = JSON.parse(this.text.value,
        (_key, value: unknown) => (typeof value === "string" ? (this.data[value] ?? value) : value)) as OwnProgram;
    } catch (e) {
      throw new Error(`the host part: ${place(e instanceof Error ? e.message : String(e), this.text.value)}`);
    }
    this.steps.replaceChildren(list(edited.launches ?? []));
    return { ...edited, file, source };
  }
}

// place turns a position of an error message into a line.
function place(message: string, text: string): string {
  const at = /position (\d+)/.exec(message);
  return at ? `line ${text.slice(0, Number(at[1])).split("\n").length}: ${message}` : message;
}
