import type { BillingRows, LoadedBilling } from "../../src/domain/billing/customer-billing.ts";
import type { Instant } from "../../src/domain/calendar.ts";
import type { Payment } from "../../src/domain/model/payment.ts";
import { newId } from "../../src/ids.ts";
import { balanceEntries } from "../../src/store/balances.ts";
import { benefitGrants } from "../../src/store/benefit-grants.ts";
import { changes } from "../../src/store/changes.ts";
import { checkouts } from "../../src/store/checkouts.ts";
import { creditNotes } from "../../src/store/credit-notes.ts";
import { sql, type Queryable } from "../../src/store/driver/db.ts";
import { disputes } from "../../src/store/disputes.ts";
import { invoiceLines } from "../../src/store/invoice-lines.ts";
import { invoices } from "../../src/store/invoices.ts";
import { ledger } from "../../src/store/ledger.ts";
import { paymentMethods } from "../../src/store/payment-methods.ts";
import { payments } from "../../src/store/payments.ts";
import { refunds } from "../../src/store/refunds.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import type { Everything } from "../support/everything.ts";

/** The instant of the new rows. */
export const at = 1_752_310_800_000 as Instant;

const TABLES = {
  cards: paymentMethods,
  checkouts,
  subscriptions,
  changes,
  invoices,
  lines: invoiceLines,
  payments,
  refunds,
  creditNotes,
  disputes,
  grants: benefitGrants,
  balanceEntries,
};
const transfersStatement = sql(
  "test.transfers",
  `SELECT ${ledger.columns()} FROM ledger_transfers WHERE organization_id = $1 AND id = $2`,
);
const redemptionsStatement = sql(
  "test.redemptions",
  `SELECT checkout_id AS id, organization_id AS "organizationId", discount_id AS "discountId" FROM discount_redemptions
   WHERE organization_id = $1 AND checkout_id = $2`,
);
const trialsStatement = sql(
  "test.trials",
  `SELECT group_key AS id, subscription_id AS "subscriptionId" FROM trials
   WHERE organization_id = $1 AND group_key = $2 AND customer_id = $3`,
);

