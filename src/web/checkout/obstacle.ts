import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { checkoutUrl, portalUrl } from "../../actions/links.ts";
import { type Entry } from "../../actions/provider.ts";
import { cardNeed, MAX_FAILED_ATTEMPTS } from "../../domain/model/checkout.ts";
import type { GroupHolder } from "../../domain/collection/group.ts";
import { isRefusal, type Refusal, type RefusalCode } from "../../domain/refusal.ts";
import { pathOf } from "../components/link.ts";
import type { Words } from "../../texts/words.ts";
import { messagePage } from "../components/message.ts";
import { contactLink } from "../components/seller-footer.ts";
import { lookAgain, reload } from "../components/progress.ts";
import type { Html } from "../layout.ts";
import { backLink, progressOf } from "./outcome.ts";
import type { View } from "./view.ts";

/** Why an open Checkout can't be paid, regardless of the buyer's input. */
export type Obstacle =
  | "product_archived"
  | "too_many_attempts"
  | NonNullable<Entry["closed"]>
  | { holder: GroupHolder }
  | { refusal: Refusal };

/** The obstacle to paying an open Checkout that is known before the buyer types; null: no obstacle is known. */
export function obstacleOf({ checkout, product, closed, refusal }: View): Obstacle | null {
  // A change keeps the current Product if that is archived. The decision refuses any other one (rules P6, Q6a).
  if (product.archived && checkout.change === null) return "product_archived";
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
} as const satisfies Partial<Record<RefusalCode, string>>;

/** The Checkout with the payment that is not finished; null: there is none. */
function unfinishedId(obstacle: Obstacle): string | null {
  if (typeof obstacle === "string") return null;
  if ("holder" in obstacle) return obstacle.holder.checkoutId;
  const { refusal } = obstacle;
  return isRefusal(refusal, "already_subscribed", "change_in_progress") ? refusal.values.checkoutId : null;
}

const hasText = (code: RefusalCode): code is keyof typeof REFUSALS => code in REFUSALS;
/** The catalogue has changed: the Product is archived, or has no such price any more. */
const isAboutProduct = ({ values }: Refusal) => "field" in values;

/** An obstacle in words: a title and a text. `product`: the name of the Product to which the Subscription changes. */
export function obstacleSaid({ obstacle: texts }: Words, obstacle: Obstacle, product: string) {
  type Reason = (typeof REFUSALS)[keyof typeof REFUSALS];
  type Key = Extract<Obstacle, string> | Reason | "already_subscribed" | "unfinished" | "impossible";
  const say = (key: Key) => ({ title: texts[`${key}Title`], text: texts[key] });
  if (typeof obstacle === "string") return say(obstacle);
  if (unfinishedId(obstacle) !== null) return say("unfinished");
  if ("holder" in obstacle) return say("already_subscribed");
  const { code } = obstacle.refusal;
  if (isAboutProduct(obstacle.refusal)) return say("product_archived");
  if (code === "already_subscribed") return { title: texts.otherPlanTitle, text: texts.otherPlan };
  if (code === "no_change") return { title: texts.noChangeTitle, text: texts.noChange({ product }) };
  return say(hasText(code) ? REFUSALS[code] : "impossible");
}

/** The way to the plan that the buyer has. */
export function managePlan(ctx: Context, { words, organization }: View, style: "button" | "plain"): Html {
  const looks = style === "button" ? html`class="button"` : "";
  return html`<a ${looks} href="${pathOf(portalUrl(ctx, organization.id))}">${words.deliverables.managePlan}</a>`;
}

/** The way to the page on which the buyer finishes the earlier payment. */
export function unfinishedLink(ctx: Context, view: View, id: string, size: "" | "small" = ""): Html {
  const { words, checkout } = view;
  const page = pathOf(checkoutUrl(ctx, { organizationId: checkout.organizationId, id }));
  return html`<a class="button ${size}" href="${page}">${words.portal.goOn}</a>`;
}

/** Refusals that end by themselves. Their texts ask the buyer to load the page again. */
const PASSING: readonly RefusalCode[] = ["change_in_progress", "refund_in_progress"];

/** The portal has the plan that blocks the purchase, and the Subscription that can't be changed here. */
function wayOn(ctx: Context, view: View, obstacle: Obstacle): Html | "" {
  const id = unfinishedId(obstacle);
  if (id !== null) return unfinishedLink(ctx, view, id);
  if (typeof obstacle === "string") return "";
  if ("refusal" in obstacle && PASSING.includes(obstacle.refusal.code))
    return html`<a class="button" href="${view.self}">${view.words.frame.refresh}</a>`;
  const isForSale = "holder" in obstacle || !isAboutProduct(obstacle.refusal);
  return isForSale ? managePlan(ctx, view, "button") : "";
}

export function obstaclePage(ctx: Context, view: View, obstacle: Obstacle): Html {
  const way = wayOn(ctx, view, obstacle);
  const back = backLink(view, way === "" ? "button" : "button other");
  const isPassing = obstacle === "payments_paused";
  const needsSeller = obstacle === "no_provider" || obstacle === "too_many_attempts";
  const { words, organization, self } = view;
  const contact = needsSeller ? contactLink(words, organization) : "";
  return messagePage(ctx, {
    words,
    organization,
    ...obstacleSaid(words, obstacle, view.checkout.productName),
    icon: "stopped",
    ...(isPassing ? { head: reload(self) } : {}),
    more: html`${way}
${contact}${back}${isPassing ? lookAgain(words, self, progressOf(view)) : ""}`,
  });
}
