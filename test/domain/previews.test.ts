import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Account, type BillingRows } from "../../src/domain/billing/customer-billing.ts";
import type { TrackedRows } from "../../src/domain/billing/tracked-rows.ts";
import { balanceIn, balancesOf } from "../../src/domain/balance/move.ts";
import { sumOf } from "../../src/domain/money.ts";
import type { Instant } from "../../src/domain/calendar.ts";
import type { ChangePreview } from "../../src/domain/model/plan-change.ts";
import { dueToday } from "../../src/domain/model/checkout.ts";
import { quoteCheckout, type CheckoutQuote } from "../../src/domain/change/quote.ts";
import { Refused } from "../../src/domain/checkout/refusal.ts";
import { submitChange } from "../../src/domain/change/submit-change.ts";
import type { LineDraft } from "../../src/domain/model/invoice.ts";
import { billOf, openInvoicesOf, waitingLines, type Bill } from "../../src/domain/invoice/bills.ts";
import { settlePayment } from "../../src/domain/settlement/settle.ts";
import type { Payment } from "../../src/domain/model/payment.ts";
import { cancelNow, changeCancellation } from "../../src/domain/subscription/cancel.ts";
import { changeProduct } from "../../src/domain/change/change.ts";
import type { AskedProduct } from "../../src/domain/change/change-target.ts";
import { endSubscription } from "../../src/domain/collection/end.ts";
import { previewCancellation, previewCancelNow, previewProduct } from "../../src/domain/change/preview.ts";
import { previewRenewal, type RenewalPreview } from "../../src/domain/subscription/preview-renewal.ts";
import { renewSubscription } from "../../src/domain/collection/renew.ts";
import type { Subscription } from "../../src/domain/model/subscription.ts";
import { AppError } from "../../src/errors.ts";
import { billingWith, NOW } from "../support/customer-billing.ts";
import { anyBilling, SUBJECT, type AnyBilling } from "../support/any-billing.ts";
import { anyChange, checkoutOf } from "../support/any-change.ts";

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

const subject = (account: Account): Subscription => account.subscriptions.get(SUBJECT)!;

/** The answer of a decision, or the code of its refusal. */
function outcome<T>(decide: () => T): { answer: T } | { refused: string } {
  try {
    return { answer: decide() };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.code };
    if (!(error instanceof Refused)) throw error;
    const { refusal } = error;
    return { refused: refusal.refused === "change_refused" ? refusal.error.code : refusal.refused };
  }
}

/** A line without its place. Ids of lines that only one of two Accounts has are left out. */
function drafted(line: LineDraft) {
  const { description, productId, amount, discountAmount, taxAmount, tax, proration, periodStart, periodEnd, basis } =
    line;
  const creditedLineId = line.creditedLineId?.startsWith("iln_00") ? line.creditedLineId : null;
  const amounts = { amount, discountAmount, taxAmount, tax, basis };
  return { description, productId, ...amounts, proration, periodStart, periodEnd, creditedLineId };
}

const totalOf = (lines: readonly LineDraft[]) =>
  lines.reduce((sum, line) => sum + line.amount - line.discountAmount + (line.tax?.inclusive ? 0 : line.taxAmount), 0);

/** The invoices that were made for a Subscription since the Account was loaded. */
function madeFor(account: Account, subscriptionId: string): Bill[] {
  const made = account.invoices.where(
    (invoice) => account.invoices.isNew(invoice.id) && invoice.subscriptionId === subscriptionId,
  );
  return made.map((invoice) => billOf(account, invoice));
}

/** The attempts that were recorded for a Subscription since the Account was loaded. */
const attemptsFor = (account: Account, subscriptionId: string): Payment[] =>
  account.payments.where((payment) => account.payments.isNew(payment.id) && payment.subscriptionId === subscriptionId);

