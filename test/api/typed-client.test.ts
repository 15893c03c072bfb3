import { Billow, ValidationError } from "@billow/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStory, type Story } from "../support/story.ts";

let story: Story;
let billow: Billow;
const customer = { email: "ada@example.com", externalId: "workspace_1" };

beforeAll(async () => {
  story = await startStory({ clock: "2026-01-31T00:00:00Z" });
  const { url, keys } = story.app;
  billow = new Billow({ apiKey: keys.public, manageKey: keys.manage, baseUrl: `${url}/public/v2` });
  const { manage } = billow;
  const seats = await manage.benefits.create({
    key: "seats",
    name: "Seats",
    type: "feature",
    properties: { feature: "seats", value: 5 },
  });
  for (const [key, amount] of [
    ["small", 1000],
    ["large", 3000],
  ] as const)
    await manage.products.create({
      key,
      name: key,
      interval: "month",
      prices: [{ currency: "usd", amount }],
      benefitIds: [seats.id],
    });
  const checkout = await billow.checkouts.create({ productKey: "small", customer });
  await manage.sandbox.payCheckout(checkout.id, { card: "4242424242424242" });
});
afterAll(() => story.close());

test("the Subscriptions of one's own id, a preview of a change, and the price list", async () => {
  const { data } = await billow.manage.subscriptions.list({ externalCustomerId: "workspace_1", status: "active" });
  expect(data).toMatchObject([{ externalCustomerId: "workspace_1", amount: 1000 }]);
  const large = await billow.manage.products.getByKey("large");
  expect(large.prices).toEqual([{ currency: "usd", amount: 3000 }]);
  const preview = await billow.manage.subscriptions.preview(data[0]!.id, { productKey: "large" });
  expect(preview).toMatchObject({ chargeAmount: 2000 });
  const keys: (string | null)[] = [];
  for await (const { key } of billow.manage.products.list({ archived: false, limit: 1 })) keys.push(key);
  expect(keys).toEqual(["large", "small"]);
  expect(await billow.features({ externalCustomerId: "workspace_1" })).toEqual({ seats: 5 });
});

test("a public key makes a portal session and a preview, and no more", async () => {
  const { url, keys } = story.app;
  const { manage } = new Billow({ apiKey: keys.public, baseUrl: `${url}/public/v2` });
  const session = await manage.portalSessions.create({ externalCustomerId: "workspace_1" });
  expect(await (await fetch(session.url)).text()).toContain("ada@example.com");
  await expect(manage.products.list()).rejects.toThrow(
    /^insufficient_scope: .* Pass the option manageKey, .*: node bin\/billow\.mjs keys create --scope manage$/,
  );
});

test("an invoice as a PDF, and a deletion", async () => {
  const [invoice] = (await billow.manage.invoices.list({ externalCustomerId: "workspace_1" })).data;
  const pdf = await billow.manage.invoices.getPdf(invoice!.id);
  expect(new TextDecoder("latin1").decode(pdf.slice(0, 5))).toBe("%PDF-");
  const discount = await billow.manage.discounts.create({
    code: "LAUNCH",
    type: "percentage",
    basisPoints: 2500,
    duration: "once",
  });
  expect(await billow.manage.discounts.delete(discount.id)).toBeUndefined();
  await expect(billow.manage.discounts.get(discount.id)).rejects.toMatchObject({ code: "not_found" });
});

test("the message of an error has the code and each field", async () => {
  const wrong = { email: "ada", name: "x".repeat(300) };
  const error: unknown = await billow.customers.create(wrong).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ValidationError);
  const { message, errors } = error as ValidationError;
  expect(message).toMatch(/^validation_failed: /);
  expect(errors.map(({ pointer }) => pointer)).toEqual(["/email", "/name"]);
  for (const { pointer } of errors) expect(message).toContain(pointer);
});
