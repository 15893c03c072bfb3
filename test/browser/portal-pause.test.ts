import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { heading, newBuyer, openPage } from "../support/buyers.ts";
import { goHome } from "../support/portal-pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;

beforeAll(async () => {
  [story, browser] = await Promise.all([
    startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] }),
    launchBrowser(),
  ]);
  const pause = { longestMonths: 3, perYear: 5, access: "revoke" };
  await story.ok(story.app.manage("PATCH", "/organization", { portal: { pause } }));
  await story.plan("pro", 3000, { name: "Pro" });
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** A page of the portal's home, for a new Customer with Pro. */
async function enter(options: BrowserContextOptions = {}): Promise<{ page: Page; sold: Json }> {
  const email = newBuyer();
  const sold = await story.buy({ productKey: "pro", customer: { email, externalId: email } }, CARDS.pays);
  const page = await openPage(browser, options);
  await goHome(page, story, sold);
  return { page, sold };
}
const follow = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).click();
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const notice = (page: Page) => page.getByRole("status").first().innerText();

describe.each([
  ["with JavaScript", { javaScriptEnabled: true }],
  ["without JavaScript", { javaScriptEnabled: false }],
])("%s", (_name, options) => {
  test("a Customer pauses in place of a cancellation, undoes the pause, pauses again, and resumes", async () => {
    const { page, sold } = await enter(options);
    await follow(page, /^Cancel subscription/);
    await follow(page, "Pause instead");
    expect(await heading(page)).toBe("Pause Pro?");
    await page.locator('input[name="months"][value="2"]').check();
    await press(page, /^Pause on/);
    expect(await notice(page)).toBe("The pause is planned.");
    expect((await story.subscription(sold.id)).pause).toMatchObject({ access: "revoke" });
    await press(page, /^Undo the pause/);
    expect(await notice(page)).toBe("The pause is undone. Your subscription continues.");
    expect((await story.subscription(sold.id)).pause).toBeNull();

    await follow(page, /^Pause subscription/);
    await press(page, /^Pause on/);
    const { startsAt } = (await story.subscription(sold.id)).pause;
    await story.travel(startsAt);
    expect(await story.subscription(sold.id)).toMatchObject({ status: "paused" });
    await goHome(page, story, sold);
    await follow(page, /^Resume subscription/);
    expect(await heading(page)).toBe("Resume Pro?");
    await press(page, "Resume and pay US$30.00");
    expect(await notice(page)).toBe("Your subscription continues.");
    expect(await story.subscription(sold.id)).toMatchObject({ status: "active", currentPeriodStart: startsAt });
  });
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("the pages of a pause have no fault of accessibility on %s", async (_name, viewport) => {
  const { page, sold } = await enter({ viewport });
  await follow(page, /^Pause subscription/);
  await inspect(page);
  await press(page, /^Pause on/);
  await inspect(page);
  await story.travel((await story.subscription(sold.id)).pause.startsAt);
  await goHome(page, story, sold);
  await inspect(page);
  await follow(page, /^Resume subscription/);
  await inspect(page);
});
