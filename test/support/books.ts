import { type Account, findSubscription } from "../../src/domain/billing/customer-billing.ts";
import { BOOKS, PartsMissing, type Part } from "../../src/domain/billing/parts.ts";
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
import { changeProduct } from "../../src/domain/change/change.ts";
import type { AskedProduct } from "../../src/domain/change/change-target.ts";
import { AppError } from "../../src/errors.ts";
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

/**
 * One Customer's books in memory. Each decision runs on an Account of its own, as in a transaction. The Account has the
 * rows that the store would load for the decision, and no others. A refused decision changes no row.
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

  /** An Account of the books. `parts`: only the rows that the store loads with these parts. */
  account(parts?: readonly Part[]): Account {
    const organization = { ...(this.#given.organization ?? organizationWith()), clockAt: this.now };
    return billingWith({
      ...this.#given,
      ...(parts ? rowsOf(this.rows, [BOOKS, ...parts]) : this.rows),
      organization,
      now: this.now,
      balances: this.balances(),
      numbers: this.#numbers,
      ...(parts ? { parts } : {}),
    });
  }

  /** The result of a decision; or the code of its refusal. */
  decide<T>(decision: (account: Account) => T, named: readonly Part[] = []): T | { refused: string } {
    for (const parts = [...named]; ;) {
      const account = this.account(parts);
      try {
        const answer = decision(account);
        this.#keep(account);
        return answer;
      } catch (error) {
        if (error instanceof AppError) return { refused: error.parts.errors?.[0]?.code ?? error.code };
        if (!(error instanceof PartsMissing) || parts.length > 20) throw error;
        parts.push(...error.parts);
      }
    }
  }

  #keep(account: Account): void {
    for (const table of TABLES) {
      const { inserted, updated, dropped } = account[table].changes();
      const rows = new Map<string, object>(this.rows[table].map((row) => [row.id, row]));
      for (const row of inserted) rows.set(row.id, row);
      for (const { row } of updated) rows.set(row.id, row);
      for (const { id } of dropped) rows.delete(id);
      this.rows[table] = [...rows.values()] as never;
    }
    this.#numbers = account.numbers;
  }

  change(subscriptionId: string, asked: AskedProduct) {
    return this.decide((account) => {
      runDue(account);
      return changeProduct(account, findSubscription(account, subscriptionId)!, asked, {
        requestId: null,
        idempotency: null,
      });
    });
  }

  cancel(subscriptionId: string) {
    return this.decide((account) => {
      runDue(account);
      return cancelNow(account, findSubscription(account, subscriptionId)!, {});
    });
  }

  /** Settles all charges that are under way. */
  settleCharges(succeeds: boolean): void {
    for (;;) {
      const waiting = this.rows.payments.find(({ settledAt }) => settledAt === null);
      if (!waiting) return;
      this.decide((account) => settlePayment(account, waiting.id, succeeds ? SUCCEEDED : DECLINED));
    }
  }

  /** Moves the clock and carries out all due work. Charges that are under way are settled first (rule T4d). */
  advance(milliseconds: number): void {
    this.settleCharges(true);
    this.now = instant(this.now + milliseconds);
    this.decide((account) => runDue(account));
  }

  refund(invoiceId: string, asked: Partial<AskedRefund>): Refund | { refused: string } {
    const plain = { amount: null, to: "card", reason: null, revokeGrants: false } as const;
    return this.decide((account) => refundInvoice(account, invoiceId, { ...plain, ...asked }));
  }

  settleRefunds(succeeds: boolean, most = Infinity): void {
    const waiting = this.rows.refunds.filter(({ settledAt }) => settledAt === null).slice(0, most);
    for (const { id } of waiting) this.decide((account) => settleRefund(account, id, succeeds ? SUCCEEDED : DECLINED));
  }

  failLate(id: string) {
    return this.decide((account) => failLate(account, id, "card_gone"));
  }

  /** Reports a refund of a charge that was made at the provider. */
  refundOutside(paymentId: string, amount: number): Refund | null | { refused: string } {
    const made = { ref: `re_${this.rows.refunds.length}`, key: null, chargeKey: paymentId, failureCode: null } as const;
    const fact = { ...made, status: "succeeded", amount, currency: "usd", createdAt: this.now } as const;
    return this.decide((account) => reportRefund(account, paymentId, fact));
  }

  payOut(amount: number | null): Refund[] | { refused: string } {
    return this.decide((account) => payOut(account, { currency: "usd", amount, reason: null }));
  }

  adjust(amount: number) {
    return this.decide((account) => adjustBalance(account, { currency: "usd", amount, reason: "sorry" }));
  }

  /** Opens a dispute. The buyer then pays with the card again, so the card itself is not held back (rule D6f). */
  dispute(paymentId: string) {
    return this.decide((account) => {
      const dispute = openDispute(account, paymentId, openingWith({ reason: "other" }));
      account.disputes.put({ ...dispute, cardClearedAt: account.now });
    });
  }

  decideDispute(id: string, outcome: "won" | "lost") {
    return this.decide((account) => closeDispute(account, id, { outcome }));
  }

  voidInvoice(id: string) {
    return this.decide((account) => voidByHand(account, id, { reason: null }));
  }

  markPaid(id: string) {
    return this.decide((account) => markPaid(account, id, { reason: null }));
  }
}
