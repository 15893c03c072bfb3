import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { readmeShots, type Desk } from "./screenshot-dashboard.ts";

const FOLDER = join(import.meta.dirname, "../docs/images");
/** The most bytes of a picture: the README loads in a moment. */
const MOST_BYTES = 120_000;
const SCHEMES = ["light", "dark"] as const;
type Scheme = (typeof SCHEMES)[number];
/** The sizes of the two pages. Both are drawn smaller, side by side and with the same height. */
const SIZES = { checkout: { width: 600, height: 1060 }, overview: { width: 1280, height: 1060 } } as const;
const DRAWN_HEIGHT = 640;
const COLORS = {
  light: { ground: "#e9ecf2", bar: "#f7f8fa", line: "#c9ced8" },
  dark: { ground: "#0b0e14", bar: "#1b2029", line: "#353c49" },
} as const;

const addressOf = (png: Buffer) => `data:image/png;base64,${png.toString("base64")}`;

/** A PNG as WebP. The browser is the encoder, so no further package is needed. */
async function webp(page: Page, png: Buffer): Promise<Buffer> {
  const text = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(addressOf(png))};
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.85);
  })()`);
  return Buffer.from(text.slice(text.indexOf(",") + 1), "base64");
}

/** Both pages in frames, as windows on one ground. */
async function framed(page: Page, scheme: Scheme, pngs: readonly Buffer[]): Promise<Buffer> {
  const { ground, bar, line } = COLORS[scheme];
  const windows = pngs.map((png) => `<figure><i></i><img src="${addressOf(png)}"></figure>`);
  const style = `body { margin: 0; background: ${ground} } main { display: inline-flex; gap: 24px; padding: 28px }
    figure { margin: 0; border: 1px solid ${line}; border-radius: 10px; overflow: hidden; background: ${bar} }
    i, img { display: block } i { height: 22px; border-bottom: 1px solid ${line} } img { height: ${DRAWN_HEIGHT}px }`;
  await page.setContent(`<style>${style}</style><main>${windows.join("")}</main>`);
  return page.locator("main").screenshot();
}

/** Writes the picture of the README in light and dark: a Checkout beside the dashboard. */
export async function takeForReadme(browser: Browser, desk: Desk): Promise<void> {
  const frame = await browser.newPage({ viewport: { width: 1800, height: 900 } });
  const shots = readmeShots(desk);
  for (const colorScheme of SCHEMES) {
    const pngs: Buffer[] = [];
    for (const name of ["checkout", "overview"] as const) {
      const page = await browser.newPage({
        viewport: SIZES[name],
        colorScheme,
        reducedMotion: "reduce",
        locale: "en-GB",
      });
      await shots[name](page);
      await page.waitForLoadState("load");
      pngs.push(await page.screenshot({ animations: "disabled" }));
      await page.close();
    }
    const picture = await webp(frame, await framed(frame, colorScheme, pngs));
    if (picture.length > MOST_BYTES) throw new Error(`${colorScheme}: ${picture.length} bytes`);
    await writeFile(join(FOLDER, `billow-${colorScheme}.webp`), picture);
  }
  await frame.close();
}
