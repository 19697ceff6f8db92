// The host part of a program: its list of launches as the page shows it, and its text.

import { read, write } from "./yaml";
import { button, h, text } from "../lib/dom";
import { clip } from "../lib/format";
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

// Rest is what stands in no other field of the editor.
type Rest = Omit<OwnProgram, "source" | "file">;

const MOST_LINE = 200; // characters of data or of a module's text that the text of the host part shows
const MOST_WHAT = 240; // characters of a fault

// HostPart shows the launches of a program, and lets the reader edit them as the YAML that burstscope exec takes.
export class HostPart {
  private steps = h("div", { id: "kernel-launches" });
  private text = h("textarea", {
    id: "kernel-host", rows: 16, spellcheck: false, wrap: "off", "aria-label": "Host part, as YAML",
    "aria-describedby": "kernel-host-said",
  });
  private said = h("p", { id: "kernel-host-said", role: "status" });
  readonly element = h("div", { hidden: true }, h("h2", {}, "Launches"), this.steps, h("h2", {}, "Host part"),
    h("p", { class: "note" }, "Steps, loops and arguments are those of burstscope exec: HOST.md describes them."),
    this.text, this.said);
  private held: Record<string, string> = {}; // base64 and texts by name, which the text leaves out

  constructor(changed: () => void) {
    this.text.addEventListener("input", () => {
      this.say("");
      changed();
    });
    this.text.addEventListener("keydown", (e) => e.stopPropagation()); // keys of the page, such as space
  }

  // show takes a program, or hides itself for one that the form shows.
  show(p: OwnProgram | undefined): void {
    this.element.hidden = p === undefined;
    this.say("");
    if (!p) return;
    const { source: _source, file: _file, ...rest } = p;
    this.steps.replaceChildren(list(p.launches ?? [{ entry: p.entry ?? "", args: p.args ?? [] }]));
    this.held = {};
    let n = 0;
    const plain: unknown = JSON.parse(JSON.stringify(rest, (key, value: unknown) => {
      if (typeof value !== "string" || value.length < MOST_LINE || (key !== "data" && key !== "source")) return value;
      const name = `(${key} ${++n}: ${value.length} characters)`;
      this.held[name] = value;
      return name;
    }));
    this.text.value = write(plain);
  }

  // program is the program with an edited host part. It throws what is wrong with the text, with its line.
  program(source: string, file: string): OwnProgram {
    let edited: Rest;
    try {
      const { value } = read(this.text.value);
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new Error("line 1: want keys such as buffers, grid, block and launches");
      }
      edited = JSON.parse(JSON.stringify(value),
        (_key, v: unknown) => (typeof v === "string" ? (this.held[v] ?? v) : v)) as Rest;
    } catch (e) {
      const what = e instanceof Error ? e.message : String(e);
      this.say(what);
      throw new Error(`the host part: ${what}`);
    }
    this.say("");
    this.steps.replaceChildren(list(Array.isArray(edited.launches) ? edited.launches : []));
    return { ...withArguments(edited), file, source };
  }

  // fault shows what the engine found at a path of the scenario, at its line of the text.
  fault(where: string, what: string): void {
    const path = /^workload\.ptx\.(.+)$/.exec(where)?.[1];
    if (this.element.hidden || path === undefined) return;
    let place: { line: number; column: number };
    try {
      place = read(this.text.value).place(path);
    } catch {
      return; // the text was edited since
    }
    this.say(`line ${place.line}, column ${place.column}: ${path}: ${what}`, place);
  }

  private say(what: string, place?: { line: number; column: number }): void {
    text(this.said, clip(what, MOST_WHAT));
    this.said.classList.toggle("refused", what !== "");
    if (!place) return;
    const go = button("go there", () => {
      const lines = this.text.value.split("\n");
      const at = lines.slice(0, place.line - 1).reduce((sum, l) => sum + l.length + 1, 0) + place.column - 1;
      this.text.focus();
      this.text.setSelectionRange(at, at);
      this.text.scrollTop = Math.max(0, (place.line - 4) * (this.text.scrollHeight / Math.max(1, lines.length)));
    }, { class: "plain" });
    this.said.append(" ", go);
  }
}

// withArguments writes arguments and buffers that are only a SPEC, as YAML has them, as the packed scenario has them.
export function withArguments<P extends Rest>(p: P): P {
  const full = (list: unknown): Argument[] | undefined => {
    if (!Array.isArray(list)) return list as undefined;
    return list.map((a: Argument | string) => (typeof a === "string" ? { spec: a } : a));
  };
  const steps = (list: HostStep[]): HostStep[] => list.map((s) => {
    if (typeof s !== "object" || s === null) return s;
    const args = full(s.args);
    const loop = s.loop && Array.isArray(s.loop.steps) ? { ...s.loop, steps: steps(s.loop.steps) } : s.loop;
    return { ...s, ...(args ? { args } : {}), ...(loop ? { loop } : {}) };
  });
  const args = full(p.args);
  const buffers = full(p.buffers);
  return { ...p, ...(args ? { args } : {}), ...(buffers ? { buffers } : {}),
    ...(Array.isArray(p.launches) ? { launches: steps(p.launches) } : {}) };
}

// hosted is a program of one launch as one with a list of launches, from which the reader goes on.
export function hosted(p: OwnProgram): OwnProgram {
  if (isHosted(p)) return p;
  const { entry, args = [], safe: _safe, textures: _textures, repeat: _repeat, launch: _launch, ...rest } = p;
  const buffers = args.filter((a) => /^(in|out|inout):/.test(a.spec));
  const given = args.map((a): Argument => (buffers.includes(a) ? { spec: `ptr:${a.spec.split(":")[1]}` } : a));
  return { ...rest, buffers, launches: [{ entry: entry ?? "", args: given }] };
}
