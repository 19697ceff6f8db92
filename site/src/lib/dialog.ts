// The dialog that all parts of the page share.

import { byId, text } from "./dom";

export function openDialog(title: string, ...body: (Node | string)[]): void {
  text(byId("dialog-title"), title);
  byId("dialog-body").replaceChildren(...body);
  const dialog = byId<HTMLDialogElement>("dialog");
  if (!dialog.open) dialog.showModal();
}
