import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { readmeShots, type Desk } from "./screenshot-dashboard.ts";

const FOLDER = join(import.meta.dirname, "../docs/images");
/** The most bytes of a picture: the README loads in a moment. */
const MOST_BYTES = 100_000;
const SIZE = { width: 1280, height: 800 };

/** A PNG as WebP. The browser is the encoder, so no further package is needed. */
async function webp(page: Page, png: Buffer): Promise<Buffer> {
  const source = JSON.stringify(`data:image/png;base64,${png.toString("base64")}`);
  const text = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = ${source};
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.8);
  })()`);
  return Buffer.from(text.slice(text.indexOf(",") + 1), "base64");
}

/** Writes the pictures of the README, each in light and dark. */
export async function takeForReadme(browser: Browser, desk: Desk): Promise<void> {
  const encoder = await browser.newPage();
  for (const { name, open } of readmeShots(desk))
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme, reducedMotion: "reduce", locale: "en-GB" });
      await open(page);
      await page.waitForLoadState("load");
      const picture = await webp(encoder, await page.screenshot({ animations: "disabled" }));
      if (picture.length > MOST_BYTES) throw new Error(`${name}: ${picture.length} bytes`);
      await writeFile(join(FOLDER, `${name}-${colorScheme}.webp`), picture);
      await page.close();
    }
  await encoder.close();
}
