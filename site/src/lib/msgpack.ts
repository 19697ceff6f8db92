// Scenarios as msgpack, byte for byte as core/scenario packs them: keys sorted,
// integers as short as they go.

export type Packable = string | number | Uint8Array | Packable[] | { [key: string]: Packable | undefined };

export function pack(value: Packable): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  put(out, value);
  return Uint8Array.from(out);
}

function put(out: number[], v: Packable): void {
  if (typeof v === "number") return putNumber(out, v);
  if (typeof v === "string") {
    const data = new TextEncoder().encode(v);
    head(out, data.length, 0xa0, 32, 0xd9, 0xda, 0xdb);
    return append(out, data);
  }
  if (v instanceof Uint8Array) {
    head(out, v.length, 0, 0, 0xc4, 0xc5, 0xc6);
    return append(out, v);
  }
  if (Array.isArray(v)) {
    head(out, v.length, 0x90, 16, 0, 0xdc, 0xdd);
    for (const x of v) put(out, x);
    return;
  }
  const keys = Object.keys(v).filter((k) => v[k] !== undefined).sort();
  head(out, keys.length, 0x80, 16, 0, 0xde, 0xdf);
  for (const k of keys) {
    put(out, k);
    put(out, v[k]!);
  }
}

function putNumber(out: number[], n: number): void {
  if (!Number.isSafeInteger(n)) throw new Error(`a scenario may hold whole numbers only, not ${n}`);
  if (n < 0) throw new Error(`a scenario may hold numbers from 0 only, not ${n}`);
  if (n <= 0x7f) out.push(n);
  else if (n <= 0xff) out.push(0xcc, n);
  else if (n <= 0xffff) big(out, 0xcd, n, 2);
  else if (n <= 0xffffffff) big(out, 0xce, n, 4);
  else big(out, 0xcf, n, 8);
}

// head writes a length: in the low bits of fix below fixed, or behind a format of
// 8, 16 or 32 bits. A format of 0 does not exist.
function head(out: number[], n: number, fix: number, fixed: number, f8: number, f16: number, f32: number): void {
  if (n < fixed) out.push(fix | n);
  else if (n <= 0xff && f8 !== 0) out.push(f8, n);
  else if (n <= 0xffff) big(out, f16, n, 2);
  else big(out, f32, n, 4);
}

function big(out: number[], format: number, n: number, bytes: number): void {
  out.push(format);
  for (let i = bytes - 1; i >= 0; i--) out.push(Math.floor(n / 2 ** (8 * i)) % 256);
}

function append(out: number[], data: Uint8Array): void {
  for (const b of data) out.push(b);
}
