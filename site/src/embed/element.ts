// <burst-scope>: the embed as an element of any page (site/EMBED.md). It shows its
// poster, makes a frame with embed.html when it is pressed or comes into view, and
// passes the messages of the API on. Of the site it uses one name.

import { h } from "../lib/dom";
import { FIRST } from "../protocol/first";
import { isShipped, unknownScenario } from "./unknown";

const API = 1;
const script = document.currentScript as HTMLScriptElement | null;
const HOME = new URL(".", script?.src ?? location.href).href;
const LOADS = ["click", "visible", "now"]; // as embed.load
const MOST_HEIGHT = 1600;
const PATIENCE_MS = 30_000; // for an answer

// Attributes that are keys of the embed's fragment.
const KEYS: readonly [string, string][] = [
  ["scenario", "s"], ["tab", "tab"], ["side", "side"], ["cycle", "cycle"], ["speed", "speed"], ["picture", "picture"], ["theme", "theme"],
  ["lock", "lock"], ["hide", "hide"], ["knobs", "embed.knobs"], ["tabs", "embed.tabs"], ["autoplay", "embed.autoplay"], ["origins", "embed.origins"],
];

const SHEET = `
:host{display:block;position:relative;overflow:hidden;min-height:var(--burst-scope-height,0)}
:host([hidden]){display:none}
.box{position:relative;width:100%;aspect-ratio:8/5}
.box.high{aspect-ratio:auto}
slot,.own{display:block;width:100%;height:100%}
.own picture{display:contents}.own img{display:block;width:100%;height:100%;object-fit:contain;object-position:50% 0}
iframe{position:absolute;inset:0;width:100%;height:100%;border:0}
button{position:absolute;right:12px;bottom:12px;min-height:44px;padding:4px 16px;border:1px solid #0b6e99;border-radius:4px;background:#0b6e99;color:#fff;font:600 15px/1.4 system-ui,sans-serif;cursor:pointer}
button:focus-visible{outline:2px solid #0b6e99;outline-offset:2px}
[hidden]{display:none}
@media(max-width:639.9px){.box{aspect-ratio:11/19}}
@media print{button{display:none}}`;

interface Answer {
  burstscope: number;
  type: string;
  id?: string | number;
  [key: string]: unknown;
}

class BurstScope extends HTMLElement {
  static readonly observedAttributes = ["theme"];
  private box!: HTMLElement;
  private slotted!: HTMLSlotElement;
  private button!: HTMLButtonElement;
  private frame: HTMLIFrameElement | undefined;
  private seen: IntersectionObserver | undefined;
  private asked = new Map<number, { done(a: Answer): void; failed(e: Error): void }>();
  private next = 1;
  private live: Promise<void> | undefined;
  private isLive: (() => void) | undefined;
  private heard = (e: MessageEvent<unknown>): void => this.hear(e);

