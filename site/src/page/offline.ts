// The page without a network: registers the service worker, says once if the page could
// not be kept, and offers a newer version when one is complete. It does nothing in
// frames, for a page opened from a disk, or without an origin.

import { assets, inOneFile } from "../lib/assets";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

const AFTER_A_RUN_MS = 5_000;
const WITHOUT_A_RUN_MS = 10_000;
const RUN_MS = 60_000; // storing waits for a run no longer: its page may be closed
const SEEK_MS = 1_000; // another cycle or block often follows
const LOOK_EVERY_MS = 60 * 60 * 1000; // for a newer version, on pages that stay open

type FromServiceWorker = { type?: unknown; full?: unknown } | null;

export function startOffline(page: Page, messages: Messages, beforeReload: () => void): void {
  if (inOneFile || self.origin === "null" || window !== top || !isSecureContext || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const state = page.status.offline;
  let reloading = false;

  const offer = (waiting: ServiceWorker): void => {
    state.update = true;
    const own = page.ownImage ? " Drop your image again afterwards." : "";
    messages.show(
      "update",
      { what: "A newer version of this page is ready.", mend: `Reloading keeps all settings.${own}` },
      {
        label: "Reload",
        run: () => {
          beforeReload();
          // Another tab may already use the newer version.
          if (waiting.state !== "installed") return location.reload();
          reloading = true;
          waiting.postMessage({ type: "activate" });
        },
      },
      true,
    );
  };

  serviceWorker.addEventListener("controllerchange", () => {
    if (reloading) location.reload();
  });
  serviceWorker.addEventListener("message", (e: MessageEvent<FromServiceWorker>) => {
    if (e.data?.type !== "notKept" || e.data.full !== true) return;
    messages.show(
      "offline",
      {
        what: "This page could not be stored for use without a network:",
        where: "the browser's storage is full.",
        mend: "Free some storage and reload to store it. With a network the page works anyway.",
      },
      undefined,
      true,
    );
  });
  serviceWorker.startMessages();

  const watch = (registration: ServiceWorkerRegistration): void => {
    // A page that is just being closed still needs an older build, so tidying is asked for more than once.
    const tidy = (): void => {
      if (!registration.waiting) registration.active?.postMessage({ type: "tidy", build: assets.build });
    };
    const installed = (worker: ServiceWorker | null): void => {
      // The first worker of all can be in charge of the page before it says that it is installed (WebKit).
      const before = serviceWorker.controller;
      if (worker?.state === "installed" && before && before !== worker) offer(worker);
      if (worker?.state !== "activated") return;
      state.kept = true;
      tidy();
    };
    const follow = (worker: ServiceWorker | null): void => {
      installed(worker);
      worker?.addEventListener("statechange", () => installed(worker));
    };
    follow(registration.waiting);
    follow(registration.installing);
    follow(registration.active);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    page.on(["run", "past", "inspected"], () => {
      registration.installing?.postMessage({ type: "busy", ms: page.run.phase === "running" ? RUN_MS : SEEK_MS });
    });
    let looked = Date.now();
    document.addEventListener("visibilitychange", () => {
      tidy();
      if (document.hidden || Date.now() - looked < LOOK_EVERY_MS) return;
      looked = Date.now();
      registration.update().catch(() => undefined); // no network: the next check will find it
    });
  };

  // Storing the page takes a core for seconds. So it waits until the picture of a result has come and been played for a
  // while; if nothing runs, as in the lab, it begins after a longer while.
  let asked = false;
  let timer = 0;
  const register = (): void => {
    if (page.run.phase === "running") return; // its end waits again
    asked = true;
    // A browser that may keep nothing refuses; the page works without.
    serviceWorker.register("sw.js", { updateViaCache: "none" }).then(watch, () => undefined);
  };
  const wait = (): void => {
    clearTimeout(timer);
    if (!asked) timer = window.setTimeout(register, page.run.phase === "loading" ? WITHOUT_A_RUN_MS : AFTER_A_RUN_MS);
  };
  page.on(["run"], wait);
  wait();
}
