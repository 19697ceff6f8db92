// The words of a lesson, as elements: paragraphs, lists, emphasis and code. Everything
// else, markup included, is shown as the text it is.
//
//   a blank line ends a paragraph        - and 1. begin entries of lists
//   *emphasis*   **strong**   `code`

import { h } from "../lib/dom";

export function prose(text: string): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  for (const block of text.replace(/\r/g, "").split(/\n[ \t]*\n/)) {
    let lines: string[] = []; // of the paragraph or entry under way
    let list: HTMLElement | undefined;
    const flush = (): void => {
      const words = lines.join(" ").trim();
      lines = [];
      if (words === "") return;
      if (list) list.append(h("li", {}, ...inline(words)));
      else blocks.push(h("p", {}, ...inline(words)));
    };
    for (const line of block.split("\n")) {
      const entry = /^\s*(-|\d+\.)\s+(.*)$/.exec(line);
      if (!entry) {
        lines.push(line.trim());
        continue;
      }
      flush();
      const tag = entry[1] === "-" ? "ul" : "ol";
      if (list?.localName !== tag) {
        list = h(tag);
        blocks.push(list);
      }
      lines.push(entry[2]!);
    }
    flush();
  }
  return blocks;
}

// inline splits words at their marks. A mark without its pair is shown.
export function inline(words: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  const marks = /`([^`]+)`|\*\*(\S(?:[^*]*\S)?)\*\*|\*(\S(?:[^*]*\S)?)\*/g;
  let end = 0;
  for (const m of words.matchAll(marks)) {
    if (m.index > end) parts.push(words.slice(end, m.index));
    end = m.index + m[0].length;
    if (m[1] !== undefined) parts.push(h("code", {}, m[1]));
    else if (m[2] !== undefined) parts.push(h("strong", {}, m[2]));
    else parts.push(h("em", {}, m[3]!));
  }
  if (end < words.length) parts.push(words.slice(end));
  return parts;
}
