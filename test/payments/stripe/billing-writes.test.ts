import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, type How, type Value } from "./client.ts";
import { startStripe, type StripeServer } from "./server.ts";

// Changes of subscriptions and balances at Stripe Billing, by Stripe's description of the version.

let stripe: StripeServer;
let send: ReturnType<typeof clientOf>;
beforeAll(async () => {
  stripe = await startStripe();
  send = clientOf(stripe);
});
afterAll(() => stripe.close());

const buyer = () => stripe.operations.makeCustomer({ email: "ada@example.com", name: "Ada" });
const done = async (endpoint: string, params: Record<string, Value> = {}, how: How = {}) => {
  const { status, body } = await send(endpoint, params, how);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body;
};
const refused = async (endpoint: string, params: Record<string, Value> = {}, how: How = {}) => {
  const { status, body } = await send(endpoint, params, how);
  return { status, code: body.error?.code, param: body.error?.param };
};

describe("a subscription", () => {
  test("is read with its card, and stays readable when it has ended", async () => {
    const customer = buyer();
    const card = stripe.operations.attachCard(customer);
    const id = stripe.operations.subscribe(customer, { default_payment_method: card });
    const expand = ["default_payment_method", "customer"];
    const running = await done(`GET /v1/subscriptions/${id}`, { expand });
    expect(running).toMatchObject({ id, customer: { id: customer }, default_payment_method: { id: card } });
    await done(`DELETE /v1/subscriptions/${id}`);
    expect(await done(`GET /v1/subscriptions/${id}`)).toMatchObject({ id, status: "canceled" });
    expect(await refused("GET /v1/subscriptions/sub_none")).toMatchObject({ status: 404, code: "resource_missing" });
  });

  test("is paused and goes on, with its metadata, once for each Idempotency-Key", async () => {
    const path = `POST /v1/subscriptions/${stripe.operations.subscribe(buyer())}`;
    const pause = { pause_collection: { behavior: "void" }, metadata: { moved: "yes" } };
    const [once, again] = [
      await done(path, pause, { idempotencyKey: "pause-1" }),
      await done(path, pause, { idempotencyKey: "pause-1" }),
    ];
    expect(again).toEqual(once);
    expect(once).toMatchObject({
      pause_collection: { behavior: "void", resumes_at: null },
      metadata: { moved: "yes" },
      status: "active",
    });
    const other = { pause_collection: { behavior: "keep_as_draft" } };
    expect(await refused(path, other, { idempotencyKey: "pause-1" })).toMatchObject({ status: 400 });
    const running = await done(path, { pause_collection: "", metadata: { moved: "" } });
    expect(running).toMatchObject({ pause_collection: null, metadata: {} });
    const changes = stripe.events.filter(({ type }) => type === "customer.subscription.updated");
    expect(changes.map(({ data }) => data.previous_attributes)).toMatchObject([
      { pause_collection: null },
      { pause_collection: { behavior: "void" } },
    ]);
  });

  test("ends with its period on request, and not any more on another", async () => {
    const id = stripe.operations.subscribe(buyer());
    const { items } = stripe.book.subscriptions.get(id)!;
    const end = items.data[0]!.current_period_end;
    const path = `POST /v1/subscriptions/${id}`;
    const ending = await done(path, { cancel_at_period_end: true });
    expect(ending).toMatchObject({ cancel_at_period_end: true, cancel_at: end });
    expect(await refused("POST /v1/invoices/create_preview", { subscription: id })).toMatchObject({
      status: 404,
      code: "invoice_upcoming_none",
    });
    expect(await done(path, { cancel_at_period_end: false })).toMatchObject({ cancel_at: null, canceled_at: null });
  });

  test.each<[params: Record<string, Value>, param: string]>([
    [{ pause_collection: { resumes_at: 1 } }, "pause_collection[behavior]"],
    [{ pause_collection: { behavior: "stop" } }, "pause_collection[behavior]"],
    [{ pause_collection: { behavior: "void", until: 1 } }, "pause_collection[until]"],
    [{ pause_collection: { behavior: "void", resumes_at: 1 } }, "pause_collection[resumes_at]"],
    [{ pause: true }, "pause"],
  ])("refuses %j", async (params, param) => {
    const id = stripe.operations.subscribe(buyer());
    expect(await refused(`POST /v1/subscriptions/${id}`, params)).toMatchObject({ status: 400, param });
  });

  test("that has ended takes metadata only, and can't be canceled again", async () => {
    const id = stripe.operations.subscribe(buyer());
    await done(`DELETE /v1/subscriptions/${id}`, { invoice_now: false, prorate: false });
    const path = `/v1/subscriptions/${id}`;
    expect(await refused(`DELETE ${path}`)).toMatchObject({ status: 404, code: "resource_missing" });
    expect(await refused(`POST ${path}`, { pause_collection: "" })).toMatchObject({ status: 400 });
    expect(await done(`POST ${path}`, { metadata: { why: "moved" } })).toMatchObject({ metadata: { why: "moved" } });
  });

  test("is canceled without an invoice unless asked, and pays the rest of its period back if asked", async () => {
    const [plain, prorated] = [buyer(), buyer()];
    await done(`DELETE /v1/subscriptions/${stripe.operations.subscribe(plain)}`);
    const { book } = stripe;
    expect([...book.invoices.values()].filter(({ customer }) => customer === plain)).toEqual([]);
    const begun = book.now() - 15 * 86_400;
    const id = stripe.operations.subscribe(prorated, { endsAt: book.now() + 15 * 86_400 });
    Object.assign(book.subscriptions.get(id)!.items.data[0]!, { current_period_start: begun });
    await done(`DELETE /v1/subscriptions/${id}`, { invoice_now: true, prorate: true });
    // Half of 20.00; the clock may go on by a second meanwhile.
    expect(book.customers.get(prorated)!.balance / 10).toBeCloseTo(-100, -1);
  });

  test("needs a key that may write subscriptions", async () => {
    const id = stripe.operations.subscribe(buyer());
    const path = `/v1/subscriptions/${id}`;
    stripe.operations.takePermission(stripe.key, "subscription_write");
    expect(await refused(`DELETE ${path}`)).toMatchObject({ status: 403 });
    expect(await refused(`POST ${path}`, { pause_collection: "" })).toMatchObject({ status: 403 });
    expect((await done(`GET ${path}`))["id"]).toBe(id);
    stripe.operations.givePermission(stripe.key, "subscription_write");
    expect((await done(`DELETE ${path}`))["status"]).toBe("canceled");
  });
});

