package e2e

import (
	"os"
	"testing"
)

// TestFormulasOfThePage: the page computes and writes formulas of lessons as core/lesson/formula does, by its table.
func TestFormulasOfThePage(t *testing.T) {
	cases, err := os.ReadFile("../../core/lesson/formula/testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	silentUnderNode(t, `
import { evaluate, fill } from "./lessons/formula";
const cases = `+string(cases)+`;
const result = (cycles: number) => ({ stats: { cycles } }) as never;
const results = { A: result(8), B: result(3) };
for (const [text, want] of Object.entries(cases.formulas)) same(text, evaluate(text, results), want);
for (const [text, want] of Object.entries(cases.texts)) same(text, fill(text, results), want);
for (const text of cases.refused) {
  let value = NaN;
  try { value = evaluate(text, results); } catch { continue; }
  if (Number.isFinite(value)) console.log(text + " = " + value);
}
`)
}

// TestFormulasOfFigures: the page computes the values of figures as core/claim does, by a table that Go writes.
func TestFormulasOfFigures(t *testing.T) {
	table, err := os.ReadFile("../../core/claim/testdata/formulas.json")
	if err != nil {
		t.Fatal(err)
	}
	silentUnderNode(t, `
import { valueOf } from "./reproduction/formula";
const table = `+string(table)+`;
const figure = { runs: table.outcomes.map((_: unknown, i: number) => i), metrics: table.metrics };
if (table.cases.length < 60) console.log(table.cases.length + " cases");
for (const c of table.cases) {
  const got = valueOf(c.formula, figure as never, (place: number) => table.outcomes[place] as never);
  if (!(Math.abs(got! / c.value - 1) < 1e-12 || got === c.value)) console.log(JSON.stringify(c.formula), got, c.value);
}
for (const outcome of [undefined, {}, { traffic: { codecs: [] } }, { result: {} }])
  for (const c of table.cases) {
    const got = valueOf(c.formula, figure as never, () => outcome as never);
    if (got !== undefined) console.log(JSON.stringify(c.formula), got, "without outcomes");
  }
`)
}
