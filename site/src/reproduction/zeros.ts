// Zeros among errors: a geometric mean of errors says how many of its values are exactly
// 0, and what it is without them (core/claim/vocabulary.go).

import { significant } from "../lib/format";
import type { Zeros } from "./data";

// Row is a series of a figure or of a chart.
interface Row {
  label: string;
  zeros?: (Zeros | null)[] | undefined;
}

// zeroWords are short: they stand below the mean in a table.
export function zeroWords(z: Zeros): string {
  if (z.zeros === 0) return `no zeros among ${z.of}`;
  const of = `${z.zeros} of ${z.of} exactly 0`;
  return z.without === null ? of : `${of}; without ${z.zeros === 1 ? "it" : "them"} ${significant(z.without, 4)}`;
}

export function zerosOf(s: Row, category: number): Zeros | undefined {
  return s.zeros?.[category] ?? undefined;
}

// zeroLines says it of every mean of a panel, for files and for readers of the chart.
export function zeroLines(p: { categories: string[]; series: Row[] }): string[] {
  return p.series.flatMap((s) =>
    p.categories.flatMap((c, k) => {
      const z = zerosOf(s, k);
      return z ? [`Geometric mean of ${s.label}, ${c}: ${zeroWords(z)}. A zero counts as 1e-9.`] : [];
    }),
  );
}
