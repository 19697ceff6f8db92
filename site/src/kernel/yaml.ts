// YAML as people write it, with the place of each value.

import { LineCounter, parseDocument, stringify } from "yaml";

// Text is a YAML text that has been read.
export interface Text {
  value: unknown;
  // place is the line and the column of the value of a path such as launches[0].args[1].spec, or of the nearest
  // value around it that the text has.
  place(path: string): { line: number; column: number };
}

const MOST_ALIASES = 100; // of one node, as the library has by default

// read reads a text. It throws what is wrong with it, with its line.
export function read(source: string): Text {
  const lines = new LineCounter();
  const doc = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const wrong = doc.errors[0];
  if (wrong) {
    const { line, col } = lines.linePos(wrong.pos[0]);
    throw new Error(`line ${line}, column ${col}: ${wrong.message}`);
  }
  const value: unknown = doc.toJS({ maxAliasCount: MOST_ALIASES });
  return {
    value,
    place(path: string) {
      const keys = path.split(/[.[\]]+/).filter(Boolean).map((k) => (/^\d+$/.test(k) ? Number(k) : k));
      for (; keys.length > 0; keys.pop()) {
        const node = doc.getIn(keys, true) as { range?: [number, number, number] } | undefined;
        if (node?.range) break;
      }
      const node = keys.length > 0 ? (doc.getIn(keys, true) as { range: [number, number, number] }) : undefined;
      const { line, col } = lines.linePos(node?.range[0] ?? 0);
      return { line, column: col };
    },
  };
}

// write is the text of a value. Short lists and maps of scalars stand in a line.
export function write(value: unknown): string {
  return stringify(value, { lineWidth: 100, aliasDuplicateObjects: false });
}
