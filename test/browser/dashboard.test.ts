import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGallery } from "../../scripts/gallery.ts";
import { codeOfApp } from "../../src/actions/team/second-factor.ts";
import { firstRunUrl } from "../../src/actions/team/set-up.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../support/open-id-provider.ts";

let app: TestApp;
let mails: MailServer;
let provider: OpenIdProvider;
let gallery: Awaited<ReturnType<typeof startGallery>>;
let browser: Browser;
const contexts: BrowserContext[] = [];
const BUSINESS = ["Customers", "Subscriptions", "Invoices", "Payments", "Refunds", "Disputes", "Checkouts"];
const LISTS = [...BUSINESS, "Products", "Benefits", "Discounts", "Payment links"];
const PASSWORD = "correct horse battery";

beforeAll(async () => {
  [mails, browser, provider] = await Promise.all([startMailServer(), launchBrowser(), startOpenIdProvider()]);
  [app, gallery] = await Promise.all([startTestApp({ smtpUrl: mails.url }), startGallery(0)]);
  app.ctx.config.openId = provider.settings;
});
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await browser.close();
  app.ctx.config.openId = null;
  await app.close();
  await gallery.close();
  await provider.close();
  await mails.close();
});

async function open(options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, javaScriptEnabled: false, ...options });
  contexts.push(context);
  return context.newPage();
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** The link in the newest e-mail. */
async function linkOf(page: "invitations" | "new-password"): Promise<string> {
  await mailOnce(app.ctx);
  const [url] = new RegExp(`http:\\S+/dashboard/${page}/\\S+`).exec(mails.received.at(-1)!.text!)!;
  return url;
}

