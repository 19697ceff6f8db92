// The pieces of a line of PTX, by what they are.

// PARTS of a line of PTX, by what they are (PTX ISA, syntax): comments, directives and modifiers, registers, numbers,
// and the first word of a statement.
const PARTS = [
  ["c", /^\/\/.*/], ["c", /^\/\*.*?\*\//], ["r", /^%[\w$]+(?:\.[xyzw])?/], ["d", /^\.[A-Za-z_][\w:]*/],
  ["n", /^(?:0[xXfFdD][0-9a-fA-F]+|\d[\d.]*)U?\b/], ["", /^[\w$]+/], ["", /^[^\w%./$]+/],
] as const;

// coloursOf divides a part of a line: each piece with its kind, "" where it has none.
export function coloursOf(part: string): [string, string][] {
  const list: [string, string][] = [];
  let begins = true; // a statement
  for (let rest = part; rest !== ""; ) {
    const found = PARTS.map(([k, form]) => [k, form.exec(rest)?.[0] ?? ""] as const).find(([, m]) => m !== "");
    const [kind, match] = found ?? ["", rest[0]!];
    const word = kind === "" && /^[A-Za-z]/.test(match);
    const label = word && rest[match.length] === ":";
    list.push([word && begins && !label ? "o" : kind, match]);
    if (word && !label) begins = false;
    if (/[;{}]/.test(match) && kind === "") begins = true;
    rest = rest.slice(match.length);
  }
  return list;
}
