import { html } from "hono/html";
import type { Subscription } from "../../../domain/model/subscription.ts";
import { allows } from "../../../domain/team/role.ts";
import type { Html } from "../../layout.ts";
import type { Scene } from "../customer/part.ts";

/** `before`: the words between the label and the name of the plan, for a person who hears the link. */
type Link = readonly [page: string, label: string, before?: string];

/** The deeds that the state of a Subscription allows. `isUnfinished`: the buyer has a page to finish a change. */
function linksOf({ status, changeId, cancelAtPeriodEnd, pendingChange }: Subscription, isUnfinished: boolean): Link[] {
  const outcome: Link = ["change/outcome", "See the change"];
  if (status === "canceled") return [];
  if (changeId !== null) return [outcome];
  return [
    ...(isUnfinished ? [outcome] : []),
    ["change", "Change the plan"],
    ...(pendingChange === null || cancelAtPeriodEnd ? [] : [["keep-plan", "Keep the current plan"] satisfies Link]),
    cancelAtPeriodEnd ? ["undo-cancellation", "Undo the cancellation"] : ["cancel", "Cancel at period end", " for "],
    ["cancel-now", "Cancel immediately", " for "],
  ];
}

/** The links to the deeds on a Subscription, for roles that may do them. */
export function actionLinks(
  { visit, self }: Scene,
  { subscription, name, isUnfinished }: { subscription: Subscription; name: string; isUnfinished: boolean },
): Html | "" {
  if (!allows(visit.role, "subscriptions")) return "";
  const links = linksOf(subscription, isUnfinished);
  if (links.length === 0) return "";
  const path = `${self}/subscriptions/${subscription.id}`;
  const link = ([page, label, before = " of "]: Link) =>
    html`<a href="${path}/${page}">${label}<span class="hidden">${before}${name}</span></a>`;
  return html`<div class="deeds">${links.map(link)}</div>`;
}
