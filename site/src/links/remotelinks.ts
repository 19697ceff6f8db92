// Links to scenarios that the site keeps: id=ADDRESS in the fragment, and the short
// links that lead there.

import { byId } from "../lib/dom";
import type { Messages } from "../state/messages";
import type { Read } from "./fragment";
import { writeFragment } from "./permalink";
import { ADDRESS, Refusal, forget, keep, listed, openKept, type Packer } from "./remote";
import type { ShortLink } from "./shortlink";
import type { Shipped } from "../protocol/scenario";
import type { Page } from "../state/page";
import { shared } from "./versions";

export class RemoteLinks {
  constructor(
    private page: Page,
    private engine: Packer,
    private messages: Messages,
  ) {
    // The scenarios that the site's owner lists are fetched when somebody opens the choice.
    const select = byId("scenario");
    const offer = (): void => void this.offer();
    select.addEventListener("focus", offer, { once: true });
    select.addEventListener("pointerenter", offer, { once: true });
  }

  // wanted is the address of a scenario that a link names and the page does not have.
  wanted(link: Read): string | undefined {
    const id = link.pairs.get("id");
    return id !== undefined && ADDRESS.test(id) && !this.page.catalogue.shipped.some((x) => x.id === id) ? id : undefined;
  }

  // fetch brings a kept scenario among the page's own, and answers whether it did;
  // otherwise a message says why and offers to try again, and nothing changes.
  async fetch(id: string, again: () => void): Promise<boolean> {
    this.messages.clear("store");
    try {
      const found = await openKept(id, this.engine);
      if (!this.page.catalogue.shipped.some((x) => x.id === id)) this.page.catalogue.shipped = [...this.page.catalogue.shipped, found];
      return true;
    } catch (e) {
      const fault = e instanceof Refusal ? e.fault : { what: "The scenario of the link could not be opened.", where: String(e) };
      this.messages.show("store", fault, { label: "Try again", run: again });
      return false;
    }
  }

  private async offer(): Promise<void> {
    const list = await listed().catch(() => []);
    if (list.length === 0) return;
    this.page.catalogue.listed = list;
    this.page.emit("scenario");
  }

  // short hands the scenario as it is now to the site and answers a link to it, with
  // the part of the view that the scenario does not say.
  async short(): Promise<ShortLink> {
    const { page } = this;
    const { settings } = page;
    const kept = await keep(settings.scenario, settings.shipped, page.ownImage?.png, this.engine);
    const shipped: Shipped = { ...settings.shipped, id: kept.hash, scenario: { ...settings.shipped.scenario, ...settings.scenario } };
    delete shipped.image;
    if (page.ownImage) shipped.image = page.ownImage;
    const opened: Page = Object.assign(Object.create(page) as Page, { settings: { ...settings, shipped } });
    const view = shared(writeFragment(opened, true))
      .replace(/^#/, "")
      .split("&")
      .filter((pair) => !/^(v|id)=/.test(pair));
    const { hash, secret } = kept;
    const link = `${kept.short}${view.length > 0 ? `?${view.join("&")}` : ""}`;
    return { link, ...(secret ? { secret, forget: () => forget(hash, secret) } : {}) };
  }
}
