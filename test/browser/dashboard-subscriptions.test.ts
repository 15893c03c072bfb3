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
let home: string;
beforeAll(async () => {
  [story, browser] = await Promise.all([
    startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] }),
    launchBrowser(),
  ]);
  await story.plan("pro", 3000, { name: "Pro", group: "plans" });
  await story.plan("team", 6000, { name: "Team", group: "plans" });
  bought = await story.buy({ productKey: "pro", customer: { email: "ada@example.com", name: "Ada" } }, CARDS.pays);
  home = `${story.app.url}/dashboard/${story.app.organization.id}`;
  await joinAs(story.app, "support");
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

/** A browser at the page of Ada, signed in as support. */
async function open(options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${home}/customers/${bought.customerId}`);
  await signInWith(page, emailOf("support", story.app.organization.id));
  await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
  return page;
}

test("support undoes a cancellation and changes the plan by the preview, without a script", async () => {
  const page = await open({ viewport: DESK, javaScriptEnabled: false });
  await page.getByRole("link", { name: "Cancel at period end for Pro" }).click();
  await page.getByLabel("Reason").selectOption("too_expensive");
  await page.getByRole("button", { name: "Cancel at period end" }).click();
  await page.getByText("The Subscription will end with its period.").waitFor();

  await page.getByRole("link", { name: "Undo the cancellation of Pro" }).click();
  await page.getByText("Renews").waitFor();
  await page.getByRole("button", { name: "Undo the cancellation" }).click();
  await page.getByText("The cancellation has been undone.").waitFor();

  await page.getByRole("link", { name: "Cancel immediately for Pro" }).waitFor();
  await page.getByRole("link", { name: "Change the plan of Pro" }).click();
  await page
    .getByRole("row", { name: /Team US\$60\.00/ })
    .getByRole("link", { name: "Preview of the change to Team" })
    .click();
  await page.getByRole("navigation", { name: "When the plan changes" }).getByText("Now, charged now").waitFor();
  await page.getByRole("row", { name: /unused rest of the period/ }).waitFor();
  await page.getByRole("button", { name: "Charge US$30.00 and change to Team" }).click();
  await page.getByText("The plan has been changed.").waitFor();
  expect((await story.subscription(bought.id)).amount).toBe(6000);
});

test("the pages of the actions are accessible and fit a phone", async () => {
  const page = await open({ viewport: PHONE });
  const customer = `${home}/customers/${bought.customerId}`;
  const { productId } = bought;
  for (const path of [
    "",
    "/edit",
    "/subscriptions/new",
    `/subscriptions/${bought.id}/change`,
    `/subscriptions/${bought.id}/change?productId=${productId}`,
    `/subscriptions/${bought.id}/cancel-now`,
    `/subscriptions/${bought.id}/pause`,
    `/subscriptions/${bought.id}/resume`,
  ]) {
    await page.goto(customer + path);
    await inspect(page);
    if (path !== "/subscriptions/new") continue;
    await page.getByRole("button", { name: "Preview" }).click();
    await inspect(page);
  }
  await page.goto(`${home}/customers/new`);
  await page.getByLabel("Country").selectOption({ label: "Japan" });
  await page.getByLabel("Prefecture").waitFor();
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])(
  "support pauses, changes the pause and resumes, and no page has a fault of accessibility on %s",
  async (_, viewport) => {
    const page = await open({ viewport });
    const inspected = async (button: string) => {
      await inspect(page);
      await page.getByRole("button", { name: button, exact: true }).click();
    };
    await page.getByRole("link", { name: /^Pause/ }).click();
    await page.getByLabel("Access").selectOption("revoke");
    await page.getByLabel("Resumes on").fill("2020-01-01");
    await inspected("Pause");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Resumes on").fill("");
    await inspected("Pause");
    await page.getByText("The pause is saved.").waitFor();
    expect((await story.subscription(bought.id)).pause).toMatchObject({ access: "revoke", resumesAt: null });
    await page.getByRole("link", { name: /^Change the pause/ }).click();
    await page.getByLabel("Access").selectOption("keep");
    await inspected("Change the pause");
    expect((await story.subscription(bought.id)).pause).toMatchObject({ access: "keep" });
    await page.getByRole("link", { name: /^Undo the pause/ }).click();
    await inspected("Undo the pause");
    await inspect(page);
    expect((await story.subscription(bought.id)).pause).toBeNull();
  },
);
