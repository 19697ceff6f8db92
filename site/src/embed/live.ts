// The embed's live part: the simulator's own page in a small layout. It puts the
// markup in place; the shell, loaded next, finds it as it does in the site.

import "../protocol/firsttables";
import type { Control } from "../state/control";
import { byId, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { answer, stateOf } from "./api";
import { startEmbedKnobs } from "./knobs";

declare global {
  interface Window {
    // Called once the shell stands.
    burstscopeLive?: () => void;
  }
}

const embed = window.burstscopeEmbed;
const { options } = embed;
const root = document.documentElement;

place();
window.burstscopeLive = () => {
  const control = window.burstscopeControl;
  if (control) start(control);
  else embed.failed("The simulator did not start.");
};

function place(): void {
  const holder = document.createElement("template");
  // Made by the build from index.html; nothing of it comes from outside.
  holder.innerHTML = window.burstscopeMarkup ?? "";
  const bar = h("header", { id: "embed-bar" },
    h("b", { id: "embed-title" }, "Burstscope"),
    h("button", { type: "button", id: "embed-cite" }, "Cite"),
    h("a", { id: "embed-open", target: "_blank", rel: "noopener", href: "./" }, "Open full"),
  );
  const enter = h(
    "button",
    { type: "button", id: "embed-enter", "aria-label": "Click to control the simulator. Escape exits." },
    h("span", { "aria-hidden": "true" }, "Click to use"),
  );
  if (options.tabs) document.body.dataset["tabs"] = "";
  if (!options.autoplay) root.dataset["autoplay"] = "no";
  document.body.append(bar, holder.content, enter);
  byId("messages").before(h("div", { id: "embed-knobs" }));
  byId("result").querySelector(".box")!.append(byId("embed-knobs"));
}

function start(control: Control): void {
  const { page } = control;
  const main = document.querySelector("main")!;
  if (page.settings.theme !== options.theme && (options.theme === "light" || options.theme === "dark" || options.theme === "auto")) {
    page.settings.theme = options.theme;
    page.emit("theme");
  }
  startEmbedKnobs(control, byId("embed-knobs"), options.knobs);

  const name = (): void => text(byId("embed-title"), page.settings.shipped.title);
  page.on(["scenario"], name); // at once: it names the numbers
  name();
  const draw = soon(() => {
    byId<HTMLAnchorElement>("embed-open").href = `./${control.fragment()}`;
    const entered = root.classList.contains("entered");
    main.inert = !entered;
    if (!entered || page.watched) return;
    page.watched = true;
    page.emit("watched");
  });
  page.on(["scenario", "lists", "tab", "cursor", "run"], draw);
  byId("embed-enter").addEventListener("click", () => {
    embed.enter();
    draw();
    byId("play").focus({ preventScroll: true });
  });
  byId("embed-cite").addEventListener("click", () => byId("cite").click());
  byId("embed-open").addEventListener("click", (e) => openFull(e, control));
  leaveOnEscape(control, main);

  // The poster goes when there is something in its place.
  const shown = (): void => {
    if (page.run.phase === "loading" && page.status.messages.length === 0) return;
    if (embed.handle) return;
    embed.handle = (m, reply) => answer(control, embed, m, reply);
    document.body.classList.add("live");
    embed.loaded();
    draw();
    embed.announce({ type: "ready", api: [1], live: true, version: page.catalogue.version });
    sizes();
  };
  page.on(["run", "progress", "lists"], shown);
  if (options.problems.length > 0) control.say("embed", "Part of the embed's settings could not be used:", `${options.problems.join("; ")}.`);

  page.on(["run"], () => embed.tell({ type: "state", state: stateOf(control) }));
  let last = page.status.error;
  page.on(["run", "results", "scenario"], () => {
    const { error } = page.status;
    if (error && error !== last) embed.tell({ type: "error", what: error.what, where: error.where ?? "", mend: error.mend ?? "" });
    last = error;
  });
  draw();
  shown();
}

// openFull: a sandbox may forbid new windows; then the link is shown for copying.
function openFull(e: MouseEvent, control: Control): void {
  const link = byId<HTMLAnchorElement>("embed-open");
  link.href = `./${control.fragment()}`;
  if (self.origin !== "null") return;
  e.preventDefault();
  if (window.open(link.href, "_blank") === null) byId("share").click();
}

// Escape leaves the embed, after whatever else is open in it.
function leaveOnEscape(control: Control, main: HTMLElement): void {
  addEventListener(
    "keydown",
    (e) => {
      if (e.key !== "Escape" || e.defaultPrevented || !root.classList.contains("entered")) return;
      if (byId<HTMLDialogElement>("dialog").open || !byId("answer").hidden || control.leaveView()) return;
      e.preventDefault();
      e.stopPropagation();
      root.classList.remove("entered");
      main.inert = true;
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      embed.tell({ type: "state", state: stateOf(control) });
      if (parent !== window) parent.focus();
    },
    true,
  );
}

// sizes says how high the embed would like to be.
function sizes(): void {
  let last = 0;
  const say = soon(() => {
    const height = Math.ceil(Math.max(document.body.scrollHeight, document.documentElement.scrollHeight));
    if (height === last) return;
    last = height;
    embed.announce({ type: "resize", height });
  });
  new ResizeObserver(say).observe(document.querySelector("main")!);
  say();
}
