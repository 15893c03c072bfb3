import { liveSubscriptions, type Account } from "../billing/customer-billing.ts";
import { recordCustomer } from "../billing/record.ts";
import { balancesOf } from "../balance/move.ts";
import { endTermsOf } from "../balance/quote.ts";
import { creditAtEnd, type Ending } from "../model/credit-at-end.ts";
import { deletedCustomer, type Customer } from "../model/customer.ts";
import { runDue } from "../collection/due.ts";
import { billOf, openInvoicesOf, waitingLines } from "../invoice/bills.ts";
import { isOfPortal, type Payment } from "../model/payment.ts";
import { paymentInProgress } from "../payment/attempt.ts";
import { AppError } from "../../errors.ts";
import { endEverything } from "./end.ts";

/**
 * Deletes the Customer (rules I5a, I5b, I5d, I5f). All Subscriptions, grants, open invoices and open Checkouts of the
 * Customer end, and only issued documents still show the Customer's data. `forfeit`: the Customer's credit is written
 * off. `checkVersion` checks the Customer against If-Match. `challenge`: an invoice's attempt waits for the buyer; the
 * caller gives the attempt up at the provider and then repeats the decision.
 * @throws AppError 404, 409 `payment_in_progress` while a payment of the Customer is not settled, `balance_left` with
 * the amounts, 412
 */
export function deleteCustomer(
  account: Account,
  forfeit: boolean,
  checkVersion?: (customer: Customer) => void,
): { deleted: Customer } | { challenge: Payment } {
  if (account.customer.deletedAt !== null) throw new AppError("not_found");
  checkVersion?.(account.customer);
  runDue(account);
  const challenge = requireSettled(account);
  // This check comes before a challenge is given up, so a refusal leaves everything as it was.
  if (!forfeit) requireNoCredit(account);
  if (challenge) return { challenge };
  endEverything(account);
  account.isForgotten = true;
  return {
    deleted: recordCustomer(account, deletedCustomer(account.customer, account.now), "customer.deleted", account.now),
  };
}

/**
 * No money may arrive after the deletion, so a payment at a Checkout blocks the deletion. The challenge of an invoice,
 * or of a card in the portal, does not block the deletion, because the challenge is given up first (rule I5c).
 */
function requireSettled(account: Account): Payment | null {
  const unsettled = account.payments.where(({ settledAt }) => settledAt === null);
  const isGivenUp = (payment: Payment) => payment.invoiceId !== null || isOfPortal(payment);
  if (unsettled.some((payment) => payment.status !== "requires_action" || !isGivenUp(payment)))
    throw paymentInProgress();
  return unsettled[0] ?? null;
}

/** Refuses a deletion that would write credit off, and names the amounts. Changes no row (rules I5d, I5e). */
function requireNoCredit(account: Account): void {
  const live = liveSubscriptions(account);
  const endings = live.map(({ id, currency }): Ending => {
    const open = openInvoicesOf(account, id).map((invoice) => billOf(account, invoice));
    return { currency, waiting: waitingLines(account, id), open };
  });
  const balances = creditAtEnd(balancesOf(account), endings, endTermsOf(account));
  if (balances.length > 0) throw new AppError("balance_left", { extra: { balances } });
}
