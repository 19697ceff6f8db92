// The dialog that writes the code of an embed for the state of the page, with a
// preview of its poster.

import { assets } from "../lib/assets";
import { byId, copyButton, h, text } from "../lib/dom";
import type { Open } from "./embedding";
import { firstKnobs, knobWords } from "./knobs";
import { posterOf } from "./svg";
import { save as saveFile } from "../lib/files";
import { outsideLesson, settingsOf, tooLarge, writeFragment, type Owner } from "../links/permalink";
import { headlineOf } from "../results/results";
import { KNOBS, complete } from "../protocol/scenario";
import { scenarioPath } from "../state/locks";
import type { Page } from "../state/page";

interface Known {
  name: string;
  alt: string;
  title: string;
}

interface Choices {
  form: string; // element or frame
  height: string; // pixels; "" = as the poster
  load: string;
  theme: string;
  version: string; // this or newest
  tabs: boolean;
  still: boolean; // does not play by itself
  cursor: boolean; // from the cursor's place
  sandbox: boolean;
  free: string[];
  fixed: string[];
}

window.burstscopeEmbedding = (page, open) => void show(page, open);

async function show(page: Page, open: Open): Promise<void> {
  const known = await posters();
  const code = h("pre", { tabindex: 0, id: "embed-code", "aria-label": "Code of the embed" });
  const preview = h("div", { id: "embed-preview" });
  const note = h("p", { class: "note", "aria-live": "polite" });
  const save = h("button", { type: "button" }, "Save a poster of this run");
  const copy = copyButton(code, { class: "primary" });
  const form = h("form", { class: "embedding", onsubmit: (e: Event) => e.preventDefault() }, ...fields(page));
  const draw = (): void => {
    const c = read(form);
    const results = ownerOf(page);
    const owner = outsideLesson(page, results);
    const { shipped } = owner.origin;
    const changed = isChanged(owner);
    const poster = known.find((p) => p.name === shipped.name);
    const alt = changed || !poster ? spoken(page) : poster.alt;
    const home = homeOf(c.version);
    const image = changed || !poster ? `burstscope-${shipped.name}.svg` : `${home}posters/${poster.name}.svg`;
    text(code, c.form === "frame" ? frameCode(page, owner, c, home) : elementCode(page, owner, c, home, image, alt, changed || !poster));
    save.hidden = !changed || c.form === "frame";
    const stale = page.changed && results === page.results ? "The settings were changed after this run. The embed is of the run on show, with its settings. " : "";
    const lacking = tooLarge(owner.scenario) ? "The program with its data is too large for the link of an embed: what starts when it is pressed is not this run. " : "";
    text(note, lacking + stale + (changed ? `The settings differ from the scenario's, so its poster shows another run. ${c.form === "frame" ? "The frame shows that poster until somebody presses it." : "Save a poster of this run and put it beside your page."}` : ""));
    const img = h("img", { alt, src: changed ? URL.createObjectURL(new Blob([posterOf(page)], { type: "image/svg+xml" })) : `${homeOf("this")}posters/${shipped.name}.svg` });
    img.style.colorScheme = c.theme === "auto" ? "" : c.theme;
    if (c.height !== "") img.style.maxHeight = `${c.height}px`;
    preview.replaceChildren(img, h("span", { class: "pretend", "aria-hidden": "true" }, "▶ Run it here"));
  };
  form.addEventListener("input", draw);
  save.addEventListener("click", () => saveFile(posterOf(page), `burstscope-${page.results.origin.shipped.name}.svg`));
  draw();
  open(
    "Embed this run",
    h("p", {}, "Embeds a static picture that becomes interactive when it is pressed. Nothing large loads before that."),
    form,
    h("div", { class: "copyable" }, code, h("div", { class: "buttons" }, copy, save)),
    note,
    h("p", { class: "note" }, "Preview of the poster:"),
    preview,
  );
  byId("embed-code").scrollIntoView({ block: "nearest" });
}

