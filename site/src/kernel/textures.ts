// The table of a program's textures: which memory each reads, and how.

import { KINDS, contentsPicker, type Chosen, type ReadContents } from "./contents";
import { choice, input } from "./controls";
import { buffersOf, type Row, type TextureRow } from "./draft";
import { h, text } from "../lib/dom";
import { visible } from "../lib/format";
import { GENERATORS, base64, elementBytes, type Texture } from "../protocol/kernel";

// The words of core/scenario/texture.go. The first of each list is what a texture has that says nothing.
const FORMATS = ["f32", "f16", "u8", "s8", "u16", "s16", "u32", "s32"];
const WORDS = {
  filter: ["nearest", "linear"],
  address: ["clamp", "border", "wrap", "mirror"],
  coordinates: ["texels", "normalized"],
  layout: ["linear", "array"],
} as const;

export class TextureTable {
  private body = h("div", { class: "kargs" });
  private said = h("p", { class: "note", role: "status" });
  private add = h("button", { type: "button", id: "kernel-texture" }, "Bind a texture");
  readonly element = h("div", {}, h("h2", {}, "Textures"), this.body, this.said, this.add);
  private rows: TextureRow[] = [];
  private args: readonly Row[] = [];

  constructor(
    private changed: () => void,
    private source: () => string,
    private readContents: ReadContents,
  ) {
    this.add.addEventListener("click", () => {
      this.rows.push(newTexture(this.named()));
      this.redraw();
      this.body.querySelector<HTMLElement>("fieldset:last-of-type input")?.focus();
    });
  }

  show(rows: TextureRow[], args: readonly Row[]): void {
    [this.rows, this.args] = [rows, args];
    text(this.said, rows.length === 0 ? "A program that reads with tex needs one for each .texref, or for each argument of the kind texture." : "");
    this.body.replaceChildren(...rows.map((r, i) => this.row(r, i)));
  }

  private redraw(): void {
    this.changed();
    this.show(this.rows, this.args);
  }

  // named is the first .texref of the text, or texture of the arguments, that has no memory yet.
  private named(): string {
    const refs = [...this.source().matchAll(/\.texref\s+([^;]+);/g)].flatMap((m) => m[1]!.split(",").map((n) => n.trim()));
    const passed = this.args.filter((r) => r.kind === "texture").map((r) => r.value.trim());
    return [...refs, ...passed].find((n) => n !== "" && !this.rows.some((r) => r.texture.name === n)) ?? "";
  }

  private row(r: TextureRow, i: number): HTMLElement {
    const t = r.texture;
    const label = (words: string): string => `texture ${i}, ${words}`;
    const set = (change: () => void): void => {
      change();
      this.redraw();
    };
    const number = (key: "width" | "height", words: string): HTMLElement => {
      const field = input(label(words), String(t[key] ?? 0), (v) => {
        if (key === "height" && Number(v) === 0) delete t.height;
        else t[key] = v.trim() === "" ? NaN : Number(v);
        this.changed();
      });
      field.inputMode = "numeric";
      return h("label", { class: "tick" }, `${words} `, field);
    };
    const word = <K extends keyof typeof WORDS>(key: K): HTMLElement =>
      choice(label(key), WORDS[key].map((w) => [w, `${key}: ${w}`] as const), t[key] ?? WORDS[key][0], (v) =>
        set(() => {
          if (v === WORDS[key][0]) delete t[key];
          else t[key] = v;
        }),
      );
    const buffers = buffersOf(this.args).map(({ name, index }) => [`buffer:${name}`, `argument ${index}, ${name}`] as const);
    const own = [...(t.format === "f16" ? [] : Object.keys(GENERATORS)), "file"].map((n) => [n, n === "file" ? "a file" : n] as const);
    const from = r.contents === "buffer" ? `buffer:${t.buffer ?? ""}` : r.contents;
    const known = buffers.some(([v]) => v === from) || r.contents !== "buffer" ? buffers : [...buffers, [from, `${visible(t.buffer ?? "")}, which no argument is`] as const];
    return h("fieldset", { class: "karg" },
      h("legend", {}, `${t.height ? "2D" : "1D"} ${visible(t.name) || "without a name"}`),
      input(label("name"), t.name, (v) => ((t.name = v.trim()), this.changed())),
      number("width", "width"),
      number("height", "height, 0 for 1D"),
      choice(label("format"), FORMATS.map((f) => [f, f] as const), t.format, (v) => set(() => (t.format = v))),
      choice(label("channels"), ["1", "2", "4"].map((n) => [n, n === "1" ? "1 channel" : `${n} channels`] as const), String(t.channels ?? 1), (v) =>
        set(() => {
          if (v === "1") delete t.channels;
          else t.channels = Number(v);
        }),
      ),
      word("filter"),
      word("address"),
      word("coordinates"),
      word("layout"),
      choice(label("memory"), [...known, ...own], from, (v) =>
        set(() => {
          r.contents = v.startsWith("buffer:") ? "buffer" : v;
          delete t.buffer;
          if (r.contents === "buffer") t.buffer = v.slice("buffer:".length);
          if (r.contents !== "file") delete t.data;
        }),
      ),
      ...(r.contents === "file" ? [this.file(r, label("file"))] : []),
      h("button", { type: "button", class: "plain", "aria-label": label("remove"), onclick: () => set(() => this.rows.splice(i, 1)) }, "×"),
    );
  }

  private file(r: TextureRow, label: string): HTMLElement {
    const words = r.fileName ?? (r.texture.data ? "data of the program" : "Choose…");
    const box = contentsPicker(label, words, this.readContents, (c) => this.read(c, r), (why) => text(this.said, why));
    box.title = `The texels, as elements of a file: ${KINDS}.`;
    return box;
  }

  private read({ data, element, name, note }: Chosen, r: TextureRow): void {
    if (element !== "" && !FORMATS.includes(element)) return text(this.said, `“${name}”: its elements are ${element}. Texels are ${FORMATS.join(", ")}.`);
    r.texture.data = base64(data);
    r.fileName = name;
    if (element !== "") r.texture.format = element;
    // One row of texels, until the reader says otherwise.
    const texels = Math.floor(data.length / (texelBytes(r.texture.format) * (r.texture.channels ?? 1)));
    if (!r.texture.height) r.texture.width = texels;
    this.redraw();
    text(this.said, note);
  }
}

function newTexture(name: string): TextureRow {
  return { texture: { name, format: "f32", width: 64, height: 64 }, contents: "smooth values" };
}

export function texelBytes(format: Texture["format"]): number {
  return format === "f16" ? 2 : elementBytes(format);
}
