// The table of a kernel's arguments.

import { contentsOf, type Contents } from "./npy";
import type { Row } from "./draft";
import { h, text } from "../lib/dom";
import { bytes, visible } from "../lib/format";
import { ELEMENTS, GENERATORS, base64, elementBytes, type Parameter, type Texture } from "../protocol/kernel";

const MOST_BYTES = 64 << 20; // of a buffer's file

// described says what a texture is; a scenario or the command line binds it.
function described(t: Texture): string {
  const size = t.height ? `${t.width} × ${t.height}` : `${t.width}`;
  return `${size} texels of ${t.channels ?? 1} × ${t.format}, filter ${t.filter ?? "nearest"}, address ${t.address ?? "clamp"}, coordinates ${t.coordinates ?? "texels"}, layout ${t.layout ?? "linear"}, ${t.buffer ? `from the buffer ${visible(t.buffer)}` : "with data of its own"}`;
}

export class ArgumentTable {
  private body = h("div", { class: "kargs" });
  private said = h("p", { class: "note", role: "status" });
  readonly element = h("div", {}, h("h2", {}, "Arguments"), this.body, this.said);

  private textures: readonly Texture[] = [];

  constructor(private changed: () => void) {}

  show(rows: Row[], params: readonly Parameter[] = [], textures: readonly Texture[] = this.textures): void {
    this.textures = textures;
    text(this.said, rows.length === 0 ? "The kernel has no parameters, or its text has a fault." : "");
    const bound = textures.map((t) => h("p", { class: "note" }, `Texture ${visible(t.name)}: ${described(t)}.`));
    this.body.replaceChildren(...rows.map((r, i) => this.row(r, i, params[i], () => this.show(rows, params))), ...bound);
  }

  private row(r: Row, i: number, p: Parameter | undefined, again: () => void): HTMLElement {
    const title = `${i}: ${p ? `${p.Name}, ${p.Type}` : r.kind === "buffer" ? r.name : r.type}`;
    const choice = (words: string, options: readonly (readonly [string, string])[], value: string, set: (v: string) => void): HTMLElement => {
      const select = h("select", { "aria-label": `argument ${i}, ${words}` }, ...options.map(([v, said]) => h("option", { value: v }, said)));
      select.value = value;
      select.addEventListener("change", () => {
        set(select.value);
        this.changed();
        again();
      });
      return select;
    };
    const tick = (words: string, on: boolean, set: (v: boolean) => void): HTMLElement => {
      const box = h("input", { type: "checkbox" });
      box.checked = on;
      box.addEventListener("change", () => {
        set(box.checked);
        this.changed();
      });
      return h("label", { class: "tick" }, box, ` ${words}`);
    };
    const input = (words: string, value: string, set: (v: string) => void): HTMLInputElement => {
      const field = h("input", { "aria-label": `argument ${i}, ${words}`, autocomplete: "off", value });
      field.addEventListener("input", () => {
        set(field.value);
        this.changed();
      });
      return field;
    };
    const kinds = [["buffer", "buffer"], ["number", "number"], ["launch", "launch number"], ["texture", "texture"]] as const;
    const parts: HTMLElement[] = [choice("kind", kinds, r.kind, (v) => (r.kind = v as Row["kind"]))];
    if (r.kind === "number") parts.push(input(`value, ${r.type}`, r.value, (v) => (r.value = v)));
    if (r.kind === "texture") parts.push(input("name of the texture", r.value, (v) => (r.value = v)));
    if (r.kind === "buffer") {
      const contents = ["zeros", ...Object.keys(GENERATORS)].map((n) => [n, n] as const);
      parts.push(choice("contents", [...contents, ["file", "a file (.npy or raw)"]], r.contents, (v) => (r.contents = v)));
      if (r.contents === "file") parts.push(this.file(r, again));
      else {
        const count = input("elements", String(r.count), (v) => (r.count = Number(v)));
        count.inputMode = "numeric";
        parts.push(count);
      }
      parts.push(choice("type", ELEMENTS.map((e) => [e, e] as const), r.element, (v) => (r.element = v)));
      parts.push(tick("output", r.output, (v) => (r.output = v)), tick("may be approximated", r.safe, (v) => (r.safe = v)));
      if (r.output) parts.push(this.expected(r, again));
    }
    return h("fieldset", { class: "karg" }, h("legend", {}, title), ...parts);
  }

  private file(r: Row, again: () => void): HTMLElement {
    const field = h("input", { type: "file", class: "vh", tabindex: -1, "aria-label": "Contents of the buffer" });
    const button = h("button", { type: "button" }, r.fileName ? `${r.fileName}, ${bytes(Math.floor((r.data.length * 3) / 4))}` : "Choose…");
    button.addEventListener("click", () => field.click());
    field.addEventListener("change", () => {
      const file = field.files?.[0];
      if (file) void this.read(file, r).then(again, (e: unknown) => text(this.said, `“${visible(file.name)}”: ${e instanceof Error ? e.message : String(e)}.`));
    });
    return h("span", {}, button, field);
  }

  // expected is the choice of what an output should be.
  private expected(r: Row, again: () => void): HTMLElement {
    const field = h("input", { type: "file", class: "vh", tabindex: -1, "aria-label": `Expected output of ${r.name}` });
    const button = h("button", { type: "button", title: "Optional. After the run the output is compared with this file (.npy or raw)." }, r.expected ? `expected: ${r.expectedName}` : "Expected output…");
    button.addEventListener("click", () => field.click());
    field.addEventListener("change", () => {
      const file = field.files?.[0];
      if (file) void this.contents(file).then(
        ({ data }) => {
          Object.assign(r, { expected: base64(data), expectedName: visible(file.name) });
          this.changed();
          again();
        },
        (e: unknown) => text(this.said, `“${visible(file.name)}”: ${e instanceof Error ? e.message : String(e)}.`),
      );
    });
    const none = h("button", { type: "button", class: "plain", hidden: !r.expected, "aria-label": `Forget the expected output of ${r.name}` }, "×");
    none.addEventListener("click", () => {
      delete r.expected;
      this.changed();
      again();
    });
    return h("span", {}, button, none, field);
  }

  private async contents(file: File): Promise<Contents> {
    if (file.size > MOST_BYTES) throw new Error(`it has ${bytes(file.size)}; a buffer of the page has at most ${bytes(MOST_BYTES)}`);
    const found = contentsOf(new Uint8Array(await file.arrayBuffer()));
    if (found.data.length === 0) throw new Error("it is empty; choose a file with contents");
    return found;
  }

  private async read(file: File, r: Row): Promise<void> {
    const { data, element } = await this.contents(file);
    r.data = base64(data);
    r.fileName = visible(file.name);
    if (element) r.element = element;
    r.count = Math.floor(data.length / elementBytes(r.element));
    this.changed();
  }
}
