// The program in the editor: its form in the browser's storage and in a scenario.

import { aboveLimit, visible } from "../lib/format";
import { keep, keptValue } from "../lib/keep";
import { isHosted } from "./host";
import { ELEMENTS, elementBytes, generated, type Argument, type OwnProgram, type Parameter, type Texture } from "../protocol/kernel";

const STORED = "burstscope.kernel";
const MISS_RATE = "miss-rate";
const MOST_TEXELS = 131_072; // of a line; the engine has the limits of each kind
const MOST_STORED = 2_000_000; // characters; browsers keep five million of a site

// Row is an argument as the table shows it.
export interface Row {
  kind: "number" | "launch" | "buffer" | "texture"; // texture: value is its name
  type: string; // of a number, such as u32
  value: string;
  name: string; // of a buffer
  contents: string; // "zeros", a generator, or "file"
  data: string; // base64, of a file
  fileName: string;
  element: string;
  count: number; // elements
  output: boolean;
  safe: boolean;
  parameter?: string; // that it was last fitted to; the scenario does not hold it
  stored?: boolean; // whether the kernel stores to it, as the text said when it was last fitted
  expected?: string; // base64: what the output should be. The scenario does not hold it
  expectedName?: string;
}

export interface Draft {
  file: string;
  source: string;
  entry: string;
  grid: string;
  block: string;
  shared: string;
  rows: Row[];
  textures?: TextureRow[];
  kept?: KeptSettings;
  host?: OwnProgram; // a program with a host part, which the rows do not show
}

// TextureRow is a texture as the table shows it.
export interface TextureRow {
  texture: Texture;
  contents: string; // "buffer", "file", or a generator, which makes the data of the program
  fileName?: string;
}

// KeptSettings are those of a scenario that the editor has no control for.
export type KeptSettings = Pick<OwnProgram, "repeat" | "launch" | "fma" | "base" | "metric">;

// bufferName is what a buffer is called that a parameter takes.
function bufferName(parameter: string): string {
  return parameter.replace(/^.*_param_/, "param").replace(/[^\w]/g, "");
}

// newRow is the argument of a parameter. A buffer that the kernel stores to is an output; what it only reads needs
// contents.
export function newRow(p?: Parameter, stores = true): Row {
  const type = (p?.Type ?? "u64").replace(/^\./, "");
  const buffer = p === undefined || /^[ub]64$/.test(type);
  return {
    kind: buffer ? "buffer" : "number",
    type: /^[usbf]\d+$/.test(type) ? type : "u32",
    value: "0",
    name: p ? bufferName(p.Name) : "buffer",
    contents: stores ? "zeros" : "smooth values",
    data: "",
    fileName: "",
    element: "f32",
    count: 4096,
    output: stores,
    safe: false,
  };
}

function rowOf(a: Argument, safe: boolean): Row {
  const row = newRow();
  const [head = "", ...rest] = a.spec.split(":");
  const last = rest[rest.length - 1] ?? "";
  if (a.spec === "@launch" || last === "@launch") return { ...row, kind: "launch", type: rest.length > 0 ? head : "u32" };
  if (head === "tex") return { ...row, kind: "texture", value: rest.join(":") };
  if (!["in", "out", "inout"].includes(head)) return { ...row, kind: "number", type: head, value: rest.join(":") };
  const element = a.element ?? "u32";
  const size = head === "out" ? Number(last) : atob(a.data ?? "").length;
  return {
    ...row,
    name: rest[0] ?? "",
    contents: head === "out" ? "zeros" : "file",
    data: a.data ?? "",
    fileName: head === "out" ? "" : "data of the program",
    element: ELEMENTS.includes(element) ? element : "u32",
    count: Math.floor(size / elementBytes(element)),
    output: head !== "in",
    safe,
  };
}

export function draftOf(p: OwnProgram): Draft {
  if (isHosted(p)) return { file: p.file ?? "kernel.ptx", source: p.source, entry: p.entry ?? "", grid: "1",
    block: "1", shared: "0", rows: [], host: p };
  const list = (n?: number[]): string => (n ?? [1]).join(", ");
  return {
    file: p.file ?? "kernel.ptx",
    source: p.source,
    entry: p.entry ?? "",
    grid: list(p.grid),
    block: list(p.block),
    shared: String(p.shared ?? 0),
    rows: (p.args ?? []).map((a, i) => rowOf(a, p.safe?.includes(i) ?? false)),
    ...(p.textures ? { textures: p.textures.map((t) => ({ texture: { ...t }, contents: t.buffer ? "buffer" : "file" })) } : {}),
    ...keptOf(p),
  };
}