describe("the preview of the next invoice", () => {
  const preview = (subscription: string) => done("POST /v1/invoices/create_preview", { subscription });

  test("has the total, and makes no invoice", async () => {
    const price = stripe.operations.price({ unit_amount: 1999 });
    const id = stripe.operations.subscribe(buyer(), { items: [{ price, quantity: 7 }] });
    const { items } = stripe.book.subscriptions.get(id)!;
    const found = await preview(id);
    expect(found).toMatchObject({ subtotal: 13_993, total: 13_993, amount_due: 13_993, starting_balance: 0 });
    expect(found["id"]).toMatch(/^upcoming_in_/);
    const period = { start: items.data[0]!.current_period_end };
    expect(found["lines"]).toMatchObject({ data: [{ amount: 13_993, period }] });
    expect(stripe.book.invoices.has(String(found["id"]))).toBe(false);
  });

  test("takes off discounts that run on, in the amount of the balance, before taxes on top", async () => {
    const { operations, book } = stripe;
    const customer = buyer();
    const [third, amount] = [operations.coupon({ percent_off: 33.333 }), operations.coupon({ amount_off: 100 })];
    const ended = operations.discount(operations.coupon({}), { end: book.now() + 60 });
    const discounts = [operations.discount(third), ended, operations.discount(amount)];
    const id = operations.subscribe(customer, { discounts, default_tax_rates: [operations.taxRate()] });
    operations.changeCustomer(customer, { balance: -500, currency: "usd" });
    // 20.00 less 6.67 less 1.00 is 12.33, of which 19 % is 2.34; 5.00 of credit leaves 9.67.
    expect(await preview(id)).toMatchObject({
      subtotal: 2000,
      total_discount_amounts: [{ amount: 667 }, { amount: 100 }],
      total_excluding_tax: 1233,
      total_taxes: [{ amount: 234, tax_behavior: "exclusive" }],
      total: 1467,
      starting_balance: -500,
      amount_due: 967,
    });
    operations.automaticTax({ percentage: 25, inclusive: true });
    const taxed = operations.subscribe(buyer(), { automatic_tax: { enabled: true, disabled_reason: null } });
    expect(await preview(taxed)).toMatchObject({ total: 2000, total_taxes: [{ amount: 400 }] });
    operations.automaticTax(null);
  });

  test("collects pending items, and no amount below the least charge", async () => {
    const { operations } = stripe;
    const customer = buyer();
    const id = operations.subscribe(customer, { items: [{ price: operations.price({ unit_amount: 0 }) }] });
    operations.invoiceItem(customer, id, { amount: 20 });
    operations.invoiceItem(customer, null, { amount: 10 });
    expect(await preview(id)).toMatchObject({ total: 30, amount_due: 0 });
    operations.invoiceItem(customer, null, { amount: 500 });
    expect(await preview(id)).toMatchObject({ total: 530, amount_due: 530 });
  });

  test("is of the part until a planned end, and absent if the invoice would be void", async () => {
    const { operations, book } = stripe;
    const price = operations.price({ recurring: { interval: "day", interval_count: 10 } });
    const endsAt = book.now() + 86_400;
    const given = { items: [{ price }], endsAt, cancel_at: endsAt + 4 * 86_400 };
    expect(await preview(operations.subscribe(buyer(), given))).toMatchObject({ total: 800 });
    const id = operations.subscribe(buyer(), { pause_collection: { behavior: "void", resumes_at: null } });
    const none = await refused("POST /v1/invoices/create_preview", { subscription: id });
    expect(none).toMatchObject({ status: 404, code: "invoice_upcoming_none" });
    expect(await refused("POST /v1/invoices/create_preview", { customer: buyer() })).toMatchObject({ status: 400 });
    expect(await refused("POST /v1/invoices/create_preview", { subscription: "sub_none" })).toMatchObject({
      status: 400,
      param: "subscription",
    });
  });
});

