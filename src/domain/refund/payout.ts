import type { CustomerBilling } from "../billing/customer-billing.ts";
import { refundablePart } from "../billing/limits.ts";
import { recordRefund } from "../billing/record.ts";
import type { Lot } from "../model/balance.ts";
import { requireSeenBalance, spendableLots } from "../balance/move.ts";
import { freeIn } from "../balance/quote.ts";
import { runDue } from "../collection/due.ts";
import { sumOf, type Amount } from "../money.ts";
import { newId } from "../../ids.ts";
import { NOT_FAILED, type Refund } from "../model/refund.ts";
import { takeFromBalance } from "./take.ts";
import { Refusal, type Money } from "../refusal.ts";

/** `amount`: minor units, above zero; null: all credit that can be paid out. `reason`: the operator's own words. */
export type AskedPayout = { currency: string; amount: Amount | null; reason: string | null };

/**
 * Pays credit out to the cards that it came from: one refund for each charge, newest charge first (rule I7). The credit
 * leaves the balance at once. The worker calls the provider later. Each refund is a multiple of its provider's step
 * (rules I7a, I7b, I7c, M5g). `seen`: as for `requireSeenBalance`.
 * @throws Refusal 404, 409 `nothing_to_pay_out`, `credit_spent`, 412, 422
 */
export function payOut(
  billing: CustomerBilling,
  { currency, amount: asked, reason }: AskedPayout,
  seen: Amount | null = null,
): Refund[] {
  if (billing.customer.deletedAt !== null) throw new Refusal("not_found");
  runDue(billing);
  requireSeenBalance(billing, currency, seen);
  const lots = spendableLots(billing, currency).filter(({ source }) => source === "payment");
  needCharges(billing, lots);
  const all = partsOf(billing, lots, freeIn(billing, currency));
  const available = sumOf(all.map(({ amount }) => amount));
  if (available === 0) throw new Refusal("nothing_to_pay_out");
  if (asked !== null && asked > available)
    throw new Refusal("credit_spent", { available: { currency, amount: available } });
  const parts = asked === null ? all : partsOf(billing, lots, asked);
  if (asked !== null) requireSum(parts, { currency, amount: asked });
  return parts.map((part) => {
    const refund = newPayout(billing, { ...part, currency, reason });
    return recordRefund(billing, takeFromBalance(billing, refund), "refund.created", billing.now);
  });
}

const remainingOf = (lots: readonly Lot[]) => sumOf(lots.map(({ remaining }) => remaining));

/** Loads the charges of all lots at once. */
function needCharges(billing: Pick<CustomerBilling, "need" | "payments">, lots: readonly Lot[]): void {
  const missing = new Set(lots.map(({ paymentId }) => paymentId!).filter((id) => !billing.payments.get(id)));
  billing.need(...[...missing].map((id) => ({ part: "payment", id }) as const));
}

type Part = { paymentId: string; amount: Amount };

/**
 * Shares an amount out over the charges that credit came from, newest charge first. The parts come to less if a part
 * would lie between two steps. An amount below zero has no parts (rule I7b).
 */
function partsOf(
  billing: Pick<CustomerBilling, "loaded" | "need" | "payments">,
  lots: readonly Lot[],
  amount: Amount,
): Part[] {
  const byCharge = [...Map.groupBy(lots, ({ paymentId }) => paymentId!)].toSorted(([one], [other]) =>
    one < other ? 1 : -1,
  );
  let wanted = amount;
  return byCharge.flatMap(([paymentId, own]) => {
    const most = Math.max(Math.min(remainingOf(own), wanted), 0);
    const part = refundablePart(billing, paymentId, most);
    wanted -= part;
    return part > 0 ? [{ paymentId, amount: part }] : [];
  });
}

/** @throws Refusal 422 if an amount between two steps was asked for */
function requireSum(parts: readonly Part[], { currency, amount: asked }: Money): void {
  const sum = sumOf(parts.map(({ amount }) => amount));
  if (sum === asked) return;
  const nearest = sum > 0 ? { currency, amount: sum } : null;
  throw new Refusal("payout_between_steps", { field: "/amount", nearest });
}

type Payout = Pick<Refund, "amount" | "currency" | "reason"> & { paymentId: string };

function newPayout(
  { organization, customer, now, realNow }: Pick<CustomerBilling, "customer" | "now" | "organization" | "realNow">,
  { amount, ...payout }: Payout,
): Refund {
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
