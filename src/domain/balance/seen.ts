import type { Account } from "../account/account.ts";
import type { Amount } from "../money.ts";
import { AppError } from "../../errors.ts";
import { balanceIn } from "./move.ts";

/**
 * Refuses a change of a balance to which a person agreed on a page with another balance. So a credit that is given from
 * two pages at the same time is given once. `seen` null: there was no page.
 * @throws AppError 412 `precondition_failed`
 */
export function requireSeenBalance(account: Account, currency: string, seen: Amount | null): void {
  if (seen !== null && balanceIn(account, currency) !== seen) throw new AppError("precondition_failed");
}
