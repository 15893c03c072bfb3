import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { sql, type Database } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";

const MIGRATIONS = fileURLToPath(new URL("../../migrations/", import.meta.url));
const AT = "2025-06-01T09:00:00Z";

type Row = Record<string, unknown>;

/** The columns of rows that make no difference here. */
const DEFAULTS: Record<string, Row> = {
  invoices: {
    status: "paid",
    reason: "renewal",
    currency: "usd",
    discount_amount: 0,
    tax_amount: 0,
    tax_included_amount: 0,
    refunded_amount: 0,
    seller: {},
    buyer: {},
    metadata: {},
    paid_outside: false,
    restarted: false,
    updated_at: AT,
    event_sequence: 1,
    version: 1,
  },
  invoice_lines: {
    subscription_id: "sub_1",
    position: 0,
    description: "",
    product_id: "prd_1",
    discount_amount: 0,
    tax_amount: 0,
    proration: true,
  },
  payments: {
    status: "succeeded",
    purpose: "renewal",
    subscription_id: "sub_1",
    currency: "usd",
    payment_method_id: "pm_1",
    method: {},
    checks: 0,
    abandoned: false,
    settled_at: AT,
    updated_at: AT,
    event_sequence: 1,
    version: 1,
  },
  refunds: {
    status: "succeeded",
    tax_amount: 0,
    currency: "usd",
    revoke_grants: false,
    rate_lowered: 0,
    lines: [],
    checks: 0,
    settled_at: AT,
    updated_at: AT,
    event_sequence: 1,
    version: 1,
  },
  disputes: {
    reason: "fraudulent",
    currency: "usd",
    rate_at_stake: 0,
    updated_at: AT,
    event_sequence: 1,
    version: 1,
  },
  ledger_transfers: { currency: "usd", debit_account: "provider", credit_account: "balance" },
  balance_entries: { currency: "usd" },
  balances: { currency: "usd" },
};

type Bill = { total: number; applied?: number; status?: string; outside?: boolean; held?: number };

/** The books of one Customer as an earlier release wrote them. Ids grow with each row. */
export class Books {
  readonly rows: [table: string, row: Row][] = [];
  readonly customer: string;
  private static made = 0;
  private balance = 0;

  constructor(n: number) {
    this.customer = `cus_${n}`;
  }

  private put(table: string, prefix: string, row: Row): string {
    const id = `${prefix}_${String((Books.made += 1)).padStart(6, "0")}`;
    this.rows.push([table, { organization_id: "org_1", id, customer_id: this.customer, created_at: AT, ...row }]);
    return id;
  }

  /** An invoice with one line for each of `lines`. A charge has paid the amount due, unless `outside` is set. */
  invoice({ total, applied = 0, status = "paid", outside = false, held = 0 }: Bill): { id: string; payment: string } {
    const due = total - applied;
    const id = this.put("invoices", "inv", {
      number: `INV-${Books.made}`,
      status,
      subtotal_amount: total,
      total_amount: total,
      balance_applied: applied,
      balance_basis: { balance: 0, minimum: 50, ...(held > 0 && { held }) },
      amount_due: due,
      amount_paid: status === "paid" ? due : 0,
      paid_outside: outside,
      paid_at: status === "paid" ? AT : null,
      voided_at: status === "void" ? AT : null,
    });
    const isCharged = status === "paid" && due > 0 && !outside;
    return { id, payment: isCharged ? this.charge(id, due) : "" };
  }

  charge(invoice: string, amount: number): string {
    return this.put("payments", "pay", { source_id: invoice, invoice_id: invoice, amount });
  }

  line(invoice: string | null, amount: number, credited: string | null = null): string {
    return this.put("invoice_lines", "iln", { invoice_id: invoice, amount, credited_line_id: credited });
  }

  entry(reason: string, amount: number, invoice: string | null = null): void {
    this.balance += amount;
    this.put("balance_entries", "bal", { reason, amount, invoice_id: invoice });
  }

