// A codec of the reader's own: a WebAssembly module, dropped or chosen as the codec of a side. The engine
// checks it and runs it; the scenario holds its bytes, so links and exported files do too.

import { aboveLimit, visible } from "../lib/format";
import { sha256 } from "../lib/sha256";
import { h } from "../lib/dom";
import { FIXED, isLocked, scenarioPath } from "../state/locks";
import type { Messages } from "../state/messages";
import { PLUGIN, memoryOf, mend, sideScenario, type Scenario } from "../protocol/scenario";
import type { Described } from "../protocol/protocol";
import { SIDES, type Side } from "../protocol/side";
import type { Page } from "../state/page";

export const MODULE_FILE = /\.wasm$/i;
const MOST_BYTES = 256 << 10; // plugin.MaxBytes
const HASH_DIGITS = 16; // of a module's SHA-256 in a link [ours]

export interface ModuleHooks {
  run(): void;
  describe(scenario: Scenario): Promise<Described>;
}

// takeModule makes a file the codec of a side and runs it, or says why not; then everything stays.
export async function takeModule(page: Page, messages: Messages, hooks: ModuleHooks, file: File, side: Side): Promise<void> {
  const name = `“${visible(file.name)}”`;
  const refuse = (why: string, mending: string): void => messages.show("image", { what: `${name} ${why}`, mend: mending });
  if (isLocked(page, scenarioPath(`${side}.memory.codec`))) return refuse("was not taken.", `The codec of this scenario is ${FIXED}.`);
  if (file.size > MOST_BYTES) return refuse(`has ${aboveLimit(file.size, MOST_BYTES).join("; a codec may have ")}.`, "Settings and results are kept.");
  let code = "";
  let hash = "";
  try {
    const held = new Uint8Array(await file.arrayBuffer());
    hash = sha256(held).slice(0, HASH_DIGITS);
    for (const b of held) code += String.fromCharCode(b);
  } catch {
    return refuse("cannot be read.", "Choose a file that still exists; folders cannot be read.");
  }
  const module = btoa(code);
  page.moduleHashes.set(module, hash);
  // The module that a link has named belongs to the sides for which it did.
  const named = SIDES.filter((x) => page.settings.modules[x] === hash);
  const scenario = structuredClone(page.settings.scenario);
  for (const x of named.length > 0 ? named : [side]) Object.assign(memoryOf(scenario, x), { codec: PLUGIN, approximation: "none", module });
  mend(scenario);
  const fault = (await hooks.describe(sideScenario(scenario, named[0] ?? side))).errors?.find((e) => e.path?.endsWith("memory.module"));
  if (fault) return refuse(`is no codec: ${fault.message}.`, "Settings and results are kept.");
  messages.clear("image");
  page.settings.scenario = scenario;
  page.emit("scenario");
  hooks.run();
}

// startOwnModule asks for a file whenever a reader chooses “Your codec” for a side.
export function startOwnModule(page: Page, messages: Messages, hooks: ModuleHooks): void {
  let side: Side = "B";
  const choose = h("input", { type: "file", id: "module-file", accept: ".wasm", hidden: "" });
  document.body.append(choose);
  choose.addEventListener("change", () => {
    const file = choose.files?.[0];
    if (file) void takeModule(page, messages, hooks, file, side);
    choose.value = "";
  });
  document.addEventListener(
    "change",
    (e) => {
      const field = e.target;
      const of = field instanceof HTMLSelectElement ? /^knob-([AB])-codec$/.exec(field.id) : null;
      if (!of || (field as HTMLSelectElement).value !== PLUGIN) return;
      e.stopImmediatePropagation(); // the codec changes when there is a module
      side = of[1] as Side;
      (field as HTMLSelectElement).value = memoryOf(page.settings.scenario, side).codec;
      choose.click();
    },
    true,
  );
}
