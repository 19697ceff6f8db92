// Reads the pairs of a fragment. They are checked against the engine's lists later.

import { clip, count } from "../lib/format";

// VERSION is the form of a version: a link can make nothing else of a URL.
export const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/;

export const LINK_VERSION = 1;

// A link of knobs takes some hundred characters, one that carries a program tens of
// thousands. Chromium ends URLs at two million.
export const MOST_CHARACTERS = 256 * 1024;

const MOST_PROBLEMS = 6; // said of one link; the rest is counted

// Read is what a fragment asks for: pairs not yet checked against the engine's lists.
export interface Read {
  pairs: Map<string, string>;
  given: ReadonlySet<string>; // all keys, also after they were taken out of pairs
  problems: string[];
  version?: string; // of the program that wrote it, in links that were shared
}

export function readFragment(fragment: string): Read {
  const pairs = new Map<string, string>();
  const problems: string[] = [];
  const body = fragment.replace(/^#/, "");
  if (body.length > MOST_CHARACTERS) {
    problems.push(`it has ${count(body.length)} characters; at most ${count(MOST_CHARACTERS)} are read`);
    return { pairs, given: new Set(), problems };
  }
  for (const part of body === "" ? [] : body.split("&")) {
    const eq = part.indexOf("=");
    if (eq <= 0) {
      problems.push(`“${quoted(part)}” is not key=value`);
      continue;
    }
    let value: string;
    try {
      value = decodeURIComponent(part.slice(eq + 1).replace(/\+/g, " "));
    } catch {
      problems.push(`the value of ${quoted(part.slice(0, eq))} is cut off`);
      continue;
    }
    pairs.set(part.slice(0, eq), value);
  }
  const program = pairs.get("version");
  pairs.delete("version");
  const known = program !== undefined && VERSION.test(program);
  if (program !== undefined && !known) problems.push(`version=${quoted(program)} was ignored: use a version such as 0.1.0`);
  const version = pairs.get("v");
  if (pairs.size > 0 && version !== String(LINK_VERSION)) {
    problems.push(
      version === undefined
        ? "the link names no version, so it was read as version 1"
        : `the link has version ${quoted(version)}, but this page reads version ${LINK_VERSION}`,
    );
  }
  pairs.delete("v");
  return { pairs, given: new Set(pairs.keys()), problems, ...(known ? { version: program } : {}) };
}

// problemsOf names the faults of a link in one sentence.
export function problemsOf(read: Read): string {
  const said = read.problems.slice(0, MOST_PROBLEMS).map((p) => p.replace(/\.$/, ""));
  const more = read.problems.length - said.length;
  if (more > 0) said.push(`and ${count(more)} more like these`);
  return `${said.join("; ")}.`;
}

// quoted is a part of a link as it is shown to the reader.
export function quoted(s: string): string {
  return clip(s, 40);
}
