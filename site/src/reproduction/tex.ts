// Figures for LaTeX.

import type { ChartPanel } from "./chart";

// escaped writes a text for LaTeX.
export function escaped(s: string): string {
  const safe = s.replace(/\\/g, "/").replace(/[&%$#_{}]/g, "\\$&");
  return safe.replace(/×/g, "$\\times$").replace(/\u202f/g, "\\,").replace(/–/g, "--");
}

// texOf is a figure for LaTeX, of pgfplots, whose caption holds the link.
export function texOf(p: ChartPanel, stamp: string[], link: string): string {
  const category = (i: number): string => `{${escaped(p.categories[i]!)}}`;
  const plots = p.series.map((s) => {
    const points = s.values.flatMap((v, i) => (v === null ? [] : [`(${category(i)},${Number(v.toPrecision(6))})`]));
    return `\\addplot coordinates {${points.join(" ")}};\n\\addlegendentry{${escaped(s.label)}}`;
  });
  const about = stamp.filter((s) => !s.includes("#v=")).map(escaped).join("; ");
  const options = [
    p.unit === "x" ? "only marks" : "ybar", "width=\\linewidth", "height=5cm",
    `symbolic x coords={${p.categories.map((_, i) => category(i)).join(",")}}`, "xtick=data",
    "x tick label style={rotate=45,anchor=east}", `ylabel={${escaped(p.title)}}`,
    p.unit === "x" ? "extra y ticks={1}, extra y tick style={grid=major}" : "ymin=0",
    "legend style={at={(0.5,1.03)},anchor=south}",
  ];
  return [
    ...stamp.map((s) => `% ${s.replace(/[\r\n]+/g, " ")}`),
    "% needs \\usepackage{pgfplots} \\pgfplotsset{compat=1.18} \\usepackage{hyperref}",
    "\\begin{figure}\n\\centering\n\\begin{tikzpicture}",
    `\\begin{axis}[${options.join(", ")}]`,
    ...plots,
    "\\end{axis}\n\\end{tikzpicture}",
    `\\caption{${about}. \\href{${link.replace(/[#%&\\{}]/g, "\\$&")}}{Run it}.}`,
    "\\end{figure}\n",
  ].join("\n");
}
