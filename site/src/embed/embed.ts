// The embed's page before the simulator is there: the poster, the button, and
// the gate every message passes. The simulator is loaded by a press, by a message
// that needs it, or, where the author wants it, when the embed comes into view.

import { asset } from "../lib/assets";
import { API, check, isOurs, isRefusal, type FromHost, type Refusal } from "./messages";
import { h } from "../lib/dom";
import { FIRST } from "../protocol/first";
import { unknownScenario } from "./unknown";
import { readOptions, type EmbedOptions } from "../links/embedoptions";

// Poster is the build's entry of a scenario; its pictures are posters/NAME.svg and
// posters/NAME-narrow.svg.
interface Poster {
  name: string;
  title: string;
  alt: string;
}

export type Reply = (m: { type: string; [key: string]: unknown }) => void;

// Embed is the state that the live part takes over.
export interface Embed {
  readonly options: EmbedOptions;
  readonly start: string; // the fragment the embed came with
  tell(m: { type: string; [key: string]: unknown }): void;
  announce(m: { type: "ready" | "resize"; [key: string]: unknown }): void;
  enter(): void;
  // Set by the live part; takes messages from then on.
  handle?: (m: FromHost, reply: Reply) => void;
  loaded(): void;
  failed(words: string): void;
}

declare global {
  interface Window {
    burstscopeEmbed: Embed;
    burstscopeMarkup?: string;
  }
}

const OTHER = /^(id|z|lesson)$/; // keys of a link that name another scenario
const CHANGES = /^(seed|(A|B|machine|workload)\..*)$/; // and those that change one
const MOST_WAITING = 16;
const MOST_STRANGERS = 8; // messages that are answered; a bound, so that nobody can keep this page busy

const options = readOptions(location.hash);
const root = document.documentElement;
const byId = (id: string): HTMLElement => document.getElementById(id)!;
const inFrame = parent !== window;
// Pages that may speak: as the author lists, or the page around, as the browser
// names it. Where no browser does, the first that says ready.
let allowed: string[] | undefined = options.origins ?? around();
const strangers = new Set<string>();
const waiting: [FromHost, Reply][] = [];
let host: string | undefined; // origin of the page around, once it has spoken
let phase: "poster" | "loading" | "live" = "poster";
let unknown: Refusal | undefined; // the scenario, which is then never loaded

function around(): string[] | undefined {
  const ancestors = location.ancestorOrigins as DOMStringList | undefined;
  if (ancestors?.[0]) return [ancestors[0]];
  try {
    return document.referrer ? [new URL(document.referrer).origin] : undefined;
  } catch {
    return undefined;
  }
}

// deliver posts to a window whose origin is known. An opaque origin has no name to
// post to; there the window itself, which has just spoken, is the address.
function deliver(target: Window, origin: string, m: object): void {
  target.postMessage(m, origin === "null" ? "*" : origin);
}

const embed: Embed = {
  options,
  start: location.hash,
  tell(m) {
    if (host !== undefined) deliver(parent, host, { burstscope: API, ...m });
  },
  // announce sends the page around a message that reveals nothing about the state.
  announce(m) {
    if (inFrame) parent.postMessage({ burstscope: API, ...m }, "*");
  },
  enter() {
    root.classList.add("entered");
  },
  loaded() {
    phase = "live";
    byId("embed-poster").hidden = true;
    for (const [m, reply] of waiting.splice(0)) embed.handle?.(m, reply);
  },
  failed(words) {
    phase = "poster";
    byId("embed-said").textContent = words;
    const button = byId("embed-run") as HTMLButtonElement;
    button.disabled = false;
    button.textContent = "▶ Try again";
    const error = { type: "error", what: words, where: "embed", mend: "Check the connection, then send run." };
    for (const [m, reply] of waiting.splice(0)) reply({ ...error, ...(m.id === undefined ? {} : { id: m.id }) });
    embed.tell(error);
  },
};
window.burstscopeEmbed = embed;

addEventListener("message", (e: MessageEvent<unknown>) => {
  if (!isOurs(e.data) || e.source === null) return;
  const source = e.source as Window;
  const port = e.ports[0];
  const reply: Reply = (m) => {
    const whole = { burstscope: API, ...m };
    if (port) port.postMessage(whole);
    else deliver(source, e.origin, whole);
  };
  const m = check(e.data);
  const first = allowed === undefined && source === parent && !isRefusal(m) && m.type === "ready";
  if (first) allowed = [e.origin];
  if (!inFrame || source !== parent || !allowed?.includes(e.origin)) {
    if (strangers.has(e.origin) || strangers.size >= MOST_STRANGERS) return;
    strangers.add(e.origin);
    return reply(refusal(undefined, strange(e.origin)));
  }
  host = e.origin;
  if (isRefusal(m)) return reply(refusal(e.data["id"], m));
  take(m, reply);
});

function strange(origin: string): Refusal {
  return {
    what: "This page may not send messages to this embed.",
    where: `origin ${origin}`,
    mend: "The embed's author can allow the page's origin in embed.origins. The page that holds the embed must send the message itself.",
  };
}

