import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../support/app.ts";
import { CARDS, ok } from "../support/story.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const usd = (amount: number) => [{ currency: "usd", amount }];
const sold = (amount: number, quantity?: object) => ({
  name: "Credits",
  interval: "month",
  prices: usd(amount),
  ...(quantity && { quantity }),
});
const create = (body: object) => app.manage("POST", "/products", body);
const fault = (pointer: string, code: string) => ({
  status: 422,
  body: { code: "validation_failed", errors: [{ in: "body", pointer, code }] },
});

test("a unit may cost less than the minimum charge if the smallest quantity does not (rule M5a)", async () => {
  const at = "/prices/0/amount";
  expect(await create(sold(5))).toMatchObject(fault(at, "below_minimum_charge"));
  const few = await create(sold(5, { minimum: 9 }));
  expect(few).toMatchObject(fault(at, "total_below_minimum_charge"));
  expect(few.body.errors[0].message).toContain("The price × 9, the smallest quantity, in usd is 0 or at least 50");
  await ok(create(sold(0, { minimum: 9 })));
  const { id } = await ok(create({ ...sold(5, { minimum: 10 }), key: "credits" }));
  const checkout = await ok(app.api("POST", "/checkouts", { productKey: "credits" }));
  expect(checkout).toMatchObject({ quantity: 10, unitAmount: 5, subtotalAmount: 50 });
  const less = await app.api("POST", "/checkouts", { productKey: "credits", quantity: 9 });
  expect(less).toMatchObject(fault("/quantity", "quantity_not_offered"));
  const customer = { email: "ada@example.com", externalId: "ada" };
  const bought = await ok(app.api("POST", "/checkouts", { productKey: "credits", customer }));
  const paid = await ok(app.manage("POST", `/sandbox/checkouts/${bought.id}/pay`, { card: CARDS.pays }));
  const invoices = await ok(app.manage("GET", `/invoices?subscriptionId=${paid.subscriptionId}`));
  expect(invoices.data).toMatchObject([{ status: "paid", totalAmount: 50, amountDue: 50 }]);
  expect((await ok(app.manage("GET", `/products/${id}`))).prices).toEqual(usd(5));
});

test("a change of the prices or of the limits keeps the smallest total chargeable (rule Q1)", async () => {
  const { id } = await ok(create(sold(5, { minimum: 10 })));
  const change = (body: object) => app.manage("PATCH", `/products/${id}`, body);
  expect(await change({ prices: usd(4) })).toMatchObject(fault("/prices/0/amount", "total_below_minimum_charge"));
  expect(await change({ quantity: { minimum: 9 } })).toMatchObject(
    fault("/quantity/minimum", "total_below_minimum_charge"),
  );
  expect(await change({ quantity: {} })).toMatchObject(fault("/quantity/minimum", "below_minimum_charge"));
  expect(await change({ quantity: { minimum: 25 }, prices: usd(2) })).toMatchObject({ status: 200 });
  expect(await change({ quantity: { minimum: 50, maximum: 60 }, prices: usd(1) })).toMatchObject({ status: 200 });
  expect(await change({ name: "Credits, renamed" })).toMatchObject({ status: 200 });
});

test("the catalogue's price is refused for a quantity of before that it makes too cheap (rule Q6b)", async () => {
  const { id } = await ok(create({ ...sold(100, { minimum: 1 }), key: "cheap", group: "cheap" }));
  const body = { productKey: "cheap", customer: { email: "ben@example.com", externalId: "ben" } };
  const { subscriptionId } = await ok(
    app.manage("POST", `/sandbox/checkouts/${(await ok(app.api("POST", "/checkouts", body))).id}/pay`, {
      card: CARDS.pays,
    }),
  );
  await ok(app.manage("PATCH", `/products/${id}`, { prices: usd(10), quantity: { minimum: 5 } }));
  const patch = (asked: object) => app.api("PATCH", `/subscriptions/${subscriptionId}`, asked);
  const catalogue = { productKey: "cheap", price: "catalogue" };
  expect(await patch(catalogue)).toMatchObject(fault("/quantity", "below_minimum"));
  expect(await patch({ ...catalogue, quantity: 5 })).toMatchObject({ status: 200, body: { amount: 50, quantity: 5 } });
});
