// What the author of an embed chose: keys embed.* of the fragment, which are separate
// from the simulator's own state.

export const EMBED_PREFIX = "embed.";
const ORIGINS = "embed.origins";
const MOST_KNOBS = 6;

export interface EmbedOptions {
  load: "click" | "visible" | "now";
  origins: string[] | undefined; // pages that may send messages; undefined: the page around
  knobs: string[] | undefined; // free knobs; undefined: chosen by the scenario
  autoplay: boolean;
  tabs: boolean;
  scenario: string;
  theme: string;
  problems: string[];
}

export function readOptions(fragment: string): EmbedOptions {
  const o: EmbedOptions = { load: "click", origins: undefined, knobs: undefined, autoplay: true, tabs: false, scenario: "", theme: "auto", problems: [] };
  for (const part of fragment.replace(/^#/, "").split("&")) {
    const eq = part.indexOf("=");
    const key = part.slice(0, Math.max(0, eq));
    if (key !== "s" && key !== "theme" && !key.startsWith(EMBED_PREFIX)) continue; // a module may be long
    let value: string;
    try {
      value = decodeURIComponent(part.slice(eq + 1).replace(/\+/g, " "));
    } catch {
      if (key === ORIGINS) o.origins = [];
      continue; // the simulator names it
    }
    const wrong = take(o, key, value);
    if (wrong) o.problems.push(`${key.slice(0, 40)}=${value.slice(0, 40)} was ignored: ${wrong}`);
  }
  return o;
}

function take(o: EmbedOptions, key: string, value: string): string | undefined {
  switch (key) {
    case "s":
      o.scenario = value;
      return undefined;
    case "theme":
      o.theme = value;
      return undefined;
    case "embed.load":
      if (value !== "click" && value !== "visible" && value !== "now") return "use click, visible or now";
      o.load = value;
      return undefined;
    case "embed.autoplay":
      if (value !== "yes" && value !== "no") return "use yes or no";
      o.autoplay = value === "yes";
      return undefined;
    case "embed.tabs":
      if (value !== "yes" && value !== "no") return "use yes or no";
      o.tabs = value === "yes";
      return undefined;
    case "embed.knobs":
      o.knobs = value === "none" ? [] : value.split(",").map((x) => x.trim()).filter((x) => x !== "");
      if (o.knobs.length <= MOST_KNOBS) return undefined;
      o.knobs.length = MOST_KNOBS;
      return `use at most ${MOST_KNOBS} settings`;
    case ORIGINS: {
      const all = value.split(",").map((x) => x.trim());
      // Whoever lists pages excludes all others: also if the list has none.
      o.origins = all.filter((x) => x === "null" || isOrigin(x));
      return o.origins.length === all.length ? undefined : "use origins such as https://example.org, with commas between them";
    }
  }
  return key.startsWith(EMBED_PREFIX) ? "there is no such setting" : undefined;
}

function isOrigin(x: string): boolean {
  try {
    return new URL(x).origin === x;
  } catch {
    return false;
  }
}
