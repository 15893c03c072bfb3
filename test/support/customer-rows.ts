import type { Balance, BalanceEntry } from "../../src/domain/model/balance.ts";
import type { BenefitGrant } from "../../src/domain/model/benefit.ts";
import type { InvoiceLine } from "../../src/domain/model/invoice.ts";
import type { Payment } from "../../src/domain/model/payment.ts";
import type { Subscription } from "../../src/domain/model/subscription.ts";
import { balanceEntries } from "../../src/store/balances.ts";
import { benefitGrants } from "../../src/store/benefit-grants.ts";
import { sql, type Queryable } from "../../src/store/driver/db.ts";
import { invoiceLines } from "../../src/store/invoice-lines.ts";
import { payments } from "../../src/store/payments.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";

// Rows of one Customer. These statements are independent of the loader of Customers' billing.
const OWN = "organization_id = $1 AND customer_id = $2";
const balancesStatement = sql("test.balances", `SELECT currency, amount FROM balances WHERE ${OWN} ORDER BY currency`);
const entriesStatement = sql(
  "test.entries",
  `SELECT ${balanceEntries.columns()} FROM balance_entries WHERE ${OWN} ORDER BY id`,
);
const liveStatement = sql(
  "test.live_subscriptions",
  `SELECT ${subscriptions.columns()} FROM subscriptions WHERE ${OWN} AND status <> 'canceled' ORDER BY id`,
);
const openStatement = sql(
  "test.open_payments",
  `SELECT ${payments.columns()} FROM payments WHERE ${OWN} AND settled_at IS NULL ORDER BY id`,
);
const grantsStatement = sql(
  "test.grants",
  `SELECT ${benefitGrants.columns()} FROM benefit_grants WHERE ${OWN} AND (subscription_id = $3 OR invoice_id = $3)
    ORDER BY id`,
);
const waitingStatement = sql(
  "test.waiting_lines",
  `SELECT ${invoiceLines.columns()} FROM invoice_lines
   WHERE organization_id = $1 AND subscription_id = $2 AND invoice_id IS NULL ORDER BY id`,
);

export const listBalances = (db: Queryable, organizationId: string, customerId: string) =>
  db.query<Balance>(balancesStatement, [organizationId, customerId]);

export const allBalanceEntries = (db: Queryable, organizationId: string, customerId: string) =>
  db.query<BalanceEntry>(entriesStatement, [organizationId, customerId]);

/** The Subscriptions that have not ended. */
export const liveOfCustomer = (db: Queryable, organizationId: string, customerId: string) =>
  db.query<Subscription>(liveStatement, [organizationId, customerId]);

/** Attempts that are not settled. */
export const openPaymentsOf = (db: Queryable, organizationId: string, customerId: string) =>
  db.query<Payment>(openStatement, [organizationId, customerId]);

/** Every grant that a Subscription or an invoice ever made. */
export const grantsOf = (db: Queryable, organizationId: string, customerId: string, sourceId: string) =>
  db.query<BenefitGrant>(grantsStatement, [organizationId, customerId, sourceId]);

/** Lines that wait for the Subscription's next invoice. */
export const waitingLines = (db: Queryable, organizationId: string, subscriptionId: string) =>
  db.query<InvoiceLine>(waitingStatement, [organizationId, subscriptionId]);
