import { balancesOf } from "../balance/move.ts";
import { runDue } from "./due.ts";
import { lineTotal, type Invoice } from "../model/invoice.ts";
import { sumOf, type Amount } from "../money.ts";
import type { Subscription } from "../model/subscription.ts";
import { liveSubscriptions, type Account } from "../billing/customer-billing.ts";

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

function stateOf(account: Account) {
  return {
    balances: new Map(balancesOf(account).map(({ currency, amount }) => [currency, amount])),
    subscriptions: liveSubscriptions(account),
    grants: new Map(account.grants.where(() => true).map(({ id, status }) => [id, status])),
    invoices: new Set(account.invoices.changes().inserted.map(({ id }) => id)),
    lines: new Set(account.lines.changes().inserted.map(({ id }) => id)),
  };
}

function grantsSince(account: Account, before: ReadonlyMap<string, string>): Effect["grants"] {
  const { inserted, updated } = account.grants.changes();
  return [...inserted, ...updated.map(({ row }) => row)]
    .filter(({ id, status }) => before.get(id) !== status)
    .map(({ benefitId, status }) => {
      return { name: account.benefits.get(benefitId)?.name ?? benefitId, isActive: status === "active" };
    });
}

/**
 * Runs a decision on an Account that is not kept, and measures the effect. Due work comes first (rule T3), and is not a
 * part of the effect.
 */
export function measured<T>(account: Account, decide: () => T): { value: T; effect: Effect } {
  runDue(account);
  const before = stateOf(account);
  const value = decide();
  const lines = account.lines
    .changes()
    .inserted.filter(({ id, invoiceId }) => invoiceId === null && !before.lines.has(id));
  const effect: Effect = {
    balances: balancesOf(account).flatMap(({ currency, amount: after }) => {
      const was = before.balances.get(currency) ?? 0;
      return was === after ? [] : [{ currency, before: was, after }];
    }),
    subscriptions: before.subscriptions.flatMap((was) => {
      const after = account.subscriptions.get(was.id) ?? was;
      const isSame = after.status === was.status && after.currentPeriodEnd === was.currentPeriodEnd;
      return isSame ? [] : [{ before: was, after }];
    }),
    grants: grantsSince(account, before.grants),
    invoices: account.invoices.changes().inserted.filter(({ id }) => !before.invoices.has(id)),
    waiting: sumOf(lines.map(lineTotal)),
  };
  return { value, effect };
}
