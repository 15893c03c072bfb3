import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { AssessedImport, ImportFields, ImportKey, ImportRow, ImportState } from "../domain/import/import.ts";
import type { StayReason } from "../domain/import/stay-reasons.ts";
import type { ImportSource } from "../domain/model/imported.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { columnList } from "./driver/table.ts";

/** The columns that a step sets, with their types. */
const SET = {
  customerId: "text",
  subscriptionId: "text",
  reasons: "json",
  currency: "text",
  monthly: "bigint",
  nextChargeAt: "timestamptz",
  expectedTotal: "bigint",
  ownTotal: "bigint",
  causes: "json",
  accepted: "boolean",
  snapshot: "json",
  balanceMoved: "bigint",
  stoppingAt: "timestamptz",
  stoppedAt: "timestamptz",
  movedAt: "timestamptz",
  finishedAt: "timestamptz",
  checkedAt: "timestamptz",
  problem: "text",
} as const satisfies Record<keyof ImportFields, "text" | "json" | "bigint" | "boolean" | "timestamptz">;
const FIELDS = Object.keys(SET) as (keyof ImportFields)[];
const COLUMNS = [
  "organizationId",
  "source",
  "account",
  "ref",
  "customerRef",
  "state",
  ...FIELDS,
  "createdAt",
  "updatedAt",
] as const satisfies (keyof ImportRow)[];

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function sent(field: keyof ImportFields, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (SET[field] === "timestamptz") return formatInstant(value as Instant);
  return SET[field] === "json" ? JSON.stringify(value) : value;
}

const READ = `SELECT ${columnList(COLUMNS, "i")} FROM imports i`;
const KEY = "organization_id = $1 AND source = $2 AND account = $3 AND ref = $4";
const keyOf = ({ organizationId, source, account, ref }: ImportKey): unknown[] => [
  organizationId,
  source,
  account,
  ref,
];

const findStatement = sql("imports.find", `${READ} WHERE ${KEY}`);
const lockStatement = sql("imports.lock", `${READ} WHERE ${KEY} FOR UPDATE`);
const ofSubscriptionStatement = sql(
  "imports.of_subscription",
  `${READ} WHERE i.organization_id = $1 AND i.subscription_id = $2`,
);
const ofCustomerStatement = sql(
  "imports.of_customer",
  `${READ} WHERE i.organization_id = $1 AND i.customer_id = $2 ORDER BY i.source, i.account, i.ref`,
);
const byReferenceStatement = sql(
  "imports.by_reference",
  `${READ} WHERE i.organization_id = $1 AND (i.ref = $2 OR i.customer_ref = $2)
   ORDER BY i.source, i.account, i.ref LIMIT $3`,
);

export async function findImport(db: Queryable, key: ImportKey): Promise<ImportRow | null> {
  return (await db.query<ImportRow>(findStatement, keyOf(key)))[0] ?? null;
}

/** As `findImport`, and locks the row until the transaction ends. The Customer's lock comes before this one. */
async function lockImport(tx: Tx, key: ImportKey): Promise<ImportRow | null> {
  return (await tx.query<ImportRow>(lockStatement, keyOf(key)))[0] ?? null;
}

/** The row from which a Subscription comes; null: the Subscription was not imported. */
export async function importOf(
  db: Queryable,
  organizationId: string,
  subscriptionId: string,
): Promise<ImportRow | null> {
  return (await db.query<ImportRow>(ofSubscriptionStatement, [organizationId, subscriptionId]))[0] ?? null;
}

/** The rows whose Subscriptions belong to a Customer. */
export function importsOf(db: Queryable, organizationId: string, customerId: string): Promise<ImportRow[]> {
  return db.query<ImportRow>(ofCustomerStatement, [organizationId, customerId]);
}

/** The rows of a subscription or a Customer of another system, by its id there. */
export function findByReference(
  db: Queryable,
  organizationId: string,
  reference: string,
  limit: number,
): Promise<ImportRow[]> {
  return db.query<ImportRow>(byReferenceStatement, [organizationId, reference, limit]);
}

