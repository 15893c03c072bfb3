import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/support/browser.ts";
import { emptyShots, shotsOf } from "./screenshot-pages.ts";
import type { Installation } from "./screenshot-company.ts";
import { dashboardShots, openDesk, setUpShot } from "./screenshot-dashboard.ts";
import { takeForReadme } from "./screenshot-readme.ts";
import { lendFonts, startBillow } from "./screenshot-server.ts";
import { patternOf, PICTURES } from "./screenshot-routes.ts";
import type { Shot } from "./screenshot-steps.ts";
import { fillSandbox, LANGUAGES, localeOf, type Language } from "./screenshot-shop.ts";

const USAGE = `npm run screenshots -- FOLDER [--page PREFIX]… [--language en|de|fr|es|ja]…
  [--width 360|375|1280|1600]… [--scheme light|dark]…
Writes every page as FOLDER/PAGE-LANGUAGE-WIDTH-SCHEME.png, and its languages side by side as
FOLDER/sheet-PAGE-WIDTH-SCHEME.png. The pages of the dashboard are in English. 360 and 1600 are taken on request.
npm run screenshots -- --readme
Writes the pictures of the README.`;
const WIDTHS = [375, 1280] as const;
const ALL_WIDTHS = [360, ...WIDTHS, 1600] as const;
const SCHEMES = ["light", "dark"] as const;
const HEIGHTS = { 360: 720, 375: 720, 1280: 800, 1600: 900 } as const;

type Width = (typeof ALL_WIDTHS)[number];
/** The wanted pictures. `prefixes`: the beginnings of the names of the pages. */
type Wanted = {
  prefixes: readonly string[];
  languages: readonly Language[];
  widths: readonly Width[];
  schemes: readonly (typeof SCHEMES)[number][];
};
type Picture = { file: string; page: string; language: Language; sheet: string; width: Width };

/** Fails if a picture that stands for a route is not taken there, so that the table of routes stays true. */
function watch(page: Page, { name }: Shot): () => void {
  const pattern = patternOf(name);
  const paths: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) paths.push(new URL(request.url()).pathname);
  });
  return () => {
    if (pattern && !paths.some((path) => pattern.test(path)))
      throw new Error(`the picture "${name}" is not taken at the address of screenshot-routes.ts`);
  };
}

let visitors = 0;

/** The pictures of one page. Each page has a visitor with an address of their own. */
async function picture(
  browser: Browser,
  folder: string,
  shot: Shot,
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
  const check = watch(page, shot);
  try {
    await shot.open(page);
  } catch (error) {
    throw new Error(`the page "${shot.name}" in ${language} does not open: ${page.url()}`, { cause: error });
  }
  await page.waitForLoadState("load");
  check();
  const pictures: Picture[] = [];
  for (const width of widths)
    for (const colorScheme of schemes) {
      const file = `${shot.name}-${language}-${width}-${colorScheme}.png`;
      await page.setViewportSize({ width, height: HEIGHTS[width] });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await capture(page, join(folder, file));
      pictures.push({ file, page: shot.name, language, sheet: `${shot.name}-${width}-${colorScheme}`, width });
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
const COLUMNS = { 360: [5, 360], 375: [5, 375], 1280: [2, 960], 1600: [1, 1600] } as const;

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

const isOfDashboard = (prefix: string) => prefix.startsWith("dashboard") || "dashboard".startsWith(prefix);

/** Takes the pictures of all shots whose names begin with one of the prefixes. */
async function takeAll(billow: Installation, folder: string, wanted: Wanted): Promise<void> {
  const browser = await launchBrowser();
  const taken: Picture[] = [];
  const failures: string[] = [];
  const takeSome = async (shots: readonly Shot[], language: Language) => {
    for (const shot of shots.filter(({ name }) => wanted.prefixes.some((prefix) => name.startsWith(prefix))))
      await picture(browser, folder, shot, language, wanted).then(
        (pictures) => void taken.push(...pictures),
        (error: Error) => void failures.push(`${error.message}: ${(error.cause as Error | undefined)?.message}`),
      );
  };
  if (wanted.languages.includes("en") && wanted.prefixes.some(isOfDashboard)) {
    await takeSome([setUpShot(billow)], "en");
    const desk = await openDesk(browser, billow);
    await takeSome(dashboardShots(desk), "en");
    desk.close();
  }
  if (!wanted.prefixes.every((prefix) => prefix !== "" && isOfDashboard(prefix))) {
    if (wanted.languages.includes("en")) await takeSome(emptyShots(billow), "en");
    const sold = await fillSandbox(billow);
    for (const language of wanted.languages) await takeSome(await shotsOf(billow, language, sold[language]), language);
  }
  const sheets = Map.groupBy(taken, (each) => each.sheet);
  for (const [name, pictures] of sheets) if (pictures.length > 1) await sheet(browser, folder, name, pictures);
  await writeFile(join(folder, "index.html"), indexOf(sheets));
  await browser.close();
  console.log(`${taken.length} pictures`);
  if (failures.length > 0) throw new Error(failures.join("\n"));
  const isWhole = wanted.prefixes.includes("") && wanted.languages.includes("en");
  const missed = Object.values(PICTURES).filter((name) => !taken.some(({ page }) => page === name));
  if (isWhole && missed.length > 0) throw new Error(`no picture of ${missed.join(", ")}`);
}

/** A page with a link to each sheet; a page in one language has no sheet. */
const indexOf = (sheets: ReadonlyMap<string, readonly Picture[]>) =>
  [
    "<!doctype html><title>Pages</title>",
    ...[...sheets].map(([name, [only, ...others]]) => {
      const file = others.length > 0 ? `sheet-${name}.png` : only!.file;
      return `<p><a href="${file}">${name}</a>`;
    }),
  ].join("\n");

const several = { type: "string", multiple: true } as const;
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { page: several, language: several, width: several, scheme: several, readme: { type: "boolean" } },
});
/** All of `known`, or those that are named. */
const chosen = <T>(known: readonly T[], names: readonly string[] | undefined) =>
  known.filter((each) => names?.includes(String(each)) ?? true);
const wanted: Wanted = {
  prefixes: values.page ?? [""],
  languages: chosen(LANGUAGES, values.language),
  widths: values.width ? chosen(ALL_WIDTHS, values.width) : WIDTHS,
  schemes: chosen(SCHEMES, values.scheme),
};
const isForReadme = values.readme === true;
if (
  positionals.length !== (isForReadme ? 0 : 1) ||
  [wanted.languages, wanted.widths, wanted.schemes].some(({ length }) => length === 0)
) {
  console.error(USAGE);
  process.exit(2);
}
/** Takes the pictures of the README of a new company. */
async function takeReadme(billow: Installation): Promise<void> {
  const browser = await launchBrowser();
  const desk = await openDesk(browser, billow);
  await takeForReadme(browser, desk);
  desk.close();
  await browser.close();
}

const returnFonts = await lendFonts();
const billow = await startBillow();
try {
  if (isForReadme) await takeReadme(billow);
  else {
    const folder = resolve(positionals[0]!);
    await mkdir(folder, { recursive: true });
    await takeAll(billow, folder, wanted);
  }
} finally {
  await billow.close();
  await returnFonts();
}
