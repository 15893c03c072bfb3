import { html } from "hono/html";
import type { Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import type { Visit } from "./visit.ts";

/**
 * The link from a Subscription to the other plans. Empty without other plans, while a change is being paid, and while a
 * payment is overdue: the overdue payment comes first (rule P5).
 */
export function planLink(holding: Holding, { self, words }: Pick<Visit, "self" | "words">): Html | "" {
  const { subscription, product, hasPlans } = holding;
  const { id, status, changeId } = subscription;
  if (!hasPlans || status === "canceled" || status === "past_due" || changeId !== null) return "";
  return html`<a class="button small" href="${self}/subscriptions/${id}/plan">${words.plan.change}<span class="unseen">
${product}</span></a>`;
}
