import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../support/app.ts";
import { DESK, inspectAsShown, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { ROOT } from "../support/source.ts";
import { hostFolder, type StaticHost } from "../support/static-host.ts";

let app: TestApp;
let browser: Browser;
let folder: string;
let host: StaticHost;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "billow-site-"));
  const written = promisify(execFile)(process.execPath, ["scripts/docs.ts", folder], { cwd: ROOT });
  [app, browser, host] = await Promise.all([startTestApp(), launchBrowser(), hostFolder(folder)]);
  await written;
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), host.close()]);
  await rm(folder, { recursive: true });
});

/** A page of the server or of the static site, with the errors of its console and the requests to other servers. */
async function open(url: string, options: Parameters<Browser["newPage"]>[0] = {}) {
  const page = await browser.newPage(options);
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin)) faults.push(request.url());
  });
  await page.goto(url);
  return { page, faults };
}

const optionNames = (page: Page) => page.locator("#found b").allInnerTexts();

describe.each([
  ["the server", () => `${app.url}/docs`, ""],
  ["the static site", () => host.url, ".html"],
])("on %s", (_name, base, ending) => {
  const at = (path: string) => `${base()}${path}${ending}`;

  test("the search shows results while a reader types, and opens one with the keyboard alone", async () => {
    const { page, faults } = await open(at("/events"), { viewport: DESK });
    await page.keyboard.press("/");
    await page.keyboard.type("idempot");
    const field = page.getByRole("combobox", { name: "Search the documentation" });
    const options = page.getByRole("option");
    await options.first().waitFor();
    expect((await optionNames(page))[0]).toContain("Idempotency");
    expect(await field.getAttribute("aria-expanded")).toBe("true");
    await inspectAsShown(page);
    await page.keyboard.press("ArrowDown");
    expect(await field.getAttribute("aria-activedescendant")).toBe("found-1");
    expect(await options.nth(1).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    await field.fill("receive webhoks");
    await page.getByRole("option", { name: "Receive webhooks" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Receive webhooks", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("xyzzyx");
    await page.getByText("No page has “xyzzyx”.").waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  test("the search leads to a heading, an operation and the code of an error", async () => {
    const { page, faults } = await open(at("/rules"), { viewport: DESK });
    for (const [words, target] of [
      ["examine your receiver", /guides\/receive-webhooks(\.html)?#examine-your-receiver$/],
      ["already_subscribed", /errors(\.html)?#already_subscribed$/],
      ["read a refund", /reference\/management(\.html)?#\?route=get-\/refunds\/-refundId-$/],
    ] as const) {
      await page.getByRole("combobox").fill(words);
      await page.getByRole("option").first().click();
      await page.waitForURL(target);
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  test("a chosen language stays chosen on the next page", async () => {
    const context = await browser.newContext({ viewport: DESK });
    const page = await context.newPage();
    await page.goto(at("/api/public-api"));
    const shown = async () => {
      const blocks = await page.locator(".tabs .code:visible").all();
      return [...new Set(await Promise.all(blocks.map((block) => block.getAttribute("data-language"))))];
    };
    expect(await shown()).toEqual(["js"]);
    await page.locator(".tabs").getByText("Python", { exact: true }).first().click();
    expect(await shown()).toEqual(["python"]);
    await page.goto(at("/api/idempotency"));
    expect(await shown()).toEqual(["python"]);
    await page.getByRole("radio", { name: "Python" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await shown()).toEqual(["sh"]);
    await inspectAsShown(page);
    await context.close();
  });

  test.each([PHONE, DESK, { width: 768, height: 1024 }, { width: 1600, height: 1000 }])(
    "pages with tabs and with diagrams have no barrier at $width pixels",
    async (viewport) => {
      for (const path of ["/api/public-api", "/api/invoices", "/decisions"])
        for (const colorScheme of ["light", "dark"] as const) {
          const { page, faults } = await open(at(path), { viewport, colorScheme });
          await inspectAsShown(page);
          expect(faults).toEqual([]);
          await page.close();
        }
    },
  );

  test("without a script, a reader has the tree, the tabs and the way to the next page", async () => {
    const { page } = await open(at("/api/public-api"), { javaScriptEnabled: false, viewport: PHONE });
    await page.getByText("curl", { exact: true }).first().click();
    expect(await page.locator(".tabs").first().locator(".code:visible").count()).toBe(1);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Documentation" }).getByRole("link", { name: "Checkouts" }).click();
    await page.getByRole("heading", { name: "Checkouts", level: 1 }).waitFor();
    await page.locator("a[rel=next]").click();
    await page.getByRole("heading", { name: "Subscriptions", level: 1 }).waitFor();
    await page.close();
  });

  test("a page can be copied as Markdown", async () => {
    const { page, faults } = await open(at("/api/limits"), { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copy page" }).click();
    await page.getByRole("status").getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^# Limits\n/);
    await page.getByRole("link", { name: "View as Markdown" }).click();
    await page.waitForURL(/\/api\/limits\.md$/);
    expect(faults).toEqual([]);
    await page.close();
  });
});

test("without a script, the search of a server answers with a page of results", async () => {
  const { page } = await open(`${app.url}/docs/events`, { javaScriptEnabled: false, viewport: DESK });
  await page.getByRole("searchbox").fill("already_subscribed");
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("main").getByRole("link", { name: "already_subscribed" }).first().click();
  await page.waitForURL(`${app.url}/docs/errors#already_subscribed`);
  await page.close();
});

test("the page of results has no barrier", async () => {
  const { page, faults } = await open(`${app.url}/docs/search?q=refund`, { viewport: PHONE });
  await inspectAsShown(page);
  expect(faults).toEqual([]);
  await page.close();
});

test("without a script, the static site shows no search", async () => {
  const { page } = await open(`${host.url}/events.html`, { javaScriptEnabled: false });
  expect(await page.getByRole("searchbox").count()).toBe(0);
  await page.close();
});

describe("the console of a reference", () => {
  test("sends a request with the key of a sandbox, and stores no key", async () => {
    const { page, faults } = await open(`${app.url}/docs/reference/management#?route=get-/organization`, {
      viewport: DESK,
    });
    await page.getByLabel("Try it with a key of a sandbox").fill(app.keys.manage);
    await page.getByRole("button", { name: "Execute" }).click();
    await page.getByText(app.organization.id).first().waitFor();
    expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie].join()")).toBe("0,0,");
    expect(faults).toEqual([]);
    await page.close();
  });

  test("refuses a live key before any request", async () => {
    const { page } = await open(`${app.url}/docs/reference/management#?route=get-/organization`, { viewport: DESK });
    const sent: (string | undefined)[] = [];
    page.on("request", (request) => sent.push(request.headers()["authorization"]));
    const field = page.getByLabel("Try it with a key of a sandbox");
    await field.fill("blw_live_0123456789abcdef");
    await page.getByText("This was a live key").waitFor();
    expect(await field.inputValue()).toBe("");
    await page.getByRole("button", { name: "Execute" }).click();
    await page.getByText("api_key_missing").first().waitFor();
    expect(sent.filter((header) => header !== undefined)).toEqual([]);
    await page.close();
  });

  test("is left out of the static site, which leads to the reader's own server", async () => {
    const { page, faults } = await open(`${host.url}/reference/management.html#?route=get-/organization`, {
      viewport: DESK,
    });
    await page.getByText("Read the Organization").first().waitFor();
    expect(await page.getByRole("button", { name: "Execute" }).count()).toBe(0);
    await page.getByRole("link", { name: "http://127.0.0.1:4000/docs/reference/management" }).waitFor();
    await inspectAsShown(page);
    expect(faults).toEqual([]);
    await page.close();
  });
});
