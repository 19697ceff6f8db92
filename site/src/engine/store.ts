// What engines keep for later visits: results, exact outputs and symbol statistics, by the hash of
// everything they depend on. The engine checks what it gets back, so a damaged or foreign entry does
// no harm. Where a browser allows no storage, nothing is kept.

const NAME = "burstscope-kept";
const MOST_BYTES = 64 * 2 ** 20; // of all entries; the oldest go first
const MOST_NAMES = 4096;

const PATIENCE_MS = 300; // a run does not wait longer for what may be kept

// Entry stands in one table, its bytes in another, so that old entries are found without reading them.
interface Entry {
  key: string;
  size: number;
  used: number; // when
}

export class Store {
  private open: Promise<IDBDatabase | undefined>;

  // build names the page's build: what another one has kept is not found.
  constructor(private build: string) {
    this.open = new Promise((resolve) => {
      try {
        const asked = indexedDB.open(NAME, 1);
        asked.onupgradeneeded = () => {
          asked.result.createObjectStore("entries", { keyPath: "key" }).createIndex("used", "used");
          asked.result.createObjectStore("bytes");
        };
        asked.onsuccess = () => {
          asked.result.onversionchange = () => asked.result.close();
          resolve(asked.result);
        };
        asked.onerror = asked.onblocked = () => resolve(undefined);
      } catch {
        resolve(undefined); // a sandbox
      }
    });
  }

  // recall gives the bytes of keys, null where there are none.
  async recall(keys: string[]): Promise<(Uint8Array | null)[]> {
    const found: (Uint8Array | null)[] = keys.map(() => null);
    const reading = this.within((entries, bytes) => {
      keys.forEach((key, i) => {
        const asked = bytes.get(this.named(key));
        asked.onsuccess = () => {
          if (!(asked.result instanceof Uint8Array)) return;
          found[i] = asked.result;
          entries.put({ key: this.named(key), size: asked.result.length, used: Date.now() } satisfies Entry);
        };
      });
    });
    await Promise.race([reading, new Promise((late) => setTimeout(late, PATIENCE_MS))]);
    return [...found];
  }

  async keep(key: string, data: Uint8Array): Promise<void> {
    await this.within((entries, bytes) => {
      bytes.put(data, this.named(key));
      entries.put({ key: this.named(key), size: data.length, used: Date.now() } satisfies Entry);
      let total = 0;
      let names = 0;
      const walk = entries.index("used").openCursor(null, "prev"); // the latest first
      walk.onsuccess = () => {
        const at = walk.result;
        if (!at) return;
        const { key: old, size } = at.value as Entry;
        total += typeof size === "number" ? size : Infinity;
        if (total > MOST_BYTES || ++names > MOST_NAMES) {
          bytes.delete(old);
          at.delete();
        }
        at.continue();
      };
    });
  }

  async forget(key: string): Promise<void> {
    await this.within((entries, bytes) => {
      entries.delete(this.named(key));
      bytes.delete(this.named(key));
    });
  }

  private named(key: string): string {
    return `${this.build} ${key}`;
  }

  // within runs requests as one transaction. If it fails, for example for want of room, it has changed nothing.
  private async within(requests: (entries: IDBObjectStore, bytes: IDBObjectStore) => void): Promise<void> {
    const db = await this.open;
    if (!db) return;
    await new Promise<void>((resolve) => {
      try {
        const tx = db.transaction(["entries", "bytes"], "readwrite");
        tx.oncomplete = tx.onabort = tx.onerror = () => resolve();
        requests(tx.objectStore("entries"), tx.objectStore("bytes"));
      } catch {
        resolve();
      }
    });
  }
}
