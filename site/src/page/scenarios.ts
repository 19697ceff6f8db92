// The scenarios that come with the page, and the choice of one.

import { asset } from "../lib/assets";
import { visible } from "../lib/format";
import { showFirst } from "../links/permalink";
import type { RemoteLinks } from "../links/remotelinks";
import { FIRST } from "../protocol/first";
import { OWN } from "../protocol/kernel";
import { OWN_PROGRAM, complete, type Shipped } from "../protocol/scenario";
import { isLocked } from "../state/locks";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

declare global {
  interface Window {
    // Shipped scenarios, where they come with the markup (the embed).
    burstscopeShipped?: Shipped[];
  }
}

// readShipped fetches the list of scenarios. The one that a link names is shown at once; its
// other settings wait for the engine.
export async function readShipped(page: Page, messages: Messages, named: string | undefined): Promise<void> {
  try {
    const list = window.burstscopeShipped ?? (await fetchShipped());
    const usable = list.filter((x) => x.name && x.scenario);
    if (usable.length === 0) throw new Error("it is empty");
    const shipped = usable.map((x) => ({ ...x, title: visible(x.title || x.name) }));
    page.catalogue.shipped = [...shipped, OWN_PROGRAM];
    const first = shipped.find((x) => x.name === FIRST) ?? shipped[0]!;
    page.settings.shipped = page.catalogue.shipped.find((x) => x.name === named) ?? first;
    page.settings.scenario = complete(page.settings.shipped.scenario);
  } catch (e) {
    messages.show(
      "scenarios",
      {
        what: "The list of scenarios could not be read:",
        where: `scenarios/index.json, ${e instanceof Error ? e.message : String(e)}.`,
        mend: "Only the first scenario is offered; reload the page to try again.",
      },
      undefined,
      true,
    );
  }
  page.emit("scenario");
}

async function fetchShipped(): Promise<Shipped[]> {
  const answer = await fetch(asset("scenarios/index.json"));
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return (await answer.json()) as Shipped[];
}

// chooseScenario runs a scenario by its name, or by id:ADDRESS if the site keeps it.
export async function chooseScenario(page: Page, remote: RemoteLinks, run: () => void, name: string, edit: () => void): Promise<void> {
  if (isLocked(page, "scenario")) return;
  if (name === OWN) {
    edit();
    return page.emit("scenario");
  }
  const find = (): Shipped | undefined => page.catalogue.shipped.find((x) => x.name === name);
  if (!find()) {
    const id = /^id:(.*)$/.exec(name)?.[1] ?? "";
    await remote.fetch(id, () => void chooseScenario(page, remote, run, name, edit));
  }
  const shipped = find();
  if (!shipped) return page.emit("scenario");
  page.settings.shipped = shipped;
  page.settings.scenario = complete(shipped.scenario);
  if (shipped.image) page.ownImage = shipped.image;
  page.settings.addr = undefined;
  showFirst(page.settings);
  page.emit("scenario");
  page.emit("tab");
  run();
}