async function posters(): Promise<Known[]> {
  try {
    const answer = await fetch(`${homeOf("this")}posters/index.json`);
    return answer.ok ? ((await answer.json()) as Known[]) : [];
  } catch {
    return []; // the code then names a poster that is saved by hand
  }
}

// homeOf is the folder that the embed comes from: that of this version, whose numbers
// stay, or that of the newest.
function homeOf(version: string): string {
  const root = new URL(assets.home, document.baseURI).href;
  return version === "newest" ? root : `${root}v/${assets.version}/`;
}

// ownerOf is the owner of the embed: the results on show. Before the first run it is a scenario
// as shipped, whose poster the build made.
function ownerOf(page: Page): Owner {
  const asked = settingsOf(page);
  return page.results.ran || isChanged(asked) ? page.results : asked;
}

// isChanged tells whether the built poster of the scenario shows another run.
function isChanged({ scenario, origin }: Owner): boolean {
  return origin.image !== undefined || JSON.stringify(scenario) !== JSON.stringify(complete(origin.shipped.scenario));
}

// spoken is the alternative text for a run without a built poster.
function spoken(page: Page): string {
  const { A, B } = page.results;
  const hashes = page.results.ran && A?.resultHash && B?.resultHash ? ` Result hashes A ${A.resultHash.slice(0, 12)}, B ${B.resultHash.slice(0, 12)}.` : "";
  return `${page.results.origin.shipped.title}. ${headlineOf(page)} Computed by Burstscope ${assets.version}.${hashes}`;
}

function fields(page: Page): HTMLElement[] {
  const choice = (name: string, words: string, options: [string, string][]): HTMLElement =>
    h("label", { class: "knob" }, h("span", {}, words), h("select", { name }, ...options.map(([value, said]) => h("option", { value }, said))));
  const tick = (name: string, words: string): HTMLElement => h("label", { class: "tick" }, h("input", { type: "checkbox", name }), ` ${words}`);
  const first = firstKnobs(ownerOf(page).scenario);
  const knobs = KNOBS.map((k) =>
    h("label", { class: "knob" }, h("span", {}, knobWords(k.path)),
      h("select", { name: `knob:${k.path}` }, ...[["", "not shown"], ["free", "free"], ["fixed", "shown, fixed"]].map(([value, said]) =>
        h("option", { value, selected: value === (first.includes(k.path) ? "free" : "") }, said!)))));
  return [
    h("div", { class: "choices" },
      choice("form", "form", [["element", "element <burst-scope>"], ["frame", "iframe"]]),
      choice("load", "loads", [["click", "when pressed"], ["visible", "when it scrolls into view"]]),
      h("label", { class: "knob" }, h("span", {}, "height, pixels"), h("input", { type: "number", name: "height", min: 320, max: 1600, step: 10, placeholder: "same as the poster" })),
      choice("theme", "theme", [["auto", "same as the page"], ["light", "light"], ["dark", "dark"]]),
      choice("version", "version", [["this", `${assets.version}: numbers stay`], ["newest", "always the newest"]]),
    ),
    h("div", { class: "ticks" },
      tick("cursor", "start at the cursor"), tick("still", "pause until Play is pressed"), tick("tabs", "show the tabs"), tick("sandbox", "sandbox without an origin")),
    h("details", {}, h("summary", {}, "Settings"), h("div", { class: "choices" }, ...knobs)),
  ];
}

function read(form: HTMLFormElement): Choices {
  const data = new FormData(form);
  const of = (name: string): string => String(data.get(name) ?? "");
  const height = Number(of("height"));
  const having = (state: string): string[] => KNOBS.filter((k) => of(`knob:${k.path}`) === state).map((k) => k.path);
  return {
    form: of("form"),
    height: height >= 320 && height <= 1600 ? String(Math.round(height)) : "",
    load: of("load"),
    theme: of("theme"),
    version: of("version"),
    tabs: data.has("tabs"),
    still: data.has("still"),
    cursor: data.has("cursor"),
    sandbox: data.has("sandbox"),
    free: having("free"),
    fixed: having("fixed"),
  };
}

