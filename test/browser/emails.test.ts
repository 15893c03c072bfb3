import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let newest: Json;
/** The page of all e-mails. */
let list: string;

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-03-01T09:00:00Z" }), launchBrowser()]);
  const branding = { displayName: "Acme Tools", accentColor: "#ffd400", logoUrl: null };
  await story.ok(story.app.manage("PATCH", "/organization", { branding }));
  await story.plan("pro", 3000, {
    name: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  });
  for (let n = 0; n < 30; n += 1)
    await story.buy({ productKey: "pro", customer: { email: `buyer${n}@example.com` } }, CARDS.pays);
  await mailOnce(story.app.ctx);
  [newest] = (await story.ok(story.app.manage("GET", "/emails?limit=1"))).data;
  list = newest.url.slice(0, newest.url.lastIndexOf("/"));
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

async function open(url: string, viewport = DESK, javaScriptEnabled = true): Promise<Page> {
  const page = await browser.newPage({ viewport, javaScriptEnabled });
  await page.goto(url);
  return page;
}

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_, viewport) => {
  test.each(["the list", "a message"])("%s has no fault that a machine can find", async (what) => {
    const page = await open(what === "the list" ? list : newest.url, viewport);
    await inspect(page);
    await page.close();
  });

  test("a message by itself has no fault either, and needs no more room than there is", async () => {
    const page = await browser.newPage({ viewport });
    const { html } = await story.ok(story.app.manage("GET", `/emails/${newest.id}`));
    await page.setContent(html);
    await inspect(page);
    await page.close();
  });
});

test("in dark mode, a message in its frame is dark as well, and has no fault that a machine can find", async () => {
  const page = await browser.newPage({ viewport: DESK, colorScheme: "dark" });
  await page.goto(newest.url);
  const frame = page.frames().find((each) => each.url().endsWith("/html"))!;
  const color = (selector: string, of: "color" | "backgroundColor") =>
    frame.evaluate(`getComputedStyle(document.querySelector("${selector}")).${of}`);
  expect(await color("body", "backgroundColor")).toBe("rgb(18, 20, 26)");
  expect(await color("main", "backgroundColor")).toBe("rgb(27, 30, 38)");
  expect(await color("h1 + p", "color")).toBe("rgb(232, 234, 240)");
  const { html } = await story.ok(story.app.manage("GET", `/emails/${newest.id}`));
  const alone = await browser.newPage({ viewport: DESK, colorScheme: "dark" });
  await alone.setContent(html);
  await inspect(alone);
  await Promise.all([page.close(), alone.close()]);
});

test("all of them are found without a script, newest first, a page at a time", async () => {
  const page = await open(list, DESK, false);
  const subjects = page.getByRole("listitem");
  expect(await subjects.count()).toBe(25);
  expect(await subjects.first().textContent()).toContain("buyer29@example.com");
  await page.getByRole("link", { name: "Older e-mails" }).click();
  expect(await subjects.count()).toBe(5);
  await page.close();
});

test("a message is shown as HTML in a frame that can do nothing, and as plain text; its PDF is a link", async () => {
  const page = await open(list);
  await page.getByRole("link", { name: "Your receipt from Acme Tools" }).first().click();
  const frame = page.frameLocator("iframe");
  expect(await frame.getByRole("heading", { level: 1 }).textContent()).toBe("Thank you for your payment");
  const link = frame.getByRole("link", { name: "View the invoice" });
  expect(await link.getAttribute("style")).toContain("background: #ffd400; color: #000000");
  expect(await page.locator("pre").textContent()).toContain("US$30.00");
  const pdf = await page.getByRole("link", { name: "the invoice as a PDF" }).getAttribute("href");
  const response = await fetch(new URL(pdf!, list));
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
  const [popup] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await popup.waitForLoadState();
  expect(await popup.getByRole("heading", { level: 1 }).textContent()).toContain("Invoice");
  await page.close();
});

