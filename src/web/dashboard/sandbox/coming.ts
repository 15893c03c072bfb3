import type { Instant } from "../../../domain/calendar.ts";
import { nextDue } from "../../../domain/subscription/subscription.ts";
import type { Coming, ComingSubscription } from "../../../store/coming.ts";
import type { Tone } from "../components/badge.ts";

/** The next thing that is due of a resource. `part`: the id of the resource on the page of the Customer. */
export type Due = {
  at: Instant;
  tone: Tone;
  text: string;
  customerId: string | null;
  customer: string | null;
  part: string;
};

/** The most things that the page lists. */
export const MOST_DUE = 20;

function planText(plan: ComingSubscription): { tone: Tone; text: string } | null {
  const { product, status, retryDays, retriesDone, pendingChange } = plan;
  switch (nextDue(plan)?.kind) {
    case "end":
      return { tone: "quiet", text: `${product} ends, because of a cancellation` };
    case "renewal": {
      if (status === "trialing") return { tone: "good", text: `The trial of ${product} ends` };
      return { tone: "good", text: `${product} renews${pendingChange ? ", with the scheduled change" : ""}` };
    }
    case "retry": {
      const isLast = retriesDone + 1 >= (retryDays?.length ?? 0);
      return { tone: "bad", text: `${isLast ? "Last retry" : "Retry"} of the failed charge for ${product}` };
    }
    case "grace":
      return { tone: "bad", text: `Access to ${product} ends, unless the invoice is paid` };
    case "notice": {
      const about = status === "trialing" ? "the trial ends soon" : "the renewal comes soon";
      return { tone: "busy", text: `E-mail for ${product}: ${about}` };
    }
    case undefined:
      return null;
  }
}

/** The things that are due next, the first one at the head. */
export function dueOf({ subscriptions, cards, checkouts }: Coming): Due[] {
  const due: Due[] = [
    ...subscriptions.flatMap((plan) => {
      const told = planText(plan);
      const { customerId, customer, id: part } = plan;
      return told === null ? [] : [{ at: plan.dueAt!, ...told, customerId, customer, part }];
    }),
    ...cards.map(({ id: part, dueAt: at, last4, customerId, customer }): Due => {
      return { at, tone: "warn", text: `E-mail: the card ${last4} expires`, customerId, customer, part };
    }),
    ...checkouts.map(({ id: part, dueAt: at, product, customerId, customer }): Due => {
      return { at, tone: "quiet", text: `The Checkout for ${product} expires`, customerId, customer, part };
    }),
  ];
  return due.sort((one, other) => one.at - other.at).slice(0, MOST_DUE);
}
