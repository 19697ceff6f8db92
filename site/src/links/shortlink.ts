// The part of the dialog Share that makes a short link, where the site keeps
// scenarios.

import { h, text } from "../lib/dom";
import { bytes } from "../lib/format";
import { say } from "../state/messages";
import { Refusal, store } from "./remote";
import type { Page } from "../state/page";

// ShortLinks makes links to what the site keeps (RemoteLinks).
export interface ShortLinks {
  short(): Promise<string>;
}

// shortLink is undefined where the site keeps nothing. That the page's data go to the
// site is said before they do.
export async function shortLink(page: Page, remote: ShortLinks): Promise<HTMLElement | undefined> {
  if (page.settings.lesson.name !== "") return undefined; // its link is short, and holds the step
  const there = await store().catch(() => undefined);
  if (!there) return undefined;
  const image = page.ownImage ? ` and your image “${page.ownImage.name}” (${bytes(page.ownImage.png.length)})` : "";
  const words = h("p", {}, `A short link keeps the scenario${image} on ${location.host}. Whoever has the link can open it; it cannot be taken back here.`);
  const button = h("button", { type: "button", id: "make-short" }, "Make a short link");
  const field = h("input", { readonly: true, "aria-label": "Short link", class: "wide", id: "short-link", hidden: true });
  const said = h("p", { role: "status", id: "short-said" });
  button.addEventListener("click", () => void make());
  const make = async (): Promise<void> => {
    button.disabled = true;
    text(said, "Keeping the scenario…");
    try {
      field.value = await remote.short();
      field.hidden = false;
      button.hidden = true;
      const copied = await navigator.clipboard.writeText(field.value).then(
        () => true,
        () => false,
      );
      text(said, copied ? "The short link is copied." : "Copy it from here.");
      if (!copied) field.select();
    } catch (e) {
      const { what, where, mend } = e instanceof Refusal ? e.fault : { what: "The short link could not be made.", where: String(e), mend: "" };
      text(said, [what, where, mend].filter((x) => x).join(" "));
      button.disabled = false;
    }
    say(said.textContent ?? "");
  };
  return h("div", { class: "short" }, words, button, field, said);
}
