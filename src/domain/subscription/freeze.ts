import type { Account } from "../account/account.ts";
import { quote } from "../balance/quote.ts";
import type { Instant } from "../calendar.ts";
import type { Change, FrozenPlan } from "../frozen-plan.ts";
import { waitingLines } from "../invoice/bills.ts";
import type { Subscription } from "../subscription.ts";
import { newId } from "../../ids.ts";
import type { DecidedChange } from "./decide-change.ts";

/** A plan with what it comes to: the part that the balance settles is fixed with it. Null: the change changes nothing. */
export function freezePlan(account: Account, subscription: Subscription, { plan, asked, target }: DecidedChange): FrozenPlan | null {
  if ("unchanged" in plan) return null;
  const lines = plan.bill === "now" ? [...waitingLines(account, subscription.id), ...plan.lines] : [];
  const totals = quote(account, subscription.currency, lines);
  const { set, restarted, bill } = plan;
  return { set, lines: plan.lines, restarted, bill, totals, currency: subscription.currency, asked, target };
}

/** An intent that is not written yet: the plan as of `now`, and the group that it reserves (rules C4, P1). */
export function newIntent(
  { organization, customer }: Account,
  { id: subscriptionId, groupKey: present }: Subscription,
  plan: FrozenPlan,
  now: Instant,
  from: Pick<Change, "checkoutId" | "requestId" | "idempotency">,
): Change {
  const { groupKey } = plan.target;
  return {
    organizationId: organization.id,
    id: newId("chg"),
    subscriptionId,
    customerId: customer.id,
    ...from,
    pageId: null,
    status: "pending",
    plan,
    groupKey: groupKey === present ? null : groupKey,
    decidedAt: now,
    settledAt: null,
    createdAt: now,
  };
}
