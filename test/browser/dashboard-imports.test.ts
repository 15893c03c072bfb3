import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { emailOf, joinAs } from "../support/form-actions.ts";
import { assessed, storeAssessment } from "../support/import-report.ts";
import { signInWith } from "../support/signed-in.ts";

const ACCOUNT = "acct_1PgafmB7WZ01zgkW";
const refOf = (n: number) => `sub_1Mowlk${String(n).padStart(2, "0")}LkdIwHu7ixraBm864M`;

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([startTestApp({ trustedProxies: ["127.0.0.1"] }), launchBrowser()]);
  await joinAs(app, "owner");
  const stays = { reasons: ["past_due", "open_invoice"], currency: "eur" } as const;
  await storeAssessment(
    app,
    ACCOUNT,
    Array.from({ length: 120 }, (_, n) => assessed(refOf(n), n % 10 === 3 ? stays : {})),
  );
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** A browser at a page of the dashboard, signed in as an owner. */
async function open(path: string, options: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${app.url}/dashboard/${app.organization.id}${path}`);
  await signInWith(page, emailOf("owner", app.organization.id));
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  return page;
}
const follow = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();

test.each([
  ["with a script", true],
  ["without a script", false],
])("%s, a person goes from the sums to the rows, to a row and to its reasons", async (_name, javaScriptEnabled) => {
  const page = await open("", { viewport: DESK, javaScriptEnabled });
  await follow(page, "Imports");
  await page.getByRole("row", { name: "Can move 108 US$2,160.00 0 0" }).waitFor();
  await follow(page, "Next page");
  await page.getByRole("link", { name: refOf(50) }).waitFor();
  await follow(page, "First page");
  await follow(page, "It is unpaid");
  expect(await page.getByRole("row", { name: /^sub_/ }).count()).toBe(12);
  expect(await page.getByLabel("Reason", { exact: true }).inputValue()).toBe("past_due");
  await follow(page, refOf(13));
  await page.getByRole("heading", { name: "Why the subscription stays" }).waitFor();
  await page.getByRole("link", { name: "The command, in the guide" }).waitFor();
  await follow(page, "All imports");
  await page.getByLabel("Id or e-mail").fill(refOf(7));
  await page.getByRole("button", { name: "Filter" }).click();
  expect(await page.getByRole("row", { name: /^sub_/ }).count()).toBe(1);
  await page.getByText("Can move").last().waitFor();
  for (const kind of ["CSV", "JSON"]) {
    const [file] = await Promise.all([page.waitForEvent("download"), follow(page, `Download ${kind}`)]);
    expect(file.suggestedFilename()).toBe(`imports.${kind.toLowerCase()}`);
  }
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no page has a fault that a machine can find", async (_name, viewport) => {
  const page = await open("/imports", { viewport });
  const paths = ["", "?search=none", "?cursor=%5B%22x%22%2C%22x%22%2C%22x%22%5D"].map((query) => `/imports${query}`);
  const rows = [3, 4].map((n) => `/imports/subscription?source=stripe&account=${ACCOUNT}&ref=${refOf(n)}`);
  for (const path of [...paths, ...rows]) {
    await page.goto(`${app.url}/dashboard/${app.organization.id}${path}`);
    await inspect(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
  }
});
