import { beginOfDay, parseDate, parseInstant, type Instant } from "../../domain/calendar.ts";
import { exponentOf, isCurrency } from "../../domain/currency.ts";
import { METADATA, type Cells, type CsvColumn } from "../../domain/import/csv-columns.ts";
import type { CsvRow, CsvTerms } from "../../domain/import/csv-terms.ts";
import type { NewCustomer } from "../../domain/model/customer.ts";
import type { Metadata } from "../../domain/model/product.ts";
import { MOST_UNITS } from "../../domain/model/quantity.ts";
import { MAX_AMOUNT, type Amount } from "../../domain/money.ts";
import { taxIdType } from "../../domain/tax/country.ts";
import { CreateCustomerParams } from "../../resources/customer.ts";
import type { ColumnFault } from "../../resources/csv-faults.ts";
import { parse } from "../../resources/faults.ts";
import { currency as currencyParam, key as keyParam, metadataParams, text } from "../../resources/fields.ts";

export type ReadRow = { line: number; id: string | null } & (
  | { row: CsvRow; faults: null }
  | { row: null; faults: ColumnFault[] }
);

/** The defaults of the Organization. `zone`: a date without a time begins there. */
export type RowDefaults = { zone: string; currency: string };

const CUSTOMER_COLUMNS: Readonly<Record<string, CsvColumn>> = {
  "/email": "email",
  "/name": "name",
  "/companyName": "company_name",
  "/externalId": "customer_id",
  "/locale": "language",
  "/billingAddress/country": "country",
  "/billingAddress/line1": "address_line1",
  "/billingAddress/line2": "address_line2",
  "/billingAddress/postalCode": "postal_code",
  "/billingAddress/city": "city",
  "/billingAddress/state": "state",
  "/taxId": "tax_id",
  "/taxId/type": "tax_id",
  "/taxId/value": "tax_id",
};

const SUBSCRIPTION_COLUMNS = [
  "quantity",
  "amount",
  "started_at",
  "period_start",
  "period_end",
  "trial_end",
  "ends_at",
  "discount_code",
  "discount_until",
] as const satisfies readonly CsvColumn[];

const DECIMAL = /^(-?)(\d{1,15})(?:[.,](\d+))?$/;

/** Reads the cells of one row, and collects the faults of all of them. */
class RowReader {
  readonly faults: ColumnFault[] = [];
  readonly #cells: Cells;
  readonly #defaults: RowDefaults;

  constructor(cells: Cells, defaults: RowDefaults) {
    this.#cells = cells;
    this.#defaults = defaults;
  }

  cell(column: CsvColumn): string | null {
    return this.#cells.get(column) ?? null;
  }

  fail(column: string | null, message: string): null {
    this.faults.push({ column, message });
    return null;
  }

  required(column: CsvColumn): string | null {
    return this.cell(column) ?? this.fail(column, "This is missing.");
  }

  /** A value that a schema of the API reads. */
  by<Value>(column: CsvColumn, schema: Parameters<typeof parse>[0], value: unknown = this.cell(column)): Value | null {
    if (value === null) return null;
    const parsed = parse(schema, value, "body");
    if (parsed.faults === null) return parsed.value as Value;
    return this.fail(column, parsed.faults[0]!.message);
  }

