import type { Balance } from "../model/balance.ts";
import type { Instant } from "../calendar.ts";
import type { Customer } from "../model/customer.ts";
import type { Email } from "../model/email.ts";
import type { Change } from "../model/frozen-plan.ts";
import type { Invoice, InvoiceLine } from "../model/invoice.ts";
import type { Organization } from "../model/organization.ts";
import type { LimitsAt } from "../model/charge-limits.ts";
import type { Payment, PaymentRequest } from "../model/payment.ts";
import type { PriceSettlement, RepricedSubscription } from "../model/price-change.ts";
import type { Subscription } from "../model/subscription.ts";
import type { BilledRows, SoldRows } from "./rows.ts";
import { OPEN_ITEMS, keyOf, PartsMissing, type Part } from "./parts.ts";
import { TrackedRows } from "./tracked-rows.ts";
import type { RecordedEvent } from "./recorded-event.ts";

/** The rows of one Customer's billing, by table. */
export type BillingRows = SoldRows & BilledRows;

/**
 * The rows that the loader brings for one Customer. Subscriptions that are not canceled are always loaded. All other
 * rows are loaded with the requested `parts`; most decisions need the part `open_items`. Rows are never changed in
 * place.
 */
export type LoadedBilling = {
  organization: Organization;
  /** Billing time, read under the Customer's lock; never before the Customer's own last change (rule T1). */
  now: Instant;
  realNow: Instant;
  /** The last heartbeat of a worker, if older than 24 hours, the jump of rule T4h; else null. */
  unseenSince: Instant | null;
  /** Whether the Organization has a payment provider. */
  hasProvider: boolean;
  limitsAt: LimitsAt;
  customer: Customer;
  /** The last numbers of the Customer's invoices and credit notes (rules I1, I3k). */
  numbers: { invoice: number; creditNote: number };
  /** Loaded with the part `open_items`. */
  balances: readonly Balance[];
  rows: { readonly [Name in keyof BillingRows]: readonly BillingRows[Name][] };
  /** Keys (`keyOf`) of the loaded parts. */
  parts: ReadonlySet<string>;
  /** Returns this many random bytes. */
  entropy(bytes: number): Uint8Array;
};

/** The rows of a billing without parts. */
export const NO_ROWS: LoadedBilling["rows"] = {
  subscriptions: [],
  invoices: [],
  lines: [],
  payments: [],
  cards: [],
  checkouts: [],
  changes: [],
  refunds: [],
  creditNotes: [],
  disputes: [],
  grants: [],
  products: [],
  benefits: [],
  discounts: [],
  redemptions: [],
  trials: [],
  balanceEntries: [],
  transfers: [],
};

export type NewEmail = Pick<
  Email,
  | "organizationId"
  | "id"
  | "kind"
  | "customerId"
  | "subscriptionId"
  | "invoiceId"
  | "paymentId"
  | "announcedAt"
  | "createdAt"
>;

type RowsOf<Name extends keyof BillingRows> = TrackedRows<BillingRows[Name]>;

/**
 * The outcome of a request that had to wait for its payment. Once the payment is settled, this outcome answers the
 * request's Idempotency-Key.
 */
export type Answered = PaymentRequest &
  (
    | { outcome: "changed"; subscription: Subscription }
    | { outcome: "change_refused"; change: Change; payment: Payment }
    | { outcome: "paid"; bill: { invoice: Invoice; lines: InvoiceLine[] } }
    | { outcome: "not_paid"; payment: Payment }
  );

/**
 * One Customer's billing data, under the Customer's lock. Decisions read and change the data here. Decisions are
 * synchronous functions over a `CustomerBilling`. A later decision in the same transaction sees the changes of the
 * earlier ones. The store's `storeChanges` writes all changes at once; a preview does not call `storeChanges`.
 */
export class CustomerBilling {
  readonly loaded: LoadedBilling;
  #now: Instant;
  customer: Customer;
  readonly subscriptions: RowsOf<"subscriptions">;
  readonly invoices: RowsOf<"invoices">;
  readonly lines: RowsOf<"lines">;
  readonly payments: RowsOf<"payments">;
  readonly cards: RowsOf<"cards">;
  readonly checkouts: RowsOf<"checkouts">;
  readonly changes: RowsOf<"changes">;
  readonly refunds: RowsOf<"refunds">;
  readonly creditNotes: RowsOf<"creditNotes">;
  readonly disputes: RowsOf<"disputes">;
  readonly grants: RowsOf<"grants">;
  readonly products: RowsOf<"products">;
  readonly benefits: RowsOf<"benefits">;
  readonly discounts: RowsOf<"discounts">;
  readonly redemptions: RowsOf<"redemptions">;
  readonly trials: RowsOf<"trials">;
  readonly balanceEntries: RowsOf<"balanceEntries">;
  readonly transfers: RowsOf<"transfers">;
  /** The events that report the changes, in order. */
  readonly events: RecordedEvent[] = [];
  readonly emails: NewEmail[] = [];
  /** Subscriptions that a round of new prices has found, and the ends of their way to the price (rule N9). */
  readonly repriced: { found: RepricedSubscription[]; settled: PriceSettlement[] } = { found: [], settled: [] };
  /** Returns that are known now. They are stored under the Idempotency-Keys of their requests. */
  readonly answered: Answered[] = [];
  readonly numbers: { invoice: number; creditNote: number };
  /** Ids of the Subscriptions that wait for an operator's approval (rule T4). */
  readonly held = new Set<string>();
  /** Whether every trace of the Customer's identity is to be blanked (rule I5m). */
  isForgotten = false;

