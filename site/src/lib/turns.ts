// What the page draws waits in one line, which all scripts of the page share. A frame draws for
// TURN_MS; what is left follows in tasks of its own, so that a click or a key never waits for all of it.

// A slow phone takes four times as long: a turn must stay below 50 ms there, with style and layout.
const TURN_MS = 4;

interface Turns {
  asked: (() => void)[]; // since the last frame
  due: (() => void)[];
}

declare global {
  var burstscopeTurns: Turns | undefined;
}

const turns: Turns = (globalThis.burstscopeTurns ??= { asked: [], due: [] });

function frame(): void {
  turns.due.push(...turns.asked.splice(0));
  turn();
}

function turn(): void {
  const until = performance.now() + TURN_MS;
  try {
    do turns.due.shift()?.();
    while (turns.due.length > 0 && performance.now() < until);
  } finally {
    if (turns.due.length > 0) setTimeout(turn);
  }
}

// soon runs f once with the next frame, however often it is asked, after all that was asked before.
export function soon(f: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    if (turns.asked.length === 0) requestAnimationFrame(frame);
    turns.asked.push(() => {
      asked = false;
      f();
    });
  };
}
