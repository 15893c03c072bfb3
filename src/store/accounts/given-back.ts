import type { AccountRows } from "../../domain/account/account.ts";
import { sql, type Statement } from "../db.ts";
import { disputes } from "../disputes.ts";
import { invoiceLines } from "../invoice-lines.ts";
import { invoices } from "../invoices.ts";
import { refunds } from "../refunds.ts";

/** The invoices that are looked at, and lines of the period that wait for an invoice; of rows `k` of parts that are asked for. */
function targetsOf(part: "given_back" | "period", k: string): { invoices: string; waiting: string | null } {
  if (part === "given_back") {
    const invoices_ = `SELECT k.n, i.organization_id, i.id AS invoice_id FROM ${k}
       JOIN invoices i ON i.organization_id = k.organization_id AND i.customer_id = k.customer_id AND i.id = k.a`;
    return { invoices: invoices_, waiting: null };
  }
  const ofPeriod = `SELECT k.n, i.organization_id, i.id AS invoice_id FROM ${k}
     JOIN subscriptions s ON s.organization_id = k.organization_id AND s.customer_id = k.customer_id AND s.id = k.a
     JOIN invoices i ON i.organization_id = s.organization_id AND i.subscription_id = s.id AND i.period_end = k.b AND i.status <> 'void'`;
  const waiting = `SELECT k.n, l.organization_id, l.id FROM ${k}
     JOIN subscriptions s ON s.organization_id = k.organization_id AND s.customer_id = k.customer_id AND s.id = k.a
     JOIN invoice_lines l ON l.organization_id = s.organization_id AND l.subscription_id = s.id AND l.invoice_id IS NULL
       AND l.period_end = k.b`;
  return { invoices: ofPeriod, waiting };
}

/**
 * Invoices with all that was given back of them: their lines, refunds and disputes, the lines that credit their lines, and the invoices on
 * which those credits are. Each of these invoices comes with all of its lines, as every invoice of an Account does.
 */
export function givenBack(part: "given_back" | "period", k: string): { table: keyof AccountRows; statement: Statement }[] {
  const { invoices: targets, waiting } = targetsOf(part, k);
  const waits = waiting ?? `SELECT k.n, k.organization_id, NULL::text AS id FROM ${k} WHERE false`;
  const lines = `WITH targets AS (${targets}), waiting AS (${waits}),
     credits AS (
       SELECT t.n, c.organization_id, c.id, c.invoice_id FROM targets t
       JOIN invoice_lines b ON b.organization_id = t.organization_id AND b.invoice_id = t.invoice_id
       JOIN invoice_lines c ON c.organization_id = b.organization_id AND c.credited_line_id = b.id
       UNION ALL
       SELECT w.n, c.organization_id, c.id, c.invoice_id FROM waiting w
       JOIN invoice_lines c ON c.organization_id = w.organization_id AND c.credited_line_id = w.id),
     shown AS (
       SELECT n, organization_id, invoice_id FROM targets
       UNION SELECT n, organization_id, invoice_id FROM credits WHERE invoice_id IS NOT NULL),
     unbilled AS (
       SELECT n, organization_id, id FROM waiting
       UNION SELECT n, organization_id, id FROM credits WHERE invoice_id IS NULL)`;
  const ofTargets = (table: string, columns: string) => `SELECT ${columns}, t.n AS owner FROM (${targets}) t
     JOIN ${table} x ON x.organization_id = t.organization_id AND x.invoice_id = t.invoice_id`;
  const statement = (table: keyof AccountRows, text: string) => ({ table, statement: sql(`accounts.part_${part}_${table}`, text) });
  return [
    statement(
      "invoices",
      `${lines} SELECT ${invoices.columns("x")}, o.n AS owner FROM shown o
       JOIN invoices x ON x.organization_id = o.organization_id AND x.id = o.invoice_id`,
    ),
    statement(
      "lines",
      `${lines} SELECT ${invoiceLines.columns("x")}, o.n AS owner FROM shown o
       JOIN invoice_lines x ON x.organization_id = o.organization_id AND x.invoice_id = o.invoice_id
       UNION ALL SELECT ${invoiceLines.columns("x")}, o.n AS owner FROM unbilled o
       JOIN invoice_lines x ON x.organization_id = o.organization_id AND x.id = o.id`,
    ),
    statement("refunds", ofTargets("refunds", refunds.columns("x"))),
    statement("disputes", ofTargets("disputes", disputes.columns("x"))),
  ];
}
