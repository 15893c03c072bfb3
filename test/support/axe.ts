import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Json } from "./app.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const PHONE = { width: 320, height: 640 };
export const DESK = { width: 1280, height: 800 };

/** Expects that axe finds no fault with a page and that the page is not wider than the screen. */
export async function inspect(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const { violations, passes } = (await page.evaluate("axe.run()")) as Json;
  expect(passes.length).toBeGreaterThan(10);
  expect(
    violations.map(({ id, nodes }: Json) => [id, nodes.map((node: Json) => node.html)]),
    page.url(),
  ).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth"), page.url()).toBe(page.viewportSize()!.width);
}
