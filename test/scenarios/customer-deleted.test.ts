import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const ADA = {
  email: "ada.lovelace@example.com",
  name: "Ada Lovelace",
  externalId: "workspace-of-ada",
  billingAddress: { country: "GB", line1: "12 St Mark's Square", city: "London" },
  taxId: { type: "gb_vat", value: "GB980780684" },
  metadata: { nickname: "Enchantress" },
};
const tablesStatement = sql(
  "test.table_names",
  "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name",
);

/**
 * This Customer has Subscriptions in every state, purchases, waiting lines, a balance, Checkouts and kept answers
 * (rule I5).
 */
describe("a Customer that is deleted", () => {
  let story: Story;
  let id: string;
  const subscriptions: Record<string, string> = {};
  const manage = (method: string, path: string, body?: object) => story.ok(story.app.manage(method, path, body));
  const list = async (path: string): Promise<Json[]> =>
    (await manage("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100`)).data;
  const buy = async (key: string, card: string) => {
    const bought = await story.buy({ productKey: key, customerId: id }, card);
    subscriptions[key] = bought.id;
  };

  /** The tables in which a row holds this text, in any case. */
  async function holding(text: string): Promise<string[]> {
    const { read } = story.app.ctx.db;
    const found: string[] = [];
    for (const { name } of await read.query<{ name: string }>(tablesStatement)) {
      const statement = sql(
        `test.holding.${name}`,
        `SELECT 1 FROM "${name}" AS r WHERE position(lower($1) IN lower(r::text)) > 0 LIMIT 1`,
      );
      if ((await read.query(statement, [text])).length > 0) found.push(name);
    }
    return found;
  }

  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    const benefit = async (name: string) =>
      (await manage("POST", "/benefits", { type: "license_key", name })).id as string;
    const [sso, licence] = [await benefit("SSO"), await benefit("Licence")];
    const yearly = (group: string) => ({ interval: "year", group, benefitIds: [sso] });
    await story.plan("pro", 30_000, yearly("plans"));
    await story.plan("max", 90_000, yearly("plans"));
    await story.plan("seats", 20_000, yearly("seats"));
    await story.plan("fewer-seats", 5000, yearly("seats"));
    await story.plan("addon", 4000, { group: "addons", benefitIds: [sso] });
    await story.plan("old", 900, { group: "olds" });
    await story.plan("book", 4900, { interval: null, benefitIds: [licence] });
    const created = await story.app.api("POST", "/customers", ADA, { "Idempotency-Key": "ada" });
    ({ id } = created.body);
  });
  afterAll(() => story.close());

  it("2025-01-10: has bought, and left, this and that", async () => {
    for (const key of ["old", "pro", "seats"]) await buy(key, CARDS.pays);
    await story.buy({ productKey: "book", customer: { email: ADA.email } }, CARDS.pays);
    await manage("POST", `/subscriptions/${subscriptions["old"]}/cancel-now`, {
      cancellationComment: `${ADA.name} moves on`,
    });
    await buy("addon", CARDS.failsLater);
    await story.change(subscriptions["pro"]!, { productKey: "max", prorationBehavior: "next_invoice" });
    await story.change(subscriptions["seats"]!, { productKey: "fewer-seats", prorationBehavior: "next_invoice" });
    const adjust = (body: object) => manage("POST", `/customers/${id}/balance-adjustments`, body);
    await adjust({ currency: "usd", amount: 2500, reason: `For ${ADA.name}, who had to wait` });
    await adjust({ currency: "jpy", amount: -100, reason: "A mistake of ours" });
    expect(await story.access(ADA.externalId)).toEqual(["Licence", "SSO", "SSO", "SSO"]);
  });

  it("2025-02-10: is past due with one of them", async () => {
    await story.travel("2025-02-10");
    expect(await story.subscription(subscriptions["addon"]!)).toMatchObject({ status: "past_due" });
    const open = await story.app.api(
      "POST",
      "/checkouts",
      { productKey: "book", customerId: id },
      { "Idempotency-Key": "book" },
    );
    expect(open.body).toMatchObject({ externalCustomerId: ADA.externalId });
    for (const text of [ADA.email, ADA.name]) {
      expect(await holding(text)).toEqual(
        expect.arrayContaining(["customers", "events", "idempotency_keys", "invoices"]),
      );
    }
    expect(await story.balance(id)).toBe(0);
    await story.news();
    await story.statement();
  });

  it("2025-02-10: is not deleted without a word on the credit that waits, or that a balance settled", async () => {
    const remove = (query: string) => story.app.manage("DELETE", `/customers/${id}${query}`);
    const before = await story.app.manage("GET", `/customers/${id}`);
    const left = {
      status: 409,
      body: { code: "balance_left", balances: [{ currency: "usd", amount: 15_000 + 2500 }] },
    };
    for (const query of ["", "?forfeitBalance=false"]) expect(await remove(query)).toMatchObject(left);
    expect(await story.news()).toEqual([]);
    expect((await story.app.manage("GET", `/customers/${id}`)).body).toEqual(before.body);
  });

  it("2025-02-10: everything of theirs ends in one moment, and is told", async () => {
    expect(await story.app.manage("DELETE", `/customers/${id}?forfeitBalance=true`)).toMatchObject({ status: 204 });
    // The waiting lines of the upgrade make an invoice that is void, because the buyer is gone.
    const upgraded = ["subscription.canceled", "invoice.created", "invoice.voided", "benefit_grant.revoked"];
    // The waiting lines of the downgrade go to the balance, which is then written off.
    const downgraded = ["subscription.canceled", "invoice.created", "invoice.paid", "benefit_grant.revoked"];
    const pastDue = ["subscription.canceled", "invoice.voided", "benefit_grant.revoked"];
    const bought = "benefit_grant.revoked";
    expect(await story.news()).toEqual([
      ...upgraded,
      ...downgraded,
      ...pastDue,
      bought,
      "checkout.expired",
      "customer.deleted",
    ]);
    expect((await story.statement()).filter((line) => !line.startsWith(" "))).toEqual([
      "0006 renewal void 4000 (balance 2500)",
      "0007 product_change void 60000",
      "0008 product_change paid -15000 (balance -15000)",
    ]);
    expect(await story.audit()).toEqual([]);
  });

  it("keeps invoices, payments and canceled Subscriptions readable", async () => {
    const invoices = await list(`/invoices?customerId=${id}`);
    expect(invoices).toHaveLength(8);
    for (const invoice of invoices)
      expect(invoice.buyer).toMatchObject({ name: ADA.name, email: ADA.email, taxId: ADA.taxId });
    expect(await list(`/payments?customerId=${id}`)).toHaveLength(6);
    const kept = await list(`/subscriptions?customerId=${id}`);
    expect(kept).toHaveLength(4);
    for (const each of kept)
      expect(each).toMatchObject({ status: "canceled", externalCustomerId: null, cancellationComment: null });
    const grants = await list(`/benefit-grants?customerId=${id}`);
    expect(grants.map(({ status, reason }) => `${status} ${reason}`)).toEqual(
      Array(4).fill("revoked customer_deleted"),
    );
    const [checkout] = await list(`/checkouts?customerId=${id}&status=expired`);
    expect(checkout).toMatchObject({ externalCustomerId: null, expiresAt: "2025-02-10T09:00:00.000Z" });
  });

  it("is not named any more, but for the documents that were issued", async () => {
    const { billingAddress, taxId, metadata } = ADA;
    for (const text of [ADA.email, ADA.name, billingAddress.line1, taxId.value])
      expect(await holding(text)).toEqual(["invoices"]);
    for (const text of [ADA.externalId, metadata.nickname, "Lovelace moves on"])
      expect(await holding(text)).toEqual([]);
    const recorded = (await story.events()).filter((event) => event.type.startsWith("customer."));
    const blank = {
      id,
      email: "",
      name: null,
      externalId: null,
      billingAddress: null,
      taxId: null,
      locale: null,
      metadata: {},
    };
    expect(recorded.map(({ type, data }) => [type, data])).toEqual([
      ["customer.created", expect.objectContaining(blank)],
      ["customer.deleted", expect.objectContaining({ ...blank, updatedAt: "2025-02-10T09:00:00.000Z" })],
    ]);
    const renewed = (await story.events()).find((event) => event.type === "subscription.renewed");
    expect(renewed!.data).toMatchObject({
      id: subscriptions["addon"],
      customerId: id,
      externalCustomerId: null,
      amount: 4000,
    });
  });

  it("2025-02-11: is not the later Customer with the same e-mail", async () => {
    await story.travel("2025-02-11");
    const { id: checkoutId } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro" }));
    const paid = await manage("POST", `/sandbox/checkouts/${checkoutId}/pay`, { card: CARDS.pays, email: ADA.email });
    expect(paid.customerId).not.toBe(id);
    expect(await manage("GET", `/customers/${paid.customerId}/balance`)).toEqual({ data: [] });
    expect(await manage("GET", `/customers/${paid.customerId}`)).toMatchObject({
      email: ADA.email,
      name: null,
      externalId: null,
    });
    expect(await list(`/invoices?customerId=${paid.customerId}`)).toMatchObject([
      { number: expect.stringMatching(/-0001$/) },
    ]);
  });

  it("2025-12-31: has no further events", async () => {
    await story.news();
    const [book] = await list("/products?key=book");
    const note = await manage("POST", "/benefits", { type: "custom", name: "Note" });
    await manage("PATCH", `/products/${book.id}`, { benefitIds: [...book.benefitIds, note.id] });
    await story.app.runDue();
    await story.travel("2025-12-31");
    expect(await story.news()).toEqual(["product.updated"]);
    expect(await story.audit()).toEqual([]);
    const { paid, captured } = await story.books();
    expect(paid).toEqual(captured);
  });
});

