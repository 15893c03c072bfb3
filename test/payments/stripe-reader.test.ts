import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { assess } from "../../src/actions/import/assess.ts";
import { instant } from "../../src/domain/calendar.ts";
import type { AssessedSubscription } from "../../src/domain/import/assessment.ts";
import type { ForeignCustomer } from "../../src/domain/import/foreign.ts";
import { STAY_REASONS } from "../../src/domain/import/stay-reasons.ts";
import { ReadError } from "../../src/payments/account-reader.ts";
import { openStripeReader } from "../../src/payments/stripe/import/reader.ts";
import { amountsOf } from "../../src/payments/stripe/money.ts";
import { fillAccount } from "./stripe-accounts.ts";
import type { FaultKind } from "./stripe/faults.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";

const NOW = Date.UTC(2026, 2, 10);

let stripe: StripeServer;
beforeEach(async () => void (stripe = await startStripe({ now: () => NOW })));
afterEach(() => stripe.close());

/** Pauses that take no time, on a clock that goes on by a second with each look. */
function quickPauses() {
  let now = 0;
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => void slept.push(milliseconds);
  return { slept, now: () => (now += 1000), sleep };
}

const readerOf = (site: StripeServer, key = site.key) =>
  openStripeReader({ key, baseUrl: site.url, pauses: quickPauses() });

async function assessed(site: StripeServer, each: (row: AssessedSubscription) => void = () => undefined) {
  const circumstances = { now: instant(NOW), chargeable: amountsOf };
  const rows = new Map<string, AssessedSubscription>();
  const sums = await assess(readerOf(site), circumstances, {
    row(row) {
      rows.set(row.subscription.ref, row);
      each(row);
    },
    customer: () => undefined,
  });
  return { sums, rows };
}

const buyer = (email = "ada@example.com") => stripe.operations.makeCustomer({ email, name: "Ada" });
const listed = (path: string) => stripe.requests.filter((each) => each.path === path).length;

test("200 generated accounts have the reasons and the sums that their oddities say", { timeout: 120_000 }, async () => {
  const seen = { customers: 0, rows: 0, moves: 0, reasons: new Set<string>() };
  for (let seed = 1; seed <= 200; seed += 1) {
    const site = await startStripe({ now: () => NOW });
    const expected = fillAccount(site, seed);
    const { sums, rows } = await assessed(site);
    await site.close();
    const found = [...rows].map(([ref, { customer, subscription, reasons, monthly }]) => {
      const { currency } = subscription;
      const row = { customer: customer.ref, reasons: [...reasons].sort(), currency, monthly };
      return [ref, { ...row, moves: reasons.length === 0 }] as const;
    });
    expect({ seed, rows: new Map(found) }).toEqual({ seed, rows: expected.rows });
    expect({ seed, ...sums.customers }).toEqual({ seed, ...expected.customers });
    const all = [...expected.rows.values()];
    const moving = all.filter(({ moves }) => moves);
    const { total, moves, stays } = sums.subscriptions;
    const counted = { seed, total: all.length, moves: moving.length, stays: all.length - moving.length };
    expect({ seed, total, moves, stays }).toEqual(counted);
    for (const reason of STAY_REASONS) {
      const count = all.filter(({ reasons }) => reasons.includes(reason)).length;
      expect([seed, reason, sums.reasons[reason]]).toEqual([seed, reason, count]);
    }
    const money = Object.groupBy(all, ({ currency }) => currency);
    expect([...sums.money.keys()].sort()).toEqual(Object.keys(money).sort());
    for (const [currency, of = []] of Object.entries(money)) {
      const share = (side: boolean) => {
        const ofSide = of.filter((row) => row.moves === side);
        return { subscriptions: ofSide.length, monthly: ofSide.reduce((sum, { monthly }) => sum + monthly, 0) };
      };
      const shares = { moves: share(true), stays: share(false) };
      expect([seed, currency, sums.money.get(currency)]).toEqual([seed, currency, shares]);
    }
    seen.customers += sums.customers.total;
    seen.rows += total;
    seen.moves += moves;
    for (const { reasons } of all) for (const reason of reasons) seen.reasons.add(reason);
  }
  expect([...seen.reasons].sort()).toEqual([...STAY_REASONS].sort());
  expect(seen.customers).toBeGreaterThan(500);
  expect(seen.rows).toBeGreaterThan(1500);
  expect(seen.moves).toBeGreaterThan(100);
});