  connectedCallback(): void {
    if (!this.shadowRoot) this.build();
    addEventListener("message", this.heard);
    const load = this.getAttribute("load") ?? "click";
    if (load === "now" && !this.frame) this.start(false);
    if (load !== "visible" || this.frame) return;
    this.seen = new IntersectionObserver((entries) => {
      if (entries.some((x) => x.isIntersecting)) this.start(false);
    });
    this.seen.observe(this);
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.heard);
    this.seen?.disconnect();
    this.stop();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (before !== after && this.frame) void this.setState({ theme: after ?? "auto" }).catch(() => undefined);
  }

  // The API. Each answers a promise, which fails with the error's what, where and mend.
  getState(): Promise<unknown> {
    return this.ask({ type: "getState" }).then((a) => a["state"]);
  }
  setState(state: object | string): Promise<unknown> {
    return this.ask({ type: "setState", state }).then((a) => a["state"]);
  }
  run(): Promise<unknown> {
    return this.ask({ type: "run" }).then((a) => a["state"]);
  }
  pause(paused = true): Promise<unknown> {
    return this.ask({ type: "pause", paused }).then((a) => a["state"]);
  }
  seek(cycle: number): Promise<unknown> {
    return this.ask({ type: "seek", cycle }).then((a) => a["state"]);
  }
  export(format: "json" | "csv" | "svg" | "link"): Promise<unknown> {
    return this.ask({ type: "export", format }).then(({ name, mime, data }) => ({ name, mime, data }));
  }

  private build(): void {
    const root = this.attachShadow({ mode: "open" });
    // The page's policy may forbid inline styles, so the sheet is constructed.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(SHEET);
    root.adoptedStyleSheets = [sheet];
    this.slotted = h("slot");
    const title = "Loads about 4.5 MB and runs in your browser";
    this.button = h("button", { type: "button", title, onclick: () => this.start(true) }, "▶ Run it here");
    this.box = h("div", { class: "box" }, this.poster(), this.button);
    const load = this.getAttribute("load") ?? "click";
    if (!LOADS.includes(load)) {
      const wrong = `load="${load.slice(0, 40)}" is not known: use ${LOADS.join(", ")}. A press runs it.`;
      this.box.prepend(h("p", {}, wrong));
    }
    root.append(this.box);
    // A press on the poster runs it too. By keyboard, its link opens the site.
    this.slotted.addEventListener("click", (e) => {
      if (e.detail === 0 || e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
      e.preventDefault();
      this.start(true);
    });
    const height = Number(this.getAttribute("height"));
    if (height > 0) this.high(height);
  }

  // poster is the content that the page put inside. Without any it is the image of the
  // attribute, or the scenario's image on the site; of a scenario without one, words.
  private poster(): HTMLElement {
    for (const img of this.querySelectorAll("img")) {
      img.style.maxWidth = "100%";
      img.style.height = "auto";
    }
    if (this.firstElementChild) return this.slotted;
    const name = this.getAttribute("scenario") ?? FIRST;
    const of = (kind: string): string => new URL(`posters/${encodeURIComponent(name)}${kind}.svg`, this.home()).href;
    const unknown = this.hasAttribute("base") ? undefined : unknownScenario(name);
    const words = h("p", {}, unknown ? `${unknown.what} ${unknown.mend}` : "A run of Burstscope.");
    this.button.hidden = unknown !== undefined;
    const own = (first: HTMLElement): HTMLElement => h("div", { class: "own" }, first, this.slotted);
    const poster = this.getAttribute("poster");
    if (poster === null && !this.hasAttribute("base") && !isShipped(name)) return own(words);
    const narrow = { media: "(max-width: 639.9px)", srcset: of("-narrow") };
    const alt = this.getAttribute("alt") ?? `A run of Burstscope: ${name}`;
    const img = h("img", { alt, onerror: () => picture.replaceWith(words), src: poster ?? of("") });
    const picture = h("picture", {}, poster === null && h("source", narrow), img);
    return own(picture);
  }

  private home(): string {
    return new URL(this.getAttribute("base") ?? HOME, document.baseURI).href;
  }

  private high(pixels: number): void {
    this.box.classList.add("high");
    this.box.style.height = `${Math.min(MOST_HEIGHT, pixels)}px`;
  }

  // start puts the simulator in the poster's place. entered: by a press on it.
  private start(entered: boolean): void {
    this.seen?.disconnect();
    if (this.frame) return;
    const pairs = ["v=1"];
    for (const [attribute, key] of KEYS) {
      const value = this.getAttribute(attribute);
      if (value !== null && value !== "") pairs.push(`${key}=${encodeURIComponent(value)}`);
    }
    const state = (this.getAttribute("state") ?? "").replace(/^#?(v=1&)?/, "");
    if (state !== "") pairs.push(state);
    pairs.push(`embed.load=${entered ? "now" : "visible"}`);
    const frame = document.createElement("iframe");
    frame.title = this.getAttribute("title") ?? "Burstscope: a GPU's memory at work";
    frame.src = new URL(`embed.html#${pairs.join("&")}`, this.home()).href;
    const sandbox = this.getAttribute("sandbox");
    if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
    frame.allow = "clipboard-write; fullscreen";
    this.live = new Promise((resolve) => {
      this.isLive = resolve;
    });
    // The box keeps the height the poster had: nothing jumps.
    if (!this.box.classList.contains("high")) this.high(Math.max(this.box.clientHeight, this.slotted.firstElementChild?.clientHeight ?? 0));
    this.frame = frame;
    this.box.append(frame);
    this.button.hidden = true;
    if (entered) frame.focus();
  }

  // stop ends the simulator and shows the poster again.
  private stop(): void {
    this.frame?.remove();
    this.frame = undefined;
    this.live = undefined;
    this.button.hidden = false;
    for (const { failed } of this.asked.values()) failed(new Error("the embed was removed"));
    this.asked.clear();
  }

  private ask(m: { type: string; [key: string]: unknown }): Promise<Answer> {
    if (!this.isConnected) {
      const error = new Error(`${m.type}: this <burst-scope> is in no document`);
      return Promise.reject(Object.assign(error, { where: m.type, mend: "Add the element to the page first." }));
    }
    this.start(false);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.asked.delete(id);
        reject(new Error(`${m.type}: no answer within ${PATIENCE_MS / 1000} s`));
      }, PATIENCE_MS);
      const settle = <T>(f: (x: T) => void) => (x: T): void => {
        clearTimeout(timer);
        f(x);
      };
      this.asked.set(id, { done: settle(resolve), failed: settle(reject) });
      void this.live?.then(() => this.frame?.contentWindow?.postMessage({ burstscope: API, id, ...m }, this.target()));
    });
  }

  // target is the origin of the site; a sandboxed frame has none to name.
  private target(): string {
    const sandbox = this.getAttribute("sandbox");
    return sandbox !== null && !/\ballow-same-origin\b/.test(sandbox) ? "*" : new URL(this.home()).origin;
  }

  private hear(e: MessageEvent<unknown>): void {
    const m = e.data as Answer | null;
    if (!this.frame || e.source !== this.frame.contentWindow || typeof m !== "object" || m?.burstscope !== API) return;
    const waiting = typeof m.id === "number" ? this.asked.get(m.id) : undefined;
    if (waiting) {
      this.asked.delete(m.id as number);
      if (m.type === "error") waiting.failed(Object.assign(new Error(String(m["what"])), { where: m["where"], mend: m["mend"] }));
      else waiting.done(m);
      return;
    }
    switch (m.type) {
      case "ready":
        this.isLive?.();
        if (m["live"] === true) this.frame.contentWindow?.postMessage({ burstscope: API, type: "ready" }, this.target());
        break;
      case "resize": {
        const height = Number(m["height"]);
        if (!this.hasAttribute("height") && height > this.box.clientHeight) this.high(height);
        break;
      }
      case "state":
        if ((m["state"] as { entered?: boolean }).entered === false && document.activeElement === this) this.frame.blur();
        break;
    }
    const { burstscope: _, type, ...detail } = m;
    this.dispatchEvent(new CustomEvent(`burst-scope-${type}`, { detail, bubbles: true }));
  }
}

if (!customElements.get("burst-scope")) customElements.define("burst-scope", BurstScope);
