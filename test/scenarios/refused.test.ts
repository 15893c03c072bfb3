import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { minutePasses } from "../support/pause.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const REFUSED = "The seller can't take payments just now. You were not charged. Try again later.";

const paymentsOf = async ({ app, ok }: Story) => (await ok(app.manage("GET", "/organization"))).payments;
const advance = ({ app }: Story, to: string) =>
  app.manage("POST", "/sandbox/clock/advance", { to: `${to}T09:00:00.000Z` });

/** The provider refuses all charges of the seller while three Customers renew (rule D9). */
describe("a bad key during renewals", () => {
  let story: Story;
  const ids: string[] = [];
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("pro", 3000);
    for (const name of ["ada", "bob", "cy"]) {
      const customer = { email: `${name}@example.com`, externalId: name };
      const subscription = await story.buy({ productKey: "pro", customer }, CARDS.pays);
      await story.newCard(subscription.customerId, CARDS.refusesAccount);
      ids.push(subscription.id);
    }
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-07-01: the renewals are invoiced, the payments are paused once, and no dunning begins", async () => {
    expect(await advance(story, "2025-07-02")).toMatchObject({ status: 202 });
    expect((await story.news()).sort()).toEqual([
      "invoice.created",
      "invoice.created",
      "invoice.created",
      "payments.paused",
      "subscription.renewed",
      "subscription.renewed",
      "subscription.renewed",
    ]);
    const line = "     pro 3000 2025-07-01 → 2025-08-01";
    expect(await story.statement()).toEqual(ids.flatMap(() => ["0002 renewal open 3000", line]));
    const { data } = await story.ok(story.app.manage("GET", "/invoices?status=open"));
    expect(data.map((invoice: Json) => invoice.nextAttemptAt)).toEqual([null, null, null]);
    const waiting = await story.ok(story.app.manage("GET", "/payments?status=pending"));
    expect(waiting.data.map((payment: Json) => payment.failureCode)).toEqual([null, null, null]);
    for (const id of ids) expect(await story.subscription(id)).toMatchObject({ status: "active" });
    const since = "2025-07-01T09:00:00.000Z";
    expect(await paymentsOf(story)).toEqual({ provider: "sandbox", paused: { reason: "account_restricted", since } });
    const { notices } = await story.ok(story.app.manage("GET", "/organization"));
    expect(notices).toMatchObject([{ type: "payments_paused", at: since }]);
    expect((await story.ok(story.app.manage("GET", "/emails?kind=payment_failed"))).data).toEqual([]);
  });

  it("a probe a minute finds that the provider still refuses", async () => {
    await minutePasses(story.app);
    await minutePasses(story.app);
    await story.settle();
    expect(await story.news()).toEqual([]);
    expect((await story.books()).captured).toEqual([3000, 3000, 3000]);
  });

  it("no attempt but the next probe is sent after the provider has changed its mind", async () => {
    await story.app.ctx.payments.sandbox.takeChargesAgain(story.app.organization.id);
    await story.settle();
    expect(await story.news()).toEqual([]);
    expect((await story.books()).captured).toEqual([3000, 3000, 3000]);
    await minutePasses(story.app);
    expect((await story.news()).sort()).toEqual([
      "invoice.paid",
      "invoice.paid",
      "invoice.paid",
      "payment.succeeded",
      "payment.succeeded",
      "payment.succeeded",
      "payments.resumed",
    ]);
    expect(await paymentsOf(story)).toEqual({ provider: "sandbox", paused: null });
    const { notices } = await story.ok(story.app.manage("GET", "/organization"));
    expect(notices).toEqual([]);
  });

  it("each renewal is charged once, as of its day, and the clock goes on", async () => {
    await story.travel("2025-07-02");
    expect(await story.books()).toEqual({ paid: Array(6).fill(3000), captured: Array(6).fill(3000) });
    const { data } = await story.ok(story.app.manage("GET", "/payments?trigger=renewal"));
    for (const payment of data)
      expect(payment).toMatchObject({ status: "succeeded", settledAt: "2025-07-01T09:00:00.000Z" });
    expect(await story.audit()).toEqual([]);
  });
});

