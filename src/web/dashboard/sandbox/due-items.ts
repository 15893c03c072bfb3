import type { Instant } from "../../../domain/calendar.ts";
import { nextDue, renewalAt } from "../../../domain/model/subscription.ts";
import type { Coming, ComingSubscription } from "../../../store/upcoming-items.ts";
import type { Tone } from "../components/badge.ts";
import { moneyText } from "../components/cells.ts";

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

type Announcement = { tone: Tone; text: string };

/** The renewal, or the end of the trial, with the price that is due then. */
function renewalText({ product, status, pendingChange, amount, currency }: ComingSubscription): Announcement {
  const what = status === "trialing" ? `The trial of ${product} ends` : `${product} renews`;
  const then = pendingChange ? "with the scheduled change" : `price ${moneyText(amount, currency)}`;
  return { tone: "good", text: `${what}, ${then}` };
}

function planText(plan: ComingSubscription): Announcement | null {
  const { product, status, retryDays, retriesDone } = plan;
  switch (nextDue(plan)?.kind) {
    case "end":
      return { tone: "quiet", text: `${product} ends, because of a cancellation` };
    case "renewal":
      return renewalText(plan);
    case "retry": {
      const isLast = retriesDone + 1 >= (retryDays?.length ?? 0);
      return { tone: "bad", text: `${isLast ? "Last retry" : "Retry"} of the failed charge for ${product}` };
    }
    case "grace":
      return { tone: "bad", text: `Access to ${product} ends, unless the invoice is paid` };
    case "pause":
      return { tone: "warn", text: `${product} pauses` };
    case "resume":
      return { tone: "good", text: `${product} resumes, price ${moneyText(plan.amount, plan.currency)}` };
    case "notice": {
      const about =
        status === "trialing"
          ? "the trial ends soon"
          : status === "paused"
            ? "the pause ends soon"
            : "the renewal comes soon";
      return { tone: "busy", text: `E-mail for ${product}: ${about}` };
    }
    case "price_reminder":
      return { tone: "busy", text: `E-mail for ${product}: the new price needs a consent` };
    case "card_request":
      return { tone: "busy", text: `E-mail for ${product}: a card is missing` };
    case undefined:
      return null;
  }
}

/** The things that are due next, the first one at the head. */
export function dueOf({ subscriptions, cards, checkouts }: Coming): Due[] {
  const due: Due[] = [
    ...subscriptions.flatMap((plan) => {
      const text = planText(plan);
      const { customerId, customer, id: part } = plan;
      const of = { customerId, customer, part };
      // An e-mail announces a renewal, which has a line of its own.
      const renewal = nextDue(plan)?.kind === "notice" ? renewalAt(plan) : null;
      return [
        ...(text === null ? [] : [{ at: plan.dueAt!, ...text, ...of }]),
        ...(renewal === null ? [] : [{ at: renewal, ...renewalText(plan), ...of }]),
      ];
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
