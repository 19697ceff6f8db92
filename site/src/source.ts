// The program's text, with line numbers.

import { byId, h, soon, text } from "./dom";
import type { Page } from "./state";

export function startSource(page: Page): void {
  const which = h("select", { "aria-label": "File shown" });
  const words = h("p", { class: "words" });
  const code = h("pre", { class: "code", tabindex: 0, "aria-label": "Program text" });
  let shown: string | undefined;
  byId("panel-source").append(h("div", { class: "tools" }, words, which), code);
  const draw = soon(() => {
    if (byId("panel-source").hidden) return;
    const files = page.data.source?.files ?? [];
    const signature = files.map((f) => f.name).join("\r");
    if (which.dataset["filled"] !== signature) {
      which.dataset["filled"] = signature;
      which.replaceChildren(...files.map((f) => h("option", { value: f.name }, f.name)));
    }
    which.hidden = files.length < 2;
    const file = files.find((f) => f.name === which.value) ?? files[0];
    text(words, file ? `${file.name}, ${file.language === "ptx" ? "PTX: what the machine runs" : file.language}` : "The program's text comes with the run.");
    if (file?.text === shown) return;
    shown = file?.text;
    const lines = file ? file.text.replace(/\n$/, "").split("\n") : [];
    code.replaceChildren(...lines.map((line) => h("span", { class: "line" }, `${line}\n`)));
  });
  which.addEventListener("change", draw);
  page.on(["source", "tab", "run"], draw);
}
