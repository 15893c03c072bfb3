import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dashboardShots, openDesk } from "../../scripts/screenshot-dashboard.ts";
import { startBillow } from "../../scripts/screenshot-server.ts";
import type { Shot } from "../../scripts/screenshot-steps.ts";
import { inspect } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";

type Desk = Awaited<ReturnType<typeof openDesk>>;

let billow: Awaited<ReturnType<typeof startBillow>>;
let browser: Browser;
let desk: Desk;
beforeAll(async () => {
  [billow, browser] = await Promise.all([startBillow(), launchBrowser()]);
  desk = await openDesk(browser, billow);
}, 540_000);
afterAll(async () => {
  desk.close();
  await browser.close();
  await billow.close();
});

const NARROW = { width: 360, height: 720 };
const WIDE = { width: 1600, height: 900 };

/**
 * The links and secrets that a page shows in full, each with the text that the button beside it copies. A link is an
 * address of this server as the text of an element. A link that leads elsewhere, such as the name of a webhook endpoint
 * in a list, is none.
 */
const SHOWN = `[...document.querySelectorAll("main a, main code")]
  .filter((each) => !each.closest("pre"))
  .filter((each) => each.matches(".factor-key") || /^https?:..(localhost|127[.])[^ ]*$/.test(each.textContent.trim()))
  .filter((each) => !each.href || each.pathname === new URL(each.textContent.trim()).pathname)
  .map((each) => ({
    text: each.textContent.replaceAll(/\\s/g, ""),
    copied: each.parentElement.querySelector("[data-copy]")?.dataset.copy.replaceAll(" ", ""),
  }))`;

let links = 0;
async function requireCopies(page: Page, name: string): Promise<void> {
  const shown = await page.evaluate<{ text: string; copied?: string }[]>(SHOWN);
  links += shown.length;
  expect(
    shown.filter(({ text, copied }) => copied !== text),
    name,
  ).toEqual([]);
}

/** Opens a page, and looks for commands of the shell, for barriers, and for parts that are wider than the screen. */
async function look(shot: Shot): Promise<void> {
  const context = await browser.newContext({ viewport: NARROW });
  const page = await context.newPage();
  let policy = "";
  page.on("response", (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
      policy = response.headers()["content-security-policy"] ?? "";
  });
  await shot.open(page);
  // A picture for a frame runs no script, so nothing can be asked of the page. Other tests look at the framed pages.
  if (!/\bsandbox\b/.test(policy)) {
    expect(await page.locator("body").textContent(), shot.name).not.toMatch(/bin\/billow|\bnpm /);
    await requireCopies(page, shot.name);
    await inspect(page);
    for (const size of [NARROW, WIDE]) {
      await page.setViewportSize(size);
      expect(await page.evaluate("document.documentElement.scrollWidth"), shot.name).toBe(size.width);
    }
  }
  await context.close();
}

test("every page fits 360 and 1600 pixels, also empty, with long names or faults, and has no barrier", async () => {
  const shots = dashboardShots(desk);
  expect(shots.length).toBeGreaterThan(100);
  const waiting = shots.values();
  // One page at a time leaves a processor without work.
  const lookOn = async () => {
    for (const shot of waiting) await look(shot);
  };
  await Promise.all([lookOn(), lookOn()]);
  expect(links).toBeGreaterThan(5);
}, 900_000);