test("a balance is moved once for each Idempotency-Key, and listed with each movement", async () => {
  const customer = buyer();
  stripe.operations.changeCustomer(customer, { balance: -700, currency: "usd" });
  const path = `/v1/customers/${customer}/balance_transactions`;
  const zero = { amount: 700, currency: "usd", description: "Moved" };
  const moved = await done(`POST ${path}`, zero, { idempotencyKey: "zero-1" });
  expect(await done(`POST ${path}`, zero, { idempotencyKey: "zero-1" })).toEqual(moved);
  expect(moved).toMatchObject({ amount: 700, ending_balance: 0, type: "adjustment", description: "Moved" });
  expect(await done(`GET ${path}`)).toMatchObject({ data: [{ id: moved["id"] }], has_more: false });
  expect(await done(`GET /v1/customers/${customer}`)).toMatchObject({ balance: 0 });
  expect(await refused(`POST ${path}`, { ...zero, currency: "eur" })).toMatchObject({ status: 400, param: "currency" });
  expect(await refused(`POST ${path}`, { amount: 1 })).toMatchObject({ status: 400, code: "parameter_missing" });
});

test("a Customer has tax ids, PaymentMethods, and cards from before PaymentMethods", async () => {
  const { operations } = stripe;
  const customer = buyer();
  const taxId = operations.taxId(customer, "eu_vat", "DE811569869");
  const [card, old] = [operations.attachCard(customer), operations.source(customer, "card", { exp_year: 2031 })];
  operations.changeCustomer(customer, { default_source: old });
  expect(await done(`GET /v1/customers/${customer}/tax_ids`)).toMatchObject({ data: [{ id: taxId, type: "eu_vat" }] });
  const { data } = await done(`GET /v1/customers/${customer}/payment_methods`, { type: "card" });
  expect(data).toMatchObject([{ id: old, type: "card", card: { exp_year: 2031 } }, { id: card }]);
  const found = await done(`GET /v1/customers/${customer}`, { expand: ["default_source", "tax_ids"] });
  expect(found).toMatchObject({ default_source: { id: old, object: "card" }, tax_ids: { data: [{ id: taxId }] } });
});