const SANDBOX = "allow-scripts allow-popups allow-downloads";

// stateOf is the state as pairs, without the choices that the dialog makes.
function stateOf(page: Page, owner: Owner, c: Choices): [string, string][] {
  const own = new Set(["v", "s", "theme", "lock", "version", ...(c.cursor ? [] : ["cycle"])]);
  return writeFragment(page, true, owner)
    .slice(1)
    .split("&")
    .map((p): [string, string] => [p.slice(0, p.indexOf("=")), p.slice(p.indexOf("=") + 1)])
    .filter(([key]) => !own.has(key) && !key.startsWith("lab") && !key.startsWith("repro") && !key.startsWith("lesson"));
}

function attributes(pairs: [string, string | undefined][]): string {
  return pairs.map(([key, value]) => (value === undefined ? "" : ` ${key}="${escaped(value)}"`)).join("");
}

function elementCode(page: Page, owner: Owner, c: Choices, home: string, image: string, alt: string, own: boolean): string {
  const { shipped } = owner.origin;
  const state = stateOf(page, owner, c).map(([k, v]) => `${k}=${v}`).join("&");
  const shown = [...c.free, ...c.fixed];
  const attrs = attributes([
    ["scenario", shipped.name],
    ["state", state || undefined],
    ["knobs", shown.length > 0 ? shown.join(",") : "none"],
    ["lock", c.fixed.length > 0 ? c.fixed.map(scenarioPath).join(",") : undefined],
    ["load", c.load === "click" ? undefined : c.load],
    ["theme", c.theme === "auto" ? undefined : c.theme],
    ["tabs", c.tabs ? "yes" : undefined],
    ["autoplay", c.still ? "no" : undefined],
    ["height", c.height || undefined],
    ["sandbox", c.sandbox ? SANDBOX : undefined],
  ]);
  const narrow = own ? "" : `<source media="(max-width: 639.9px)" srcset="${escaped(image.replace(/\.svg$/, "-narrow.svg"))}" width="440" height="760">`;
  const link = `${home}#v=1&s=${shipped.name}${state ? `&${state}` : ""}`;
  return `<script src="${escaped(home)}burst-scope.js" defer></script>
<burst-scope${attrs}>
<a href="${escaped(link)}"><picture>${narrow}<img src="${escaped(image)}" width="960" height="600" alt="${escaped(alt)}"></picture></a>
</burst-scope>`;
}

function frameCode(page: Page, owner: Owner, c: Choices, home: string): string {
  const shown = [...c.free, ...c.fixed];
  const pairs: [string, string | undefined][] = [
    ["v", "1"],
    ["s", owner.origin.shipped.name],
    ...stateOf(page, owner, c),
    ["theme", c.theme === "auto" ? undefined : c.theme],
    ["lock", c.fixed.length > 0 ? c.fixed.map(scenarioPath).join(",") : undefined],
    ["embed.knobs", shown.length > 0 ? shown.join(",") : "none"],
    ["embed.load", c.load === "click" ? undefined : c.load],
    ["embed.tabs", c.tabs ? "yes" : undefined],
    ["embed.autoplay", c.still ? "no" : undefined],
  ];
  const fragment = pairs.filter(([, v]) => v !== undefined).map(([k, v]) => `${k}=${v}`).join("&");
  const attrs = attributes([
    ["src", `${home}embed.html#${fragment}`],
    ["title", `Burstscope: ${owner.origin.shipped.title}`],
    ["width", "100%"],
    ["height", c.height || "600"],
    ["loading", "lazy"],
    ["allow", "clipboard-write"],
    ["sandbox", c.sandbox ? SANDBOX : undefined],
  ]);
  return `<iframe${attrs}></iframe>`;
}

// escaped is plain ASCII, because pages without a charset read other letters wrongly.
function escaped(s: string): string {
  return s.replace(/[&<>"]|[^ -~]/gu, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? `&#${c.codePointAt(0)};`);
}
