// The message API of the embed (site/EMBED.md): the shapes, and the check every
// message from outside passes before anything looks at it.

import { clip as clipText } from "../lib/format";

export const API = 1;

// Bounds of a message: a state is some dozens of short values.
const MOST_VALUES = 200;
const MOST_DEPTH = 4;
const MOST_CHARACTERS = 16_384;
const MOST_ID = 64;

export type Scalar = string | number | boolean;

export type FromHost = { id?: string | number } & (
  | { type: "ready" }
  | { type: "getState" }
  | { type: "setState"; state: Record<string, Scalar> | string }
  | { type: "run" }
  | { type: "pause"; paused?: boolean }
  | { type: "seek"; cycle: number }
  | { type: "export"; format: ExportFormat }
);

const FORMATS = ["json", "csv", "svg", "link"] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface Refusal {
  what: string;
  where: string;
  mend: string;
}

type Field = (value: unknown) => string | undefined; // what it should be

const SHAPES: Record<FromHost["type"], Record<string, { need: boolean; check: Field }>> = {
  ready: {},
  getState: {},
  setState: { state: { need: true, check: stateShape } },
  run: {},
  pause: { paused: { need: false, check: (v) => (typeof v === "boolean" ? undefined : "true or false") } },
  seek: { cycle: { need: true, check: (v) => (typeof v === "number" && v >= 0 && v <= Number.MAX_SAFE_INTEGER ? undefined : "a cycle, a number from 0") } },
  export: { format: { need: true, check: (v) => (FORMATS.some((f) => f === v) ? undefined : `one of ${FORMATS.join(", ")}`) } },
};

function stateShape(v: unknown): string | undefined {
  const words = "a fragment such as “#v=1&s=dct”, or an object with the fragment's keys, each a text, a number, true or false";
  if (typeof v === "string") return undefined;
  if (!isPlain(v)) return words;
  return Object.values(v).every(isScalar) ? undefined : words;
}

function isScalar(x: unknown): x is Scalar {
  return typeof x === "string" || typeof x === "boolean" || (typeof x === "number" && Number.isFinite(x));
}

function isPlain(v: unknown): v is Record<string, unknown> {
  if (typeof v !== "object" || v === null) return false;
  const proto: unknown = Object.getPrototypeOf(v);
  return proto === Object.prototype || proto === null;
}

// isOurs tells messages for an embed from the other messages in a page.
export function isOurs(data: unknown): data is Record<string, unknown> {
  return isPlain(data) && "burstscope" in data;
}

// check answers the message, or what is wrong with it.
export function check(data: Record<string, unknown>): FromHost | Refusal {
  const refuse = (what: string, where: string, mend: string): Refusal => ({ what, where, mend });
  const tooMuch = weigh(data);
  if (tooMuch) return refuse(`The message is refused: ${tooMuch}.`, "message", `Send at most ${MOST_CHARACTERS} characters in ${MOST_VALUES} values.`);
  if (data["burstscope"] !== API) {
    return refuse(`Version ${clip(data["burstscope"])} of the message protocol is unknown.`, "burstscope", `Send burstscope: ${API}.`);
  }
  const type = data["type"];
  if (typeof type !== "string" || !Object.hasOwn(SHAPES, type)) {
    return refuse(`There is no message of type ${clip(type)}.`, "type", `Use one of ${Object.keys(SHAPES).join(", ")}.`);
  }
  const shape = SHAPES[type as FromHost["type"]];
  const id = data["id"];
  const idFits = id === undefined || (typeof id === "number" && Number.isFinite(id)) || (typeof id === "string" && id.length <= MOST_ID);
  if (!idFits) return refuse("The id must be a number or a short text.", `${type}.id`, `Use at most ${MOST_ID} characters, or leave the id out.`);
  for (const key of Object.keys(data)) {
    if (key === "burstscope" || key === "type" || key === "id" || Object.hasOwn(shape, key)) continue;
    const known = ["id", ...Object.keys(shape)].join(", ");
    return refuse(`${type} has no field ${clip(key)}.`, `${type}.${clip(key)}`, `It takes ${known}.`);
  }
  for (const [key, { need, check: field }] of Object.entries(shape)) {
    if (data[key] === undefined && !need) continue;
    const value = data[key];
    const wants = field(value);
    if (!wants) continue;
    const [inner, odd] = isPlain(value) ? (Object.entries(value).find(([, x]) => !isScalar(x)) ?? []) : [];
    const what = inner === undefined ? `${key} is ${value === undefined ? "missing" : clip(value)}` : `${key}.${clipText(inner, 40)} is ${clip(odd)}`;
    return refuse(`${type}.${what}.`, `${type}.${key}`, `${type}.${key} must be ${wants}.`);
  }
  return data as unknown as FromHost;
}

export function isRefusal(m: FromHost | Refusal): m is Refusal {
  return "what" in m;
}

// weigh says which bound a message exceeds, if any. It never reads further than the
// bounds.
function weigh(data: unknown): string | undefined {
  let values = 0;
  let characters = 0;
  const stack: [unknown, number][] = [[data, 0]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [v, depth] = next;
    if (++values > MOST_VALUES) return "it holds too many values";
    if (typeof v === "string") characters += v.length;
    if (characters > MOST_CHARACTERS) return "its texts are too long";
    if (typeof v !== "object" || v === null) continue;
    if (depth >= MOST_DEPTH) return "it is nested too deeply";
    if (!isPlain(v)) return "it may hold only texts, numbers, true, false and objects of these";
    for (const key in v) {
      if (stack.length > MOST_VALUES) return "it holds too many values";
      characters += key.length;
      stack.push([v[key], depth + 1]);
    }
  }
  return undefined;
}

export function clip(v: unknown): string {
  switch (typeof v) {
    case "string":
      return `“${clipText(v, 40)}”`;
    case "bigint":
      // It may have millions of digits, and writing them takes quadratic time.
      return BigInt.asIntN(64, v) === v ? `the BigInt ${v}n` : "a BigInt of many digits";
    case "object":
      return v === null ? "null" : "an object";
  }
  return String(v);
}
