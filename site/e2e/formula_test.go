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
