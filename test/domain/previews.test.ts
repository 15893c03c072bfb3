import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CustomerBilling } from "../../src/domain/billing/customer-billing.ts";
import { balanceIn } from "../../src/domain/balance/move.ts";
import { sumOf } from "../../src/domain/money.ts";
import { dueToday } from "../../src/domain/model/checkout.ts";
import { quoteCheckout, type CheckoutQuote } from "../../src/domain/change/quote.ts";
import { Refused } from "../../src/domain/checkout/refusal.ts";
import { submitChange } from "../../src/domain/change/submit-change.ts";
import { openInvoicesOf, type Bill } from "../../src/domain/invoice/bills.ts";
import type { Payment } from "../../src/domain/model/payment.ts";
import { cancelNow, changeCancellation } from "../../src/domain/subscription/cancel.ts";
import { changeProduct } from "../../src/domain/change/update.ts";
import type { AskedProduct } from "../../src/domain/change/change-target.ts";
import { previewCancellation, previewCancelNow, previewProduct } from "../../src/domain/change/preview.ts";
import { previewRenewal, type RenewalPreview } from "../../src/domain/subscription/preview-renewal.ts";
import { collectOwed } from "../../src/domain/collection/failure.ts";
import { renewSubscription } from "../../src/domain/collection/renew.ts";
import type { Subscription } from "../../src/domain/model/subscription.ts";
import { Refusal } from "../../src/domain/refusal.ts";
import { billingWith, NOW } from "../support/customer-billing.ts";
import { anyBilling, SUBJECT, type AnyBilling } from "../support/any-billing.ts";
import { anyChange, checkoutOf } from "../support/any-change.ts";
import {
  subject,
  drafted,
  madeFor,
  attemptsFor,
  later,
  afterPeriod,
  nextInvoice,
  foretold,
  linesMade,
  succeed,
} from "./previewed.ts";

const RUNS = { numRuns: 1500 };
const CARD = {
  ref: "ref_new",
  fingerprint: "fp_new",
  type: "card",
  brand: "visa",
  last4: "0005",
  expMonth: 1,
  expYear: 2031,
} as const;
const GIVEN = { ...CARD, provider: "sandbox", providerAccount: "sandbox" };
const FROM = { requestId: null, idempotency: null };

/** The answer of a decision, or the code of its refusal. */
function outcome<T>(decide: () => T): { answer: T } | { refused: string } {
  try {
    return { answer: decide() };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code };
    if (!(error instanceof Refused)) throw error;
    const { refusal } = error;
    return { refused: refusal.refused === "change_refused" ? refusal.error.code : refusal.refused };
  }
}

/** Carries a change out. If it is answered 402, its page finishes it. */
function carryOut(billing: CustomerBilling, asked: AskedProduct): { charged: number; isOnPage: boolean } {
  const done = changeProduct(billing, subject(billing), asked, FROM);
  if ("changed" in done) return { charged: 0, isOnPage: false };
  if ("pending" in done) return { charged: succeed(billing, done.pending), isOnPage: false };
  const said = { billing: null, locale: null, agreed: { figures: {}, shownAt: NOW } };
  return {
    charged: succeed(billing, submitChange(billing, subject(billing), done.page.id, said, GIVEN).payment),
    isOnPage: true,
  };
}

const effectiveAt = (billing: CustomerBilling, before: Subscription) => {
  const { pendingChange } = subject(billing);
  return pendingChange && pendingChange !== before.pendingChange ? pendingChange.effectiveAt : billing.now;
};

