// Links of other versions. A link that was shared names the version it was made
// with, since numbers are those of a version. The site keeps old versions below
// v/; if it has the wanted version, the page goes there.

import { assets, inOneFile } from "../lib/assets";
import type { Read } from "./fragment";
import type { Messages } from "../state/messages";

interface Versions {
  versions?: unknown;
}

// shared is a fragment with the version, for links that leave the page. The address
// bar has none, so that the page of tomorrow can open what was left today.
export function shared(fragment: string): string {
  return `${fragment}&version=${assets.version}`;
}

// followVersion goes to the version that a link names, or says that it cannot.
export async function followVersion(link: Read, messages: Messages): Promise<void> {
  messages.clear("version");
  const wanted = link.version;
  if (wanted === undefined || wanted === assets.version) return;
  if ((await held()).includes(wanted)) {
    const document = /[^/]*\.html$/.exec(location.pathname)?.[0] ?? "";
    location.replace(new URL(`${assets.home}v/${wanted}/${document}${location.hash}`, location.href));
    return;
  }
  messages.show(
    "version",
    {
      what: `This link was made with version ${wanted}, which ${inOneFile ? "this file" : "this site"} does not have.`,
      where: `This page is version ${assets.version}.`,
      mend: "Numbers may differ.",
    },
    undefined,
    true,
  );
}

// held are the versions the site has. A site that cannot say has none.
async function held(): Promise<string[]> {
  if (inOneFile) return [];
  try {
    const answer = await fetch(new URL(`${assets.home}versions.json`, location.href), { cache: "no-cache" });
    const { versions } = (await answer.json()) as Versions;
    return Array.isArray(versions) ? versions.filter((v) => typeof v === "string") : [];
  } catch {
    return [];
  }
}
