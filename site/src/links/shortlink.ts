// The part of the dialog Share that makes a short link, where the site keeps
// scenarios.

import { h, text } from "../lib/dom";
import { bytes } from "../lib/format";
import { say } from "../state/messages";
import { Refusal, store } from "./remote";
import type { Page } from "../state/page";

// ShortLink is a link to a scenario that the site keeps. Whoever shared the scenario
// first can delete it.
export interface ShortLink {
  link: string;
  secret?: string;
  forget?: () => Promise<void>;
}

// ShortLinks makes them (RemoteLinks).
export interface ShortLinks {
  short(): Promise<ShortLink>;
}

// shortLink is undefined if the site keeps no scenarios. The reader is told beforehand
// that the data go to the site.
export async function shortLink(page: Page, remote: ShortLinks): Promise<HTMLElement | undefined> {
  if (page.settings.lesson.name !== "") return undefined; // its link is short, and holds the step
  const there = await store().catch(() => undefined);
  if (!there) return undefined;
  const image = page.ownImage ? ` and your image “${page.ownImage.name}” (${bytes(page.ownImage.png.length)})` : "";
  const words = h("p", {}, `A short link keeps the scenario${image} on ${location.host}. Whoever has the link can open it. The site drops a scenario that nobody opens for 90 days.`);
  const button = h("button", { type: "button", id: "make-short" }, "Make a short link");
  const field = h("input", { readonly: true, "aria-label": "Short link", class: "wide", id: "short-link", hidden: true });
  const said = h("p", { role: "status", id: "short-said" });
  const secret = h("input", { readonly: true, class: "wide", id: "short-secret" });
  const removal = h("button", { type: "button", id: "delete-short" }, "Delete it from the site");
  const owner = h("p", { hidden: true }, h("label", {}, "Secret for deleting it (shown only once, so keep it): ", secret), " ", removal);
  button.addEventListener("click", () => void make());
  const failed = (e: unknown, what: string): string => {
    const fault = e instanceof Refusal ? e.fault : { what, where: String(e), mend: "" };
    return [fault.what, fault.where, fault.mend].filter((x) => x).join(" ");
  };
  const make = async (): Promise<void> => {
    button.disabled = true;
    text(said, "Keeping the scenario…");
    try {
      const made = await remote.short();
      field.value = made.link;
      field.hidden = false;
      secret.value = made.secret ?? "";
      owner.hidden = !made.forget;
      removal.onclick = () => void remove(made.forget);
      button.hidden = true;
      const copied = await navigator.clipboard.writeText(field.value).then(
        () => true,
        () => false,
      );
      text(said, copied ? "The short link is copied." : "Copy it from here.");
      if (!copied) field.select();
    } catch (e) {
      text(said, failed(e, "The short link could not be made."));
      button.disabled = false;
    }
    say(said.textContent ?? "");
  };
  const remove = async (forget: ShortLink["forget"]): Promise<void> => {
    removal.disabled = true;
    try {
      await forget?.();
      field.value = "";
      field.hidden = owner.hidden = true;
      button.hidden = button.disabled = false;
      text(said, "The scenario is deleted from the site. Caches may answer the link for a minute.");
    } catch (e) {
      text(said, failed(e, "The scenario could not be deleted."));
    }
    removal.disabled = false;
    say(said.textContent ?? "");
  };
  return h("div", { class: "short" }, words, button, field, owner, said);
}
