import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealMemory } from "../../src/actions/checkout/browser-memory.ts";
import { realNow } from "../../src/clock.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { answerBank, BANK_PAGE, linksOf } from "../support/bank-page.ts";
import { openTab, type Tab } from "../support/cookies.ts";
import { takeHostedCards, payHosted, redirectOf } from "../support/hosted.ts";
import { get, wordsOf } from "../support/pages.ts";
import { signInTo, startWebClient } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const CARD = { number: CARDS.pays, expiry: "12 / 40", cvc: "987" };
const KEY = /ACME(-[0-9A-Z]{5}){4}/;

let story: Story;
let dataDir: string;
let buyers = 0;

const newEmail = () => `grace-${(buyers += 1)}@example.com`;
const manage = (method: string, path: string, body?: object) => story.ok(story.app.manage(method, path, body));
const checkout = (productKey: string, more: object = {}): Promise<Json> =>
  story.ok(story.app.api("POST", "/checkouts", { productKey, ...more }));
const read = (id: string): Promise<Json> => story.ok(story.app.api("GET", `/checkouts/${id}`));

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "billow-deliverables-"));
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"], dataDir });
  const directory = join(dataDir, "downloads", story.app.organization.id);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "setup.txt"), "Run me.");
  const benefits = [
    { type: "license_key", name: "Desktop", properties: { prefix: "ACME", activationLimit: 2 } },
    { type: "download", name: "Installers", properties: { files: [{ path: "setup.txt" }] } },
    { type: "feature", key: "sso", name: "Single sign-on" },
    { type: "custom", name: "Onboarding", properties: { note: "Book your call." } },
  ];
  const ids: string[] = [];
  for (const benefit of benefits) ids.push((await manage("POST", "/benefits", benefit)).id);
  const usd = (amount: number) => ({ prices: [{ currency: "usd", amount }] });
  await story.plan("pro", 3000, { name: "Pro", benefitIds: ids });
  await story.plan("trial", 3000, { name: "Trial", trialDays: 14, group: "trials", benefitIds: ids });
  await story.plan("free", 0, { name: "Free", group: "free", benefitIds: ids });
  await manage("POST", "/products", { key: "book", name: "Book", interval: null, ...usd(4900), benefitIds: ids });
});
afterAll(async () => {
  await story.close();
  await rm(dataDir, { recursive: true });
});

/** Buys on the page, in a browser of its own. */
async function buy(productKey: string, amount: number, more: object = {}, fields: object = {}) {
  const sold = await checkout(productKey, more);
  const tab = openTab();
  const typed = { email: newEmail(), expectedAmount: String(amount), ...CARD, ...fields };
  expect(await tab.post(sold.url, typed)).toMatchObject({ status: 303 });
  return { ...sold, tab, email: typed.email, page: async () => wordsOf((await tab.get(sold.url)).text) };
}

const grantedKey = async (id: string) => {
  const { subscriptionId, invoiceId } = await read(id);
  const source = subscriptionId === null ? `invoiceId=${invoiceId}` : `subscriptionId=${subscriptionId}`;
  const { data } = await manage("GET", `/benefit-grants?${source}&type=license_key`);
  return data[0].properties.key as string;
};