/** The Account as loaded again at a later instant, with no event in between. */
function later(account: Account, now: Instant): Account {
  const names = Object.keys(account.loaded.rows) as (keyof BillingRows)[];
  const all = (name: keyof BillingRows) => (account[name] as TrackedRows<{ id: string }>).where(() => true);
  const rows = Object.fromEntries(names.map((name) => [name, all(name)])) as unknown as Account["loaded"]["rows"];
  const { customer, numbers } = account;
  return new Account({ ...account.loaded, now, realNow: now, customer, numbers, balances: balancesOf(account), rows });
}

/** The Account after the end of the subject's period: its renewal, or its planned end. */
function afterPeriod(account: Account): Account {
  const at = subject(account).currentPeriodEnd;
  const then = later(account, at);
  const subscription = subject(then);
  if (subscription.cancelAtPeriodEnd) endSubscription(then, subscription, "ended", at);
  else renewSubscription(then, subscription);
  return then;
}

/** The invoice that the end of the period makes, as a preview tells it. */
function nextInvoice(account: Account) {
  const then = afterPeriod(account);
  const [bill] = madeFor(then, SUBJECT);
  return bill ? { at: bill.invoice.createdAt, total: bill.invoice.totalAmount, lines: bill.lines.map(drafted) } : null;
}

const foretold = ({ nextInvoice: next }: Pick<ChangePreview, "nextInvoice">) =>
  next && { at: next.at, total: totalOf(next.lines), lines: next.lines.map(drafted) };

/** The lines of an invoice that the request made, or else the lines that the request left waiting. */
function linesMade(account: Account) {
  const [bill] = madeFor(account, SUBJECT);
  const lines = bill?.lines ?? waitingLines(account, SUBJECT).filter(({ id }) => account.lines.isNew(id));
  return lines.map(drafted);
}

/** Lets a charge succeed. Returns its amount. */
function succeed(account: Account, payment: Payment | null | undefined): number {
  if (!payment) return 0;
  settlePayment(account, payment.id, { status: "succeeded" });
  return payment.amount;
}

/** Carries a change out. If it is answered 402, its page finishes it. */
function carryOut(account: Account, asked: AskedProduct): { charged: number; isOnPage: boolean } {
  const done = changeProduct(account, subject(account), asked, FROM);
  if ("changed" in done) return { charged: 0, isOnPage: false };
  if ("pending" in done) return { charged: succeed(account, done.pending), isOnPage: false };
  const said = { billing: null, locale: null, agreed: { figures: {}, shownAt: NOW } };
  return {
    charged: succeed(account, submitChange(account, subject(account), done.page.id, said, GIVEN).payment),
    isOnPage: true,
  };
}

const effectiveAt = (account: Account, before: Subscription) => {
  const { pendingChange } = subject(account);
  return pendingChange && pendingChange !== before.pendingChange ? pendingChange.effectiveAt : account.now;
};

