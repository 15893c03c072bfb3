import type { Account } from "../account/account.ts";
import type { Part } from "../account/parts.ts";
import { creditedElsewhere } from "../invoice/credit.ts";
import { minimumCharge } from "../currency.ts";
import type { Dispute } from "../dispute/dispute.ts";
import { applyHold, holdsOf, totalsWith, type Funds, type Hold, type QuotedLine } from "./hold.ts";
import type { Totals } from "../invoice/invoice.ts";
import { givenBackOf } from "../invoice/given-back.ts";
import { sumOf, type Amount } from "../money.ts";
import { balanceIn } from "./move.ts";
import { reservationsIn, type Reservation } from "./reserved.ts";

/**
 * The totals of lines as if they were billed now, for a renewal or a change (rule M4). The part of the balance that a
 * pending change or a Checkout has reserved is not used.
 */
export function quote(account: Account, currency: string, lines: readonly QuotedLine[]): Totals {
  return totalsOfLines(account, currency, lines, false);
}

/** As `quote`, for the last invoice of a Subscription (rule S4). */
export function quoteLast(account: Account, currency: string, lines: readonly QuotedLine[]): Totals {
  return totalsOfLines(account, currency, lines, true);
}

function totalsOfLines(account: Account, currency: string, lines: readonly QuotedLine[], isLast: boolean): Totals {
  return totalsWith(lines, fundsIn(account, currency, null), minimumCharge(currency), isLast);
}

/**
 * The credit that a purchase can use (rule C7), in minor units: neither reserved nor held, and 0 for a debt. `except`:
 * the Checkout of the purchase, whose own reservation does not count.
 */
export function availableCredit(account: Account, currency: string, except: string): Amount {
  const { balance, reserved, hold } = fundsIn(account, currency, except);
  return Math.max(balance - applyHold(hold, { balance, reserved, credited: 0 }).onBalance, 0);
}

function fundsIn(account: Account, currency: string, except: string | null): Funds {
  const balance = balanceIn(account, currency);
  const free = freeOf(balance, reservationsIn(account, currency, except));
  const reserved = Math.max(balance - free, 0);
  const hold = holdsIn(account).find((each) => each.currency === currency);
  return { balance: free, reserved, hold };
}

/**
 * The part of a balance that no payment under way reserves: a credit less the amount that the payments use, or a debt
 * less the amount that they collect. The result is 0 or has the sign of the balance, even if the balance has changed
 * since the payments were decided. A change without an amount due collects no debt and only adds to the balance.
 */
function freeOf(balance: Amount, pending: readonly Reservation[]): Amount {
  const used = pending.map(({ balanceApplied }) => Math.max(balanceApplied, 0));
  const collected = pending.map(({ balanceApplied, amountDue }) =>
    amountDue > 0 ? Math.max(0 - balanceApplied, 0) : 0,
  );
  return balance > 0 ? Math.max(balance - sumOf(used), 0) : Math.min(balance + sumOf(collected), 0);
}

/**
 * The holds on credit from disputed or lost charges (rule D7), as of all changes on this Account so far. More parts are
 * needed only if a dispute is not won, which is rare.
 */
export function holdsIn(account: Account): Hold[] {
  const standing = account.disputes.where(({ status }) => status !== "won");
  if (standing.length === 0) return [];
  account.need({ part: "balance_entries" }, ...standing.flatMap(partsOf));
  const charges = standing.map((dispute) => ({
    currency: dispute.currency,
    disputed: dispute.amount,
    credited: creditedFrom(account, dispute),
    since: dispute.createdAt,
  }));
  return holdsOf(
    charges,
    account.balanceEntries.where(() => true),
  );
}

function partsOf({ invoiceId, paymentId }: Dispute): Part[] {
  const unapplied: Part = { part: "unapplied", paymentId };
  return invoiceId === null ? [unapplied] : [unapplied, { part: "given_back", invoiceId }];
}

/**
 * The credit that came from a charge, in minor units (rule D7). The sources are credits of the invoice's lines outside
 * of that invoice, refunds of that invoice to the balance, and the charge itself if the invoice was void when the money
 * arrived.
 */
function creditedFrom(account: Account, { invoiceId, paymentId }: Dispute): Amount {
  const unapplied = account.transfers.where(
    ({ kind, sourceId }) => kind === "unapplied_payment" && sourceId === paymentId,
  );
  const arrived = sumOf(unapplied.map(({ amount }) => amount));
  if (invoiceId === null) return arrived;
  const { credits, refunds } = givenBackOf(account, invoiceId);
  const toBalance = refunds
    .filter(({ to, status }) => to === "balance" && status === "succeeded")
    .map(({ amount }) => amount);
  return creditedElsewhere(credits) + sumOf(toBalance) + arrived;
}