describe("the browser that paid", () => {
  test("sees key, file, note, card, invoice and next charge", async () => {
    const { url, id, tab } = await buy("pro", 3000);
    const { text } = await tab.get(url);
    const key = await grantedKey(id);
    const words = wordsOf(text);
    expect(words).toContain("Thank you Paid US$30.00 with Visa ending in 4242. Your purchase Pro");
    expect(words.match(/Paid/g)).toHaveLength(1);
    expect(words).toContain("Then US$30.00 every month from 1 April 2026, until you cancel.");
    expect(words).toContain(
      `Your purchase includes Desktop ${key} Copy Installers setup.txt Single sign-on Onboarding`,
    );
    expect(words).toContain("Book your call.");
    const [file] = linksOf(text).filter((link) => link.includes("/downloads/"));
    expect(await get(file!.replaceAll("&amp;", "&"))).toMatchObject({ status: 200, text: "Run me." });
    const { invoiceId } = await read(id);
    const { url: invoice } = await manage("GET", `/invoices/${invoiceId}`);
    const path = new URL(invoice).pathname;
    expect(linksOf(text)).toEqual(
      expect.arrayContaining([path, `${path}/pdf`, `/portal/${story.app.organization.id}`]),
    );
  });

  test("sees them beside the link to the shop, after the redirect", async () => {
    const { url, tab } = await buy("pro", 3000, { successUrl: "https://shop.example/thanks" });
    expect((await tab.get(url)).text).toContain(`http-equiv="refresh" content="0; url=https://shop.example/thanks"`);
    const { text } = await tab.get(url);
    expect(text).not.toContain("http-equiv");
    expect(wordsOf(text)).toMatch(KEY);
    expect(linksOf(text)).toContain("https://shop.example/thanks");
  });

  test("sees only the deliverables of this purchase", async () => {
    const customer = { email: newEmail(), externalId: "twice" };
    const first = await buy("book", 4900, { customer });
    const second = await buy("book", 4900, { customer });
    const keys = await Promise.all([first, second].map(({ id }) => grantedKey(id)));
    expect(new Set(keys).size).toBe(2);
    for (const [n, bought] of [first, second].entries()) {
      const words = await bought.page();
      expect([words.includes(keys[n]!), words.includes(keys[1 - n]!)]).toEqual([true, false]);
    }
  });

  test.each([
    ["trial", "Your card is saved: Visa ending in 4242. Your free trial has started.", false],
    ["free", "Thank you Your order is complete.", true],
  ])("of a Product with the key %s sees the deliverables, too", async (productKey, said, hasInvoice) => {
    const { page } = await buy(productKey, 0);
    const words = await page();
    expect(words).toContain(said);
    expect(words).toMatch(KEY);
    expect(words.includes("Invoice ")).toBe(hasInvoice);
  });

  test("sees them after its bank has asked", async () => {
    const { url, tab } = await buy("pro", 3000, {}, { number: CARDS.asksBuyer });
    const bank = linksOf((await tab.get(url)).text).find((link) => BANK_PAGE.test(link))!;
    await answerBank(bank, true);
    expect(wordsOf((await tab.get(url)).text)).toMatch(KEY);
  });

  test("sees no deliverables after a full refund", async () => {
    const { id, page } = await buy("book", 4900);
    const { invoiceId } = await read(id);
    expect(await page()).toMatch(KEY);
    await manage("POST", `/invoices/${invoiceId}/refunds`, { revokeGrants: true });
    await story.settle();
    const words = await page();
    expect(words).not.toMatch(KEY);
    expect(words).not.toContain("preparing this");
  });

  test("is told of a Benefit that is still to come, and polls for it", async () => {
    const { url, id, tab } = await buy("book", 4900);
    const late = await manage("POST", "/benefits", {
      type: "custom",
      name: "Poster",
      properties: { note: "By post." },
    });
    const { productId } = await read(id);
    const { benefitIds } = await manage("GET", `/products/${productId}`);
    await manage("PATCH", `/products/${productId}`, { benefitIds: [...benefitIds, late.id] });
    const { text } = await tab.get(url);
    expect(wordsOf(text)).toContain("Poster We’re preparing this. It appears here as soon as it is ready.");
    expect(text).toContain(`data-progress="completed 1"`);
    expect((await tab.get(`${url}/status`)).text).toBe("completed 1");
    expect((await get(`${url}/status`)).text).toBe("completed");
    await story.settle();
    expect((await tab.get(`${url}/status`)).text).toBe("completed");
    expect(wordsOf((await tab.get(url)).text)).toContain("By post.");
    await manage("PATCH", `/products/${productId}`, { benefitIds });
  });
});

