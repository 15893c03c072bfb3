import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import { DESK, inspect, PHONE } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { startStory, type Story } from "../support/story.ts";

let story: Story;
let browser: Browser;
let portal: string;
let buyers = 0;

beforeAll(async () => {
  [story, browser] = await Promise.all([startStory({ clock: "2026-01-15T09:00:00Z" }), launchBrowser()]);
  const branding = { displayName: "Acme Tools", accentColor: null, logoUrl: null };
  portal = (await story.ok(story.app.manage("PATCH", "/organization", { branding }))).portalUrl;
});
afterAll(async () => {
  await browser.close();
  await story.close();
});

type Entered = { id: string; email: string; page: Page; context: BrowserContext };

/** A new Customer, signed in. */
async function enter(options: Parameters<Browser["newContext"]>[0], locale: string | null = null): Promise<Entered> {
  const email = `ada-${(buyers += 1)}@example.com`;
  const { id } = await story.ok(story.app.api("POST", "/customers", { email, name: "Ada Lovelace", locale }));
  const { url } = await story.ok(story.app.manage("POST", `/customers/${id}/portal-sessions`, {}));
  const context = await browser.newContext({ viewport: DESK, ...options });
  const page = await context.newPage();
  await page.goto(url);
  if (page.url() !== portal) await page.getByRole("main").getByRole("button").first().click();
  await page.waitForURL(portal);
  return { id, email, page, context };
}

/** Opens the newest e-mail of a kind on the sandbox's page, and the link in the e-mail in a new tab. */
async function openEmail({ id, context }: Entered, kind: string, label: string): Promise<Page> {
  await story.app.runDue();
  await mailOnce(story.app.ctx);
  const { data } = await story.ok(story.app.manage("GET", `/emails?kind=${kind}&customerId=${id}&limit=1`));
  const page = await context.newPage();
  await page.goto(data[0].url);
  const [linked] = await Promise.all([
    context.waitForEvent("page"),
    page.frameLocator("iframe").getByRole("link", { name: label }).click(),
  ]);
  await linked.waitForLoadState();
  return linked;
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();
const addressOf = async (id: string): Promise<string> =>
  (await story.ok(story.app.manage("GET", `/customers/${id}`))).email;

describe.each([
  ["without a script", false],
  ["with a script", true],
])("%s", (_, javaScriptEnabled) => {
  test("a Customer changes the e-mail address, and the old address takes the change back", async () => {
    const entered = await enter({ javaScriptEnabled });
    const { id, email, page, context } = entered;
    const next = `new.${email}`;
    await page.getByRole("link", { name: "Change e-mail address" }).click();
    expect(await page.getByRole("main").textContent()).toContain(`Your current address is ${email}.`);
    await page.getByLabel("New e-mail address").fill("ada");
    await page.getByRole("button", { name: "Send a confirmation link" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("New e-mail address").inputValue()).toBe("ada");
    await page.getByLabel("New e-mail address").fill(next);
    await page.getByRole("button", { name: "Send a confirmation link" }).click();
    await page.getByText(`sending a link to ${next}`).waitFor();
    expect(await heading(page)).toBe("Check your e\u2011mail");

    const confirm = await openEmail(entered, "portal_email_confirm", "Confirm this address");
    expect(await confirm.getByRole("main").textContent()).toContain(`will use ${next} for signing in`);
    expect(await addressOf(id)).toBe(email);
    await confirm.getByRole("button", { name: "Confirm this address" }).click();
    await confirm.getByText("We’ve told your previous address").waitFor();
    expect(await addressOf(id)).toBe(next);
    await confirm.getByRole("link", { name: "Sign in" }).click();
    await confirm.getByRole("button", { name: "Send me a link" }).waitFor();
    await page.reload();

    const undo = await openEmail(entered, "portal_email_changed", "Undo the change");
    expect(await undo.getByRole("main").textContent()).toContain(`Your account at Acme Tools will use ${email} again.`);
    await undo.getByRole("button", { name: "Undo the change" }).click();
    await undo.getByText("The change was undone, and everyone was signed out.").waitFor();
    expect(await addressOf(id)).toBe(email);
    await context.close();
  });
});

test("the way is possible by keyboard alone", async () => {
  const { email, page, context } = await enter({});
  const tabTo = async (name: RegExp) => {
    for (let n = 0; n < 40; n += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(
        "document.activeElement?.textContent.trim() + ' ' + (document.activeElement?.id ?? '')",
      );
      if (name.test(String(focused))) return;
    }
    throw new Error(`no tab stop ${name}`);
  };
  await tabTo(/^Change e-mail address/);
  await page.keyboard.press("Enter");
  await page.getByLabel("New e-mail address").waitFor();
  await tabTo(/ email$/);
  await page.keyboard.type(`keys.${email}`);
  await page.keyboard.press("Enter");
  await page.getByText(`sending a link to keys.${email}`).waitFor();
  await context.close();
});

describe.each([
  ["a phone", PHONE],
  ["a desk", DESK],
])("on %s", (_, viewport) => {
  test("the pages have no fault that a machine can find", async () => {
    const entered = await enter({ viewport });
    const { email, page, context } = entered;
    await inspect(page);
    await page.getByRole("link", { name: "Change e-mail address" }).click();
    await page.getByLabel("New e-mail address").waitFor();
    await inspect(page);
    await page.getByRole("button", { name: "Send a confirmation link" }).click();
    await page.getByRole("alert").waitFor();
    await inspect(page);
    const long = `a.long.address.that.does.not.fit.in.one.line.${email}`;
    await page.getByLabel("New e-mail address").fill(long);
    await page.getByRole("button", { name: "Send a confirmation link" }).click();
    await page.getByText("Check your e\u2011mail").waitFor();
    await inspect(page);
    const confirm = await openEmail(entered, "portal_email_confirm", "Confirm this address");
    await inspect(confirm);
    await confirm.getByRole("button", { name: "Confirm this address" }).click();
    await confirm.getByText("We’ve told your previous address").waitFor();
    await inspect(confirm);
    const undo = await openEmail(entered, "portal_email_changed", "Undo the change");
    await inspect(undo);
    await undo.getByRole("button", { name: "Undo the change" }).click();
    await undo.getByText("The change was undone").waitFor();
    await inspect(undo);
    await undo.reload();
    await context.close();
  });
});

test.each([
  ["de", "E\u2011Mail-Adresse ändern", "Neue E\u2011Mail-Adresse", "Prüfen Sie Ihren Posteingang"],
  ["fr", "Modifier l’adresse e-mail", "Nouvelle adresse e-mail", "Consultez votre messagerie"],
  ["es", "Cambiar el correo electrónico", "Nuevo correo electrónico", "Revise su correo"],
  ["ja", "メールアドレスを変更", "新しいメールアドレス", "メールをご確認ください"],
])("the pages speak %s", async (locale, change, label, sent) => {
  const { email, page, context } = await enter({ viewport: PHONE }, locale);
  await page.getByRole("link", { name: change }).click();
  await page.getByLabel(label).fill(`${locale}.${email}`);
  await page.getByLabel(label).press("Enter");
  await page.getByText(sent).waitFor();
  await inspect(page);
  await context.close();
});
