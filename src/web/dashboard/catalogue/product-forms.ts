import { updateProduct } from "../../../actions/catalogue/products.ts";
import type { Product } from "../../../domain/model/product.ts";
import { keysLike, suggestedKey } from "../../../domain/catalogue/suggested-key.ts";
import { isId } from "../../../ids.ts";
import type { UpdateProductParams } from "../../../resources/product.ts";
import { findBenefits, listBenefits } from "../../../store/benefits.ts";
import {
  countGainingPurchases,
  countLive,
  countOpenCheckouts,
  countSubscribers,
} from "../../../store/catalogue-counts.ts";
import { billingNow } from "../../../store/organizations.ts";
import { findProductByKey } from "../../../store/products.ts";
import { together } from "../form-action.ts";
import { editForm, endForm, newForm, rowPath } from "../resource-forms.ts";
import { hiddenValues, requireSeen, typed, type Sent } from "../sent-form.ts";
import type { DashboardRequest } from "../request.ts";
import { newFields, productForm, type ProductData } from "./product-form.ts";
import { readProductChanges } from "./product-values.ts";
import { PRODUCTS } from "./resources.ts";
import { createNewPlan, readNewPlan, type NewPlan } from "./yearly.ts";
import { archiveEffect, productEffect, type ProductTouched, type Sales } from "./edit-effects.ts";

/** The Benefits that a form offers, newest first. The form of a Product also has all Benefits of the Product. */
export const MOST_BENEFITS = 500;

/** A free key that fits the typed name; null: the name leads to none. */
async function freeKey({ ctx, organization }: DashboardRequest, fields: URLSearchParams): Promise<string | null> {
  const key = suggestedKey(fields.get("name") ?? "");
  if (key === "") return null;
  const interval = fields.get("sold") === "once" ? null : fields.get("interval");
  for (const each of [key, ...keysLike(key, interval)])
    if (!(await findProductByKey(ctx.db.read, organization.id, each))) return each;
  return null;
}

async function load({ ctx, organization }: DashboardRequest, product: Product | null): Promise<ProductData> {
  const [newest, own, now] = await Promise.all([
    listBenefits(ctx.db.read, organization.id, { limit: MOST_BENEFITS }),
    findBenefits(ctx.db.read, organization.id, product?.benefitIds ?? []),
    billingNow(ctx.db.read, organization.id),
  ]);
  const known = new Set(newest.map(({ id }) => id));
  // A form without one of the Product's Benefits would take that Benefit away from every Customer.
  const benefits = [...newest, ...own.filter(({ id }) => !known.has(id))];
  return { product, like: null, benefits, now, suggestion: null };
}

async function readSales({ ctx }: DashboardRequest, { organizationId, id }: Product): Promise<Sales> {
  const [live, open] = await Promise.all([
    countLive(ctx.db.read, organizationId, [id]),
    countOpenCheckouts(ctx.db.read, organizationId, id),
  ]);
  return { live: live.get(id) ?? 0, open };
}

async function readTouched(
  request: DashboardRequest,
  product: Product,
  { benefitIds }: UpdateProductParams,
): Promise<ProductTouched> {
  const { read } = request.ctx.db;
  const { organizationId, id, interval } = product;
  const chosen = new Set(benefitIds ?? product.benefitIds);
  const added = [...chosen].filter((each) => !product.benefitIds.includes(each));
  const isOnce = interval === null;
  const gain = async (each: string) => [each, await countGainingPurchases(read, organizationId, id, each)] as const;
  const [sales, benefits, subscribers, gaining] = await Promise.all([
    readSales(request, product),
    findBenefits(read, organizationId, [...new Set([...product.benefitIds, ...chosen])]),
    isOnce || benefitIds === undefined ? 0 : countSubscribers(read, organizationId, id),
    Promise.all(isOnce ? added.map(gain) : []),
  ]);
  return { ...sales, benefits, subscribers, gaining: new Map(gaining) };
}

const newPage = newForm<Product, ProductData, NewPlan, Product>(PRODUCTS, {
  async load(request, c) {
    const id = c.req.query("like") ?? "";
    const [data, like] = await Promise.all([load(request, null), isId("prd", id) ? PRODUCTS.find(request, id) : null]);
    const fields = c.req.method === "POST" ? request.form : newFields(like);
    return { ...data, like, suggestion: await freeKey(request, fields) };
  },
  page: productForm,
  read: readNewPlan,
  audited: ({ params }) => params,
  create: createNewPlan,
  next: (request, made) => `${rowPath(PRODUCTS, request, made)}?done=created`,
  again: "created",
});

const editPage = editForm<Product, ProductData, UpdateProductParams>(PRODUCTS, {
  load,
  page: productForm,
  read: readProductChanges,
  effect: async (request, product, changes) =>
    productEffect(product, changes, await readTouched(request, product, changes)),
  update: updateProduct,
  done: "saved",
});

const isToArchive = (sent: Sent) => typed(sent, "archived") === "true";

const archivePage = endForm<Product, Product>(PRODUCTS, {
  name: "archive",
  operation: "updateProduct",
  body: (sent) => ({ archived: isToArchive(sent) }),
  page: async (request, product) => ({
    title: `${product.archived ? "Unarchive" : "Archive"} ${product.name}?`,
    effect: archiveEffect(product, await readSales(request, product)),
    hidden: hiddenValues({ archived: String(!product.archived) }),
    label: product.archived ? "Unarchive the Product" : "Archive the Product",
    isDangerous: !product.archived,
  }),
  end: (ctx, origin, { id }, sent) =>
    updateProduct(ctx, origin, id, { archived: isToArchive(sent) }, (row) => requireSeen(row, sent)),
  next(request, product, sent) {
    const done = sent === null ? "" : `?done=${isToArchive(sent) ? "archived" : "forsale"}`;
    return `${rowPath(PRODUCTS, request, product)}${done}`;
  },
});

/** The pages that make and change Products. */
export const productForms = together(newPage, editPage, archivePage);
