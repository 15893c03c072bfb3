import { afterAll, beforeAll, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { get, wordsOf } from "../support/pages.ts";
import { startStory, type Story } from "../support/story.ts";

let story: Story;

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  const { app, ok, plan } = story;
  const make = (body: object) => ok(app.manage("POST", "/benefits", body));
  const { id: key } = await make({ name: "Editor", type: "license_key", properties: { activationLimit: 2 } });
  const { id: seats } = await make({ key: "seats", name: "Members", type: "feature", properties: { value: 1500 } });
  const benefitIds = [key, seats];
  await plan("free", 0, { name: "Free", benefitIds });
  await plan("gift", 0, { name: "Gift", interval: null, benefitIds });
  await plan("pro", 3000, { name: "Pro", benefitIds });
  const discount = { code: "ALL", type: "percentage", basisPoints: 10_000, duration: "once" };
  await ok(app.manage("POST", "/discounts", discount));
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

async function take(productKey: string, name: string, more: object = {}): Promise<Json> {
  const { app, ok } = story;
  const customer = { email: `${name}@example.com`, externalId: name };
  const { id, url } = await ok(app.api("POST", "/checkouts", { productKey, customer, ...more }));
  const card = productKey === "pro" ? { card: "4242424242424242" } : {};
  return { ...(await ok(app.manage("POST", `/sandbox/checkouts/${id}/pay`, card))), url };
}

async function emailsTo({ customerId }: Json): Promise<Json[]> {
  await mailOnce(story.app.ctx);
  const { data } = await story.ok(story.app.manage("GET", `/emails?customerId=${customerId}`));
  return Promise.all(data.map(({ id }: Json) => story.ok(story.app.manage("GET", `/emails/${id}`))));
}
const keyOf = async (externalId: string): Promise<string> =>
  (await story.ok(story.app.api("GET", `/benefit-grants?externalCustomerId=${externalId}`))).data.find(
    ({ properties }: Json) => "key" in properties,
  ).properties.key;

test.each([
  ["free", "Free", {}],
  ["gift", "Gift", {}],
  ["pro", "Pro", { discountCode: "ALL" }],
])("a purchase of 0 (%s) has an e-mail with the license key, the value of a feature and the invoice", async (...of) => {
  const [productKey, name, more] = of;
  const sold = await take(productKey, productKey, more);
  const [email, ...others] = await emailsTo(sold);
  expect(others).toEqual([]);
  expect(email).toMatchObject({ kind: "order_confirmation", status: "kept", invoiceId: sold.invoiceId });
  const text = (email!.text as string).replaceAll("\u00a0", " ");
  for (const said of [
    `Your order for ${name} is complete. You were not charged.`,
    await keyOf(productKey),
    "Included: Members: 1,500",
    `/invoices/${sold.invoiceId}/`,
    `/portal/${story.app.organization.id}`,
  ])
    expect(text).toContain(said);
  expect(text.includes("Next charge")).toBe(productKey === "pro");
});

test("the page of a free purchase says where the key is, and leads on", async () => {
  const { url } = await take("free", "page");
  const { text } = await get(url);
  expect(wordsOf(text)).toContain("We’ve e-mailed your licence key to");
  expect(text).toMatch(/<a class="button" href="[^"]*\/portal\/[^"]*\/purchases\//);
});

test("the page of a Checkout has the value of a feature", async () => {
  const { url } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", locale: "fr" }));
  const page = await fetch(url, { headers: { Accept: "text/html" } });
  expect(await page.text()).toContain("<bdi>Members\u00a0: 1\u202f500</bdi>");
});

test("can be switched off", async () => {
  await story.ok(story.app.manage("PATCH", "/organization", { emails: { orderConfirmation: false } }));
  expect(await emailsTo(await take("free", "off"))).toEqual([]);
});
