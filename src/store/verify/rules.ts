import { TRANSACTION_RULES, RECONCILIATION_RULES } from "./provider-transactions.ts";
import { CONNECTION_RULES, STRIPE_RULES } from "./connections.ts";
import { CREDIT_RULES } from "./credits.ts";
import { CUSTOMER_RULES } from "./customers.ts";
import { DISCOUNT_RULES } from "./discounts.ts";
import { DISPUTE_RULES } from "./disputes.ts";
import { DUE_RULES } from "./due.ts";
import { EVENT_RULES } from "./events.ts";
import { GRANT_RULES } from "./grants.ts";
import { IMPORT_RULES } from "./imports.ts";
import { INVOICE_RULES } from "./invoices.ts";
import { LEDGER_RULES } from "./ledger.ts";
import { LOT_RULES } from "./lots.ts";
import { METRIC_RULES } from "./metrics.ts";
import { PAYMENT_RULES } from "./payments.ts";
import { PERIOD_RULES } from "./periods.ts";
import { PRICE_CHANGE_RULES } from "./price-changes.ts";
import { REFERENCE_RULES } from "./references.ts";
import { REFUND_RULES } from "./refunds.ts";
import type { Rule } from "./rule.ts";
import { SUBSCRIPTION_RULES } from "./subscriptions.ts";
import { WEBHOOK_RULES } from "./webhooks.ts";

/** All rules that PostgreSQL can check by itself. */
export const RULES: readonly Rule[] = [
  ...PERIOD_RULES,
  ...SUBSCRIPTION_RULES,
  ...PRICE_CHANGE_RULES,
  ...IMPORT_RULES,
  ...INVOICE_RULES,
  ...PAYMENT_RULES,
  ...STRIPE_RULES,
  ...REFUND_RULES,
  ...CREDIT_RULES,
  ...LOT_RULES,
  ...DISPUTE_RULES,
  ...CONNECTION_RULES,
  ...TRANSACTION_RULES,
  ...RECONCILIATION_RULES,
  ...LEDGER_RULES,
  ...GRANT_RULES,
  ...DISCOUNT_RULES,
  ...CUSTOMER_RULES,
  ...EVENT_RULES,
  ...WEBHOOK_RULES,
  ...DUE_RULES,
  ...REFERENCE_RULES,
  ...METRIC_RULES,
];
