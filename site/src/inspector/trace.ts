// The path of a block's requests, from the event log, in words.

import { KIND, type Event, type EventLog } from "../protocol/events";
import { modeText, sizeBytes } from "../protocol/blocks";

const MOST = 60;
const RESULTS = ["hit", "miss", "joins a pending miss", "store passes", "blocked, tries again", "predicted, nothing is fetched"];

const STORE = 3; // ResultWrite of core/probe
const QUEUED = ["read queued", "write queued", "read answered from a queued write"];

// Request is what is known of a request so far.
interface Request {
  from: number; // its first cycle
  store: boolean;
}

export interface Step {
  cycle: number;
  words: string;
  past: boolean; // before the cursor
}

export function trace(log: EventLog, addr: number, now: number): { steps: Step[]; more: number } {
  const { events, more } = log.of(addr, MOST, now);
  const steps: Step[] = [];
  const asked = new Map<number, Request>();
  for (const e of events) {
    const request = asked.get(e.req) ?? { from: e.cycle, store: false };
    if (e.kind === KIND.l1 && e.a === STORE) request.store = true;
    if (e.req !== 0) asked.set(e.req, request);
    const words = wordsOf(e, request);
    if (words) steps.push({ cycle: e.cycle, words, past: e.cycle <= now });
  }
  return { steps, more };
}

function wordsOf(e: Event, request: Request): string | undefined {
  const result = RESULTS[e.a & 0xff] ?? `result ${e.a}`;
  switch (e.kind) {
    case KIND.issue:
      return `SM ${e.unit}, warp ${e.a >>> 16}: instruction ${e.b} of ${(e.a >>> 8) & 0xff} lanes touches ${e.a & 0xff} line${(e.a & 0xff) === 1 ? "" : "s"}`;
    case KIND.l1:
      return `SM ${e.unit}, L1: ${result}`;
    case KIND.xbarRequest:
      return `crossbar, SM ${e.unit >>> 8} to L2 slice ${e.unit & 0xff}, ${e.a} flits`;
    case KIND.xbarReply:
      return `crossbar, L2 slice ${e.unit & 0xff} to SM ${e.unit >>> 8}, ${e.a} flits`;
    case KIND.l2:
      return `L2 slice ${e.unit}: ${e.a >>> 8 === STORE ? "store, " : ""}${result}`;
    case KIND.queue:
      return `channel ${e.unit}: ${QUEUED[e.a] ?? "request"}, ${e.b} waiting`;
    case KIND.metadata:
      return `channel ${e.unit}, metadata cache: ${result}`;
    case KIND.read:
    case KIND.write: {
      const what = e.b & 1 ? "metadata burst" : `burst ${((e.a >>> 8) & 0xff) + 1} of ${(e.a >>> 16) & 0xff}`;
      return `channel ${e.unit}, bank ${e.a & 0xff}: ${e.kind === KIND.read ? "read" : "write"}, ${what}`;
    }
    case KIND.compress:
    case KIND.decompress: {
      const cut = (e.b >>> 16) & 0xff;
      const symbols = cut > 0 ? `, ${cut} symbols cut from ${(e.b >>> 8) & 0xff}` : "";
      return `${e.kind === KIND.compress ? "compressed" : "decompressed"}: ${sizeBytes(e.a & 0xffffff)} B, ${modeText(e.a >>> 24)}${symbols}`;
    }
    case KIND.link:
      return `link: sectors ${e.a & 1 ? "out" : "in"}, ${e.b} cycles on it`;
    case KIND.reply:
      return request.store
        ? `SM ${e.unit} knows the store is done, ${e.cycle - request.from} cycles after sending it`
        : `SM ${e.unit} has it, ${e.cycle - request.from} cycles after asking`;
    default:
      return undefined;
  }
}
