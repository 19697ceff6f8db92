// The program in the editor: its form in the browser's storage and in a scenario.

import { ELEMENTS, elementBytes, generated, type Argument, type OwnProgram, type Parameter, type Texture } from "../protocol/kernel";

const STORED = "burstscope.kernel";
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
  textures?: Texture[]; // kept as they are; a scenario brings them
}

export function newRow(p?: Parameter): Row {
  const type = (p?.Type ?? "u64").replace(/^\./, "");
  const buffer = p === undefined || /^[ub]64$/.test(type);
  return {
    kind: buffer ? "buffer" : "number",
    type: /^[usbf]\d+$/.test(type) ? type : "u32",
    value: "0",
    name: (p?.Name ?? "buffer").replace(/^.*_param_/, "param").replace(/[^\w]/g, ""),
    contents: "zeros",
    data: "",
    fileName: "",
    element: "f32",
    count: 4096,
    output: true,
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
  const bytes = head === "out" ? Number(last) : atob(a.data ?? "").length;
  return {
    ...row,
    name: rest[0] ?? "",
    contents: head === "out" ? "zeros" : "file",
    data: a.data ?? "",
    fileName: head === "out" ? "" : "data of the program",
    element: ELEMENTS.includes(element) ? element : "u32",
    count: Math.floor(bytes / elementBytes(element)),
    output: head !== "in",
    safe,
  };
}

export function draftOf(p: OwnProgram): Draft {
  const list = (n?: number[]): string => (n ?? [1]).join(", ");
  return {
    file: p.file ?? "kernel.ptx",
    source: p.source,
    entry: p.entry,
    grid: list(p.grid),
    block: list(p.block),
    shared: String(p.shared ?? 0),
    rows: (p.args ?? []).map((a, i) => rowOf(a, p.safe?.includes(i) ?? false)),
    ...(p.textures ? { textures: p.textures } : {}),
  };
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

// programOf is the program as a scenario holds it. It throws what is wrong with the fields around
// the text; the engine checks the text.
export function programOf(d: Draft): OwnProgram {
  const shared = Number(d.shared || "0");
  if (!Number.isInteger(shared) || shared < 0) throw new Error(`dynamic shared memory “${d.shared.slice(0, 40)}”: write a number of bytes`);
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
    metric: real ? "mre" : "miss-rate",
    args: d.rows.map(argumentOf),
    ...(d.textures ? { textures: d.textures } : {}),
  };
}

// fit makes a row for each parameter of a kernel, and keeps rows that still fit.
export function fit(rows: readonly Row[], params: readonly Parameter[]): Row[] {
  return params.map((p, i) => {
    const fresh = newRow(p);
    const old = rows[i];
    if (!old) return fresh;
    const fits = old.kind === "buffer" || old.kind === "texture" ? p.Bytes === 8 || p.Bytes === 4 : elementBytes(old.type) === p.Bytes && old.type.startsWith("f") === fresh.type.startsWith("f");
    return fits ? old : fresh;
  });
}

// keep stores the draft in this browser, and says whether it could.
export function keep(d: Draft): boolean {
  try {
    const text = JSON.stringify(d);
    if (text.length > MOST_STORED) return false;
    localStorage.setItem(STORED, text);
    return true;
  } catch {
    return false; // no storage here, or it is full
  }
}

export function kept(): Draft | undefined {
  try {
    const d = JSON.parse(localStorage.getItem(STORED) ?? "null") as Draft | null;
    return d && typeof d.source === "string" && Array.isArray(d.rows) ? d : undefined;
  } catch {
    return undefined;
  }
}
