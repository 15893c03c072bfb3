import { importTransactions } from "../../src/actions/payment/import-transactions.ts";
import { fromStripe } from "../../src/payments/stripe/money.ts";
import { sql } from "../../src/store/driver/db.ts";
import { isGiven } from "./stripe-cards.ts";
import type { StripeSandbox } from "./stripe-sandbox.ts";

const anewStatement = sql(
  "test.simulation_import_anew",
  `UPDATE provider_book_imports SET import_at = statement_timestamp(), imported_from = NULL, imported_until = NULL,
     reading_from = NULL, reading_until = NULL, cursor = NULL, orphans_until = NULL, orphans = NULL, late_until = NULL,
     created_at = statement_timestamp() - interval '1 hour'
   WHERE organization_id = $1`,
);
const paidStatement = sql(
  "test.simulation_paid",
  `SELECT provider_key AS key, amount, currency FROM payments
   WHERE organization_id = $1 AND status = 'succeeded' AND purpose <> 'setup'`,
);
const refundedStatement = sql(
  "test.simulation_refunded",
  `SELECT CASE origin WHEN 'provider' THEN provider_ref ELSE id END AS ref, amount, currency FROM refunds
   WHERE organization_id = $1 AND status = 'succeeded' AND "to" = 'card'`,
);
const importedStatement = sql(
  "test.simulation_imported",
  "SELECT ref FROM provider_book WHERE organization_id = $1 AND kind <> 'orphan' ORDER BY ref",
);
const unmatchedStatement = sql(
  "test.simulation_unmatched",
  "SELECT type, object FROM provider_notices WHERE organization_id = $1 AND status = 'unmatched'",
);
const objectsStatement = sql(
  "test.simulation_objects",
  `SELECT r.object_id AS id FROM stripe_requests r
   LEFT JOIN payments p ON p.organization_id = r.organization_id AND p.provider_key = r.key AND p.settled_at IS NULL
   WHERE r.organization_id = $1 AND r.object_id IS NOT NULL AND r.kind <> 'refund' AND p.id IS NULL`,
);

const charged = ({ stripe }: StripeSandbox) =>
  [...stripe.book.charges.values()].filter(({ status }) => status === "succeeded");
const refunded = ({ stripe }: StripeSandbox) =>
  [...stripe.book.refunds.values()].filter(({ status }) => status === "succeeded");

/** The charges less the refunds at Stripe, by currency. */
export function moneyAt(sandbox: StripeSandbox): Map<string, number> {
  const money = new Map<string, number>();
  const add = (amount: number, currency: string) =>
    money.set(currency, (money.get(currency) ?? 0) + fromStripe(amount, currency));
  for (const { amount, currency } of charged(sandbox)) add(amount, currency);
  for (const { amount, currency } of refunded(sandbox)) add(-amount, currency);
  return money;
}

type Row = { amount: number; currency: string };
const line = (name: string, { amount, currency }: Row) => `${name} ${amount} ${currency}`;

/** The lines that only one of two lists has. A line that a list has twice must be twice in the other one. */
function unlike(at: string, one: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  const more = one.filter((each) => {
    const found = left.indexOf(each);
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
  return [...more.map((each) => `only at Stripe: ${at} ${each}`), ...left.map((each) => `only here: ${at} ${each}`)];
}

/**
 * Imports Stripe's book as in a night, for the comparison by `billow verify`. Answers the charges and refunds that the
 * import has missed.
 */
async function importAnew(sandbox: StripeSandbox): Promise<string[]> {
  const { ctx, organizationId, stripe } = sandbox;
  await ctx.db.tx((tx) => tx.query(anewStatement, [organizationId]));
  const account = { organizationId, provider: "stripe", providerAccount: stripe.accountId };
  for (let isDue = true; isDue;) isDue = await importTransactions(ctx, account);
  const imported = await ctx.db.read.query<{ ref: string }>(importedStatement, [organizationId]);
  const refs = new Set(imported.map(({ ref }) => ref));
  const missed = [...charged(sandbox), ...refunded(sandbox)].filter(({ id }) => !refs.has(id));
  return missed.map(({ id }) => `${id} is not imported`);
}

/**
 * Notices that Billow could not match. A card that a buyer gives without a purchase has no payment, and the cards of a
 * deleted Customer are unmatched.
 */
async function unmatched({ ctx, organizationId, stripe: { book } }: StripeSandbox): Promise<string[]> {
  const notices = await ctx.db.read.query<{ type: string; object: string }>(unmatchedStatement, [organizationId]);
  const isExpected = (id: string) => {
    const { metadata } = book.setupIntents.get(id) ?? book.sessions.get(id) ?? {};
    return isGiven(metadata?.["billow_key"] ?? "") || book.paymentMethods.get(id)?.customer === null;
  };
  return notices.filter(({ object }) => !isExpected(object)).map(({ type, object }) => `unmatched: ${type} ${object}`);
}

/** Intents and pages of settled payments that a buyer could still pay. */
async function payable({ ctx, organizationId, stripe: { book } }: StripeSandbox): Promise<string[]> {
  const settled = await ctx.db.read.query<{ id: string }>(objectsStatement, [organizationId]);
  const isOver = (status: string | undefined | null) =>
    ["succeeded", "canceled", "complete", "expired"].includes(status ?? "");
  const statusOf = (id: string) =>
    (book.paymentIntents.get(id) ?? book.setupIntents.get(id) ?? book.sessions.get(id))?.status;
  return settled.filter(({ id }) => !isOver(statusOf(id))).map(({ id }) => `${id} is ${statusOf(id)}`);
}

/**
 * The differences between the charges and refunds at Stripe and ours, one by one, so that no payment is charged twice.
 * Also imports Stripe's book, for the rules of `billow verify`.
 */
export async function differencesAt(sandbox: StripeSandbox): Promise<string[]> {
  const { ctx, organizationId } = sandbox;
  const ours = (statement: typeof paidStatement) =>
    ctx.db.read.query<Row & { key: string; ref: string }>(statement, [organizationId]);
  const [paid, back] = [await ours(paidStatement), await ours(refundedStatement)];
  const there = ({ amount, currency }: Row) => ({ amount: fromStripe(amount, currency), currency });
  const charges = charged(sandbox).map((charge) => line(charge.metadata["billow_key"]!, there(charge)));
  const refunds = refunded(sandbox).map((refund) => line(refund.metadata["billow_key"] ?? refund.id, there(refund)));
  return [
    ...(await importAnew(sandbox)),
    ...unlike(
      "charge",
      charges,
      paid.map((row) => line(row.key, row)),
    ),
    ...unlike(
      "refund",
      refunds,
      back.map((row) => line(row.ref, row)),
    ),
    ...(await payable(sandbox)),
    ...(await unmatched(sandbox)),
  ];
}
