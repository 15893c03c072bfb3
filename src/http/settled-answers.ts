import type { Answers, Outcome, ShownSubscription } from "../actions/origin.ts";
import type { Bill } from "../domain/invoice/bills.ts";
import { invoiceUrl } from "../actions/links.ts";
import type { Context } from "../context.ts";
import { invoiceETag, presentInvoice } from "../resources/invoice.ts";
import { presentSubscription, subscriptionETag } from "../resources/subscription.ts";
import { keepAnswer } from "../store/idempotency.ts";
import { answer, refusalAnswer, type Answer } from "./answer.ts";

export function subscriptionTag({ subscription, externalCustomerId }: ShownSubscription): string {
  return subscriptionETag(subscription, externalCustomerId);
}

export function subscriptionAnswer(status: 200 | 201, shown: ShownSubscription): Answer {
  return answer(status, presentSubscription(shown.subscription, shown.externalCustomerId), { ETag: subscriptionTag(shown) });
}

export function invoiceAnswer(ctx: Context, { invoice, lines }: Bill): Answer {
  return answer(200, presentInvoice(invoice, lines, invoiceUrl(ctx, invoice)), { ETag: invoiceETag(invoice) });
}

function answerTo(ctx: Context, outcome: Outcome): Answer {
  switch (outcome.kind) {
    case "subscription":
      return subscriptionAnswer(200, outcome);
    case "invoice":
      return invoiceAnswer(ctx, outcome);
    case "refused":
      return refusalAnswer(ctx, outcome.error, outcome.requestId);
  }
}

/** The answers that settlements keep, with the bytes that the request itself gets. */
export const settledAnswers: Answers = {
  keep: (ctx, tx, ref, outcome) => keepAnswer(tx, ref, answerTo(ctx, outcome)),
};
