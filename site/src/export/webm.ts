// A WebM file from encoded frames: the few elements of Matroska that players need
// (RFC 8794, RFC 9559), with the requested times, not those of a clock.

export interface Frame {
  data: Uint8Array;
  milliseconds: number;
  key: boolean;
}

export interface Film {
  width: number;
  height: number;
  milliseconds: number; // length
  program: string;
  title: string;
  description: string;
  frames: Frame[];
}

type Bytes = Uint8Array | Bytes[];

// IDs of RFC 9559, section 5.1.
const ID = {
  header: 0x1a45dfa3,
  version: 0x4286,
  readVersion: 0x42f7,
  maxIDLength: 0x42f2,
  maxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  title: 0x7ba9,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  trackUID: 0x73c5,
  trackType: 0x83,
  codecID: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  tags: 0x1254c367,
  tag: 0x7373,
  targets: 0x63c0,
  simpleTag: 0x67c8,
  tagName: 0x45a3,
  tagString: 0x4487,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const;

const NANOSECONDS_A_TICK = 1_000_000; // times are in milliseconds

export function webm(f: Film): Blob {
  const clusters: Bytes[] = [];
  let current: { start: number; blocks: Bytes[] } | undefined;
  const close = (): void => {
    if (current) clusters.push(element(ID.cluster, [unsigned(ID.timestamp, current.start), ...current.blocks]));
  };
  for (const frame of f.frames) {
    const at = Math.round(frame.milliseconds);
    // A block says its time as 16 bits after its cluster's; a cluster begins with a
    // key frame, so that players can seek there.
    if (!current || frame.key || at - current.start > 30_000) {
      close();
      current = { start: at, blocks: [] };
    }
    const after = at - current.start;
    const head = Uint8Array.of(0x81, after >> 8, after & 0xff, frame.key ? 0x80 : 0);
    current.blocks.push(element(ID.simpleBlock, [head, frame.data]));
  }
  close();
  const tag = (name: string, value: string): Bytes => element(ID.simpleTag, [string(ID.tagName, name), string(ID.tagString, value)]);
  const pieces = [
    element(ID.header, [
      unsigned(ID.version, 1),
      unsigned(ID.readVersion, 1),
      unsigned(ID.maxIDLength, 4),
      unsigned(ID.maxSizeLength, 8),
      string(ID.docType, "webm"),
      unsigned(ID.docTypeVersion, 4),
      unsigned(ID.docTypeReadVersion, 2),
    ]),
    element(ID.segment, [
      element(ID.info, [
        unsigned(ID.timestampScale, NANOSECONDS_A_TICK),
        element(ID.duration, float64(f.milliseconds)),
        string(ID.title, f.title),
        string(ID.muxingApp, f.program),
        string(ID.writingApp, f.program),
      ]),
      element(ID.tracks, [
        element(ID.track, [
          unsigned(ID.trackNumber, 1),
          unsigned(ID.trackUID, 1),
          unsigned(ID.trackType, 1),
          string(ID.codecID, "V_VP8"),
          element(ID.video, [unsigned(ID.pixelWidth, f.width), unsigned(ID.pixelHeight, f.height)]),
        ]),
      ]),
      element(ID.tags, [element(ID.tag, [element(ID.targets, []), tag("DESCRIPTION", f.description), tag("ENCODER", f.program)])]),
      ...clusters,
    ]),
  ];
  return new Blob(flat(pieces) as BlobPart[], { type: "video/webm" });
}

function element(id: number, content: Bytes): Bytes {
  const size = length(content);
  const name: number[] = [];
  for (let v = id; v > 0; v = Math.floor(v / 256)) name.unshift(v % 256);
  // Sizes are written in eight bytes, the longest form: one rule for all.
  const coded = [0x01, ...bytesOf(size, 7)];
  return [Uint8Array.from([...name, ...coded]), content];
}

function unsigned(id: number, n: number): Bytes {
  let width = 1;
  while (n >= 256 ** width) width++;
  return element(id, Uint8Array.from(bytesOf(n, width)));
}

function string(id: number, s: string): Bytes {
  return element(id, new TextEncoder().encode(s));
}

function float64(n: number): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, n);
  return out;
}

function bytesOf(n: number, width: number): number[] {
  return Array.from({ length: width }, (_, i) => Math.floor(n / 256 ** (width - 1 - i)) % 256);
}

function length(b: Bytes): number {
  return b instanceof Uint8Array ? b.length : b.reduce((n, x) => n + length(x), 0);
}

function flat(b: Bytes): Uint8Array[] {
  return b instanceof Uint8Array ? [b] : b.flatMap(flat);
}
