import { formatInstant, type Instant } from "../../domain/calendar.ts";
import type { ProviderAccount } from "../../domain/model/payment-outcome.ts";
import { sql } from "../driver/db.ts";
import { ofOrganization, rule, utc, type Rule } from "./rule.ts";
import type { Snapshot } from "./snapshot.ts";

/** Entries are kept for 35 days, so a day less is surely complete. */
const COMPLETE = `now() - interval '34 days'`;
/** The provider's clock may differ from ours by an hour at both ends of the imported span. */
const SLACK = `interval '1 hour'`;
/** The worker asks for an outcome once an hour at the latest, so a day is long enough. */
const LONG_AGO = `now() - interval '1 day'`;
/** The status queries of a day: twelve in the first hour, then one an hour. */
const CHECKS_OF_A_DAY = 35;

/** A rule about imported books. Organizations without an import are left out (rule I4c). */
function transactionRule(name: string, says: string, query: string): Rule {
  return { ...rule(name, says, query), within: "provider_book_imports" };
}

/** An entry `b` and our payment `p` with its key, at the same account (rule I4b). */
const IS_ENTRY_OF = `p.organization_id = b.organization_id AND p.provider_key = b.key
       AND (p.provider, p.provider_account) = (b.provider, b.provider_account)`;
/** A charge in the book and our payment with its key. */
const CHARGES = `FROM provider_book b JOIN payments p ON ${IS_ENTRY_OF}
     WHERE b.organization_id = $1 AND b.kind = 'charge'`;
/** A refund in the book, and the id of our refund with its key or, for a refund made at the provider, with its ref. */
const REFUND_ENTRIES = `(SELECT e.*, coalesce(k.id, f.id) AS refund_id FROM provider_book e
       LEFT JOIN refunds k ON k.organization_id = e.organization_id AND k.id = e.key
       LEFT JOIN refunds f ON f.organization_id = e.organization_id AND f.provider_ref = e.ref
       WHERE e.organization_id = $1 AND e.kind = 'refund') b`;
const REFUNDS = `FROM ${REFUND_ENTRIES}
     JOIN refunds r ON r.organization_id = b.organization_id AND r.id = b.refund_id
     LEFT JOIN payments p ON p.organization_id = r.organization_id AND p.id = r.payment_id
     WHERE r.organization_id = $1`;
/**
 * Our payment `p` was begun and settled within the imported span. With a set clock the instants of a payment are no
 * real time, so nothing is said about the span (rule I4d).
 */
const isImported = (row: string) => `${ofOrganization("o.clock_at IS NULL")}
       AND (SELECT ${row}.created_at >= greatest(i.imported_from, ${COMPLETE}) + ${SLACK}
           AND ${row}.settled_at <= i.imported_until - ${SLACK}
         FROM provider_book_imports i WHERE i.organization_id = $1 AND i.provider = p.provider
           AND i.provider_account = p.provider_account)`;

/** Payments `p` that succeeded, without an entry. */
const MISSING_CHARGES = `FROM payments p
     LEFT JOIN (SELECT * FROM provider_book WHERE organization_id = $1 AND kind = 'charge') b
       ON ${IS_ENTRY_OF}
     WHERE p.organization_id = $1 AND p.status = 'succeeded' AND p.purpose <> 'setup' AND ${isImported("p")}
       AND b.ref IS NULL`;
/**
 * Refunds `r` that succeeded, without an entry. Billow learns of a refund that was made at the provider later than the
 * refund was made, so only our own count.
 */
const MISSING_REFUNDS = `FROM refunds r
     JOIN payments p ON p.organization_id = r.organization_id AND p.id = r.payment_id
     LEFT JOIN (SELECT * FROM provider_book WHERE organization_id = $1 AND kind = 'refund') b
       ON b.organization_id = r.organization_id AND b.key = r.id
     WHERE r.organization_id = $1 AND r.status = 'succeeded' AND r."to" = 'card' AND r.origin = 'billow'
       AND ${isImported("r")} AND b.ref IS NULL`;

