// FIRST is the scenario of a page or an embed without a link. Its results are built into the page
// (tools/build/scenarios.go).
export const FIRST = "tp";