  constructor(loaded: LoadedBilling) {
    const { rows } = loaded;
    const inOpenItems = () => this.need(OPEN_ITEMS);
    this.loaded = loaded;
    this.#now = loaded.now;
    this.customer = loaded.customer;
    this.numbers = { ...loaded.numbers };
    this.subscriptions = new TrackedRows(rows.subscriptions);
    this.invoices = new TrackedRows(rows.invoices, inOpenItems);
    this.lines = new TrackedRows(rows.lines, inOpenItems);
    this.payments = new TrackedRows(rows.payments, inOpenItems);
    this.cards = new TrackedRows(rows.cards, inOpenItems);
    this.checkouts = new TrackedRows(rows.checkouts, inOpenItems);
    this.changes = new TrackedRows(rows.changes, inOpenItems);
    this.refunds = new TrackedRows(rows.refunds);
    this.creditNotes = new TrackedRows(rows.creditNotes);
    this.disputes = new TrackedRows(rows.disputes, inOpenItems);
    this.grants = new TrackedRows(rows.grants);
    this.products = new TrackedRows(rows.products);
    this.benefits = new TrackedRows(rows.benefits);
    this.discounts = new TrackedRows(rows.discounts);
    this.redemptions = new TrackedRows(rows.redemptions);
    this.trials = new TrackedRows(rows.trials);
    this.balanceEntries = new TrackedRows(rows.balanceEntries);
    this.transfers = new TrackedRows(rows.transfers);
  }

  get organization(): Organization {
    return this.loaded.organization;
  }

  /** Billing time (rule T1). */
  get now(): Instant {
    return this.#now;
  }

  /**
   * Runs `decide` with `at` as billing time, but never with a time before the Customer's own last change (rule T1).
   * Afterwards billing time is as before.
   */
  asOf<T>(at: Instant, decide: () => T): T {
    const before = this.#now;
    this.#now = at > this.customer.updatedAt ? at : this.customer.updatedAt;
    try {
      return decide();
    } finally {
      this.#now = before;
    }
  }

  get realNow(): Instant {
    return this.loaded.realNow;
  }

  /** @throws PartsMissing unless all of these parts were loaded */
  need(...parts: readonly Part[]): void {
    const missing = parts.filter((part) => !this.loaded.parts.has(keyOf(part)));
    if (missing.length > 0) throw new PartsMissing(missing);
  }
}

/**
 * The rows that several decisions touch. A decision takes these rows, or a `Pick` of its own, in place of the whole
 * `CustomerBilling` if it touches four parts at most. `loaded` and `need` tell whether a part was loaded.
 */
export type BalanceRows = Pick<CustomerBilling, "balanceEntries" | "loaded" | "need">;
/** Balances, and the disputes that hold credit back (rule D7). */
export type CreditRows = BalanceRows & Pick<CustomerBilling, "disputes">;
export type InvoiceRows = Pick<CustomerBilling, "invoices" | "lines" | "need">;
export type ProductRows = Pick<CustomerBilling, "need" | "products">;
/** Cards, and the Customer with the default card. */
export type CardRows = Pick<CustomerBilling, "cards" | "customer">;

/** The Customer's Subscriptions that have not ended. They are always loaded. */
export function liveSubscriptions({
  subscriptions,
}: Pick<CustomerBilling, "subscriptions">): BillingRows["subscriptions"][] {
  return subscriptions.where(({ status }) => status !== "canceled");
}

/**
 * The Customer's Subscription with this id, ended or not; null: there is no such Subscription. Subscriptions that
 * have not ended are always loaded.
 */
export function findSubscription(
  billing: Pick<CustomerBilling, "need" | "subscriptions">,
  id: string,
): BillingRows["subscriptions"] | null {
  const subscription = billing.subscriptions.get(id);
  if (!subscription) billing.need({ part: "subscription", id });
  return subscription;
}