describe("every preview agrees with the operation (rule P8)", () => {
  it("a change of the Product", () => {
    fc.assert(
      fc.property(anyBilling, anyChange, (given, asked) => {
        const preview = outcome(() => {
          const billing = billingWith(given);
          return previewProduct(billing, subject(billing), asked);
        });
        const billing = billingWith(given);
        const [before, balance] = [subject(billing), balanceIn(billing, subject(billing).currency)];
        const done = outcome(() => carryOut(billing, asked));
        if ("refused" in preview || "refused" in done) return void expect(done).toEqual(preview);
        if (preview.answer === null) return void expect(done.answer.isOnPage).toBe(true);
        expect({
          ...preview.answer,
          lines: preview.answer.lines.map(drafted),
          nextInvoice: foretold(preview.answer),
        }).toEqual({
          lines: linesMade(billing),
          chargeAmount: done.answer.charged,
          balanceChange: balanceIn(billing, before.currency) - balance,
          effectiveAt: effectiveAt(billing, before),
          nextInvoice: nextInvoice(billing),
        });
      }),
      RUNS,
    );
  });

  it("a cancellation that is scheduled or undone", () => {
    fc.assert(
      fc.property(anyBilling, fc.boolean(), (given, cancel) => {
        const previewed = billingWith(given);
        const preview = previewCancellation(previewed, subject(previewed), cancel);
        const billing = billingWith(given);
        const balance = balanceIn(billing, subject(billing).currency);
        changeCancellation(billing, subject(billing), cancel, {});
        const { currency, currentPeriodEnd } = subject(billing);
        expect({ ...preview, nextInvoice: foretold(preview) }).toEqual({
          lines: linesMade(billing),
          chargeAmount: 0,
          balanceChange: balanceIn(billing, currency) - balance,
          effectiveAt: cancel ? currentPeriodEnd : billing.now,
          nextInvoice: nextInvoice(billing),
        });
      }),
      RUNS,
    );
  });

  it("cancel-now", () => {
    fc.assert(
      fc.property(anyBilling, (given) => {
        const previewed = billingWith(given);
        const preview = previewCancelNow(previewed, subject(previewed), {});
        const billing = billingWith(given);
        const { currency } = subject(billing);
        const balance = balanceIn(billing, currency);
        cancelNow(billing, subject(billing), {});
        const lines = linesMade(billing);
        const charged = succeed(billing, attemptsFor(billing, SUBJECT)[0]);
        expect({ ...preview, lines: preview.lines.map(drafted) }).toEqual({
          lines,
          chargeAmount: charged,
          balanceChange: balanceIn(billing, currency) - balance,
          effectiveAt: billing.now,
          nextInvoice: null,
        });
        expect(openInvoicesOf(billing, SUBJECT)).toEqual([]);
      }),
      RUNS,
    );
  });
});

/** The fields that a renewal sets. */
function renewedTo(subscription: Subscription) {
  const { productId, groupKey, amount, currency, interval, intervalCount, currentPeriodStart, currentPeriodEnd } =
    subscription;
  const { anchorAt, anchorTimeZone, anchorIndex, periodNumber, paidRate, paidTax, discount, pendingChange } =
    subscription;
  const period = {
    interval,
    intervalCount,
    currentPeriodStart,
    currentPeriodEnd,
    periodNumber,
    anchorAt,
    anchorTimeZone,
    anchorIndex,
  };
  return { productId, groupKey, amount, currency, ...period, paidRate, paidTax, discount, pendingChange };
}

/** Compares the preview of a renewal with the renewal. */
function holdRenewal(given: AnyBilling, subscription: Subscription, preview: RenewalPreview): void {
  const { id } = subscription;
  const billing = later(billingWith(given), subscription.currentPeriodEnd);
  const isBehind = openInvoicesOf(billing, id).length > 0;
  collectOwed(billing, renewSubscription(billing, billing.subscriptions.get(id)!));
  const renewed = billing.subscriptions.get(id)!;
  const attempts = attemptsFor(billing, id).map(({ amount, paymentMethodId, failureCode }) => ({
    amount,
    paymentMethodId,
    failureCode,
  }));
  if (renewed.status === "canceled") {
    // No card can be charged when this trial ends (rule C2).
    expect([preview.paidBy, preview.card, attempts]).toEqual(["charge", null, []]);
    return;
  }
  const [{ invoice, lines }] = madeFor(billing, id) as [Bill];
  const { totalAmount, amountDue } = invoice;
  const paidBy = amountDue > 0 ? "charge" : totalAmount > 0 ? "balance" : "nothing";
  const productName = lines.at(-1)!.description;
  const { card, isCardDisputed, next, ...amounts } = preview;
  expect({ ...amounts, next: renewedTo(next) }).toEqual({
    totalAmount,
    amountDue,
    paidBy,
    productName,
    next: renewedTo(renewed),
  });
  expect(invoice.createdAt).toBe(next.currentPeriodStart);
  // While one period is owed, the next one waits (rules T4, D3).
  if (isBehind || subscription.status === "past_due") return;
  const attempt = {
    amount: amountDue,
    paymentMethodId: card?.id,
    failureCode: isCardDisputed ? "card_disputed" : null,
  };
  expect(attempts).toEqual(paidBy === "charge" && card ? [attempt] : []);
}

