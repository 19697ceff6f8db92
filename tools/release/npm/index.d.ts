/** The element's methods and events; site/EMBED.md of the repository explains each of them. */

/** Resolves when the element is defined: true in a browser, false on a server. */
export declare const defined: Promise<boolean>;

/** What an embed says of itself. Before the simulator is loaded there are only phase, fragment and theme. */
export interface BurstScopeState {
  phase: "poster" | "loading" | "running" | "done" | "cancelled" | "error";
  fragment: string;
  theme: "auto" | "light" | "dark";
  entered?: boolean;
  scenario?: string;
  tab?: string;
  side?: string;
  picture?: string;
  cycle?: number;
  cycles?: number;
  playing?: boolean;
  speed?: number;
  progress?: number;
  headline?: string;
  resultHashes?: { A?: string; B?: string };
}

export interface BurstScopeExport {
  name: string;
  mime: string;
  data: string;
}

/** Why the embed refused a call. */
export interface BurstScopeError extends Error {
  where?: string;
  mend?: string;
}

export type BurstScopeFormat = "json" | "csv" | "svg" | "link";

export interface BurstScopeElement extends HTMLElement {
  getState(): Promise<BurstScopeState>;
  /** state is a fragment ("#v=1&tab=dram") or its keys. Keys that are left out keep their values. */
  setState(state: string | Record<string, string | number | boolean>): Promise<BurstScopeState>;
  run(): Promise<BurstScopeState>;
  pause(paused?: boolean): Promise<BurstScopeState>;
  seek(cycle: number): Promise<BurstScopeState>;
  export(format: BurstScopeFormat): Promise<BurstScopeExport>;
}

/** The attributes, for frameworks with types of their own for elements. */
export interface BurstScopeAttributes {
  scenario?: string;
  state?: string;
  tab?: string;
  side?: string;
  cycle?: string | number;
  speed?: string | number;
  picture?: string;
  knobs?: string;
  lock?: string;
  hide?: string;
  load?: "click" | "visible";
  autoplay?: "no";
  tabs?: "yes";
  theme?: "auto" | "light" | "dark";
  height?: string | number;
  poster?: string;
  alt?: string;
  sandbox?: string;
  origins?: string;
  base?: string;
}

export interface BurstScopeEvents {
  "burst-scope-ready": CustomEvent<{ api: number[]; live: boolean; version?: string }>;
  "burst-scope-state": CustomEvent<{ state: BurstScopeState }>;
  "burst-scope-error": CustomEvent<{ what: string; where: string; mend: string }>;
  "burst-scope-resize": CustomEvent<{ height: number }>;
}

declare global {
  interface HTMLElementTagNameMap {
    "burst-scope": BurstScopeElement;
  }
  interface HTMLElementEventMap extends BurstScopeEvents {}
}
