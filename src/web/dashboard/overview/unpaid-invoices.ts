import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import type { Subscription } from "../../../domain/model/subscription.ts";
import { counted } from "../../../domain/words.ts";
import { endedUnpaid, pastDue } from "../../../store/attention.ts";
import type { Html } from "../../layout.ts";
import { customerLink, withCustomers, type OfCustomer } from "../lists/customer-cell.ts";
import type { DashboardRequest } from "../request.ts";
import type { Need } from "./need.ts";

/** The Customers that a matter names. The list of Subscriptions has all. */
const MOST_NAMES = 5;
const DAYS = 30;

type Row = Subscription & OfCustomer;

/** `Ada, Ben and more`: each name leads to the Subscription on the page of the Customer. */
function names(rows: readonly Row[], request: DashboardRequest): Html {
  const shown = rows.slice(0, MOST_NAMES).map((row) => customerLink(row.customer, request, row.id));
  const list = shown.map((name, n) => html`${n === 0 ? "" : ", "}${name}`);
  return html`${list}${rows.length > MOST_NAMES ? " and more" : ""}`;
}

const numberOf = (rows: readonly Row[]): string =>
  rows.length > MOST_NAMES ? `More than ${counted(MOST_NAMES, "Subscription")}` : counted(rows.length, "Subscription");

/** The Subscriptions whose renewals are unpaid now, and those that ended unpaid in the last 30 days of billing time. */
export type Unpaid = { due: readonly Row[]; ended: readonly Row[] };

export async function readUnpaid(ctx: Context, organizationId: string): Promise<Unpaid> {
  const { stale } = ctx.db;
  const [late, over] = await Promise.all([
    pastDue(stale, organizationId, MOST_NAMES + 1),
    endedUnpaid(stale, organizationId, DAYS, MOST_NAMES + 1),
  ]);
  const rows = await withCustomers(ctx, organizationId, [...late, ...over]);
  return { due: rows.slice(0, late.length), ended: rows.slice(late.length) };
}

export function unpaidNeeds(request: DashboardRequest, { due, ended }: Unpaid): Need[] {
  const { self } = request;
  const needs: Need[] = [];
  if (ended.length > 0)
    needs.push({
      tone: "bad",
      label: "Ended unpaid",
      text: html`${numberOf(ended)} ended in the last ${DAYS} days because the renewal was never paid:
${names(ended, request)}.`,
      href: `${self}/subscriptions?status=canceled`,
      action: "All that ended",
    });
  if (due.length > 0)
    needs.push({
      tone: "warn",
      label: "Past due",
      text: html`${numberOf(due)} ${due.length === 1 ? "has" : "have"} an unpaid renewal:
${names(due, request)}.`,
      href: `${self}/subscriptions?status=past_due`,
      action: "All past due",
    });
  return needs;
}
