// Answers to the messages of the page around a live embed (site/EMBED.md).

import type { Control } from "../state/control";
import type { Page } from "../state/page";
import type { Embed, Reply } from "./embed";
import { clip, type ExportFormat, type FromHost } from "./messages";
import { posterOf } from "./svg";
import { resultsCSV, resultsJSON } from "../export/data";
import { headlineOf } from "../results/results";
import { linkOf, stampOf } from "../links/stamp";

export interface EmbedState {
  phase: string; // of window.burstscope.state
  entered: boolean;
  fragment: string;
  scenario: string;
  tab: string;
  side: string;
  picture: string; // moving, plain, or page: the picture shown before the run
  theme: string;
  cycle: number;
  cycles: number;
  playing: boolean;
  speed: number;
  progress: number;
  headline: string;
  resultHashes: { A?: string; B?: string };
}

export function stateOf(control: Control): EmbedState {
  const { settings: s, run, status } = control.page;
  return {
    phase: run.phase,
    entered: document.documentElement.classList.contains("entered"),
    fragment: control.fragment(),
    scenario: s.shipped.name,
    tab: s.tab,
    side: s.side,
    picture: status.picture,
    theme: s.theme,
    cycle: s.cycle,
    cycles: control.end(),
    playing: s.playing,
    speed: s.speed,
    progress: run.progress.fraction,
    headline: headlineOf(control.page),
    resultHashes: { ...run.hashes },
  };
}

export function answer(control: Control, embed: Embed, m: FromHost, reply: Reply): void {
  const id = m.id === undefined ? {} : { id: m.id };
  const state = (): void => reply({ type: "state", ...id, state: stateOf(control) });
  const refuse = (what: string, where: string, mend: string): void => reply({ type: "error", ...id, what, where, mend });
  switch (m.type) {
    case "ready":
      return reply({ type: "ready", ...id, api: [1], live: true, version: control.page.catalogue.version });
    case "getState":
      return state();
    case "setState": {
      const { fragment, playing, wrong } = fragmentOf(m.state);
      const absent = wrong ?? elsewhere(fragment, control.page);
      const problems = absent ? [absent] : fragment === "" ? [] : control.apply(fragment);
      if (problems.length > 0) return refuse(`The state was not set: ${problems.join("; ").replace(/\.$/, "")}.`, "setState.state", "Correct the named values and send the state again; nothing was changed.");
      if (playing !== undefined) control.play(playing);
      return state();
    }
    case "run":
      control.run();
      return state();
    case "pause":
      control.play(m.paused === false);
      return state();
    case "seek":
      if (control.end() === 0) return refuse("There is no run yet, so there is no cycle to seek.", "seek", "Send run first, and seek when the state is done.");
      control.seek(m.cycle);
      return state();
    case "export": {
      const made = exported(control, m.format);
      if (!made) return refuse("There is no result to export yet.", "export", "Send run first, and export when the state is done.");
      return reply({ type: "export", ...id, format: m.format, ...made });
    }
  }
}

// elsewhere names what a state says of other parts of the page: lessons and figures, which only a link opens, and data that do not exist.
function elsewhere(fragment: string, page: Page): string | undefined {
  const said = new URLSearchParams(fragment.replace(/^#/, ""));
  const part = [...said.keys()].find((key) => /^(lesson|step|repro.*)$/.test(key));
  if (part) return `${clip(part)} opens another part of the page, which only a link can`;
  const set = said.get("lab");
  const names = page.catalogue.shipped.map((x) => x.name);
  if (!set || set === "none" || names.includes(set)) return undefined;
  return `lab=${clip(set)}: there is no such data set; use one of ${names.join(", ")}`;
}

// fragmentOf turns the state of a message into a fragment; the shell reads both the
// same way. playing is no part of a fragment.
function fragmentOf(state: string | Record<string, string | number | boolean>): { fragment: string; playing?: boolean; wrong?: string } {
  if (typeof state === "string") return { fragment: state };
  const pairs: string[] = [];
  let playing: boolean | undefined;
  for (const [key, value] of Object.entries(state)) {
    if (key === "playing") {
      if (typeof value !== "boolean") return { fragment: "", wrong: "playing must be true or false" };
      playing = value;
      continue;
    }
    if (!/^[A-Za-z][\w.]*$/.test(key)) return { fragment: "", wrong: `${clip(key)} is not a key of a state` };
    if (key !== "v") pairs.push(`${key === "scenario" ? "s" : key}=${encodeURIComponent(String(value))}`);
  }
  return { fragment: pairs.length === 0 ? "" : `#v=1&${pairs.join("&")}`, ...(playing === undefined ? {} : { playing }) };
}

function exported(control: Control, format: ExportFormat): { name: string; mime: string; data: string } | undefined {
  const { page } = control;
  if (format === "link") return { name: "link.txt", mime: "text/plain", data: linkOf(page) };
  if (!page.shows || !page.results.A || !page.results.B) return undefined; // what is on show
  const name = `burstscope-${page.results.origin.shipped.name}.${format}`;
  const stamp = stampOf(page);
  switch (format) {
    case "json":
      return { name, mime: "application/json", data: resultsJSON(page, stamp) };
    case "csv":
      return { name, mime: "text/csv", data: resultsCSV(page, stamp) };
    case "svg":
      return { name, mime: "image/svg+xml", data: posterOf(page) };
  }
}
