import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { type Entry } from "../../actions/provider.ts";
import { cardNeed } from "../../domain/checkout/checkout.ts";
import { MAX_FAILED_ATTEMPTS } from "../../domain/checkout/refused.ts";
import type { AppError, ErrorCode } from "../../errors.ts";
import { messagePage, PAYMENTS_PAUSED } from "../components/message.ts";
import { lookAgain, RELOAD } from "../components/progress.ts";
import type { Html } from "../layout.ts";
import { backLink, progressOf } from "./outcome.ts";
import type { View } from "./view.ts";

/** Why an open Checkout can't be paid, regardless of the buyer's input. */
export type Obstacle =
  | "product_archived"
  | "too_many_attempts"
  | NonNullable<Entry["closed"]>
  | "already_subscribed"
  | { refusal: AppError };

/** The obstacle to paying an open Checkout that is known before the buyer types; null: no obstacle is known. */
export function obstacleOf({ checkout, product, closed, refusal }: View): Obstacle | null {
  if (product.archived) return "product_archived";
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) return "too_many_attempts";
  if (refusal) return { refusal };
  const need = cardNeed(checkout);
  // A trial can begin without a card while the payments are paused.
  return need === "none" || (need === "optional" && closed === "payments_paused") ? null : closed;
}

type Said = { title: string; text: string };

const OBSTACLES: Record<Extract<Obstacle, string>, Said> = {
  product_archived: {
    title: "No longer for sale",
    text: "This product was withdrawn in the meantime. You were not charged.",
  },
  too_many_attempts: {
    title: "Too many attempts failed",
    text:
      "No more attempts are possible. You were not charged. If your card was declined, ask your bank. " +
      "Then go back and start again.",
  },
  no_provider: {
    title: "Payments are not set up yet",
    text: "The seller can't take payments at the moment. You were not charged. Please tell the seller.",
  },
  payments_paused: {
    title: "Payments are paused",
    text: PAYMENTS_PAUSED,
  },
  already_subscribed: {
    title: "You have a subscription already",
    text: "You were not charged. Change the subscription that you have instead of buying another.",
  },
};

const PAY_FIRST: Said = {
  title: "A payment is still open",
  text: "You were not charged. Pay the open amount first, then load this page again.",
};

/** Why a Subscription can't be changed any more (rules C6, P5). */
const REFUSALS: Partial<Record<ErrorCode, Said>> = {
  subscription_canceled: {
    title: "Your subscription has ended",
    text: "It can't be changed any more. You were not charged.",
  },
  subscription_cancellation_scheduled: {
    title: "Your subscription is going to end",
    text: "You were not charged. Take back its cancellation first, then load this page again.",
  },
  subscription_past_due: PAY_FIRST,
  invoice_open: PAY_FIRST,
  refund_in_progress: {
    title: "A refund is being made",
    text: "You were not charged. Wait until the refund is done, then load this page again.",
  },
  payment_disputed: {
    title: "A payment is disputed",
    text: "You were not charged. Your bank has yet to decide about an earlier payment of this subscription.",
  },
  change_in_progress: {
    title: "Another change is being paid",
    text: "You were not charged here. Wait until the other change is done, then load this page again.",
  },
};

const NOT_POSSIBLE: Said = {
  title: "This change is not possible now",
  text: "You were not charged, and your subscription is unchanged. Go back and start again.",
};

function said(view: View, obstacle: Obstacle): Said {
  if (typeof obstacle === "string") return OBSTACLES[obstacle];
  const { code, parts, status } = obstacle.refusal;
  if (status === 422) return OBSTACLES.product_archived;
  if (code !== "already_subscribed") return REFUSALS[code] ?? NOT_POSSIBLE;
  // If `extra`, another Subscription or purchase blocks this change. Otherwise this Subscription already has the
  // Product.
  if (parts.extra)
    return { title: "You have such a subscription already", text: "You were not charged. Change that one instead." };
  return {
    title: "No change to make",
    text: `Your subscription is ${view.checkout.productName} already. You were not charged.`,
  };
}

export function obstaclePage(ctx: Context, view: View, obstacle: Obstacle): Html {
  const isPassing = obstacle === "payments_paused";
  return messagePage(ctx, {
    organization: view.organization,
    ...said(view, obstacle),
    icon: "stopped",
    ...(isPassing ? { head: RELOAD } : {}),
    more: html`${backLink(view)}${isPassing ? lookAgain(view.self, progressOf(view)) : ""}`,
  });
}
