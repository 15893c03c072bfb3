import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUp } from "../../src/actions/team/set-up.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { DESK } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { OWNER } from "../support/dashboard.ts";
import { signInWith } from "../support/signed-in.ts";

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([startTestApp(), launchBrowser()]);
  await setUp(app.ctx, OWNER);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

test.each([["a click"], ["Enter"]])("%s creates a Customer with one request", async (how) => {
  const context = await browser.newContext({ viewport: DESK });
  const page = await context.newPage();
  await page.goto(`${app.url}/dashboard/${app.organization.id}/customers/new`);
  await signInWith(page, OWNER.email);
  await page.goto(`${app.url}/dashboard/${app.organization.id}/customers/new`);
  let posts = 0;
  page.on("request", (request) => void (posts += Number(request.method() === "POST")));
  await page.getByLabel("E-mail").fill(`${how.replace(" ", "-")}@example.com`);
  if (how === "Enter") await page.getByLabel("E-mail").press("Enter");
  else await page.getByRole("button", { name: "Create the Customer" }).click();
  await page.waitForURL(/\/customers\/cus_/);
  expect(posts).toBe(1);
  await context.close();
});
