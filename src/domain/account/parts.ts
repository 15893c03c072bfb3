import type { Instant } from "../calendar.ts";

/**
 * Rows that a decision may need beyond those that every Account has. A row that does not exist, or that is another Customer's, is loaded
 * as none.
 */
export type Part =
  /**
   * The Account's books: open invoices with their lines, lines that wait, balances, cards, attempts that are not settled, changes and
   * Checkouts that are being paid, standing disputes with their payments, and the Products of live Subscriptions and pending changes.
   */
  | { part: "books" }
  /** A Subscription that may have ended. */
  | { part: "subscription"; id: string }
  /** An invoice that need not be open, with its lines. */
  | { part: "invoice"; id: string }
  /** The amounts given back of an invoice: its lines, refunds and disputes, the lines that credit its lines, and the invoices of these. */
  | { part: "given_back"; invoiceId: string }
  /**
   * Invoices (not void) and lines that bill a Subscription's period up to this end, with all that was given back of the invoices. `end`
   * null: the period that is stored as the one in progress, for callers that name parts before the Account is read.
   */
  | { part: "period"; subscriptionId: string; end: Instant | null }
  /** Every grant that a Subscription or the invoice of a one-time purchase ever made, with its Benefit. */
  | { part: "grants"; sourceId: string }
  /** The active grants of every one-time purchase, with their Benefits. */
  | { part: "purchase_grants" }
  /** The active grants of an edited Benefit that were last told with an older version than it shows now, with the Benefit. */
  | { part: "stale_grants"; benefitId: string; shownVersion: number }
  /** A Product, read without a lock. */
  | { part: "product"; id: string }
  | { part: "product_by_key"; key: string }
  /** A Product that is kept from being edited, and its Benefits that are to be granted. */
  | { part: "product_benefits"; productId: string }
  /** A Checkout, locked. */
  | { part: "checkout"; id: string }
  /** The Customer's open Checkouts, locked. */
  | { part: "open_checkouts" }
  /** A change of a Subscription's Product that was paid or is being paid. */
  | { part: "change"; id: string }
  /** One attempt. */
  | { part: "payment"; id: string }
  /** The attempts that were made for a Checkout, a change or an invoice. */
  | { part: "attempts"; sourceId: string }
  /** The charge that was made for an invoice. */
  | { part: "captured"; invoiceId: string }
  | { part: "refund"; id: string }
  | { part: "dispute"; id: string }
  /** The disputes of one payment. */
  | { part: "disputes_of"; paymentId: string }
  /** Refunds of the Customer whose outcome is still to come, with their invoices. */
  | { part: "unsettled_refunds" }
  /** Every entry of the Customer's balances. */
  | { part: "balance_entries" }
  /** Ledger transfers of money that arrived for void invoices, by the payments that brought it. */
  | { part: "unapplied"; paymentId: string }
  /** The groups in which the Customer has used a trial. */
  | { part: "trials" }
  /** A Discount, locked, with its redemption by one Checkout. */
  | { part: "discount"; id: string; checkoutId: string };

export const BOOKS: Part = { part: "books" };

/** A part as a key: the same for equal parts. */
export const keyOf = (part: Part): string => Object.values(part).join(" ");

/**
 * A decision has read parts that were not loaded. Decisions have no effect but on their Account, so the loader brings the parts and the
 * decision is made again, on an Account as it was. A decision on a hot path names its parts before.
 */
export class PartsMissing extends Error {
  readonly parts: readonly Part[];
  constructor(parts: readonly Part[]) {
    super(`a decision needs ${parts.map(keyOf).join(", ")}`);
    this.parts = parts;
  }
}