/** The totals of the next invoice in both systems. `open`: not compared yet. */
export const COMPARISONS = ["equal", "different", "open"] as const;
export type Comparison = (typeof COMPARISONS)[number];

const COMPARED: Readonly<Record<string, string>> = {
  equal: "i.own_total = i.expected_total",
  different: "i.own_total <> i.expected_total",
  open: "(i.own_total IS NULL OR i.expected_total IS NULL)",
};

/** `id`: of the subscription or its Customer, there or here. `cursor`: `cursorOf` a row. */
export type ImportFilters = {
  account?: string | undefined;
  cursor?: string | undefined;
  emailKey?: string | undefined;
  id?: string | undefined;
  reason?: StayReason | undefined;
  source?: ImportSource | undefined;
  state?: ImportState | undefined;
  totals?: Comparison | undefined;
};

const list = filteredList<
  ImportRow,
  "account" | "cursor" | "emailKey" | "id" | "reason",
  "source" | "state" | "totals"
>({
  name: "imports.list",
  select: `${READ} WHERE i.organization_id = $1`,
  order: "i.source, i.account, i.ref",
  values: {
    account: (value) => `i.account = ${value}`,
    cursor: (value) =>
      `(i.source, i.account, i.ref) > (${value}::json ->> 0, ${value}::json ->> 1, ${value}::json ->> 2)`,
    emailKey: (value) =>
      `i.customer_id IN (SELECT c.id FROM customers c WHERE c.organization_id = $1 AND c.email_key = ${value})`,
    id: (value) => `${value} IN (i.ref, i.customer_ref, i.subscription_id, i.customer_id)`,
    reason: (value) => `i.reasons::jsonb @> to_jsonb(${value}::text)`,
  },
  words: {
    source: (word) => `i.source = '${word}'`,
    state: (word) => `i.state = '${word}'`,
    totals: (word) => COMPARED[word]!,
  },
});

/** The rows of these filters by source, account and id there; returns one row more than the limit. */
export const listImports = (
  db: Queryable,
  organizationId: string,
  query: ImportFilters & { limit: number },
): Promise<ImportRow[]> => list(db, organizationId, query);

/** The place of a row in the order of source, account and id there, as the cursor of a page. */
export const cursorOf = ({ source, account, ref }: ImportKey): string => JSON.stringify([source, account, ref]);

// A row that is on its way keeps its state. Its subscription is stopped there, so a report says no more about it.
const assessStatement = sql(
  "imports.upsert_assessed",
  `INSERT INTO imports (organization_id, source, account, ref, customer_ref, state, reasons, currency, monthly,
     next_charge_at, causes, created_at, updated_at)
   SELECT $1, $2, $3, r.ref, r.customer_ref, 'assessed', r.reasons, r.currency, r.monthly, r.next_charge_at, '[]',
     $10::timestamptz, $10::timestamptz
   FROM unnest($4::text[], $5::text[], $6::json[], $7::text[], $8::bigint[], $9::timestamptz[])
     AS r (ref, customer_ref, reasons, currency, monthly, next_charge_at)
   ON CONFLICT (organization_id, source, account, ref) DO UPDATE SET customer_ref = excluded.customer_ref,
     reasons = excluded.reasons, currency = excluded.currency, monthly = excluded.monthly,
     next_charge_at = excluded.next_charge_at, updated_at = excluded.updated_at
   WHERE imports.state IN ('assessed', 'imported')`,
);

/** The account of an import, without a subscription. */
export type ImportAccount = Omit<ImportKey, "ref">;

/**
 * Stores what an assessment has read of these subscriptions. No state changes. Only rows that are assessed or imported
 * take the reading, and no other column.
 */
export async function upsertAssessed(
  tx: Tx,
  { organizationId, source, account }: ImportAccount,
  rows: readonly AssessedImport[],
  at: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  const column = (name: keyof AssessedImport) => rows.map((row) => row[name]);
  await tx.query(assessStatement, [
    organizationId,
    source,
    account,
    column("ref"),
    column("customerRef"),
    rows.map(({ reasons }) => JSON.stringify(reasons)),
    column("currency"),
    column("monthly"),
    rows.map(({ nextChargeAt }) => nextChargeAt && formatInstant(nextChargeAt)),
    formatInstant(at),
  ]);
}

