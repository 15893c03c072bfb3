import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../test/support/browser.ts";
import { emailScenes, scenesOf } from "./screenshot-pages.ts";
import type { Scene } from "./screenshot-steps.ts";
import { fillSandbox, LANGUAGES, localeOf, type Language, type Sandbox } from "./screenshot-shop.ts";

const USAGE = `npm run screenshots -- FOLDER [--page PREFIX]… [--language en|de|fr|es|ja]…
Writes every page as FOLDER/PAGE-LANGUAGE-WIDTH-SCHEME.png, and FOLDER/sheet-PAGE.png with all pictures of a page.`;
const WIDTHS = [375, 1280] as const;
const SCHEMES = ["light", "dark"] as const;
const HEIGHTS = { 375: 720, 1280: 800 } as const;
const ROOT = join(import.meta.dirname, "..");

/** Billow with an empty embedded database. `close` stops the process and deletes its data. */
async function startBillow(): Promise<Sandbox & { close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "billow-screenshots-"));
  const settings = {
    BILLOW_DATA_DIR: directory,
    PORT: "0",
    RATE_LIMIT: "0",
    TRUSTED_PROXIES: "127.0.0.1",
    LOG_LEVEL: "error",
  };
  const child = spawn(process.execPath, [join(ROOT, "src/main.ts"), "start", "--json"], {
    cwd: directory,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`Billow ended with ${code}`))),
  ])) as [string];
  const { url, keys } = JSON.parse(line);
  return {
    url,
    api: callerOf(`${url}/public/v2`, keys.public),
    manage: callerOf(`${url}/manage/v1`, keys.manage),
    async close() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function callerOf(base: string, key: string): Sandbox["api"] {
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const answer = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

let visitors = 0;

/** The pictures of one page, by the names of their files. Each page has a visitor with an address of their own. */
async function picture(browser: Browser, folder: string, scene: Scene, language: Language): Promise<string[]> {
  visitors += 1;
  const context = await browser.newContext({
    locale: localeOf(language),
    extraHTTPHeaders: { "X-Forwarded-For": `10.0.${visitors >> 8}.${visitors & 255}` },
    viewport: { width: 1280, height: HEIGHTS[1280] },
  });
  const page = await context.newPage();
  await scene.open(page);
  await page.waitForLoadState("load");
  const files: string[] = [];
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      const file = `${scene.name}-${language}-${width}-${colorScheme}.png`;
      await page.setViewportSize({ width, height: HEIGHTS[width] });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({ path: join(folder, file), fullPage: true, animations: "disabled" });
      files.push(file);
    }
  await context.close();
  return files;
}

const SHEET_STYLE = `body { margin: 8px; background: #888; font: 12px sans-serif; display: grid; gap: 8px;
  grid-template-columns: 250px 250px 560px 560px; align-items: start } figure { margin: 0 } img { width: 100% }`;
const SHEET_WIDTH = 250 * 2 + 560 * 2 + 8 * 5;

/** One picture of all pictures of a page: a row for each language. */
async function sheet(browser: Browser, folder: string, name: string, files: readonly string[]): Promise<void> {
  const sources = await Promise.all(
    files.map(async (file) => `data:image/png;base64,${(await readFile(join(folder, file))).toString("base64")}`),
  );
  const page = await browser.newPage({ viewport: { width: SHEET_WIDTH, height: 400 } });
  const images = sources.map((source, n) => `<figure><img src="${source}">${files[n]}</figure>`);
  await page.setContent(`<style>${SHEET_STYLE}</style>${images.join("")}`);
  await page.screenshot({ path: join(folder, `sheet-${name}.png`), fullPage: true });
  await page.close();
}

/** Takes the pictures of all scenes whose names begin with one of these prefixes. */
async function takeAll(sandbox: Sandbox, folder: string, prefixes: readonly string[], languages: Language[]) {
  const sold = await fillSandbox(sandbox);
  const browser = await launchBrowser();
  const taken = new Map<string, string[]>();
  for (const language of languages) {
    let count = 0;
    const takeSome = async (scenes: readonly Scene[]) => {
      for (const scene of scenes.filter(({ name }) => prefixes.some((prefix) => name.startsWith(prefix)))) {
        const files = await picture(browser, folder, scene, language);
        taken.set(scene.name, [...(taken.get(scene.name) ?? []), ...files]);
        count += 1;
      }
    };
    await takeSome(await scenesOf(sandbox, language, sold[language]));
    await takeSome(await emailScenes(sandbox, language));
    console.log(`${language}: ${count} pages`);
  }
  for (const [name, files] of taken) await sheet(browser, folder, name, files);
  await writeFile(join(folder, "index.html"), indexOf([...taken.keys()]));
  await browser.close();
}

const indexOf = (names: readonly string[]) =>
  ["<!doctype html><title>Pages</title>", ...names.map((name) => `<p><a href="sheet-${name}.png">${name}</a>`)].join(
    "\n",
  );

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { page: { type: "string", multiple: true }, language: { type: "string", multiple: true } },
});
const languages = LANGUAGES.filter((language) => (values.language ?? LANGUAGES).includes(language));
if (positionals.length !== 1 || languages.length === 0) {
  console.error(USAGE);
  process.exit(2);
}
const folder = resolve(positionals[0]!);
await mkdir(folder, { recursive: true });
const billow = await startBillow();
try {
  await takeAll(billow, folder, values.page ?? [""], languages);
} finally {
  await billow.close();
}
