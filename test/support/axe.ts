import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Json } from "./app.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const PHONE = { width: 320, height: 640 };
export const DESK = { width: 1280, height: 800 };

/** Expects no fault in the result of axe. */
function expectNoFault(page: Page, { violations }: Json): void {
  const found = violations.map(({ id, nodes }: Json) => [id, nodes.map((node: Json) => node.html)]);
  expect(found, page.url()).toEqual([]);
}

/** Expects that axe finds no fault with a page in its present scheme, and that the page is not wider than the screen. */
export async function inspectAsShown(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const result = (await page.evaluate("axe.run()")) as Json;
  expect(result.passes.length).toBeGreaterThan(10);
  expectNoFault(page, result);
  expect(await page.evaluate("document.documentElement.scrollWidth"), page.url()).toBe(page.viewportSize()!.width);
}

/** As `inspectAsShown` in the light scheme. In the dark scheme, the colours have to be readable too. */
export async function inspect(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await inspectAsShown(page);
  await page.emulateMedia({ colorScheme: "dark" });
  expectNoFault(page, (await page.evaluate("axe.run({ runOnly: ['color-contrast'] })")) as Json);
  await page.emulateMedia({ colorScheme: "light" });
}