test("from the first run to a team, without a script", async () => {
  const owner = await open();
  await owner.goto((await firstRunUrl(app.ctx))!);
  await owner.getByLabel("Your name").fill("Olga Owner");
  await owner.getByLabel("E-mail").fill("olga@example.com");
  await owner.getByLabel("Password").fill("short");
  await owner.getByRole("button", { name: "Set up the dashboard" }).click();
  expect(await owner.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
  await owner.getByLabel("Password").fill(PASSWORD);
  await owner.getByRole("button", { name: "Set up the dashboard" }).click();
  await owner.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  await owner.getByRole("button", { name: "Sign out" }).click();
  await signIn(owner, "olga@example.com");
  await owner.getByRole("link", { name: "Team" }).click();
  await owner.getByRole("link", { name: "Invite a person" }).click();
  await owner.getByLabel("E-mail").fill("sam@example.com");
  await owner.getByLabel("Support").check();
  await owner.getByRole("button", { name: "Send the invitation" }).click();
  expect(await owner.getByRole("status").textContent()).toBe("The invitation is on its way.");

  const support = await open();
  await support.goto(await linkOf("invitations"));
  await support.getByLabel("Your name").fill("Sam Support");
  await support.getByLabel("Password").fill(PASSWORD);
  await support.getByRole("button", { name: "Join" }).click();
  await support.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const shown = await support.getByRole("navigation", { name: "Dashboard" }).getByRole("link").allTextContents();
  expect(shown).toEqual(["Overview", ...LISTS]);
  await support.goto(`${app.url}/dashboard/${app.organization.id}/team`);
  await support.getByRole("heading", { level: 1, name: "Your role does not allow this" }).waitFor();

  await owner.getByRole("link", { name: "Team" }).click();
  await owner.getByRole("link", { name: "Change Sam Support" }).click();
  await owner.getByRole("button", { name: "Remove Sam Support" }).click();
  expect(await owner.getByRole("status").textContent()).toBe("The person has been removed.");
  const answer = await support.goto(`${app.url}/dashboard/${app.organization.id}`);
  expect(answer!.status()).toBe(404);
  await owner.getByRole("link", { name: "Audit log" }).click();
  const [newest] = await owner.getByRole("row").filter({ hasText: "Olga Owner" }).allTextContents();
  expect(newest).toContain("Remove member");
});

test("a second factor is turned on and used", async () => {
  const page = await open();
  await page.goto(`${app.url}/dashboard`);
  await signIn(page, "olga@example.com");
  await page.getByRole("link", { name: "Olga Owner" }).click();
  await page.getByRole("link", { name: "Add a second factor" }).click();
  await page.getByRole("img", { name: "QR code of the key below" }).waitFor();
  const key = (await page.locator("code").textContent())!.replaceAll(" ", "");
  const before = Date.now() - 30_000;
  await page.getByLabel("Code from your authenticator app").fill(codeOfApp(key, before));
  await page.getByRole("button", { name: "Turn on" }).click();
  expect(await page.getByRole("status").textContent()).toBe("The second factor is on.");
  const next = await open();
  await next.goto(`${app.url}/dashboard`);
  await signIn(next, "olga@example.com");
  await next.getByLabel("Code from your authenticator app").fill(codeOfApp(key, before + 30_000));
  await next.getByRole("button", { name: "Sign in" }).click();
  await next.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await next.getByRole("link", { name: "Olga Owner" }).click();
  await next.getByRole("link", { name: "Remove the second factor" }).click();
  await next.getByRole("button", { name: "Remove the second factor" }).click();
  expect(await next.getByRole("status").textContent()).toBe("The second factor is off.");
});

test("a person joins, signs in and confirms a step through the OpenID provider", async () => {
  const owner = await open();
  await owner.goto(`${app.url}/dashboard`);
  await signIn(owner, "olga@example.com");
  await owner.getByRole("link", { name: "Team" }).click();
  await owner.getByRole("link", { name: "Invite a person" }).click();
  await owner.getByLabel("E-mail").fill("pia@example.com");
  await owner.getByRole("button", { name: "Send the invitation" }).click();
  const { host } = new URL(provider.settings.issuer);
  const agree = () => pia.getByRole("link", { name: "Agree" }).click();

  const pia = await open({ javaScriptEnabled: true });
  provider.account = { sub: "pia", email: "pia@example.com", email_verified: true, name: "Pia Provider" };
  await pia.goto(await linkOf("invitations"));
  await pia.getByRole("link", { name: `Join with ${host}` }).click();
  await agree();
  await pia.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await pia.getByRole("button", { name: "Sign out" }).click();
  await pia.getByRole("link", { name: `Sign in with ${host}` }).click();
  await agree();
  await pia.getByRole("link", { name: "Pia Provider" }).click();
  await pia.getByRole("link", { name: "Add a second factor" }).click();
  await pia.getByRole("heading", { level: 1, name: "Sign in once more" }).waitFor();
  await inspect(pia);
  provider.account = { sub: "pia", auth_time: Math.floor(Date.now() / 1000) };
  await pia.getByRole("link", { name: `Continue at ${host}` }).click();
  await agree();
  await pia.getByRole("heading", { level: 1, name: "Add a second factor" }).waitFor();
});

test("a forgotten password is replaced by the link of an e-mail", async () => {
  const page = await open();
  await page.goto(`${app.url}/dashboard/sign-in`);
  await page.getByRole("link", { name: "Forgotten password" }).click();
  await page.getByLabel("E-mail").fill("olga@example.com");
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByRole("heading", { level: 1, name: "Check your mailbox" }).waitFor();
  await page.goto(await linkOf("new-password"));
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

test.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s, no page has a fault that a machine can find", async (_, viewport) => {
  const page = await open({ viewport, javaScriptEnabled: true });
  await page.goto(`${app.url}/dashboard/set-up/x`);
  await inspect(page);
  await page.goto(`${app.url}/dashboard/forgotten-password`);
  await inspect(page);
  await page.goto(`${app.url}/dashboard`);
  await inspect(page);
  await signIn(page, "olga@example.com");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const home = `${app.url}/dashboard/${app.organization.id}`;
  const below = ["", "/team", "/team/invite", "/team/refund-limit", "/audit-log"].map((path) => home + path);
  const account = ["", "/password", "/second-factor", "/open-id"].map((path) => `${app.url}/dashboard/account${path}`);
  for (const url of [...below, gallery.url, ...account, `${app.url}/dashboard/confirm`]) {
    await page.goto(url);
    await inspect(page);
  }
  await page.goto(`${home}/team`);
  await page.getByRole("link", { name: "Change Olga Owner" }).click();
  await inspect(page);
});
