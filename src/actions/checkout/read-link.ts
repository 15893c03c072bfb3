import type { Context } from "../../context.ts";
import { codeOn, offersOf, type AskedOffer, type LinkOffers } from "../../domain/checkout/link-offer.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import type { Discount } from "../../domain/model/discount.ts";
import type { PaymentLink } from "../../domain/model/payment-link.ts";
import { takesPayments } from "../../domain/model/organization.ts";
import type { Product } from "../../domain/model/product.ts";
import type { DiscountRefusal } from "../../domain/refusal.ts";
import { findBenefits } from "../../store/benefits.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import { readOrganization, type OrganizationInTime } from "../../store/organizations.ts";
import { products as productTable } from "../../store/products.ts";
import { limitsFor } from "../load-context.ts";
import { entryOf, type Entry } from "../provider.ts";

/** A code on the page of a link. `productIds`: the Products on which the code is used. */
type AppliedCode = { discount: Discount; productIds: ReadonlySet<string> };

/** Everything that one visit to a payment link shows. */
export type LinkVisit = Pick<OrganizationInTime, "organization" | "now"> &
  LinkOffers & {
    link: PaymentLink;
    /** By the ids of the Products. */
    benefits: ReadonlyMap<string, Benefit[]>;
    code: AppliedCode | null;
    /** Why the code can't be used. */
    codeRefused: DiscountRefusal | null;
    /** The number of Products that the link sells now. */
    sold: number;
    closed: Entry["closed"];
  };

/** The rows from which a visit is made. `discount`: of the code of the visit. `benefits`: of all Products. */
export type LinkRows = Pick<LinkVisit, "organization" | "now" | "closed"> & {
  products: readonly Product[];
  benefits: readonly Benefit[];
  discount: Discount | null;
};

/** `code` null: the visit asks for no code, and the link has none. */
export function visitWith(
  ctx: Context,
  rows: LinkRows,
  link: PaymentLink,
  asked: AskedOffer,
  code: string | null,
): LinkVisit {
  const { organization, now, closed, products, benefits, discount } = rows;
  const { offers, ignored } = offersOf(organization, link, products, asked);
  const all = offersOf(organization, link, products, { product: null, quantity: null, currency: null });
  const limitsIn = (currency: string) => limitsFor(ctx, organization, currency);
  const used = code === null ? null : codeOn(offers, discount, { timeZone: organization.timeZone, now, limitsIn });
  const benefitsOf = (ids: readonly string[]) => ids.flatMap((id) => benefits.find((each) => each.id === id) ?? []);
  return {
    organization,
    now,
    link,
    offers,
    ignored,
    benefits: new Map(offers.map(({ product }) => [product.id, benefitsOf(product.benefitIds)])),
    code: used && "productIds" in used && discount ? { discount, productIds: used.productIds } : null,
    codeRefused: used && "refused" in used ? used.refused : null,
    sold: all.offers.length,
    closed,
  };
}

/** As `visitWith`, with the rows as they are now. */
export async function readLinkVisit(
  ctx: Context,
  link: PaymentLink,
  asked: AskedOffer,
  code: string | null,
): Promise<LinkVisit> {
  const { organizationId, productIds } = link;
  const [{ organization, now }, found, discount] = await Promise.all([
    readOrganization(ctx.db.read, organizationId),
    productTable.findAll(ctx.db.read, organizationId, productIds),
    code === null ? null : findDiscountByCode(ctx.db.read, organizationId, code),
  ]);
  const products = productIds.flatMap((id) => found.get(id) ?? []);
  const ids = [...new Set(products.flatMap(({ benefitIds }) => benefitIds))];
  const [benefits, { closed }] = await Promise.all([
    findBenefits(ctx.db.read, organizationId, ids),
    takesPayments(organization) ? entryOf(ctx, organization) : { closed: "no_provider" as const },
  ]);
  return visitWith(ctx, { organization, now, closed, products, benefits, discount }, link, asked, code);
}
