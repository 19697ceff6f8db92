// Loading a WebAssembly program, in the page and in workers.

// instantiate takes the program from a URL, or from what a URL would hold.
export async function instantiate(source: string | Blob, packed: boolean, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  let answer = typeof source === "string" ? await fetch(source) : new Response(source);
  if (!answer.ok) throw new Error(`the server answered ${answer.status} for ${String(source)}`);
  if (packed && answer.body) {
    answer = new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
  }
  // Servers that do not know the type application/wasm cannot be streamed from.
  if (answer.headers.get("Content-Type")?.startsWith("application/wasm")) {
    return (await WebAssembly.instantiateStreaming(answer, imports)).instance;
  }
  return (await WebAssembly.instantiate(await answer.arrayBuffer(), imports)).instance;
}
