import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { DESK, inspectAsShown, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([startTestApp(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** A page, with the errors of its console and the requests to other servers. */
async function open(path: string, options: Parameters<Browser["newPage"]>[0] = {}) {
  const page = await browser.newPage(options);
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(app.url)) faults.push(request.url());
  });
  await page.goto(app.url + path);
  return { page, faults };
}

const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [PHONE, DESK].map((viewport) => ({ colorScheme, viewport, width: viewport.width })),
);

describe.each(LOOKS)("$colorScheme, $width pixels wide", ({ colorScheme, viewport }) => {
  test.each(["/docs", "/docs/guides/receive-webhooks", "/docs/api/errors", "/docs/errors", "/docs/rules"])(
    "%s has no fault that a machine can find",
    async (path) => {
      const { page, faults } = await open(path, { colorScheme, viewport });
      await inspectAsShown(page);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  test("the reference loads nothing from elsewhere, keeps to its policy, and has no barrier", async () => {
    const { page, faults } = await open("/docs/reference/management#?route=patch-/products/-productId-", {
      colorScheme,
      viewport,
    });
    await page.getByText("Change a Product. Sold Subscriptions keep their price").last().waitFor();
    await page.getByText("application/json").first().waitFor();
    await inspectAsShown(page);
    expect(faults).toEqual([]);
    await page.close();
  });
});

test.each(["/", "/missing", "/docs", "/docs/errors", "/docs/guides/receive-webhooks", "/docs/reference/management"])(
  "%s has an icon that its policy allows",
  async (path) => {
    const url = app.url + path;
    const answer = await fetch(url, { headers: { Accept: "text/html" } });
    const [, href] = /<link rel="icon" type="image\/svg\+xml" href="([^"]+)">/.exec(await answer.text())!;
    expect(answer.headers.get("Content-Security-Policy")).toContain("img-src 'self'");
    const icon = await fetch(new URL(href!, url));
    expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
    expect(await icon.text()).toMatch(/^<svg /);
  },
);

test.each([
  ["/docs/guides/receive-webhooks", "Copy this code"],
  ["/", "Copy the command"],
])("%s has code with a button that copies it", async (path, name) => {
  const { page, faults } = await open(path, { permissions: ["clipboard-read", "clipboard-write"] });
  const code = await page.locator("pre").first().innerText();
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("status").getByText("Copied").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(code);
  expect(faults).toEqual([]);
  await page.close();
});

test("an unknown page suggests the nearest one, without a barrier", async () => {
  const { page } = await open("/docs/guides/recieve-webhooks");
  await inspectAsShown(page);
  await page.getByRole("main").getByRole("link", { name: "Receive webhooks" }).click();
  await page.getByRole("heading", { name: "Receive webhooks" }).waitFor();
  await page.close();
});

describe("the reference", () => {
  test.each(LOOKS)("begins with an overview: $colorScheme, $width pixels wide", async ({ colorScheme, viewport }) => {
    for (const name of ["public", "management", "licenses"]) {
      const { page, faults } = await open(`/docs/reference/${name}`, { colorScheme, viewport });
      await page.getByRole("heading", { name: "First request" }).waitFor();
      await inspectAsShown(page);
      await page.getByRole("link", { name: "The guide to this API" }).click();
      await page.waitForURL(/\/docs\/api\//);
      expect(faults).toEqual([]);
      await page.close();
    }
  });

  test("finds an operation by a word, and opens it with the keyboard alone", async () => {
    const { page } = await open("/docs/reference/management", { viewport: DESK });
    await page.getByPlaceholder("Filter").fill("rotate");
    const found = page.locator("nav").getByText("Rotate", { exact: false });
    await found.first().waitFor();
    expect(await page.locator("nav").getByText("Create a Product").count()).toBe(0);
    await page.locator(".nav-bar-path").first().press("Enter");
    await page
      .getByRole("heading", { name: /Rotate|successor/i })
      .first()
      .waitFor();
    await page.close();
  });

  test("shows the fields of a body that has conditions among its fields", async () => {
    const { page } = await open("/docs/reference/management#?route=post-/products", { viewport: DESK });
    for (const field of ["benefitIds", "trialDays", "prices"]) await page.getByText(field).last().waitFor();
    await page.close();
  });

  test("has a search on a phone, too", async () => {
    const { page } = await open("/docs/reference/licenses", { viewport: PHONE });
    const search = page.getByRole("button", { name: "Find an operation" });
    const look = await page.evaluate<Json>(`(() => {
      const { fontFamily, borderTopStyle, borderRadius } = getComputedStyle(document.querySelector("#search"));
      const ofPage = getComputedStyle(document.body).fontFamily;
      return { isInPageFont: fontFamily === ofPage, borderTopStyle, borderRadius };
    })()`);
    // A button without a style has the browser's font and a raised border.
    expect(look).toEqual({ isInPageFont: true, borderTopStyle: "solid", borderRadius: "6px" });
    await search.click();
    await page.getByPlaceholder("search text").pressSequentially("deactivate");
    await page.locator("#advanced-search-modal").getByText("/deactivate", { exact: false }).first().waitFor();
    await page.close();
  });

  test("leads to the documents and the guides without JavaScript", async () => {
    const { page } = await open("/docs/reference/public", { javaScriptEnabled: false });
    const openApi = await page.getByRole("link", { name: "OpenAPI document", exact: true }).getAttribute("href");
    const { paths } = (await (await fetch(new URL(openApi!, page.url()))).json()) as Json;
    expect(Object.keys(paths)).toContain("/checkouts");
    await page.getByRole("link", { name: "guides", exact: true }).click();
    expect(page.url()).toBe(`${app.url}/docs`);
    await page.close();
  });
});
