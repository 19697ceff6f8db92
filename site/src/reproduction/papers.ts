// The papers of the ledger, with the address of each, and the units of their numbers.

import { h } from "../lib/dom";

interface Paper {
  name: string; // in the table of claims
  words: string;
  doi: string;
}

// Buddy Compression's DOI is that of its preprint.
const PAPERS: readonly Paper[] = [
  { name: "SLC", words: "S. Lal, J. Lucas, B. Juurlink. SLC: Memory Access Granularity Aware Selective Lossy Compression for GPUs. Design, Automation & Test in Europe Conference & Exhibition (DATE), Florence, 2019, pp. 1184–1189.", doi: "10.23919/DATE.2019.8714810" },
  { name: "E2MC", words: "S. Lal, J. Lucas, B. Juurlink. E²MC: Entropy Encoding Based Memory Compression for GPUs. IEEE International Parallel and Distributed Processing Symposium (IPDPS), 2017.", doi: "10.1109/IPDPS.2017.101" },
  { name: "LATTE", words: "A. Arunkumar, S.-Y. Lee, V. Soundararajan, C.-J. Wu. LATTE-CC: Latency Tolerance Aware Adaptive Cache Compression Management for Energy Efficient GPUs. IEEE International Symposium on High Performance Computer Architecture (HPCA), 2018, pp. 221–234.", doi: "10.1109/HPCA.2018.00028" },
  { name: "BUDDY", words: "E. Choukse, M. B. Sullivan, M. O'Connor, M. Erez, J. Pool, D. Nellans, S. W. Keckler. Buddy Compression: Enabling Larger Memory for Deep Learning and HPC Workloads on GPUs. International Symposium on Computer Architecture (ISCA), 2020. Preprint:", doi: "10.48550/arXiv.1903.02596" },
  { name: "RFVP", words: "A. Yazdanbakhsh, G. Pekhimenko, B. Thwaites, H. Esmaeilzadeh, O. Mutlu, T. C. Mowry. RFVP: Rollback-Free Value Prediction with Safe-to-Approximate Loads. ACM Transactions on Architecture and Code Optimization 12(4), article 62, January 2016.", doi: "10.1145/2836168" },
];

// citation names a paper, with its address.
export function citation(name: string): HTMLElement | undefined {
  const p = PAPERS.find((x) => x.name === name);
  const at = { href: `https://doi.org/${p?.doi}`, rel: "noopener", target: "_blank" };
  return p && h("p", { class: "cited" }, `${p.words} `, h("a", at, `doi:${p.doi}`));
}

// UNITS writes units of the table of claims as units; a remark in brackets goes with "more".
const UNITS: Record<string, string> = {
  x: "×", bit: "bits", cycle: "cycles", mm2: "mm²", "CR points x100": "hundredths of the ratio", code: "codes", r: "correlation",
  sector: "sectors", "x crossing": "×", fraction: "of 1", "% vs 2.2%": "%",
};

export function unitOf(unit: string): { shown: string; more: string } {
  const plain = unit.replace(/\s*\(.*\)\s*/, "").trim();
  const shown = UNITS[plain] ?? plain;
  return { shown, more: shown === unit ? "" : unit };
}
