import { describe, expect, test } from "vitest";
import { benefitWith, billingWith, cardWith, eventsOf, productWith } from "../../../test/support/customer-billing.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import { accessEndsAt, nextDue, withDerived } from "../model/subscription.ts";
import {
  holdAgain,
  importSubscription,
  refreshImported,
  releaseImported,
  type ImportedTerms,
} from "./imported-subscription.ts";
import { ownNextInvoice } from "./own-invoice.ts";

const product = productWith([], { id: "prd_pro", prices: [{ currency: "usd", amount: 1000 }] });
const team = productWith([], { id: "prd_team", groupKey: "plans", prices: [{ currency: "usd", amount: 3000 }] });
const sale = { product, price: { currency: "usd" } };
const TERMS: ImportedTerms = {
  source: "stripe",
  ref: "sub_there",
  quantity: 1,
  unitAmount: 1000,
  startedAt: at("2025-01-20"),
  periodStart: at("2025-05-20"),
  periodEnd: at("2025-06-20"),
  anchorAt: at("2025-01-20"),
  trialEnd: null,
  cancelAt: null,
  discount: null,
  paymentMethodId: null,
  metadata: { plan: "old" },
};
const terms = (more: Partial<ImportedTerms> = {}): ImportedTerms => ({ ...TERMS, ...more });
const HELD = { isHeld: true };

function billing(): CustomerBilling {
  return billingWith({ products: [product, team], benefits: [benefitWith()], cards: [cardWith()] });
}

describe("the import of a subscription (rule V3)", () => {
  test.each([
    ["the price of the catalogue", {}, { amount: 1000, quantity: 1, ownPrice: null, paidRate: 1000 }],
    [
      "another price, which is its own",
      { unitAmount: 800 },
      { amount: 800, ownPrice: { productId: "prd_pro", unitAmount: 800 }, paidRate: 800 },
    ],
    ["several units", { quantity: 7 }, { amount: 7000, quantity: 7, ownPrice: null, paidRate: 7000 }],
    ["a price of 0", { unitAmount: 0 }, { amount: 0, ownPrice: { productId: "prd_pro", unitAmount: 0 } }],
    [
      "a planned end",
      { cancelAt: at("2025-06-20") },
      { cancelAtPeriodEnd: true, cancelAt: at("2025-06-20"), canceledAt: at("2025-06-16") },
    ],
    [
      "an end within the period, which ends the period",
      { cancelAt: at("2025-06-18") },
      { cancelAtPeriodEnd: true, cancelAt: at("2025-06-18"), currentPeriodEnd: at("2025-06-18") },
    ],
    [
      "a trial",
      { trialEnd: at("2025-06-25"), periodStart: at("2025-06-11"), periodEnd: at("2025-06-25") },
      { status: "trialing", trialEnd: at("2025-06-25"), paidRate: 0, paidTax: null },
    ],
    [
      "an end within the trial, which ends the trial",
      { trialEnd: at("2025-06-25"), periodEnd: at("2025-06-25"), cancelAt: at("2025-06-20") },
      {
        status: "trialing",
        cancelAt: at("2025-06-20"),
        trialEnd: at("2025-06-20"),
        currentPeriodEnd: at("2025-06-20"),
      },
    ],
    ["its begin and its metadata", {}, { startedAt: at("2025-01-20"), metadata: { plan: "old" }, periodNumber: 1 }],
  ])("takes %s", (_, more, columns) => {
    const books = billing();
    expect(importSubscription(books, sale, terms(more), HELD)).toMatchObject({
      status: "active",
      dueAt: null,
      accessEndsAt: null,
      imported: { source: "stripe", ref: "sub_there", isHeld: true },
      ...columns,
    });
    expect(eventsOf(books)).toEqual(["subscription.created"]);
    expect(books.emails).toEqual([]);
    expect(books.invoices.where(() => true)).toEqual([]);
  });

  test.each([
    [
      "an end that is planned for a later period",
      { cancelAt: at("2025-07-20") },
      "the end is planned for a later period",
    ],
    ["an amount below the minimum charge", { unitAmount: 10 }, "amount_below_minimum"],
    ["more than an amount can be", { unitAmount: 99_999_999, quantity: 100_000 }, "quantity_too_expensive"],
  ])("refuses %s", (_, more, message) => {
    expect(() => importSubscription(billing(), sale, terms(more), HELD)).toThrow(message);
  });

  test("refuses a second Subscription in the group, and a Product that is sold once", () => {
    const books = billing();
    const grouped = { ...sale, product: team };
    importSubscription(books, grouped, terms(), HELD);
    expect(() => importSubscription(books, grouped, terms({ ref: "sub_other" }), HELD)).toThrow("already_subscribed");
    const once = { ...product, interval: null, intervalCount: null, groupKey: null };
    expect(() => importSubscription(billing(), { ...sale, product: once }, terms(), HELD)).toThrow("not_recurring");
  });
});

