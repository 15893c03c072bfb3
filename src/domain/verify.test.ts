import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  anyInstant,
  anyPeriod,
  anyZone,
  at,
  pastDueWith,
  subscriptionWith,
  trialWith,
} from "../../test/support/subscription.ts";
import { addDays24 } from "./calendar.ts";
import {
  issued,
  paid,
  paidOutside,
  refunded,
  voided,
  type TransferDraft,
  type TransferKind,
  payoutFailed,
  payoutRequested,
  refundReturned,
} from "./model/ledger.ts";
import { startPeriods } from "./model/period.ts";
import { planRenewal } from "./model/renewal.ts";
import { withDerived } from "./model/subscription.ts";
import { deviationsOf, invoiceMisposted, lineDeviationsOf, refundMisposted, type PostedInvoice } from "./verify.ts";

const MOVED = { source: "stripe", ref: "sub_there", isHeld: false } as const;

describe("a Subscription", () => {
  test("has no deviations as the engine writes it, however often it is renewed", () => {
    const renewals = fc.integer({ min: 0, max: 14 });
    fc.assert(
      fc.property(anyInstant, anyZone, anyPeriod, renewals, (start, zone, period, n) => {
        let subscription = subscriptionWith({ ...startPeriods(start, zone, period) });
        for (let renewed = 0; renewed < n; renewed += 1) {
          subscription = withDerived(
            planRenewal(subscription, { productName: "", unitName: null, timeZone: zone, tax: null }).subscription,
          );
        }
        expect(deviationsOf(subscription)).toEqual([]);
      }),
    );
  });

  test.each([
    [trialWith(), { dueAt: null }, ["dueAt"]],
    [pastDueWith(), { accessEndsAt: null }, ["accessEndsAt"]],
    [subscriptionWith(), { anchorIndex: 2 }, ["currentPeriodEnd"]],
    [subscriptionWith(), { anchorTimeZone: "Nowhere" }, ["currentPeriodEnd"]],
    [subscriptionWith(), { quantity: 3 }, ["amount"]],
    [subscriptionWith(), { quantity: 0 }, ["quantity"]],
    // Zones are redefined by hours, not by days.
    [subscriptionWith(), withDerived(subscriptionWith({ currentPeriodEnd: at("2025-07-01T23:00:00Z") })), []],
    [subscriptionWith(), withDerived(subscriptionWith({ currentPeriodEnd: at("2025-07-02") })), ["currentPeriodEnd"]],
    [subscriptionWith(), withDerived(subscriptionWith({ currentPeriodEnd: at("2025-07-09"), imported: MOVED })), []],
    [
      subscriptionWith(),
      withDerived(subscriptionWith({ currentPeriodEnd: at("2025-07-09"), imported: MOVED, periodNumber: 2 })),
      ["currentPeriodEnd"],
    ],
    [
      subscriptionWith(),
      { dueAt: addDays24(at("2025-07-01"), 1), accessEndsAt: at("2025-07-01") },
      ["dueAt", "accessEndsAt"],
    ],
  ])("%# that was tampered with has", (subscription, change, figures) => {
    expect(deviationsOf({ ...subscription, ...change }).map(({ figure }) => figure)).toEqual(figures);
  });
});

describe("a line", () => {
  const vat = { country: "DE", region: null, basisPoints: 1900, inclusive: false, name: "USt", reverseCharge: false };
  const line = { id: "iln_1", invoiceId: "inv_1", amount: 1000, discountAmount: 250, taxAmount: 143, tax: vat };
  const quarter = { code: "LAUNCH", type: "percentage", basisPoints: 2500, amount: null } as const;
  const period = { kind: "period", price: 1000, discount: quarter } as const;
  const part = { start: at("2025-06-01"), until: at("2025-06-16"), end: at("2025-07-01") };
  const half = { ...line, discountAmount: 125, taxAmount: 166 };
  const rest = { rate: 3000, from: at("2025-06-16"), periodStart: at("2025-06-01"), periodEnd: at("2025-07-01") };
  const credit = {
    ...line,
    amount: -1500,
    discountAmount: 0,
    taxAmount: -285,
    basis: { kind: "credit", ...rest },
  } as const;
  const until = {
    kind: "passed",
    from: at("2025-06-16"),
    until: at("2025-06-20"),
    periodEnd: at("2025-07-01"),
  } as const;
  const passed = {
    ...line,
    amount: -400,
    discountAmount: 0,
    taxAmount: -76,
    basis: { ...until, amount: -1500, of: credit.basis },
  };
  test.each([
    [passed, []],
    [{ ...passed, basis: { ...passed.basis, of: null } }, []],
    [{ ...passed, amount: -401 }, [{ figure: "amount", is: -401, shouldBe: -400 }]],
    [
      { ...passed, basis: { ...passed.basis, amount: -1501 } },
      [{ figure: "basis.amount", is: -1501, shouldBe: -1500 }],
    ],
    [{ ...line, basis: period }, []],
    [{ ...line, basis: null }, []],
    [credit, []],
    [{ ...credit, basis: { kind: "debit", ...rest } } as const, [{ figure: "amount", is: -1500, shouldBe: 1500 }]],
    // A quarter of 999 is 250 after rounding, too.
    [{ ...line, basis: { ...period, price: 999 } }, [{ figure: "amount", is: 1000, shouldBe: 999 }]],
    [{ ...line, basis: { ...period, discount: null } }, [{ figure: "discountAmount", is: 250, shouldBe: 0 }]],
    [{ ...half, basis: { ...period, discount: { ...quarter, part } } }, []],
    [{ ...half, basis: period }, [{ figure: "discountAmount", is: 125, shouldBe: 250 }]],
    // Five units of 2.00.
    [{ ...line, basis: { ...period, quantity: 5 } }, []],
    [{ ...line, basis: { ...period, quantity: 3 } }, [{ figure: "basis.price", is: 1000, shouldBe: 999 }]],
    [
      { ...credit, basis: { ...credit.basis, quantity: 7, price: 3000 } },
      [{ figure: "basis.price", is: 3000, shouldBe: 3003 }],
    ],
    [
      { ...passed, basis: { ...passed.basis, of: { ...credit.basis, quantity: 7, price: 3000 } } },
      [{ figure: "basis.price", is: 3000, shouldBe: 3003 }],
    ],
    [{ ...line, taxAmount: 142, basis: null }, [{ figure: "taxAmount", is: 142, shouldBe: 143 }]],
    [{ ...line, tax: null, basis: null }, [{ figure: "taxAmount", is: 143, shouldBe: 0 }]],
  ])("%#", (given, deviations) => expect(lineDeviationsOf(given)).toEqual(deviations));
});