describe("another browser", () => {
  test("learns only the masked address to which the key was sent", async () => {
    const { url, email, id } = await buy("pro", 3000);
    const { text } = await get(url);
    const words = wordsOf(text);
    expect(words).toContain("We’ve e-mailed your licence key to g•••@e•••.com .");
    expect(words).not.toMatch(KEY);
    for (const hidden of [email, "in 4242", "/invoices/", "/downloads/"]) expect(text).not.toContain(hidden);
    expect(linksOf(text)).toContain(`/portal/${story.app.organization.id}/purchases/${id}`);
  });

  test("is told of the e-mail after a free purchase, too", async () => {
    const { url } = await buy("free", 0);
    expect(wordsOf((await get(url)).text)).toContain("We’ve e-mailed your licence key to g•••@e•••.com .");
  });

  test("that tried before the buyer sees no deliverables", async () => {
    const { url } = await checkout("pro");
    const [stranger, buyer] = [openTab(), openTab()];
    const shown = { expectedAmount: "3000", ...CARD };
    expect(await stranger.post(url, { ...shown, number: CARDS.asksBuyer, email: newEmail() })).toMatchObject({
      status: 303,
    });
    expect([...stranger.cookies.keys()]).toContain("billow_purchase");
    expect(await buyer.post(url, { action: "give-up" })).toMatchObject({ status: 303 });
    expect(await buyer.post(url, { ...shown, email: newEmail() })).toMatchObject({ status: 303 });
    expect(wordsOf((await buyer.get(url)).text)).toMatch(KEY);
    expect(wordsOf((await stranger.get(url)).text)).not.toMatch(KEY);
  });

  test("that the bank led back sees no deliverables", async () => {
    const { url, tab } = await buy("pro", 3000, {}, { number: CARDS.asksBuyer });
    const bank = linksOf((await tab.get(url)).text).find((link) => BANK_PAGE.test(link))!;
    const back = redirectOf(bank, await answerBank(bank, true));
    const other = openTab();
    expect(redirectOf(back, await other.get(back))).toBe(url);
    expect(wordsOf((await other.get(url)).text)).not.toMatch(KEY);
    expect(wordsOf((await tab.get(url)).text)).toMatch(KEY);
  });
});

test("a proof counts for one Checkout, unchanged and for 24 hours", async () => {
  const [one, other] = [await buy("book", 4900), await buy("book", 4900)];
  const proof = ({ tab }: { tab: Tab }) => tab.cookies.get("billow_purchase")!;
  const sees = async ({ url }: Json, cookie: string) =>
    KEY.test(wordsOf((await get(url, "GET", { Cookie: `billow_purchase=${cookie}` })).text));
  expect(await sees(one, proof(one))).toBe(true);
  expect(await sees(other, proof(one))).toBe(false);
  for (const wrong of [`${proof(one)}A`, proof(one).slice(0, -1), "v1.x.y.z", "1", ""])
    expect(await sees(one, wrong)).toBe(false);
  const page = { organizationId: story.app.organization.id, id: one.id };
  const [payment] = (await manage("GET", `/payments?checkoutId=${one.id}`)).data;
  const at = (hours: number, value: object = { paymentId: payment.id, email: null, name: null }) =>
    sealMemory(story.app.ctx, page, "purchase", JSON.stringify(value), realNow() - hours * 3_600_000);
  expect([await sees(one, at(23)), await sees(one, at(25))]).toEqual([true, false]);
  expect(await sees(one, at(1, { paymentId: null, email: null, name: null }))).toBe(false);
});