const CHARGE_RULES: readonly Rule[] = [
  transactionRule(
    "book_charge_unknown",
    "The provider's book has a charge with a key of this installation, and no payment has this key (rule I4).",
    `SELECT b.ref, b.key, b.amount, b.currency, ${utc("b.created_at")} AS "createdAt"
     FROM provider_book b LEFT JOIN payments p ON ${IS_ENTRY_OF}
     WHERE b.organization_id = $1 AND b.kind = 'charge' AND b.key IS NOT NULL AND p.id IS NULL`,
  ),
  transactionRule(
    "book_charge_missing",
    "A payment succeeded, but the provider's book has no charge with its key (rule I4).",
    `SELECT p.id AS payment, p.provider_key AS key, p.amount, p.currency, ${utc("p.settled_at")} AS "settledAt"
     ${MISSING_CHARGES}`,
  ),
  transactionRule(
    "book_charge_amount",
    "The provider's book has another amount for a payment (rule I4).",
    `SELECT p.id AS payment, b.ref, p.amount, b.amount AS booked, p.currency ${CHARGES} AND p.amount <> b.amount`,
  ),
  transactionRule(
    "book_charge_currency",
    "The provider's book has another currency for a payment (rule I4).",
    `SELECT p.id AS payment, b.ref, p.currency, b.currency AS booked, p.amount ${CHARGES} AND p.currency <> b.currency`,
  ),
  transactionRule(
    "book_charge_open",
    "A payment failed, or has had no outcome for a day, but the provider's book has its charge (rules D2, I4).",
    `SELECT p.id AS payment, b.ref, p.status, p.amount, ${utc("b.created_at")} AS "bookedAt"
     ${CHARGES} AND (p.status = 'failed' OR (p.status <> 'succeeded' AND b.created_at < ${LONG_AGO}))`,
  ),
  transactionRule(
    "book_key_twice",
    "The provider's book has several charges, or several refunds, with one key (rules D1, I4).",
    `SELECT key, kind, count(*) AS entries, min(ref) AS "firstRef", max(ref) AS "lastRef", sum(amount) AS amount
     FROM provider_book WHERE organization_id = $1 AND kind <> 'orphan' AND key IS NOT NULL
     GROUP BY key, kind HAVING count(*) > 1`,
  ),
  transactionRule(
    "book_orphan",
    "The provider has a request of this installation without a charge, and no payment has its key (rule I4).",
    `SELECT b.ref, b.key, b.amount, b.currency, ${utc("b.created_at")} AS "createdAt"
     FROM provider_book b LEFT JOIN payments p ON ${IS_ENTRY_OF}
     LEFT JOIN provider_book c ON c.organization_id = b.organization_id AND c.kind = 'charge' AND c.key = b.key
     WHERE b.organization_id = $1 AND b.kind = 'orphan' AND p.id IS NULL AND c.ref IS NULL`,
  ),
];

const REFUND_RULES: readonly Rule[] = [
  transactionRule(
    "book_refund_unknown",
    "The provider's book has a refund of our charge that Billow does not know (rule I4).",
    `SELECT b.ref, b.key, b.charge_key AS "chargeKey", b.amount, b.currency
     FROM ${REFUND_ENTRIES} WHERE b.refund_id IS NULL`,
  ),
  transactionRule(
    "book_refund_missing",
    "A refund to a card succeeded, but the provider's book has no refund with its key (rule I4).",
    `SELECT r.id AS refund, p.id AS payment, r.amount, r.currency, ${utc("r.settled_at")} AS "settledAt"
     ${MISSING_REFUNDS}`,
  ),
  transactionRule(
    "book_refund_amount",
    "The provider's book has another amount or currency for a refund (rule I4).",
    `SELECT r.id AS refund, b.ref, r.amount, b.amount AS booked, r.currency, b.currency AS "bookedCurrency"
     ${REFUNDS} AND (r.amount, r.currency) <> (b.amount, b.currency)`,
  ),
  transactionRule(
    "book_refund_charge",
    "The provider's book has a refund of another charge than ours (rule I4).",
    `SELECT r.id AS refund, p.id AS payment, b.ref, p.provider_key AS "chargeKey", b.charge_key AS booked
     ${REFUNDS} AND (p.provider_key, p.provider, p.provider_account)
       IS DISTINCT FROM (b.charge_key, b.provider, b.provider_account)`,
  ),
  // The entry of a refund that failed at the bank after its success is right.
  transactionRule(
    "book_refund_open",
    "A refund failed at once, or has had no outcome for a day, but the provider's book has it (rules D2, I4).",
    `SELECT r.id AS refund, b.ref, r.status, r.amount, ${utc("b.created_at")} AS "bookedAt"
     ${REFUNDS} AND ((r.status = 'failed' AND NOT r.failed_late AND r.origin = 'billow')
       OR (r.status NOT IN ('failed', 'succeeded') AND b.created_at < ${LONG_AGO}))`,
  ),
];

