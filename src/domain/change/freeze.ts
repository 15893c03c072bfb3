import type { Account } from "../billing/customer-billing.ts";
import { quote } from "../balance/quote.ts";
import type { FrozenPlan } from "../model/frozen-plan.ts";
import { waitingLines } from "../invoice/bills.ts";
import type { Subscription } from "../model/subscription.ts";
import type { DecidedChange } from "./decide-change.ts";

/** A plan with its totals: the part that the balance settles is fixed, too. Null: the change has no effect. */
export function freezePlan(
  account: Account,
  subscription: Subscription,
  { plan, asked, target }: DecidedChange,
): FrozenPlan | null {
  if ("unchanged" in plan) return null;
  const lines = plan.bill === "now" ? [...waitingLines(account, subscription.id), ...plan.lines] : [];
  const totals = quote(account, subscription.currency, lines);
  const { set, restarted, bill } = plan;
  return { set, lines: plan.lines, restarted, bill, totals, currency: subscription.currency, asked, target };
}