describe("a Customer with a renewal that waits for the bank", () => {
  let story: Story;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-01-10T09:00:00Z" });
    await story.plan("pro", 3000);
  });
  afterAll(() => story.close());

  it("is deleted all the same: the challenge is given up first", async () => {
    const { customerId } = await story.buy({ productKey: "pro", customer: { email: "joe@example.com" } }, CARDS.pays);
    await story.newCard(customerId, CARDS.asksBuyer);
    await story.travel("2025-02-10");
    await story.news();
    const remove = () => story.app.manage("DELETE", `/customers/${customerId}`);
    expect(await remove()).toMatchObject({ status: 204 });
    expect(await story.news()).toEqual([
      "payment.failed",
      "subscription.canceled",
      "invoice.voided",
      "customer.deleted",
    ]);
    await story.settle();
    expect(await story.news()).toEqual([]);
    expect(await story.audit()).toEqual([]);
  });

  it("is deleted with that renewal paid, where the bank says that they were faster", async () => {
    const { customerId } = await story.buy({ productKey: "pro", customer: { email: "eve@example.com" } }, CARDS.pays);
    await story.newCard(customerId, CARDS.asksBuyer);
    await story.travel("2025-03-10");
    await story.passAtBank();
    expect(await story.app.manage("DELETE", `/customers/${customerId}`)).toMatchObject({ status: 204 });
    const invoices = (await story.ok(story.app.manage("GET", `/invoices?customerId=${customerId}`))).data;
    expect(invoices.map(({ status }: Json) => status)).toEqual(["paid", "paid"]);
    expect(await story.audit()).toEqual([]);
  });

  it("keeps that challenge where they have credit, and are not deleted", async () => {
    const { customerId } = await story.buy({ productKey: "pro", customer: { email: "may@example.com" } }, CARDS.pays);
    await story.newCard(customerId, CARDS.asksBuyer);
    await story.travel("2025-04-11");
    await story.ok(
      story.app.manage("POST", `/customers/${customerId}/balance-adjustments`, {
        currency: "jpy",
        amount: 5,
        reason: "A gift",
      }),
    );
    const refused = { status: 409, body: { code: "balance_left", balances: [{ currency: "jpy", amount: 5 }] } };
    expect(await story.app.manage("DELETE", `/customers/${customerId}`)).toMatchObject(refused);
    await story.passAtBank();
    await story.settle();
    const invoices = (await story.ok(story.app.manage("GET", `/invoices?customerId=${customerId}`))).data;
    expect(invoices.map(({ status }: Json) => status)).toEqual(["paid", "paid"]);
    expect(await story.app.manage("DELETE", `/customers/${customerId}?forfeitBalance=true`)).toMatchObject({
      status: 204,
    });
  });

  it("can still be refunded, to the card alone, and is not named in the event", async () => {
    const { customerId } = await story.buy(
      { productKey: "pro", customer: { email: "ann@example.com", name: "Ann" } },
      CARDS.pays,
    );
    expect(await story.app.manage("DELETE", `/customers/${customerId}`)).toMatchObject({ status: 204 });
    const [invoice] = (await story.ok(story.app.manage("GET", `/invoices?customerId=${customerId}`))).data;
    const refund = (body: object) => story.app.manage("POST", `/invoices/${invoice.id}/refunds`, body);
    expect(await refund({ to: "balance" })).toMatchObject({
      status: 422,
      body: { errors: [{ code: "customer_deleted" }] },
    });
    await story.ok(refund({ amount: 1000 }));
    await story.settle();
    const recorded = (await story.events()).at(-1);
    expect(recorded).toMatchObject({
      type: "invoice.refunded",
      data: { refundedAmount: 1000, buyer: { name: null, email: null } },
    });
    const [note] = (await story.ok(story.app.manage("GET", `/credit-notes?customerId=${customerId}`))).data;
    expect(note.buyer).toMatchObject({ name: "Ann", email: "ann@example.com" });
    expect(await story.audit()).toEqual([]);
  });
});
