// The animation as a film. The plain picture is drawn and encoded frame by frame, each
// with the time it belongs to: the film is exact however slow the machine is. The
// moving picture can only be recorded as it is shown, in real time.

import type { Pictures } from "./figures";
import { paintOn, type Pen } from "../drawing/canvas";
import { inks } from "../drawing/inks";
import { ink } from "../lib/dom";
import { shortLines, stampLines, type Stamp } from "../links/stamp";
import type { Page } from "../state/page";
import { webm, type Frame } from "./webm";

export const FRAMES_A_SECOND = 30;
export const MOST_SECONDS = 60;
const SIZE = { width: 1280, height: 720 };
const FOOT = 64; // pixels of the stamp
const BITS_A_SECOND = 4_000_000;
const SECONDS_A_KEY = 2;
const PIECE_MS = 200; // of a film as it plays
const MOST_LATE_SECONDS = 10; // a recorder that gives nothing for so long gives nothing at all
const WAITING = 8; // frames the encoder may be behind

export interface Filming {
  page: Page;
  pictures: Pictures;
  stamp: Stamp;
  seconds: number;
  progress(share: number): void;
  cancelled(): boolean;
}

// VP8: every player of WebM has it, and it is the fastest to encode without hardware.
const ENCODING: VideoEncoderConfig = { ...SIZE, codec: "vp8", bitrate: BITS_A_SECOND, framerate: FRAMES_A_SECOND };

// canEncode tells whether film works here.
export async function canEncode(): Promise<boolean> {
  if (typeof VideoEncoder !== "function") return false;
  recordedType(); // WebKitGTK makes its media framework ready for recorders, not for encoders, and ends without it
  return VideoEncoder.isConfigSupported(ENCODING).then((answer) => answer.supported === true, () => false);
}

// recordedType is the type of file that record makes here, if it can. Safari has no WebM.
export function recordedType(): string | undefined {
  if (typeof MediaRecorder !== "function") return undefined;
  return ["video/webm", "video/mp4"].find((type) => MediaRecorder.isTypeSupported(type));
}

// film encodes the plain picture from the cursor on, at the speed of the timeline.
export async function film(f: Filming): Promise<Blob | undefined> {
  const canvas = new OffscreenCanvas(SIZE.width, SIZE.height);
  const g = canvas.getContext("2d")!;
  const frames: Frame[] = [];
  let fault: unknown;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({ data, milliseconds: chunk.timestamp / 1000, key: chunk.type === "key" });
    },
    error: (e) => (fault = e),
  });
  encoder.configure(ENCODING);
  const { cycle, speed } = f.page.settings;
  const total = Math.round(f.seconds * FRAMES_A_SECOND);
  try {
    for (let i = 0; i < total; i++) {
      if (f.cancelled()) return undefined;
      if (fault) throw fault;
      const at = Math.min(cycle + (i * speed) / FRAMES_A_SECOND, f.page.cycles);
      paint(g, f, at);
      const frame = new VideoFrame(canvas, { timestamp: Math.round((i * 1e6) / FRAMES_A_SECOND) });
      encoder.encode(frame, { keyFrame: i % (FRAMES_A_SECOND * SECONDS_A_KEY) === 0 });
      frame.close();
      f.progress(i / total);
      while (encoder.encodeQueueSize > WAITING) await pause();
      await pause();
    }
    await encoder.flush();
    if (fault) throw fault;
  } finally {
    if (encoder.state !== "closed") encoder.close();
  }
  return webm({
    ...SIZE,
    milliseconds: (total * 1000) / FRAMES_A_SECOND,
    program: f.stamp.program,
    title: f.stamp.title,
    description: stampLines(f.stamp).join("\n"),
    frames,
  });
}

function paint(g: Pen, f: Filming, cycle: number): void {
  ground(g);
  g.save();
  g.translate(16, 12);
  paintOn(g, f.pictures.strips(SIZE.width - 32, SIZE.height - FOOT - 16, cycle), inks());
  g.restore();
  foot(g, [`cycle ${Math.round(cycle).toLocaleString("en")}`, ...shortLines(f.stamp)]);
}

function ground(g: Pen): void {
  g.globalAlpha = 1;
  g.fillStyle = ink("paper");
  g.fillRect(0, 0, SIZE.width, SIZE.height);
}

function foot(g: Pen, words: string[]): void {
  g.fillStyle = ink("ink");
  g.font = "12px system-ui, sans-serif";
  g.textBaseline = "alphabetic";
  words.forEach((w, i) => g.fillText(w, 16, SIZE.height - FOOT + 14 + i * 15));
}

// record takes the moving picture as it plays. Frames come when the browser has
// them, so a slow machine gives a film with fewer of them.
export async function record(f: Filming): Promise<Blob | undefined> {
  const source = document.querySelector<HTMLIFrameElement>("#view-holder iframe")?.contentDocument?.querySelector("canvas");
  const type = recordedType();
  if (!source || !type) throw new Error("the moving picture is not shown");
  const video = document.createElement("video");
  video.muted = true;
  video.srcObject = source.captureStream(FRAMES_A_SECOND);
  await video.play();
  const canvas = document.createElement("canvas");
  canvas.width = SIZE.width;
  canvas.height = SIZE.height;
  const g = canvas.getContext("2d")!;
  const stream = canvas.captureStream(FRAMES_A_SECOND);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS_A_SECOND });
  const pieces: Blob[] = [];
  let fault: unknown;
  recorder.ondataavailable = (e) => e.data.size > 0 && pieces.push(e.data);
  recorder.onerror = (e) => (fault = (e as ErrorEvent).error ?? new Error("the browser's recorder failed"));
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start(PIECE_MS);
  const start = performance.now();
  try {
    // A recorder that is stopped before its first frame gives an empty file, so a film lasts until there is one.
    for (let s = 0; (s < f.seconds || pieces.length === 0) && !f.cancelled(); s = (performance.now() - start) / 1000) {
      if (fault) throw fault;
      if (s > f.seconds + MOST_LATE_SECONDS) throw new Error("the browser's recorder gave no frames");
      f.progress(Math.min(1, s / f.seconds));
      ground(g);
      const room = { width: SIZE.width, height: SIZE.height - FOOT };
      const scale = Math.min(room.width / (video.videoWidth || 1), room.height / (video.videoHeight || 1));
      const [w, h] = [video.videoWidth * scale, video.videoHeight * scale];
      g.drawImage(video, (room.width - w) / 2, 0, w, h);
      foot(g, [`cycle ${Math.round(f.page.settings.cycle).toLocaleString("en")}`, ...shortLines(f.stamp)]);
      await new Promise(requestAnimationFrame);
    }
  } finally {
    if (recorder.state !== "inactive") recorder.stop();
    await stopped;
    for (const track of [...stream.getTracks(), ...(video.srcObject as MediaStream).getTracks()]) track.stop();
  }
  return f.cancelled() ? undefined : new Blob(pieces, { type });
}

// pause lets the page answer between frames.
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(0);
  });
}