test("e-mails are shown for the whole link alone, and never those of another Organization", async () => {
  const other = await story.app.otherOrganization();
  const [secret, id] = [list.split("/").at(-1)!, newest.id];
  const at = (path: string) => fetch(`${story.app.url}/sandbox/emails/${path}`).then(({ status }) => status);
  const { id: own } = story.app.organization;
  for (const path of [secret, `${secret}?utm_source=news&kind=x`]) expect(await at(path)).toBe(200);
  expect(await at(`${secret}/${id}/html`)).toBe(200);
  const guesses = [
    own,
    own.slice(4),
    `${own.slice(4)}x`,
    secret.slice(0, -1),
    `${secret}x`,
    other.organization.id.slice(4) + secret.slice(26),
  ];
  for (const guess of guesses) {
    for (const path of [guess, `${guess}/${id}`, `${guess}/${id}/html`]) expect(await at(path)).toBe(404);
  }
  for (const path of [`${secret}/${newId("eml")}`, `${secret}/eml_x`, `${secret}?cursor=x`])
    expect(await at(path)).toBe(404);
});

test("no page may be put into a frame of somebody else's, and a message runs nothing", async () => {
  const policy = async (url: string) => (await fetch(url)).headers.get("Content-Security-Policy")!;
  expect(await policy(list)).toContain("frame-ancestors 'none'");
  expect(await policy(newest.url)).toMatch(/frame-ancestors 'none'.*frame-src 'self'/);
  const message = await policy(`${newest.url}/html`);
  for (const part of ["default-src 'none'", "frame-ancestors 'self'", "sandbox allow-popups"])
    expect(message).toContain(part);
  expect(message).not.toContain("script");
});

test("those that were skipped can be hidden, on every page of the list", async () => {
  await story.plan("free", 0, { name: "Free" });
  for (let n = 0; n < 2; n += 1)
    await story.buy({ productKey: "free", customer: { email: `free${n}@example.com` } }, CARDS.pays);
  await story.travel("2026-03-26");
  const page = await open(list);
  const entries = page.getByRole("listitem");
  const skipped = entries.filter({ hasText: "skipped: nothing due" });
  expect(await skipped.count()).toBe(2);
  await inspect(page);
  await page.getByRole("link", { name: "Hide skipped e-mails" }).click();
  expect([await skipped.count(), await entries.count()]).toEqual([0, 25]);
  await inspect(page);
  await page.getByRole("link", { name: "Older e-mails" }).click();
  expect(await skipped.count()).toBe(0);
  await page.getByRole("link", { name: "Show skipped e-mails too" }).click();
  expect(await skipped.count()).toBe(2);
  await page.close();
});

describe.each([
  ["de-DE", "Vielen Dank für Ihre Zahlung", "Rechnung ansehen", "30,00"],
  ["ja", "お支払いありがとうございます", "請求書を見る", "$30.00"],
])("a receipt in %s", (locale, heading, link, amount) => {
  test.each([
    ["a phone", PHONE],
    ["a desk", DESK],
  ])("is readable in the viewer and by itself on %s, with the license key", async (_, viewport) => {
    const name = `${locale}-${viewport.width}`;
    const properties = { activationLimit: 3 };
    const editor = await story.ok(
      story.app.manage("POST", "/benefits", {
        key: name.toLowerCase(),
        type: "license_key",
        name: "Editor",
        properties,
      }),
    );
    await story.plan(name.toLowerCase(), 3000, { name: "Pro", benefitIds: [editor.id] });
    const customer = { email: `${name}@example.com`, locale };
    await story.buy({ productKey: name.toLowerCase(), customer }, CARDS.pays);
    await mailOnce(story.app.ctx);
    const [email] = (await story.ok(story.app.manage("GET", "/emails?limit=1"))).data;
    const page = await open(email.url, viewport);
    const frame = page.frameLocator("iframe");
    expect(await frame.getByRole("heading", { level: 1 }).textContent()).toBe(heading);
    expect(await frame.getByRole("link", { name: link }).getAttribute("href")).toContain("/invoices/inv_");
    const { html, text } = await story.ok(story.app.manage("GET", `/emails/${email.id}`));
    const key = await frame.locator("code").textContent();
    expect(text).toContain(key);
    expect(await page.locator("pre").textContent()).toContain(amount);
    await inspect(page);
    await page.close();
    const alone = await browser.newPage({ viewport });
    await alone.setContent(html);
    expect(await alone.locator("html").getAttribute("lang")).toBe(locale);
    await inspect(alone);
    await alone.close();
  });
});
