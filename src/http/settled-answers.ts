import type { Answers, Outcome, ShownSubscription } from "../actions/origin.ts";
import type { Bill } from "../actions/issue-invoice.ts";
import { invoiceUrl } from "../actions/links.ts";
import type { Context } from "../context.ts";
import { invoiceETag, presentInvoice } from "../resources/invoice.ts";
import { presentSubscription, subscriptionETag } from "../resources/subscription.ts";
import { keepAnswer } from "../store/idempotency.ts";
import { answer, refusalAnswer, type Answer } from "./answer.ts";

export function subscriptionAnswer(status: 200 | 201, { subscription, externalCustomerId }: ShownSubscription): Answer {
  const headers = { ETag: subscriptionETag(subscription, externalCustomerId) };
  return answer(status, presentSubscription(subscription, externalCustomerId), headers);
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
