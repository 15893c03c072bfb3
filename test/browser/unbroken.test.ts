import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { launchBrowser } from "../support/browser.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let portal: string;
beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-11-22T09:00:00Z" }), launchBrowser()]);
  portal = (await story.ok(story.app.manage("GET", "/organization"))).portalUrl;
  await story.plan("pro", 3000, { name: "Pro", trialDays: 14 });
  await story.plan("team", 6000, { name: "Team", group: "team" });
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

const WIDTHS = Array.from({ length: 12 }, (_, n) => 320 + 8 * n);

/** Each long date from November to March as a text of the page, and those that stand on two lines of the page. */
const DATES = `(locale) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const first = locale === "fr" ? "1er " : "1 ";
  const written = (day) => format.format(Date.UTC(2026, 10, day)).replace(/^1 (?=\\p{L})/u, first);
  const joined = (date) => date.replaceAll(/(?<=\\d)(?=[年月日])|(?<=[年月日])(?=\\d)/g, "\u2060");
  const dates = Array.from({ length: 150 }, (_, day) => joined(written(day + 1)));
  const found = new Set();
  const broken = new Set();
  for (const block of document.querySelectorAll("main :is(p, h1, h2, h3, li, dd, dt, td, th, a, button, label)")) {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    const raw = nodes.map((node) => node.data).join("");
    const text = raw.replaceAll("\u00a0", " ");
    const positionOf = (index) => {
      let rest = index;
      for (const node of nodes) {
        if (rest < node.length) return [node, rest];
        rest -= node.length;
      }
    };
    for (const date of dates) {
      const at = text.indexOf(date);
      if (at === -1 || !block.checkVisibility()) continue;
      found.add(date);
      if (raw.slice(at, at + date.length).includes(" ")) broken.add(date + " with a plain space in " + text.trim());
      const range = document.createRange();
      range.setStart(...positionOf(at));
      const [last, offset] = positionOf(at + date.length - 1);
      range.setEnd(last, offset + 1);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) broken.add(date + " in " + text.trim());
    }
  }
  return { found: [...found], broken: [...broken] };
}`;

/** Amounts with a space: of euros or dollars in German, French and Spanish. */
const SPACED = /\d[^\S\n](US)?[$€]/;
const UNBROKEN = /\d[\u00a0\u202f](US)?[$€]/;

/** Looks at a page at each width. Returns the dates that the page shows. */
async function expectWhole(page: Page, locale: string): Promise<string[]> {
  const shown = new Set<string>();
  const words = await page.getByRole("main").innerText();
  if (/^(de|fr|es)/.test(locale)) expect(words).toMatch(UNBROKEN);
  expect(words.replaceAll(/[\u00a0\u202f]/g, "_")).not.toMatch(SPACED);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const { found, broken }: { found: string[]; broken: string[] } = await page.evaluate(
      `(${DATES})(${JSON.stringify(locale)})`,
    );
    expect(broken, `${page.url()} at ${width}`).toEqual([]);
    for (const date of found) shown.add(date);
    expect(await page.evaluate("document.documentElement.scrollWidth"), page.url()).toBeLessThanOrEqual(width);
  }
  return [...shown];
}

test.each(["en-GB", "de", "fr", "es", "ja"])("no date breaks on a phone: %s", async (locale) => {
  const { app, ok } = story;
  const customer = { email: `${locale}@example.com`, name: "Ada Lovelace", externalId: locale, locale };
  const sold: Json = await story.buy({ productKey: "team", customer }, CARDS.pays);
  await ok(app.api("PATCH", `/subscriptions/${sold.id}`, { cancelAtPeriodEnd: true }));
  const [invoice] = (await ok(app.manage("GET", `/invoices?subscriptionId=${sold.id}`))).data;
  await ok(app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 500 }));
  const page = await (await browser.newContext({ locale })).newPage();

  const trial = await ok(app.api("POST", "/checkouts", { productKey: "pro", customer: { email: "new@example.com" } }));
  await page.goto(trial.url);
  expect(await expectWhole(page, locale)).not.toEqual([]);
  await page.goto(invoice.url);
  expect(await expectWhole(page, locale)).not.toEqual([]);
  await page.goto((await ok(app.manage("POST", `/customers/${sold.customerId}/portal-sessions`, {}))).url);
  await page.waitForURL(portal);
  expect(await expectWhole(page, locale)).not.toEqual([]);
  await page.context().close();
});

test("the test finds a broken date", async () => {
  const page = await browser.newPage({ viewport: { width: 320, height: 800 } });
  const [left, right] = ["The plan ends on the evening of the ", "10 December 2026, and not earlier than that."];
  await page.setContent(`<main><p style="width: 21em">${left}${right}</p></main>`);
  const look = (): Promise<{ broken: string[] }> => page.evaluate(`(${DATES})("en-GB")`);
  const counts = [];
  for (let width = 10; width < 30; width++) {
    await page.evaluate(`document.querySelector("p").style.width = "${width}em"`);
    counts.push((await look()).broken.length);
  }
  expect(counts).toContain(1);
  await page.close();
});
