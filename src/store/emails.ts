import { formatInstant } from "../domain/calendar.ts";
import { EMAIL_KINDS, EMAIL_STATUSES, type Email, type EmailKind, type ListedEmail } from "../domain/model/email.ts";
import type { ListEmailsQuery } from "../resources/email.ts";
import { sql, type Queryable, type Statement, type Tx } from "./driver/db.ts";
import { columnList, defineTable } from "./driver/table.ts";
import { defineOldRows, forgetRows, type Deleting } from "./driver/delete-rows.ts";

/** The columns of an e-mail without its message. */
export const ENVELOPE = {
  organizationId: "plain",
  id: "plain",
  kind: "plain",
  customerId: "plain",
  subscriptionId: "plain",
  invoiceId: "plain",
  paymentId: "plain",
  announcedAt: "instant",
  status: "plain",
  reason: "plain",
  attempts: "plain",
  attemptAt: "instant",
  fileAt: "instant",
  recipient: "plain",
  subject: "plain",
  createdAt: "instant",
  queuedAt: "instant",
  sentAt: "instant",
} as const;

export const emails = defineTable<Email>("emails", { ...ENVELOPE, text: "plain", html: "plain" });
/** The columns of a list. It leaves out the messages, because they are larger than all other columns together. */
const LISTED = columnList(Object.keys(ENVELOPE));

/**
 * `kind`: the kind of the written message, which may differ from the queued kind. `text` and `html` null: only the
 * recipient may read the message.
 */
export type WrittenEmail = {
  kind: EmailKind;
  recipient: string;
  subject: string;
  text: string | null;
  html: string | null;
};

const FILTERS = {
  cursor: "id <",
  customerId: "customer_id =",
  kind: "kind =",
  status: "status =",
  skipped: "(status = 'skipped') =",
} as const;
/** The same conditions on the kind `k` and the status `s` of a merged list. */
const OF_BOTH: Partial<Record<Filter, string>> = { kind: "k =", status: "s =", skipped: "(s = 'skipped') =" };
type Filter = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as Filter[];
const each = (name: string, values: readonly string[]) =>
  `unnest(ARRAY[${values.map((value) => `'${value}'`).join(", ")}]) AS ${name}`;

/**
 * Each set of filters has its own statement: one plan for all of them would read every e-mail to find a few failed
 * ones. A list by kind or status merges the newest e-mails of each kind and status, because the index is ordered by
 * kind, status and id.
 */
function listStatement(given: readonly Filter[]): Statement {
  const isMerged = !given.includes("customerId") && given.some((name) => OF_BOTH[name]);
  const own = (name: Filter) => !isMerged || !OF_BOTH[name];
  const conditions = given.flatMap((name, n) => (own(name) ? [`${FILTERS[name]} $${n + 3}`] : []));
  const chosen = given.flatMap((name, n) => (own(name) ? [] : [`${OF_BOTH[name]} $${n + 3}`])).join(" AND ");
  const where = ["WHERE organization_id = $1", ...conditions].join(" AND ");
  const page = isMerged
    ? `FROM ${each("k", EMAIL_KINDS)} CROSS JOIN ${each("s", EMAIL_STATUSES)}
       CROSS JOIN LATERAL (SELECT * FROM emails ${where} AND kind = k AND status = s ORDER BY id DESC LIMIT $2) newest
       WHERE ${chosen}`
    : `FROM emails ${where}`;
  return sql(["emails.list", ...given].join("_"), `SELECT ${LISTED} ${page} ORDER BY id DESC LIMIT $2`);
}

/** Newest first; returns one row more than the page holds. */
export async function listEmails(
  db: Queryable,
  organizationId: string,
  query: ListEmailsQuery,
): Promise<ListedEmail[]> {
  const given = FILTER_NAMES.filter((name) => query[name] !== undefined);
  return db.query<ListedEmail>(listStatement(given), [
    organizationId,
    query.limit + 1,
    ...given.map((name) => query[name]),
  ]);
}

const supersededStatement = sql(
  "emails.superseded",
  `SELECT 1 AS newer FROM emails
   WHERE organization_id = $1 AND customer_id = $2 AND invoice_id = $3 AND queued_at > $4
     AND kind IN ('payment_failed', 'authentication_required') AND status IN ('queued', 'sent', 'kept') LIMIT 1`,
);

/** Whether a newer e-mail, sent or queued, already says why the same invoice is not paid. */
export async function isSuperseded(
  db: Queryable,
  { organizationId, customerId, invoiceId, queuedAt }: Email,
): Promise<boolean> {
  return (
    (await db.query(supersededStatement, [organizationId, customerId, invoiceId, formatInstant(queuedAt)])).length > 0
  );
}

// A sign-in e-mail with links for several Customers names each of these Customers. If such an e-mail is queued for
// another Customer, its message is written anew and still sent: moving attempt_at by a millisecond ends the claim of a
// present sender. The millisecond is added in UTC, so that the sum depends on no setting. With a subquery in place of
// the array, PostgreSQL would read all e-mails.
const blankStatement = sql(
  "emails.blank",
  `UPDATE emails SET recipient = NULL, subject = NULL, text = NULL, html = NULL, file_at = NULL, asked_from = NULL,
     attempt_at = CASE WHEN customer_id <> $2
       THEN (attempt_at AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC' END,
     reason = CASE WHEN status = 'skipped' THEN reason
       WHEN status = 'queued' AND customer_id = $2 THEN 'customer_deleted' END,
     status = CASE WHEN status = 'queued' AND customer_id = $2 THEN 'skipped' ELSE status END
   WHERE organization_id = $1 AND (customer_id = $2 OR id = ANY(ARRAY(
     SELECT email_id FROM portal_links WHERE organization_id = $1 AND customer_id = $2 AND email_id IS NOT NULL)))`,
);

/** Blanks the e-mails that name a Customer, and skips the queued ones to that Customer (rule I5m). */
export function blankEmails(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(blankStatement, [organizationId, customerId]);
}

const oldRows = defineOldRows({
  name: "emails.forget",
  table: "emails",
  keys: { id: "text" },
  isOld: `queued_at < statement_timestamp() - $2::integer * interval '1 day'`,
  by: "queued_at",
});

/** Deletes up to `limit` e-mails older than `days`. Returns how many. */
export function forgetEmails(db: Deleting, limit: number, days: number): Promise<number> {
  return forgetRows(db, oldRows, limit, days);
}