/** A buyer or a caller waits while the provider refuses all charges: nothing was charged (rule D9). */
describe("a refused account while a buyer waits", () => {
  let story: Story;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.plan("max", 9000);
    await story.news();
  });
  afterAll(() => story.close());
  const resume = () => story.ok(story.app.manage("POST", "/sandbox/payments/resume"));

  it("opens a Checkout again without a failed attempt, and the next minute's buyer is the probe", async () => {
    const customer = { email: "ada@example.com", externalId: "ada" };
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", customer }));
    const pay = (card: string) => story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card }));
    const refused = { status: "open", lastPaymentError: { code: "provider_refused", message: REFUSED } };
    for (let attempt = 1; attempt <= 11; attempt += 1) expect(await pay(CARDS.refusesAccount)).toMatchObject(refused);
    expect((await story.news()).slice(0, 5)).toEqual([
      "customer.created",
      "checkout.created",
      "payments.paused",
      "payment.failed",
      "checkout.payment_failed",
    ]);
    const { data } = await story.ok(story.app.manage("GET", "/payments?status=failed"));
    expect(data[0]).toMatchObject({ failureCode: "provider_refused" });

    await story.app.ctx.payments.sandbox.takeChargesAgain(story.app.organization.id);
    expect(await pay(CARDS.pays)).toMatchObject(refused);
    await minutePasses(story.app);
    await story.news();
    expect(await pay(CARDS.pays)).toMatchObject({ status: "completed" });
    expect(await story.news()).toEqual([
      "payments.resumed",
      "payment.succeeded",
      "subscription.created",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
  });

  it("answers a change with 402 and without a page, also to a repetition, and changes nothing", async () => {
    const [{ id, customerId }] = (await story.ok(story.app.manage("GET", "/subscriptions?externalCustomerId=ada")))
      .data;
    await story.newCard(customerId, CARDS.refusesAccount);
    const patch = () =>
      story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "max" }, { "Idempotency-Key": "upgrade" });
    const refused = await patch();
    expect(refused).toMatchObject({
      status: 402,
      body: { code: "payment_refused", declineCode: "provider_refused", checkoutId: null, url: null },
    });
    expect(await patch()).toMatchObject({ status: 402, body: refused.body });
    expect(await story.subscription(id)).toMatchObject({ amount: 3000, status: "active" });
    expect(await story.news()).toEqual(["payments.paused", "payment.failed"]);
    expect(await resume()).toEqual({ provider: "sandbox", paused: null });
    expect(await story.news()).toEqual(["payments.resumed"]);
    expect((await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "max" })).status).toBe(402);
    await resume();
    await story.news();
  });

  it("keeps the attempt of a new card that waits, and charges it after the pause", async () => {
    const [{ id, customerId }] = (await story.ok(story.app.manage("GET", "/subscriptions?externalCustomerId=ada")))
      .data;
    await story.newCard(customerId, CARDS.failsLater);
    await story.travel("2025-07-02");
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
    await story.newCard(customerId, CARDS.declined).catch(() => undefined);
    const [invoice] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
    await story.news();
    await story.app.manage("POST", `/sandbox/customers/${customerId}/card`, { card: CARDS.refusesAccount });
    expect(await story.news()).toEqual(["payments.paused"]);
    const [attempt] = (await story.ok(story.app.manage("GET", `/payments?invoiceId=${invoice.id}`))).data;
    expect(attempt).toMatchObject({ status: "pending", trigger: "new_card" });
    expect(await story.app.manage("POST", `/invoices/${invoice.id}/pay`)).toMatchObject({
      status: 409,
      body: { code: "payment_in_progress" },
    });
    await resume();
    expect(await story.news()).toEqual([
      "payments.resumed",
      "payment.succeeded",
      "invoice.paid",
      "subscription.recovered",
    ]);
  });

  it("keeps a refund that waits, and makes the refund after the pause", async () => {
    const { data } = await story.ok(story.app.manage("GET", "/invoices?status=paid"));
    const customer = { email: "bob@example.com", externalId: "bob" };
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", customer }));
    await story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.refusesAccount });
    await story.news();
    const refund = await story.ok(story.app.manage("POST", `/invoices/${data[0].id}/refunds`, {}));
    await story.settle();
    await minutePasses(story.app);
    expect(await story.ok(story.app.manage("GET", `/refunds/${refund.id}`))).toMatchObject({ status: "pending" });
    expect(await story.news()).toEqual(["refund.created"]);
    await resume();
    expect(await story.ok(story.app.manage("GET", `/refunds/${refund.id}`))).toMatchObject({ status: "succeeded" });
    expect(await story.news()).toEqual(["payments.resumed", "invoice.refunded"]);
    expect(await story.audit()).toEqual([]);
  });
});

