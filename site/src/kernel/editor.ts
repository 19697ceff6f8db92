// A text field with line numbers, and marks at the faults of the text.

import { h, text } from "../lib/dom";
import { clip } from "../lib/format";
import type { Mark } from "../protocol/kernel";

const MOST_MESSAGE = 240; // characters of one fault

export class Editor {
  readonly field = h("textarea", { id: "kernel-source", "aria-label": "PTX", "aria-describedby": "kernel-said", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", rows: 24 });
  private numbers = h("div", { class: "knumbers", "aria-hidden": "true" });
  private under = h("pre", { class: "kunder", "aria-hidden": "true" });
  private list = h("ol", { id: "kernel-faults" });
  readonly element: HTMLElement;
  private marks: readonly Mark[] = [];

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
      yield line.slice(at, start);
      yield h("mark", {}, token);
      at = start + token.length;
    }
    yield line.slice(at);
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
