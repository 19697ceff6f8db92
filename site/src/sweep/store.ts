// Outcomes of points by the hash of their scenario and the version that computed them: in
// memory, and in the browser's own store where it has one, so that a sweep continues
// after a reload.

import type { Outcome } from "./pool";

const NAME = "burstscope-points";
const TABLE = "points";

export class Store {
  private memory = new Map<string, Outcome>();
  private db: Promise<IDBDatabase | undefined> | undefined;

  constructor(private version: string) {}

  get(key: string): Outcome | undefined {
    return this.memory.get(this.full(key));
  }

  // read brings outcomes into memory and answers how many of the keys are there.
  async read(keys: string[]): Promise<number> {
    const lacking = keys.filter((k) => !this.get(k));
    const db = lacking.length > 0 ? await this.open() : undefined;
    if (db) await Promise.all(lacking.map((k) => this.readOne(db, this.full(k))));
    return keys.filter((k) => this.get(k)).length;
  }

  put(key: string, outcome: Outcome): void {
    const full = this.full(key);
    this.memory.set(full, outcome);
    void this.open().then((db) => {
      try {
        db?.transaction(TABLE, "readwrite").objectStore(TABLE).put(outcome, full);
      } catch {
        // The browser took the store away; what is in memory stays.
      }
    });
  }

  // forget drops everything, of every version.
  async forget(): Promise<void> {
    this.memory.clear();
    const db = await this.open();
    if (!db) return;
    await new Promise<void>((resolve) => {
      const t = db.transaction(TABLE, "readwrite");
      t.objectStore(TABLE).clear();
      t.oncomplete = t.onerror = t.onabort = () => resolve();
    });
  }

  private full(key: string): string {
    return `${this.version}/${key}`;
  }

  private readOne(db: IDBDatabase, full: string): Promise<void> {
    return new Promise((resolve) => {
      let asked: IDBRequest<unknown>;
      try {
        asked = db.transaction(TABLE).objectStore(TABLE).get(full);
      } catch {
        return resolve();
      }
      asked.onerror = () => resolve();
      asked.onsuccess = () => {
        const found = asked.result as Outcome | undefined;
        if (typeof found?.hash === "string" && (found.result ?? found.traffic)) this.memory.set(full, found);
        resolve();
      };
    });
  }

  // open returns undefined if the browser has no database: in private windows of some
  // browsers, and in frames without an origin.
  private open(): Promise<IDBDatabase | undefined> {
    this.db ??= new Promise((resolve) => {
      let asked: IDBOpenDBRequest;
      try {
        asked = indexedDB.open(NAME, 1);
      } catch {
        return resolve(undefined);
      }
      asked.onupgradeneeded = () => asked.result.createObjectStore(TABLE);
      asked.onsuccess = () => {
        // Another page may need a newer form of the database.
        asked.result.onversionchange = () => asked.result.close();
        resolve(asked.result);
      };
      asked.onerror = asked.onblocked = () => resolve(undefined);
    });
    return this.db;
  }
}