/** The provider refuses one charge alone: the invoice waits for an operator, and all else goes on (rule D9). */
describe("a refused charge", () => {
  let story: Story;
  let [id, customerId] = ["", ""];
  const invoiceOf = async (number: string): Promise<Json> =>
    (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`))).data.find((each: Json) =>
      each.number.endsWith(number),
    );
  const pay = async (number: string) => story.app.manage("POST", `/invoices/${(await invoiceOf(number)).id}/pay`);
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const { id: sso } = await story.ok(
      story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
    );
    await story.plan("pro", 3000, { benefitIds: [sso] });
    await story.plan("max", 9000, { benefitIds: [sso] });
    const customer = { email: "ada@example.com", externalId: "ada" };
    ({ id, customerId } = await story.buy({ productKey: "pro", customer }, CARDS.pays));
    await story.newCard(customerId, CARDS.refused);
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-07-01: holds the invoice of the renewal, without dunning and without an e-mail", async () => {
    await story.travel("2025-07-20");
    expect(await story.news()).toEqual(["subscription.renewed", "invoice.created", "payment.failed", "invoice.held"]);
    expect(await story.statement()).toEqual(["0002 renewal open 3000", "     pro 3000 2025-07-01 → 2025-08-01"]);
    expect(await invoiceOf("0002")).toMatchObject({ heldReason: "amount_too_large", nextAttemptAt: null });
    const { data } = await story.ok(story.app.manage("GET", "/payments?trigger=renewal"));
    expect(data).toMatchObject([{ status: "failed", failureCode: "amount_too_large" }]);
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
    expect(await story.access("ada")).toEqual(["SSO"]);
    expect((await story.ok(story.app.manage("GET", "/emails?kind=payment_failed"))).data).toEqual([]);
    const timeline = await story.ok(story.app.manage("GET", `/subscriptions/${id}/timeline`));
    expect(timeline.data.at(-1).text).toMatch(
      /^Invoice \S+ is held for an operator, because the payment provider refuses the charge \(amount too large\)\.$/,
    );
  });

  it("2025-07-20: is refused to an operator, too, and blocks a change that would credit the period", async () => {
    expect(await pay("0002")).toMatchObject({
      status: 402,
      body: { code: "payment_refused", declineCode: "amount_too_large", url: null },
    });
    expect(await invoiceOf("0002")).toMatchObject({ status: "open", heldReason: "amount_too_large" });
    expect(await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "max" })).toMatchObject({
      status: 409,
      body: { code: "invoice_open" },
    });
    expect(await story.news()).toEqual(["payment.failed"]);
  });

  it("2025-08-01: the next renewal is charged all the same", async () => {
    await story.newCard(customerId, CARDS.pays);
    expect(await story.news()).toEqual([]);
    await story.travel("2025-08-02");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual(["0003 renewal paid 3000", "     pro 3000 2025-08-01 → 2025-09-01"]);
  });

  it("2025-08-02: an operator charges the held invoice", async () => {
    expect(await pay("0002")).toMatchObject({ status: 200, body: { status: "paid", heldReason: null } });
    expect(await story.news()).toEqual(["payment.succeeded", "invoice.paid"]);
    expect(await story.books()).toEqual({ paid: [3000, 3000, 3000], captured: [3000, 3000, 3000] });
  });

  it("2025-09-01: a held invoice that an operator charges to a declining card enters dunning", async () => {
    await story.newCard(customerId, CARDS.refused);
    await story.travel("2025-09-02");
    await story.newCard(customerId, CARDS.failsLater);
    await story.news();
    expect(await pay("0004")).toMatchObject({ status: 402, body: { code: "payment_failed" } });
    expect(await story.news()).toEqual(["payment.failed", "invoice.payment_failed", "subscription.past_due"]);
    expect(await invoiceOf("0004")).toMatchObject({ heldReason: null, nextAttemptAt: "2025-09-05T09:00:00.000Z" });
  });

  it("2025-09-05: a retry that is refused holds the invoice, and dunning ends", async () => {
    await story.app.manage("POST", `/sandbox/customers/${customerId}/card`, { card: CARDS.refused });
    expect(await story.news()).toEqual(["payment.failed", "invoice.held", "subscription.recovered"]);
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
    expect(await invoiceOf("0004")).toMatchObject({ status: "open", nextAttemptAt: null });
  });

  it("2025-10-01: dunning of another invoice leaves the held one alone; the end makes both void", async () => {
    await story.newCard(customerId, CARDS.failsLater);
    await story.travel("2025-10-02");
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
    expect(await invoiceOf("0005")).toMatchObject({ heldReason: null, nextAttemptAt: "2025-10-04T09:00:00.000Z" });
    expect(await invoiceOf("0004")).toMatchObject({ heldReason: "amount_too_large", nextAttemptAt: null });
    await story.ok(story.app.manage("POST", `/invoices/${(await invoiceOf("0005")).id}/mark-paid`, {}));
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`, {}));
    expect(await invoiceOf("0004")).toMatchObject({ status: "void", heldReason: null });
    expect(await story.audit()).toEqual([]);
  });

  it("opens a Checkout again with the seller's message, and the operator sees the reason", async () => {
    const customer = { email: "bob@example.com", externalId: "bob" };
    const { id: checkoutId } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", customer }));
    const paid = story.app.manage("POST", `/sandbox/checkouts/${checkoutId}/pay`, { card: CARDS.refused });
    expect(await story.ok(paid)).toMatchObject({
      status: "open",
      lastPaymentError: { code: "provider_refused", message: REFUSED },
    });
    const { data } = await story.ok(story.app.manage("GET", `/payments?checkoutId=${checkoutId}`));
    expect(data).toMatchObject([{ status: "failed", failureCode: "amount_too_large" }]);
  });
});