  /** A date begins in the zone of the Organization. */
  time(column: CsvColumn): Instant | null {
    const cell = this.cell(column);
    if (cell === null) return null;
    const date = parseDate(cell);
    const at = date === null ? parseInstant(cell) : beginOfDay(date, this.#defaults.zone);
    return at ?? this.fail(column, "This is no date. Write 2027-01-31, or a time such as 2027-01-31T09:00:00Z.");
  }

  quantity(): number | null {
    const cell = this.cell("quantity");
    if (cell === null) return null;
    const quantity = /^\d{1,6}$/.test(cell) ? Number(cell) : 0;
    if (quantity >= 1 && quantity <= MOST_UNITS) return quantity;
    return this.fail("quantity", `This must be a whole number from 1 to ${MOST_UNITS}.`);
  }

  currency(): string | null {
    const { currency } = this.#defaults;
    const given = this.by<string>("currency", currencyParam);
    return this.cell("currency") === null ? currency : given;
  }

  /** An amount in major units, with a point or a comma before the decimals. */
  money(column: "amount" | "balance", currency: string | null): Amount | null {
    const cell = this.cell(column);
    if (cell === null || currency === null || !isCurrency(currency)) return null;
    const decimals = exponentOf(currency);
    const [, sign, whole, fraction = ""] = DECIMAL.exec(cell) ?? [];
    const example = `${(19.9).toFixed(decimals)}, without a currency and without separators of thousands`;
    if (whole === undefined) return this.fail(column, `This is no amount. Write ${example}.`);
    if (fraction.length > decimals)
      return this.fail(column, `This has more than ${decimals} decimals of ${currency}. Write ${example}.`);
    const amount = Number(whole + fraction.padEnd(decimals, "0"));
    if (amount > MAX_AMOUNT) return this.fail(column, "This is more than Billow can charge.");
    if (sign === "-" && column === "amount") return this.fail(column, "This must not be below zero.");
    return sign === "-" ? -amount : amount;
  }

  metadata(beginning: string): Metadata {
    const entries = [...this.#cells].filter(([name]) => name.startsWith(beginning));
    const given = Object.fromEntries(entries.map(([name, value]) => [name.slice(beginning.length), value]));
    const parsed = parse(metadataParams, given, "body");
    if (parsed.faults === null) return parsed.value;
    for (const { pointer, message } of parsed.faults)
      this.fail(pointer === "" ? null : beginning + pointer.slice(1), message);
    return {};
  }

  customer(): NewCustomer | null {
    const [country, taxId] = [this.cell("country"), this.cell("tax_id")];
    const address = {
      country,
      line1: this.cell("address_line1"),
      line2: this.cell("address_line2"),
      postalCode: this.cell("postal_code"),
      city: this.cell("city"),
      state: this.cell("state"),
    };
    const hasAddress = Object.values(address).some((cell) => cell !== null);
    if (country === null && (hasAddress || taxId !== null))
      return this.fail("country", "This is missing. An address and a tax id need the country, such as DE.");
    const given = {
      email: this.required("email") ?? "",
      name: this.cell("name"),
      companyName: this.cell("company_name"),
      externalId: this.cell("customer_id"),
      billingAddress: hasAddress ? address : null,
      taxId: taxId === null ? null : { type: taxIdType(country!.toUpperCase()), value: taxId },
      locale: this.cell("language"),
      metadata: this.metadata(METADATA.customer),
    };
    const parsed = parse(CreateCustomerParams, given, "body");
    if (parsed.faults === null) return parsed.value;
    // A missing address has its own fault.
    const found = parsed.faults.filter(({ pointer }) => pointer !== "/email" || this.cell("email") !== null);
    for (const { pointer, message } of found) this.fail(CUSTOMER_COLUMNS[pointer] ?? null, message);
    return null;
  }

  terms(productKey: string, currency: string | null): CsvTerms | null {
    const trialEnd = this.time("trial_end");
    const periodEnd = this.cell("trial_end") === null ? this.time("period_end") : trialEnd;
    if (this.cell("period_end") === null && this.cell("trial_end") === null)
      this.fail("period_end", "This is missing: the day of the next charge. A trial has trial_end in its place.");
    if (this.cell("period_end") !== null && this.cell("trial_end") !== null)
      this.fail("period_end", "Leave this empty in a trial. The first charge comes at trial_end.");
    const read = {
      quantity: this.quantity(),
      amount: this.money("amount", currency),
      startedAt: this.time("started_at"),
      periodStart: this.time("period_start"),
      trialEnd,
      cancelAt: this.time("ends_at"),
      discountCode: this.cell("discount_code"),
      discountUntil: this.time("discount_until"),
      metadata: this.metadata(METADATA.subscription),
    };
    if (read.discountUntil !== null && read.discountCode === null)
      this.fail("discount_code", "This is missing: discount_until is the end of a discount.");
    if (periodEnd === null || currency === null) return null;
    return { productKey, currency, periodEnd, ...read };
  }

  withoutProduct(): void {
    const entries = [...this.#cells.keys()].filter((name) => name.startsWith(METADATA.subscription));
    const given = [...SUBSCRIPTION_COLUMNS.filter((column) => this.cell(column) !== null), ...entries];
    if (given.length > 0) this.fail("product", `This is missing, and the row has ${given.join(", ")}.`);
  }
}

/** Reads a row, or all of its faults that need no look at the database. */
export function readRow(cells: Cells, line: number, defaults: RowDefaults): ReadRow {
  const reader = new RowReader(cells, defaults);
  reader.required("id");
  const id = reader.by<string>("id", text(255));
  const customer = reader.customer();
  const productKey = reader.by<string>("product", keyParam);
  const hasMoney = reader.cell("product") !== null || reader.cell("balance") !== null;
  const currency = hasMoney ? reader.currency() : null;
  const amount = reader.money("balance", currency);
  if (reader.cell("product") === null) reader.withoutProduct();
  const terms = productKey === null ? null : reader.terms(productKey, currency);
  const { faults } = reader;
  if (faults.length > 0 || id === null || customer === null)
    return { line, id: cells.get("id") ?? null, row: null, faults };
  const balance = amount === null || amount === 0 ? null : { currency: currency!, amount };
  return { line, id, row: { line, id, customer, terms, balance }, faults: null };
}
