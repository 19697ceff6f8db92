// The two runs that the page compares.

export type Side = "A" | "B";
export const SIDES: readonly Side[] = ["A", "B"];
export type PerSide<T> = { A: T; B: T };
