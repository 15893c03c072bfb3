import { chromium, type Browser } from "playwright-core";
import { findProgram, installPackage, isExecutable } from "./programs.ts";

// The headless shell draws the same pages for a third of the work.
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
const APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
// The browser's own background work must not reach the network or the machine.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  // This saves a tenth of the work, compared with a separate process for the graphics.
  "--in-process-gpu",
  "--renderer-process-limit=2",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A browser in British English gets the words and formats of a reader whose language is not known.
  "--accept-lang=en-GB",
];
const HOW =
  "Browser tests need Chromium or Chrome on the PATH: " +
  "on Debian run `apt-get install chromium-headless-shell`, on Ubuntu `apt-get install chromium`, " +
  "on macOS install Google Chrome.";

const findBrowser = () => findProgram(NAMES) ?? APPLICATIONS.find(isExecutable);

/** A browser with a profile of its own, found on this machine. @throws Error that says how to get one. */
export function launchBrowser(): Promise<Browser> {
  for (const name of ["chromium-headless-shell", "chromium"]) if (!findBrowser()) installPackage(name);
  const executablePath = findBrowser();
  if (!executablePath) throw new Error(HOW);
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}