/** Makes new rows for a Customer of `everything`, and finds stored rows. */
export function billingRows(everything: () => Everything) {
  /** A new row of Ada for each table, with new keys. The rows name each other. */
  async function newRows(tx: Queryable, loaded: LoadedBilling) {
    const { ids, story } = everything();
    const organizationId = story.app.organization.id;
    const found = async <Row>(find: Promise<Row | null>): Promise<Row> => (await find)!;
    const customerId = loaded.customer.id;
    const common = { organizationId, customerId };
    const card = { ...loaded.rows.cards[0]!, id: newId("pm") };
    const checkout = {
      ...(await found(checkouts.find(tx, organizationId, ids["checkout"]!))),
      ...common,
      id: newId("chk"),
    };
    const seen = await found(subscriptions.find(tx, organizationId, ids["ada"]!));
    const subscription = { ...seen, id: newId("sub"), checkoutId: checkout.id, groupKey: null };
    const change = {
      ...common,
      id: newId("chg"),
      subscriptionId: subscription.id,
      checkoutId: checkout.id,
      pageId: null,
      status: "pending" as const,
      plan: { set: { amount: 1 }, lines: [], bill: "now" } as never,
      groupKey: null,
      decidedAt: at,
      settledAt: null,
      requestId: "req_1",
      idempotency: { organizationId, key: 'ü "quoted"', method: "PATCH", path: "/" },
      createdAt: at,
    };
    const first = await found(invoices.find(tx, organizationId, ids["first"]!));
    const renamed = {
      number: `X-${newId("inv")}`,
      checkoutId: null,
      periodNumber: null,
      subscriptionId: subscription.id,
      refundedAmount: 0,
    };
    const invoice = { ...first, ...renamed, id: newId("inv") };
    const billed = {
      ...(await found(invoiceLines.find(tx, organizationId, ids["line"]!))),
      subscriptionId: subscription.id,
    };
    const line = { ...billed, id: newId("iln"), invoiceId: invoice.id };
    const credit = { ...billed, id: newId("iln"), invoiceId: null, creditedLineId: line.id };
    const charge = await found(payments.find(tx, organizationId, ids["payment"]!));
    const source = { sourceId: checkout.id, checkoutId: checkout.id };
    const paymentId = newId("pay");
    const payment: Payment = {
      ...charge,
      ...source,
      id: paymentId,
      providerKey: paymentId,
      invoiceId: invoice.id,
      paymentMethodId: card.id,
    };
    const paid = await found(refunds.find(tx, organizationId, ids["cardRefund"]!));
    const refund = {
      ...paid,
      id: newId("rfd"),
      invoiceId: invoice.id,
      paymentId: payment.id,
      creditNoteId: newId("crn"),
    };
    const note = await found(creditNotes.find(tx, organizationId, ids["creditNote"]!));
    const creditNote = {
      ...note,
      id: refund.creditNoteId,
      number: `C-${refund.id}`,
      invoiceId: invoice.id,
      refundId: refund.id,
    };
    const lost = await found(disputes.find(tx, organizationId, ids["lost"]!));
    const dispute = {
      ...lost,
      ...common,
      id: newId("dsp"),
      paymentId: payment.id,
      invoiceId: invoice.id,
      subscriptionId: subscription.id,
    };
    const granted = await found(benefitGrants.find(tx, organizationId, ids["grant"]!));
    const grant = { ...granted, id: newId("bgr"), subscriptionId: subscription.id, properties: {} };
    const redemption = { id: checkout.id, organizationId, discountId: ids["discount"]! };
    const entry = {
      ...common,
      id: newId("bal"),
      currency: "eur",
      amount: -25,
      remaining: -25,
      reason: "adjustment" as const,
      source: null,
      paymentId: null,
      creditedLineId: null,
      note: "N'oublie pas",
      invoiceId: null,
      refundId: null,
      createdAt: at,
    };
    const transfer = {
      ...common,
      id: newId("led"),
      kind: "unapplied_payment" as never,
      sourceId: payment.id,
      currency: "eur",
      amount: 7,
      debitAccount: "cash" as never,
      creditAccount: "customer_balance" as never,
      createdAt: at,
    };
    const rows: { [Name in keyof BillingRows]?: BillingRows[Name][] } = {
      cards: [card],
      checkouts: [checkout],
      subscriptions: [subscription],
      changes: [change as never],
      invoices: [invoice],
      lines: [credit, line],
      payments: [payment],
      refunds: [refund],
      creditNotes: [creditNote],
      disputes: [dispute],
      grants: [grant],
      redemptions: [redemption],
      balanceEntries: [entry],
      transfers: [transfer],
      trials: [{ id: "another", subscriptionId: subscription.id }],
    };
    return rows;
  }

  /** The stored state of each row. */
  async function stored(
    db_: Queryable,
    rows: Partial<Record<keyof BillingRows, readonly { id: string }[]>>,
    customerId: string,
  ) {
    const organizationId = everything().story.app.organization.id;
    const found: Partial<Record<keyof BillingRows, unknown[]>> = {};
    const find = async (name: keyof BillingRows, id: string): Promise<unknown> => {
      if (name === "transfers") return (await db_.query(transfersStatement, [organizationId, id]))[0] ?? null;
      if (name === "redemptions") return (await db_.query(redemptionsStatement, [organizationId, id]))[0] ?? null;
      if (name === "trials") return (await db_.query(trialsStatement, [organizationId, id, customerId]))[0] ?? null;
      return TABLES[name as keyof typeof TABLES].find(db_, organizationId, id);
    };
    for (const [name, list] of Object.entries(rows) as [keyof BillingRows, { id: string }[]][]) {
      found[name] = await Promise.all(list.map(({ id }) => find(name, id)));
    }
    return found;
  }

  return { newRows, stored };
}
