// The picture that the build made, until the live one is there: that of the scenario on show, or that runs.
// The page comes with the picture of its first scenario.

import { inOneFile } from "../lib/assets";
import { byId, h, text } from "../lib/dom";
import { soon } from "../lib/turns";
import { OWN } from "../protocol/kernel";
import { complete } from "../protocol/scenario";
import { ofExample } from "../results/results";
import type { Page } from "../state/page";

const FIRST_PICTURE = "first"; // no name of a scenario: the page's own pictures

export function startBuiltPicture(page: Page): void {
  const holder = byId("poster-figures");
  const first = [...holder.children];
  let shown = FIRST_PICTURE;
  let firstOf: string | undefined; // the scenario of the page's own pictures
  const draw = (): void => {
    if (page.results.ran) {
      const words = holder.querySelector(".words");
      if (words) text(words, "The picture appears here in a few seconds, or when the pointer moves.");
    }
    if (first.length === 0) return;
    const own = posterOf(page);
    const example = page.results.of === "poster" && !ofExample(page);
    if (example && own !== "") firstOf = own;
    const name = example || own === firstOf ? FIRST_PICTURE : inOneFile ? "" : own;
    if (name === shown) return;
    shown = name;
    if (name === FIRST_PICTURE) return holder.replaceChildren(...first);
    const words = h("p", { class: "words" }, "The picture appears here when the run begins.");
    if (name === "") return holder.replaceChildren(words);
    const image = h("img", { src: `posters/${name}-page.svg`, width: 960, height: 400, alt: "The result of this scenario, computed when the page was built", decoding: "async" });
    image.addEventListener("error", () => holder.replaceChildren(words));
    holder.replaceChildren(
      h("picture", { class: "built" }, h("source", { media: "(max-width: 700px)", srcset: `posters/${name}-page-narrow.svg` }), image),
    );
  };
  page.on(["scenario", "results", "run"], soon(draw));
  draw();
}

// posterOf names the poster of the scenario that runs or, before the first run, of the settings;
// "" if its settings were changed, or if it is not one of the shipped scenarios.
function posterOf(page: Page): string {
  const { run, data } = page;
  const { shipped } = run.number > 0 ? data.origin : page.settings;
  const { scenario } = run.number > 0 ? data : page.settings;
  const same = JSON.stringify(complete(shipped.scenario)) === JSON.stringify(scenario);
  return same && shipped.name !== OWN && !page.linkWaits && shipped.id === undefined ? encodeURIComponent(shipped.name) : "";
}
