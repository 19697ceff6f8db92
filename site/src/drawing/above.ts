// Why a histogram of bytes above a multiple of MAG has no bars.

import { count } from "../lib/format";
import type { Above } from "./described";

// nothingAbove says it in a sentence; "" if there are bars.
export function nothingAbove(counts: Above): string {
  const [whole = 0, ...above] = counts.Bytes;
  if (above.some((n) => n > 0)) return "";
  const where = [`${count(counts.OneMAG)} fit in one burst`, `${count(whole)} fill whole bursts`, `${count(counts.Raw)} are stored raw`];
  return `No block ends above a multiple of ${counts.MAGBytes} B: of ${count(counts.All)} blocks ${where.join(", ")}. No threshold saves a burst here.`;
}
