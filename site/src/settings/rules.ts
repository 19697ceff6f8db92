// What excludes what, by the engine's rules (core/scheme, Rules): the build puts the table in place of EXCLUSIONS
// (tools/build/bundle.go).

interface Exclusion {
  choice: string;
  not: { what: string; why: string; machines?: string[] }[];
}

declare const EXCLUSIONS: Exclusion[];

export const exclusions = EXCLUSIONS;
