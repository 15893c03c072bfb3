import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let backend: Server;
let shop: string;
let portal: string;
let sold: Json;

/** The merchant's site: a page with the ways to the portal, and a backend that makes a link for each request. */
const PAGE = `<!doctype html><title>The shop</title>
<a href="/billing">Billing</a>
<form method="post" action="/billing"><button>Billing form</button></form>
<button id="script">Billing script</button>
<script>
  document.querySelector("#script").addEventListener("click", async () => {
    location.href = await (await fetch("/link")).text();
  });
</script>`;

async function makeLink(customerId: string): Promise<string> {
  const body = { customerId, returnUrl: `${shop}/` };
  return (await story.ok(story.app.manage("POST", "/portal-sessions", body))).url;
}

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-03-01T09:00:00Z" }), launchBrowser()]);
  await story.plan("pro", 3000, { name: "Pro" });
  sold = await story.buy({ productKey: "pro", customer: { email: "ada@example.com", name: "Ada" } }, CARDS.pays);
  portal = (await story.ok(story.app.manage("GET", "/organization"))).portalUrl;
  backend = createServer(async ({ url }, response) => {
    if (url === "/link") response.end(await makeLink(sold.customerId));
    else if (url === "/billing") response.writeHead(303, { Location: await makeLink(sold.customerId) }).end();
    else response.setHeader("Content-Type", "text/html").end(PAGE);
  });
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
  shop = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.close();
  await new Promise<void>((resolve) => {
    backend.close(() => resolve());
    backend.closeAllConnections();
  });
  await story.close();
});

async function openShop(origin = shop): Promise<Page> {
  const page = await (await browser.newContext({ viewport: DESK })).newPage();
  await page.goto(origin);
  return page;
}

const isIn = (page: Page) => page.getByText("Signed in as").waitFor();

describe("a browser that the merchant sends to the portal is signed in at once", () => {
  test.each<[way: string, click: (page: Page) => Promise<void>]>([
    ["by a link", (page) => page.getByRole("link", { name: "Billing" }).click()],
    ["by a form", (page) => page.getByRole("button", { name: "Billing form" }).click()],
    ["by a script", (page) => page.getByRole("button", { name: "Billing script" }).click()],
  ])("%s", async (_, click) => {
    const page = await openShop();
    await click(page);
    await isIn(page);
    expect(page.url()).toBe(portal);
    await page.getByRole("link", { name: "Back to" }).click();
    await page.waitForURL(`${shop}/`);
    await page.context().close();
  });

  test("from another site, whose pages the portal's cookie does not follow", async () => {
    const page = await openShop(shop.replace("127.0.0.1", "localhost"));
    await page.getByRole("button", { name: "Billing form" }).click();
    await isIn(page);
    expect(page.url()).toBe(portal);
    await page.context().close();
  });

  test("and the back button leads to the shop or the account, not to a page of errors", async () => {
    const page = await openShop();
    await page.getByRole("link", { name: "Billing" }).click();
    await isIn(page);
    await page.goBack();
    expect(page.url()).toBe(`${shop}/`);
    await page.context().close();
  });
});

test("an address that was typed or pasted signs in without a click and without a script", async () => {
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(await makeLink(sold.customerId));
  await isIn(page);
  expect(page.url()).toBe(portal);
  await context.close();
});

test("a browser without Fetch Metadata gets the button, which works by keyboard without a script", async () => {
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  const link = await makeLink(sold.customerId);
  await page.route(link, async (route) => {
    // An intercepted request loses Fetch Metadata.
    await (route.request().method() === "GET" ? route.fulfill({ response: await route.fetch() }) : route.continue());
  });
  await page.goto(link);
  expect(await page.getByText("You’re signing in as").textContent()).toBe(
    "You’re signing in as Ada (ada@example.com).",
  );
  await page.getByRole("button", { name: "Sign in" }).press("Enter");
  await isIn(page);
  await context.close();
});

test("a link into another account asks first, and both ways on work", async () => {
  const bob = await story.ok(story.app.api("POST", "/customers", { email: "bob@example.com", name: "Bob" }));
  const page = await openShop();
  await page.getByRole("link", { name: "Billing" }).click();
  await isIn(page);
  const link = await makeLink(bob.id);
  await page.goto(link);
  await page.getByText("You are signed in as Ada (ada@example.com).").waitFor();
  await inspect(page);
  await page.getByRole("link", { name: "Stay signed in" }).click();
  await page.getByText("Signed in as Ada").waitFor();
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Signed in as Bob").waitFor();
  await page.context().close();
});

test("a link that is no longer good says so, above the way to a new one", async () => {
  const page = await openShop();
  await page.goto(`${portal}/sign-in/x`);
  expect(await page.getByRole("alert").textContent()).toContain("This link no longer works");
  await inspect(page);
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByRole("button", { name: "Send me a link" }).click();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Check your e\u2011mail");
  await page.context().close();
});
