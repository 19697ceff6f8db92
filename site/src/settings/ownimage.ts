// The user's own image: chosen or dropped, checked for being a PNG, handed to
// the engine as it is, which decodes it the same way everywhere.

import { byId } from "../lib/dom";
import { aboveLimit, visible } from "../lib/format";
import { FIXED, isLocked } from "../state/locks";
import type { Messages } from "../state/messages";
import { workloadInfo } from "../protocol/scenario";
import { partOf } from "../state/parts";
import type { Page } from "../state/page";
import type { Unpacked } from "../protocol/protocol";
import { MODULE_FILE } from "./ownmodule";
import { SCENARIO_FILE, openScenario } from "./scenariofile";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const MOST_BYTES = 32 << 20;
const ACCEPTED = "Drop a PNG (any size and colour; it becomes 8-bit grey), a PTX program, a codec (.wasm), or a scenario that Export wrote.";

// Others take the files that are no images.
export interface Others {
  edit(file: File): void; // PTX
  codec(file: File): void; // WebAssembly
  unpack(packed: Uint8Array): Promise<Unpacked>; // for scenarios
}

export function startOwnImage(page: Page, messages: Messages, run: () => void, others: Others): void {
  const file = byId<HTMLInputElement>("image-file");
  const zone = byId("dropzone");
  const take = (files: FileList | null): void => {
    if (files && files.length > 0) void accept(page, messages, [...files], run, others);
  };
  byId("image-choose").addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    take(file.files);
    file.value = "";
  });
  byId("image-drop").addEventListener("click", () => {
    page.ownImage = undefined;
    page.emit("scenario");
    run();
  });
  let depth = 0;
  const carriesFiles = (e: DragEvent): boolean => partOf(page.settings) === "simulator" && (e.dataTransfer?.types.includes("Files") ?? false);
  addEventListener("dragenter", (e) => {
    if (!carriesFiles(e)) return;
    depth++;
    zone.hidden = false;
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) zone.hidden = true;
  });
  addEventListener("dragover", (e) => {
    if (carriesFiles(e)) e.preventDefault();
  });
  addEventListener("drop", (e) => {
    depth = 0;
    zone.hidden = true;
    if (!carriesFiles(e)) return;
    e.preventDefault();
    take(e.dataTransfer?.files ?? null);
  });
}

async function accept(page: Page, messages: Messages, files: File[], run: () => void, others: Others): Promise<void> {
  const file = files[0]!;
  const refuse = (what: string, mend: string): void => messages.show("image", { what, mend });
  if (files.length === 1 && SCENARIO_FILE.test(file.name)) return openScenario(page, messages, run, others.unpack, file);
  if (files.length === 1 && MODULE_FILE.test(file.name)) return others.codec(file);
  if (isLocked(page, "workload.image")) return refuse(`The input of this scenario is ${FIXED}.`, "Open the page without the author's link to run your own.");
  if (files.length > 1) return refuse(`${files.length} files were dropped at once.`, "Drop one PNG.");
  if (/\.ptx$/i.test(file.name)) return others.edit(file);
  if (file.size > MOST_BYTES) {
    return refuse(`“${visible(file.name)}” has ${aboveLimit(file.size, MOST_BYTES).join(", more than the page's limit of ")}.`, "Make it smaller.");
  }
  let png: Uint8Array;
  try {
    png = new Uint8Array(await file.arrayBuffer());
  } catch {
    return refuse(`“${visible(file.name)}” cannot be read.`, "Choose a file that still exists; folders cannot be read.");
  }
  if (!SIGNATURE.every((b, i) => png[i] === b)) return refuse(`“${visible(file.name)}” is not a PNG.`, ACCEPTED);
  const taken = workloadInfo(page.catalogue.lists, page.settings.scenario.workload.name)?.image ?? false;
  if (!taken && ["workload.name", "workload.size", "workload.data"].some((p) => isLocked(page, p))) {
    return refuse("This program takes no image,", `and it is ${FIXED}.`);
  }
  messages.clear("image");
  page.ownImage = { png, name: visible(file.name) };
  const name = page.settings.scenario.workload.name;
  if (!taken) toImageProgram(page, messages, file.name, name);
  page.emit("scenario");
  run();
}

// toImageProgram opens a scenario whose program takes an image, if the current one does
// not.
function toImageProgram(page: Page, messages: Messages, file: string, was: string): void {
  const takes = page.catalogue.lists.workloads.find((w) => w.image);
  if (!takes) return;
  page.settings.scenario.workload = { name: takes.name };
  if (takes.defaultSize !== undefined) page.settings.scenario.workload.size = takes.defaultSize;
  messages.show(
    "image",
    { what: `“${file}” runs on ${takes.title ?? takes.name},`, where: `because ${was} takes no image.` },
    undefined,
    true,
  );
}
