import type { Answers, Outcome, SubscriptionView } from "../actions/views.ts";
import type { Bill } from "../domain/invoice/bills.ts";
import { invoiceUrl, type Site } from "../actions/links.ts";
import { invoiceETag, presentInvoice } from "../resources/invoice.ts";
import { presentSubscription, subscriptionETag } from "../resources/subscription.ts";
import { recordAnswer } from "../store/idempotency.ts";
import { answer, refusalAnswer, type Answer } from "./answer.ts";

export function subscriptionTag({ subscription, externalCustomerId }: SubscriptionView): string {
  return subscriptionETag(subscription, externalCustomerId);
}

export function subscriptionAnswer(status: 200 | 201, shown: SubscriptionView): Answer {
  return answer(status, presentSubscription(shown.subscription, shown.externalCustomerId), {
    ETag: subscriptionTag(shown),
  });
}

export function invoiceAnswer(site: Site, { invoice, lines }: Bill): Answer {
  return answer(200, presentInvoice(invoice, lines, invoiceUrl(site, invoice)), { ETag: invoiceETag(invoice) });
}

function answerTo(site: Site, outcome: Outcome): Answer {
  switch (outcome.kind) {
    case "subscription":
      return subscriptionAnswer(200, outcome);
    case "invoice":
      return invoiceAnswer(site, outcome);
    case "refused":
      return refusalAnswer(site, outcome.error, outcome.requestId);
  }
}

/** Stores the answers of requests when their charges are settled. The request itself gets the same bytes. */
export const settledAnswers: Answers = {
  record: (site, tx, ref, outcome) => recordAnswer(tx, ref, answerTo(site, outcome)),
};
