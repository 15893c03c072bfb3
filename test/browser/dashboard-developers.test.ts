import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { draftUser } from "../../src/actions/team/set-up.ts";
import { listRequests } from "../../src/store/api-requests.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { users } from "../../src/store/users.ts";
import { caller, startTestApp, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { OWNER } from "../support/dashboard.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { signInWith } from "../support/signed-in.ts";
import { until } from "../support/until.ts";

const EMAIL = "dev@example.com";

let app: TestApp;
let receiver: Receiver;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  [app, receiver, browser] = await Promise.all([
    startTestApp({ trustedProxies: ["127.0.0.1"] }),
    startReceiver(),
    launchBrowser(),
  ]);
  const user = await draftUser({ email: EMAIL, name: "Dana Developer", password: OWNER.password });
  await app.ctx.db.tx(async (tx) => {
    users.insert(tx, user);
    insertMembership(tx, app.organization.id, user.id, "developer");
  });
  context = await browser.newContext({ viewport: DESK });
  page = await context.newPage();
  await page.goto(`${app.url}/dashboard`);
  await signInWith(page, EMAIL);
  await page.getByRole("searchbox").waitFor();
});
afterAll(async () => {
  await context.close();
  await browser.close();
  await receiver.close();
  await app.close();
});

const follow = (name: string) => page.getByRole("main").getByRole("link", { name }).click();
const press = (name: string) => page.getByRole("button", { name }).click();
const enter = (name: string) => page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name }).click();

/** Inspects the page on a desk and on a phone. */
async function inspectBoth(): Promise<void> {
  await inspect(page);
  await page.setViewportSize(PHONE);
  await inspect(page);
  await page.setViewportSize(DESK);
}

test("a developer makes a key, adds an endpoint, mends a receiver, and finds a refused request", async () => {
  await enter("API keys");
  await follow("Create a key");
  await inspect(page);
  await page.getByLabel("Name").fill("Shop backend");
  expect(await page.getByRole("checkbox", { name: "public" }).isChecked()).toBe(true);
  expect(await page.getByRole("checkbox", { name: "manage" }).count()).toBe(0);
  await press("Create the key");
  const key = (await page.getByLabel("The secret of the new key").textContent())!;
  await inspectBoth();
  const shop = caller(`${app.url}/public/v2`, key);
  expect((await shop("POST", "/customers", { email: "ada@example.com" })).status).toBe(201);
  await follow("To the key Shop backend");
  await page.getByRole("heading", { level: 1, name: "Shop backend" }).waitFor();

  await enter("Webhooks");
  await follow("Add an endpoint");
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("checkbox", { name: "All types" }).uncheck();
  await page.getByRole("group", { name: "Refund" }).getByRole("checkbox", { name: "refund.created" }).check();
  await inspectBoth();
  await press("Add the endpoint");
  await page.getByLabel("The secret of the endpoint").getByText("whsec_").waitFor();
  await follow("To the endpoint");

  await follow("Send a test event");
  await press("Send the test event");
  await page.getByText("The receiver has not responded.").waitFor();
  await app.runDue();
  await page.reload();
  await page.getByText("answered 200").waitFor();

  await page.getByRole("link", { name: receiver.url }).click();
  receiver.react = () => 500;
  await follow("Send a test event");
  await press("Send the test event");
  await app.runDue();
  await page.reload();
  await page.getByText("The receiver answered 500.").waitFor();
  await inspectBoth();
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByText(/Every attempt has failed since .*Next attempt:/).waitFor();
  await inspectBoth();
  receiver.react = () => 200;
  await page
    .getByRole("row", { name: /Retrying/ })
    .getByRole("link")
    .click();
  await follow("Send again");
  await press("Send again");
  await app.runDue();
  await page.reload();
  await page.getByText("Succeeded").waitFor();

  const { requestId } = (await shop("POST", "/checkouts", { productKey: "nothing" })).body;
  await until(
    async () => (await listRequests(app.ctx.db.read, app.organization.id, { status: 422, limit: 1 })).length > 0,
  );
  await page.getByRole("searchbox").fill(requestId);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "POST /public/v2/checkouts" }).waitFor();
  await page.getByText("validation_failed").waitFor();
  await inspectBoth();
  await follow("Shop backend");
  await follow("Changes and refused requests with this key");
  await page.getByRole("row", { name: /POST \/public\/v2\/checkouts 422/ }).waitFor();
  await inspectBoth();
});
