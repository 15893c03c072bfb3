import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { portalUrl } from "../../actions/links.ts";
import { type Entry } from "../../actions/provider.ts";
import { cardNeed } from "../../domain/checkout/checkout.ts";
import { MAX_FAILED_ATTEMPTS } from "../../domain/checkout/refused.ts";
import type { AppError, ErrorCode } from "../../errors.ts";
import { pathOf } from "../components/link.ts";
import type { Words } from "../../texts/words.ts";
import { messagePage } from "../components/message.ts";
import { contactLink } from "../components/seller-footer.ts";
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

/** Why a Subscription can't be changed any more (rules C6, P5), by the key of its text. */
const REFUSALS = {
  subscription_canceled: "subscription_canceled",
  subscription_cancellation_scheduled: "subscription_cancellation_scheduled",
  subscription_past_due: "payFirst",
  invoice_open: "payFirst",
  refund_in_progress: "refund_in_progress",
  payment_disputed: "payment_disputed",
  change_in_progress: "change_in_progress",
} as const satisfies Partial<Record<ErrorCode, string>>;

const hasPlan = (obstacle: Obstacle) =>
  typeof obstacle === "string"
    ? obstacle === "already_subscribed"
    : obstacle.refusal.code === "already_subscribed" && obstacle.refusal.parts.extra !== undefined;

const isRefusal = (code: ErrorCode): code is keyof typeof REFUSALS => code in REFUSALS;

/** An obstacle in words, as a title and a text. `product`: the name of the Product to which the Subscription changes. */
export function obstacleSaid({ obstacle: texts }: Words, obstacle: Obstacle, product: string) {
  const say = (key: Extract<Obstacle, string> | (typeof REFUSALS)[keyof typeof REFUSALS] | "impossible") => ({
    title: texts[`${key}Title`],
    text: texts[key],
  });
  if (typeof obstacle === "string") return say(obstacle);
  const { code, parts, status } = obstacle.refusal;
  if (status === 422) return say("product_archived");
  if (code !== "already_subscribed") return say(isRefusal(code) ? REFUSALS[code] : "impossible");
  // If `extra`, another Subscription or purchase blocks this change. Otherwise this Subscription already has the
  // Product.
  if (parts.extra) return { title: texts.otherPlanTitle, text: texts.otherPlan };
  return { title: texts.noChangeTitle, text: texts.noChange({ product }) };
}

/** The way to the plan that the buyer has. */
export function managePlan(ctx: Context, { words, organization }: View, style: "button" | "plain"): Html {
  const looks = style === "button" ? html`class="button"` : "";
  return html`<a ${looks} href="${pathOf(portalUrl(ctx, organization.id))}">${words.goods.managePlan}</a>`;
}

export function obstaclePage(ctx: Context, view: View, obstacle: Obstacle): Html {
  const isOwned = hasPlan(obstacle);
  const isPassing = obstacle === "payments_paused";
  const isTold = obstacle === "no_provider" || obstacle === "too_many_attempts";
  const { words, organization, self } = view;
  const contact = isTold ? contactLink(words, organization) : "";
  return messagePage(ctx, {
    words,
    organization,
    ...obstacleSaid(words, obstacle, view.checkout.productName),
    icon: "stopped",
    ...(isPassing ? { head: RELOAD } : {}),
    more: html`${isOwned ? managePlan(ctx, view, "button") : ""}
${contact}${backLink(view, isOwned ? "button other" : "button")}${isPassing ? lookAgain(words, self, progressOf(view)) : ""}`,
  });
}