/** The most payments and refunds without an entry that are looked for again for the first time in one night. */
const MOST_NEW = 1_000;
/** The most that are looked for once more. Each night takes others, so an entry that never comes hides no other one. */
const MOST_AGAIN = 10;
const missingStatement = sql(
  "provider_book.missing",
  `WITH missing AS (
     SELECT p.id, p.created_at AS "createdAt", p.settled_at AS "settledAt" ${MISSING_CHARGES}
       AND (p.provider, p.provider_account) = ($2, $3)
     UNION ALL
     SELECT r.id, r.created_at, r.settled_at ${MISSING_REFUNDS} AND (p.provider, p.provider_account) = ($2, $3)
   )
   (SELECT "createdAt", "settledAt" FROM missing WHERE $4::timestamptz IS NULL OR "settledAt" > $4
    ORDER BY "settledAt" LIMIT ${MOST_NEW})
   UNION ALL
   (SELECT "createdAt", "settledAt" FROM missing WHERE "settledAt" <= $4
    ORDER BY md5(id || $5::text) LIMIT ${MOST_AGAIN})`,
);

/**
 * Payments and refunds of an account without an entry in its imported book: the first thousand that were settled after
 * `lateUntil`, and ten of the others. `night`: a number that decides these ten.
 */
export function findMissing(
  { tx, organizationId }: Snapshot,
  { provider, providerAccount, lateUntil }: ProviderAccount & { lateUntil: Instant | null },
  night: number,
): Promise<{ createdAt: Instant; settledAt: Instant }[]> {
  const after = lateUntil && formatInstant(lateUntil);
  return tx.query(missingStatement, [organizationId, provider, providerAccount, after, String(night)]);
}

/** The charges and orphans that suggest a copy of the database at work (rule I4e). */
export const UNKNOWN_CHARGES: readonly string[] = ["book_charge_unknown", "book_orphan"];

/** Rule I4: the imported books of connected providers, and ours. */
export const TRANSACTION_RULES: readonly Rule[] = [...CHARGE_RULES, ...REFUND_RULES];

const unknownFor = (what: string, table: string, isUnknown: string) =>
  `SELECT r.id AS ${what}, r.amount, r.currency, r.checks, ${utc("r.created_at")} AS "createdAt"
     FROM ${table} r
     WHERE r.organization_id = $1 AND ${isUnknown}
       AND CASE WHEN ${ofOrganization("o.clock_at IS NULL")} THEN r.created_at < ${LONG_AGO}
         ELSE r.checks > ${CHECKS_OF_A_DAY} END`;

/** Rules about the work of reconciliation itself. */
export const RECONCILIATION_RULES: readonly Rule[] = [
  rule(
    "unknown_payments",
    "The outcome of a payment has been unknown for a day: look at the provider (rule D2).",
    // The provider has accepted a payment that is being processed.
    unknownFor("payment", "payments", "r.status = 'unknown' AND NOT r.processing"),
  ),
  rule(
    "unknown_refunds",
    "The outcome of a refund has been unknown for a day: look at the provider (rules D2, I3).",
    unknownFor("refund", "refunds", "r.status = 'unknown'"),
  ),
  transactionRule(
    "due_provider_book",
    "A connected provider's book has not been read for three days, or its import is due and does not begin.",
    `SELECT i.organization_id AS organization, i.provider, i.provider_account AS account, i.failures,
       ${utc("i.import_at")} AS "importAt", ${utc("i.imported_until")} AS "importedUntil"
     FROM provider_book_imports i
     WHERE i.organization_id = $1 AND i.import_at IS NOT NULL AND (i.import_at < now() - interval '5 minutes'
       OR greatest(i.imported_until, i.created_at) < now() - interval '3 days')`,
  ),
];