  refund(invoice: string, amount: number, payment: string | null): void {
    const to = payment === null ? "balance" : "card";
    const row = { invoice_id: invoice, payment_id: payment, amount, to, credit_note_id: `crn_${Books.made}` };
    this.put("refunds", "rfd", row);
    if (payment === null) this.entry("refund", amount, invoice);
  }

  /** A lot from a charge. */
  lotOfCharge(amount: number): string {
    const { id, payment } = this.invoice({ total: amount });
    this.refund(id, amount, null);
    return payment;
  }

  /** A lot from outside. */
  lotFromOutside(amount: number): void {
    this.refund(this.invoice({ total: amount, outside: true }).id, amount, null);
  }

  /** An invoice that the balance pays. */
  spend(amount: number, status?: string): string {
    const { id } = this.invoice({ total: amount, applied: amount, ...(status !== undefined && { status }) });
    this.entry("invoice", -amount, id);
    return id;
  }

  /** Credit of another invoice's line, on an invoice that gives the credit to the balance. */
  credit(amount: number, ...lines: string[]): string {
    const { id } = this.invoice({ total: -amount, applied: -amount });
    for (const line of lines) this.line(id, -amount / lines.length, line);
    this.entry("invoice", amount, id);
    return id;
  }

  dispute(payment: string, status: string): string {
    const closed_at = status === "open" ? null : AT;
    return this.put("disputes", "dsp", { payment_id: payment, status, amount: 1, closed_at });
  }

  transfer(kind: string, source_id: string): void {
    this.put("ledger_transfers", "led", { kind, source_id, amount: 1 });
  }

  all(): [string, Row][] {
    return [...this.rows, ["balances", { organization_id: "org_1", customer_id: this.customer, amount: this.balance }]];
  }
}

function insertOf([table, row]: [string, Row], columns: ReadonlySet<string>): string {
  const all = Object.entries({ ...DEFAULTS[table], ...row }).filter(([name]) => columns.has(`${table}.${name}`));
  const text = JSON.stringify(Object.fromEntries(all)).replaceAll("'", "''");
  return `INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, '${text}');`;
}

const columnsStatement = sql(
  "test.lots_columns",
  `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`,
);
/**
 * Writes the books as they are. The rows of Customers and cards are left out, so no foreign key is checked. The
 * migration makes entries itself, so their key to Customers is dropped.
 */
export async function insertBooks(db: Database, all: readonly Books[]): Promise<void> {
  const columns = new Set((await db.read.query<{ name: string }>(columnsStatement)).map(({ name }) => name));
  const rows = all.flatMap((books) => books.all());
  const freed = "ALTER TABLE balance_entries DROP CONSTRAINT balance_entries_organization_id_customer_id_fkey";
  await db.script(freed, "SET session_replication_role = replica", ...rows.map((row) => insertOf(row, columns)));
}

/** Runs the migrations with a name that `isWanted` accepts. */
export async function migrateThose(db: Database, isWanted: (name: string) => boolean): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "billow-migrations-"));
  const filter = (path: string) => !path.endsWith(".sql") || isWanted(path.slice(MIGRATIONS.length));
  await cp(MIGRATIONS, directory, { recursive: true, filter });
  await migrate(db, pathToFileURL(`${directory}/`));
  await rm(directory, { recursive: true });
}

/** The source of an entry or of a part. */
export type Part = { source: string | null; paymentId: string | null; creditedLineId?: string | null; own?: boolean };

/** Writes a source in words. The place of a payment counts from 1. */
export const wordsOf = ({ source, paymentId, creditedLineId, own }: Part, payments: readonly string[]) =>
  [source, paymentId === null ? "" : payments.indexOf(paymentId) + 1, creditedLineId ? "line" : "", own ? "own" : ""]
    .filter((word) => word !== "" && word !== null)
    .join(" ");
