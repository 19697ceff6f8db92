// Drives Firefox for the tests: starts it, and answers each line of standard input, which is a command as
// JSON, with a line of standard output. Firefox ends when standard input does.
//
//   node firefox.mjs PROGRAM
//   {"url": "..."}         opens a page and waits for its load event
//   {"expression": "..."}  evaluates a script, or waits for the promise that it is
//   {"picture": "FILE"}    writes a PNG of the window

import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";

const answer = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: process.argv[2],
  headless: false, // Firefox has no WebGL without a display
  defaultViewport: null,
  protocolTimeout: 0, // the test has its own patience
  extraPrefsFirefox: { "media.autoplay.default": 0 },
  args: ["--width=1400", "--height=1000"],
});
answer({ process: browser.process().pid });
const [page] = await browser.pages();

for await (const line of createInterface({ input: process.stdin })) {
  const { url, expression, picture } = JSON.parse(line);
  try {
    if (url !== undefined) await page.goto(url, { timeout: 0 });
    else if (picture !== undefined) await page.screenshot({ path: picture });
    answer({ value: expression === undefined ? null : ((await page.evaluate(expression)) ?? null) });
  } catch (e) {
    answer({ error: String(e?.message ?? e) });
  }
}
await browser.close();
