import type { Benefit } from "../../../domain/model/benefit.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { CountedPaymentLink } from "../../../domain/model/payment-link.ts";
import type { Discount } from "../../../domain/model/discount.ts";
import { benefits } from "../../../store/benefits.ts";
import { discounts } from "../../../store/discounts.ts";
import { findPaymentLink } from "../../../store/payment-links.ts";
import { products } from "../../../store/products.ts";
import type { Resource } from "../resource-forms.ts";
import { framedIn } from "./frame.ts";

export const PRODUCTS: Resource<Product> = {
  path: "products",
  param: "productId",
  prefix: "prd",
  operation: "Product",
  noun: "Product",
  permission: "catalogue",
  find: ({ ctx, organization }, id) => products.find(ctx.db.read, organization.id, id),
  isGone: () => false,
  nameOf: ({ name }) => name,
  frame: framedIn("products"),
};

export const BENEFITS: Resource<Benefit> = {
  path: "benefits",
  param: "benefitId",
  prefix: "bft",
  operation: "Benefit",
  noun: "Benefit",
  permission: "catalogue",
  find: ({ ctx, organization }, id) => benefits.find(ctx.db.read, organization.id, id),
  isGone: ({ deletedAt }) => deletedAt !== null,
  nameOf: ({ name }) => name,
  frame: framedIn("benefits"),
};

export const DISCOUNTS: Resource<Discount> = {
  path: "discounts",
  param: "discountId",
  prefix: "dsc",
  operation: "Discount",
  noun: "Discount",
  permission: "catalogue",
  find: ({ ctx, organization }, id) => discounts.find(ctx.db.read, organization.id, id),
  isGone: ({ deletedAt }) => deletedAt !== null,
  nameOf: ({ code }) => code,
  frame: framedIn("discounts"),
};

export const PAYMENT_LINKS: Resource<CountedPaymentLink> = {
  path: "payment-links",
  param: "paymentLinkId",
  prefix: "plk",
  operation: "PaymentLink",
  noun: "payment link",
  permission: "catalogue",
  find: ({ ctx, organization }, id) => findPaymentLink(ctx.db.read, organization.id, id),
  isGone: () => false,
  nameOf: ({ name }) => name,
  frame: framedIn("payment_links"),
};
