import { type CustomerBilling, findSubscription } from "../../src/domain/billing/customer-billing.ts";
import { OPEN_ITEMS, PartsMissing, type Part } from "../../src/domain/billing/parts.ts";
import { adjustBalance } from "../../src/domain/customer/adjust-balance.ts";
import type { Balance } from "../../src/domain/model/balance.ts";
import { instant, type Instant } from "../../src/domain/calendar.ts";
import { closeDispute } from "../../src/domain/dispute/close.ts";
import { openDispute } from "../../src/domain/dispute/open.ts";
import { runDue } from "../../src/domain/collection/due.ts";
import { markPaid, voidByHand } from "../../src/domain/collection/by-hand.ts";
import { settlePayment } from "../../src/domain/settlement/settle.ts";
import type { AskedRefund } from "../../src/domain/refund/draft.ts";
import { failLate } from "../../src/domain/refund/fail-late.ts";
import { payOut } from "../../src/domain/refund/payout.ts";
import type { Refund } from "../../src/domain/model/refund.ts";
import { reportRefund } from "../../src/domain/refund/report.ts";
import { refundInvoice } from "../../src/domain/refund/request.ts";
import { settleRefund } from "../../src/domain/refund/settle.ts";
import { cancelNow } from "../../src/domain/subscription/cancel.ts";
import { changeProduct } from "../../src/domain/change/update.ts";
import type { AskedProduct } from "../../src/domain/change/change-target.ts";
import { Refusal } from "../../src/domain/refusal.ts";
import { presentRefusal } from "../../src/resources/refusal.ts";
import { billingWith, openingWith } from "./customer-billing.ts";
import { organizationWith } from "./organization.ts";
import { rowsOf, type Rows } from "./parts-of.ts";

const TABLES = [
  "subscriptions",
  "invoices",
  "lines",
  "payments",
  "cards",
  "checkouts",
  "changes",
  "refunds",
  "creditNotes",
  "disputes",
  "grants",
  "products",
  "benefits",
  "balanceEntries",
  "transfers",
] as const satisfies (keyof Rows)[];
type Given = NonNullable<Parameters<typeof billingWith>[0]>;

const DECLINED = { status: "declined", code: "card_declined" } as const;
const SUCCEEDED = { status: "succeeded" } as const;

/** The code of the first faulty field, or that of the refusal. */
function codeOf(refusal: Refusal): string {
  const { code, parts } = presentRefusal(refusal);
  return parts.errors?.[0]?.code ?? code;
}

/**
 * One Customer's books in memory. Each decision runs on one Customer's billing of its own, as in a transaction. The
 * billing has the rows that the store would load for the decision, and no others. A refused decision changes no row.
 */
export class Books {
  readonly rows: Rows;
  now: Instant;
  #numbers = { invoice: 0, creditNote: 0 };
  readonly #given: Given;

  constructor(given: Given & { now: Instant }) {
    this.#given = given;
    this.now = given.now;
    this.rows = Object.fromEntries(TABLES.map((table) => [table, [...(given[table] ?? [])]])) as Rows;
  }

  /** The sums of the entries, by currency. */
  balances(): Balance[] {
    const byCurrency = Map.groupBy(this.rows.balanceEntries, ({ currency }) => currency);
    return [...byCurrency].map(([currency, entries]) => ({
      currency,
      amount: entries.reduce((sum, { amount }) => sum + amount, 0),
    }));
  }

