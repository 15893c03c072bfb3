import type { Account } from "../account/account.ts";
import { recordRefund } from "../account/record.ts";
import type { Lot } from "../balance/balance.ts";
import { spendableLots } from "../balance/move.ts";
import { freeIn } from "../balance/quote.ts";
import { runDue } from "../due.ts";
import { sumOf, type Amount } from "../money.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { NOT_FAILED, type Refund } from "./refund.ts";
import { takeFromBalance } from "./take.ts";

/** `amount`: minor units, above zero; null: all credit that can be paid out. `reason`: the operator's own words. */
export type AskedPayout = { currency: string; amount: Amount | null; reason: string | null };

/**
 * Pays credit out to the cards that it came from: one refund for each charge, newest charge first (rule I7). The credit
 * leaves the balance at once. The worker calls the provider later.
 * @throws AppError 404, 409 `nothing_to_pay_out`, `credit_spent`
 */
export function payOut(account: Account, { currency, amount: asked, reason }: AskedPayout): Refund[] {
  if (account.customer.deletedAt !== null) throw new AppError("not_found");
  runDue(account);
  const lots = spendableLots(account, currency).filter(({ source }) => source === "payment");
  const available = Math.max(Math.min(remainingOf(lots), freeIn(account, currency)), 0);
  if (available === 0) throw new AppError("nothing_to_pay_out");
  const amount = asked ?? available;
  if (amount > available) throw new AppError("credit_spent", { extra: { available } });
  return partsOf(lots, amount).map((part) => {
    const refund = newPayout(account, { ...part, currency, reason });
    return recordRefund(account, takeFromBalance(account, refund), "refund.created", account.now);
  });
}

const remainingOf = (lots: readonly Lot[]) => sumOf(lots.map(({ remaining }) => remaining));

/** Shares an amount out over the charges that credit came from, newest charge first. */
function partsOf(lots: readonly Lot[], amount: Amount): { paymentId: string; amount: Amount }[] {
  const byCharge = [...Map.groupBy(lots, ({ paymentId }) => paymentId!)].toSorted(([one], [other]) =>
    one < other ? 1 : -1,
  );
  let wanted = amount;
  return byCharge.flatMap(([paymentId, own]) => {
    const part = Math.min(remainingOf(own), wanted);
    wanted -= part;
    return part > 0 ? [{ paymentId, amount: part }] : [];
  });
}

type Payout = Pick<Refund, "amount" | "currency" | "reason"> & { paymentId: string };

function newPayout({ organization, customer, now, realNow }: Account, { amount, ...payout }: Payout): Refund {
  return {
    ...payout,
    organizationId: organization.id,
    id: newId("rfd"),
    purpose: "balance",
    origin: "billow",
    invoiceId: null,
    customerId: customer.id,
    status: "pending",
    amount,
    taxAmount: 0,
    to: "card",
    revokeGrants: false,
    lines: [],
    fromBalance: amount,
    taken: [],
    freed: [],
    sources: [],
    rateLowered: 0,
    periodNumber: null,
    creditNoteId: null,
    ...NOT_FAILED,
    checkAt: realNow,
    checks: 0,
    settledAt: null,
    version: 0,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}
