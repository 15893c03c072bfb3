import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/support/browser.ts";
import { emptyScenes, scenesOf } from "./screenshot-pages.ts";
import { PICTURES, placeOf } from "./screenshot-routes.ts";
import type { Scene } from "./screenshot-steps.ts";
import { fillSandbox, LANGUAGES, localeOf, type Language, type Sandbox } from "./screenshot-shop.ts";

const USAGE = `npm run screenshots -- FOLDER [--page PREFIX]… [--language en|de|fr|es|ja]… [--width 375|1280]…
  [--scheme light|dark]…
Writes every page as FOLDER/PAGE-LANGUAGE-WIDTH-SCHEME.png, and its languages side by side as
FOLDER/sheet-PAGE-WIDTH-SCHEME.png.`;
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

type Width = (typeof WIDTHS)[number];
/** The wanted pictures. `prefixes`: the beginnings of the names of the pages. */
type Wanted = {
  prefixes: readonly string[];
  languages: readonly Language[];
  widths: readonly Width[];
  schemes: readonly (typeof SCHEMES)[number][];
};
type Picture = { file: string; page: string; language: Language; sheet: string; width: Width };

/** Fails if a picture that stands for a route is not taken there, so that the table of routes stays true. */
function watch(page: Page, { name }: Scene): () => void {
  const place = placeOf(name);
  const paths: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) paths.push(new URL(request.url()).pathname);
  });
  return () => {
    if (place && !paths.some((path) => place.test(path)))
      throw new Error(`the picture "${name}" is not taken at the address of screenshot-routes.ts`);
  };
}

let visitors = 0;

/** The pictures of one page. Each page has a visitor with an address of their own. */
async function picture(
  browser: Browser,
  folder: string,
  scene: Scene,
  language: Language,
  { widths, schemes }: Wanted,
): Promise<Picture[]> {
  visitors += 1;
  const context = await browser.newContext({
    locale: localeOf(language),
    extraHTTPHeaders: { "X-Forwarded-For": `10.0.${visitors >> 8}.${visitors & 255}` },
    viewport: { width: 1280, height: HEIGHTS[1280] },
  });
  const page = await context.newPage();
  const check = watch(page, scene);
  try {
    await scene.open(page);
  } catch (error) {
    throw new Error(`the page "${scene.name}" in ${language} does not open: ${page.url()}`, { cause: error });
  }
  await page.waitForLoadState("load");
  check();
  const pictures: Picture[] = [];
  for (const width of widths)
    for (const colorScheme of schemes) {
      const file = `${scene.name}-${language}-${width}-${colorScheme}.png`;
      await page.setViewportSize({ width, height: HEIGHTS[width] });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await capture(page, join(folder, file));
      pictures.push({ file, page: scene.name, language, sheet: `${scene.name}-${width}-${colorScheme}`, width });
    }
  await context.close();
  return pictures;
}

/** Takes a picture. On a busy machine, Chromium at times answers "Unable to capture screenshot": the next try works. */
async function capture(page: Page, path: string): Promise<void> {
  const take = () => page.screenshot({ path, fullPage: true, animations: "disabled" });
  await take().catch(take);
}

/** The columns of a sheet, and the width of each in pixels. On a sheet, all letters can be read. */
const COLUMNS = { 375: [5, 375], 1280: [2, 960] } as const;

/** One picture of a page in all languages. */
async function sheet(browser: Browser, folder: string, name: string, pictures: readonly Picture[]): Promise<void> {
  const [columns, width] = COLUMNS[pictures[0]!.width];
  const count = Math.min(columns, pictures.length);
  const images = await Promise.all(
    pictures.map(
      async ({ file }) => `data:image/png;base64,${(await readFile(join(folder, file))).toString("base64")}`,
    ),
  );
  const page = await browser.newPage({ viewport: { width: count * (width + 8) + 8, height: 400 } });
  const figures = images.map((source, n) => `<figure><img src="${source}">${pictures[n]!.language}</figure>`);
  const style = `body { margin: 8px; background: #888; font: 12px sans-serif; display: grid; gap: 8px;
    grid-template-columns: repeat(${count}, ${width}px); align-items: start } figure { margin: 0 } img { width: 100% }`;
  await page.setContent(`<style>${style}</style>${figures.join("")}`);
  await capture(page, join(folder, `sheet-${name}.png`));
  await page.close();
}

/** Takes the pictures of all scenes whose names begin with one of the prefixes. */
async function takeAll(sandbox: Sandbox, folder: string, wanted: Wanted): Promise<void> {
  const browser = await launchBrowser();
  const taken: Picture[] = [];
  const takeSome = async (scenes: readonly Scene[], language: Language) => {
    for (const scene of scenes.filter(({ name }) => wanted.prefixes.some((prefix) => name.startsWith(prefix))))
      taken.push(...(await picture(browser, folder, scene, language, wanted)));
  };
  if (wanted.languages.includes("en")) await takeSome(emptyScenes(sandbox), "en");
  const sold = await fillSandbox(sandbox);
  for (const language of wanted.languages) {
    await takeSome(await scenesOf(sandbox, language, sold[language]), language);
    console.log(
      `${language}: ${new Set(taken.filter((each) => each.language === language).map(({ page }) => page)).size} pages`,
    );
  }
  const sheets = Map.groupBy(taken, (each) => each.sheet);
  for (const [name, pictures] of sheets) await sheet(browser, folder, name, pictures);
  await writeFile(join(folder, "index.html"), indexOf([...sheets.keys()]));
  await browser.close();
  const isWhole = wanted.prefixes.includes("") && wanted.languages.includes("en");
  const missed = Object.values(PICTURES).filter((name) => !taken.some(({ page }) => page === name));
  if (isWhole && missed.length > 0) throw new Error(`no picture of ${missed.join(", ")}`);
}

const indexOf = (names: readonly string[]) =>
  ["<!doctype html><title>Pages</title>", ...names.map((name) => `<p><a href="sheet-${name}.png">${name}</a>`)].join(
    "\n",
  );

const several = { type: "string", multiple: true } as const;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { page: several, language: several, width: several, scheme: several },
});
/** All of `known`, or those that are named. */
const chosen = <T>(known: readonly T[], names: readonly string[] | undefined) =>
  known.filter((each) => names?.includes(String(each)) ?? true);
const wanted: Wanted = {
  prefixes: values.page ?? [""],
  languages: chosen(LANGUAGES, values.language),
  widths: chosen(WIDTHS, values.width),
  schemes: chosen(SCHEMES, values.scheme),
};
if (positionals.length !== 1 || [wanted.languages, wanted.widths, wanted.schemes].some(({ length }) => length === 0)) {
  console.error(USAGE);
  process.exit(2);
}
const folder = resolve(positionals[0]!);
await mkdir(folder, { recursive: true });
const billow = await startBillow();
try {
  await takeAll(billow, folder, wanted);
} finally {
  await billow.close();
}
