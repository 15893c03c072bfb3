import { html } from "hono/html";
import type { Benefit } from "../../../domain/model/benefit.ts";
import { ListBenefitsQuery } from "../../../resources/benefit.ts";
import { listBenefits } from "../../../store/benefits.ts";
import { countGrants, countIncluding } from "../../../store/catalogue-counts.ts";
import { TYPE_NAMES } from "../catalogue/type-names.ts";
import { csvTime, timeColumn } from "./columns.ts";
import { defineList } from "./list.ts";

/** A Benefit with the number of its Products and of its active grants. */
type Counted = Benefit & { products: number; grants: number };

export const benefitList = defineList<Counted, typeof ListBenefitsQuery>({
  section: "benefits",
  prefix: "bft",
  schema: ListBenefitsQuery,
  filters: ["type", "search"],
  words: { type: TYPE_NAMES },
  labels: { search: "Part of the name" },
  async read(ctx, organizationId, query) {
    const found = await listBenefits(ctx.db.stale, organizationId, query);
    const ids = found.map(({ id }) => id);
    const [products, grants] = await Promise.all([
      countIncluding(ctx.db.stale, organizationId, ids),
      countGrants(ctx.db.stale, organizationId, ids),
    ]);
    return found.map((each) => ({ ...each, products: products.get(each.id) ?? 0, grants: grants.get(each.id) ?? 0 }));
  },
  columns: [
    { label: "Name", show: ({ id, name }, { self }) => html`<a href="${self}/benefits/${id}"><bdi>${name}</bdi></a>` },
    { label: "Type", show: ({ type }) => TYPE_NAMES[type] },
    { label: "Key", isWide: true, show: ({ key }) => (key === null ? "" : html`<code>${key}</code>`) },
    { label: "Products", isNumber: true, show: ({ products }) => String(products) },
    { label: "Active grants", isNumber: true, show: ({ grants }) => String(grants) },
    timeColumn("Created", ({ createdAt }) => createdAt),
  ],
  csv: {
    id: ({ id }) => id,
    key: ({ key }) => key,
    type: ({ type }) => type,
    name: ({ name }) => name,
    products: ({ products }) => products,
    active_grants: ({ grants }) => grants,
    created_at: ({ createdAt }) => csvTime(createdAt),
  },
  empty: "A Benefit is granted with a Product: a feature, a license key, a download or a note.",
  next: { path: "/docs/guide/benefit-grants", label: "Learn about Benefits" },
  make: { path: "/benefits/new", label: "New Benefit", permission: "catalogue" },
  done: { deleted: "The Benefit has been deleted. Subscriptions lose the Benefit within a moment." },
});
