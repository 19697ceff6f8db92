// The npm packages of the page (site/vendor), as far as it uses them.

declare module "yaml" {
  export class LineCounter {
    linePos(offset: number): { line: number; col: number };
  }
  export interface Document {
    errors: { message: string; pos: [number, number] }[];
    toJS(options?: { maxAliasCount?: number }): unknown;
    getIn(path: readonly (string | number)[], keepScalar?: boolean): unknown;
  }
  export interface Reading {
    lineCounter?: LineCounter;
    prettyErrors?: boolean;
  }
  export function parseDocument(source: string, options?: Reading): Document;
  export function stringify(value: unknown, options?: { lineWidth?: number; aliasDuplicateObjects?: boolean }): string;
}
