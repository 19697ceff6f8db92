// Loading a WebAssembly program, in the page and in workers.

// NO_MEMORY is in what Go's runtime, Chromium, Firefox and WebKit say where memory, or room for addresses, runs out.
export const NO_MEMORY = new RegExp(
  "(out of|cannot allocate|failed to (allocate|grow)|could not allocate|not enough) *(wasm )?memory" +
    "|cannot allocate|allocation failed",
  "i",
);

// compile takes the program from a URL, or from what a URL would hold, and compiles it while it comes.
// restored makes the program of what arrives, if it is not the program itself.
export async function compile(
  source: string | BufferSource,
  packed: boolean,
  restored?: (arriving: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>,
): Promise<WebAssembly.Module> {
  let answer = typeof source === "string" ? await fetch(source) : new Response(source);
  if (!answer.ok) throw new Error(`the server answered ${answer.status} for ${answer.url}`);
  if ((packed || restored) && answer.body) {
    let body: ReadableStream<Uint8Array> = answer.body;
    if (packed) body = answer.body.pipeThrough(new DecompressionStream("gzip"));
    if (restored) body = restored(body);
    answer = new Response(body, { headers: { "Content-Type": "application/wasm" } });
  }
  // Servers that do not know the type application/wasm cannot be streamed from.
  if (answer.headers.get("Content-Type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}