test("a typed address opens no data of the Customer who has it", async () => {
  const owner = { email: newEmail(), name: "Owner of the address", externalId: "owner" };
  await story.ok(story.app.api("POST", "/customers", owner));
  const theirs = await buy("book", 4900, {}, { email: owner.email, name: "Somebody" });
  const { text } = await theirs.tab.get(theirs.url);
  expect(wordsOf(text)).toMatch(KEY);
  for (const hidden of ["/invoices/", "Owner of the address"]) expect(text).not.toContain(hidden);
  const own = await buy("book", 4900, {}, { name: "Ada" });
  expect((await own.tab.get(own.url)).text).toContain("/invoices/");
  // The second invoice of an address would tell that there was a first one.
  const again = await buy("book", 4900, {}, { email: own.email, name: "Ada" });
  expect((await again.tab.get(again.url)).text).not.toContain("/invoices/");
});

test("a former address does not open the present one", async () => {
  const [old, present] = [newEmail(), newEmail()];
  const { id } = await story.ok(story.app.api("POST", "/customers", { email: old }));
  const there = await signInTo(story, id);
  const portal = `/portal/${story.app.organization.id}`;
  expect((await there.post(`${portal}/email`, { email: present })).status).toBe(200);
  await mailOnce(story.app.ctx);
  const [{ id: emailId }] = (await manage("GET", `/emails?customerId=${id}`)).data;
  const [link] = /\/portal\/\S+\/confirm\/[\w-]+/.exec((await manage("GET", `/emails/${emailId}`)).text)!;
  expect((await there.post(link)).status).toBe(200);
  // Until the change can no longer be undone, the former address leads to this Customer.
  const { tab, url, id: sold } = await buy("book", 4900, {}, { email: old });
  expect((await read(sold)).customerId).toBe(id);
  const { text } = await tab.get(url);
  expect(wordsOf(text)).toMatch(KEY);
  for (const hidden of ["/invoices/", present]) expect(text).not.toContain(hidden);
});

test("the owner of the purchase sees it in any browser, signed in to the portal", async () => {
  const { id, url } = await buy("book", 4900);
  const { customerId } = await read(id);
  const path = `/portal/${story.app.organization.id}/purchases/${id}`;
  const anyone = startWebClient(story.app.url);
  expect((await anyone.get(path)).headers.get("Location")).toBe(`/portal/${story.app.organization.id}`);
  const owner = await signInTo(story, customerId);
  const { status, text } = await owner.get(path);
  expect([status, wordsOf(text)]).toEqual([200, expect.stringMatching(KEY)]);
  expect(text).toContain("/invoices/");
  expect((await owner.get(`${path}/status`)).text).toBe("completed");
  const other = await buy("book", 4900);
  const open = await checkout("book", { customerId });
  for (const wrong of [other.id, open.id, "chk_x"]) {
    const page = await owner.get(`/portal/${story.app.organization.id}/purchases/${wrong}`);
    expect(page.status).toBe(404);
  }
  // The session is a cookie of the portal. The Checkout's own page stays closed.
  expect(wordsOf((await get(url)).text)).not.toMatch(KEY);
  await manage("DELETE", `/customers/${customerId}`);
  expect((await owner.get(path)).status).toBe(303);
  expect(wordsOf((await get(url)).text)).not.toContain("e-mail");
});

test("a purchase on the provider's page is seen by the browser that began it", async () => {
  const sandbox = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await takeHostedCards(sandbox.app);
  const { id } = await sandbox.ok(
    sandbox.app.manage("POST", "/benefits", { type: "license_key", name: "Key", properties: { prefix: "ACME" } }),
  );
  await sandbox.plan("pro", 3000, { benefitIds: [id] });
  const { url } = await sandbox.ok(sandbox.app.api("POST", "/checkouts", { productKey: "pro" }));
  const tab = openTab();
  const begun = await tab.post(url, { email: newEmail(), expectedAmount: "3000" });
  const back = await payHosted(redirectOf(url, begun), CARDS.pays);
  await tab.get(back);
  const words = wordsOf((await tab.get(url)).text);
  expect(words).toContain("Paid US$30.00 with Visa ending in 4242.");
  expect(words).toMatch(KEY);
  await sandbox.close();
});
