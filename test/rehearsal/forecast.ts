import { clientOf } from "../payments/stripe/client.ts";
import type { StripeServer } from "../payments/stripe/server.ts";
import type { Json, TestApp } from "../support/app.ts";
import type { Company } from "./company.ts";

/*
 * The next cycle of a company: before the move, by Stripe's previews; afterwards, by the invoices of both systems. An
 * entry is the first invoice of a subscription, before the balance, in minor units of ISO 4217.
 */

export type Entry = { day: string; currency: string; total: number; by: "stripe" | "billow" };
/** By the id of the subscription at Stripe. */
export type Forecast = ReadonlyMap<string, Entry>;

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Stripe's preview of each subscription. One without a next invoice has no entry. */
export async function previews(stripe: StripeServer, { members }: Company): Promise<Forecast> {
  const send = clientOf({ url: stripe.url, key: stripe.secretKey });
  const entries: [string, Entry][] = [];
  for (const { id } of members) {
    const { status, body } = await send("POST /v1/invoices/create_preview", { subscription: id });
    if (status === 404) continue;
    const { current_period_end: end } = stripe.book.subscriptions.get(id)!.items.data[0]!;
    const { total, currency } = body as unknown as { total: number; currency: string };
    entries.push([id, { day: dayOf(end), currency, total, by: "stripe" }]);
  }
  return new Map(entries);
}

async function invoicesOf({ manage }: TestApp): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body }: Json = await manage("GET", `/invoices?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
    found.push(...body.data);
    cursor = body.nextCursor;
  }
  return found.reverse();
}

/** The invoices of both systems since `since`, the first one of each subscription. `refs`: by the Subscription here. */
export async function invoiced(
  app: TestApp,
  stripe: StripeServer,
  refs: ReadonlyMap<string, string>,
  since: number,
): Promise<Forecast> {
  const entries = new Map<string, Entry>();
  for (const { subscriptionId, createdAt, currency, totalAmount } of await invoicesOf(app)) {
    const ref = refs.get(subscriptionId);
    if (ref !== undefined && !entries.has(ref))
      entries.set(ref, { day: createdAt.slice(0, 10), currency, total: totalAmount, by: "billow" });
  }
  for (const { created, currency, parent, total, status, billing_reason } of stripe.book.invoices.values()) {
    const ref = parent?.subscription_details?.subscription;
    const isRenewal = billing_reason === "subscription_cycle" && status !== "void" && created * 1000 >= since;
    if (ref === undefined || !isRenewal || entries.has(ref)) continue;
    entries.set(ref, { day: dayOf(created), currency, total, by: "stripe" });
  }
  return entries;
}

export type Difference = { subscription: string; before: Entry | null; after: Entry | null };

/** The next invoices that are another one than the preview, by total, currency or day. */
export function differences(before: Forecast, after: Forecast): Difference[] {
  const refs = [...new Set([...before.keys(), ...after.keys()])];
  const pairs = refs.map((subscription) => ({
    subscription,
    before: before.get(subscription) ?? null,
    after: after.get(subscription) ?? null,
  }));
  return pairs.filter(
    ({ before: one, after: other }) =>
      one?.total !== other?.total || one?.currency !== other?.currency || one?.day !== other?.day,
  );
}

/** The sums by currency and day, a line each: `2026-12-24 usd 12300`. */
export function linesOf(forecast: Forecast): string[] {
  const sums = new Map<string, number>();
  for (const { day, currency, total } of forecast.values()) {
    const key = `${day} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0) + total);
  }
  return [...sums].map(([key, total]) => `${key} ${total}`).sort();
}

/** The sums by currency. */
export function totalsOf(forecast: Forecast): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { currency, total } of forecast.values()) sums[currency] = (sums[currency] ?? 0) + total;
  return sums;
}
