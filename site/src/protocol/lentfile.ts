// Files of the reader for a worker. In WebKit a worker of a page from a disk can read no Blob, but its page
// can: the page then keeps the file, and the worker asks for pieces of it.

// LentFile is what the worker gets in place of a file.
export interface LentFile {
  name: string; // "" if it has none
  size: number;
  pieces: MessagePort;
}

// FilePieces is the part of Blob that the engine uses (wasm/engine/labblob.go).
export interface FilePieces {
  name: string;
  size: number;
  slice(begin: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

interface Asked {
  id: number;
  begin: number;
  end: number;
}

interface Answer {
  id: number;
  data?: ArrayBuffer;
  fault?: string;
}

// forWorker is files as the engine gets them. The ports are to be handed over with the message.
export function forWorker(files: readonly Blob[]): { blobs: (Blob | LentFile)[]; ports: MessagePort[] } {
  if (location.protocol !== "file:") return { blobs: [...files], ports: [] };
  const lent = files.map(lend);
  return { blobs: lent, ports: lent.map((f) => f.pieces) };
}

// lend answers for a file as long as the worker lives.
function lend(file: Blob): LentFile {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = async ({ data: { id, begin, end } }: MessageEvent<Asked>) => {
    try {
      const data = await file.slice(begin, end).arrayBuffer();
      port1.postMessage({ id, data } satisfies Answer, [data]);
    } catch (e) {
      port1.postMessage({ id, fault: e instanceof Error ? e.message : String(e) } satisfies Answer);
    }
  };
  return { name: file instanceof File ? file.name : "", size: file.size, pieces: port2 };
}

// lentAs makes of a lent file what the engine reads. Anything else is as it came.
export function lentAs(file: unknown): unknown {
  const { name, size, pieces } = (file ?? {}) as Partial<LentFile>;
  if (name === undefined || size === undefined || !(pieces instanceof MessagePort)) return file;
  const asked = new Map<number, { resolve(data: ArrayBuffer): void; reject(why: Error): void }>();
  let last = 0;
  pieces.onmessage = ({ data: { id, data, fault } }: MessageEvent<Answer>) => {
    const waiting = asked.get(id);
    asked.delete(id);
    if (data) waiting?.resolve(data);
    else waiting?.reject(new Error(fault));
  };
  return {
    name,
    size,
    slice: (begin, end) => ({
      arrayBuffer: () =>
        new Promise((resolve, reject) => {
          asked.set(++last, { resolve, reject });
          pieces.postMessage({ id: last, begin, end } satisfies Asked);
        }),
    }),
  } satisfies FilePieces;
}
