// The Chromium of this machine: the one that CHROMIUM names, else where distributions put it. Undefined when there is none.
import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium-headless-shell', // the same engine without windows: a third less of the processor's time
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export function findBrowser() {
  return [process.env.CHROMIUM, ...PLACES].find((place) => place && existsSync(place));
}
