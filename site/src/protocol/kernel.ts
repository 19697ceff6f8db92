// A program of the reader's own: as a scenario holds it (core/scenario/ptx.go), and the engine's
// answer about its text.

export interface Argument {
  spec: string; // core/workload/argument
  data?: string; // base64
  element?: string; // type of a buffer's elements
}

// Texture binds memory to a .texref, or to what an argument tex:NAME passes (core/ptx/README.md).
export interface Texture {
  name: string;
  buffer?: string;
  data?: string; // base64
  format: string;
  channels?: number;
  width: number;
  height?: number;
  filter?: string;
  address?: string;
  coordinates?: string;
  layout?: string;
}

export interface OwnProgram {
  file?: string;
  source: string;
  entry?: string; // left out if there are launches
  grid?: number[];
  block?: number[];
  shared?: number;
  safe?: number[]; // arguments, from 0, whose buffers may be approximated
  metric?: string;
  repeat?: number;
  launch?: string; // "cooperative": the whole grid must fit on the machine; "programmatic"; or "nonPortable"
  fma?: string;
  base?: number;
  args?: Argument[];
  textures?: Texture[];
  buffers?: Argument[]; // that no argument passes
  modules?: { name: string; file?: string; source: string }[];
  launches?: HostStep[];
}

// HostStep is one step of a program's host part (core/scenario/host.go): a launch, a fill, a copy or a loop.
export interface HostStep {
  entry?: string;
  module?: string;
  grid?: (number | string)[];
  block?: (number | string)[];
  shared?: number | string;
  args?: Argument[];
  fill?: { buffer: string; offset?: number | string; bytes?: number | string; value: string };
  copy?: { from?: string; data?: string; to: string };
  loop?: {
    name?: string;
    rounds?: number | string;
    values?: (number | string)[];
    while?: Condition;
    until?: Condition;
    steps: HostStep[];
  };
}

// entryOf is the kernel of a program, or the first that its host launches.
export function entryOf(p: OwnProgram): string {
  const first = (steps: readonly HostStep[]): string => {
    for (const s of steps) {
      const name = s.entry ?? first(s.loop?.steps ?? []);
      if (name) return name;
    }
    return "";
  };
  return p.entry ?? first(p.launches ?? []);
}

// Condition is what the host reads back, to end a loop.
export interface Condition {
  buffer: string;
  offset?: number | string;
  is?: string;
  value: string;
}

// Mark is a fault at a place of the text, counted from 1.
export interface Mark {
  line: number;
  column: number;
  message: string;
}

export interface Parameter {
  Name: string;
  Type: string;
  Bytes: number;
}

export interface Compiled {
  type: "compiled";
  id: number;
  what: string; // the first fault, "" if there is none
  marks: Mark[];
  kernels: { name: string; params: Parameter[] | null; stores: boolean[] }[]; // stores: of each parameter
  help: string; // of each instruction, one a line (core/ptx/compile/help.go)
}

// Contents are the elements of a file for a buffer or a texture; or the names of its arrays, if it
// has several and none was chosen; or what is wrong with it.
export interface Contents {
  type: "contents";
  id: number;
  what: string; // "" if nothing is wrong
  arrays?: string[];
  data?: Uint8Array;
  element?: string; // "" if the file does not tell
  raw?: boolean; // nothing is known about the file: these are its bytes
}

// GENERATORS fill a buffer. Their values are exact in every browser: no function of Math takes part.
export const GENERATORS: Record<string, (i: number) => number> = {
  "smooth values": (i) => 1 + ((i * i) % 4093) / 4096 / 64 + (i % 512) / 512,
  "random values": (i) => (Math.imul(i + 1, 0x9e3779b1) >>> 8) / 2 ** 24,
  "0, 1, 2, …": (i) => i,
};

const VIEWS: Record<string, { bytes: number; set(v: DataView, at: number, x: number): void }> = {
  u8: { bytes: 1, set: (v, at, x) => v.setUint8(at, x) },
  s8: { bytes: 1, set: (v, at, x) => v.setInt8(at, x) },
  u16: { bytes: 2, set: (v, at, x) => v.setUint16(at, x, true) },
  s16: { bytes: 2, set: (v, at, x) => v.setInt16(at, x, true) },
  u32: { bytes: 4, set: (v, at, x) => v.setUint32(at, x, true) },
  s32: { bytes: 4, set: (v, at, x) => v.setInt32(at, x, true) },
  f32: { bytes: 4, set: (v, at, x) => v.setFloat32(at, x, true) },
  u64: { bytes: 8, set: (v, at, x) => v.setBigUint64(at, BigInt(Math.trunc(x)), true) },
  s64: { bytes: 8, set: (v, at, x) => v.setBigInt64(at, BigInt(Math.trunc(x)), true) },
  f64: { bytes: 8, set: (v, at, x) => v.setFloat64(at, x, true) },
};

export const ELEMENTS: readonly string[] = Object.keys(VIEWS);

export function elementBytes(element: string): number {
  return VIEWS[element]?.bytes ?? 1;
}

// generated is a buffer that a generator fills. Integers get values up to 255, or whole ones.
export function generated(name: string, element: string, count: number): string {
  const { bytes, set } = VIEWS[element]!;
  const view = new DataView(new ArrayBuffer(bytes * count));
  const scale = element.startsWith("f") || name.startsWith("0") ? 1 : 127;
  for (let i = 0; i < count; i++) set(view, i * bytes, GENERATORS[name]!(i) * scale);
  return base64(new Uint8Array(view.buffer));
}

export function base64(data: Uint8Array): string {
  let s = "";
  for (let i = 0; i < data.length; i += 0x8000) s += String.fromCharCode(...data.subarray(i, i + 0x8000));
  return btoa(s);
}

// OWN names the scenario of the reader's own program.
export const OWN = "own";

const STARTER = `.version 6.0
.target sm_70
.address_size 64

// y[i] = a * x[i] + y[i]
.visible .entry saxpy(
    .param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
    .reg .pred %p;
    .reg .f32 %f<4>;
    .reg .b32 %r<5>;
    .reg .b64 %d<6>;

    ld.param.u64 %d1, [x];
    ld.param.u64 %d2, [y];
    ld.param.f32 %f1, [a];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r2, %r2, %r3, %r4;
    setp.ge.u32 %p, %r2, %r1;
    @%p bra DONE;
    mul.wide.u32 %d3, %r2, 4;
    add.u64 %d4, %d1, %d3;
    add.u64 %d5, %d2, %d3;
    ld.global.f32 %f2, [%d4];
    ld.global.f32 %f3, [%d5];
    fma.rn.f32 %f3, %f1, %f2, %f3;
    st.global.f32 [%d5], %f3;
DONE:
    ret;
}
`;

let starterData: string | undefined;

// STARTER_PROGRAM is the program that a new editor begins with.
export const STARTER_PROGRAM: OwnProgram = {
  file: "kernel.ptx",
  source: STARTER,
  entry: "saxpy",
  grid: [16],
  block: [256],
  safe: [0],
  metric: "mre",
  args: [
    {
      spec: "in:x",
      element: "f32",
      // Made when somebody asks: it would be a quarter of the time that the page's first script takes.
      get data() {
        return (starterData ??= generated("smooth values", "f32", 4096));
      },
    },
    { spec: "out:y:16384", element: "f32" },
    { spec: "f32:2" },
    { spec: "u32:4096" },
  ],
};