describe("the reading of an account", () => {
  test("gives each subscription away before the next page is read", async () => {
    const items = [{ price: stripe.operations.price() }];
    for (let n = 0; n < 250; n += 1) stripe.operations.subscribe(buyer(`buyer${n}@example.com`), { items });
    const pages: number[] = [];
    const { rows } = await assessed(stripe, () => void pages.push(listed("/v1/customers")));
    expect(rows.size).toBe(250);
    expect([pages[0], pages[99], pages[100], pages[249]]).toEqual([1, 1, 2, 3]);
    // The six other lists: Products, coupons, schedules, drafts, open invoices and items.
    expect(stripe.requests).toHaveLength(3 + 6);
    expect(new Set(stripe.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  test("finds the subscriptions of a Customer beyond the first ten", async () => {
    const customer = buyer();
    const refs = Array.from({ length: 25 }, () => stripe.operations.subscribe(customer));
    stripe.operations.subscribe(customer, { status: "canceled" });
    const { rows } = await assessed(stripe);
    expect([...rows.keys()].sort()).toEqual(refs.sort());
    expect(listed("/v1/subscriptions")).toBe(1);
  });

  test("takes a subscription without items, and one in a status of later days", async () => {
    await stripe.close();
    stripe = await startStripe({ now: () => NOW, isLater: true });
    stripe.operations.subscribe(buyer(), { items: [] });
    stripe.operations.subscribe(buyer(), { status: "dormant" as "active" });
    const { rows } = await assessed(stripe);
    const reasons = [...rows.values()].map((each) => each.reasons.filter((reason) => reason !== "no_card"));
    expect(reasons).toEqual([["incomplete"], ["several_items", "renewal_near"]]);
  });

  test("leaves the account as it is", async () => {
    fillAccount(stripe, 7);
    const { customers, subscriptions, paymentMethods, invoices, events } = stripe.book;
    const before = structuredClone([customers, subscriptions, paymentMethods, invoices, events]);
    await readerOf(stripe).open();
    await assessed(stripe);
    expect([customers, subscriptions, paymentMethods, invoices, events]).toEqual(before);
  });

  test.each<FaultKind>(["before", "after", "cut", "500", "502", "429", "lock", "lock 409"])(
    "goes on after an answer that is lost or refused for a moment: %s",
    async (kind) => {
      for (let n = 0; n < 150; n += 1) stripe.operations.subscribe(buyer(`buyer${n}@example.com`));
      stripe.fault((request) => request.path === "/v1/customers", kind, 5);
      const { rows } = await assessed(stripe);
      expect(rows.size).toBe(150);
    },
  );

  test("ends if Stripe stays away, after pauses of two minutes in all", async () => {
    stripe.fault("GET /v1/coupons", "502", 100);
    const pauses = quickPauses();
    const reader = openStripeReader({ key: stripe.key, baseUrl: stripe.url, pauses });
    await expect(reader.customers().next()).rejects.toThrow("Stripe can't be reached: Stripe answered 502");
    expect(pauses.slept).toEqual([1, 2, 4, 8, 16, 32, 64].map((each) => each * 1000));
  });

  test("ends if the key is revoked on the way", async () => {
    for (let n = 0; n < 150; n += 1) buyer(`buyer${n}@example.com`);
    const customers = readerOf(stripe).customers();
    await customers.next();
    stripe.operations.revokeKey(stripe.key);
    const rest = Array.fromAsync(customers);
    await expect(rest).rejects.toThrow(ReadError);
    await expect(rest).rejects.toThrow("the key is not valid, or was revoked");
  });
});

describe("the reading of one subscription", () => {
  test("finds all that the reading of the account finds, and an end", async () => {
    const seen = { rows: 0, ended: 0 };
    for (let seed = 1; seed <= 40; seed += 1) {
      const site = await startStripe({ now: () => NOW });
      fillAccount(site, seed);
      const { rows } = await assessed(site);
      const reader = readerOf(site);
      for (const [ref, { customer, subscription }] of rows) {
        const read = (await reader.subscription(ref))!;
        // A reading of one subscription leaves the Products out, which are in no decision.
        const unnamed = (found: ForeignCustomer) =>
          JSON.parse(JSON.stringify(found), (name, value) =>
            name === "productName" || name === "unitLabel" ? undefined : value,
          );
        expect({ seed, customer: unnamed(read.customer) }).toEqual({ seed, customer: unnamed(customer) });
        expect(read.subscription).toBe(read.customer.subscriptions.find((each) => each.ref === ref));
        expect(read.subscription.nextChargeAt).toBe(subscription.nextChargeAt);
        seen.rows += 1;
      }
      for (const { id, status } of site.book.subscriptions.values()) {
        if (rows.has(id)) continue;
        expect([seed, id, status, await reader.subscription(id)]).toEqual([seed, id, status, null]);
        seen.ended += 1;
      }
      await site.close();
    }
    expect(seen.rows).toBeGreaterThan(100);
    expect(seen.ended).toBeGreaterThan(3);
  });

  test("answers null for a subscription of another account, and of a Customer that was deleted", async () => {
    const customer = buyer();
    const ref = stripe.operations.subscribe(customer);
    expect(await readerOf(stripe).subscription("sub_unknown")).toBeNull();
    stripe.operations.deleteCustomer(customer);
    expect(await readerOf(stripe).subscription(ref)).toBeNull();
  });

  test("has the parts that a Customer and a Subscription here get", async () => {
    const customer = stripe.operations.makeCustomer({ email: "ada@example.com", name: "Ada" });
    const lines = { line1: "Unter den Linden 1", line2: null, postal_code: "10117", city: "Berlin", state: null };
    const address = { country: "DE", ...lines };
    stripe.operations.changeCustomer(customer, {
      address,
      preferred_locales: ["de-AT", "en"],
      metadata: { user: "u_1" },
      business_name: "Lovelace GmbH",
      default_source: stripe.operations.source(customer, "card", { brand: "American Express", last4: "0005" }),
    });
    stripe.operations.taxId(customer, "eu_vat", "DE811569869");
    const coupon = stripe.operations.coupon({ duration: "repeating", duration_in_months: 6 });
    const end = NOW / 1000 + 90 * 86_400;
    const discounts = [stripe.operations.discount(coupon, { end })];
    const ref = stripe.operations.subscribe(customer, { metadata: { seat: "9" }, discounts });
    const found = (await readerOf(stripe).subscription(ref))!;
    expect(found.customer.details).toEqual({
      name: "Ada",
      companyName: "Lovelace GmbH",
      address: {
        country: "DE",
        line1: "Unter den Linden 1",
        line2: null,
        postalCode: "10117",
        city: "Berlin",
        state: null,
      },
      taxIds: [{ type: "eu_vat", value: "DE811569869" }],
      locales: ["de-AT", "en"],
      metadata: { user: "u_1" },
    });
    expect(found.customer.payment).toMatchObject({ type: "card", brand: "amex", last4: "0005" });
    expect(found.subscription).toMatchObject({
      payment: found.customer.payment,
      metadata: { seat: "9" },
      startedAt: NOW,
      periodEnd: found.subscription.nextChargeAt,
      discounts: [
        {
          ref: coupon,
          duration: "repeating",
          months: 6,
          startedAt: NOW,
          endsAt: end * 1000,
          terms: { basisPoints: 2500 },
        },
      ],
    });
  });
});

describe("the preview of the next invoice", () => {
  test("has the parts of its total, before the balance", async () => {
    const customer = buyer();
    stripe.operations.changeCustomer(customer, { balance: -700, currency: "usd" });
    const discounts = [stripe.operations.discount(stripe.operations.coupon({ percent_off: 50 }))];
    const rates = [stripe.operations.taxRate()];
    const ref = stripe.operations.subscribe(customer, { discounts, default_tax_rates: rates });
    const upcoming = await readerOf(stripe).upcoming(ref);
    expect(upcoming).toEqual({ currency: "usd", subtotal: 2000, discount: 1000, tax: 190, total: 1190 });
  });

  test("is in minor units of ISO 4217", async () => {
    const items = [{ price: stripe.operations.price({ currency: "isk", unit_amount: 290_000 }) }];
    const ref = stripe.operations.subscribe(buyer(), { items });
    expect(await readerOf(stripe).upcoming(ref)).toMatchObject({ currency: "isk", subtotal: 2900, total: 2900 });
  });

  test("is null if no invoice follows", async () => {
    const ref = stripe.operations.subscribe(buyer(), {
      cancel_at_period_end: true,
      cancel_at: NOW / 1000 + 30 * 86_400,
    });
    expect(await readerOf(stripe).upcoming(ref)).toBeNull();
  });

  test("asks for a permission that other readings do not need", async () => {
    stripe.operations.takePermission(stripe.key, "invoice_write");
    const reader = readerOf(stripe);
    expect((await reader.open()).missing).toEqual([]);
    expect((await reader.open({ previews: true })).missing).toEqual([expect.stringContaining("Invoices: write")]);
  });
});

describe("the account of a key", () => {
  test("is known, with the permissions that are missing in Stripe's words", async () => {
    const account = { account: stripe.accountId, missing: [] };
    expect(await readerOf(stripe).open()).toEqual({ ...account, isFull: false });
    expect(await readerOf(stripe, stripe.secretKey).open()).toEqual({ ...account, isFull: true });
    for (const each of ["coupon_read", "payment_method_read", "accounts_kyc_basic_read"])
      stripe.operations.takePermission(stripe.key, each);
    const { missing } = await readerOf(stripe).open();
    expect(missing).toEqual([
      expect.stringContaining('Coupons: read (Stripe: Enabling "coupon_read"'),
      expect.stringContaining('PaymentMethods: read (Stripe: Enabling "payment_method_read"'),
    ]);
  });

  test("is not known if the key is not valid", async () => {
    const reader = readerOf(stripe, `rk_test_${"x".repeat(20)}`);
    await expect(reader.open()).rejects.toThrow("Stripe refuses: the key is not valid, or was revoked");
  });
});
