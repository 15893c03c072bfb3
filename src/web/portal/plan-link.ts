import { html } from "hono/html";
import type { Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import type { Visit } from "./request.ts";

/**
 * The link from a Subscription to the other plans. Empty without other plans, and while a change is being paid. While a
 * payment is overdue, a change waits for the end of the period (rule P5). Empty if that period is over, too: the
 * overdue payment comes first.
 */
export function planLink(holding: Holding, { self, words }: Pick<Visit, "self" | "words">): Html | "" {
  const { subscription, product, hasPlans, outlook } = holding;
  const { id, status, changeId } = subscription;
  if (!hasPlans || status === "canceled" || outlook?.restart != null || changeId !== null) return "";
  // A payment that is late comes first, so its button is the loudest.
  const style = status === "past_due" ? "button small other" : "button small";
  return html`<a class="${style}" href="${self}/subscriptions/${id}/plan">${words.plan.change}<span class="unseen">
${product}</span></a>`;
}
