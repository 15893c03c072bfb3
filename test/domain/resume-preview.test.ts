import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { balanceIn } from "../../src/domain/balance/move.ts";
import { addDays24 } from "../../src/domain/calendar.ts";
import { nextInvoiceOf } from "../../src/domain/collection/next-invoice.ts";
import { resumeSubscription } from "../../src/domain/collection/pause.ts";
import { openInvoicesOf } from "../../src/domain/invoice/bills.ts";
import type { Pause } from "../../src/domain/model/subscription.ts";
import { previewResume, resume } from "../../src/domain/subscription/pause.ts";
import { previewRenewal } from "../../src/domain/subscription/preview-renewal.ts";
import { anyBilling, SUBJECT, type AnyBilling } from "../support/any-billing.ts";
import { billingWith, NOW } from "../support/customer-billing.ts";
import {
  attemptsFor,
  drafted,
  foretold,
  later,
  linesMade,
  madeFor,
  nextInvoice,
  subject,
  succeed,
} from "./previewed.ts";

const RUNS = { numRuns: 1500 };

/** The billing with a subject whose pause has begun. A paused Subscription has no open invoice (rule S8c). */
function withPause(given: AnyBilling, pause: Pause): AnyBilling {
  const paused = { status: "paused", pause, grantsSuspended: pause.access === "revoke" } as const;
  const quiet = { changeId: null, cancelAtPeriodEnd: false, cancelAt: null, canceledAt: null };
  const subscriptions = given.subscriptions.map((each) =>
    each.id === SUBJECT ? { ...each, ...quiet, ...paused, currentPeriodEnd: addDays24(NOW, -1) } : each,
  );
  return { ...given, subscriptions };
}
const isOwing = (given: AnyBilling) => openInvoicesOf(billingWith(given), SUBJECT).length > 0;

describe("the preview of a resume agrees with the resume (rules S8g, P8)", () => {
  const anyAccess = fc.constantFrom<Pause["access"]>("revoke", "keep");

  it("now", () => {
    fc.assert(
      fc.property(anyBilling, anyAccess, (any, access) => {
        const given = withPause(any, { resumesAt: null, access });
        fc.pre(!isOwing(given));
        const previewed = billingWith(given);
        const preview = previewResume(previewed, subject(previewed));
        const billing = billingWith(given);
        const { currency } = subject(billing);
        const balance = balanceIn(billing, currency);
        resume(billing, subject(billing));
        const lines = linesMade(billing);
        const [bill] = madeFor(billing, SUBJECT);
        const balanceChange = balanceIn(billing, currency) - balance;
        for (const attempt of attemptsFor(billing, SUBJECT)) succeed(billing, attempt);
        const isPaid = openInvoicesOf(billing, SUBJECT).length === 0;
        expect({ ...preview, lines: preview.lines.map(drafted), nextInvoice: foretold(preview) }).toEqual({
          lines,
          chargeAmount: bill!.invoice.amountDue,
          balanceChange,
          effectiveAt: billing.now,
          nextInvoice: isPaid ? nextInvoice(billing) : null,
        });
      }),
      RUNS,
    );
  });

  it("at the planned instant", () => {
    fc.assert(
      fc.property(anyBilling, anyAccess, (any, access) => {
        const resumesAt = addDays24(NOW, 20);
        const given = withPause(any, { resumesAt, access });
        fc.pre(!isOwing(given));
        const previewed = billingWith(given);
        const next = nextInvoiceOf(previewed, subject(previewed));
        const alone = previewRenewal(billingWith(given), subject(billingWith(given)));
        const billing = later(billingWith(given), resumesAt);
        // A planned resume claims no Subscription, as a request does.
        resumeSubscription(billing, subject(billing), resumesAt);
        const [bill] = madeFor(billing, SUBJECT);
        expect(foretold({ nextInvoice: next })).toEqual({
          at: resumesAt,
          total: bill!.invoice.totalAmount,
          lines: bill!.lines.map(drafted),
        });
        const { totalAmount, amountDue } = bill!.invoice;
        expect(alone).toMatchObject({ totalAmount, amountDue, next: { currentPeriodStart: resumesAt } });
      }),
      RUNS,
    );
  });
});