describe("postings", () => {
  const amounts = { totalAmount: 1190, taxAmount: 190, balanceApplied: 190, amountDue: 1000 };
  const post = (kind: TransferKind, drafts: TransferDraft[]) =>
    drafts.map((draft) => ({ kind, currency: "usd", ...draft }));
  const invoice = (status: PostedInvoice["status"], postings: PostedInvoice["postings"], outside = false) =>
    invoiceMisposted({ id: "inv_1", currency: "usd", ...amounts, status, paidOutside: outside, postings });
  const open = post("invoice_issued", issued(amounts));

  test("of an invoice follow its status", () => {
    expect(invoice("open", open)).toBeNull();
    expect(invoice("paid", [...post("invoice_paid", paid(amounts)), ...open])).toBeNull();
    expect(invoice("paid", [...open, ...post("invoice_paid_outside", paidOutside(amounts))], true)).toBeNull();
    expect(invoice("void", [...open, ...post("invoice_voided", voided(amounts))])).toBeNull();
  });

  test("that are missing, twice or others are told", () => {
    expect(invoice("paid", open)).toEqual({ missing: "invoice_paid provider receivable 1000 usd", unexpected: "" });
    expect(invoice("open", [...open, open[0]!])).toEqual({
      missing: "",
      unexpected: "invoice_issued receivable revenue 1000 usd",
    });
    expect(invoice("open", [{ ...open[0]!, currency: "eur" }, ...open.slice(1)])).toEqual({
      missing: "invoice_issued receivable revenue 1000 usd",
      unexpected: "invoice_issued receivable revenue 1000 eur",
    });
  });

  test("of a refund are made when it succeeds", () => {
    const sums = { amount: 500, fromBalance: 0, taxAmount: 80 };
    const refund = { id: "rfd_1", currency: "usd", ...sums, to: "balance", failedLate: false } as const;
    const given = post("refund", refunded(refund));
    expect(refundMisposted({ ...refund, status: "succeeded", postings: given })).toBeNull();
    expect(refundMisposted({ ...refund, status: "pending", postings: [] })).toBeNull();
    expect(refundMisposted({ ...refund, status: "failed", postings: given })?.unexpected).toBe(
      "refund revenue balance 500 usd, refund tax revenue 80 usd",
    );
  });

  test("of a refund that fails late are the refund and its reverse", () => {
    const sums = { amount: 500, fromBalance: 200, taxAmount: 40 };
    const refund = { id: "rfd_1", currency: "usd", ...sums, to: "card", status: "failed" } as const;
    const requested = post("payout_requested", payoutRequested(200));
    const late = [...requested, ...post("refund", refunded(refund)), ...post("refund_failed", refundReturned(500))];
    expect(refundMisposted({ ...refund, failedLate: true, postings: late })).toBeNull();
    expect(refundMisposted({ ...refund, failedLate: true, postings: late.slice(0, -1) })).toEqual({
      missing: "refund_failed provider balance 500 usd",
      unexpected: "",
    });
    const atOnce = [...requested, ...post("payout_failed", payoutFailed(200))];
    expect(refundMisposted({ ...refund, failedLate: false, postings: atOnce })).toBeNull();
    expect(refundMisposted({ ...refund, failedLate: true, postings: atOnce })?.unexpected).toBe(
      "payout_failed paying_out balance 200 usd",
    );
  });
});
