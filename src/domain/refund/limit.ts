import type { Account } from "../account/account.ts";
import type { Back } from "../invoice/back.ts";
import { sumOf, type Amount } from "../money.ts";
import { refundLimitOf, type Role } from "../team/role.ts";
import { invalid } from "../../errors.ts";
import { isStanding } from "./refund.ts";

/** The sum of an invoice's refunds that count against the limit of a role: all that did not fail at once. */
export const countedRefunds = ({ refunds }: Pick<Back, "refunds">): Amount =>
  sumOf(refunds.filter(isStanding).map(({ amount }) => amount));

/**
 * Refuses a refund above the limit of a role. The limit counts for an invoice: all refunds of the invoice together,
 * from every source.
 * @throws AppError 422 `above_limit`
 */
export function requireWithinLimit(
  { organization }: Account,
  role: Role,
  back: Pick<Back, "refunds">,
  { amount, currency }: { amount: Amount; currency: string },
): void {
  const limit = refundLimitOf(role, organization, currency);
  const before = countedRefunds(back);
  if (limit === null || before + amount <= limit) return;
  const left = Math.max(limit - before, 0);
  throw invalid("/amount", "above_limit", `Your role can refund at most ${left} more of this invoice.`);
}