function keptOf(p: OwnProgram): { kept?: KeptSettings } {
  const kept: KeptSettings = {};
  if (p.repeat !== undefined) kept.repeat = p.repeat;
  if (p.launch !== undefined) kept.launch = p.launch;
  if (p.fma !== undefined) kept.fma = p.fma;
  if (p.base !== undefined) kept.base = p.base;
  if (p.metric !== undefined) kept.metric = p.metric;
  return Object.keys(kept).length > 0 ? { kept } : {};
}

// A measure of the errors of reals does not fit other outputs.
function metricOf(d: Draft, real: boolean): string {
  const own = d.kept?.metric;
  if (own !== undefined && (real || own === MISS_RATE)) return own;
  return real ? "mre" : MISS_RATE;
}

// keptWords names the settings without a control; "" if there are none.
export function keptWords(d: Draft): string {
  const { repeat, launch, fma, base, metric } = d.kept ?? {};
  return [
    repeat !== undefined && `${repeat} launches`,
    launch !== undefined && `a ${launch} launch`,
    fma !== undefined && `fma ${fma}`,
    base !== undefined && `memory from 0x${base.toString(16)}`,
    metric !== undefined && metric !== "mre" && metric !== MISS_RATE && `outputs measured by ${metric}`,
  ].filter(Boolean).join(", ");
}

// buffersOf are the arguments that a texture may read.
export function buffersOf(rows: readonly Row[]): { name: string; index: number }[] {
  return rows.flatMap((r, index) => (r.kind === "buffer" ? [{ name: r.name, index }] : []));
}

// textureOf is a texture as a scenario holds it. The engine checks what it says.
function textureOf(r: TextureRow, i: number, rows: readonly Row[]): Texture {
  const t = r.texture;
  const at = `texture ${i}`;
  if (t.name === "") throw new Error(`${at} has no name; write that of a .texref, or of an argument of the kind texture`);
  for (const [key, least] of [["width", 1], ["height", 0]] as const) {
    const n = t[key] ?? 0;
    if (!Number.isInteger(n) || n < least || n > MOST_TEXELS) throw new Error(`${at}: a ${key} is a whole number from ${least} to ${MOST_TEXELS}`);
  }
  if (r.contents === "buffer") {
    if (!buffersOf(rows).some(({ name }) => name === t.buffer)) throw new Error(`${at} reads the buffer ${visible(t.buffer ?? "")}, which no argument is; choose its memory`);
    return t;
  }
  if (r.contents === "file") {
    if (!t.data) throw new Error(`${at}: choose the file with its texels`);
    return t;
  }
  const texels = t.width * Math.max(1, t.height ?? 0);
  if (texels > 2 ** 24) throw new Error(`${at} has ${texels} texels; a generator fills at most ${2 ** 24}`);
  return { ...t, data: generated(r.contents, t.format, texels * (t.channels ?? 1)) };
}

function numbers(text: string, what: string): number[] {
  const list = text.split(/[\s,x×]+/).filter((x) => x !== "").map(Number);
  if (list.length < 1 || list.length > 3 || list.some((n) => !Number.isInteger(n) || n < 1)) throw new Error(`${what} “${text.slice(0, 40)}”: write one to three whole numbers from 1, such as 64 or 16, 16`);
  return list;
}

const NUMBER = /^[-+]?(0x[0-9a-f]+|\d+|\d*\.\d+(e[-+]?\d+)?|\d+\.?(e[-+]?\d+)?|inf|nan)$/i;

function argumentOf(r: Row, i: number): Argument {
  const at = `argument ${i}`;
  if (r.kind === "launch") return { spec: `${r.type}:@launch` };
  if (r.kind === "texture") return { spec: `tex:${r.value.trim()}` };
  if (r.kind === "number") {
    if (!NUMBER.test(r.value.trim())) throw new Error(`${at}: “${r.value.slice(0, 40)}” is not a number`);
    return { spec: `${r.type}:${r.value.trim()}` };
  }
  const name = r.name.replace(/[^\w]/g, "") || `argument${i}`;
  if (r.contents !== "file" && !(Number.isInteger(r.count) && r.count >= 1 && r.count <= 2 ** 28)) throw new Error(`${at}: a buffer needs a whole number of elements from 1 to ${2 ** 28}`);
  if (r.contents === "zeros") {
    if (!r.output) throw new Error(`${at}: a buffer of zeros that is no output has no use; choose other contents or mark it as an output`);
    return { spec: `out:${name}:${r.count * elementBytes(r.element)}`, element: r.element };
  }
  if (r.contents === "file" && r.data === "") throw new Error(`${at}: choose the file that fills the buffer`);
  const data = r.contents === "file" ? r.data : generated(r.contents, r.element, r.count);
  return { spec: r.output ? `inout:${name}:${name}` : `in:${name}`, data, element: r.element };
}

// The packed scenario holds 16 MiB (core/scenario/msgpack.go); the rest is for its settings.
const MOST_HELD = 15 << 20; // bytes of the text and the data

