import { balancesOf } from "../balance/move.ts";
import { runDue } from "./due.ts";
import { lineTotal, type Invoice } from "../model/invoice.ts";
import { sumOf, type Amount } from "../money.ts";
import type { Subscription } from "../model/subscription.ts";
import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";

/**
 * The effect of a decision on a Customer, in minor units. `balances`, `subscriptions` and `grants`: those that change.
 * `invoices`: those that the decision makes. `waiting`: the sum of the lines that wait for the next invoice since then.
 */
export type Effect = {
  balances: { currency: string; before: Amount; after: Amount }[];
  subscriptions: { before: Subscription; after: Subscription }[];
  grants: { name: string; isActive: boolean }[];
  invoices: Invoice[];
  waiting: Amount;
};

function stateOf(billing: CustomerBilling) {
  return {
    balances: new Map(balancesOf(billing).map(({ currency, amount }) => [currency, amount])),
    subscriptions: liveSubscriptions(billing),
    grants: new Map(billing.grants.where(() => true).map(({ id, status }) => [id, status])),
    invoices: new Set(billing.invoices.changes().inserted.map(({ id }) => id)),
    lines: new Set(billing.lines.changes().inserted.map(({ id }) => id)),
  };
}

function grantsSince(
  billing: Pick<CustomerBilling, "benefits" | "grants">,
  before: ReadonlyMap<string, string>,
): Effect["grants"] {
  const { inserted, updated } = billing.grants.changes();
  return [...inserted, ...updated.map(({ row }) => row)]
    .filter(({ id, status }) => before.get(id) !== status)
    .map(({ benefitId, status }) => {
      return { name: billing.benefits.get(benefitId)?.name ?? benefitId, isActive: status === "active" };
    });
}

/**
 * Runs a decision on one Customer's billing that is not kept, and measures the effect. Due work comes first (rule T3),
 * and is not a part of the effect.
 */
export function measured<T>(billing: CustomerBilling, decide: () => T): { value: T; effect: Effect } {
  runDue(billing);
  const before = stateOf(billing);
  const value = decide();
  const lines = billing.lines
    .changes()
    .inserted.filter(({ id, invoiceId }) => invoiceId === null && !before.lines.has(id));
  const effect: Effect = {
    balances: balancesOf(billing).flatMap(({ currency, amount: after }) => {
      const was = before.balances.get(currency) ?? 0;
      return was === after ? [] : [{ currency, before: was, after }];
    }),
    subscriptions: before.subscriptions.flatMap((was) => {
      const after = billing.subscriptions.get(was.id) ?? was;
      const isSame = after.status === was.status && after.currentPeriodEnd === was.currentPeriodEnd;
      return isSame ? [] : [{ before: was, after }];
    }),
    grants: grantsSince(billing, before.grants),
    invoices: billing.invoices.changes().inserted.filter(({ id }) => !before.invoices.has(id)),
    waiting: sumOf(lines.map(lineTotal)),
  };
  return { value, effect };
}