describe("the next charge that portal and e-mails tell is the one that is made (rule P8)", () => {
  it("for every Subscription that renews", () => {
    fc.assert(
      fc.property(anyBilling, (given) => {
        const billing = billingWith(given);
        const going = billing.subscriptions.where(
          ({ changeId, cancelAtPeriodEnd }) => changeId === null && !cancelAtPeriodEnd,
        );
        for (const subscription of going) holdRenewal(given, subscription, previewRenewal(billing, subscription));
      }),
      RUNS,
    );
  });
});

/** Expects the same refusal from both, except that the submission may say `product_archived` only. */
function holdRefusals(quote: object, submitted: object): void {
  const code = (from: object) => ("refused" in from ? from.refused : "none");
  expect(code(quote)).not.toBe("none");
  expect(["product_archived", code(quote)]).toContain(code(submitted));
}

/** Compares the page of a change with the effects of its payment. */
function holdQuote(billing: CustomerBilling, quote: CheckoutQuote, payment: Payment | null): void {
  const { checkout, lines, bill, scheduledFor, nextChargeAt, anchor } = quote;
  const { totals } = checkout.change!;
  const charged = succeed(billing, payment);
  expect([charged, billing.checkouts.get(checkout.id)!.status]).toEqual([dueToday(checkout), "completed"]);
  const [made] = madeFor(billing, SUBJECT);
  expect(linesMade(billing)).toEqual(lines.map(drafted));
  if (made) expect(made.invoice).toMatchObject({ ...totals, status: "paid", amountPaid: charged });
  const before = billing.loaded.balances.find(({ currency }) => currency === checkout.currency)!.amount;
  // Credit from a lost charge reaches the balance, and is written off at once (rule D7g).
  const lost = billing.balanceEntries.where(({ reason }) => reason === "dispute_lost");
  const moved = bill === "now" && made ? 0 - totals.balanceApplied + sumOf(lost.map(({ amount }) => amount)) : 0;
  expect(balanceIn(billing, checkout.currency) - before).toBe(moved);
  const changed = subject(billing);
  expect([nextChargeAt, scheduledFor]).toEqual([changed.currentPeriodEnd, changed.pendingChange?.effectiveAt ?? null]);
  const then = afterPeriod(billing);
  const { anchorAt, anchorTimeZone } = subject(then);
  expect(anchor).toEqual({ anchorAt, anchorTimeZone });
  // Waiting lines can't be paid if the page asked for no card: a trial ends with them (rule C2).
  if (subject(then).status === "canceled") return;
  const line = madeFor(then, SUBJECT)[0]?.lines.at(-1);
  expect([line?.basis, line?.tax]).toMatchObject([{ price: checkout.amount }, checkout.tax!.rate]);
}

describe("the page of a Checkout shows the change that its payment makes (rules C6, P8)", () => {
  /** The price that was agreed when the page was opened; null: the catalogue's. */
  const anyAgreed = fc.constantFrom(null, 0, 60, 2500);

  it("for any change", () => {
    fc.assert(
      fc.property(anyBilling, anyChange, anyAgreed, (given, asked, agreed) => {
        const page = checkoutOf(billingWith(given), asked, agreed);
        const quoted = billingWith({ ...given, checkouts: [page] });
        const quote = outcome(() => quoteCheckout(quoted, subject(quoted), page));
        const billing = billingWith({ ...given, checkouts: [page] });
        const figures = "answer" in quote ? { amountDue: dueToday(quote.answer.checkout) } : {};
        const said = { billing: null, locale: null, agreed: { figures, shownAt: NOW } };
        const submitted = outcome(() => submitChange(billing, subject(billing), page.id, said, GIVEN));
        if ("answer" in quote && "answer" in submitted) holdQuote(billing, quote.answer, submitted.answer.payment);
        else holdRefusals(quote, submitted);
      }),
      RUNS,
    );
  });
});
