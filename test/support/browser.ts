import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const APPLICATIONS = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];
// Nothing it does by itself may reach the network or the machine.
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const HOW =
  "Browser tests need Chromium or Chrome on the PATH: on Debian or Ubuntu run `apt-get install chromium`, on macOS install Google Chrome.";

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findBrowser(): string | undefined {
  const directories = (process.env["PATH"] ?? "").split(delimiter).filter((directory) => directory !== "");
  const paths = directories.flatMap((directory) => NAMES.map((name) => join(directory, name)));
  return [...paths, ...APPLICATIONS].find(isExecutable);
}

/** Only where it can't bother anybody: as root on Debian, which is what a container of a CI is. */
function installBrowser(): void {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) => spawnSync("apt-get", args, { env }).status === 0;
  if (!apt("install", "-y", "chromium") && apt("update")) apt("install", "-y", "chromium");
}

/** A browser with a profile of its own, found on this machine. @throws Error that says how to get one. */
export function launchBrowser(): Promise<Browser> {
  if (!findBrowser()) installBrowser();
  const executablePath = findBrowser();
  if (!executablePath) throw new Error(HOW);
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}
