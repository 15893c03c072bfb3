import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { emailOf, joinAs } from "../support/form-actions.ts";
import { signInWith } from "../support/signed-in.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let bought: Json;
beforeAll(async () => {
  [story, browser] = await Promise.all([
    startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] }),
    launchBrowser(),
  ]);
  await story.plan("tried", 2000, { name: "Tried", trialDays: 14 });
  for (const [code, basisPoints] of [["TEN", 1000] as const, ["HALF", 5000] as const]) {
    const terms = { type: "percentage", basisPoints, duration: "forever" };
    await story.ok(story.app.manage("POST", "/discounts", { code, ...terms }));
  }
  bought = await story.buy({ productKey: "tried", customer: { email: "ada@example.com", name: "Ada" } }, CARDS.pays);
  await joinAs(story.app, "support");
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** A browser at the page of Ada, signed in as support. */
async function open(options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const { url, organization } = story.app;
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${url}/dashboard/${organization.id}/customers/${bought.customerId}`);
  await signInWith(page, emailOf("support", organization.id));
  await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
  return page;
}

test.each([
  ["a phone", { viewport: PHONE }, "TEN", "2026-03-20"],
  ["a desk, without a script", { viewport: DESK, javaScriptEnabled: false }, "HALF", "2026-04-10"],
])("support gives a discount and lengthens the trial on %s", async (_, options, code, end) => {
  const page = await open(options);
  const isScripted = !("javaScriptEnabled" in options);
  const looked = () => (isScripted ? inspect(page) : undefined);
  await page.getByRole("link", { name: /^(Give a|Change the) discount/ }).click();
  await looked();
  await page.getByLabel("Discount from the next period on").selectOption(code);
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("Next invoice without the change").waitFor();
  await looked();
  await page.getByRole("button", { name: `Give ${code}` }).click();
  await page.getByText("The change of the discount is saved.").waitFor();
  await page.getByRole("link", { name: "Lengthen the trial of Tried" }).click();
  await looked();
  await page.getByLabel("New end of the trial").fill(end);
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("Next invoice without the change").waitFor();
  await looked();
  await page.getByRole("button", { name: "Lengthen the trial" }).click();
  await page.getByText("The trial has been lengthened.").waitFor();
  await looked();
  expect((await story.subscription(bought.id)).trialEnd).toBe(`${end}T00:00:00.000Z`);
});
