// A text field with line numbers, and marks at the faults of the text.

import { button, h, text } from "../lib/dom";
import { bytes, clip, short } from "../lib/format";
import type { Mark } from "../protocol/kernel";
import { coloursOf } from "./colours";
import { Hints, movedWords, type Moved } from "./hints";

const MOST_MESSAGE = 240; // characters of one fault
const WIDTH = 0.6; // of a character, in sizes of the font, in all common fonts for text of programs
const MOST_LIT = 100_000; // characters; a longer text is not coloured, because each key draws all of it

export class Editor {
  readonly field = h("textarea", { id: "kernel-source", "aria-label": "PTX", "aria-describedby": "kernel-said", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", rows: 24 });
  private numbers = h("div", { class: "knumbers", "aria-hidden": "true" });
  private under = h("pre", { class: "kunder", "aria-hidden": "true" });
  private gutter = h("div", { class: "kmoved", "aria-hidden": "true", hidden: true });
  private hint = h("p", { class: "note", id: "kernel-hint", "aria-live": "polite" });
  private list = h("ol", { id: "kernel-faults" });
  readonly hints = new Hints();
  private moved: ReadonlyMap<number, Moved> = new Map(); // by line, of the run of this text
  readonly element: HTMLElement;
  private marks: readonly Mark[] = [];
  private lit = false; // its words are coloured
  private helped: [number, number] = [0, 0]; // line and column that help is about: under the pointer, or of the caret

  constructor(changed: () => void) {
    const edit = h("div", { class: "kedit" }, this.numbers, h("div", { class: "ktext" }, this.under, this.field),
      this.gutter);
    this.element = h("div", {}, edit, this.hint, this.list);
    this.field.addEventListener("input", () => {
      this.anew();
      changed();
    });
    this.field.addEventListener("pointermove", (e) => this.help(this.placeOf(e)));
    for (const on of ["pointerleave", "keyup", "click"] as const) {
      this.field.addEventListener(on, () => this.help(this.caret()));
    }
    this.field.addEventListener("scroll", () => this.scrolled());
    this.field.addEventListener("keydown", (e) => e.stopPropagation()); // keys of the page, such as space
  }

  get value(): string {
    return this.field.value;
  }

  set value(source: string) {
    this.field.value = source;
    this.anew();
  }

  // anew forgets what was known of the text before.
  private anew(): void {
    this.helped = this.caret();
    this.show([]);
    this.ran(new Map());
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
    const go = button(`line ${m.line}, column ${m.column}`, () => this.go(m), { class: "plain" });
    const words = h("span", {});
    text(words, clip(m.message, MOST_MESSAGE));
    return h("li", {}, go, " ", words);
  }

  // ran shows beside each line what it moved.
  ran(moved: ReadonlyMap<number, Moved>): void {
    this.moved = moved;
    this.gutter.hidden = moved.size === 0;
    const lines = moved.size === 0 ? [] : this.field.value.split("\n");
    this.gutter.replaceChildren(...lines.map((_, i) => {
      const m = moved.get(i + 1);
      return h("span", { title: movedWords(m) || undefined }, m ? `${bytes(m.bytes)} · ${short(m.bursts)}` : "");
    }));
    this.help(this.helped);
    this.scrolled();
  }

  // help says what the instruction at a line and column, from 0, does, and what its line moved.
  private help(at: [number, number]): void {
    this.helped = at;
    const [line, column] = at;
    const words = this.hints.words(this.field.value.split("\n")[line] ?? "", column, this.moved.get(line + 1));
    text(this.hint, words || "Point at an instruction, or put the caret there: what it does is written here.");
  }

  private caret(): [number, number] {
    const before = this.field.value.slice(0, this.field.selectionStart).split("\n");
    return [before.length - 1, before[before.length - 1]!.length];
  }

  // placeOf is the line and the column under the pointer: lines do not wrap, and characters are equally wide.
  private placeOf(e: PointerEvent): [number, number] {
    const { field } = this;
    const style = getComputedStyle(field);
    const [line, wide] = [parseFloat(style.lineHeight), parseFloat(style.fontSize) * WIDTH];
    const y = e.offsetY + field.scrollTop - parseFloat(style.paddingTop);
    return [Math.floor(y / line), Math.floor((e.offsetX + field.scrollLeft - parseFloat(style.paddingLeft)) / wide)];
  }

  // go puts the caret at a fault.
  private go(m: Mark): void {
    const lines = this.field.value.split("\n");
    const at = lines.slice(0, m.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + Math.max(0, m.column - 1);
    this.field.focus();
    this.field.setSelectionRange(at, at);
    const height = this.field.scrollHeight / Math.max(1, lines.length);
    this.field.scrollTop = Math.max(0, (m.line - 4) * height);
    this.help(this.caret());
  }

  private scrolled(): void {
    this.gutter.scrollTop = this.numbers.scrollTop = this.under.scrollTop = this.field.scrollTop;
    this.under.scrollLeft = this.field.scrollLeft;
  }
}
