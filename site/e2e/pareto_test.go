package e2e

import "testing"

const paretoScript = `
import { acrossOf, paretoPoints } from "./reproduction/pareto";

const panel = (title: string, unit: string, values: (number | null)[][]) => ({ title, unit, categories: ["MM", "PF", "mean"], series: values.map((v, i) => ({ label: ["nothing", "RFVP"][i]!, values: v })) });
const figure = { panels: [
  panel("Speedup over nothing", "x", [[1, 1, 1], [2, 1.5, 1.7]]), panel("Energy of nothing over energy", "x", [[1, 1, 1], [1.8, 1.4, 1.6]]),
  panel("Loss of quality", "%", [[0, 0, 0], [8, null, 4]]), panel("On the Pareto front of all", "1", [[0, 1, null], [1, 1, null]]),
] } as any;
same("points", paretoPoints(figure), [
  { program: "MM", combination: "nothing", speed: 1, energy: 1, loss: 0, front: false },
  { program: "PF", combination: "nothing", speed: 1, energy: 1, loss: 0, front: true },
  { program: "MM", combination: "RFVP", speed: 2, energy: 1.8, loss: 0.08, front: true },
]);
same("another figure", paretoPoints({ panels: figure.panels.slice(0, 3) }), []);
same("places", [0, 0.001, 0.1, 10, 2000].map(acrossOf), [0, 0, 0.5, 1, 1]);
`

func TestParetoPoints(t *testing.T) {
	t.Parallel()
	silentUnderNode(t, paretoScript)
}
