// The table of a kernel's arguments.

import { KINDS, bufferElement, contentsPicker, type Chosen, type ReadContents } from "./contents";
import { choice, input as field } from "./controls";
import type { Row } from "./draft";
import { button, h, text } from "../lib/dom";
import { bytes } from "../lib/format";
import { ELEMENTS, GENERATORS, base64, elementBytes, type Parameter } from "../protocol/kernel";

export class ArgumentTable {
  private body = h("div", { class: "kargs" });
  private said = h("p", { class: "note", role: "status" });
  readonly element = h("div", {}, h("h2", {}, "Arguments"), this.body, this.said);

  constructor(
    private changed: () => void,
    private readContents: ReadContents,
  ) {}

  show(rows: Row[], params: readonly Parameter[] = []): void {
    text(this.said, rows.length === 0 ? "The kernel has no parameters, or its text has a fault." : "");
    this.body.replaceChildren(...rows.map((r, i) => this.row(r, i, params[i], () => this.show(rows, params))));
  }

  private row(r: Row, i: number, p: Parameter | undefined, again: () => void): HTMLElement {
    const title = `${i}: ${p ? `${p.Name}, ${p.Type}` : r.kind === "buffer" ? r.name : r.type}`;
    const chosen = (words: string, options: readonly (readonly [string, string])[], value: string, set: (v: string) => void): HTMLElement =>
      choice(`argument ${i}, ${words}`, options, value, (v) => {
        set(v);
        this.changed();
        again();
      });
    const tick = (words: string, on: boolean, set: (v: boolean) => void): HTMLElement => {
      const box = h("input", { type: "checkbox" });
      box.checked = on;
      box.addEventListener("change", () => {
        set(box.checked);
        this.changed();
      });
      return h("label", { class: "tick" }, box, ` ${words}`);
    };
    const input = (words: string, value: string, set: (v: string) => void): HTMLInputElement =>
      field(`argument ${i}, ${words}`, value, (v) => {
        set(v);
        this.changed();
      });
    const kinds = [["buffer", "buffer"], ["number", "number"], ["launch", "launch number"], ["texture", "texture"]] as const;
    const parts: HTMLElement[] = [chosen("kind", kinds, r.kind, (v) => (r.kind = v as Row["kind"]))];
    if (r.kind === "number") parts.push(input(`value, ${r.type}`, r.value, (v) => (r.value = v)));
    if (r.kind === "texture") parts.push(input("name of the texture", r.value, (v) => (r.value = v)));
    if (r.kind === "buffer") {
      const contents = ["zeros", ...Object.keys(GENERATORS)].map((n) => [n, n] as const);
      parts.push(chosen("contents", [...contents, ["file", "a file"]], r.contents, (v) => (r.contents = v)));
      if (r.contents === "file") parts.push(this.file(r, again));
      else {
        const count = input("elements", String(r.count), (v) => (r.count = Number(v)));
        count.inputMode = "numeric";
        parts.push(count);
      }
      parts.push(chosen("type", ELEMENTS.map((e) => [e, e] as const), r.element, (v) => (r.element = v)));
      parts.push(tick("output", r.output, (v) => (r.output = v)), tick("may be approximated", r.safe, (v) => (r.safe = v)));
      if (r.output) parts.push(this.expected(r, again));
    }
    return h("fieldset", { class: "karg" }, h("legend", {}, title), ...parts);
  }

  private file(r: Row, again: () => void): HTMLElement {
    const words = r.fileName ? `${r.fileName}, ${bytes(Math.floor((r.data.length * 3) / 4))}` : "Choose…";
    const box = contentsPicker(`Contents of ${r.name}`, words, this.readContents, (c) => this.read(c, r, again), (why) => text(this.said, why));
    box.title = `The elements of a file: ${KINDS}.`;
    return box;
  }

  // expected is the choice of what an output should be.
  private expected(r: Row, again: () => void): HTMLElement {
    const words = r.expected ? `expected: ${r.expectedName}` : "Expected output…";
    const take = ({ data, element, name, note }: Chosen): void => {
      const { element: of } = bufferElement(element);
      if (of && of !== r.element) return text(this.said, `“${name}”: its elements are ${element}, and those of ${r.name} are ${r.element}. Choose the same type.`);
      Object.assign(r, { expected: base64(data), expectedName: name });
      this.changed();
      again();
      text(this.said, note);
    };
    const file = contentsPicker(`Expected output of ${r.name}`, words, this.readContents, take, (why) => text(this.said, why));
    file.title = `Optional. After the run the output is compared with the elements of this file: ${KINDS}.`;
    const none = button("×", () => {
      delete r.expected;
      this.changed();
      again();
    }, { class: "plain", hidden: !r.expected, "aria-label": `Forget the expected output of ${r.name}` });
    return h("span", {}, file, none);
  }

  private read({ data, element, name, note }: Chosen, r: Row, again: () => void): void {
    const of = bufferElement(element);
    r.data = base64(data);
    r.fileName = name;
    if (of.element) r.element = of.element;
    r.count = Math.floor(data.length / elementBytes(r.element));
    this.changed();
    again();
    text(this.said, `${note}${of.note}`);
  }
}
