// Long links: their pairs deflated and in base64url, under the one key z. Unpacking stops
// at a bound, so that a small link cannot fill memory.

import { readFragment, type Read } from "./fragment";

// Links below this many characters stay readable.
export const PACK_FROM = 1500;
// The most that a packed link may unpack to: the length of the longest readable link.
const MOST_BYTES = 256 * 1024;

// packed is a fragment in its short form, if that is shorter.
export async function packed(fragment: string): Promise<string> {
  const body = fragment.replace(/^#/, "");
  if (body.length < PACK_FROM || typeof CompressionStream === "undefined") return fragment;
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const b of bytes) text += String.fromCharCode(b);
  const short = `#v=1&z=${btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
  return short.length < fragment.length ? short : fragment;
}

// unpack puts what the key z holds among the pairs of a link. Its faults are reported
// with the link's other problems, and then none of it is used.
export async function unpack(read: Read): Promise<void> {
  const z = read.pairs.get("z");
  if (z === undefined) return;
  read.pairs.delete("z");
  let body: string;
  try {
    body = await inflated(z);
  } catch (e) {
    read.problems.push(`its packed part ${e instanceof TooLong ? e.message : "is broken or cut off"}, and was ignored`);
    return;
  }
  const inner = readFragment(body);
  inner.pairs.delete("z");
  for (const [key, value] of inner.pairs) if (!read.pairs.has(key)) read.pairs.set(key, value);
  read.problems.push(...inner.problems);
  read.given = new Set([...read.given, ...inner.given]);
  if (inner.version !== undefined && read.version === undefined) read.version = inner.version;
}

class TooLong extends Error {}

async function inflated(z: string): Promise<string> {
  const raw = atob(z.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > MOST_BYTES) {
      await reader.cancel();
      throw new TooLong(`unpacks to more than ${MOST_BYTES / 1024} KiB`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
