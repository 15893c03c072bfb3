import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGallery } from "../../scripts/gallery.ts";
import { setUp } from "../../src/actions/team/set-up.ts";
import { DESK } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { OWNER } from "../support/dashboard.ts";
import { signInWith } from "../support/signed-in.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let gallery: Awaited<ReturnType<typeof startGallery>>;
let customerId: string;
beforeAll(async () => {
  const started = Promise.all([startStory({ clock: "2026-03-01T09:00:00Z" }), launchBrowser(), startGallery(0)]);
  [story, browser, gallery] = await started;
  await story.plan("pro", 3000, { name: "Pro" });
  ({ customerId } = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays));
  await story.travel("2026-05-02");
  await setUp(story.app.ctx, OWNER);
});
afterAll(async () => {
  await browser.close();
  await gallery.close();
  await story.close();
});

/** Adds up the shifts of a page from its first paint on. A script that runs before the page can't miss one. */
const OBSERVER = `window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value }) => value)))
  .observe({ type: "layout-shift", buffered: true });`;

/** The shifts until two frames after the page and its scripts are loaded. */
const shiftsOf = (page: Page): Promise<number[]> =>
  page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() =>
    done(window.shifts)))))`);

test.each([
  ["a phone with a slow processor", { width: 375, height: 740 }, 6],
  ["a desk", DESK, 1],
])("on %s, no part of a page moves once it is shown", async (_, viewport, slower) => {
  const context = await browser.newContext({ viewport });
  await context.addInitScript(OBSERVER);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slower });
  const home = `${story.app.url}/dashboard/${story.app.organization.id}`;
  await page.goto(home);
  await signInWith(page, OWNER.email);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const below = [
    "",
    "/customers",
    `/customers/${customerId}`,
    "/invoices",
    "/products",
    "/developers/keys",
    "/developers/events",
    "/settings",
    "/settings/branding",
    "/sandbox",
    "/team",
    "/audit-log",
  ];
  for (const url of [...below.map((path) => home + path), gallery.url]) {
    const answer = await page.goto(url);
    expect(answer!.status(), url).toBe(200);
    expect(await shiftsOf(page), url).toEqual([]);
  }
  // The observer sees a shift that does happen.
  await page.evaluate("document.body.prepend(Object.assign(document.createElement('p'), { style: 'height: 90px' }))");
  expect(await shiftsOf(page)).not.toEqual([]);
  await context.close();
});
