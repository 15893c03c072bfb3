import { BILLING_SABOTAGES } from "./sabotages/billing.ts";
import { BOOK_SABOTAGES } from "./sabotages/book.ts";
import { CUSTOMER_SABOTAGES } from "./sabotages/customers.ts";
import { DUE_SABOTAGES } from "./sabotages/due.ts";
import { EVENT_SABOTAGES } from "./sabotages/events.ts";
import { IMPORT_SABOTAGES } from "./sabotages/imports.ts";
import { LEDGER_SABOTAGES } from "./sabotages/ledger.ts";
import { METRIC_SABOTAGES } from "./sabotages/metrics.ts";
import { PAYMENT_SABOTAGES } from "./sabotages/payments.ts";
import { PRICE_SABOTAGES } from "./sabotages/prices.ts";
import { REFERENCE_SABOTAGES } from "./sabotages/references.ts";
import type { Sabotage } from "./sabotages/sabotage.ts";

/** The sabotages by the rule that must report them. */
export const SABOTAGES: Record<string, Sabotage[]> = {
  ...BILLING_SABOTAGES,
  ...PAYMENT_SABOTAGES,
  ...PRICE_SABOTAGES,
  ...IMPORT_SABOTAGES,
  ...BOOK_SABOTAGES,
  ...LEDGER_SABOTAGES,
  ...CUSTOMER_SABOTAGES,
  ...EVENT_SABOTAGES,
  ...DUE_SABOTAGES,
  ...REFERENCE_SABOTAGES,
  ...METRIC_SABOTAGES,
};
