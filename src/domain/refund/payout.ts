import type { Account } from "../billing/customer-billing.ts";
import { refundablePart } from "../billing/limits.ts";
import { recordRefund } from "../billing/record.ts";
import type { Lot } from "../model/balance.ts";
import { requireSeenBalance, spendableLots } from "../balance/move.ts";
import { freeIn } from "../balance/quote.ts";
import { runDue } from "../collection/due.ts";
import { sumOf, type Amount } from "../money.ts";
import { AppError, invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { NOT_FAILED, type Refund } from "../model/refund.ts";
import { takeFromBalance } from "./take.ts";

/** `amount`: minor units, above zero; null: all credit that can be paid out. `reason`: the operator's own words. */
export type AskedPayout = { currency: string; amount: Amount | null; reason: string | null };

/**
 * Pays credit out to the cards that it came from: one refund for each charge, newest charge first (rule I7). The credit
 * leaves the balance at once. The worker calls the provider later. Each refund is a multiple of its provider's step
 * (rules I7a, I7b, I7c, M5g). `seen`: as for `requireSeenBalance`.
 * @throws AppError 404, 409 `nothing_to_pay_out`, `credit_spent`, 412, 422
 */
export function payOut(
  account: Account,
  { currency, amount: asked, reason }: AskedPayout,
  seen: Amount | null = null,
): Refund[] {
  if (account.customer.deletedAt !== null) throw new AppError("not_found");
  runDue(account);
  requireSeenBalance(account, currency, seen);
  const lots = spendableLots(account, currency).filter(({ source }) => source === "payment");
  needCharges(account, lots);
  const all = partsOf(account, lots, freeIn(account, currency));
  const available = sumOf(all.map(({ amount }) => amount));
  if (available === 0) throw new AppError("nothing_to_pay_out");
  if (asked !== null && asked > available) throw new AppError("credit_spent", { extra: { available } });
  const parts = asked === null ? all : partsOf(account, lots, asked);
  if (asked !== null) requireSum(parts, asked);
  return parts.map((part) => {
    const refund = newPayout(account, { ...part, currency, reason });
    return recordRefund(account, takeFromBalance(account, refund), "refund.created", account.now);
  });
}

const remainingOf = (lots: readonly Lot[]) => sumOf(lots.map(({ remaining }) => remaining));

/** Loads the charges of all lots at once. */
function needCharges(account: Account, lots: readonly Lot[]): void {
  const missing = new Set(lots.map(({ paymentId }) => paymentId!).filter((id) => !account.payments.get(id)));
  account.need(...[...missing].map((id) => ({ part: "payment", id }) as const));
}

type Part = { paymentId: string; amount: Amount };

/**
 * Shares an amount out over the charges that credit came from, newest charge first. The parts come to less if a part
 * would lie between two steps. An amount below zero has no parts (rule I7b).
 */
function partsOf(account: Account, lots: readonly Lot[], amount: Amount): Part[] {
  const byCharge = [...Map.groupBy(lots, ({ paymentId }) => paymentId!)].toSorted(([one], [other]) =>
    one < other ? 1 : -1,
  );
  let wanted = amount;
  return byCharge.flatMap(([paymentId, own]) => {
    const most = Math.max(Math.min(remainingOf(own), wanted), 0);
    const part = refundablePart(account, paymentId, most);
    wanted -= part;
    return part > 0 ? [{ paymentId, amount: part }] : [];
  });
}

/** @throws AppError 422 if an amount between two steps was asked for */
function requireSum(parts: readonly Part[], asked: Amount): void {
  const sum = sumOf(parts.map(({ amount }) => amount));
  if (sum === asked) return;
  const remedy = sum > 0 ? `Pay out ${sum}, or name a larger amount.` : "Name a larger amount.";
  throw invalid("/amount", "between_steps", `The provider can't refund exactly this amount. ${remedy}`);
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
