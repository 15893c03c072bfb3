import { html } from "hono/html";
import type { CountedPaymentLink } from "../../../domain/model/payment-link.ts";
import { ListPaymentLinksQuery } from "../../../resources/payment-link.ts";
import { listPaymentLinks } from "../../../store/payment-links.ts";
import { badge } from "../components/badge.ts";
import { csvTime, timeColumn } from "./columns.ts";
import { defineList } from "./list.ts";

export const paymentLinkList = defineList<CountedPaymentLink, typeof ListPaymentLinksQuery>({
  section: "payment_links",
  prefix: "plk",
  schema: ListPaymentLinksQuery,
  filters: ["active"],
  words: { active: { true: "Sells", false: "Switched off" } },
  labels: { active: "State" },
  read: (ctx, organizationId, query) => listPaymentLinks(ctx.db.stale, organizationId, query),
  columns: [
    {
      label: "Name",
      show: ({ id, name }, { self }) => html`<a href="${self}/payment-links/${id}"><bdi>${name}</bdi></a>`,
    },
    { label: "State", show: ({ active }) => badge(active ? "good" : "quiet", active ? "Sells" : "Switched off") },
    { label: "Products", isNumber: true, isWide: true, show: ({ productIds }) => String(productIds.length) },
    { label: "Visits", isNumber: true, show: ({ visits }) => String(visits) },
    { label: "Checkouts", isNumber: true, isWide: true, show: ({ checkouts }) => String(checkouts) },
    { label: "Purchases", isNumber: true, show: ({ purchases }) => String(purchases) },
    timeColumn("Created", ({ createdAt }) => createdAt),
  ],
  csv: {
    id: ({ id }) => id,
    key: ({ key }) => key,
    name: ({ name }) => name,
    active: ({ active }) => String(active),
    product_ids: ({ productIds }) => productIds.join(" "),
    visits: ({ visits }) => visits,
    checkouts: ({ checkouts }) => checkouts,
    purchases: ({ purchases }) => purchases,
    created_at: ({ createdAt }) => csvTime(createdAt),
  },
  empty: "Each payment link that you create will appear here, with its visits, Checkouts and purchases.",
  next: { path: "/docs/guides/sell-without-code", label: "Learn about payment links" },
  make: { path: "/payment-links/new", label: "New payment link", permission: "catalogue" },
});
