// A scenario that somebody drops or chooses: the file that Export wrote, as JSON or as msgpack.

import { clip, visible } from "../lib/format";
import { showFirst } from "../links/permalink";
import type { Unpacked } from "../protocol/protocol";
import { OWN_PROGRAM, complete, type Scenario } from "../protocol/scenario";
import { FIXED, isLocked } from "../state/locks";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

export const SCENARIO_FILE = /\.(msgpack|json)$/i;
const MOST_BYTES = 16 << 20; // as core/scenario/msgpack.go has it

// openScenario shows and runs the scenario of a file. The engine refuses wrong values when it runs.
export async function openScenario(page: Page, messages: Messages, run: () => void, unpack: (packed: Uint8Array) => Promise<Unpacked>, file: File): Promise<void> {
  const refuse = (why: string, mend: string): void => messages.show("image", { what: `“${visible(file.name)}” ${why}.`, mend });
  if (isLocked(page, "scenario")) return refuse("was not opened", `The scenario is ${FIXED}.`);
  if (file.size > MOST_BYTES) return refuse("is larger than 16 MiB", "Choose a scenario that Export wrote.");
  let scenario: Partial<Scenario> | undefined;
  let image: Uint8Array | undefined;
  try {
    if (/json$/i.test(file.name)) scenario = JSON.parse(await file.text()) as Partial<Scenario>;
    else {
      const said = await unpack(new Uint8Array(await file.arrayBuffer()));
      const fault = said.errors?.[0];
      if (fault) return refuse(`is no scenario: ${clip(fault.message, 120)}`, "Export the scenario again.");
      ({ scenario, image } = said);
    }
  } catch {
    return refuse("cannot be read", "Export the scenario again.");
  }
  if (typeof scenario?.workload !== "object") return refuse("is no scenario", "Choose a scenario that Export wrote.");
  const { title: _title, notes: _notes, view: _view, ...rest } = scenario;
  const { settings, catalogue } = page;
  const near = catalogue.shipped.find((x) => x.scenario.workload?.name === rest.workload?.name);
  messages.clear("image");
  settings.shipped = rest.workload?.ptx ? OWN_PROGRAM : (near ?? catalogue.shipped[0]!);
  settings.scenario = complete(rest);
  settings.addr = undefined;
  if (image) page.ownImage = { png: image, name: `the image of ${visible(file.name)}` };
  showFirst(settings);
  page.emit("scenario");
  page.emit("tab");
  run();
}
