// Share, cite, help and the glossary.

import { openEmbedding } from "../embed/embedding";
import { openDialog } from "../lib/dialog";
import { byId, copyButton, h, text } from "../lib/dom";
import { PAPERS, papersOf } from "../links/citations";
import { packed } from "../links/packed";
import { settingsOf, tooLarge, writeFragment } from "../links/permalink";
import { shortLink, type ShortLinks } from "../links/shortlink";
import { linkOf } from "../links/stamp";
import { shared } from "../links/versions";
import { SHORTCUTS } from "./shortcuts";
import { takeaway } from "./takeaway";
import { labels } from "../protocol/scenario";
import { say } from "../state/messages";
import type { Page } from "../state/page";

export function startDialogs(page: Page, remote: ShortLinks): void {
  const dialog = byId<HTMLDialogElement>("dialog");
  byId("dialog-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (e) => {
    if (e.target === dialog) dialog.close();
  });
  byId("share").addEventListener("click", () => void share(page, remote));
  byId("embed").addEventListener("click", () => openEmbedding(page, openDialog));
  byId("cite").addEventListener("click", () => cite(page));
  byId("help").addEventListener("click", () => help(page));
  byId("open-glossary").addEventListener("click", () => glossary(page));
}

async function share(page: Page, remote: ShortLinks): Promise<void> {
  const { ran } = page.results;
  const owner = ran ? page.results : settingsOf(page);
  if (tooLarge(owner.scenario)) {
    const short = await shortLink(page, remote);
    const file = h("button", { type: "button", onclick: () => byId("export").click() }, "Export…");
    openDialog("Share a file", h("p", {}, `A link holds at most 256 KiB, and this program with its data needs more: share the scenario's file${short ? ", or keep it on this site" : ""}.`), file, ...(short ? [short] : []));
    return;
  }
  const [before, fragment = ""] = linkOf(page, owner).split("#");
  const run = `${before}${await packed(`#${fragment}`)}`;
  // In a lesson the link leads to its step; the run on show has a link of its own, which asks nothing.
  const { lesson } = page.settings;
  const url = lesson.name ? `${before}${shared(`#v=1&lesson=${lesson.name}&step=${lesson.step}`)}` : run;
  const both = lesson.name && ran && !page.status.lesson?.veiled ? [h("p", {}, "The run on show, with its settings, outside the lesson:"), copyable(run)] : [];
  history.replaceState(null, "", writeFragment(page, true));
  const other = ran && page.changed && !lesson.name ? "The settings were changed after this run. The link is of the run on show, with its settings." : "";
  const own = owner.origin.image && owner.origin.image !== owner.origin.shipped.image ? "The link does not hold your image. To save it with the scenario, use Export, Scenario; burstscope run reads that file." : "";
  const copied = await navigator.clipboard.writeText(url).then(
    () => true,
    () => false,
  );
  if (copied) {
    const button = byId("menu-open"); // Share stands in the menu, which is closed again
    text(button, "Link copied");
    say(`The link is copied. ${own}`);
    setTimeout(() => text(button, "Menu"), 2000);
  }
  const kept = await shortLink(page, remote);
  if (copied && !own && !other && !kept && both.length === 0) return;
  const field = h("input", { value: url, readonly: true, "aria-label": "Link to this state", class: "wide" });
  openDialog(
    copied ? "The link is copied" : "Link to this state",
    h("p", {}, `${copied ? (lesson.name ? "It opens this step of the lesson." : owner.origin.shipped.id ? "It names the scenario stored on this site and holds the rest of the state." : "It holds the whole state.") : "The browser did not let the page copy it. Copy it from here."} ${other} ${own}`.trim()),
    field,
    ...both,
    ...(kept ? [kept] : []),
  );
  if (!copied) field.select();
}

function copyable(words: string): HTMLElement {
  const pre = h("pre", { tabindex: 0 }, words);
  return h("div", { class: "copyable" }, pre, copyButton(pre));
}

function cite(page: Page): void {
  const { A, B } = page.results;
  const names = labels(page.results.scenario);
  const version = page.catalogue.version || String(B?.version ?? "");
  const v = version ? ` ${version}` : "";
  const title = page.results.origin.shipped.title;
  const url = linkOf(page);
  const hashes = [
    A?.scenarioHash && `scenario A ${A.scenarioHash}`,
    B?.scenarioHash && `scenario B ${B.scenarioHash}`,
    A?.resultHash && `result A ${A.resultHash}`,
    B?.resultHash && `result B ${B.resultHash}`,
  ].filter((x): x is string => typeof x === "string");
  const note = hashes.length > 0 ? hashes.join("; ") : "no run has finished yet, so there are no hashes";
  const prose = `Burstscope${v}, “${title}”: A ${names.A}, B ${names.B}. ${note}. ${url}`;
  const key = `burstscope-${(B?.resultHash ?? "page").slice(0, 8)}`;
  const bibtex = `@misc{${key},
  title = {Burstscope${v}: ${title}},
  author = {{The Burstscope project}},
  year = {${new Date().getFullYear()}},
  note = {A: ${names.A}; B: ${names.B}; ${note}},
  url = {${url}}
}`;
  openDialog(
    "Cite this result",
    h("p", {}, "Every run of this scenario with this version gives the same result hash, natively or in a browser."),
    copyable(prose),
    h("h3", {}, "The simulator and this run"),
    copyable(bibtex),
    ...papers(page),
  );
}

// papers lists the papers whose schemes ran, then the others.
function papers(page: Page): HTMLElement[] {
  const used = papersOf(page.results.scenario);
  const all = Object.keys(PAPERS) as (keyof typeof PAPERS)[];
  const others = all.filter((p) => !used.includes(p));
  return [
    ...(used.length > 0 ? [h("h3", {}, used.length > 1 ? "The papers of these schemes" : "The paper of this scheme"), copyable(used.map((p) => PAPERS[p]).join("\n\n"))] : []),
    h("details", {}, h("summary", {}, "Other papers Burstscope is about"), copyable(others.map((p) => PAPERS[p]).join("\n\n"))),
  ];
}

function help(page: Page): void {
  openDialog(
    "Keyboard and mouse",
    h("dl", { class: "keys" }, ...SHORTCUTS.flatMap(({ shown, what }) => [h("dt", {}, h("kbd", {}, shown)), h("dd", {}, what)])),
    h("p", {},
      "Arrow keys move inside the address map and the images. Every number and every dotted word shows its explanation on hover, focus or click. " +
        "Drop a PNG anywhere to run the program on it, or a PTX program or an exported scenario to run that. The page's address holds the whole state. Nothing leaves your machine.",
    ),
    ...takeaway(page),
    h("button", { type: "button", onclick: () => glossary(page) }, "Glossary"),
    // The one-file form comes without them.
    location.protocol.startsWith("http")
      ? h("p", {}, h("a", { href: "guides/" }, "Guides: everything written about Burstscope"), " ",
        h("a", { href: "gallery/" }, "Gallery of kernels and codecs"))
      : "",
  );
}

function glossary(page: Page): void {
  const entries = [...page.terms].sort(([x], [y]) => x.localeCompare(y));
  openDialog("Glossary", h("dl", { class: "terms" }, ...entries.flatMap(([term, words]) => [h("dt", {}, term), h("dd", {}, words)])));
}