describe("every preview agrees with the deed (rule P8)", () => {
  it("a change of the Product", () => {
    fc.assert(
      fc.property(anyBilling, anyChange, (given, asked) => {
        const preview = outcome(() => {
          const account = billingWith(given);
          return previewProduct(account, subject(account), asked);
        });
        const account = billingWith(given);
        const [before, balance] = [subject(account), balanceIn(account, subject(account).currency)];
        const done = outcome(() => carryOut(account, asked));
        if ("refused" in preview || "refused" in done) return void expect(done).toEqual(preview);
        if (preview.answer === null) return void expect(done.answer.isOnPage).toBe(true);
        expect({
          ...preview.answer,
          lines: preview.answer.lines.map(drafted),
          nextInvoice: foretold(preview.answer),
        }).toEqual({
          lines: linesMade(account),
          chargeAmount: done.answer.charged,
          balanceChange: balanceIn(account, before.currency) - balance,
          effectiveAt: effectiveAt(account, before),
          nextInvoice: nextInvoice(account),
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
        const account = billingWith(given);
        const balance = balanceIn(account, subject(account).currency);
        changeCancellation(account, subject(account), cancel, {});
        const { currency, currentPeriodEnd } = subject(account);
        expect({ ...preview, nextInvoice: foretold(preview) }).toEqual({
          lines: linesMade(account),
          chargeAmount: 0,
          balanceChange: balanceIn(account, currency) - balance,
          effectiveAt: cancel ? currentPeriodEnd : account.now,
          nextInvoice: nextInvoice(account),
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
        const account = billingWith(given);
        const { currency } = subject(account);
        const balance = balanceIn(account, currency);
        cancelNow(account, subject(account), {});
        const lines = linesMade(account);
        const charged = succeed(account, attemptsFor(account, SUBJECT)[0]);
        expect({ ...preview, lines: preview.lines.map(drafted) }).toEqual({
          lines,
          chargeAmount: charged,
          balanceChange: balanceIn(account, currency) - balance,
          effectiveAt: account.now,
          nextInvoice: null,
        });
        expect(openInvoicesOf(account, SUBJECT)).toEqual([]);
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
  const account = later(billingWith(given), subscription.currentPeriodEnd);
  const isBehind = openInvoicesOf(account, id).length > 0;
  renewSubscription(account, account.subscriptions.get(id)!);
  const renewed = account.subscriptions.get(id)!;
  const attempts = attemptsFor(account, id).map(({ amount, paymentMethodId, failureCode }) => ({
    amount,
    paymentMethodId,
    failureCode,
  }));
  if (renewed.status === "canceled") {
    // No card can be charged when this trial ends (rule C2).
    expect([preview.paidBy, preview.card, attempts]).toEqual(["charge", null, []]);
    return;
  }
  const [{ invoice, lines }] = madeFor(account, id) as [Bill];
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
        const account = billingWith(given);
        const going = account.subscriptions.where(
          ({ changeId, cancelAtPeriodEnd }) => changeId === null && !cancelAtPeriodEnd,
        );
        for (const subscription of going) holdRenewal(given, subscription, previewRenewal(account, subscription));
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
function holdQuote(account: Account, quote: CheckoutQuote, payment: Payment | null): void {
  const { checkout, lines, bill, scheduledFor, nextChargeAt, anchor } = quote;
  const { totals } = checkout.change!;
  const charged = succeed(account, payment);
  expect([charged, account.checkouts.get(checkout.id)!.status]).toEqual([dueToday(checkout), "completed"]);
  const [made] = madeFor(account, SUBJECT);
  expect(linesMade(account)).toEqual(lines.map(drafted));
  if (made) expect(made.invoice).toMatchObject({ ...totals, status: "paid", amountPaid: charged });
  const before = account.loaded.balances.find(({ currency }) => currency === checkout.currency)!.amount;
  // Credit from a lost charge reaches the balance, and is written off at once (rule D7g).
  const lost = account.balanceEntries.where(({ reason }) => reason === "dispute_lost");
  const moved = bill === "now" && made ? 0 - totals.balanceApplied + sumOf(lost.map(({ amount }) => amount)) : 0;
  expect(balanceIn(account, checkout.currency) - before).toBe(moved);
  const changed = subject(account);
  expect([nextChargeAt, scheduledFor]).toEqual([changed.currentPeriodEnd, changed.pendingChange?.effectiveAt ?? null]);
  const then = afterPeriod(account);
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
        const account = billingWith({ ...given, checkouts: [page] });
        const figures = "answer" in quote ? { amountDue: dueToday(quote.answer.checkout) } : {};
        const said = { billing: null, locale: null, agreed: { figures, shownAt: NOW } };
        const submitted = outcome(() => submitChange(account, subject(account), page.id, said, GIVEN));
        if ("answer" in quote && "answer" in submitted) holdQuote(account, quote.answer, submitted.answer.payment);
        else holdRefusals(quote, submitted);
      }),
      RUNS,
    );
  });
});
