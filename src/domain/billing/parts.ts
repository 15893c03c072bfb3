import type { Instant } from "../calendar.ts";

/**
 * Rows that a decision may need beyond the rows of every Customer's billing. If a row does not exist or belongs to
 * another Customer, the part loads no row.
 */
export type Part =
  /**
   * The Customer's open items: open invoices with their lines, waiting lines, balances, cards, unsettled attempts,
   * changes and Checkouts that are being paid, disputes that are not won with their payments, and the Products of live
   * Subscriptions and pending changes.
   */
  | { part: "open_items" }
  /** A Subscription that may have ended. */
  | { part: "subscription"; id: string }
  /** An invoice of any status, with its lines. */
  | { part: "invoice"; id: string }
  /**
   * The rows that show how an invoice was paid and how much of it was given back: the invoice's lines, charge, refunds
   * and disputes, the lines that credit its lines, and the invoices of those credit lines.
   */
  | { part: "given_back"; invoiceId: string }
  /** The part `given_back` of the invoice with this line. */
  | { part: "credited"; lineId: string }
  /**
   * Lines and invoices (not void) that bill a Subscription's period up to `end`, with the part `given_back` of each
   * invoice. `end` null: the end of the stored period, for a caller that names its parts before the billing is loaded.
   */
  | { part: "period"; subscriptionId: string; end: Instant | null }
  /** All grants, active or revoked, of a Subscription or of a one-time purchase's invoice, with their Benefits. */
  | { part: "grants"; sourceId: string }
  /** The active grants of every one-time purchase, with their Benefits. */
  | { part: "purchase_grants" }
  /**
   * Active grants of an edited Benefit, with the Benefit, if their last event showed a version before `shownVersion`.
   */
  | { part: "stale_grants"; benefitId: string; shownVersion: number }
  /** A Product, read without a lock. */
  | { part: "product"; id: string }
  | { part: "product_by_key"; key: string }
  /** A Product, locked against edits, with its Benefits that are not deleted. */
  | { part: "product_benefits"; productId: string }
  /** A Checkout, locked. */
  | { part: "checkout"; id: string }
  /** The Customer's open Checkouts, locked. */
  | { part: "open_checkouts" }
  /** A change of a Subscription's Product, in any status. */
  | { part: "change"; id: string }
  /** One attempt. */
  | { part: "payment"; id: string }
  /** The attempts that were made for a Checkout, a change or an invoice. */
  | { part: "attempts"; sourceId: string }
  /** The first invoice above zero of a Subscription that was settled. */
  | { part: "first_paid"; subscriptionId: string }
  | { part: "refund"; id: string }
  | { part: "dispute"; id: string }
  /** The disputes of one payment. */
  | { part: "disputes_of"; paymentId: string }
  /** The Customer's unsettled refunds, with their invoices. */
  | { part: "unsettled_refunds" }
  /** The Customer's balances alone, without the rest of the open items. */
  | { part: "balances" }
  /** The entries of the Customer's balances that still count: lots that are not used up, and debts. */
  | { part: "open_entries" }
  /** The refunds of one payment, payouts of credit too. */
  | { part: "refunds_of"; paymentId: string }
  /** The groups in which the Customer has used a trial. */
  | { part: "trials" }
  /** A Discount, locked, with its redemption by one Checkout or Subscription. */
  | { part: "discount"; id: string; holderId: string };

export const OPEN_ITEMS: Part = { part: "open_items" };
export const BALANCES: Part = { part: "balances" };

/** The key of a part; equal parts have the same key. */
export const keyOf = (part: Part): string => Object.values(part).join(" ");

/**
 * Thrown if a decision has read parts that were not loaded. The action then loads these parts and repeats the decision
 * on a fresh `CustomerBilling`. The repeat is safe because a decision changes only its Customer's billing. A decision
 * on a hot path names its parts beforehand, to avoid the repeat.
 */
export class PartsMissing extends Error {
  readonly parts: readonly Part[];
  constructor(parts: readonly Part[]) {
    super(`a decision needs ${parts.map(keyOf).join(", ")}`);
    this.parts = parts;
  }
}
