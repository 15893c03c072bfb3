import { sumOf, type Amount } from "../money.ts";
import { owedOf, type Outlook } from "./outlook.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * The effect of a cancellation at the end of the period. `untilOwed`: access lasts if the buyer pays the `amount` that
 * is owed. `untilLast`: the `amount` is charged at the end (rule S4). Amounts are in minor units.
 */
export type CancellationEffect =
  | { kind: "until" | "trial" | "suspended" }
  | { kind: "untilOwed" | "untilLast"; amount: Amount };

/** `lastCharge`: the charge at the end, in minor units; 0: there is none. */
export function cancellationEffect(
  { status, grantsSuspended }: Subscription,
  outlook: Pick<Outlook, "open"> | null,
  lastCharge: Amount,
): CancellationEffect {
  if (status === "trialing") return { kind: "trial" };
  if (grantsSuspended) return { kind: "suspended" };
  const owed = outlook ? sumOf(owedOf(outlook).owed.map(({ invoice }) => invoice.amountDue)) : 0;
  if (owed > 0) return { kind: "untilOwed", amount: owed };
  return lastCharge > 0 ? { kind: "untilLast", amount: lastCharge } : { kind: "until" };
}
