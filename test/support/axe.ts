import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const PHONE = { width: 320, height: 640 };
export const DESK = { width: 1280, height: 800 };

type Found = { passes: number; violations: [rule: string, html: string[]][] };

/**
 * Runs axe in the page. Only faults are described, because the whole result takes longer to make and to send than the
 * rules take to run.
 */
function run(page: Page, options: object = {}): Promise<Found> {
  const wanted = JSON.stringify({ resultTypes: ["violations"], selectors: false, ...options });
  return page.evaluate(`axe.run(${wanted}).then(({ passes, violations }) => ({
    passes: passes.length,
    violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
  }))`);
}

/** Loads axe into the page, unless the page has axe since an inspection before. Each load takes 0.11 CPU seconds. */
async function load(page: Page): Promise<void> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(AXE);
}

/** Expects that axe finds no fault with a page in its present scheme, and that the page fits the screen's width. */
export async function inspectAsShown(page: Page): Promise<void> {
  await load(page);
  const { passes, violations } = await run(page);
  expect(passes).toBeGreaterThan(10);
  expect(violations, page.url()).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth"), page.url()).toBe(page.viewportSize()!.width);
}

/** Expects that every text of a page on which axe is loaded can be read in a scheme. */
async function expectReadable(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const { passes, violations } = await run(page, { runOnly: ["color-contrast"] });
  expect(passes).toBe(1);
  expect(violations, page.url()).toEqual([]);
}

/** As `inspectAsShown` in the light scheme. In the dark scheme, the colours have to be readable too. */
export async function inspect(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await inspectAsShown(page);
  await expectReadable(page, "dark");
  await page.emulateMedia({ colorScheme: "light" });
}

/** Expects readable colours in both schemes. For a page that `inspect` has seen with other colours. */
export async function inspectColors(page: Page): Promise<void> {
  await load(page);
  await expectReadable(page, "light");
  await expectReadable(page, "dark");
}
