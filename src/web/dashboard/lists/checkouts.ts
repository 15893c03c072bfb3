import { html } from "hono/html";
import { listShownCheckouts } from "../../../actions/checkout/read.ts";
import { checkoutTotals } from "../../../domain/model/checkout.ts";
import { majorUnits } from "../../../domain/major-units.ts";
import { ListCheckoutsQuery, statusAt } from "../../../resources/checkout.ts";
import type { ReadCheckout } from "../../../store/checkouts.ts";
import { unitsNote } from "../subscription/units.ts";
import { moneyText } from "../components/cells.ts";
import { statusBadge } from "../components/status.ts";
import { csvTime, statusWords, createdColumn, timeColumn } from "./columns.ts";
import { CREATED, withSpan } from "./created.ts";
import { CUSTOMER_CSV, customerLink, withCustomers, type OfCustomer } from "./customer-cell.ts";
import { defineList } from "./list.ts";

type Row = ReadCheckout & OfCustomer;

const QUERY = ListCheckoutsQuery.extend(CREATED);

export const checkoutList = defineList<Row, typeof QUERY>({
  section: "checkouts",
  prefix: "chk",
  schema: QUERY,
  filters: ["status", "productId", "firstDay", "lastDay"],
  words: { status: statusWords("checkout") },
  read: async (ctx, organizationId, query) =>
    withCustomers(
      ctx,
      organizationId,
      await listShownCheckouts(ctx, organizationId, await withSpan(ctx, organizationId, query)),
    ),
  columns: [
    {
      label: "Product",
      show: (row, { self }) => html`<a href="${self}/checkouts/${row.id}"><bdi>${row.productName}</bdi></a>
${unitsNote(row, row.unitName)}`,
    },
    { label: "Customer", isWide: true, show: ({ customer }, view) => customerLink(customer, view) },
    { label: "Status", show: (row) => statusBadge("checkout", statusAt(row, row.now)) },
    {
      label: "Total",
      isNumber: true,
      show(row) {
        const { totalAmount } = checkoutTotals(row);
        return totalAmount === null ? html`<span class="note">Tax open</span>` : moneyText(totalAmount, row.currency);
      },
    },
    createdColumn(),
    timeColumn("Completed", ({ completedAt }) => completedAt),
  ],
  csv: {
    id: ({ id }) => id,
    ...CUSTOMER_CSV,
    product_id: ({ productId }) => productId,
    product: ({ productName }) => productName,
    status: (row) => statusAt(row, row.now),
    quantity: ({ quantity }) => quantity,
    currency: ({ currency }) => currency.toUpperCase(),
    total(row) {
      const { totalAmount } = checkoutTotals(row);
      return totalAmount === null ? null : majorUnits(totalAmount, row.currency);
    },
    subscription_id: ({ subscriptionId }) => subscriptionId,
    invoice_id: ({ invoiceId }) => invoiceId,
    created_at: ({ createdAt }) => csvTime(createdAt),
    expires_at: ({ expiresAt }) => csvTime(expiresAt),
    completed_at: ({ completedAt }) => csvTime(completedAt),
  },
  empty:
    "A Checkout is a page on which one buyer buys one Product. Each Checkout of your backend and each Checkout link " +
    "appears here, whether or not its buyer pays.",
  next: { path: "/docs/guides/quickstart-curl", label: "Make your first sale" },
  make: { path: "/checkouts/new", label: "New Checkout link", permission: "customers" },
});