function refusal(id: unknown, r: Refusal): { type: "error"; [key: string]: unknown } {
  const known = typeof id === "number" || (typeof id === "string" && id.length <= 64);
  return { type: "error", ...(known ? { id } : {}), ...r };
}

// take answers messages that need no simulator and keeps the others for it.
function take(m: FromHost, reply: Reply): void {
  if (embed.handle && phase === "live") return embed.handle(m, reply);
  const id = m.id === undefined ? {} : { id: m.id };
  const still = (): void => reply({ type: "state", ...id, state: { phase, fragment: location.hash, theme: options.theme } });
  switch (m.type) {
    case "ready":
      return reply({ type: "ready", ...id, api: [API], live: false });
    case "getState":
    case "pause":
      return still();
    case "setState": {
      const theme = typeof m.state === "object" && Object.keys(m.state).length === 1 ? m.state["theme"] : undefined;
      if (theme === undefined) break;
      if (theme !== "auto" && theme !== "light" && theme !== "dark") {
        return reply({ type: "error", ...id, what: "The theme is unknown.", where: "setState.state.theme", mend: "Use auto, light or dark." });
      }
      options.theme = theme;
      applyTheme();
      return still();
    }
  }
  if (unknown) return reply({ type: "error", ...id, ...unknown });
  if (waiting.length >= MOST_WAITING) {
    return reply({ type: "error", ...id, what: "Too many messages arrived before the simulator was loaded.", where: m.type, mend: "Send more after the message ready with live: true." });
  }
  waiting.push([m, reply]);
  activate();
}

function applyTheme(): void {
  if (options.theme === "light" || options.theme === "dark") root.dataset["theme"] = options.theme;
  else delete root.dataset["theme"];
}

function showPoster(): void {
  let all: Poster[] = [];
  try {
    all = JSON.parse(document.getElementById("posters")?.textContent ?? "[]") as Poster[];
  } catch {
    // the build wrote none; the button alone is shown
  }
  const name = options.scenario || FIRST;
  // The picture has the numbers of a scenario as it ships. A link to another one has none, and one
  // that changes settings says of what the picture is.
  const keys = location.hash.replace(/^#/, "").split("&").map((p) => p.split("=", 1)[0]!);
  const other = keys.some((k) => OTHER.test(k));
  unknown = other ? undefined : unknownScenario(name);
  if (unknown) {
    byId("embed-said").textContent = `${unknown.what} ${unknown.mend}`;
    return;
  }
  const poster = other ? undefined : all.find((p) => p.name === name);
  const changed = keys.some((k) => CHANGES.test(k));
  const said = !poster ? "A run of Burstscope." : changed ? `This picture is of “${poster.title}” as it ships. The run here has settings of its own.` : "";
  byId("embed-said").textContent = said;
  if (!poster) return;
  const narrow = h("source", { media: "(max-width: 639.9px)", srcset: `posters/${poster.name}-narrow.svg` });
  const picture = h("picture", {}, narrow, h("img", { alt: poster.alt, src: `posters/${poster.name}.svg` }));
  const at = { href: `./${siteFragment()}`, target: "_blank", rel: "noopener", title: "Open in Burstscope" };
  byId("embed-picture").replaceChildren(h("a", at, picture));
  document.title = `Burstscope: ${poster.title}`;
}

function siteFragment(): string {
  return `#${location.hash.replace(/^#/, "").split("&").filter((p) => !p.startsWith("embed.")).join("&")}`;
}

// fetched waits for the file of an element; place puts it into the page.
function fetched(name: string, e: HTMLElement, place: (e: HTMLElement) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    e.onload = () => resolve();
    e.onerror = () => {
      e.remove();
      reject(new Error(name));
    };
    place(e);
  });
}

function script(name: string): Promise<void> {
  return fetched(name, h("script", { src: asset(name) }), (e) => document.head.append(e));
}

// sheet precedes the embed's own sheet, which overrides it.
function sheet(name: string): Promise<void> {
  const own = document.querySelector("link[rel=stylesheet]")!;
  return fetched(name, h("link", { rel: "stylesheet", href: asset(name) }), (e) => own.before(e));
}

// activate loads the simulator. The poster stays until it stands.
function activate(): void {
  if (phase !== "poster" || unknown) return;
  phase = "loading";
  const button = byId("embed-run") as HTMLButtonElement;
  button.disabled = true;
  button.textContent = "Loading…";
  byId("embed-said").textContent = "";
  // The markup stands before the shell looks for it.
  Promise.all([sheet("style.css"), script("embed-page.js").then(() => script("embed-live.js"))])
    .then(() => script("shell.js"))
    .then(() => window.burstscopeLive?.())
    .catch((e: unknown) => embed.failed(`${e instanceof Error ? e.message : "A part"} could not be loaded.`));
}

applyTheme();
showPoster();
const button = byId("embed-run");
button.hidden = unknown !== undefined;
button.title = "Loads about 4.5 MB and runs in your browser";
button.addEventListener("click", () => {
  embed.enter();
  activate();
});
if (options.load === "now" && !unknown) {
  embed.enter();
  activate();
} else if (options.load === "visible") {
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((x) => x.isIntersecting)) return;
    seen.disconnect();
    activate();
  });
  seen.observe(document.body);
}
embed.announce({ type: "ready", api: [API], live: false });
