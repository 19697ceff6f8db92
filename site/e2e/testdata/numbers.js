// Notes what a page and its frames show, for site/e2e/numbers_test.go: from the first paint on, with every frame that
// changed something, and every 100 ms. It reads text that can be seen and the name above it, and knows nothing of
// how the page marks its own numbers.
(() => {
  const EVERY_MS = 100;
  const nextFrame = window.requestAnimationFrame.bind(window); // the page's own may come late
  const frame = `${location.pathname.replace(/^.*\//, "") || "index.html"} ${Math.random().toString(36).slice(2, 8)}`;
  // Regions of the page, the innermost first. Settings, estimates and faults are no results.
  const REGIONS = ["#headline", "#status", "#results", "#stale", "#why", "#waterfall", "#chart", "#chart-numbers", "#accounts", "#inspector",
    "#values", "#stage", "#time", "#answer", "#sweep-table", "#kept", "#estimate", "#messages", "#knobs", "#embed-knobs", "#lesson", "#kernel", "#lab", "#repro", "#dialog", "#intro", "#scenario",
    "#live", "#print-foot", "#dropzone", "#embed-poster", "#veil", "header", "#embed-bar", "#embed-enter", ".skip", "#result", "#centre"];
  const LEFT_OUT = new Set(["#kept", "#estimate", "#messages", "#knobs", "#embed-knobs", "#lesson", "#kernel", "#lab", "#repro", "#dialog", "#intro", "#scenario",
    "#live", "#print-foot", "#dropzone", "header", "#embed-bar", "#embed-enter", ".skip", "#veil"]);
  const ALWAYS = new Set(["#stage", "#stale", "img", "moving"]); // told even without a digit
  const LOOSE = new Set(["#values", "#stage", "#time", "#inspector"]); // change with the cursor
  const runs = {}; // the name above the numbers when a run began, by its number
  let last = "";
  let lastLoose = "";
  let dirty = true;
  let due = true;

  const seen = (e) => e !== null && e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const words = (e) => e.textContent.replace(/[ \t\r\n]+/g, " ").trim();

  function name() {
    const about = document.getElementById("sweep-about");
    if (seen(about)) return words(about);
    const title = document.getElementById("embed-title");
    if (seen(title) && !seen(document.getElementById("embed-poster"))) return words(title);
    const lesson = document.querySelector(".lesson-name");
    if (seen(lesson)) return words(lesson).replace(/ · .*$/, "");
    const select = document.getElementById("scenario");
    if (seen(select)) return select.selectedOptions[0]?.text ?? "";
    return document.title.replace(/^Burstscope: /, "");
  }

  function slotOf(region, e) {
    if (region === "#results") {
      const row = e.closest("tr[data-row]");
      return row ? `${row.dataset.row}/${e.closest("[data-side]")?.dataset.side ?? ""}` : "";
    }
    if (region === "#sweep-table") {
      const row = e.closest("tr[data-value]");
      const cell = e.closest("[data-measure], .mono");
      return row && cell ? `${row.dataset.value}/${cell.dataset.measure ?? "hash"}` : "";
    }
    if (region !== "#chart") return "";
    const text = e.closest("text");
    return text?.id || (text?.previousElementSibling?.localName === "text" ? text.closest("g[id]").id : "");
  }

  function look() {
    const poster = document.getElementById("embed-poster");
    const covered = poster !== null && seen(poster);
    const parts = new Map();
    const shown = new Map();
    const add = (region, slot, said) => {
      const key = `${region}\n${slot}`;
      parts.set(key, `${parts.has(key) ? `${parts.get(key)} ` : ""}${said}`);
    };
    const walk = (root) => {
      const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      while (nodes.nextNode()) {
        const n = nodes.currentNode;
        if (n.nodeType === 1) {
          if (n.shadowRoot) walk(n.shadowRoot);
          if (n.localName !== "img" || !seen(n) || (covered && !poster.contains(n))) continue;
          const file = /(?:posters|built)\/([a-z0-9]+)(?:-[a-z0-9-]+)?\.svg/.exec(n.currentSrc || n.src);
          const host = n.getRootNode().host;
          if (file) add("img", host ? host.getAttribute("scenario") ?? "" : "", file[1]);
          continue;
        }
        const said = n.data.replace(/[ \t\r\n]+/g, " ").trim();
        const e = n.parentElement;
        if (said === "" || e === null || /^(SCRIPT|STYLE|NOSCRIPT|TITLE|OPTION)$/i.test(e.tagName) || (covered && !poster.contains(e))) continue;
        if (!shown.has(e)) shown.set(e, seen(e));
        if (!shown.get(e)) continue;
        const region = REGIONS.find((r) => e.closest(r)) ?? "other";
        if (LEFT_OUT.has(region)) continue;
        add(region, slotOf(region, e), said);
      }
    };
    if (document.body) walk(document.body);
    const state = window.burstscope?.state;
    if (state) runs[state.run] ??= name();
    const moving = document.getElementById("view-holder");
    if (state && !covered && moving && seen(moving) && !moving.matches(".waiting")) {
      add("moving", "", runs[state.view.run] ?? "");
    }
    const list = [...parts].map(([key, said]) => [...key.split("\n"), said])
      .filter(([region, , said]) => /\d/.test(said) || ALWAYS.has(region));
    for (const p of list) if (p[0] === "#time") p[2] = p[2].replace(/cycle [\d,]+ of/, "cycle … of").replace(/[\d.,]+\s?[kM]? cycles\/s/, "");
    const strict = JSON.stringify([name(), list.filter(([r]) => !LOOSE.has(r))]);
    const loose = JSON.stringify(list.filter(([r]) => LOOSE.has(r)));
    const told = strict !== last || (due && loose !== lastLoose);
    due = false;
    if (!told) return;
    last = strict;
    lastLoose = loose;
    window.noteNumbers?.(JSON.stringify({ at: performance.timeOrigin + performance.now(), frame, name: name(), parts: list }));
  }

  // A resize is told after all of a frame was laid out, and before it is painted.
  const probe = document.createElement("i");
  probe.style.cssText = "position:fixed;left:-9px;top:0;width:1px;height:1px";
  const painted = new ResizeObserver(() => {
    if (!dirty && !due) return;
    dirty = false;
    look();
  });
  let wide = 1;
  const tick = () => {
    nextFrame(tick);
    if (!document.body || (!dirty && !due)) return;
    if (!probe.isConnected) {
      document.documentElement.append(probe);
      painted.observe(probe);
    }
    wide = 3 - wide;
    probe.style.width = `${wide}px`;
  };
  nextFrame(tick);
  new MutationObserver((list) => {
    if (list.some((m) => m.target !== probe)) dirty = true;
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  document.addEventListener("change", () => (dirty = true), true);
  setInterval(() => (due = true), EVERY_MS);
})();
