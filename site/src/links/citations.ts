// The papers whose systems are simulated, as BibTeX. Each field is as the paper or its
// repository states it; other fields are left out.

import { memoryOf, type Full } from "../protocol/scenario";
import { SIDES } from "../protocol/protocol";

export const PAPERS = {
  SLC: `@inproceedings{lal2019slc,
  author = {Lal, Sohan and Lucas, Jan and Juurlink, Ben},
  title = {{SLC}: Memory Access Granularity Aware Selective Lossy Compression for {GPUs}},
  booktitle = {2019 Design, Automation \\& Test in Europe Conference \\& Exhibition (DATE)},
  address = {Florence, Italy},
  publisher = {IEEE},
  year = {2019},
  pages = {1184--1189},
  doi = {10.23919/DATE.2019.8714810},
  note = {Preprint: https://doi.org/10.14279/depositonce-8185}
}`,
  E2MC: `@inproceedings{lal2017e2mc,
  author = {Lal, Sohan and Lucas, Jan and Juurlink, Ben},
  title = {{E$^2$MC}: Entropy Encoding Based Memory Compression for {GPUs}},
  booktitle = {2017 IEEE International Parallel and Distributed Processing Symposium (IPDPS)},
  publisher = {IEEE},
  year = {2017},
  doi = {10.1109/ipdps.2017.101}
}`,
  "LATTE-CC": `@inproceedings{arunkumar2018latte,
  author = {Arunkumar, Akhil and Lee, Shin-Ying and Soundararajan, Vignesh and Wu, Carole-Jean},
  title = {{LATTE-CC}: Latency Tolerance Aware Adaptive Cache Compression Management for Energy Efficient {GPUs}},
  booktitle = {HPCA},
  year = {2018},
  pages = {221--234},
  doi = {10.1109/HPCA.2018.00028}
}`,
  Buddy: `@inproceedings{choukse2020buddy,
  author = {Choukse, Esha and Sullivan, Michael B. and O'Connor, Mike and Erez, Mattan and Pool, Jeff and Nellans, David and Keckler, Stephen W.},
  title = {Buddy Compression: Enabling Larger Memory for Deep Learning and {HPC} Workloads on {GPUs}},
  booktitle = {ISCA},
  year = {2020},
  note = {Preprint: https://doi.org/10.48550/arXiv.1903.02596}
}`,
  RFVP: `@article{yazdanbakhsh2016rfvp,
  author = {Yazdanbakhsh, Amir and Pekhimenko, Gennady and Thwaites, Bradley and Esmaeilzadeh, Hadi and Mutlu, Onur and Mowry, Todd C.},
  title = {{RFVP}: Rollback-Free Value Prediction with Safe-to-Approximate Loads},
  journal = {ACM Trans. Archit. Code Optim.},
  volume = {12},
  number = {4},
  articleno = {62},
  numpages = {26},
  month = {January},
  year = {2016},
  doi = {10.1145/2836168}
}`,
} as const;

export type Paper = keyof typeof PAPERS;

// papersOf are the papers whose schemes a run uses, on either side.
export function papersOf(s: Full): Paper[] {
  const memories = SIDES.map((side) => memoryOf(s, side));
  const found: Paper[] = [];
  if (memories.some((m) => m.approximation !== "none")) found.push("SLC");
  if (memories.some((m) => m.codec.startsWith("e2mc"))) found.push("E2MC");
  return found;
}