function checkSize(d: Draft): void {
  const decoded = (data = ""): number => Math.floor((data.length * 3) / 4);
  const ofRow = (r: Row): number => (r.kind !== "buffer" || r.contents === "zeros" ? 0 : r.contents === "file" ? decoded(r.data) : r.count * elementBytes(r.element));
  const ofTexture = ({ texture: t, contents }: TextureRow): number =>
    contents === "buffer" ? 0 : contents === "file" ? decoded(t.data) : t.width * Math.max(1, t.height ?? 0) * (t.channels ?? 1) * elementBytes(t.format);
  const held = [...d.rows.map(ofRow), ...(d.textures ?? []).map(ofTexture)].reduce((sum, n) => sum + (n || 0), d.source.length);
  if (held > MOST_HELD) throw new Error(`the program and its data take ${aboveLimit(held, MOST_HELD).join(", and this page runs at most ")}; give less data, or use burstscope exec, which takes it from files`);
}

// programOf is the program as a scenario holds it. It throws what is wrong with the fields around
// the text; the engine checks the text.
export function programOf(d: Draft): OwnProgram {
  const shared = Number(d.shared || "0");
  if (!Number.isInteger(shared) || shared < 0) throw new Error(`dynamic shared memory “${d.shared.slice(0, 40)}”: write a number of bytes`);
  checkSize(d);
  const safe = d.rows.map((r, i) => (r.kind === "buffer" && r.safe ? i : -1)).filter((i) => i >= 0);
  const outputs = d.rows.filter((r) => r.kind === "buffer" && r.output);
  const real = outputs.length > 0 && outputs.every((r) => r.element.startsWith("f"));
  return {
    file: d.file,
    source: d.source,
    entry: d.entry,
    grid: numbers(d.grid, "grid"),
    block: numbers(d.block, "block"),
    ...(shared > 0 ? { shared } : {}),
    ...(safe.length > 0 ? { safe } : {}),
    ...(d.kept ?? {}),
    metric: metricOf(d, real),
    args: d.rows.map(argumentOf),
    ...(d.textures?.length ? { textures: d.textures.map((t, i) => textureOf(t, i, d.rows)) } : {}),
  };
}

// fit makes a row for each parameter of a kernel, and keeps rows that still fit: that of the same
// parameter, or else that of a renamed one in its place. A buffer follows the name of its parameter
// unless it was given another, and textures follow the buffer that they read.
export function fit(
  rows: readonly Row[], params: readonly Parameter[], textures: readonly TextureRow[] = [], stores?: readonly boolean[],
): Row[] {
  const readers = textures.flatMap((t) => {
    const row = t.contents === "buffer" ? rows.find((r) => r.kind === "buffer" && r.name === t.texture.buffer) : undefined;
    return row ? [{ t, row }] : [];
  });
  const names = new Set(params.map((p) => p.Name));
  const fitted = params.map((p, i) => {
    const fresh = { ...newRow(p, stores?.[i]), parameter: p.Name, stored: stores?.[i] ?? true };
    const inPlace = rows[i];
    const old = rows.find((r) => r.parameter === p.Name) ?? (inPlace && !names.has(inPlace.parameter ?? "") ? inPlace : undefined);
    if (!old) return fresh;
    const fits = old.kind === "buffer" || old.kind === "texture" ? p.Bytes === 8 || p.Bytes === 4 : elementBytes(old.type) === p.Bytes && old.type.startsWith("f") === fresh.type.startsWith("f");
    if (!fits) return fresh;
    followStores(old, p, stores?.[i] ?? true);
    if (old.parameter !== undefined && old.name === bufferName(old.parameter)) old.name = fresh.name;
    old.parameter = p.Name;
    return old;
  });
  for (const { t, row } of readers) if (fitted.includes(row)) t.texture.buffer = row.name;
  return fitted;
}

// followStores makes a buffer an output, or an input, if the text has changed what the kernel does with it. What a
// scenario says stands until then.
function followStores(r: Row, p: Parameter, stored: boolean): void {
  if (r.parameter !== undefined && (r.parameter !== p.Name || (r.stored ?? stored) !== stored)) {
    r.output = stored;
    if (!stored && r.contents === "zeros") r.contents = "smooth values";
  }
  r.stored = stored;
}

// keepDraft stores the draft in this browser, and says whether it could.
export function keepDraft(d: Draft): boolean {
  const text = JSON.stringify(d);
  return text.length <= MOST_STORED && keep(STORED, text);
}

export function keptDraft(): Draft | undefined {
  const d = keptValue(STORED) as Draft | null;
  if (!d || typeof d.source !== "string" || !Array.isArray(d.rows)) return undefined;
  const unknown = d.textures && !(Array.isArray(d.textures) && d.textures.every((r) => typeof r?.texture?.name === "string"));
  if (unknown) delete d.textures; // of an earlier version of the page
  return d;
}