const unseenStatement = sql(
  "imports.delete_unseen",
  `DELETE FROM imports WHERE organization_id = $1 AND source = $2 AND account = $3 AND state = 'assessed'
     AND updated_at < $4`,
);

/** Deletes the rows that no assessment has read since `since`: these subscriptions have ended. */
export async function deleteUnseen(
  tx: Tx,
  { organizationId, source, account }: ImportAccount,
  since: Instant,
): Promise<void> {
  await tx.query(unseenStatement, [organizationId, source, account, formatInstant(since)]);
}

// $8 names the columns that are set, so that one statement serves all steps.
const moveStatement = sql(
  "imports.move",
  `UPDATE imports SET state = $6, updated_at = greatest(updated_at, $7::timestamptz), ${FIELDS.map((field, n) => {
    const column = snake(field);
    return `${column} = CASE WHEN '${column}' = ANY($8::text[]) THEN $${n + 9}::${SET[field]} ELSE ${column} END`;
  }).join(",\n     ")}
   WHERE ${KEY} AND state = $5 RETURNING ${columnList(COLUMNS)}`,
);

/**
 * Moves a row from one state to another one, or keeps the state, and sets some fields. Compare and set: null if the row
 * is not in the state `from` any more.
 */
export async function moveState(
  tx: Tx,
  key: ImportKey,
  from: ImportState,
  to: ImportState,
  fields: Partial<ImportFields>,
  at: Instant,
): Promise<ImportRow | null> {
  const named = FIELDS.filter((field) => fields[field] !== undefined);
  const values = FIELDS.map((field) => sent(field, fields[field]));
  const parameters = [...keyOf(key), from, to, formatInstant(at), named.map(snake), ...values];
  return (await tx.query<ImportRow>(moveStatement, parameters))[0] ?? null;
}

const beginStatement = sql(
  "imports.begin",
  `INSERT INTO imports (organization_id, source, account, ref, customer_ref, state, reasons, currency, monthly,
     next_charge_at, causes, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, 'assessed', '[]', $6, $7, $8, '[]', $9, $9)
   ON CONFLICT (organization_id, source, account, ref) DO NOTHING`,
);

/** The row of a subscription, locked; made as `assessed` if no assessment has made it before. */
export async function beginImport(
  tx: Tx,
  { organizationId, source, account }: ImportAccount,
  { ref, customerRef, currency, monthly, nextChargeAt }: Omit<AssessedImport, "reasons">,
  at: Instant,
): Promise<ImportRow> {
  const next = nextChargeAt && formatInstant(nextChargeAt);
  const made = [organizationId, source, account, ref, customerRef, currency, monthly, next, formatInstant(at)];
  await tx.query(beginStatement, made);
  return (await lockImport(tx, { organizationId, source, account, ref }))!;
}

const uncheckedStatement = sql(
  "imports.unchecked",
  `SELECT DISTINCT i.organization_id AS "organizationId", i.source, i.account FROM imports i
   WHERE i.state IN ('imported', 'stopping', 'moved', 'finished') AND (i.checked_at IS NULL OR i.checked_at < $1)`,
);

/** The accounts with imported subscriptions that no check has read since `before`. */
export function uncheckedAccounts(db: Queryable, before: Instant): Promise<ImportAccount[]> {
  return db.query<ImportAccount>(uncheckedStatement, [formatInstant(before)]);
}

const forgetStatement = sql(
  "imports.forget",
  "UPDATE imports SET snapshot = NULL WHERE organization_id = $1 AND customer_id = $2 AND snapshot IS NOT NULL",
);

/** Blanks the readings of a deleted Customer, which may hold the Customer's data (rule I5m). Does not wait. */
export function forgetReadings(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(forgetStatement, [organizationId, customerId]);
}
