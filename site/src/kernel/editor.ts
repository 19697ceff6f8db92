// A text field with line numbers, and marks at the faults of the text.

import { h, text } from "../lib/dom";
import { clip } from "../lib/format";
import type { Mark } from "../protocol/kernel";

const MOST_MESSAGE = 240; // characters of one fault
const MOST_LIT = 100_000; // characters; a longer text is not coloured, because each key draws all of it

// PARTS of a line of PTX, by what they are (PTX ISA, syntax): comments, directives and modifiers, registers, numbers,
// and the first word of a statement.
const PARTS = [
  ["c", /^\/\/.*/], ["c", /^\/\*.*?\*\//], ["r", /^%[\w$]+(?:\.[xyzw])?/], ["d", /^\.[A-Za-z_][\w:]*/],
  ["n", /^(?:0[xXfFdD][0-9a-fA-F]+|\d[\d.]*)U?\b/], ["", /^[\w$]+/], ["", /^[^\w%./$]+/],
] as const;

// coloursOf divides a part of a line: each piece with its kind, "" where it has none.
export function coloursOf(part: string): [string, string][] {
  const list: [string, string][] = [];
  let begins = true; // a statement
  for (let rest = part; rest !== ""; ) {
    const found = PARTS.map(([k, form]) => [k, form.exec(rest)?.[0] ?? ""] as const).find(([, m]) => m !== "");
    const [kind, match] = found ?? ["", rest[0]!];
    const word = kind === "" && /^[A-Za-z]/.test(match);
    const label = word && rest[match.length] === ":";
    list.push([word && begins && !label ? "o" : kind, match]);
    if (word && !label) begins = false;
    if (/[;{}]/.test(match) && kind === "") begins = true;
    rest = rest.slice(match.length);
  }
  return list;
}

export class Editor {
  readonly field = h("textarea", { id: "kernel-source", "aria-label": "PTX", "aria-describedby": "kernel-said", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", rows: 24 });
  private numbers = h("div", { class: "knumbers", "aria-hidden": "true" });
  private under = h("pre", { class: "kunder", "aria-hidden": "true" });
  private list = h("ol", { id: "kernel-faults" });
  readonly element: HTMLElement;
  private marks: readonly Mark[] = [];
  private lit = false; // its words are coloured

  constructor(changed: () => void) {
    this.element = h("div", {}, h("div", { class: "kedit" }, this.numbers, h("div", { class: "ktext" }, this.under, this.field)), this.list);
    this.field.addEventListener("input", () => {
      this.show([]);
      changed();
    });
    this.field.addEventListener("scroll", () => this.scrolled());
    this.field.addEventListener("keydown", (e) => e.stopPropagation()); // keys of the page, such as space
  }

  get value(): string {
    return this.field.value;
  }

  set value(source: string) {
    this.field.value = source;
    this.show([]);
  }

  // show marks the faults, all at once.
  show(marks: readonly Mark[]): void {
    this.marks = marks;
    const bad = new Set(marks.map((m) => m.line));
    const lines = this.field.value.split("\n");
    this.lit = this.field.value.length <= MOST_LIT;
    this.under.classList.toggle("lit", this.lit);
    this.numbers.replaceChildren(...lines.map((_, i) => h("span", { class: bad.has(i + 1) ? "bad" : undefined }, String(i + 1))));
    this.under.replaceChildren(...lines.flatMap((line, i) => [...this.marked(line, i + 1), "\n"]));
    this.list.hidden = marks.length === 0;
    this.list.replaceChildren(...marks.map((m) => this.fault(m)));
    this.scrolled();
  }

  private *marked(line: string, number: number): Iterable<Node | string> {
    const starts = this.marks.filter((m) => m.line === number).map((m) => Math.min(Math.max(m.column, 1), Math.max(1, line.length)) - 1);
    let at = 0;
    for (const start of [...new Set(starts)].sort((a, b) => a - b)) {
      if (start < at) continue;
      const token = /^(?:[%\w.$]+|.)/.exec(line.slice(start))?.[0] ?? " ";
      yield* this.coloured(line.slice(at, start));
      yield h("mark", {}, token);
      at = start + token.length;
    }
    yield* this.coloured(line.slice(at));
  }

  private coloured(part: string): Iterable<Node | string> {
    return this.lit ? coloursOf(part).map(([kind, words]) => (kind ? h("i", { class: kind }, words) : words)) : [part];
  }

  private fault(m: Mark): HTMLElement {
    const go = h("button", { type: "button", class: "plain" }, `line ${m.line}, column ${m.column}`);
    go.addEventListener("click", () => this.go(m));
    const words = h("span", {});
    text(words, clip(m.message, MOST_MESSAGE));
    return h("li", {}, go, " ", words);
  }

  // go puts the caret at a fault.
  private go(m: Mark): void {
    const lines = this.field.value.split("\n");
    const at = lines.slice(0, m.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + Math.max(0, m.column - 1);
    this.field.focus();
    this.field.setSelectionRange(at, at);
    const height = this.field.scrollHeight / Math.max(1, lines.length);
    this.field.scrollTop = Math.max(0, (m.line - 4) * height);
  }

  private scrolled(): void {
    this.numbers.scrollTop = this.under.scrollTop = this.field.scrollTop;
    this.under.scrollLeft = this.field.scrollLeft;
  }
}
