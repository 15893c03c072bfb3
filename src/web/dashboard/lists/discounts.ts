import { html } from "hono/html";
import type { Discount } from "../../../domain/model/discount.ts";
import { majorUnits } from "../../../domain/major-units.ts";
import { ListDiscountsQuery } from "../../../resources/discount.ts";
import { listDiscounts } from "../../../store/discounts.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { csvTime, timeColumn } from "./columns.ts";
import { defineList } from "./list.ts";

export function durationOf({ duration, months }: Discount): string {
  if (duration === "repeating") return months === 1 ? "For a month" : `For ${months} months`;
  return duration === "once" ? "Once" : "For ever";
}

export const discountList = defineList<Discount, typeof ListDiscountsQuery>({
  section: "discounts",
  prefix: "dsc",
  schema: ListDiscountsQuery,
  filters: ["code"],
  words: {},
  read: (ctx, organizationId, query) => listDiscounts(ctx.db.stale, organizationId, query),
  columns: [
    { label: "Code", show: ({ id, code }, { self }) => html`<a href="${self}/discounts/${id}"><bdi>${code}</bdi></a>` },
    {
      label: "Reduction",
      isNumber: true,
      show: ({ basisPoints, amount, currency }) =>
        basisPoints === null ? ENGLISH.money(amount!, currency!) : ENGLISH.percent(basisPoints),
    },
    { label: "Duration", show: durationOf },
    {
      label: "Redemptions",
      isNumber: true,
      show: ({ redemptions, maxRedemptions }) =>
        maxRedemptions === null ? String(redemptions) : `${redemptions} of ${maxRedemptions}`,
    },
    timeColumn("Starts", ({ startsAt }) => startsAt),
    timeColumn("Ends", ({ endsAt }) => endsAt),
  ],
  csv: {
    id: ({ id }) => id,
    code: ({ code }) => code,
    type: ({ type }) => type,
    basis_points: ({ basisPoints }) => basisPoints,
    currency: ({ currency }) => currency?.toUpperCase() ?? null,
    amount: ({ amount, currency }) => (amount === null || currency === null ? null : majorUnits(amount, currency)),
    duration: ({ duration }) => duration,
    months: ({ months }) => months,
    redemptions: ({ redemptions }) => redemptions,
    max_redemptions: ({ maxRedemptions }) => maxRedemptions,
    starts_at: ({ startsAt }) => csvTime(startsAt),
    ends_at: ({ endsAt }) => csvTime(endsAt),
    created_at: ({ createdAt }) => csvTime(createdAt),
  },
  empty: "Each Discount that you create will appear here, with the number of purchases that used it.",
  next: { path: "/docs/reference/management", label: "Learn about Discounts" },
  make: { path: "/discounts/new", label: "New Discount", permission: "catalogue" },
  done: { deleted: "The Discount has been deleted. Subscriptions keep the Discount." },
});
