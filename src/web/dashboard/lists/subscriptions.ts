import { html } from "hono/html";
import { majorUnits } from "../../../domain/major-units.ts";
import type { Product } from "../../../domain/model/product.ts";
import { ListSubscriptionsQuery } from "../../../resources/subscription.ts";
import { unitAmountOf } from "../../../domain/model/quantity.ts";
import { products } from "../../../store/products.ts";
import { listSubscriptions, type ReadSubscription } from "../../../store/subscriptions.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { unitsNote } from "../subscription/units.ts";
import { moneyText, time } from "../components/cells.ts";
import { statusBadge } from "../components/status.ts";
import { createdColumn, csvTime, statusWords, timeColumn } from "./columns.ts";
import { CREATED, withSpan } from "./created.ts";
import { CUSTOMER_CSV, customerColumn, withCustomers, type OfCustomer } from "./customer-cell.ts";
import { defineList, type View } from "./list.ts";

type Row = ReadSubscription & OfCustomer & { product: Product | undefined };

function status({ status: current, cancelAt }: Row, { zone }: View) {
  const end =
    current === "canceled" || cancelAt === null ? "" : html`<span class="note">Ends ${time(cancelAt, zone)}</span>`;
  return html`${statusBadge("subscription", current)}${end}`;
}

const QUERY = ListSubscriptionsQuery.extend(CREATED);

export const subscriptionList = defineList<Row, typeof QUERY>({
  section: "subscriptions",
  prefix: "sub",
  schema: QUERY,
  filters: ["status", "productId", "firstDay", "lastDay"],
  words: { status: statusWords("subscription") },
  async read(ctx, organizationId, query) {
    const rows = await listSubscriptions(ctx.db.stale, organizationId, await withSpan(ctx, organizationId, query));
    const ids = [...new Set(rows.map(({ productId }) => productId))];
    const [named, found] = await Promise.all([
      withCustomers(ctx, organizationId, rows),
      products.findAll(ctx.db.stale, organizationId, ids),
    ]);
    return named.map((row) => ({ ...row, product: found.get(row.productId) }));
  },
  columns: [
    customerColumn(),
    {
      label: "Product",
      isWide: true,
      show: ({ product, productId }) => html`<bdi>${product?.name ?? productId}</bdi>`,
    },
    { label: "Status", show: status },
    {
      label: "Price",
      isNumber: true,
      show: (row) => html`${moneyText(row.amount, row.currency)} <span class="note">${rhythmOf(ENGLISH, row)}</span>
${unitsNote(row, row.product?.unitName ?? null)}`,
    },
    timeColumn("Period ends", ({ status: current, currentPeriodEnd }) =>
      current === "canceled" ? null : currentPeriodEnd,
    ),
    timeColumn("Started", ({ startedAt }) => startedAt),
    createdColumn(),
  ],
  csv: {
    id: ({ id }) => id,
    ...CUSTOMER_CSV,
    product_id: ({ productId }) => productId,
    product: ({ product }) => product?.name ?? null,
    status: ({ status: current }) => current,
    currency: ({ currency }) => currency.toUpperCase(),
    price: ({ amount, currency }) => majorUnits(amount, currency),
    quantity: ({ quantity }) => quantity,
    unit_price: (row) => majorUnits(unitAmountOf(row), row.currency),
    interval: ({ interval }) => interval,
    interval_count: ({ intervalCount }) => intervalCount,
    current_period_start: ({ currentPeriodStart }) => csvTime(currentPeriodStart),
    current_period_end: ({ currentPeriodEnd }) => csvTime(currentPeriodEnd),
    trial_end: ({ trialEnd }) => csvTime(trialEnd),
    cancel_at: ({ cancelAt }) => csvTime(cancelAt),
    canceled_at: ({ canceledAt }) => csvTime(canceledAt),
    ended_at: ({ endedAt }) => csvTime(endedAt),
    cancellation_reason: ({ cancellationReason }) => cancellationReason,
    started_at: ({ startedAt }) => csvTime(startedAt),
    created_at: ({ createdAt }) => csvTime(createdAt),
  },
  empty: "Each Subscription that a buyer takes out, or that you create, will appear here.",
  next: { path: "/docs/guides/quickstart-curl", label: "Make your first sale" },
});