describe("a held Subscription (rule V1)", () => {
  const isHeld = { source: "stripe", ref: "sub_1", isHeld: true } as const;
  test.each([
    ["a period that is over", {}],
    ["a planned end", { cancelAtPeriodEnd: true, cancelAt: at("2025-07-01") }],
    ["a trial", { status: "trialing" as const, trialEnd: at("2025-07-01"), cardMissing: true }],
  ])("has no due work and no end of access with %s", (_, more) => {
    const held = subscriptionWith({ ...more, imported: isHeld });
    expect([nextDue(held), accessEndsAt(held), withDerived(held).dueAt]).toEqual([null, null, null]);
    const released = { ...held, imported: { ...isHeld, isHeld: false } };
    expect(nextDue(released)).not.toBeNull();
  });
});

describe("a later reading", () => {
  test("without a difference writes no row", () => {
    const books = billing();
    const held = importSubscription(books, sale, terms(), HELD);
    expect(refreshImported(books, held, terms())).toBe(held);
    expect(eventsOf(books)).toEqual(["subscription.created"]);
  });

  test.each([
    ["another period", { periodStart: at("2025-06-20"), periodEnd: at("2025-07-20") }, { periodNumber: 1 }],
    ["another quantity", { quantity: 3 }, { amount: 3000 }],
    [
      "a trial that was made longer",
      { trialEnd: at("2025-07-01") },
      { status: "trialing", trialEnd: at("2025-07-01") },
    ],
    ["a planned end", { cancelAt: at("2025-06-20") }, { cancelAtPeriodEnd: true }],
    ["the Subscription's own card", { paymentMethodId: "pm_1" }, { paymentMethodId: "pm_1" }],
  ])("takes %s, and is still held", (_, more, columns) => {
    const books = billing();
    const held = importSubscription(books, sale, terms(), HELD);
    expect(refreshImported(books, held, terms(more))).toMatchObject({ id: held.id, dueAt: null, ...columns });
    expect(eventsOf(books)).toEqual(["subscription.created", "subscription.updated"]);
  });

  test("may be of another Product", () => {
    const books = billing();
    const held = importSubscription(books, sale, terms(), HELD);
    const moved = { product: team, price: { currency: "usd" } };
    expect(refreshImported(books, held, terms({ unitAmount: 3000 }), moved)).toMatchObject({
      productId: "prd_team",
      groupKey: "plans",
      amount: 3000,
      ownPrice: null,
    });
  });

  test("is not taken by a Subscription that is not held", () => {
    const books = billing();
    const running = importSubscription(books, sale, terms(), { isHeld: false });
    expect(() => refreshImported(books, running, terms())).toThrow("is not held for an import");
  });
});

describe("the release (rule V4)", () => {
  test("makes the next period due, on its day", () => {
    const books = billing();
    const held = importSubscription(books, sale, terms(), HELD);
    const released = releaseImported(books, held, terms());
    expect(released).toMatchObject({ imported: { isHeld: false }, currentPeriodEnd: at("2025-06-20") });
    expect(released.dueAt).not.toBeNull();
    expect(eventsOf(books)).toEqual(["subscription.created", "subscription.updated"]);
  });

  test("can be undone until a period is billed here", () => {
    const books = billing();
    const released = releaseImported(books, importSubscription(books, sale, terms(), HELD), terms());
    expect(holdAgain(books, released)).toMatchObject({ dueAt: null, imported: { isHeld: true } });
    expect(() => holdAgain(books, { ...released, periodNumber: 2 })).toThrow("can't be held again");
    expect(() => holdAgain(books, { ...released, imported: null })).toThrow("can't be held again");
  });
});

describe("the next invoice of a held Subscription", () => {
  const next = (more: Partial<ImportedTerms>) => {
    const books = billing();
    return ownNextInvoice(books, importSubscription(books, sale, terms(more), HELD));
  };
  test.each([
    ["of its price", {}, 1000],
    ["of all units", { quantity: 3 }, 3000],
    ["after a trial", { trialEnd: at("2025-06-25") }, 1000],
  ])("is the invoice %s", (_, more, total) => expect(next(more)).toMatchObject({ total }));
  test("is none with a planned end", () => expect(next({ cancelAt: at("2025-06-20") })).toBeNull());
});