/** The provider has accepted a charge and has no outcome yet (rule D2). */
describe("a charge that is processed", () => {
  it("waits like an unknown outcome, is shown as being processed, and is charged once", async () => {
    const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("pro", 3000);
    const customer = { email: "ada@example.com", externalId: "ada" };
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", customer }));
    const path = `/sandbox/checkouts/${checkout.id}/pay`;
    expect(await story.ok(story.app.manage("POST", path, { card: CARDS.processing }))).toMatchObject({
      status: "processing",
      lastPaymentError: null,
    });
    const page = await (await fetch(checkout.url)).text();
    expect(page).toContain("The payment of US$30.00 is being processed.");
    expect(page).not.toContain("failed");
    const attempts = async () => (await story.ok(story.app.manage("GET", `/payments?checkoutId=${checkout.id}`))).data;
    const [attempt] = await attempts();
    expect(attempt).toMatchObject({ status: "unknown", processing: true });
    const { headers } = await story.app.manage("GET", `/payments/${attempt.id}`);
    expect(headers.get("ETag")).toMatch(/-processing"$/);
    expect(await story.app.manage("POST", path, { card: CARDS.pays })).toMatchObject({ status: 409 });
    await story.settle();
    await story.settle();
    const paid = await story.ok(story.app.api("GET", `/checkouts/${checkout.id}`));
    expect(paid).toMatchObject({ status: "completed" });
    expect(await attempts()).toMatchObject([{ status: "succeeded", processing: false }]);
    await story.news();
    await story.travel("2025-07-02");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    const [renewal] = (await story.ok(story.app.manage("GET", "/payments?trigger=renewal"))).data;
    expect(renewal).toMatchObject({ status: "succeeded", settledAt: "2025-07-01T09:00:00.000Z" });
    expect(await story.books()).toEqual({ paid: [3000, 3000], captured: [3000, 3000] });
    expect(await story.audit()).toEqual([]);
    await story.close();
  });
});
