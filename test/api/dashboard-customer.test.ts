import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller } from "../support/app.ts";
import { startFixture, type Fixture } from "../support/dashboard-fixture.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";

let fixture: Fixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture.story.close());

const read = async (path: string) => {
  const { status, text } = await fixture.owner.get(fixture.home + path);
  return { status, text, words: wordsOf(text) };
};
const manage = (path: string) => fixture.story.ok(fixture.story.app.manage("GET", path));

test("the page tells plan, money and access at a glance", async () => {
  const { status, words } = await read(`/customers/${fixture.ada.customerId}`);
  expect(status).toBe(200);
  expect(words).toMatch(/Plan Pro Active Renews 1 May 2026, 04:00 Next charge 1 May 2026, 04:00 : US\$30\.00/);
  expect(words).toContain("A dispute holds the card back Why this charge ? Owed None Balance None Card Visa");
  expect(words).toContain("Access Desktop");
  expect(words).toContain("E-mail ada@example.com Name Ada Lovelace Company Engines");
  const grace = (await read(`/customers/${fixture.grace.customerId}`)).words;
  expect(grace).toMatch(/Plan Pro Past due The charge is tried again \d+ Apr 2026/);
  expect(grace).toMatch(/Owed US\$30\.00, invoice \S+-0002/);
});

test("links lead to each part of the long page, and the webhooks fold away", async () => {
  const { text } = await read(`/customers/${fixture.ada.customerId}`);
  const [, contents] = /<nav class="contents"[^>]*>(.*?)<\/nav>/s.exec(text)!;
  const links = [...contents!.matchAll(/href="#(\w+)"/g)].map(([, name]) => name!);
  expect(links).toEqual([...text.matchAll(/<h2 id="(\w+)"/g)].map(([, name]) => name).slice(2));
  expect(text).toMatch(/<details class="unfold"><summary>The \d+ newest events and their deliveries<\/summary>/);
});

test("every amount of an invoice has the explanation of the management API", async () => {
  const { text, words } = await read(`/customers/${fixture.ada.customerId}`);
  const explained = await manage(`/invoices/${fixture.invoice.id}/explanation`);
  const amounts = [...explained.lines.map((line: { amount: object }) => line.amount), explained.total, explained.due];
  for (const { text: line } of amounts) expect(words).toContain(line);
  expect(text).toContain(`id="${fixture.invoice.id}"`);
  expect(words).toContain("Refund of US$5.00 to the card");
  expect(words).toContain("Refunded in total: US$5.00.");
  expect(words).toContain("Dispute about US$25.00 (not received)");
  for (const { id } of [fixture.refund, fixture.dispute]) expect(text).toContain(`id="${id}"`);
});

test("the next charge is explained as the invoice that the renewal will make", async () => {
  const { app, ok, plan, buy } = fixture.story;
  await ok(
    app.manage("POST", "/discounts", { code: "TEN", type: "percentage", basisPoints: 1000, duration: "forever" }),
  );
  await plan("why", 2635, { name: "Why" });
  await plan("other", 1000, { name: "Other", group: "other" });
  const customer = { email: "why@example.com", externalId: "why" };
  const { customerId } = await buy({ productKey: "why", discountCode: "TEN", customer }, CARDS.pays);
  await buy({ productKey: "other", customer }, CARDS.pays);
  const credit = { currency: "usd", amount: 300, reason: "Sorry" };
  await ok(app.manage("POST", `/customers/${customerId}/balance-adjustments`, credit));
  const page = await read(`/customers/${customerId}`);
  expect(page.words).toContain("US$20.71");
  expect(page.text).toContain(
    `/customers/${customerId}/next-invoices">Why<span class="hidden"> this charge</span>?</a>`,
  );
  const { words } = await read(`/customers/${customerId}/next-invoices`);
  expect(words).toMatch(/Why , \d+ \w+ 2026, \d\d:\d\d : US\$20\.71/);
  expect(words).toContain("Discount TEN: 10 % of US$26.35 is US$2.64.");
  expect(words).toContain("The balance had US$3.00. It settles US$3.00 of the total.");
  expect(words).toMatch(/Other , \d+ \w+ 2026, \d\d:\d\d : US\$10\.00/);
  expect((await manage(`/invoices?customerId=${customerId}`)).data).toHaveLength(2);
  const { id } = await ok(app.api("POST", "/customers", { email: "no-plan@example.com" }));
  expect((await read(`/customers/${id}/next-invoices`)).words).toContain("There is no next invoice");
});

test("a grant says why it is active or not, with the masked key of a license", async () => {
  const { data } = await manage(`/benefit-grants?customerId=${fixture.ada.customerId}`);
  const { words } = await read(`/customers/${fixture.ada.customerId}`);
  expect(words).toContain("Desktop Active");
  const masked = `••••${data[0].properties.key.slice(-4)}`;
  expect(words).toContain(
    `Desktop: granted, because the Product was bought. ${masked} Show the key of Desktop Activations: 0`,
  );
});

test("the timeline has the words of the management API, newest first", async () => {
  const { data } = await manage(`/subscriptions/${fixture.ada.id}/timeline`);
  const { words } = await read(`/customers/${fixture.ada.customerId}/timeline`);
  const positions = data.map(({ text }: { text: string }) => words.indexOf(text));
  expect(Math.min(...positions)).toBeGreaterThan(0);
  expect(words).toContain("The Customer was created.");
  expect(words.indexOf("The Subscription was renewed")).toBeLessThan(words.indexOf("The Subscription began"));
});

test("a Customer of another Organization, an unknown id and a wrong cursor are not found", async () => {
  const { app, ok } = fixture.story;
  const { keys } = await app.otherOrganization();
  const stranger = await ok(
    caller(`${app.url}/public/v2`, keys.public)("POST", "/customers", { email: "s@example.com" }),
  );
  for (const id of [stranger.id, newId("cus"), "x"])
    for (const path of ["", "/invoices", "/payments", "/timeline"])
      expect((await read(`/customers/${id}${path}`)).status, id + path).toBe(404);
  expect((await read(`/customers/${fixture.ada.customerId}/invoices?cursor=${newId("pay")}`)).status).toBe(404);
});

test("a Customer without purchases sees the next steps, and older rows have their own pages", async () => {
  const { app, ok, buy, travel } = fixture.story;
  const { id } = await ok(app.api("POST", "/customers", { email: "new@example.com" }));
  const { words } = await read(`/customers/${id}`);
  expect(words).toContain("Plan None Next charge None");
  expect(words).toContain("There is no invoice yet. The first purchase creates the first invoice.");

  const bought = await buy({ productKey: "pro", customer: { email: "edith@example.com" } }, CARDS.pays);
  const [invoice] = (await manage(`/invoices?customerId=${bought.customerId}`)).data;
  await travel("2027-02-02");
  const page = `/customers/${bought.customerId}`;
  const first = await read(page);
  expect(first.text).not.toContain(`id="${invoice.id}"`);
  const [, older] = /href="([^"]+)">Older invoices</.exec(first.text) ?? [];
  expect((await fixture.owner.get(older!)).text).toContain(`id="${invoice.id}"`);
  expect((await read(`${page}/invoices`)).text).toContain(`id="${invoice.id}"`);
  expect((await read(`${page}/payments`)).words).toContain("Succeeded");

  await ok(app.manage("DELETE", `/customers/${id}`));
  const deleted = await read(`/customers/${id}`);
  expect(deleted.words).toContain("This Customer is deleted.");
  expect(deleted.text).not.toContain("new@example.com");
});
