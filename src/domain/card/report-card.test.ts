import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  cardWith,
  customerWith,
  disputeWith,
  invoiceWith,
  lineWith,
  paymentWith,
} from "../../../test/support/customer-billing.ts";
import { subscriptionWith, trialWith } from "../../../test/support/subscription.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import { instant } from "../calendar.ts";
import type { Card } from "../model/payment-outcome.ts";
import { snapshotOf, type PaymentMethod } from "../model/payment.ts";
import { reportCard, type CardReport } from "./report-card.ts";
import { settlePayment } from "../settlement/settle.ts";

const ON_FILE = cardWith();
const shown: Card = { ...snapshotOf(ON_FILE), ref: ON_FILE.providerRef, fingerprint: ON_FILE.fingerprint };
const at = (readAt: number, card: Card | null): CardReport => ({ card, readAt: instant(readAt) });
const looks = (method: PaymentMethod) => JSON.stringify([method.dead, snapshotOf(method)]);
const stored = (billing: CustomerBilling) => billing.cards.get("pm_1")!;

/**
 * The provider's states of one card in their order. A card may have ended in the last state. Each state is read once or
 * more, and the readings are booked in any order.
 */
const history = fc
  .record({
    states: fc.array(
      fc.record({ expYear: fc.constantFrom(2030, 2031, 2032), last4: fc.constantFrom("4242", "1881") }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    ended: fc.boolean(),
  })
  .chain(({ states, ended }) => {
    const cards: (Card | null)[] = states.map((state) => ({ ...shown, ...state }));
    const all = (ended ? [...cards, null] : cards).map((card, n) => at(1000 * n, card));
    const again = fc.subarray(all.map((report) => ({ ...report, readAt: instant(report.readAt + 1) })));
    return again
      .chain((repeated) => fc.shuffledSubarray([...all, ...repeated], { minLength: all.length + repeated.length }))
      .map((booked) => ({ last: all.at(-1)!.card, booked }));
  });

test("readings in any order, repeated too, end with the latest one, with an event for each visible change", () => {
  fc.assert(
    fc.property(history, ({ last, booked }) => {
      const billing = billingWith({ cards: [ON_FILE] });
      let changes = 0;
      for (const report of booked) {
        const before = stored(billing);
        reportCard(billing, "pm_1", report);
        const after = stored(billing);
        changes += looks(before) === looks(after) ? 0 : 1;
        expect(billing.events).toHaveLength(changes);
        // Without an event the version stays, and so does the ETag.
        expect([after.version, after.eventSequence]).toEqual([1 + changes, changes]);
      }
      expect(stored(billing).dead).toBe(last === null);
      if (last !== null) expect(snapshotOf(stored(billing))).toEqual(snapshotOf(last));
      const types = billing.events.map(({ type }) => type);
      const ends = types.filter((type) => type === "payment_method.detached");
      expect(ends).toHaveLength(last === null ? 1 : 0);
      if (last === null) expect(types.at(-1)).toBe("payment_method.detached");
    }),
  );
});

describe("a report", () => {
  it("without a change makes no event and no version", () => {
    const billing = billingWith({ cards: [ON_FILE] });
    reportCard(billing, "pm_1", at(5, shown));
    expect(stored(billing)).toEqual({ ...ON_FILE, providerReadAt: 5 });
    expect(billing.events).toEqual([]);
  });

  it("of another fingerprint alone changes nothing that callers see", () => {
    const billing = billingWith({ cards: [ON_FILE] });
    reportCard(billing, "pm_1", at(5, { ...shown, fingerprint: "fp_new" }));
    expect(stored(billing)).toMatchObject({ fingerprint: "fp_new", version: 1 });
    expect(billing.events).toEqual([]);
  });

  it("of a card that is not there changes nothing", () => {
    const billing = billingWith();
    reportCard(billing, "pm_1", at(5, null));
    expect(billing.cards.changes()).toEqual({ inserted: [], updated: [], dropped: [] });
  });

  it("shows whether the card is the default and whether a dispute holds the card back", () => {
    const billing = billingWith({
      cards: [ON_FILE],
      customer: customerWith({ defaultPaymentMethodId: "pm_1" }),
      payments: [paymentWith({ paymentMethodId: "pm_1" })],
      disputes: [disputeWith({ status: "open" })],
    });
    reportCard(billing, "pm_1", at(5, { ...shown, fingerprint: "fp_new", expYear: 2040 }));
    reportCard(billing, "pm_1", at(6, null));
    expect(billing.events.map(({ resource }) => resource)).toMatchObject([
      { kind: "card", isDefault: true, isDisputed: true, row: { expYear: 2040 } },
      { kind: "card", isDefault: true, isDisputed: true, row: { dead: true, detachedAt: billing.now } },
    ]);
  });

  it("of the end plans the end of a trial that has no other card (rule C2)", () => {
    const trials = [trialWith(), trialWith({ id: "sub_2", paymentMethodId: "pm_2", claimed: false })];
    const billing = billingWith({
      cards: [ON_FILE, cardWith({ id: "pm_2" })],
      customer: customerWith({ defaultPaymentMethodId: "pm_1" }),
      subscriptions: trials,
    });
    reportCard(billing, "pm_1", at(5, null));
    expect(billing.subscriptions.get("sub_1")).toMatchObject({
      cardMissing: true,
      accessEndsAt: trials[0]!.trialEnd,
      version: trials[0]!.version,
    });
    expect(billing.subscriptions.get("sub_2")).toEqual(trials[1]);
  });
});

describe("a hard decline", () => {
  /** A stolen card. `page`: the buyer has just given the card; else the card was on file. */
  function stolen(purpose: "renewal" | "page"): CustomerBilling {
    const billing = billingWith({
      cards: [ON_FILE],
      subscriptions: [subscriptionWith()],
      invoices: [invoiceWith({ status: "open" })],
      lines: [lineWith()],
      payments: [paymentWith({ purpose, status: "pending", paymentMethodId: "pm_1" })],
    });
    settlePayment(billing, "pay_1", { status: "declined", code: "card_stolen" });
    return billing;
  }
  const typesOf = ({ events }: CustomerBilling) => events.map(({ type }) => type);

  it("ends a card on file with an event, and a later report makes no other one", () => {
    const billing = stolen("renewal");
    reportCard(billing, "pm_1", at(5, null));
    expect(typesOf(billing)).toEqual([
      "payment.failed",
      "payment_method.detached",
      "invoice.payment_failed",
      "subscription.past_due",
    ]);
  });

  it("ends a card that was never on file without an event", () => {
    const billing = stolen("page");
    expect(stored(billing)).toMatchObject({ dead: true, detachedAt: null, version: 1 });
    expect(typesOf(billing)).toEqual(["payment.failed", "invoice.payment_failed"]);
  });
});