  /** One Customer's billing of the books. `parts`: only the rows that the store loads with these parts. */
  billing(parts?: readonly Part[]): CustomerBilling {
    const organization = { ...(this.#given.organization ?? organizationWith()), clockAt: this.now };
    return billingWith({
      ...this.#given,
      ...(parts ? rowsOf(this.rows, [OPEN_ITEMS, ...parts]) : this.rows),
      organization,
      now: this.now,
      balances: this.balances(),
      numbers: this.#numbers,
      ...(parts ? { parts } : {}),
    });
  }

  /** The result of a decision; or the code of its refusal, as the API answers it. */
  decide<T>(decision: (billing: CustomerBilling) => T, named: readonly Part[] = []): T | { refused: string } {
    for (const parts = [...named]; ;) {
      const billing = this.billing(parts);
      try {
        const answer = decision(billing);
        this.#keep(billing);
        return answer;
      } catch (error) {
        if (error instanceof Refusal) return { refused: codeOf(error) };
        if (!(error instanceof PartsMissing) || parts.length > 20) throw error;
        parts.push(...error.parts);
      }
    }
  }

  #keep(billing: CustomerBilling): void {
    for (const table of TABLES) {
      const { inserted, updated, dropped } = billing[table].changes();
      const rows = new Map<string, object>(this.rows[table].map((row) => [row.id, row]));
      for (const row of inserted) rows.set(row.id, row);
      for (const { row } of updated) rows.set(row.id, row);
      for (const { id } of dropped) rows.delete(id);
      this.rows[table] = [...rows.values()] as never;
    }
    this.#numbers = billing.numbers;
  }

  change(subscriptionId: string, asked: AskedProduct) {
    return this.decide((billing) => {
      runDue(billing);
      return changeProduct(billing, findSubscription(billing, subscriptionId)!, asked, {
        requestId: null,
        idempotency: null,
      });
    });
  }

  cancel(subscriptionId: string) {
    return this.decide((billing) => {
      runDue(billing);
      return cancelNow(billing, findSubscription(billing, subscriptionId)!, {});
    });
  }

  /** Settles all charges that are under way. */
  settleCharges(succeeds: boolean): void {
    for (;;) {
      const waiting = this.rows.payments.find(({ settledAt }) => settledAt === null);
      if (!waiting) return;
      this.decide((billing) => settlePayment(billing, waiting.id, succeeds ? SUCCEEDED : DECLINED));
    }
  }

  /** Moves the clock and carries out all due work. Charges that are under way are settled first (rule T4d). */
  advance(milliseconds: number): void {
    this.settleCharges(true);
    this.now = instant(this.now + milliseconds);
    this.decide((billing) => runDue(billing));
  }

  refund(invoiceId: string, asked: Partial<AskedRefund>): Refund | { refused: string } {
    const plain = { amount: null, to: "card", reason: null, revokeGrants: false } as const;
    return this.decide((billing) => refundInvoice(billing, invoiceId, { ...plain, ...asked }));
  }

  settleRefunds(succeeds: boolean, most = Infinity): void {
    const waiting = this.rows.refunds.filter(({ settledAt }) => settledAt === null).slice(0, most);
    for (const { id } of waiting) this.decide((billing) => settleRefund(billing, id, succeeds ? SUCCEEDED : DECLINED));
  }

  failLate(id: string) {
    return this.decide((billing) => failLate(billing, id, "card_gone"));
  }

  /** Reports a refund of a charge that was made at the provider. */
  refundOutside(paymentId: string, amount: number): Refund | null | { refused: string } {
    const made = { ref: `re_${this.rows.refunds.length}`, key: null, chargeKey: paymentId, failureCode: null } as const;
    const fact = { ...made, status: "succeeded", amount, currency: "usd", createdAt: this.now } as const;
    return this.decide((billing) => reportRefund(billing, paymentId, fact));
  }

  payOut(amount: number | null): Refund[] | { refused: string } {
    return this.decide((billing) => payOut(billing, { currency: "usd", amount, reason: null }));
  }

  adjust(amount: number) {
    return this.decide((billing) => adjustBalance(billing, { currency: "usd", amount, reason: "sorry" }));
  }

  /** Opens a dispute. The buyer then pays with the card again, so the card itself is not held back (rule D6f). */
  dispute(paymentId: string) {
    return this.decide((billing) => {
      const dispute = openDispute(billing, paymentId, openingWith({ reason: "other" }));
      billing.disputes.put({ ...dispute, cardClearedAt: billing.now });
    });
  }

  decideDispute(id: string, outcome: "won" | "lost") {
    return this.decide((billing) => closeDispute(billing, id, { outcome }));
  }

  voidInvoice(id: string) {
    return this.decide((billing) => voidByHand(billing, id, { reason: null }));
  }

  markPaid(id: string) {
    return this.decide((billing) => markPaid(billing, id, { reason: null }));
  }
}
