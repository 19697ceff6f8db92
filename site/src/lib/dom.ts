// Small helpers over the document.

export function byId<T extends Element = HTMLElement>(id: string): T {
  const e = document.getElementById(id);
  if (!e) throw new Error(`the page has no element #${id}`);
  return e as unknown as T;
}

type Attributes = Record<string, unknown>;
export type Child = Node | string | undefined | false;

// h makes an element. Keys of attrs that name an event ("onclick") take a
// function; everything else is an attribute, left out when false or undefined.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attrs: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  setAttributes(e, attrs);
  for (const c of children) if (c) e.append(c);
  return e;
}

export function button(words: Child, press: () => unknown, attrs: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", ...attrs, onclick: press }, words);
}

// copyButton copies a text. Where the browser does not let it, the text is selected.
export function copyButton(from: HTMLElement, attrs: Attributes = {}): HTMLButtonElement {
  const copy = button("Copy", () => navigator.clipboard.writeText(from.textContent).then(
    () => text(copy, "Copied"),
    () => getSelection()?.selectAllChildren(from),
  ), attrs);
  return copy;
}

// stepped takes keys as steps: the page's shortcuts do not see them.
export function stepped(e: Element, of: () => Record<string, number>, move: (step: number) => void): void {
  e.addEventListener("keydown", (k) => {
    const step = of()[(k as KeyboardEvent).key];
    if (step === undefined) return;
    move(step);
    k.preventDefault();
    k.stopPropagation();
  });
}

export function svg(tag: string, attrs: Attributes = {}, ...children: Child[]): SVGElement {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(e, attrs);
  for (const c of children) if (c) e.append(c);
  return e;
}

function setAttributes(e: Element, attrs: Attributes): void {
  for (const [key, value] of Object.entries(attrs)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") e.addEventListener(key.slice(2), value as EventListener);
    else e.setAttribute(key, value === true ? "" : String(value));
  }
}

// text sets an element's text only if it differs, so that assistive technology reports
// only real changes.
export function text(e: Element, s: string): void {
  if (e.textContent !== s) e.textContent = s;
}

// unbroken is text, whose words with a hyphen, such as E2MC-16, stay in one line.
export function unbroken(e: Element, s: string): void {
  if (e.textContent === s && e.firstElementChild) return;
  const parts = s.split(/([\w-]+-[\w-]+)/);
  e.replaceChildren(...parts.map((part, i) => (i % 2 ? h("span", { class: "unbroken" }, part) : part)));
}

// afterPaint runs f once the page has been painted, or after 300 ms if nothing paints.
export function afterPaint(f: () => void): void {
  let over = false;
  const once = (): void => {
    if (!over) f();
    over = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, 300);
}

// ink reads a colour token of style.css, for canvases.
export function ink(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// fitCanvas sizes a canvas to its box in device pixels and returns a context
// in CSS pixels.
export function fitCanvas(canvas: HTMLCanvasElement): { g: CanvasRenderingContext2D; width: number; height: number } {
  const scale = Math.min(2, devicePixelRatio || 1);
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const g = canvas.getContext("2d");
  if (!g) throw new Error("this browser has no 2D canvas");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  return { g, width, height };
}
